"""Whether a board is where it seems to be: as much of its own contours has to show there as was found before.

Its cards alone do not tell: a board is pushed among them. Pieces and hands cover its print, so the contours that are
free are compared one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from companion.games.core import Game
from companion.vision.board import Pose
from companion.vision.contours import Prepared, contours_of, found_at, settled
from companion.vision.lens import Array
from companion.vision.motion import Mask

VISIBLE = 0.25
"""Part of the contours that were found that must be free before they tell anything."""


class Sight(NamedTuple):
    """What a picture shows of the contours: which samples (n,) are `free` of things, and which of these are `found`."""

    free: Array
    found: Array


class Staying:
    """What was found of the contours of one camera's board. Pictures are prepared for contours."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._contours = contours_of(game.board)
        self._found = np.zeros(len(self._contours.points), bool)

    def look(self, picture: Prepared, pose: Pose, hidden: Mask) -> Sight:
        """What shows with that pose; `hidden` is where, on a small copy of the picture, something is over the board."""
        free = self._free(pose, hidden)
        found = np.zeros_like(free)
        if free.any():
            found[free] = found_at(picture, self._contours.part(free), pose.fit)
        return Sight(free, found)

    def remember(self, sight: Sight) -> None:
        """From now on just this is to show: what pieces hide is not expected, wherever board and camera go."""
        self._found = sight.found

    def part(self, sight: Sight) -> float:
        """The part (0 to 1) of what is to show that does show; 0 where most of it is hidden, 1 as long as nothing is
        known.
        """
        if not self._found.any():
            return 1.0
        counting = self._counting(sight.free)
        return float(sight.found[counting].mean()) if counting.any() else 0.0

    def beside(self, picture: Prepared, pose: Pose, hidden: Mask) -> Pose | None:
        """The pose right beside `pose` that fits what is to show of the contours, whatever the cards say; None where
        most of that is hidden, or nothing is known.
        """
        counting = self._counting(self._free(pose, hidden))
        if not counting.any():
            return None
        return Pose.of(settled(picture, self._contours.part(counting), pose.fit))

    def _counting(self, free: Array) -> Array:
        """The samples (n,) of which it matters whether they show; none where most of those are hidden."""
        counting: Array = self._found & free
        return counting if counting.sum() >= VISIBLE * self._found.sum() else np.zeros_like(counting)

    def _free(self, pose: Pose, hidden: Mask) -> Array:
        height, width = hidden.shape
        at = pose.project(self._contours.points) * (width / pose.lens.size[0], height / pose.lens.size[1])
        x, y = at.astype(int).T
        free: Array = hidden[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] == 0
        return free
