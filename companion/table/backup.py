"""Backups of a whole data folder: one ZIP file with the database, the pictures and the calibrations, and checksums.

A backup is whole or not there: it is written under another name, read back, and only then named. What a restored backup
replaces is kept beside it.
"""

from __future__ import annotations

import errno
import json
import shutil
import sqlite3
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from companion.table import salvage
from companion.table.errors import BackupError, LockedError
from companion.table.pictures import PICTURES
from companion.table.store import DATABASE, PATIENCE, connect
from companion.table.trouble import explained

CONTENTS: Final = "contents.json"
FOLDERS: Final = (PICTURES, "calibration", "sets")
SPARE: Final = 8_000_000
"""Bytes that are left free."""


class Backup(NamedTuple):
    """A backup: its file, and how many records and files are in it."""

    path: Path
    records: int
    files: int


def back_up(folder: Path, target: Path) -> Backup:
    """Writes a backup of the data `folder` into the folder or file `target`; records may go on meanwhile.

    Raises:
        BackupError: there is nothing to back up, or what was written cannot be read back.
        StoreError: the database cannot be read; there is no room, or the target cannot be written.
    """
    database = folder / DATABASE
    if not database.exists():
        raise BackupError(f"{folder}: there are no records to back up")
    path = target / f"companion-{time.strftime('%Y%m%d-%H%M%S')}.zip" if target.is_dir() else target
    part, copy = path.with_suffix(".part"), path.with_suffix(".db.part")
    files = [file for name in FOLDERS for file in sorted((folder / name).rglob("*")) if file.is_file()]
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
    return Backup(path, records, len(files) + 1)


def restore(file: Path, folder: Path) -> tuple[Backup, Path | None]:
    """Puts a backup in place of what is in the data `folder`; what was there goes into the folder that is given back.

    Raises:
        BackupError: the file is no backup, or is damaged; nothing has changed then.
        StoreError: there is no room, another program has the records open, or the folder cannot be written.
    """
    contents = _check(file)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    fresh, aside = folder / f"restoring-{stamp}", folder / f"replaced-{stamp}"
    with explained(folder / DATABASE):
        folder.mkdir(parents=True, exist_ok=True)
        _need(folder, sum(size for size, _ in contents["files"].values()))
        try:
            with zipfile.ZipFile(file) as archive:
                for name in contents["files"]:
                    archive.extract(name, fresh)
            connect(fresh / DATABASE, PATIENCE).close()
            replaced = _exchange(folder, fresh, aside)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return Backup(file, contents["records"], len(contents["files"])), aside if replaced else None


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
    sums = {name: (file.stat().st_size, _sum(file)) for name, file in named.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, file in named.items():
            archive.write(file, name, zipfile.ZIP_DEFLATED if name == DATABASE else zipfile.ZIP_STORED)
        archive.writestr(CONTENTS, json.dumps({"companion": 1, "records": records, "files": sums}, indent=1))
    salvage.sync(path)


def _check(path: Path) -> dict[str, Any]:
    """The contents of a backup, all of which could be read.

    Raises:
        BackupError: it is none, or is damaged.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            contents: dict[str, Any] = json.loads(archive.read(CONTENTS))
            for name, (size, checksum) in contents["files"].items():
                if Path(name).is_absolute() or ".." in Path(name).parts:
                    raise BackupError(f"{path}: no backup of this program has a file {name}")
                seen = 0
                with archive.open(name) as stream:
                    for block in _blocks(stream):
                        seen = zlib.crc32(block, seen)
                if (archive.getinfo(name).file_size, seen) != (size, checksum):
                    raise BackupError(f"{path} is damaged: {name} is not as it was; use another backup")
    except FileNotFoundError as error:
        raise BackupError(f"{path}: there is no such file") from error
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError, zlib.error) as error:
        raise BackupError(f"{path}: this is no backup, or a damaged one ({error})") from error
    return contents


def _exchange(folder: Path, fresh: Path, aside: Path) -> bool:
    """Moves what is in the folder aside, and what is fresh into it; whether there was anything."""
    database = folder / DATABASE
    if database.exists():
        connection = sqlite3.connect(database, timeout=1.0, isolation_level=None)
        try:  # with nobody else at it the log is written into the database, and goes
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as error:
            raise LockedError(f"another program has {database} open; close it, and try again") from error
        finally:
            connection.close()
    names = [DATABASE, salvage.BACKUP, *FOLDERS]
    old = [folder / name for name in names if (folder / name).exists()]
    if old:
        aside.mkdir()
    for path in old:
        path.replace(aside / path.name)
    for path in sorted(fresh.iterdir()):
        path.replace(folder / path.name)
    return bool(old)


def _need(folder: Path, room: int) -> None:
    """Raises OSError where the disk has no room for so many bytes."""
    if shutil.disk_usage(folder).free < room + SPARE:
        raise OSError(errno.ENOSPC, "no space is left")


def _sum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as stream:
        for block in _blocks(stream):
            checksum = zlib.crc32(block, checksum)
    return checksum


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(1 << 20):
        yield block
