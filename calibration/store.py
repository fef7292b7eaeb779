"""Where calibrations are kept: one small JSON file each, beside the records."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.vision.lens import Lens

FOLDER = "calibration"


class CalibrationError(Exception):
    """A calibration that cannot be read or kept; the message says why, and what to do."""


class LensRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lens, and how it was found; see `companion.vision.lens.Lens` for the units."""

    size: tuple[int, int]
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    error: float
    views: int


T = TypeVar("T", bound=msgspec.Struct)


class Calibrations:
    """The calibrations in a data folder."""

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / FOLDER

    def lens(self, camera: str) -> Lens | None:
        """The lens of the camera of that name (`picamera`, `webcam:0`), or None where it was not calibrated.

        Raises:
            CalibrationError: the file cannot be read, or is torn.
        """
        record = self.load(f"lens-{camera}", LensRecord)
        return Lens(record.size, record.focal, record.centre, record.distortion) if record else None

    def keep_lens(self, camera: str, lens: Lens, error: float, views: int) -> Path:
        """Keeps a lens; the file.

        Raises:
            CalibrationError: it cannot be written.
        """
        record = LensRecord(lens.size, lens.focal, lens.centre, lens.distortion, error, views)
        return self.keep(f"lens-{camera}", record)

    def load(self, name: str, kind: type[T]) -> T | None:
        """What is kept under that name, or None.

        Raises:
            CalibrationError: the file cannot be read, or is torn.
        """
        path = self._path(name)
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CalibrationError(f"{path}: {error.strerror or error}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise CalibrationError(f"{path}: {error}; calibrate anew, or delete the file") from error

    def keep(self, name: str, record: msgspec.Struct) -> Path:
        """Keeps a record under that name, whole or not at all; the file.

        Raises:
            CalibrationError: it cannot be written.
        """
        path = self._path(name)
        part = path.with_suffix(".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(record)) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            raise CalibrationError(f"{path}: {error.strerror or error}; nothing was kept") from error
        return path

    def _path(self, name: str) -> Path:
        return self._folder / (re.sub(r"[^\w-]+", "-", name) + ".json")
