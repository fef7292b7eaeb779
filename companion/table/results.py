"""Results: best scores, a player's statistics, and all results as a table."""

from __future__ import annotations

import time as clocks
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from companion.table.sheets import csv_text, table_text
from companion.table.store import Store

HEADINGS: Final = ("record", "game", "ended", "player", "name", "score", "won")

Period = Literal["week", "month", "year"]

_RESULTS: Final = """SELECT records.name AS record, records.game, records.ended, results.player, players.name,
    results.score, results.won
    FROM results JOIN records ON records.id = results.record
    JOIN seats ON seats.record = results.record AND seats.player = results.player
    JOIN players ON players.id = seats.person"""


class Result(NamedTuple):
    """What one player reached in one game; `stamp`: when it ended, seconds since 1970."""

    record: str
    game: str
    stamp: float
    player: int
    name: str
    score: int
    won: bool


class Statistics(NamedTuple):
    """A player's games that are over; shared wins are wins. `mean` and `best` are None without games."""

    games: int
    wins: int
    mean: float | None
    best: int | None


def results(store: Store) -> tuple[Result, ...]:
    """Every result, in the order in which the games were begun and the players play."""
    found = store.query(f"{_RESULTS} ORDER BY records.id, results.player")
    return tuple(_result(row) for row in found)


def _result(row: Mapping[str, Any]) -> Result:
    return Result(row["record"], row["game"], row["ended"], row["player"], row["name"], row["score"], bool(row["won"]))


def best_scores(
    store: Store, game: str, period: Period, *, limit: int = 10, now: float | None = None
) -> tuple[Result, ...]:
    """The best scores of this calendar week (from Monday), month or year in local time, the best first; of equal ones
    the older first. `now` in seconds since 1970; None for the present.
    """
    first, end = bounds(period, clocks.time() if now is None else now)
    found = store.query(
        f"{_RESULTS} WHERE records.game = ? AND records.ended >= ? AND records.ended < ? "
        "ORDER BY results.score DESC, records.ended, results.player LIMIT ?",
        (game, first, end, limit),
    )
    return tuple(_result(row) for row in found)


def bounds(period: Period, now: float) -> tuple[float, float]:
    """Begin and end (not included) of the local calendar week, month or year around `now`, in seconds since 1970."""
    today = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
    if period == "week":
        first = today - timedelta(days=today.weekday())
        return first.timestamp(), (first + timedelta(days=7)).timestamp()
    if period == "month":
        first = today.replace(day=1)
        return first.timestamp(), (first + timedelta(days=31)).replace(day=1).timestamp()
    first = today.replace(month=1, day=1)
    return first.timestamp(), first.replace(year=first.year + 1).timestamp()


def statistics(store: Store, name: str, game: str | None = None) -> Statistics:
    """What a player has reached so far, in one game or in all; zeros for somebody unknown."""
    found = store.query(
        f"SELECT count(*) AS games, total(won) AS wins, avg(score) AS mean, max(score) AS best FROM ({_RESULTS}) "
        "WHERE name = ? AND (? IS NULL OR game = ?)",
        (name, game, game),
    )[0]
    return Statistics(found["games"], int(found["wins"]), found["mean"], found["best"])


def as_csv(store: Store) -> str:
    """All results as comma-separated values with a line of headings; dates in local time."""
    return csv_text(HEADINGS, (_row(result) for result in results(store)))


def _row(result: Result) -> list[object]:
    ended = datetime.fromtimestamp(result.stamp).isoformat(" ", "seconds")
    return [result.record, result.game, ended, result.player, result.name, result.score, int(result.won)]


def best_text(best: Sequence[Result]) -> str:
    """Best scores as a table for printing."""
    rows = ([r.name, r.score, datetime.fromtimestamp(r.stamp).strftime("%Y-%m-%d"), r.record] for r in best)
    return table_text(["player", "score", "date", "record"], rows)


def best_csv(best: Sequence[Result]) -> str:
    """Best scores as comma-separated values with a line of headings."""
    return csv_text(HEADINGS, (_row(result) for result in best))
