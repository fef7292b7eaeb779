"""A camera to calibrate by: its pictures are worked on by a thread of their own, and shown meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hardware.camera import Camera, Image
from hardware.following import Following

PACE = 0.15
"""Seconds from one picture of a live camera to the next."""


class Work(Protocol):
    """What is found out from pictures."""

    def see(self, image: Image) -> None:
        """Takes a picture in; on the bench's thread."""


class Bench(Following):
    """Shows a camera's pictures to a `work` until it is stopped. `image` is the newest one that was worked on, `fault`
    what is wrong with the camera; `version` changes with both.
    """

    def __init__(self, open_camera: Callable[[], Camera], work: Work) -> None:
        super().__init__("calibrating", open_camera)
        self.image: Image | None = None
        self.fault: Exception | None = None
        self.version = 0
        self._work = work

    def _follow(self, camera: Camera) -> None:
        while self.wanted:
            frame = camera.read()
            if frame is None:
                return
            self._work.see(frame.image)
            self.image, self.fault = frame.image, None
            self.version += 1
            if camera.live:
                self._asked_to_stop.wait(PACE)

    def _failed(self, error: Exception) -> None:
        self.fault = error
        self.version += 1
