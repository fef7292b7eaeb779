"""Best scores of the calendar's periods, statistics, and the table of results."""

from __future__ import annotations

import csv
import io
import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from companion.table.results import Period, as_csv, best_scores, bounds, results, statistics
from companion.table.session import Session
from companion.table.store import Store
from tests.table.playing import Clock, begin, play


@pytest.fixture(autouse=True)
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    os.environ.pop("TZ", None)
    time.tzset()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


def at(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def game_at(store: Store, text: str, seed: int, players: int = 2) -> Session:
    return play(begin(store, players, Clock(at(text))), seed=seed)


@pytest.mark.parametrize(
    ("period", "now", "first", "end"),
    [
        ("week", "2026-11-21 09:00", "2026-11-16", "2026-11-23"),
        ("week", "2026-11-16 00:00", "2026-11-16", "2026-11-23"),
        ("week", "2026-11-15 23:59", "2026-11-09", "2026-11-16"),
        ("week", "2026-03-29 12:00", "2026-03-23", "2026-03-30"),  # an hour shorter: summer time begins
        ("week", "2027-01-01 12:00", "2026-12-28", "2027-01-04"),
        ("month", "2026-02-14 12:00", "2026-02-01", "2026-03-01"),
        ("month", "2026-12-31 23:59", "2026-12-01", "2027-01-01"),
        ("year", "2026-06-01 12:00", "2026-01-01", "2027-01-01"),
        ("year", "2028-02-29 12:00", "2028-01-01", "2029-01-01"),
    ],
)
def test_periods_are_the_calendars_in_local_time(period: Period, now: str, first: str, end: str) -> None:
    assert bounds(period, at(now)) == (at(first), at(end))


def test_best_scores_of_a_period(store: Store) -> None:
    games = {
        text: game_at(store, text, seed, 3)
        for seed, text in enumerate(
            ["2025-12-31 20:00", "2026-01-01 10:00", "2026-11-02 10:00", "2026-11-15 23:00", "2026-11-17 10:00"]
        )
    }
    now = at("2026-11-21 09:00")
    for period, first in (("week", 4), ("month", 2), ("year", 1)):
        found = best_scores(store, "triangle", period, now=now)  # type: ignore[arg-type]
        expected = [score for game in list(games.values())[first:] for score in game.position.scores]
        assert [result.score for result in found] == sorted(expected, reverse=True)[:10]
    assert best_scores(store, "via", "year", now=now) == ()
    assert len(best_scores(store, "triangle", "year", now=now, limit=2)) == 2
    assert best_scores(store, "triangle", "week", now=at("2027-11-21 09:00")) == ()


def test_equal_scores_come_in_the_order_in_which_they_were_reached(store: Store) -> None:
    late, early = game_at(store, "2026-11-20 10:00", 3), game_at(store, "2026-11-18 10:00", 3)
    found = best_scores(store, "triangle", "week", now=at("2026-11-21 09:00"))
    assert [result.record for result in found] == [early.name, late.name] * 2


def test_statistics_of_a_player(store: Store) -> None:
    games = [game_at(store, "2026-11-20 10:00", seed, 2 + seed % 2) for seed in range(4)]
    play(begin(store), 10)
    given_up = play(begin(store), 10)
    given_up.give_up()
    scores = [game.position.scores[0] for game in games]
    found = statistics(store, "Ada")
    assert (found.games, found.best) == (4, max(scores))
    assert found.mean == pytest.approx(sum(scores) / 4)
    assert found.wins == sum(0 in game.position.winners for game in games)
    assert statistics(store, "Cleo", "triangle").games == 2
    assert statistics(store, "Ada", "via") == (0, 0, None, None)
    assert statistics(store, "nobody") == (0, 0, None, None)


def test_a_result_follows_undo(store: Store) -> None:
    session = game_at(store, "2026-11-20 10:00", 1)
    assert len(results(store)) == 2
    session.undo()
    assert results(store) == ()
    assert statistics(store, "Ada").games == 0
    play(session, seed=9)
    assert [result.score for result in results(store)] == list(session.position.scores)


def test_the_table_of_results(store: Store) -> None:
    session = game_at(store, "2026-11-20 10:00", 1, 3)
    rows = list(csv.DictReader(io.StringIO(as_csv(store))))
    assert [row["name"] for row in rows] == ["Ada", "Ben", "Cleo"]
    assert [int(row["score"]) for row in rows] == list(session.position.scores)
    assert [number for number, row in enumerate(rows) if row["won"] == "1"] == list(session.position.winners)
    assert {row["record"] for row in rows} == {session.name}
    assert rows[0]["ended"].startswith("2026-11-20 10:0")
