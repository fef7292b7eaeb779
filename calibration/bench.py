"""A camera to calibrate by: its pictures are worked on by a thread of their own, and shown meanwhile."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import Protocol

from hardware.camera import Camera, CameraError, Image, SourceError

LOG = logging.getLogger(__name__)

PACE = 0.15
"""Seconds from one picture of a live camera to the next."""

RETRY = 2.0
"""Seconds after which a camera that failed is opened again."""


class Work(Protocol):
    """What is found out from pictures."""

    def see(self, image: Image) -> None:
        """Takes a picture in; on the bench's thread."""


class Bench(Thread):
    """Shows a camera's pictures to a `work` until it is stopped. `image` is the newest one that was worked on, `fault`
    what is wrong with the camera; `version` changes with both.
    """

    def __init__(self, open_camera: Callable[[], Camera], work: Work) -> None:
        super().__init__(name="calibrating", daemon=True)
        self.image: Image | None = None
        self.fault: Exception | None = None
        self.version = 0
        self._open_camera, self._work = open_camera, work
        self._asked_to_stop = Event()

    def stop(self) -> None:
        """Asks the thread to end and to free the camera, without waiting for it."""
        self._asked_to_stop.set()

    def ended(self, timeout: float = 10.0) -> None:
        """Waits until the thread has ended and the camera is free; at most so many seconds."""
        self.stop()
        if self.is_alive():
            self.join(timeout)

    def run(self) -> None:
        """Opens the camera, again and again if it fails, and follows it."""
        while not self._asked_to_stop.is_set():
            try:
                with self._open_camera() as camera:
                    self._follow(camera)
                return
            except SourceError as error:  # there is none, and there will be none
                self._tell(error)
                return
            except CameraError as error:
                self._tell(error)
            except Exception as error:
                LOG.exception("the calibration failed")
                self._tell(error)
            self._asked_to_stop.wait(RETRY)

    def _follow(self, camera: Camera) -> None:
        while not self._asked_to_stop.is_set():
            frame = camera.read()
            if frame is None:
                return
            self._work.see(frame.image)
            self.image, self.fault = frame.image, None
            self.version += 1
            if camera.live:
                self._asked_to_stop.wait(PACE)

    def _tell(self, error: Exception) -> None:
        self.fault = error
        self.version += 1
