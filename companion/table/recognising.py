"""Which game lies on the table, told by its corner cards: looked for as long as no game is open."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.locating.board import NoBoardError, find_game
from hardware.camera import Camera, Image
from hardware.following import Following

PACE = 1.0
"""Seconds from one look to the next."""

SURE = 2
"""In so many pictures one after the other the same cards have to be seen."""

AGAIN = 15.0
"""Seconds after which a picture that has not changed is looked at again."""

THUMBNAIL = (64, 36)
"""The size, in pixels, in which pictures are compared."""

CHANGE = 4.0
"""The mean difference of brightness (0 to 255) from which on a picture has changed."""


class Recognising(Following):
    """Looks until it is stopped. `game` is the name of the game whose cards are seen, None while there are none."""

    retry = 3.0

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        super().__init__("recognising", open_camera)
        self.game: str | None = None
        self._seen: list[str | None] = []
        self._small: NDArray[np.int16] | None = None
        self._looked = 0.0

    def _follow(self, camera: Camera) -> None:
        while self.wanted:
            frame = camera.read()
            if frame is None:
                return
            if self._worth_a_look(frame.image):
                self._look(frame.image)
            self._asked_to_stop.wait(PACE)

    def _failed(self, error: Exception) -> None:
        self.game = None

    def _worth_a_look(self, image: Image) -> bool:
        """Whether the picture has changed since the last looks, they differ, or they are long ago: looking for cards
        that are not there takes a good part of a second on a small computer.
        """
        small = cv2.resize(image, THUMBNAIL, interpolation=cv2.INTER_AREA).astype(np.int16)
        before, now = self._small, time.monotonic()
        self._small = small
        if before is None or before.shape != small.shape or np.abs(small - before).mean() > CHANGE:
            self._seen = []
        return len(self._seen) < SURE or len(set(self._seen)) > 1 or now - self._looked >= AGAIN

    def _look(self, image: Image) -> None:
        self._looked = time.monotonic()
        try:
            found: str | None = find_game(image)[0].name
        except NoBoardError:
            found = None
        self._seen = [*self._seen, found][-SURE:]
        if self._seen == [found] * SURE:
            self.game = found
