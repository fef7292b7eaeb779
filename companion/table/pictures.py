"""The pictures that actions were read from: JPEG files beside the database, within a limit.

A picture is never worth an action: whatever goes wrong here, the action is recorded without its picture.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

PICTURES: Final = "pictures"
RESERVE: Final = 32_000_000
"""Bytes that pictures leave free on the disk, for the record itself."""


class Pictures:
    """The folder of pictures, `pictures/<record>/<entry>.jpg` under the data folder."""

    def __init__(self, data_folder: Path, limit: int, finished: Callable[[], Iterable[str]]) -> None:
        """`limit`: bytes of all pictures together. `finished`: the records whose pictures may go, oldest first."""
        self._data_folder = data_folder
        self._folder = data_folder / PICTURES
        self._limit = limit
        self._finished = finished
        self._total: int | None = None

    def path(self, picture: str | None) -> Path | None:
        """Where the picture that an entry names lies; None where there is none, or none any more."""
        path = self._data_folder / picture if picture else None
        return path if path and path.is_file() else None

    def has(self, record: str) -> bool:
        """Whether there are pictures of a record, be it one that the database does not know."""
        return (self._folder / record).exists()

    def save(self, record: str, number: int, jpeg: bytes) -> str | None:
        """Keeps a picture, durably; what an entry may call it, or None where it cannot be kept."""
        path = self._free_path(record, number)
        try:
            if not self._make_room(len(jpeg)):
                return None
            _write(path, jpeg)
        except OSError:
            for rest in (_unfinished(path), path):  # nobody had taken the path
                with contextlib.suppress(OSError):
                    rest.unlink(missing_ok=True)
            return None
        self._total = self.total + len(jpeg)
        return path.relative_to(self._data_folder).as_posix()

    def _free_path(self, record: str, number: int) -> Path:
        """A path where nothing lies: no picture that an entry may name is ever overwritten."""
        path, count = self._folder / record / f"{number:04d}.jpg", 1
        while path.exists():
            count += 1
            path = path.with_name(f"{number:04d}-{count}.jpg")
        return path

    def discard(self, picture: str | None) -> None:
        """Removes a picture that no entry came to name."""
        path = self.path(picture)
        if path:
            with contextlib.suppress(OSError):
                self._remove(path)

    @property
    def total(self) -> int:
        """Bytes of all pictures together."""
        if self._total is None:
            self._total = sum(path.stat().st_size for path in self._folder.glob("*/*.jpg"))
        return self._total

    def _make_room(self, size: int) -> bool:
        if shutil.disk_usage(self._data_folder).free < RESERVE + size:
            return False
        if self.total + size > self._limit:
            self._drop(self.total + size - self._limit)
        return self.total + size <= self._limit

    def _drop(self, excess: int) -> None:
        for record in self._finished():
            for path in sorted((self._folder / record).glob("*.jpg")):
                excess -= self._remove(path)
                if excess <= 0:
                    return

    def _remove(self, path: Path) -> int:
        size = path.stat().st_size
        path.unlink()
        self._total = self.total - size if self._total is not None else None
        return size


def _unfinished(path: Path) -> Path:
    return path.with_suffix(".part")


def _write(path: Path, content: bytes) -> None:
    """Writes a file so that it is there whole or not at all, whenever the power goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _unfinished(path).open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    _unfinished(path).replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # elsewhere folders cannot be opened, and a rename is durable by itself
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
