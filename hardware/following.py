"""Following a camera on a thread of its own."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Event, Thread

from hardware.camera import Camera, CameraError, SourceError

LOG = logging.getLogger(__name__)


class Following(Thread, ABC):
    """Opens a camera and follows it until it is stopped or the film ends; a camera that fails is opened again."""

    retry = 2.0
    """Seconds after which it is."""

    def __init__(self, name: str, open_camera: Callable[[], Camera]) -> None:
        super().__init__(name=name, daemon=True)
        self._open_camera = open_camera
        self._asked_to_stop = Event()

    @property
    def wanted(self) -> bool:
        """Whether it has not been asked to stop."""
        return not self._asked_to_stop.is_set()

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
        while self.wanted:
            try:
                with self._open_camera() as camera:
                    self._follow(camera)
                return
            except SourceError as error:  # there is none, and there will be none
                self._failed(error)
                return
            except CameraError as error:
                LOG.info("%s: %s", self.name, error)
                self._failed(error)
            except Exception as error:  # a fault of ours must not end more than this
                LOG.exception("%s failed", self.name)
                self._failed(error)
            self._asked_to_stop.wait(self.retry)

    @abstractmethod
    def _follow(self, camera: Camera) -> None:
        """Reads pictures while it is `wanted`."""

    @abstractmethod
    def _failed(self, error: Exception) -> None:
        """Takes note of what is wrong."""
