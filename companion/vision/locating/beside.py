"""Where what lies beside the board may be: it does not follow the board when that is pushed.

In a picture, the board is elsewhere after it was pushed on the table, and after the camera was: then all that lies on
the table is elsewhere too. Which of the two it was shows as soon as something lies there.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.locating.poses import MOVED

CARRIED = 60.0
"""From this distance (mm) on a board was not pushed, but carried: what lay beside it lies beside it anew."""

ALIKE = 1.0
"""Poses that are no farther (mm) from each other are the same."""

MOST = 8
"""So many poses are thought of at once: of three times that a board or a camera was pushed nobody need know which."""


class Beside:
    """The poses that the frame of what lies beside the board may have, the likeliest first: at first, the board's."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._marker, self._level = game.marker, -game.plate.thickness
        self._board: Pose | None = None
        self.poses: list[Pose] = []

    def follow(self, board: Pose) -> None:
        """To be told where the board is now."""
        before, self._board = self._board, board
        if before is None or self._distance(board, before) > CARRIED:
            self.poses = [board]
            return
        turn, shift = motion(before, board)
        moved = [_pose(board, turn @ pose.rotation, turn @ pose.translation + shift) for pose in self.poses]
        stayed = [_pose(board, pose.rotation, pose.translation) for pose in self.poses]
        known: list[Pose] = []
        either = chain.from_iterable(zip(moved, stayed, strict=True))
        for pose in either if self._distance(board, before) > MOVED else moved:
            if all(self._distance(pose, other) > ALIKE for other in known):
                known.append(pose)
        self.poses = known[:MOST]

    def prefer(self, number: int, *, alone: bool) -> None:
        """What lies there shows that the pose with that number is the likeliest, or that none of the others is."""
        pose = self.poses.pop(number)
        self.poses = [pose] if alone else [pose, *self.poses]

    def _distance(self, one: Pose, other: Pose) -> float:
        return one.distance_from(other, self._marker, self._level)


def motion(before: Pose, after: Pose) -> tuple[Array, Array]:
    """The rotation (3, 3) and translation (3,), in the camera's frame, that take what moves with a board along."""
    turn = after.rotation @ before.rotation.T
    return turn, after.translation - turn @ before.translation


def _pose(board: Pose, rotation: Array, translation: Array) -> Pose:
    return replace(board, rotation=np.asarray(rotation), translation=np.asarray(translation), markers=(), cards=())
