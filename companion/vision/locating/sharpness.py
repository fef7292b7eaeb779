"""How blurred a picture is: what focus, motion and the lens make of the cards' edges, which are sharp on paper."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.games.sets import Marker
from companion.vision.geometry.lens import Array

ALONG, ACROSS = 15, 41
"""So many profiles across each edge of a card are looked at, and so many points of each."""

SPREAD = 21
"""So many points a side show what is white and what is black on a card."""

EXTREMES = (3, 97)
"""The percentiles of what a card shows that are taken for its black and its white."""

PLAIN = 40.0
"""Grey values, at least, between black and white on a card that tells how blurred it is."""


def blur(grey: Array, cards: Sequence[Array], marker: Marker) -> float:
    """The standard deviation, in sizes of the cards' black squares, of the blur in a grey picture (height, width),
    across those edges of the cards that show it most; 0 where no card tells it. `cards`: the corners (4, 2) of each.

    An edge is as steep as the blur lets it be: that of a Gaussian one has a slope of its height / (sqrt(2 pi) sigma).
    """
    told = [one for corners in cards if (one := _of_card(grey, corners, marker)) is not None]
    return sorted(told)[(len(told) - 1) // 2] if told else 0.0  # something may cover a card, in part


def _of_card(grey: Array, corners: Array, marker: Marker) -> float | None:
    """The same by one card."""
    middle, u = corners.mean(axis=0), np.linspace(-1, 1, SPREAD) * (1 + 1.6 * marker.quiet / marker.size) / 4
    right, up = corners[1] - corners[0] + corners[2] - corners[3], corners[0] - corners[3] + corners[1] - corners[2]
    card = middle + u[:, None, None] * right + u[None, :, None] * up
    height, width = grey.shape
    if not ((card > 0) & (card < (width - 1, height - 1))).all():
        return None
    black, white = np.percentile(_seen(grey, card), EXTREMES)
    if white - black < PLAIN:
        return None
    slopes = [_slope(grey, corners[k - 1], corners[k], marker) for k in range(4)]
    wide = [(white - black) / (np.sqrt(2 * np.pi) * slope) for slope in slopes]
    return float(max(wide[0] + wide[2], wide[1] + wide[3])) / 2


def _slope(grey: Array, start: Array, end: Array, marker: Marker) -> float:
    """How steep the edge of a card is from one corner (2,) to the next: grey values a size of the card."""
    side = end - start
    length = float(np.linalg.norm(side))
    reach = 0.9 * min(marker.quiet / marker.size, 1 / 6)
    t, s = np.linspace(0.15, 0.85, ALONG), np.linspace(-reach, reach, ACROSS)
    at = start + t[:, None, None] * side + s[:, None] * np.array([-side[1], side[0]])
    profile = _seen(grey, at).mean(axis=0)
    step = max(1, round(0.5 * ACROSS / (reach * length)))  # a pixel or so
    rises = np.abs(profile[step:] - profile[:-step]) * (ACROSS - 1) / (step * 2 * reach)
    return max(float(rises.max()), 1e-3)


def _seen(grey: Array, at: Array) -> Array:
    """Grey values (rows, columns) at `at` (rows, columns, 2)."""
    points = at.astype(np.float32)
    seen = cv2.remap(grey, points[..., 0], points[..., 1], cv2.INTER_LINEAR)
    return np.asarray(seen, np.float64)
