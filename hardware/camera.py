"""Cameras: whatever gives frames. A frame carries the time at which it was taken."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: `image` (height, width, 3), blue-green-red as OpenCV has it; `time` in seconds from the source's
    own beginning (a film's position, a live camera's monotonic clock); `number` counts from 0.
    """

    image: Image
    time: float
    number: int


class CameraError(Exception):
    """A camera that cannot be opened or gives no frames; the message says what to do."""


class SourceError(CameraError):
    """What was asked for is no camera, film or folder of pictures; the message says what would be one."""


class Camera(ABC):
    """A source of frames, used as a context manager.

    `live` cameras run on by themselves, and only their newest frame counts; others (films, pictures) wait to be read,
    and every frame counts.
    """

    live: bool = True
    name: str = "camera"

    @abstractmethod
    def read(self, timeout: float = 2.0) -> Frame | None:
        """The next frame, or None when the source has ended.

        Raises:
            CameraError: no frame came within `timeout` seconds, or the camera is gone.
        """

    def age(self, frame: Frame) -> float:
        """Seconds since the frame was taken; 0 where every frame counts, however late it is read."""
        return 0.0

    @property
    def alive(self) -> bool:
        """Whether what brings the frames still works on it; a device that is being opened again does."""
        return True

    def close(self) -> None:
        """Gives the device back; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
