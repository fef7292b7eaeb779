"""Where records are kept: a SQLite database in the data folder, pictures beside it."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from companion.table import exchange, rows, salvage, schema
from companion.table.errors import ConflictError, DamagedError, FolderError, UnknownRecordError
from companion.table.pictures import PICTURES, RESERVE, Pictures
from companion.table.record import Ending, Entry, Record
from companion.table.state import Player
from companion.table.trouble import explained

DATABASE: Final = "companion.db"
PICTURE_LIMIT: Final = 500_000_000
BACKUP_EVERY: Final = 86_400.0
"""Seconds."""

PATIENCE: Final = 5.0
"""Seconds to wait for another program that holds the database."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A record in a list of records. `stamp`: when its last entry was made, seconds since 1970; `actions`: how many
    entries are actions, also those taken back.
    """

    name: str
    game: str
    players: tuple[Player, ...]
    started: float
    stamp: float
    actions: int
    ending: Ending | None

    @property
    def over(self) -> bool:
        """Whether it was played to its end."""
        return self.ending is not None and not self.ending.given_up

    @property
    def scores(self) -> tuple[int, ...]:
        """The result, a number a player; empty without one."""
        return self.ending.scores if self.ending else ()

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won; empty without a result."""
        return self.ending.winners if self.ending else ()


class Writing(NamedTuple):
    """An open transaction: what is said here is stored together, or not at all."""

    database: sqlite3.Connection

    def add(self, record: str, entries: Sequence[Entry]) -> None:
        """Adds entries to a record."""
        key = self._key(record)
        self.database.executemany(rows.ADD_ENTRY, [rows.of_entry(key, entry) for entry in entries])

    def set(self, name: str, value: Any) -> None:
        """Stores a setting."""
        self.database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, json.dumps(value)))

    def end(self, record: str, ending: Ending | None) -> None:
        """Says how a record ended, or that it goes on after all."""
        key = self._key(record)
        given_up = int(ending is not None and ending.given_up)
        ended = None if ending is None else ending.stamp
        self.database.execute("UPDATE records SET ended = ?, given_up = ? WHERE id = ?", (ended, given_up, key))
        self.database.execute("DELETE FROM results WHERE record = ?", (key,))
        if ending is not None:
            self.database.executemany("INSERT INTO results VALUES (?, ?, ?, ?)", rows.of_results(key, ending))

    def create(self, record: Record) -> int:
        """Adds a record without entries, and remembers its players; its place among the records."""
        place = self.database.execute(rows.ADD_RECORD, rows.of_record(record)).lastrowid
        assert place is not None
        for number, player in enumerate(record.players):
            self.database.execute(rows.REMEMBER_PLAYER, (player.name, record.started))
            self.database.execute(
                rows.ADD_SEAT, (place, number, player.name, player.seat, player.colour, player.symbol)
            )
        return place

    def _key(self, record: str) -> int:
        row = self.database.execute("SELECT id FROM records WHERE name = ?", (record,)).fetchone()
        if row is None:
            raise UnknownRecordError(f"there is no record {record}; `companion games` lists them")
        return int(row[0])


