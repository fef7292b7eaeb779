"""A damaged database: kept aside untouched, what can be read of it saved into a fresh one.

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
from typing import NamedTuple

from companion.table import rows, schema
from companion.table.errors import DamagedError

_KEYS = {
    "records": "id",
    "players": "id",
    "seats": "record player",
    "results": "record player",
    "settings": "name",
}
"""The tables that are copied row by row, with the columns that order them."""

_PAGE = 4096


class Saved(NamedTuple):
    """What came over into the fresh database."""

    records: int
    entries: int
    torn: tuple[str, ...]  # records that break off
    complete: bool


def replace(path: Path, damage: DamagedError, patience: float) -> tuple[str, ...]:
    """Puts the damaged database at `path` aside and a fresh one with all that could be read in its place; what people
    should be told about it.

    Raises:
        sqlite3.Error, OSError: there is no room for it, or somebody else holds it; nothing has changed then.
    """
    with _alone(path, patience):
        if _is_sound(path, patience):
            return ()  # somebody else has done it meanwhile
        moment = time.strftime("%Y%m%d-%H%M%S")
        growing = path.with_name("companion.saving.db")
        growing.unlink(missing_ok=True)
        saved = _save(path, growing)
        growing.replace(path.with_name(f"companion.saved-{moment}.db"))
        return (_told(damage, saved), *finish(path))


def finish(path: Path) -> tuple[str, ...]:
    """Finishes an exchange that has been prepared, if there is one."""
    notices = []
    for fresh in sorted(path.parent.glob("companion.saved-*.db")):
        aside = path.with_name(fresh.name.replace("saved", "damaged"))
        for ending in ("", "-wal"):
            old = Path(f"{path}{ending}")
            if old.exists() and not Path(f"{aside}{ending}").exists():
                old.replace(f"{aside}{ending}")
        Path(f"{path}-shm").unlink(missing_ok=True)
        fresh.replace(path)
        notices.append(f"The damaged database is kept as {aside}.")
    return tuple(notices)


@contextlib.contextmanager
def _alone(path: Path, patience: float) -> Iterator[None]:
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


def _save(path: Path, fresh: Path) -> Saved:
    new = sqlite3.connect(fresh, isolation_level=None)
    try:
        schema.prepare(new, str(fresh))
        with _readable(path, fresh) as old:
            new.execute("BEGIN")
            saved = _copy(old, new)
            new.execute("COMMIT")
    finally:
        new.close()
    descriptor = os.open(fresh, os.O_RDWR)
    os.fsync(descriptor)
    os.close(descriptor)
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
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _copy(old: sqlite3.Connection, new: sqlite3.Connection) -> Saved:
    old.text_factory = lambda text: text.decode(errors="replace")
    complete = True
    for table, key in _KEYS.items():
        complete &= _copy_table(old, new, table, key)
    torn, count = [], 0
    for record, name in new.execute("SELECT id, name FROM records ORDER BY id").fetchall():
        entries, whole = _sound_entries(old, record)
        new.executemany(rows.ADD_ENTRY, entries)
        count += len(entries)
        torn += [] if whole else [name]
    (records,) = new.execute("SELECT count(*) FROM records").fetchone()
    return Saved(records, count, tuple(torn), complete)


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


def _sound_entries(old: sqlite3.Connection, record: int) -> tuple[list[tuple[object, ...]], bool]:
    """The entries of a record up to the first that is missing or damaged, and whether those are all."""
    sound: list[tuple[object, ...]] = []
    try:
        for row in old.execute("SELECT * FROM entries WHERE record = ? ORDER BY number", (record,)):
            if row[1] != len(sound) + 1 or rows.to_entry(row) is None:
                return sound, False
            sound.append(row)
    except (sqlite3.DatabaseError, ValueError):
        return sound, False
    return sound, True


def _told(damage: DamagedError, saved: Saved) -> str:
    lost = "" if saved.complete else ", not everything could be read"
    torn = f"; these break off early: {', '.join(saved.torn)}" if saved.torn else ""
    return f"{damage}: {saved.records} games with {saved.entries} entries were saved{lost}{torn}."
