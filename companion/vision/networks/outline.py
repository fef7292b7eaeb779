"""The outline of a block unrolled: what shows across it, all around, in the planes of all heights that it may have.

Where the plane is that of its top, the edge lies just on the outline, and beside that the farther off the higher the
plane is over the top or under it, as the line of sight has it: `companion.vision.networks.sweep`, where only edges
tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import Light, sample
from companion.vision.networks.sweep import SHARED, planes, scaled, shared_layers, slopes

ACROSS, STEP = 6.0, 0.75
"""Millimetres to both sides of the outline that are looked at, and from point to point."""

PARTS, ALONG = 2, 13
"""Parts of each side, and points along each part that are averaged: enough of them, and noise hardly shows."""

CORNER = 0.06
"""Part of a side at each of its ends that is left out: corners are rounded."""


class Outline:
    """The unrolled outlines of all sites of one kind. `patch`: the shape (layers, parts, points across) of each.

    The first part is where the line of sight leaves the block, and they follow each other counter-clockwise. Layers:
    blue, green and red for each of the `heights` (mm); the line of sight's slope across the outline, outwards, and
    along it; what lies in the picture.
    """

    def __init__(
        self,
        sites: Sequence[SiteSpec],
        footprint: Sequence[tuple[float, float]],
        heights: Sequence[float],
    ) -> None:
        self.sites, self.heights = tuple(sites), tuple(heights)
        corners = _counter_clockwise(np.array(footprint, np.float64))
        sides = np.roll(corners, -1, axis=0) - corners
        lengths = np.linalg.norm(sides, axis=1, keepdims=True)
        along = sides / lengths
        self._axes = np.repeat(np.stack([np.column_stack([along[:, 1], -along[:, 0]]), along], axis=1), PARTS, axis=0)
        ends = np.linspace(CORNER, 1 - CORNER, PARTS + 1)
        t = np.concatenate([np.linspace(a, b, ALONG) for a, b in pairwise(ends)])
        on = (corners[:, None] + t[:, None] * sides[:, None]).reshape(-1, 1, ALONG, 2)
        off = np.arange(-ACROSS, ACROSS + STEP / 2, STEP)
        self._points = on + off[:, None, None] * self._axes[:, 0][:, None, None]
        self.patch = (3 * len(heights) + SHARED, len(self._points), len(off))

    def plan(self, pose: Pose) -> tuple[Array, Array]:
        """Pixels (sites, planes, parts, across, along, 2), and the last layers (sites, SHARED, parts, across)."""
        pixels = planes(self.sites, self._points.reshape(-1, 2), self.heights, pose)
        pixels = pixels.reshape(*pixels.shape[:2], *self._points.shape)
        slope = np.einsum("pkd,sd->spk", self._axes, slopes(self.sites, pose))
        parts = np.arange(len(self._points))
        order = (slope[:, ::PARTS, 0].argmax(axis=1)[:, None] * PARTS + parts) % len(parts)
        row = np.arange(len(self.sites))[:, None]
        turned = pixels.swapaxes(1, 2)[row, order].swapaxes(1, 2)
        inside = np.asarray(in_picture(turned, pose.lens.size).all(axis=(1, 4)))
        return np.ascontiguousarray(turned), shared_layers(slope[row, order].swapaxes(1, 2)[..., None], inside)

    def cut(self, image: Array, pose: Pose, light: Light, plan: tuple[Array, Array], which: Array) -> Array:
        """Patches (which, layers, parts, across), 8 bits, of the sites with the numbers `which`."""
        at = plan[0][which]
        along = at.shape[-2]
        seen = scaled(sample(image, at.reshape(-1, 2)), light).reshape(-1, along, 3)
        sums = cv2.reduce(seen, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)  # several times quicker than by numpy
        colours = (np.asarray(sums) // along).reshape(*at.shape[:-2], 3)
        patches = np.empty((len(which), *self.patch), np.uint8)
        patches[:, :-SHARED] = np.moveaxis(colours, -1, 2).reshape(len(which), -1, *self.patch[1:])
        patches[:, -SHARED:] = plan[1][which]
        return patches


def _counter_clockwise(corners: Array) -> Array:
    x, y = corners.T
    area = float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    return corners if area > 0 else corners[::-1]
