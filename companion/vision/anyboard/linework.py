"""How much of a grid, laid somewhere over a picture, is seen there: its lines, the board's outline, and their ends."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.candidates import OUTER
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

DENSITY = 8
"""Points on a field's side at which edges are looked for."""

ACROSS = 10
"""Points across a field in which fields are compared."""


class Seen(NamedTuple):
    """What is seen of a grid, all from 0 to 1: its inner lines `throughout`, the lines `around` it, and what should not
    be there: lines that run `onward` from the inner ones, at each side (4,), and those that lie `aside` (4,), one field
    beyond the outermost ones.
    """

    throughout: float
    around: float
    onward: Array
    aside: Array

    @property
    def fit(self) -> float:
        """How well it is seen."""
        return self.throughout + self.around

    @property
    def score(self) -> float:
        """How well it is seen, less what goes on beyond it: a cloth with squares does so beside any grid."""
        beyond = 0.35 * (self.onward.mean() + self.onward.max()) + 0.175 * (self.aside.mean() + self.aside.max())
        return float(self.fit - beyond)

    @property
    def ends(self) -> bool:
        """Whether its lines end where the board does, as far as they are seen at all."""
        return bool(self.onward.max() < 0.6 * max(self.throughout, 0.35))


NOTHING = Seen(0.0, 0.0, np.zeros(4), np.zeros(4))


class _Lines(NamedTuple):
    """Lines to look for: points (1, 2 n, 2) in fields, from the grid's lower left corner on, all of them and then what
    lies a step ahead of each; where those of each line start, and how many they are.
    """

    points: Array
    starts: Array
    counts: Array


