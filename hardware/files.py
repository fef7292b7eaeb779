"""Films and folders of pictures as cameras: they wait to be read, and every frame counts."""

from __future__ import annotations

import os
import re
from pathlib import Path

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what FFmpeg would print is said here, in one sentence

import cv2
import numpy as np

from hardware.camera import Camera, CameraError, Frame, SourceError

PICTURES = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
RESUME_ATTEMPTS = 50
"""How many frames in a row may be unreadable before the film is taken to have ended."""


class VideoFile(Camera):
    """A film. `time` of a frame is its place in the film, as the container has it, in seconds."""

    live = False

    def __init__(self, path: Path) -> None:
        """Opens the film.

        Raises:
            SourceError: there is no such file, or it is no film.
        """
        _check_film(path)
        self.name = f"video:{path}"
        self._path = path
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise SourceError(f"{path}: cannot be read as a film; it is torn, or no film (MP4, MKV, AVI, MOV …)")
        self._rate = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        self._expected = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._read = 0
        self._gaps = 0
        self._time = -1.0

    def read(self, timeout: float = 2.0) -> Frame | None:
        """The next frame, or None at the film's end. What a damaged film still holds is given first.

        Raises:
            CameraError: the film has ended, but it was damaged: frames are missing.
        """
        for attempt in range(RESUME_ATTEMPTS):
            good, image = self._capture.read()
            if good:
                self._gaps += attempt > 0
                self._read += 1
                self._time = self._position()
                return Frame(np.asarray(image, np.uint8), self._time, self._read - 1)
        self._check_end()
        return None

    def _position(self) -> float:
        told = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        return told if told > self._time else self._time + 1.0 / self._rate

    def _check_end(self) -> None:
        missing = self._expected - self._read
        if self._gaps or missing > max(2, self._expected // 50):
            raise CameraError(
                f"{self._path}: the film is damaged or was cut off: {self._read} of {self._expected} frames could be "
                f"read, the last one at {max(self._time, 0):.1f} s"
            )

    def close(self) -> None:
        """Closes the film."""
        self._capture.release()


def _check_film(path: Path) -> None:
    if path.is_dir():
        raise SourceError(f"{path}: is a folder, no film; for a folder of pictures write pictures:{path}")
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error
    if not head:
        raise SourceError(f"{path}: is empty; a film (MP4, MKV, AVI, MOV …) is wanted")
    if path.suffix.lower() in PICTURES:
        raise SourceError(f"{path}: is one picture, no film; `companion look` reads a picture")
    if _is_text(head):
        raise SourceError(f"{path}: is a text file; a film (MP4, MKV, AVI, MOV …) is wanted")


def _is_text(head: bytes) -> bool:
    """Whether a file begins as a text; OpenCV would play one as a film of its letters."""
    try:
        return "\0" not in head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 and b"\0" not in head  # a letter cut at the end of what was read


class PictureFolder(Camera):
    """The pictures of a folder in the order of their names (2 before 10), `interval` seconds apart."""

    live = False

    def __init__(self, folder: Path, interval: float = 1.0) -> None:
        """Lists the folder.

        Raises:
            SourceError: there is no such folder, or it holds no pictures.
        """
        if not folder.is_dir():
            raise SourceError(f"{folder}: is no folder; a folder of pictures ({', '.join(PICTURES)}) is wanted")
        self.name = f"pictures:{folder}"
        self.interval = interval
        self._paths = sorted((path for path in folder.iterdir() if path.suffix.lower() in PICTURES), key=_natural)
        self._next = 0
        if not self._paths:
            raise SourceError(f"{folder}: holds no pictures ({', '.join(PICTURES)})")

    def read(self, timeout: float = 2.0) -> Frame | None:
        """The next picture, or None after the last.

        Raises:
            CameraError: the file is no picture; reading again goes on with the next one.
        """
        if self._next == len(self._paths):
            return None
        number, path = self._next, self._paths[self._next]
        self._next += 1
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            raise CameraError(f"{path}: cannot be read as a picture; it is torn, or not what its name says")
        return Frame(np.asarray(image, np.uint8), number * self.interval, number)


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name)]
