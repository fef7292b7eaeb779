"""Corrects a pose by the pieces that lie on the board: what was read surely has to fit best just where it should be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

STEPS = np.array([-3.0, -1.5, 0.0, 1.5, 3.0])
"""Shifts in mm, along each axis, that are tried."""

OWN = 0.6
"""How far (mm) pieces typically lie off their places."""

USUAL = 1.5
"""How far (mm) a pose typically is off, in the middle of the board and, differently, at its rim."""

ASTRAY, FEWEST = 2.6, 4
"""From this shift (mm) of most pieces on, of so many at least, the board lies elsewhere than the pose says. In 40
pictures most were off by 1.5 at most, but in one by 2.4, and in one, whose pose was 6 mm off, by 3.0; where the pose
was turned by two degrees or shifted by 4 mm by 2.9 to 3.0.
"""

WORTH = 0.3
"""From this correction (mm) on, a pose is corrected."""


def shifts() -> Array:
    """The shifts (2, steps, 2) in mm along x and along y."""
    along = np.zeros((2, len(STEPS), 2))
    along[0, :, 0] = along[1, :, 1] = STEPS
    return along


def aligned(pose: Pose, places: Array, scores: Array) -> tuple[Pose | None, bool]:
    """The pose with the pieces where they are seen, or None where it was right; and whether most pieces fit best so far
    off their places that no pose is sure.

    `places` (n, 2): where the pieces should be, in mm of the board frame; `scores` (n, 2, steps): how well (log
    likelihoods) each fits when it is shifted along x and along y.
    """
    offset, trust = _peaks(scores)
    astray = len(offset) >= FEWEST and bool(np.median(np.abs(offset).max(axis=1)) > ASTRAY)
    reach = max(1.0, float(np.abs(places).max()))
    terms = np.column_stack([np.ones(len(places)), places / reach])
    moves = np.stack([_fitted(terms, offset[:, axis], trust[:, axis]) for axis in (0, 1)], axis=1)
    if np.abs(terms @ moves).max() < WORTH:
        return None, astray
    stretch = np.eye(3)
    stretch[:2, :2] += moves[1:].T / reach
    shift = np.array([*moves[0], 0.0])
    moved = replace(pose, rotation=pose.rotation @ stretch, translation=pose.translation + pose.rotation @ shift)
    return moved, astray


def _peaks(scores: Array) -> tuple[Array, Array]:
    """The best shift (n, 2) in mm along each axis, and how much it is to be trusted: 1 / variance."""
    inner = np.clip(scores.argmax(axis=-1), 1, scores.shape[-1] - 2)[..., None]
    left, top, right = (np.take_along_axis(scores, inner + k, axis=-1)[..., 0] for k in (-1, 0, 1))
    bend = np.maximum(2 * top - left - right, 1e-6)
    step = STEPS[1] - STEPS[0]
    offset = STEPS[inner[..., 0]] + step * np.clip((right - left) / (2 * bend), -1, 1)
    return offset, 1 / (OWN**2 + step**2 / bend)


def _fitted(terms: Array, offset: Array, trust: Array) -> Array:
    """What makes of `terms` (n, 3) the `offset` (n,); single pieces may be anywhere."""
    known = np.eye(3) / USUAL**2
    move: Array = np.zeros(3)
    for _ in range(4):
        weight = trust / (1 + trust * np.square(offset - terms @ move) / 4)
        move = np.linalg.solve((terms * weight[:, None]).T @ terms + known, (terms * weight[:, None]).T @ offset)
    return move
