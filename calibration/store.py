"""Where calibrations are kept: one small JSON file each, beside the records."""

from __future__ import annotations

import contextlib
import os
import re
import warnings
from math import isfinite
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.vision.geometry.lens import Lens

FOLDER = "calibration"


MODERATE = 10.0
"""No coefficient of a lens' distortion is larger."""


class CalibrationError(Exception):
    """A calibration that cannot be kept; the message says why."""


class CalibrationWarning(UserWarning):
    """A calibration that cannot be used, so that the defaults are; the message says why, and what to do."""


class LensRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lens, and how it was found; see `companion.vision.geometry.lens.Lens` for the units."""

    size: tuple[int, int]
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    error: float
    views: int

    def __post_init__(self) -> None:
        """Refuses numbers that are no lens.

        Raises:
            ValueError: it says which.
        """
        if not all(0 < side <= 100_000 for side in self.size):
            raise ValueError(f"size {self.size} is no size of a picture")
        if not all(0.1 < focal / self.size[0] < 50 for focal in self.focal):
            raise ValueError(f"focal {self.focal} is no focal length for pictures {self.size[0]} pixels wide")
        if not all(0 <= centre <= side for centre, side in zip(self.centre, self.size, strict=True)):
            raise ValueError(f"centre {self.centre} is outside the picture")
        if not all(isfinite(value) and abs(value) <= MODERATE for value in self.distortion):
            raise ValueError(f"distortion {self.distortion} is that of no lens")


T = TypeVar("T", bound=msgspec.Struct)


class Calibrations:
    """The calibrations in a data folder."""

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / FOLDER

    def lens(self, camera: str) -> Lens | None:
        """The lens of the camera of that name (`picamera`, `webcam:0`), or None where it was not calibrated; see
        `load`.
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
        """What is kept under that name, or None. No calibration is worth a game: one that cannot be used is warned of
        (`CalibrationWarning`), and a torn or nonsensical file is put aside.
        """
        path = self._path(name)
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except FileNotFoundError:
            return None
        except OSError as error:
            _warn(f"{path}: {error.strerror or error}")
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            _warn(f"{path} cannot be used ({error}){_put_aside(path)}")
        return None

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


def _warn(what: str) -> None:
    warnings.warn(f"{what}; it goes on as if this was never calibrated: calibrate anew", CalibrationWarning, 3)


def _put_aside(path: Path) -> str:
    """Renames a file that cannot be used, never over another one; what there is to say of it."""
    count = 1
    while (aside := path.with_suffix(f".torn-{count}")).exists():
        count += 1
    try:
        path.replace(aside)
    except OSError:
        return ""
    return f" and is kept as {aside.name}"
