"""Whole games of Magic Triland as readable text, with what every action brings about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games.triland_naive import NaiveTriland
from tests.games.triland_tables import GAME, start

GOLDEN = sorted((Path(__file__).parent / "golden").glob("triland_*.txt"))
NAMES = ["Ada", "Ben", "Cem"]
COUNTED = ("turn", "score", "over")


def test_there_is_a_golden_game_of_every_variant() -> None:
    names = ["basic", "basic_chance", "basic_duel", "master", "master_duel"]
    assert [path.stem.removeprefix("triland_") for path in GOLDEN] == names


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_replays(path: Path) -> None:
    lines = path.read_text().splitlines()
    told = dict(line[2:].split(" ", 1) for line in lines if re.match("# (variant|cards|over|scores|winners) ", line))
    position, naive = start(told["variant"], told["cards"]), NaiveTriland(told["variant"], told["cards"])
    for line in lines:
        text, _, comment = (part.strip() for part in line.partition("#"))
        if not text:
            continue
        action = GAME.parse(text)
        assert action in position.legal_actions()
        events = [event for event in position.events(action) if event.kind not in COUNTED]
        assert " ".join(GAME.clauses.event_text(event, "en", NAMES) for event in events) == comment
        position = position.play(action)
        naive.play(text)
    assert position.over
    assert position.ending == told["over"]
    assert list(position.scores) == naive.scores() == [int(score) for score in told["scores"].split()]
    assert list(position.winners) == [naive.winner] == [int(player) for player in told["winners"].split()]
