"""The build of a hand with its arm: capsules in space."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.lens import Array
from hardware.simulated.scene import HandPose

SKINS = (
    (236, 188, 160),
    (224, 172, 138),
    (198, 142, 108),
    (152, 102, 72),
    (106, 70, 50),
    (240, 200, 176),
    (78, 52, 40),
)
SLEEVES = (
    (52, 60, 92),
    (150, 40, 48),
    (70, 70, 74),
    (228, 226, 220),
    (40, 96, 62),
    (92, 50, 120),
    (190, 160, 70),
    None,
)
"""Sleeve colours; None is a bare arm."""

# Right hand, palm down, fingers along +y, mm; the origin is where thumb and fingers meet. A row a finger: knuckle,
# middle joint, tip.
_OPEN = np.array(
    [
        [[-27, -88, 30], [-31, -42, 26], [-33, -4, 10]],
        [[-7, -82, 33], [-7, -30, 28], [-7, 12, 10]],
        [[13, -86, 31], [17, -36, 26], [19, 4, 10]],
        [[31, -96, 27], [39, -58, 22], [44, -24, 9]],
        [[-40, -128, 26], [-62, -92, 20], [-66, -56, 9]],
    ],
    float,
)
_PINCH = np.array(
    [
        [[-24, -78, 50], [-20, -32, 48], [-5, -1, 10]],
        [[-4, -74, 54], [0, -28, 52], [9, 4, 11]],
        [[15, -80, 52], [24, -40, 44], [26, -12, 20]],
        [[32, -92, 46], [42, -60, 36], [40, -36, 22]],
        [[-36, -122, 40], [-44, -70, 30], [-13, -15, 10]],
    ],
    float,
)
_RADII = np.array([[10.5, 9.0, 7.2], [10.8, 9.2, 7.4], [10.4, 8.8, 7.0], [9.4, 7.8, 6.2], [13.5, 10.5, 8.4]])
SKIN, SLEEVE, NAIL = range(3)
_WRIST = np.array([-2.0, -172.0, 34.0])


class Limbs(NamedTuple):
    """Round limbs: `ends` (n, 2, 3) mm on the table, `radii` (n, 2) there, `parts` (n,) SKIN, SLEEVE or NAIL."""

    ends: Array
    radii: Array
    parts: NDArray[np.uint8]


Row = tuple[Array, Array, float, float, int]
"""A limb of the right hand in its own frame: ends, radii, part."""


@lru_cache(maxsize=8)
def limbs_of(pose: HandPose) -> Limbs:
    """The limbs of a hand on the table, sleeve last."""
    random = np.random.default_rng([pose.look, 8])
    size, bend = random.uniform(0.86, 1.1), random.uniform(-14, 14)
    joints = (_OPEN * (1 - pose.grip) + _PINCH * pose.grip) + random.normal(0, 1.5, _OPEN.shape)
    wrist = _WRIST + np.array([0, 0, 16 * pose.grip])
    aside = np.array([1.0, 0.0, 0.0])
    limbs: list[Row] = []
    for finger, radii in zip(joints, _RADII, strict=True):
        limbs += [(finger[k], finger[k + 1], radii[k], radii[k + 1], SKIN) for k in range(2)]
        back = (finger[1] - finger[2]) / np.linalg.norm(finger[1] - finger[2])
        nail = finger[2] + np.array([0, 0, 0.42 * radii[2]])
        limbs.append((nail - 1.5 * back, nail + 4.5 * back, 0.62 * radii[2], 0.6 * radii[2], NAIL))
    limbs += [(joints[k, 0], wrist + x * aside, 13.0, 20.0, SKIN) for k, x in enumerate((-12, -4, 5, 13))]
    limbs.append((joints[4, 0], wrist + np.array([-12, 14, 0]), 16.0, 19.0, SKIN))
    along = np.array([np.sin(np.radians(bend)), -np.cos(np.radians(bend)), 0.16])
    cuff, width = random.uniform(25, 130), random.uniform(33, 38)
    bare = 900.0 if sleeve(pose) is None else cuff + 25
    limbs += _arm(wrist, along, (0.0, bare), (23.0, 42.0), SKIN)
    if sleeve(pose) is not None:
        limbs += _arm(wrist, along, (cuff, 900.0), (width, 58.0), SLEEVE)
    return _on_table(limbs, pose, size, -1 if pose.look % 2 else 1)


def _arm(wrist: Array, along: Array, reach: tuple[float, float], radii: tuple[float, float], part: int) -> list[Row]:
    """Two rows of short limbs, side by side, from `reach[0]` to `reach[1]` mm behind the wrist."""
    stops = np.linspace(*reach, 2 + int((reach[1] - reach[0]) / 130))
    width = np.interp(stops, (reach[0], 500.0), radii)
    rows = [
        wrist + np.outer(stops, along) + np.outer(9 * (1 + stops / 330) * side, (1.0, 0.0, 0.0)) for side in (-1, 1)
    ]
    return [(row[k], row[k + 1], width[k], width[k + 1], part) for row in rows for k in range(len(stops) - 1)]


def sleeve(pose: HandPose) -> tuple[int, int, int] | None:
    """The colour of its sleeve, None for a bare arm."""
    return SLEEVES[(pose.look * 5 + pose.look // 7) % len(SLEEVES)]


def _on_table(rows: list[Row], pose: HandPose, size: float, mirror: int) -> Limbs:
    angle = np.radians(pose.direction + 180)
    along, across = np.array([np.sin(angle), np.cos(angle), 0.0]), np.array([np.cos(angle), -np.sin(angle), 0.0])
    own = np.array([[row[0], row[1]] for row in rows]) * size * (mirror, 1, 1)
    at = np.array([pose.x, pose.y, pose.z - 9 * size])
    ends = at + own[..., :1] * across + own[..., 1:2] * along + own[..., 2:] * (0.0, 0.0, 1.0)
    radii = np.array([[row[2], row[3]] for row in rows]) * size
    return Limbs(ends, radii, np.array([row[4] for row in rows], np.uint8))
