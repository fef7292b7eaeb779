"""Whole games refereed from the labels on the simulated table: everything that happens is recorded, nothing wrongly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.registry import table_game
from tests.benchmarks.refereeing import Sight, play
from tests.table.labelled import Seen, watch_game

GAMES: list[tuple[str, int, dict[str, Any], int]] = [
    ("triangle", 2, {}, 40),
    ("triangle", 4, {"teams": True}, 40),
    ("labyria", 2, {}, 30),
    ("labyria", 4, {}, 30),
    ("via", 2, {}, 0),
    ("via", 3, {"free_water": True}, 0),
    ("via", 4, {"land_alike": False}, 60),
    ("magic_triland", 3, {"variant": "basic"}, 90),
    ("magic_triland", 3, {"variant": "basic", "cards": "chance"}, 80),
    ("magic_triland", 3, {"variant": "master"}, 80),
    ("magic_triland", 2, {"variant": "basic-duel"}, 80),
    ("magic_triland", 2, {"variant": "master-duel"}, 80),
    ("magic_labyrinth", 2, {}, 0),
    ("magic_labyrinth", 3, {"must_go": False}, 80),
    ("magic_labyrinth", 4, {"may_stop": True}, 0),
]


def described(seen: Seen) -> str:
    first = next((k for k, (a, b) in enumerate(zip(seen.played, seen.recorded, strict=False)) if a != b), None)
    return f"{len(seen.played)} played, {len(seen.recorded)} recorded, first difference {first}: {seen.questions}"


@pytest.mark.parametrize(("name", "players", "options", "limit"), GAMES)
def test_everything_is_recorded(tmp_path: Path, name: str, players: int, options: dict[str, Any], limit: int) -> None:
    seen = watch_game(tmp_path, table_game(name), players, options, seed=players, pause=1.0, limit=limit or None)
    assert seen.agrees, described(seen)
    assert not seen.wrong
    assert not seen.verdicts
    assert len(seen.questions) <= 0.02 * len(seen.played), seen.questions


@pytest.mark.parametrize(
    ("name", "players"), [("triangle", 2), ("labyria", 4), ("via", 4), ("magic_triland", 3), ("magic_labyrinth", 4)]
)
def test_mishaps_are_survived(tmp_path: Path, name: str, players: int) -> None:
    seen = watch_game(tmp_path, table_game(name), players, seed=31, rate=0.03, pause=1.0, limit=60)
    assert seen.agrees, described(seen)
    assert not seen.wrong


@pytest.mark.parametrize("seed", [100005, 300080, 300217])
def test_no_mishap_puts_another_order_of_turns_on_record(seed: int) -> None:
    """Games of VIA in which taking a tile was entered for one player and taken for another's, or in which something
    illegal would have been legal before what was seen to come first.
    """
    outcome = play("via", seed, 0.02, Sight(labels=True, doubt=0.0002, blind=0.0002), None)
    assert not outcome.wrong
    assert outcome.finished


def test_labyria_with_an_eye_that_doubts(tmp_path: Path) -> None:
    seen = watch_game(tmp_path, table_game("labyria"), 2, seed=10, doubt=0.0003, blind=0.0003, pause=1.0, limit=180)
    assert seen.agrees, described(seen)
    assert not seen.wrong
