"""Backups of a whole data folder: one ZIP file with the database, the pictures and the calibrations, and checksums.

A backup is whole or not there: it is written under another name, read back, and only then named. What a restored backup
replaces is kept beside it.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import sqlite3
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple

import msgspec

from companion.table import exchange, salvage
from companion.table.errors import BackupError, DamagedError, ForeignDatabaseError, LockedError, NewerSchemaError
from companion.table.store import DATABASE, PATIENCE, connect
from companion.table.trouble import explained

CONTENTS: Final = "contents.json"
LONGEST: Final = 50_000_000
"""Bytes of the longest list of contents that is read."""

SPARE: Final = 8_000_000
"""Bytes that are left free."""


class Backup(NamedTuple):
    """A backup: its file, and how many records and files are in it. `notices`: what else people should be told."""

    path: Path
    records: int
    files: int
    notices: tuple[str, ...] = ()


class Contents(msgspec.Struct):
    """What a backup holds: the size and the checksum (CRC-32) of each file by its name."""

    companion: int
    records: int
    files: dict[str, tuple[int, int]]


def back_up(folder: Path, target: Path) -> Backup:
    """Writes a backup of the data `folder` into the folder or file `target`; records may go on meanwhile.

    Raises:
        BackupError: there is nothing to back up, or what was written cannot be read back.
        StoreError: the database cannot be read; there is no room, or the target cannot be written.
    """
    database = folder / DATABASE
    path = _named(target)
    with explained(database):
        notices = exchange.finish(database, PATIENCE)
    if not database.exists():
        raise BackupError(f"{folder}: there are no records to back up")
    part, copy = path.with_suffix(".part"), path.with_suffix(".db.part")
    files = [file for name in exchange.FOLDERS for file in sorted((folder / name).rglob("*")) if file.is_file()]
    with explained(path):
        _need(path.parent, database.stat().st_size * 2 + sum(file.stat().st_size for file in files))
        try:
            records = _copied(database, copy)
            named = {DATABASE: copy} | {file.relative_to(folder).as_posix(): file for file in files}
            _write(part, named, records)
            _check(part)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
            copy.unlink(missing_ok=True)
    return Backup(path, records, len(files) + 1, notices)


def restore(file: Path, folder: Path) -> tuple[Backup, Path | None]:
    """Puts a backup in place of what is in the data `folder`; what was there goes into the folder that is given back.

    Raises:
        BackupError: the file is no backup, or is damaged; nothing has changed then.
        StoreError: there is no room, another program has the records open, or the folder cannot be written.
    """
    contents = _check(file)
    database = folder / DATABASE
    with explained(database):
        folder.mkdir(parents=True, exist_ok=True)
        notices = exchange.finish(database, PATIENCE)
        _need(folder, sum(size for size, _ in contents.files.values()))
        with salvage.alone(database, PATIENCE):
            fresh = exchange.growing(folder, time.strftime("%Y%m%d-%H%M%S"))
            try:
                _extract(file, contents, fresh)
                _close(database)
                aside = exchange.exchange(database, fresh)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
    return Backup(file, contents.records, len(contents.files), notices), aside


def _named(target: Path) -> Path:
    """The file to write, where people named a folder or a file."""
    if target.is_dir():
        return target / f"companion-{time.strftime('%Y%m%d-%H%M%S')}.zip"
    if target.suffix.lower() != ".zip":  # a stick that is not mounted would become a file of its name
        raise BackupError(f"{target}: there is no such folder; name a folder, or a file that ends in .zip")
    return target


def _copied(database: Path, copy: Path) -> int:
    """Makes a copy of the database as it is at one moment; how many records are in it."""
    copy.unlink(missing_ok=True)
    connection = connect(database, PATIENCE)
    try:
        connection.execute("VACUUM INTO ?", (str(copy),))
        (records,) = connection.execute("SELECT count(*) FROM records").fetchone()
    finally:
        connection.close()
    return int(records)


def _write(path: Path, named: dict[str, Path], records: int) -> None:
    sums = {name: _sums(file) for name, file in named.items()}
    with zipfile.ZipFile(path, "w", strict_timestamps=False) as archive:  # the clock may say 1970
        for name, file in named.items():
            archive.write(file, name, zipfile.ZIP_DEFLATED if name == DATABASE else zipfile.ZIP_STORED)
        archive.writestr(zipfile.ZipInfo(CONTENTS), msgspec.json.encode(Contents(1, records, sums)))
    salvage.sync(path)


def _check(path: Path) -> Contents:
    """The contents of a backup, all of which could be read.

    Raises:
        BackupError: it is none, or is damaged.
    """
    if path.is_dir():
        raise BackupError(f"{path}: is a folder; name the backup in it, a file as companion-20250131-120000.zip")
    try:
        with _understood(path), zipfile.ZipFile(path) as archive:
            if archive.getinfo(CONTENTS).file_size > LONGEST:
                raise ValueError("its list of contents is too long")
            contents = msgspec.json.decode(archive.read(CONTENTS), type=Contents)
            _check_names(path, set(contents.files))
            for name, sums in contents.files.items():
                with archive.open(name) as stream:
                    if archive.getinfo(name).file_size != sums[0] or _sum(stream) != sums[1]:
                        raise BackupError(f"{path} is damaged: {name} is not as it was; use another backup")
    except FileNotFoundError as error:
        raise BackupError(f"{path}: there is no such file") from error
    except OSError as error:
        raise BackupError(f"{path}: cannot be read ({error.strerror or error})") from error
    return contents


@contextlib.contextmanager
def _understood(path: Path) -> Iterator[None]:
    """Turns what odd files make `zipfile` and its decompressors raise, which may be anything, into an error of ours."""
    try:
        yield
    except (BackupError, OSError, sqlite3.OperationalError):
        raise
    except Exception as error:
        raise BackupError(f"{path}: this is no backup, or a damaged one ({error or type(error).__name__})") from error


def _check_names(path: Path, names: set[str]) -> None:
    """Refuses files that would end elsewhere than where the program keeps something, or in place of each other."""
    for name in names - {DATABASE}:
        place = PurePosixPath(name)
        odd = place.is_absolute() or ".." in place.parts or place.as_posix() != name
        within = any(parent.as_posix() in names for parent in place.parents)
        if odd or within or len(place.parts) < 2 or place.parts[0] not in exchange.FOLDERS:
            raise BackupError(f"{path}: no backup of this program has a file {name}")
    if DATABASE not in names:
        raise BackupError(f"{path}: this is no backup: there are no records in it")


def _extract(path: Path, contents: Contents, fresh: Path) -> None:
    with _understood(path), zipfile.ZipFile(path) as archive:
        for name in contents.files:
            archive.extract(name, fresh)
        try:
            connect(fresh / DATABASE, PATIENCE).close()
        except sqlite3.OperationalError:  # the disk's fault
            raise
        except (sqlite3.DatabaseError, DamagedError, ForeignDatabaseError, NewerSchemaError) as error:
            why = str(error).replace(f"{fresh / DATABASE}", DATABASE)
            raise BackupError(f"{path}: its records cannot be used ({why})") from error


def _close(database: Path) -> None:
    """Writes the log into the database, which can only be done with nobody else at it.

    Raises:
        LockedError: somebody is.
    """
    if not database.exists():
        return
    connection = sqlite3.connect(database, timeout=1.0, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        raise LockedError(f"another program has {database} open; close it, and try again") from error
    finally:
        connection.close()


def _need(folder: Path, room: int) -> None:
    """Raises OSError where the disk has no room for so many bytes."""
    if shutil.disk_usage(folder).free < room + SPARE:
        raise OSError(errno.ENOSPC, "no space is left")


def _sum(stream: IO[bytes]) -> int:
    checksum = 0
    while block := stream.read(1 << 20):
        checksum = zlib.crc32(block, checksum)
    return checksum


def _sums(path: Path) -> tuple[int, int]:
    with path.open("rb") as stream:
        return path.stat().st_size, _sum(stream)
