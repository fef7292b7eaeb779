"""Whether a board is where it seems to be: as much of its own contours has to show there as was found before.

Its cards alone do not tell: a board is pushed among them. Pieces and hands cover its print, so the contours that are
free are compared one by one.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.vision.board import Pose
from companion.vision.contours import Fit, contours_of, found_at, settled
from companion.vision.lens import Array
from companion.vision.motion import Image, Mask

VISIBLE = 0.25
"""Part of the contours that were found that must be free before they tell anything."""


class Staying:
    """What was found of the contours of one camera's board."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._contours = contours_of(game.board)
        self._found: Array | None = None

    def remember(self, image: Image, pose: Pose, hidden: Mask) -> None:
        """Takes in what shows of a board with that pose; of what is `hidden`, on a small copy of the picture, nothing
        new is known.
        """
        now = found_at(_grey(image), self._contours, _fit(pose))
        self._found = now if self._found is None else np.where(self._free(pose, hidden), now, self._found)

    def part(self, image: Image, pose: Pose, hidden: Mask) -> float:
        """The part (0 to 1) of what was found that is found with that pose; 0 where most of it is `hidden`."""
        if self._found is None:
            return 1.0
        counting = self._found & self._free(pose, hidden)
        if counting.sum() < VISIBLE * self._found.sum():
            return 0.0
        return float(found_at(_grey(image), self._contours.part(counting), _fit(pose)).mean())

    def beside(self, image: Image, pose: Pose, hidden: Mask) -> Pose:
        """The pose right beside `pose` that fits what is free of the contours, whatever the cards say."""
        fit = settled(_grey(image), self._contours.part(self._free(pose, hidden)), _fit(pose))
        return Pose(fit.rotation, fit.translation, fit.lens, (), 0.0, fit.support)

    def _free(self, pose: Pose, hidden: Mask) -> Array:
        height, width = hidden.shape
        at = pose.project(self._contours.points) * (width / pose.lens.size[0], height / pose.lens.size[1])
        x, y = at.astype(int).T
        free: Array = hidden[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] == 0
        return free


def _fit(pose: Pose) -> Fit:
    return Fit(pose.rotation, pose.translation, pose.lens, 0.0)


def _grey(image: Image) -> Array:
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
