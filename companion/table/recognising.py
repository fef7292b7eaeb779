"""Which game lies on the table, told by its corner cards: looked for as long as no game is open."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.board import NoBoardError, find_game
from hardware.camera import Camera, CameraError, Image, SourceError

LOG = logging.getLogger(__name__)

PACE = 1.0
"""Seconds from one look to the next."""

RETRY = 3.0
"""Seconds after which a camera that failed is opened again."""

SURE = 2
"""In so many pictures one after the other the same cards have to be seen."""

AGAIN = 15.0
"""Seconds after which a picture that has not changed is looked at again."""

THUMBNAIL = (64, 36)
"""The size, in pixels, in which pictures are compared."""

CHANGE = 4.0
"""The mean difference of brightness (0 to 255) from which on a picture has changed."""


class Recognising(Thread):
    """Looks until it is stopped. `game` is the name of the game whose cards are seen, None while there are none."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        super().__init__(name="recognising", daemon=True)
        self.game: str | None = None
        self._open_camera = open_camera
        self._asked_to_stop = Event()
        self._seen: list[str | None] = []
        self._small: NDArray[np.int16] | None = None
        self._looked = 0.0

    @property
    def wanted(self) -> bool:
        """Whether it has not been asked to stop."""
        return not self._asked_to_stop.is_set()

    def stop(self) -> None:
        """Asks the thread to end, without waiting for it."""
        self._asked_to_stop.set()

    def ended(self, timeout: float = 10.0) -> None:
        """Waits until the thread has ended and the camera is free; at most so many seconds."""
        self.stop()
        if self.is_alive():
            self.join(timeout)

    def run(self) -> None:
        """Opens the camera, and looks at a picture now and then."""
        while not self._asked_to_stop.is_set():
            try:
                with self._open_camera() as camera:
                    self._follow(camera)
                return
            except SourceError:  # no camera, but the simulated table, which is empty before a game
                return
            except CameraError as error:
                LOG.info("no game can be recognised: %s", error)
            except Exception:  # a fault of ours must not end more than this
                LOG.exception("the recognising of games failed")
            self.game = None
            self._asked_to_stop.wait(RETRY)

    def _follow(self, camera: Camera) -> None:
        while not self._asked_to_stop.is_set():
            frame = camera.read()
            if frame is None:
                return
            if self._worth_a_look(frame.image):
                self._look(frame.image)
            self._asked_to_stop.wait(PACE)

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
