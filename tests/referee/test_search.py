"""The search for what leads from a position to what several pictures show, one after the other."""

from __future__ import annotations

from companion.games.registry import load_game
from companion.referee.evidence import Evidence
from companion.referee.search import explain_pictures
from tests.referee.readings import labels_of, reading_of


def test_what_was_entered_does_not_explain_a_picture_that_was_followed_by_another() -> None:
    game = load_game("magic_labyrinth")
    position = game.new(2)
    for text in ("symbol crown", "call blue a1-b1", "reveal blue", "call green b1-b2", "reveal blue"):
        position = position.play(game.parse(text))
    way = [game.parse(text) for text in ("insert blue a1-b1", "insert blue b1-b2", "call red d3-d4", "reveal red")]
    inserted = position.play(way[0]).play(way[1])
    revealed = inserted.play(way[2]).play(way[3])
    pictures = [
        Evidence(reading_of(game, labels_of(inserted), hidden=("slot:b1-b2",))),
        Evidence(reading_of(game, labels_of(revealed))),
    ]
    found = explain_pictures(position, pictures, way[2:3]).explanations
    assert {one.actions for one in found} == {tuple(way), (way[1], way[0], *way[2:])}
    assert all(max(one.stages) == 1 for one in found)
