"""Calibration charts: what is printed on them, and finding them in a picture.

Chart frame: origin in a corner of the chart, x along the columns, y along the rows, mm; the chart is flat, z = 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.images import grey_image

LEAST_CORNERS = 8
"""Inner corners that a picture of a chart has to show to be of use."""

FORMS = (
    'a chart is "charuco:COLUMNSxROWS:SQUARE:MARKER[:DICTIONARY]" (squares, mm) or "chessboard:COLUMNSxROWS:SQUARE" '
    "(inner corners, mm)"
)


class ChartError(Exception):
    """A chart that cannot be, or pictures that cannot be used; the message says what to do better. `reason`: a word for
    it, where there is one.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Sighting:
    """A chart in a picture: its inner corners `points` (n, 3) in the chart frame (mm), and their `pixels` (n, 2)."""

    points: Array
    pixels: Array


@dataclass(frozen=True)
class Chart:
    """A chart of `columns` by `rows`, with squares of `square` mm.

    With `marker` (mm) a ChArUco chart, counted in squares, with markers of `dictionary`; a part of it is enough.
    Without, a plain chessboard, counted in inner corners; it has to be seen whole.
    """

    columns: int
    rows: int
    square: float
    marker: float | None = None
    dictionary: str = "5X5_100"

    @classmethod
    def parse(cls, text: str) -> Chart:
        """A chart as people write it: `charuco:7x5:34:25`, `chessboard:9x6:25`.

        Raises:
            ChartError: the text stands for no chart.
        """
        found = re.fullmatch(
            r"(?:charuco:(\d+)x(\d+):([\d.]+):([\d.]+)(?::(\w+))?)|(?:chessboard:(\d+)x(\d+):([\d.]+))", text
        )
        if not found:
            raise ChartError(f"{text!r}: {FORMS}")
        columns, rows, square, marker, dictionary, *plain = found.groups()
        if plain[0]:
            return cls(int(plain[0]), int(plain[1]), float(plain[2]))._checked(text)
        named = cls(int(columns), int(rows), float(square), float(marker), dictionary or "5X5_100")
        return named._checked(text)

    def _checked(self, text: str) -> Chart:
        if min(self.columns, self.rows) < 3 or self.square <= 0:
            raise ChartError(f"{text!r}: a chart has 3 columns and rows at least, and squares larger than 0 mm")
        if self.marker is not None and not 0 < self.marker < self.square:
            raise ChartError(f"{text!r}: the markers have to be smaller than the squares")
        if self.marker is not None and not hasattr(cv2.aruco, f"DICT_{self.dictionary}"):
            raise ChartError(f"{text!r}: there is no dictionary {self.dictionary}; there is 4X4_50, 5X5_100, 6X6_250 …")
        return self

    @cached_property
    def markers(self) -> Any:
        """The dictionary of the markers."""
        return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{self.dictionary}"))

    @cached_property
    def board(self) -> Any:
        """The chart as OpenCV has it; only a ChArUco chart has one."""
        assert self.marker is not None
        return cv2.aruco.CharucoBoard((self.columns, self.rows), self.square, self.marker, self.markers)

    def find(self, image: Array) -> Sighting | None:
        """The chart in `image` (blue-green-red or grey), or None where too little of it shows."""
        grey = grey_image(image)
        return self._chessboard(grey) if self.marker is None else self._charuco(grey)

    def _charuco(self, grey: Array) -> Sighting | None:
        corners, numbers, *_ = cv2.aruco.CharucoDetector(self.board).detectBoard(grey)
        if numbers is None or len(numbers) < LEAST_CORNERS:
            return None
        at = np.asarray(self.board.getChessboardCorners())[np.ravel(numbers)]
        if len(np.unique(at[:, 0])) < 2 or len(np.unique(at[:, 1])) < 2:
            return None
        return Sighting(at.astype(np.float32), np.reshape(corners, (-1, 2)).astype(np.float32))

    def _chessboard(self, grey: Array) -> Sighting | None:
        flags = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
        found, corners = cv2.findChessboardCorners(grey, (self.columns, self.rows), flags=flags)
        if not found:
            return None
        size = max(2, int(_spacing(corners, self.columns) / 4))
        end = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
        corners = cv2.cornerSubPix(grey, corners, (size, size), (-1, -1), end)
        row, column = np.divmod(np.arange(self.columns * self.rows), self.columns)
        at = np.column_stack([column, row, np.zeros_like(row)]) * self.square
        return Sighting(at.astype(np.float32), corners.reshape(-1, 2).astype(np.float32))


def _spacing(corners: Array, columns: int) -> float:
    """The smallest distance in pixels between neighbours in a row."""
    grid = corners.reshape(-1, columns, 2)
    return float(np.linalg.norm(np.diff(grid, axis=1), axis=2).min())


PRINTED = Chart(7, 5, 34.0, 25.0)
"""The chart that `companion print chart` prints: it fits on A4 and on Letter, landscape."""
