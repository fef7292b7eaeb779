"""Whole games as readable text, with what happens to figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.registry import load_game
from tests.games.labyria_naive import NaiveLabyria

GAME = load_game("labyria")
GOLDEN = sorted((Path(__file__).parent / "golden").glob("labyria_*.txt"))
NAMES = ("Ada", "Ben", "Cem", "Dea")


def test_there_are_golden_games() -> None:
    assert [path.stem for path in GOLDEN] == ["labyria_four", "labyria_three", "labyria_two"]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_replays(path: Path) -> None:
    lines = path.read_text().splitlines()
    told = dict(line[2:].split(" ", 1) for line in lines if re.match("# (players|over|scores|winners) ", line))
    options: dict[str, object] = dict(line[9:].split(" ") for line in lines if line.startswith("# option "))
    position, naive = GAME.new(int(told["players"]), options), NaiveLabyria(int(told["players"]), options)
    for line in lines:
        text, _, comment = line.partition("#")
        if not text:
            continue
        action = GAME.parse(text.strip())
        assert action in position.legal_actions()
        events = [event for event in position.events(action) if event.kind not in ("turn", "over")]
        assert " ".join(GAME.clauses.event_text(event, "en", NAMES) for event in events) == comment.strip()
        naive.play(text.strip())
        position = position.play(action)
        assert list(position.scores) == naive.scores()
    assert position.explain(GAME.parse("pass")).clause == told["over"]
    assert list(position.scores) == [int(score) for score in told["scores"].split()]
    assert position.winners == (naive.winner,) == (int(told["winners"]),)
