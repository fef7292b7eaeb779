"""Holds pictures of a trembling camera still by the corner cards, which nobody moves while the board stays."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.images import Image, grey_image

AROUND = 1.0
"""How far (in sides of a card) around a card its surroundings are looked at, too."""

WINDOW, LEVELS = (21, 21), (0, 2)
"""Pixels around a corner by which it is found again; and how often they are halved to find it near, and farther away.
"""

AGREEING, APART = 8, 0.5
"""So many corners, of two cards at least, have to agree on how the picture has moved, to so many pixels."""

LEAST, WORTH, MOST = 0.1, 0.4, 0.009
"""Pixels of movement that do not matter, and from which on a picture is moved: corners of cards out of focus seem to be
a fourth of a pixel elsewhere; and the part of the picture's longer side from which on it is no trembling.
"""

UNLIKE = 5.0
"""Grey levels of noise that a small copy of a trembling picture has at least, when it is told whether all is calm:
points between pixels are told by these, and thin lines look a little different each time. Of copies of pictures that
were moved by some pixels, and back, hardly any differed by more than four times as much.
"""

OFF, RESTING, LASTS = 0.5, 0.12, 0.15
"""A camera that is so many pixels off its place, and stays there to as many for so many seconds, was knocked."""

SELDOM = 0.15
"""Seconds between two looks at the cards of a picture that lies still."""

STEPS, RECENTLY, LONGER = 3, 2.0, 1.0
"""A camera that has moved so often in the last seconds trembles: it has to rest for longer (seconds)."""


class _Card(NamedTuple):
    """What a card looked like: its `corners` (4, 2) in pixels, and the grey picture in a `window` around it."""

    corners: Array
    window: tuple[slice, slice]
    grey: Image

    @property
    def origin(self) -> Array:
        """The pixel (2,) in which the window begins."""
        return np.array([self.window[1].start, self.window[0].start])


class Steadying:
    """Moves each picture to where an earlier one had the cards.

    `moved`: whether the last picture was not quite there. `knocked`: whether the camera, or all that lies on the table,
    was, since that picture's cards rest elsewhere, or are too far from there: others are moved to where it has them
    from now on.
    """

    def __init__(self) -> None:
        self.let_go()

    def let_go(self) -> None:
        """Pictures are left as they are from now on."""
        self._cards: list[_Card] = []
        self._looked = float("-inf")
        self._rest = np.zeros(2)
        self._steps = deque((float("-inf"),), STEPS)
        self.moved = self.knocked = False

    @property
    def holds(self) -> bool:
        """Whether there is a picture by which others are held."""
        return bool(self._cards)

    def hold(self, image: Image, cards: Sequence[Array]) -> None:
        """Others are moved to where `image` has the `cards` (corners (4, 2) each, in pixels) from now on, if enough of
        these are whole.
        """
        size = image.shape[1::-1]
        whole = [corners for corners in cards if ((corners >= 0) & (corners < size)).all()]
        if 4 * len(whole) >= AGREEING:
            self._cards, self._rest = [_card(image, corners) for corners in whole], np.zeros(2)

    def steadied(self, image: Image, time: float) -> Image:
        """The picture, moved; just as it is where it lies still, was knocked, or shows too few cards."""
        self.knocked = False
        if not self.moved and abs(time - self._looked) < SELDOM:
            return image
        self.moved, self._looked = False, time
        way = self._way(image) if self._cards else None
        if way is None:
            return image
        there = [_moved(card.corners, way) for card in self._cards]
        steps = np.concatenate(there) - np.concatenate([card.corners for card in self._cards])
        far = float(np.abs(steps).max())
        if far > MOST * max(image.shape[:2]) or self._rests(steps.mean(axis=0), time):
            self.hold(image, there)
            self.knocked = True
        self.moved = far >= LEAST and not self.knocked
        if not self.moved or far < WORTH:
            return image
        size, how = image.shape[1::-1], cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(image, way, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def _way(self, image: Image) -> Array | None:
        """The similarity (2, 3) by which the picture has moved, if most corners agree on it."""
        before = np.concatenate([card.corners for card in self._cards])
        here = [grey_image(image[card.window]) for card in self._cards]
        for levels in LEVELS:
            after = np.concatenate([_found(card, grey, levels) for card, grey in zip(self._cards, here, strict=True)])
            way, agree = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=APART)
            if way is not None and int(agree.sum()) >= AGREEING:
                return way
        return None

    def _rests(self, step: Array, time: float) -> bool:
        """Whether the picture is off its place by as much, (2,) in pixels, as it has been for a while."""
        if np.abs(step - self._rest).max() > RESTING:
            self._rest = step
            self._steps.append(time)
        trembles = len(self._steps) == STEPS and time - self._steps[0] < RECENTLY
        return float(np.abs(step).max()) > OFF and time - self._steps[-1] >= (LONGER if trembles else LASTS)


def _moved(points: Array, way: Array) -> Array:
    """Points (n, 2) after a similarity (2, 3)."""
    return points @ way[:, :2].T + way[:, 2]


def _card(image: Image, corners: Array) -> _Card:
    reach = AROUND * float(np.linalg.norm(corners[1] - corners[0]))
    left, top = np.maximum(np.floor(corners.min(axis=0) - reach), 0).astype(int).tolist()
    right, bottom = np.ceil(corners.max(axis=0) + reach).astype(int).tolist()
    window = np.s_[top:bottom, left:right]
    return _Card(corners.astype(np.float32), window, grey_image(image[window]))


def _found(card: _Card, grey: Image, levels: int) -> Array:
    """The card's corners (4, 2) where the window of another picture has them, by optical flow."""
    start = (card.corners - card.origin).astype(np.float32)
    flow = cv2.calcOpticalFlowPyrLK(card.grey, grey, start, None, winSize=WINDOW, maxLevel=levels)  # type: ignore[call-overload]
    return np.asarray(flow[0] + card.origin, np.float32)
