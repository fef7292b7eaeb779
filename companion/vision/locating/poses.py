"""Keeps the pose of the board over frames: refined while it stays, found anew when board or camera were moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image, Mask
from companion.vision.locating.board import NOT_THERE, STANDS, NoBoardError, locate, locate_around
from companion.vision.locating.contours import Prepared
from companion.vision.locating.parallax import by_heights
from companion.vision.locating.staying import Sight, Staying
from companion.vision.reading import Reading

Locate = Callable[[Any, Game[Any, Any], Lens, Pose | None], Pose]
"""Finds the board in a picture; see `companion.vision.locating.board.locate`."""

Pieces = Callable[[Pose], Mask]
"""Where, on a small copy of the picture, pieces cover a board with that pose."""

MOVED = 2.5
"""From this distance (mm) on the board was moved, and nothing is where it was."""

NUDGED = 0.8
"""From this distance (mm) on it is more than the error of a single picture: what was averaged before is void."""

LOOKS = 8
"""So many pictures are averaged; later ones count as much as the last of these."""

FADES, LEAST = 0.97, 0.82
"""What is left, after each search in vain, of the part of the contours that has to show; and the least that has to.

A board that was pushed away has shown up to 0.81 where it is not, one in other light 0.82 where it is.
"""

WORTH = 0.2
"""A refinement by less (pixels) is not worth the work of whoever has planned with the old pose."""


class PoseKeeper:
    """The pose of one camera's board, from all the pictures so far; `cards`: the corners (4, 2), in pixels, of those
    that were seen in the last one.
    """

    def __init__(self, game: Game[Any, Any], lens: Lens | None, locator: Locate) -> None:
        self._game, self._lens, self._locate = game, lens, locator
        self._staying, self._looks, self._asked = Staying(game), 0, STANDS
        self.pose: Pose | None = None
        self.cards: tuple[Array, ...] = ()

    def update(
        self,
        image: Image,
        hidden: Mask,
        refine: bool = True,
        pieces: Pieces | None = None,
        *,
        lost: bool = False,
        calm: bool = False,
    ) -> bool:
        """Looks for the board; whether it is in another place than before. A pose that is only checked, while a hand
        may cover half of the board, is not to `refine` the one that is known. `hidden` is where, on a small copy of the
        picture, something is over the board; `pieces` tells where pieces are on one that is elsewhere, should less of
        it show than before. A board that was `lost` is looked for farther around, too; while the picture was `calm`
        since the last time, it has stayed.

        Raises:
            NoBoardError: it cannot be found, or less of it shows there than before; the pose stays what it was.
        """
        size = (image.shape[1], image.shape[0])
        lens = (self._lens or Lens.nominal(size)).scaled(size)
        try:
            found = self._locate(image, self._game, lens, self.pose)
            sight = self._look(image, found, hidden, pieces, calm)
        except NoBoardError:
            if self.pose is None or self.pose.lens.size != size or not lost:
                raise  # what hides a board that was not lost yet is an arm
            found = locate_around(image, self._game, self.pose)
            sight = self._look(image, found, hidden, pieces)
        distance = float("inf") if self.pose is None else self._distance(self.pose, found)
        moved = self.pose is not None and distance > MOVED
        if self.pose is None or moved:
            self._staying.start_over()
        if refine:
            self._staying.remember(sight)
        self._asked, self.cards = STANDS, found.cards
        if self.pose is None or moved or (refine and distance > NUDGED):
            self.pose, self._looks = found, 1
        elif refine:
            self._looks = min(self._looks + 1, LOOKS)
            refined = between(self.pose, found, 1 / self._looks)
            if self._pixels(self.pose, refined) > WORTH or self._cards_moved(found):
                self.pose = refined
        if self.pose.blurred is not found.blurred:
            self.pose = replace(self.pose, blurred=found.blurred)
        return moved

    def settle(self, image: Image, reading: Reading) -> bool:
        """Puts the camera where what stands in the picture, as was read, shows that it is; whether that is elsewhere.
        A lens that was calibrated leaves no doubt, and a board stays where somebody has nudged it by hand.
        """
        if self.pose is None or self._locate is not locate:
            return False
        usual = self._lens or Lens.nominal(self.pose.lens.size)
        other = by_heights(image, self._game, self.pose, usual.scaled(self.pose.lens.size), reading)
        self.pose = other or self.pose
        return other is not None

    def _look(self, image: Image, found: Pose, hidden: Mask, pieces: Pieces | None, calm: bool = False) -> Sight:
        """What shows of the board where it was found.

        Raises:
            NoBoardError: too little.
        """
        if self.pose is not None and self._distance(self.pose, found) > MOVED:
            hidden = np.zeros_like(hidden)  # all is elsewhere in the picture, which tells nothing of what is over it
        picture = Prepared(image)
        sight = self._staying.look(picture, found, hidden)
        if calm and self.pose is not None and self._distance(self.pose, found) <= NUDGED:
            self._staying.measure(sight)
        if not self._shows(sight) and pieces is not None:
            sight = self._staying.look(picture, found, hidden | pieces(found))
        if not self._shows(sight):
            raise NoBoardError(NOT_THERE)
        return sight

    def _shows(self, sight: Sight) -> bool:
        """Whether enough shows, noise allowed for; or, after searches in vain, less, but without that."""
        return self._staying.likeness(sight) >= STANDS or self._staying.part(sight) >= self._asked

    def forget(self) -> None:
        """After a search in vain: less has to show of a board that may be found in other light, or half covered."""
        self._asked = max(LEAST, self._asked * FADES)

    def stands(self, image: Image, hidden: Mask) -> bool:
        """Whether the board is where it was, as far as its own contours show that: the cards may lie elsewhere, or be
        covered. `hidden` is where, on a small copy of the picture, something is over it.
        """
        if self.pose is None:
            return False
        picture = Prepared(image)
        here = self._staying.beside(picture, self.pose, hidden)
        if here is None or self._distance(self.pose, here) > MOVED:
            return False
        return self._staying.likeness(self._staying.look(picture, here, hidden)) >= STANDS

    def _cards_moved(self, found: Pose) -> bool:
        """Whether a card was moved that is seen now."""
        assert self.pose is not None
        before = dict(zip(self.pose.markers, self.pose.cards, strict=False))
        pairs = zip(found.markers, found.cards, strict=False)
        far = NUDGED * found.scale(np.zeros(3))
        return any(k in before and float(np.abs(before[k] - at).max()) > far for k, at in pairs)

    def _distance(self, first: Pose, second: Pose) -> float:
        """How far apart they are, in mm on the board."""
        return second.distance_from(first, self._game.marker, -self._game.plate.thickness)

    def _pixels(self, first: Pose, second: Pose) -> float:
        return second.moved_from(first, self._game.marker, -self._game.plate.thickness)


def between(first: Pose, second: Pose, part: float) -> Pose:
    """The pose at that part (0 to 1) of the way from the first to the second."""
    turn = cv2.Rodrigues(second.rotation @ first.rotation.T)[0]
    rotation = cv2.Rodrigues(turn * part)[0] @ first.rotation
    translation = first.translation + part * (second.translation - first.translation)
    return replace(second, rotation=rotation, translation=translation)
