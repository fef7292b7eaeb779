"""A cut-out of a picture: some sites as if seen from straight above, to be shown to people."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

MARGIN = 0.75
"""How much of a site's size is shown around it on each side."""

LARGEST = 400
"""The longer side of a cut-out, in pixels."""


def cut_out(image: Array, pose: Pose, specs: Sequence[SiteSpec]) -> Array | None:
    """The sites with their surroundings, from above with the board's +y up: (height, width, 3), blue-green-red.

    It is as fine as the picture, up to `LARGEST` pixels. None without sites, or where they are not in the picture.
    """
    if not specs:
        return None
    centres = np.array([spec.centre for spec in specs])
    reach = np.array([[spec.size * (0.5 + MARGIN)] for spec in specs])
    low, high = (centres[:, :2] - reach).min(0), (centres[:, :2] + reach).max(0)
    z = float(centres[:, 2].mean())
    corners = np.array([[low[0], high[1], z], [high[0], high[1], z], [high[0], low[1], z], [low[0], low[1], z]])
    seen = pose.project(corners)
    if not _in_picture(seen, image.shape):
        return None
    fine = min(pose.scale(centres.mean(0)), LARGEST / float((high - low).max()))
    width, height = (max(8, round(float(side) * fine)) for side in high - low)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    across = cv2.getPerspectiveTransform(seen.astype(np.float32), target)
    return cv2.warpPerspective(image, across, (width, height), flags=cv2.INTER_AREA, borderValue=(128, 128, 128))


def _in_picture(points: Array, shape: tuple[int, ...]) -> bool:
    """Whether the middle of the points is in a picture of that shape, and all of them are numbers."""
    x, y = points.mean(0)
    return bool(np.isfinite(points).all()) and 0 <= x < shape[1] and 0 <= y < shape[0]
