"""Whole games as readable text, with what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.registry import load_game
from tests.games.magic_labyrinth_naive import NaiveLabyrinth

GAME = load_game("magic_labyrinth")
GOLDEN = sorted((Path(__file__).parent / "golden").glob("magic_labyrinth_*.txt"))
NAMES = ("Ada", "Ben", "Cem", "Dea")
QUIET = ("turn", "over", "walls")


def test_there_are_golden_games() -> None:
    assert [path.stem[len("magic_labyrinth_") :] for path in GOLDEN] == ["four", "free", "three", "two"]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_replays(path: Path) -> None:
    lines = path.read_text().splitlines()
    told = dict(line[2:].split(" ", 1) for line in lines if re.match("# (players|over|scores|winners) ", line))
    chosen = (line[len("# option ") :].split(" ") for line in lines if line.startswith("# option "))
    options: dict[str, object] = {name: value == "true" for name, value in chosen}
    players = int(told["players"])
    position, naive = GAME.new(players, options), NaiveLabyrinth(players, options)
    for line in lines:
        text, _, comment = line.partition("#")
        if not text:
            continue
        action = GAME.parse(text.strip())
        assert action in position.legal_actions()
        events = [event for event in position.events(action) if event.kind not in QUIET]
        assert " ".join(GAME.clauses.event_text(event, "en", NAMES) for event in events) == comment.strip()
        naive.play(text.strip())
        position = position.play(action)
        assert list(position.scores) == naive.points
    assert position.explain(GAME.parse("done")).clause == told["over"]
    assert list(position.scores) == [int(score) for score in told["scores"].split()]
    assert position.winners == (naive.winner,) == (int(told["winners"]),)