class Store:
    """The records in one data folder. Any thread may use it; several programs may, too.

    `notices`: what people should be told about what was found when the store was opened (a damaged database that was
    put aside, a backup that was only half restored).
    """

    def __init__(self, folder: Path, *, picture_limit: int = PICTURE_LIMIT, patience: float = PATIENCE) -> None:
        """Opens the store, and makes it where there is none.

        Args:
            folder: the data folder; it is made where there is none.
            picture_limit: bytes of all pictures together.
            patience: seconds to wait for another program that holds the database.

        Raises:
            FolderError, DiskFullError, LockedError, ForeignDatabaseError, NewerSchemaError: as their names say.
        """
        self.folder: Final = folder
        self.path: Final = self.folder / DATABASE
        self.notices: tuple[str, ...] = ()
        self._patience = patience
        self._lock = threading.RLock()
        self._make_folder()
        self._database = self._open()
        self._identity = self._file()
        self.pictures: Final = Pictures(self.folder, picture_limit, self._finished)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database; the store is of no use afterwards."""
        with self._lock:
            self._database.close()

    # -- opening -------------------------------------------------------------------------------------------------------

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(
                f"{self.folder} cannot be the data folder ({error.strerror}); name a folder that can be written to, "
                "in the configuration or by COMPANION_DATA"
            ) from error

    def _open(self) -> sqlite3.Connection:
        with explained(self.path):
            self.notices += exchange.finish(self.path, self._patience)
            self.notices += salvage.finish(self.path, self._patience)
            try:
                return self._connect()
            except DamagedError:
                self.notices += salvage.replace(self.path, self._patience)
                return self._connect()

    def _connect(self) -> sqlite3.Connection:
        with explained(self.path):
            return connect(self.path, self._patience)

    def _file(self) -> tuple[int, int]:
        found = self.path.stat()
        return found.st_dev, found.st_ino

    # -- transactions --------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self) -> Iterator[Writing]:
        """A transaction; durable when the `with` is left, without any trace where it is left by an exception.

        Raises:
            DiskFullError, LockedError, FolderError, DamagedError: it could not be stored.
            ConflictError: another program has gone on with the record, or exchanged the database.
        """
        with self._lock, explained(self.path):
            self._check_identity()
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield Writing(self._database)
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _check_identity(self) -> None:
        """A database that was deleted or exchanged would still take what we write, and nobody would find it again."""
        try:
            same = self._file() == self._identity
        except OSError:
            same = False
        if not same:
            raise ConflictError(f"{self.path} was deleted or exchanged while it was in use; start the program again")

    def query(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows of a SELECT.

        Raises:
            StoreError: they cannot be read.
        """
        with self._lock, explained(self.path):
            return self._database.execute(sql, values).fetchall()

    def back_up(self) -> None:
        """Copies the database beside itself, unless that was done in the last day: what damages one file will hardly
        damage both. Without room for it there is none.
        """
        backup, growing = self.folder / salvage.BACKUP, self.folder / "companion.backing.db"
        with self._lock, contextlib.suppress(OSError, sqlite3.Error):
            if backup.exists() and abs(time.time() - backup.stat().st_mtime) < BACKUP_EVERY:
                return
            if shutil.disk_usage(self.folder).free < RESERVE + self.path.stat().st_size:
                return
            growing.unlink(missing_ok=True)
            self._database.execute("VACUUM INTO ?", (str(growing),))
            salvage.sync(growing)
            growing.replace(backup)

    # -- records -------------------------------------------------------------------------------------------------------

    def create(
        self,
        game: str,
        players: Sequence[Player],
        options: Mapping[str, bool | int | str],
        started: float,
        set_file: str | None = None,
        hidden_draws: bool = False,
    ) -> Record:
        """A new record without entries, named by the local time at which it was begun.

        Raises:
            StoreError: it cannot be stored.
        """
        with self.writing() as write:
            name = self._free_name(started)
            record = Record(name, game, tuple(players), started, dict(options), set_file, hidden_draws)
            place = write.create(record)
        return replace(record, place=place)

    def _free_name(self, started: float) -> str:
        moment = time.strftime("%Y%m%d-%H%M%S", time.localtime(started))
        taken = {name for (name,) in self.query("SELECT name FROM records WHERE name GLOB ?", (f"{moment}*",))}
        count = 1
        while (name := moment if count == 1 else f"{moment}-{count}") in taken or self.pictures.has(name):
            count += 1
        return name

    def record(self, name: str) -> Record:
        """The record of that name with all its entries.

        Raises:
            UnknownRecordError: there is none.
            DamagedError: it cannot be read as it was written.
        """
        with self._lock:
            found = self.query("SELECT * FROM records WHERE name = ?", (name,))
            if not found:
                raise UnknownRecordError(f"there is no record {name}; `companion games` lists them")
            key = found[0]["id"]
            return rows.to_record(
                found[0],
                self.query(rows.SEATS, (key,)),
                self.query("SELECT * FROM entries WHERE record = ? ORDER BY number", (key,)),
                self.query("SELECT * FROM results WHERE record = ? ORDER BY player", (key,)),
            )

    def records(self, limit: int = -1) -> tuple[Summary, ...]:
        """The records, the one begun last first; all of them, or as many as `limit`."""
        return tuple(self._summary(row) for row in self.query(rows.SUMMARIES, (limit,)))

    def _summary(self, row: Mapping[str, Any]) -> Summary:
        key = row["id"]
        seats = self.query(rows.SEATS, (key,))
        results = self.query("SELECT * FROM results WHERE record = ? ORDER BY player", (key,))
        return Summary(
            name=row["name"],
            game=row["game"],
            players=rows.to_players(seats),
            started=row["started"],
            stamp=row["stamp"],
            actions=row["actions"],
            ending=rows.to_ending(row, results),
        )

    def latest_unfinished(self) -> str | None:
        """The name of the record that was begun last among those neither over nor given up."""
        found = self.query("SELECT name FROM records WHERE ended IS NULL ORDER BY id DESC LIMIT 1")
        return found[0]["name"] if found else None

    def _finished(self) -> list[str]:
        return [row["name"] for row in self.query("SELECT name FROM records WHERE ended IS NOT NULL ORDER BY id")]

    # -- players and settings ------------------------------------------------------------------------------------------

    def players(self) -> tuple[str, ...]:
        """The names of everybody who has ever played, those who played last first."""
        return tuple(row["name"] for row in self.query(rows.PLAYERS))

    def setting(self, name: str, default: Any = None) -> Any:
        """A setting's value (what JSON can hold), or `default` where it has none."""
        found = self.query("SELECT value FROM settings WHERE name = ?", (name,))
        return json.loads(found[0]["value"]) if found else default

    def set_setting(self, name: str, value: Any) -> None:
        """Stores a setting.

        Raises:
            StoreError: it cannot be stored.
        """
        with self.writing() as write:
            write.set(name, value)


def connect(path: Path, patience: float) -> sqlite3.Connection:
    """The database at `path`, made where there is none, checked, and brought to the present schema.

    Raises:
        sqlite3.Error, StoreError: it cannot be used.
    """
    history = any(path.with_name(name).exists() for name in (salvage.BACKUP, PICTURES))
    if history and path.exists() and not path.stat().st_size:
        raise DamagedError(f"{path} is empty, although there have been games")
    database = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        database.row_factory = sqlite3.Row
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("PRAGMA synchronous = FULL")
        schema.prepare(database, str(path))
        database.execute("PRAGMA journal_mode = WAL")
        (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise DamagedError(f"{path} is damaged ({verdict.splitlines()[-1]})")
    except BaseException:
        database.close()
        raise
    return database
