"""The clock on the wall jumps: 1970 until there is a network, years forward when there is, and back."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.main import main
from companion.table import backup, matches
from companion.table.record import in_order
from companion.table.results import best_scores, statistics
from companion.table.session import Session
from companion.table.store import Store
from tests.table.playing import PLAYERS, Clock, begin, play

BOOT = 60.0
NOW = 1_795_000_000.0  # a Wednesday in 2026
FAR = 4_000_000_000.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "data") as store:
        yield store


def whole_game(store: Store, begins: float, ends: float) -> Session:
    """A game in the middle of which the clock jumps."""
    clock = Clock(begins)
    session = play(begin(store, 2, clock), 12)
    clock.now = ends
    return play(session)


def test_results_are_those_of_the_week_in_which_games_ended(store: Store) -> None:
    usual = whole_game(store, NOW - 4000, NOW - 3000)
    synchronised = whole_game(store, BOOT, NOW - 2000)
    whole_game(store, BOOT, BOOT + 3000)  # never knew the time
    whole_game(store, NOW, FAR)  # the clock was wrong
    names = {result.record for result in best_scores(store, "triangle", "week", now=NOW)}
    assert names == {usual.name, synchronised.name}
    assert statistics(store, "Ada").games == 4


def test_before_there_is_a_network_the_week_is_that_of_the_clock(store: Store) -> None:
    session = whole_game(store, BOOT, BOOT + 3000)
    assert {result.record for result in best_scores(store, "triangle", "week", now=BOOT + 9000)} == {session.name}


def test_records_and_people_come_in_the_order_in_which_they_played(store: Store) -> None:
    clock = Clock(NOW)
    names = [Session.create(store, begin(store, 2, clock).game, PLAYERS[:2], clock=clock).name]
    for jump, players in ((BOOT, PLAYERS[1:3]), (FAR, PLAYERS[2:4]), (NOW + 1, PLAYERS[:2])):
        clock.now = jump
        names.append(Session.create(store, begin(store, 2, clock).game, players, clock=clock).name)
    listed = [summary.name for summary in store.records()]
    assert [name for name in reversed(listed) if name in names] == names
    assert set(store.players()[:2]) == {"Ada", "Ben"}
    assert store.latest_unfinished() == names[-1]
    records = [store.record(name) for name in names]
    assert in_order(reversed(records)) == records


def test_the_last_game_of_a_match_is_the_one_played_last(store: Store) -> None:
    """Its tie-break decides. After a restart without a network its clock says that it was the first."""
    first = play(begin(store, 2, Clock(NOW)), seed=1)
    second = play(begin(store, 2, Clock(BOOT)), seed=2)
    standings = matches.match_of([second.record, first.record])
    scores = zip(first.position.scores, second.position.scores, strict=True)
    assert {one.name: one.games for one in standings} == dict(zip(("Ada", "Ben"), scores, strict=True))
    assert first.position.scores != second.position.scores


def test_a_backup_is_made_and_restored_while_the_clock_says_1970(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ZIP files know no time before 1980."""
    session = play(begin(store, 2, Clock(BOOT)), 5, picture=b"\xff\xd8")
    monkeypatch.setattr(time, "time", lambda: BOOT)
    for path in store.folder.rglob("*"):
        os.utime(path, (BOOT, BOOT))
    made = backup.back_up(store.folder, tmp_path / "made.zip")
    backup.restore(made.path, tmp_path / "new")
    with Store(tmp_path / "new") as new:
        assert new.record(session.name) == session.record


@pytest.mark.parametrize("now", [0.0, BOOT, FAR])
def test_commands_work_at_any_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], now: float
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    with Store(tmp_path / "data") as store:
        session = play(begin(store, 2, Clock(now)))
    monkeypatch.setattr(time, "time", lambda: now + 5000)
    for command in (["games"], ["sheet", "best"], ["replay", session.name], ["export", "--to", str(tmp_path)]):
        assert main(command) == 0
    assert "Ada" in capsys.readouterr().out
