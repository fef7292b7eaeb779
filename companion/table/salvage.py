"""A damaged database: kept aside, what can be read of it and of the backup saved into a fresh one.

The fresh database is built beside the damaged one. Once it is whole it gets the name `companion.saved-MOMENT.db`; from
then on the exchange is only renaming, which the next start finishes should this one be interrupted.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from companion.table import rows, schema
from companion.table.errors import DamagedError

BACKUP: Final = "companion.backup.db"
_PREPARED: Final = "companion.saved-*.db"

_KEYS: Final = {
    "records": "id",
    "players": "id",
    "seats": "record player",
    "results": "record player",
    "settings": "name",
}
"""The tables that are copied row by row, with the columns that order them."""

_NAMELESS: Final = """SELECT id, name, players FROM records WHERE players >
    (SELECT count(*) FROM seats JOIN players ON players.id = seats.person WHERE seats.record = records.id)"""
"""The records of which not all players are known."""

_PAGE: Final = 4096


class Saved(NamedTuple):
    """What came over into the fresh database. `torn`: records that break off, or whose players are lost."""

    records: int
    entries: int
    torn: tuple[str, ...]
    complete: bool


# -- exchanging --------------------------------------------------------------------------------------------------------


def replace(path: Path, patience: float) -> tuple[str, ...]:
    """Puts the damaged database at `path` aside and a fresh one with all that could be read in its place; what people
    should be told about it.

    Raises:
        sqlite3.Error, OSError: there is no room for it, or somebody else holds it; nothing has changed then.
    """
    with alone(path, patience):
        if _is_sound(path, patience):
            return ()  # somebody else has done it meanwhile
        growing = path.with_name("companion.saving.db")
        growing.unlink(missing_ok=True)
        saved = _save(path, growing)
        growing.replace(path.with_name(f"companion.saved-{time.strftime('%Y%m%d-%H%M%S')}.db"))
        return (_told(path, saved), *_finish(path))


def finish(path: Path, patience: float) -> tuple[str, ...]:
    """Finishes an exchange that was interrupted, if there is one; what people should be told about it.

    Raises:
        sqlite3.Error, OSError: as `replace`.
    """
    if not any(path.parent.glob(_PREPARED)):
        return ()
    with alone(path, patience):
        return _finish(path)


def _finish(path: Path) -> tuple[str, ...]:
    notices = []
    for fresh in sorted(path.parent.glob(_PREPARED)):
        aside = path.with_name(fresh.name.replace("saved", "damaged"))
        for ending in ("", "-wal"):
            old = Path(f"{path}{ending}")
            if old.exists() and old.stat().st_size and not Path(f"{aside}{ending}").exists():
                old.replace(f"{aside}{ending}")
        for ending in ("-wal", "-shm"):
            Path(f"{path}{ending}").unlink(missing_ok=True)
        fresh.replace(path)
        if aside.exists():
            notices.append(f"The damaged database is kept as {aside}.")
    return tuple(notices)


def sync(path: Path) -> None:
    """Waits until the file is on the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def alone(path: Path, patience: float) -> Iterator[None]:
    """Lets one program at a time exchange the database: SQLite's lock on a file of its own goes with its process."""
    lock = sqlite3.connect(path.with_name("companion.lock"), timeout=patience, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        lock.close()


def _is_sound(path: Path, patience: float) -> bool:
    from companion.table.store import connect

    try:
        connect(path, patience).close()
    except (sqlite3.DatabaseError, DamagedError):
        return False
    return True


def _told(path: Path, saved: Saved) -> str:
    lost = "" if saved.complete else "; not everything could be read"
    torn = f"; not whole: {', '.join(saved.torn)}" if saved.torn else ""
    found = "damaged" if path.stat().st_size else "empty"
    return f"{path} was {found}; saved from it: games {saved.records}, entries {saved.entries}{lost}{torn}."


# -- saving ------------------------------------------------------------------------------------------------------------


def _save(path: Path, fresh: Path) -> Saved:
    new = sqlite3.connect(fresh, isolation_level=None)
    try:
        schema.prepare(new, str(fresh))
        with contextlib.ExitStack() as sources:
            olds = [
                sources.enter_context(_readable(source, fresh))
                for source in (path, path.with_name(BACKUP))
                if source.exists() and source.stat().st_size
            ]
            new.execute("BEGIN")
            saved = _merge(olds, new)
            new.execute("COMMIT")
    finally:
        new.close()
    sync(fresh)
    return saved


@contextlib.contextmanager
def _readable(path: Path, fresh: Path) -> Iterator[sqlite3.Connection]:
    """The damaged database, opened for reading only. Where its first page (the list of its tables) is lost, it is read
    from a copy that has the first page of the `fresh` database, which was made with the same tables in the same order.
    """
    patched = path.with_name("companion.patched.db")
    try:
        old = _open_for_reading(path)
        try:
            old.execute("SELECT count(*) FROM entries WHERE number = 0")
        except sqlite3.DatabaseError:
            old.close()
            content = path.read_bytes()
            pages = len(content) // _PAGE
            first = bytearray(fresh.read_bytes()[:_PAGE])
            first[28:32] = pages.to_bytes(4, "big")  # the size that the header tells
            patched.write_bytes(bytes(first) + content[_PAGE : pages * _PAGE])
            old = _open_for_reading(patched)
        with contextlib.closing(old):
            yield old
    finally:
        for ending in ("", "-wal", "-shm"):
            Path(f"{patched}{ending}").unlink(missing_ok=True)


def _open_for_reading(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    database.text_factory = lambda text: text.decode(errors="replace")
    return database


def _merge(olds: list[sqlite3.Connection], new: sqlite3.Connection) -> Saved:
    complete = bool(olds)
    for table, key in _KEYS.items():
        whole = [_copy_table(old, new, table, key) for old in olds]
        complete &= whole[:1] == [True]
    for table in ("seats", "results"):
        new.execute(f"DELETE FROM {table} WHERE record NOT IN (SELECT id FROM records)")
    torn, count = _name_the_nameless(new), 0
    for record, name, over in new.execute("SELECT id, name, ended FROM records ORDER BY id").fetchall():
        entries = max((_sound_entries(old, record) for old in olds), key=len)
        new.executemany(rows.ADD_ENTRY, entries)
        count += len(entries)
        if not _is_whole(entries, over is not None, [_last_entry(old, record) for old in olds]) and name not in torn:
            torn.append(name)
    (records,) = new.execute("SELECT count(*) FROM records").fetchone()
    return Saved(records, count, tuple(torn), complete)


def _name_the_nameless(new: sqlite3.Connection) -> list[str]:
    """Gives players whose names or seats are lost the name `?` and a number, so that their games can still be used; the
    names of those games.
    """
    nameless = new.execute(_NAMELESS).fetchall()
    new.execute(
        "INSERT INTO players SELECT DISTINCT person, '? ' || person, 0.0 FROM seats "
        "WHERE person NOT IN (SELECT id FROM players)"
    )
    for record, _, players in nameless:
        for player in range(players):
            unknown = f"? {player + 1}"
            new.execute("INSERT OR IGNORE INTO players (name, seen) VALUES (?, 0.0)", (unknown,))
            new.execute(f"{rows.ADD_SEAT} ON CONFLICT DO NOTHING", (record, player, unknown, player, "", ""))
    return [name for _, name, _ in nameless]


def _is_whole(entries: list[tuple[object, ...]], over: bool, last: list[float]) -> bool:
    """Whether these are all the entries of a record. `last`: the numbers of the last ones, by each database."""
    kinds = [entry[2] for entry in entries]
    if over and "result" not in kinds:
        return False
    return len(entries) >= max(last) or (over and kinds[-1] == "result")


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: str, key: str) -> bool:
    """Copies the rows before the damage, then those after it from the end; whether all could be read."""
    for direction in ("ASC", "DESC"):
        order = ", ".join(f"{column} {direction}" for column in key.split())
        try:
            for row in old.execute(f"SELECT * FROM {table} ORDER BY {order}"):
                with contextlib.suppress(sqlite3.IntegrityError):  # a value that cannot be
                    new.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        except sqlite3.DatabaseError:
            continue
        return direction == "ASC"
    return False


def _sound_entries(old: sqlite3.Connection, record: int) -> list[tuple[object, ...]]:
    """The entries of a record up to the first that is missing or damaged."""
    sound: list[tuple[object, ...]] = []
    with contextlib.suppress(sqlite3.DatabaseError, ValueError):
        for row in old.execute("SELECT * FROM entries WHERE record = ? ORDER BY number", (record,)):
            if row[1] != len(sound) + 1 or rows.to_entry(row) is None:
                break
            sound.append(row)
    return sound


def _last_entry(old: sqlite3.Connection, record: int) -> float:
    """The number of a record's last entry, found from the end; infinite where it cannot be read."""
    sql = "SELECT number FROM entries WHERE record = ? ORDER BY number"
    try:
        numbers = [number for (number,) in old.execute(sql, (record,))]
        last = old.execute(f"{sql} DESC", (record,)).fetchone()
    except sqlite3.DatabaseError:
        return float("inf")
    return float(max([0, *numbers, *(last or ())]))
