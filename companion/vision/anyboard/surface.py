"""The board's surface as seen from straight above, in logarithms of light, where lamps and shadows only add."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

UNIT = 32
"""Samples across a field."""

INNER = np.s_[UNIT // 8 : -UNIT // 8]
"""The samples of a field away from its sides."""

MARGIN = 1
"""Fields around the grid that are looked at too."""

DARK = 14.0
"""Grey values added before the logarithm, so that noise in the dark does not become large."""

KEPT = 0.5
"""The part of a picture's noise that is left after the samples are smoothed."""

NO_LIGHT, BURNT_OUT = 5.0, 250.0
"""Grey values of all channels up to which, and from which on, a camera tells nothing from anything else."""

FINEST = 1.6
"""A field need not be larger, in `UNIT`, in the picture."""

HARDLY = 0.01
"""What clipped samples count beside others."""


@dataclass(frozen=True, slots=True)
class Surface:
    """Samples (height, width) of the grid's plane with a margin; row 0 is farthest up (+y).

    `tone` (height, width, 3): brightness, red against green, blue against green, as differences of logarithms.
    `noise` (height, width, 3): its standard deviation; `seen` (height, width): which samples the picture shows;
    `clipped` (height, width): -1 where there is no light or nothing is seen, 1 where it is burnt out, 0 elsewhere.
    """

    tone: Array
    noise: Array
    seen: Array
    clipped: Array


def telling(clipped: Array) -> Array:
    """How much samples (height, width) tell of the light: hardly anything where they are `clipped` (see `Surface`)."""
    return np.where(clipped == 0, 1.0, HARDLY)


def reduced(image: Array, pose: Pose, board: BoardSet) -> tuple[Array, Pose]:
    """The picture no larger than is needed, and its pose."""
    wanted = FINEST * UNIT / field_pixels(pose, board)
    if wanted >= 0.8:
        return image, pose
    size = (max(1, round(image.shape[1] * wanted)), max(1, round(image.shape[0] * wanted)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA), replace(pose, lens=pose.lens.scaled(size))


def field_pixels(pose: Pose, board: BoardSet) -> float:
    """How many pixels a field in the middle of the grid has across."""
    reach = board.grid.pitch / 2
    at = pose.project(np.array([(-reach, -reach, 0), (-reach, reach, 0), (reach, reach, 0), (reach, -reach, 0.0)]))
    return float(cv2.contourArea(at.astype(np.float32)) ** 0.5)


def places(board: BoardSet) -> Array:
    """The samples' places (height, width, 2), mm in the board frame."""
    grid = board.grid
    x = (np.arange((grid.columns + 2 * MARGIN) * UNIT) + 0.5) / UNIT - MARGIN - grid.columns / 2
    y = grid.rows / 2 + MARGIN - (np.arange((grid.rows + 2 * MARGIN) * UNIT) + 0.5) / UNIT
    return np.stack(np.meshgrid(x, y), -1) * grid.pitch


class Ground:
    """The grid's plane in a picture, looked at as often as is needed."""

    def __init__(self, image: Array, pose: Pose, board: BoardSet) -> None:
        self._image, self._pose = reduced(image, pose, board)
        self._board = board
        self._noise = np.maximum(_noise(self._image), 1.0)

    def surface(self, shift: Array | None = None) -> Surface:
        """Its surface; `shift` (height, width, 2) in samples, to the right and down: where else the samples are than
        the pose says.
        """
        at = places(self._board)
        if shift is not None:
            at = at + shift * (self._board.grid.pitch / UNIT * np.array([1.0, -1.0]))
        flat = np.column_stack([at.reshape(-1, 2), np.zeros(at.shape[0] * at.shape[1])])
        pixels = np.nan_to_num(self._pose.project(flat), nan=-1e4).reshape(at.shape).astype(np.float32)
        x, y = pixels[..., 0], pixels[..., 1]
        colour = cv2.remap(self._image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        height, width = self._image.shape[:2]
        seen = (pixels >= 0).all(-1) & (x <= width - 1) & (y <= height - 1)
        colour = cv2.GaussianBlur(colour.astype(np.float32), (0, 0), 1.0)
        logs = np.log(colour + DARK)
        each = np.square(KEPT * self._noise / (colour + DARK))
        tone = np.stack([logs.mean(-1), logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], -1)
        noise = np.stack([each.mean(-1) / 2, each[..., 2] + each[..., 1], each[..., 0] + each[..., 1]], -1)
        burnt_out = seen & (colour.min(-1) >= BURNT_OUT)
        clipped = burnt_out.astype(np.int8) - (~seen | (colour.max(-1) <= NO_LIGHT))
        return Surface(tone, np.sqrt(noise), seen, clipped)


def _noise(image: Array) -> Array:
    """Standard deviation (3,) of the picture's noise in grey values of each channel, from its calmest half."""
    fine = np.abs(cv2.filter2D(image, cv2.CV_32F, np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)))
    deviations: Array = np.median(cv2.blur(fine, (9, 9)), (0, 1)) * 1.25 / 6
    return deviations


def field_views(samples: Array, board: BoardSet) -> Array:
    """A view (rows, columns, UNIT, UNIT, ...) of the samples (height, width, ...) by field, row 0 being the lowest."""
    rows, columns = board.grid.rows, board.grid.columns
    inner = samples[MARGIN * UNIT : (MARGIN + rows) * UNIT, MARGIN * UNIT : (MARGIN + columns) * UNIT]
    parts = inner.reshape(rows, UNIT, columns, UNIT, *samples.shape[2:])
    return np.moveaxis(parts, 1, 2)[::-1]


def inner_means(samples: Array, board: BoardSet) -> Array:
    """The mean (rows, columns) of the samples (height, width) of each field away from its sides."""
    means: Array = field_views(samples, board)[:, :, INNER, INNER].mean((2, 3))
    return means


def within_plate(board: BoardSet) -> Array:
    """Which samples (height, width) lie on the board's plate."""
    on: Array = np.abs(places(board)).max(-1) < board.board.side / 2 - 0.08 * board.grid.pitch
    return on
