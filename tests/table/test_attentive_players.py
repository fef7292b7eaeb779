"""Simulated players who heed the companion: they wait for it, and put its record right where it is stuck."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.registry import GAMES, table_game
from hardware.simulated.script import Carry, Done, Heed
from hardware.simulated.table import SimulatedTable
from tests.table.labelled import watch_game


def test_people_act_only_when_they_may(tmp_path: Path) -> None:
    game = table_game("triangle")
    hole = next(site.name for site in game.sites if site.kind == "hole")
    steps = [Carry(0, None, hole, "red"), Done("first"), Heed(60.0), Carry(0, hole, None, "red"), Done("second")]
    table, asked = SimulatedTable(game, steps), list[int]()
    table.may_go_on = lambda done: bool(asked.append(done))
    for moment in range(50):
        table.scene(moment)
    assert set(asked) == {1}
    assert [one.what for one in table.happened] == [Done("first")]
    table.may_go_on = lambda done: True
    table.scene(60.0)
    assert [one.what for one in table.happened] == [Done("first"), Done("second")]


def test_people_do_not_wait_for_ever(tmp_path: Path) -> None:
    table = SimulatedTable(table_game("triangle"), [Heed(10.0), Done("first")])
    table.may_go_on = lambda done: False
    table.scene(9.0)
    assert not table.happened
    table.scene(12.0)
    assert table.happened


@pytest.mark.parametrize("name", GAMES)
def test_a_bad_eye_costs_attentive_players_time_but_no_game(tmp_path: Path, name: str) -> None:
    seen = watch_game(tmp_path, table_game(name), 2, seed=5, doubt=0.1, blind=0.05, limit=50, attentive=True)
    assert seen.by_hand + len(seen.questions) > 0
    assert seen.agrees, (seen.by_hand, seen.told[-5:])
    assert not seen.wrong


@pytest.mark.parametrize("name", GAMES)
def test_attentive_players_are_followed_without_their_help(tmp_path: Path, name: str) -> None:
    seen = watch_game(tmp_path, table_game(name), 2, seed=6, pause=1.0, limit=60, attentive=True)
    assert seen.agrees, seen.told[-5:]
    assert not seen.by_hand, seen.told[-5:]
    assert not seen.questions