class Linework:
    """A picture's edges (`image`: height, width, 3), in which grids of a board are looked for."""

    def __init__(self, image: Array, board: BoardSet) -> None:
        self._columns, self._rows, self._pitch = board.grid.columns, board.grid.rows, board.grid.pitch
        self._margin = (board.board.side / board.grid.pitch - np.array([self._columns, self._rows])) / 2
        self._direction, self._strength = _edges(image)
        self._lines = self._lines_of_grid()

    def seen(self, corners: Array) -> Seen:
        """What is seen of the grid that has its corners there (4, 2)."""
        height, width = self._strength.shape
        if (corners < -0.1 * max(width, height)).any() or (corners > 1.1 * np.array([width, height])).any():
            return NOTHING
        columns, rows = self._columns, self._rows
        flat = np.array([(0, 0), (0, rows), (columns, rows), (columns, 0)], np.float32)
        seen = self._along(cv2.getPerspectiveTransform(flat, corners.astype(np.float32)))
        counts = (columns - 1, rows - 1, 4, 4, 4, columns - 1, columns - 1, rows - 1, rows - 1)
        upright, level, border, outline, aside, *onward = np.split(seen, np.cumsum(counts)[:-1])
        throughout = (_throughout(upright) + _throughout(level)) / 2
        wide = self._margin.min() > OUTER
        around = 0.3 * border.mean() + 0.5 * outline.mean() if wide else 0.45 * border.mean()
        return Seen(throughout, float(around), np.array([side.mean() if len(side) else 0 for side in onward]), aside)

    def along(self, pose: Pose) -> float:
        """How much is seen of the grid's inner lines, however a lens bends them, or of lines through the middles of its
        fields.
        """
        count = self._columns + self._rows - 2
        if count == 0:
            return 0.0
        inner = int(self._lines.counts[:count].sum())
        points = self._lines.points[0].reshape(2, -1, 2)[:, :inner]
        seen = []
        for aside in (0.0, 0.5):
            at = (points + aside - np.array([self._columns, self._rows]) / 2) * self._pitch
            pixels = pose.project(np.concatenate([at, np.zeros((2, inner, 1))], -1).reshape(-1, 3)).reshape(2, -1, 2)
            known = np.isfinite(pixels).all((0, 2))
            seen.append(float((self._strongest(*np.nan_to_num(pixels)) * known).mean()))
        return max(seen)

    def alike(self, corners: Array) -> float:
        """How alike the fields of a grid are (at most 1) in where they have edges: the median of their correlations
        with the mean field. That tells a grid where noise leaves little to be seen of any line, or where it has none.
        """
        width, height = self._columns * ACROSS, self._rows * ACROSS
        flat = np.array([(0, height), (0, 0), (width, 0), (width, height)], np.float32) - 0.5
        to_flat = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
        strength = cv2.warpPerspective(self._strength, to_flat, (width, height))
        fields = strength.reshape(self._rows, ACROSS, self._columns, ACROSS).swapaxes(1, 2).reshape(-1, ACROSS**2)
        fields = fields - fields.mean(1, keepdims=True)
        usual = fields.mean(0)
        sizes = np.linalg.norm(fields, axis=1) * np.linalg.norm(usual)
        return float(np.median(fields @ usual / np.maximum(sizes, 1e-6)))

    def _lines_of_grid(self) -> _Lines:
        """The inner lines, upright and level ones; the sides of the grid and of the board, the lines that would come
        next, and what the inner ones would go on as, below, above, on the left and on the right.
        """
        columns, rows, (x, y) = self._columns, self._rows, self._margin
        lines: list[tuple[float, ...]] = [(k, 0.1, k, rows - 0.1) for k in range(1, columns)]
        lines += [(0.1, k, columns - 0.1, k) for k in range(1, rows)]
        lines += [(0, 0, 0, rows), (0, rows, columns, rows), (columns, rows, columns, 0), (columns, 0, 0, 0)]
        right, top = columns + x, rows + y
        lines += [(-x, -y, -x, top), (-x, top, right, top), (right, top, right, -y), (right, -y, -x, -y)]
        lines += [(-1, 0, -1, rows), (0, rows + 1, columns, rows + 1)]
        lines += [(columns + 1, rows, columns + 1, 0), (columns, -1, 0, -1)]
        lines += [(k, end, k, end + 0.8) for end in (-0.9, rows + 0.1) for k in range(1, columns)]
        lines += [(end, k, end + 0.8, k) for end in (-0.9, columns + 0.1) for k in range(1, rows)]
        starts, ends = np.array(lines, float).reshape(-1, 2, 2).swapaxes(0, 1)
        length = np.linalg.norm(ends - starts, axis=1)
        counts = np.ceil(length * DENSITY).astype(int)
        part = np.concatenate([(np.arange(count) + 0.5) / count for count in counts])
        points = np.repeat(starts, counts, 0) + np.repeat(ends - starts, counts, 0) * part[:, None]
        ahead = points + np.repeat((ends - starts) / length[:, None], counts, 0) * 0.05
        both = np.concatenate([points, ahead])[None].astype(np.float32)
        return _Lines(both, np.cumsum(np.append(0, counts[:-1])), counts)

    def _along(self, to_picture: Array) -> Array:
        """How much of each line is seen (0 to 1)."""
        lines = self._lines
        at, ahead = cv2.perspectiveTransform(lines.points, to_picture)[0].reshape(2, -1, 2)
        means: Array = np.add.reduceat(self._strongest(at, ahead), lines.starts) / lines.counts
        return means

    def _strongest(self, at: Array, ahead: Array) -> Array:
        """The strength (n,) of edges at points (n, 2) that run to what lies `ahead` of these (n, 2)."""
        along = ahead - at
        normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-6)[:, None]
        return self._across(at, normal)

    def _across(self, at: Array, normal: Array) -> Array:
        """The strength (n,) of edges across the normals at points (n, 2), within a pixel."""
        height, width = self._strength.shape
        best = np.zeros(len(at))
        for off in (-1.5, 0.0, 1.5):
            x, y = np.rint((at + off * normal).T).astype(int)
            inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
            pixels = np.where(inside, y * width + x, 0)
            right, down = (part.take(pixels) for part in self._direction)
            along = np.abs(right * normal[:, 0] + down * normal[:, 1])
            best = np.maximum(best, np.where(inside & (along > 0.92), self._strength.take(pixels), 0))
        return best


def _throughout(lines: Array) -> float:
    """How much of lines (n,) is seen, and of the less well seen ones."""
    return float(lines.mean() + np.quantile(lines, 0.2)) / 2 if len(lines) else 0.0


def _edges(image: Array) -> tuple[Array, Array]:
    """Direction (2, height, width) and strength (0 to 1) of the edges, whatever the light."""
    logs = np.log(image.astype(np.float32) + 14)
    slopes = [
        np.stack([cv2.Sobel(logs[..., k], cv2.CV_32F, 1, 0), cv2.Sobel(logs[..., k], cv2.CV_32F, 0, 1)])
        for k in range(3)
    ]
    strongest = max(slopes, key=lambda s: float(np.abs(s).mean()))
    size = np.linalg.norm(strongest, axis=0)
    usual = float(np.quantile(size, 0.7)) + 0.05
    return strongest / (size + 1e-6), size / (size + 2 * usual)
