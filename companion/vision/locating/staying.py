"""Whether a board is where it seems to be: as much of its own contours has to show there as was found before.

Its cards alone do not tell: a board is pushed among them. Pieces and hands cover its print, so the contours that are
free are compared one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from companion.games.core import Game
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.images import Mask
from companion.vision.locating.contours import Prepared, contours_of, settled, shown_at

FAINT = 0.5
"""If less of what was found than this shows clearly, the faint counts as well."""

AGAIN = 0.8
"""The least part that is found again of a board that stays, for all noise: less is something else."""

VISIBLE = 0.25
"""Part of the contours that were found that must be free before they tell anything."""


class Sight(NamedTuple):
    """What a picture shows of the contours: which samples (n,) are `free` of things, which of these are `found`, and
    which show `clear`ly.
    """

    free: Array
    found: Array
    clear: Array


class Staying:
    """What was found of the contours of one camera's board. Pictures are prepared for contours."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._contours = contours_of(game.board)
        self._expected = np.zeros(len(self._contours.points), bool)
        self._again: float | None = None

    def look(self, picture: Prepared, pose: Pose, hidden: Mask) -> Sight:
        """What shows with that pose; `hidden` is where, on a small copy of the picture, something is over the board."""
        free = self._free(pose, hidden)
        sight = Sight(free, np.zeros_like(free), np.zeros_like(free))
        if free.any():
            sight.found[free], sight.clear[free] = shown_at(picture, self._contours.part(free), pose.fit)
        return sight

    def remember(self, sight: Sight) -> None:
        """From now on just this is to show: what pieces hide is not expected, wherever board and camera go, nor what
        is in one noisy picture and not in the next; unless nearly all is faint.
        """
        self._expected = sight.clear if sight.clear.sum() >= FAINT * sight.found.sum() else sight.found

    def part(self, sight: Sight) -> float:
        """The part (0 to 1) of what is to show that does show; 0 where most of it is hidden, 1 as long as nothing is
        known.
        """
        if not self._expected.any():
            return 1.0
        counting = self._counting(sight.free)
        return float(sight.found[counting].mean()) if counting.any() else 0.0

    def likeness(self, sight: Sight) -> float:
        """The same, 1 being as much as was seen to show, in noise, of a board that stays."""
        return self.part(sight) / (self._again or 1.0)

    def measure(self, sight: Sight) -> None:
        """Learns how much is found again, in noise, of a board that surely stays: the first time, and whenever it is
        more than was thought.
        """
        again = self.part(sight)
        if again >= AGAIN:
            self._again = max(again, self._again or 0.0)

    def start_over(self) -> None:
        """The board lies, or is seen, in another way: how much will be found again is not known."""
        self._again = None

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
        counting: Array = self._expected & free
        return counting if counting.sum() >= VISIBLE * self._expected.sum() else np.zeros_like(counting)

    def _free(self, pose: Pose, hidden: Mask) -> Array:
        height, width = hidden.shape
        at = pose.project(self._contours.points) * (width / pose.lens.size[0], height / pose.lens.size[1])
        x, y = at.astype(int).T
        free: Array = hidden[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] == 0
        return free
