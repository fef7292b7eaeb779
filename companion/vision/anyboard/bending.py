"""The lens of a picture in which the lines of a grid are bent: four corners alone do not tell it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.linework import Linework
from companion.vision.anyboard.pose import pose_of
from companion.vision.anyboard.surface import reduced
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

BENDS = np.arange(-0.9, 0.2, 0.06)
"""First distortion terms of lenses that are tried, as OpenCV has them: wide ones bend lines outwards."""

STRAIGHT = int(np.argmin(np.abs(BENDS)))
"""Which of them hardly bends anything."""

BENT = 0.4
"""By how much more of the lines, times what it bends, has to be seen through a lens than through one that does not."""

PLAINLY = 0.6
"""So much of the lines has to be seen: dots, and the rims of recesses, are seen best through no lens at all. Of 26
photographs through a wide lens (-0.28) 24 are seen to be bent so, by -0.09 to -0.29; of 50 boards on the simulated
table, whose lenses bend by -0.08 to 0.05, 5 are taken to be bent, by 0.15 at most.
"""


def unbent(image: Array, pose: Pose, board: BoardSet) -> Pose:
    """The pose that sees the corners of the grid where `pose` does, through the lens with which its lines lie on those
    of the picture best; the same where that is not plain.
    """
    small, _ = reduced(image, pose, board)
    linework, size = Linework(small, board), (small.shape[1], small.shape[0])
    poses = [_through(pose, float(bend), board) for bend in BENDS]
    seen = np.array([linework.along(replace(each, lens=each.lens.scaled(size))) for each in poses])
    worth = seen / (1 + BENT * np.abs(BENDS))
    best = int(worth.argmax())
    if best in (0, STRAIGHT, len(BENDS) - 1) or seen[best] < PLAINLY:
        return pose
    before, top, after = worth[best - 1 : best + 2]  # the first of the best: `before` is less
    vertex = 0.5 * (before - after) / (before - 2 * top + after)
    return _through(pose, float(BENDS[best] + vertex * (BENDS[1] - BENDS[0])), board)


def _through(pose: Pose, bend: float, board: BoardSet) -> Pose:
    """The pose that sees the grid's corners in the same places through a lens with that distortion."""
    start = replace(pose, lens=replace(pose.lens, distortion=(bend, *pose.lens.distortion[1:])))
    return pose_of(board.corners, pose.project(board.corners), pose.lens.size, start)
