"""SQLite's errors in sentences that help."""

from __future__ import annotations

import contextlib
import errno
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.table.errors import (
    ConflictError,
    DamagedError,
    DiskFullError,
    FolderError,
    LockedError,
    StoreError,
)

_SMALL = 1_000_000


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns an error of SQLite, or of the file system, about the database at `path` into one of ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(error, path) from error
    except OSError as error:
        raise _full(path) if error.errno == errno.ENOSPC else FolderError(f"{path}: {error.strerror}") from error


def _explained(error: sqlite3.Error, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # Python's own complaint, as about text that is not UTF-8
        return DamagedError(f"{path} is damaged ({error})")
    match code & 0xFF:
        case sqlite3.SQLITE_FULL:
            return _full(path)
        case sqlite3.SQLITE_IOERR:
            return _full(path) if _no_space(path) else StoreError(f"{path}: {error}; check the disk or the card")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LockedError(f"another program holds {path}; close that program, or wait and try again")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return FolderError(
                f"{path} cannot be written; make it and its folder writable, or name another data folder"
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return DamagedError(f"{path} is damaged ({error}); start the program again to save what can be read")
        case sqlite3.SQLITE_CONSTRAINT:
            return ConflictError(f"another program has gone on with this game ({error}); resume it from the record")
    return StoreError(f"{path}: {error}")


def _full(path: Path) -> DiskFullError:
    return DiskFullError(f"no space is left for {path}; make room on that disk, and go on: nothing recorded is lost")


def _no_space(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _SMALL
    except OSError:
        return False
