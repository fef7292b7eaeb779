"""A whole game by touch alone, from the start through the players to the result."""

from __future__ import annotations

import random

import pytest

from companion.games.core import CHANCE
from companion.games.registry import load_game
from companion.table.seating import seated
from companion.ui.screens.table import TableScreen
from companion.vision.observation import Scene
from tests.ui.conftest import Program
from tests.ui.finger import Finger
from tests.ui.memory import MemoryLibrary, MemoryTable


def play_on(finger: Finger, choice: random.Random) -> None:
    """One touch of somebody who plays: a tile of the bag, of the hand, a lit field, a rotation, or a word."""
    screen = finger.app.screen
    assert isinstance(screen, TableScreen)
    assert screen.entry is not None
    if screen.entry.sites:
        finger.tap_site(choice.choice(screen.entry.sites))
        return
    labels = [piece.label for piece in screen.entry.pieces]
    labels += [screen.face.word(word.key, screen.app.words) for word in screen.entry.words]
    finger.tap(choice.choice(labels))


@pytest.mark.parametrize(
    ("size", "players", "teams"), [((800, 480), 2, False), ((1280, 720), 4, True), ((720, 1280), 3, False)]
)
def test_a_game_is_played_by_touch_alone(program: Program, size: tuple[int, int], players: int, teams: bool) -> None:
    library = MemoryLibrary(["Ada", "Ben", "Cleo", "Dora"])
    finger = program(library, size)
    finger.tap("Triangle")
    for _ in range(players - 2):
        finger.tap("plus")
    if teams:
        finger.tap("Two teams")
    finger.tap("Begin")
    table = library.tables[0]
    choice = random.Random(11)
    for _ in range(1_000):
        if finger.screen != "table":
            break
        play_on(finger, choice)
    assert finger.screen == "result"
    check_result(finger, table, players, teams)
    finger.tap("Play again")
    assert finger.screen == "players"
    assert table.finished


def check_result(finger: Finger, table: MemoryTable, players: int, teams: bool) -> None:
    position = load_game("triangle").new(players, {"teams": teams})
    for action in table.actions:
        position = position.play(action)
    assert position.over
    assert len(table.actions) > 4 * players
    shown = finger.shown()
    for score in position.scores:
        assert str(score).replace("-", "−") in shown
    for winner in position.winners:
        assert table.players[winner].name in " ".join(shown[:1])


def test_the_tile_drawn_waits_for_the_camera_where_there_is_one(program: Program) -> None:
    library = MemoryLibrary()
    table = library.new_game("triangle", seated(load_game("triangle"), ["Ada", "Ben"]), {})
    table.change(scene=Scene.STILL)
    finger = program(library, model=table)
    screen = finger.app.screen
    assert isinstance(screen, TableScreen)
    assert table.state().position.turn == CHANCE
    assert not screen.picking
    finger.tap("Enter by hand")
    finger.tap("RRR6")
    assert [str(action) for action in table.actions] == ["draw 0 RRR6"]


def test_after_a_start_the_last_game_goes_on(program: Program) -> None:
    library = MemoryLibrary()
    table = library.new_game("triangle", seated(load_game("triangle"), ["Ada", "Ben"]), {})
    table.enter(table.state().position.legal_actions()[0])
    finger = program(library)
    finger.tap("Go on playing")
    assert finger.screen == "table"
    assert finger.app.model is table
