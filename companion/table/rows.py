"""Rows of the database, and the values that they stand for."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.table.errors import DamagedError
from companion.table.record import Ending, Entry, Kind, Record
from companion.table.state import By, Player

ADD_RECORD: Final = """INSERT INTO records (name, game, set_file, options, players, started, hidden_draws)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""
ADD_ENTRY: Final = f"INSERT INTO entries VALUES ({', '.join('?' * 13)})"
ADD_SEAT: Final = "INSERT INTO seats VALUES (?, ?, (SELECT id FROM players WHERE name = ?), ?, ?, ?)"
REMEMBER_PLAYER: Final = (
    "INSERT INTO players (name, seen) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seen = excluded.seen"
)
PLAYERS: Final = """SELECT players.name FROM players LEFT JOIN seats ON seats.person = players.id
    GROUP BY players.id ORDER BY max(seats.record) DESC, players.seen DESC, players.id DESC"""
SEATS: Final = """SELECT seats.*, players.name FROM seats JOIN players ON players.id = seats.person
    WHERE record = ? ORDER BY player"""
SUMMARIES: Final = """SELECT records.*, coalesce(
    (SELECT stamp FROM entries WHERE record = records.id ORDER BY number DESC LIMIT 1), started) AS stamp,
    (SELECT count(*) FROM entries WHERE record = records.id AND kind = 'play') AS actions
    FROM records ORDER BY id DESC LIMIT ?"""


def of_record(record: Record) -> tuple[object, ...]:
    """The values for `ADD_RECORD`."""
    options = json.dumps(dict(record.options))
    about = (record.name, record.game, record.set_file, options, len(record.players), record.started)
    return *about, int(record.hidden_draws)


def of_entry(record: int, entry: Entry) -> tuple[object, ...]:
    """The values for `ADD_ENTRY`; the last is a checksum over the others."""
    values = (
        record, entry.number, entry.kind.value, entry.stamp, entry.action, entry.by.value if entry.by else None,
        entry.confidence, entry.time, entry.picture, entry.target, entry.who, entry.text,
    )  # fmt: skip
    return *values, _checksum(values)


def _checksum(values: Sequence[object]) -> int:
    return zlib.crc32(repr(values).encode())


def of_results(record: int, ending: Ending) -> list[tuple[int, int, int, int]]:
    """A row a player."""
    return [(record, player, score, int(player in ending.winners)) for player, score in enumerate(ending.scores)]


def to_entry(row: Sequence[Any]) -> Entry | None:
    """The entry in a row, or None where the row is not as it was written."""
    *values, checksum = row
    if _checksum(tuple(values)) != checksum:
        return None
    _, number, kind, stamp, action, by, *others = values
    return Entry(number, Kind(kind), stamp, action, By(by) if by else None, *others)


def to_ending(row: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> Ending | None:
    """How the record in `row` ended."""
    if row["ended"] is None:
        return None
    scores = tuple(result["score"] for result in results)
    winners = tuple(result["player"] for result in results if result["won"])
    return Ending(row["ended"], scores, winners, bool(row["given_up"]))


def to_players(seats: Sequence[Mapping[str, Any]]) -> tuple[Player, ...]:
    """The players in the order of play."""
    return tuple(Player(seat["name"], seat["seat"], seat["colour"], seat["symbol"]) for seat in seats)


def to_record(
    row: Mapping[str, Any],
    seats: Sequence[Mapping[str, Any]],
    entries: Sequence[Sequence[Any]],
    results: Sequence[Mapping[str, Any]],
) -> Record:
    """A record from its rows.

    Raises:
        DamagedError: a player or an entry is missing or is not as it was written.
    """
    if len(seats) != row["players"]:
        raise DamagedError(f"record {row['name']}: {row['players']} players took part, but {len(seats)} are named")
    return Record(
        name=row["name"],
        game=row["game"],
        players=to_players(seats),
        started=row["started"],
        options=json.loads(row["options"]),
        set_file=row["set_file"],
        hidden_draws=bool(row["hidden_draws"]),
        entries=tuple(_checked(row["name"], number, entry) for number, entry in enumerate(entries, start=1)),
        ending=to_ending(row, results),
        place=row["id"],
    )


def _checked(record: str, number: int, row: Sequence[Any]) -> Entry:
    entry = to_entry(row)
    if entry is None or entry.number != number:
        raise DamagedError(
            f"record {record}: entry {number} is missing or damaged; restore the data folder from a copy"
        )
    return entry
