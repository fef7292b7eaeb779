"""The database's tables, as a list of migrations: never change one that people have, add another."""

from __future__ import annotations

import sqlite3

from companion.table.errors import ForeignDatabaseError, NewerSchemaError

APPLICATION = 0x436D706E
"""Marks a SQLite file as ours (`PRAGMA application_id`)."""

_FIRST = (
    """CREATE TABLE records (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, set_file TEXT, options TEXT NOT NULL,
        players INTEGER NOT NULL, started REAL NOT NULL, ended REAL, given_up INTEGER NOT NULL DEFAULT 0) STRICT""",
    """CREATE TABLE players (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, seen REAL NOT NULL) STRICT""",
    """CREATE TABLE seats (
        record INTEGER NOT NULL REFERENCES records, player INTEGER NOT NULL, person INTEGER NOT NULL REFERENCES players,
        seat INTEGER NOT NULL, colour TEXT NOT NULL, symbol TEXT NOT NULL,
        PRIMARY KEY (record, player)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE entries (
        record INTEGER NOT NULL REFERENCES records, number INTEGER NOT NULL, kind TEXT NOT NULL, stamp REAL NOT NULL,
        action TEXT, by TEXT, confidence REAL, time REAL, picture TEXT, target INTEGER, who TEXT, text TEXT,
        checksum INTEGER NOT NULL, PRIMARY KEY (record, number)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE results (
        record INTEGER NOT NULL REFERENCES records, player INTEGER NOT NULL, score INTEGER NOT NULL,
        won INTEGER NOT NULL, PRIMARY KEY (record, player)) STRICT, WITHOUT ROWID""",
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END""",
    """CREATE TRIGGER entries_last BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END""",
)

_HIDDEN_DRAWS = ("ALTER TABLE records ADD COLUMN hidden_draws INTEGER NOT NULL DEFAULT 0",)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _HIDDEN_DRAWS)
VERSION = len(MIGRATIONS)


def prepare(database: sqlite3.Connection, name: str) -> None:
    """Brings the database to the present version, in one transaction; `name` stands in messages.

    Raises:
        ForeignDatabaseError: it is the database of another program.
        NewerSchemaError: a later version of this program has written it.
    """
    if _version(database, name) == VERSION:
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        for migration in MIGRATIONS[_version(database, name) :]:
            for statement in migration:
                database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _version(database: sqlite3.Connection, name: str) -> int:
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (application or version or tables):
        raise ForeignDatabaseError(
            f"{name} is the database of another program; choose another data folder, or move that file away"
        )
    if version > VERSION:
        raise NewerSchemaError(
            f"{name} was written by a later version of this program (schema {version}, this one knows {VERSION}); "
            "install that version, or choose another data folder"
        )
    return int(version)
