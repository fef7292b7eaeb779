"""Webcams through V4L2."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")  # seconds of silence; read by OpenCV at first use

import cv2
import numpy as np

from hardware.camera import CameraError, Image
from hardware.exposure import ExposureLock
from hardware.live import LiveCamera

SIZE = (1280, 720)
SYSFS = Path("/sys/class/video4linux")
SETTLING = 30
"""Pictures after which exposure, white balance and focus have settled: many webcams do not tell."""

MANUAL, BY_ITSELF = 1, 3
"""V4L2's values of `exposure_auto`."""


class Webcam(LiveCamera):
    """A webcam by its number, as in /dev/video0.

    `capture` opens the device; it is `cv2.VideoCapture`, or something like it.
    """

    def __init__(self, index: int, capture: Callable[[int, int], Any] = cv2.VideoCapture) -> None:
        """Opens the webcam.

        Raises:
            CameraError: there is no such webcam, or another program has it.
        """
        super().__init__(f"webcam:{index}", lambda: _Capture(index, capture))


class _Capture:
    """A `cv2.VideoCapture` as a device."""

    def __init__(self, index: int, capture: Callable[[int, int], Any]) -> None:
        self._capture = capture(index, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(f"webcam:{index} cannot be opened; {_advice(index)}")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # raw pictures this large: 5 a second
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._lock = ExposureLock(SETTLING)
        self._automatic(True)

    def grab(self) -> bool:
        return bool(self._capture.grab())

    def _automatic(self, on: bool) -> None:
        """Lets the webcam adjust itself, or locks it as it is.

        What a webcam does not know how to do, it leaves; its driver keeps such settings when it is opened again.
        """
        exposure, warmth = (self._capture.get(key) for key in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_WB_TEMPERATURE))
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, BY_ITSELF if on else MANUAL)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, float(on))
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, float(on))
        if not on and exposure:  # 0 where the webcam does not tell: it would go dark
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        if not on and warmth:
            self._capture.set(cv2.CAP_PROP_WB_TEMPERATURE, warmth)

    def picture(self) -> Image:
        good, image = self._capture.retrieve()
        if not good:
            raise CameraError("a picture came through torn")
        told = {"ExposureTime": self._capture.get(cv2.CAP_PROP_EXPOSURE), "AnalogueGain": 1.0}
        controls = self._lock.follow(told, float(image[::16, ::16].mean()))
        if "AeEnable" in controls:
            self._automatic(controls["AeEnable"])
        return np.asarray(image, np.uint8)

    def close(self) -> None:
        self._capture.release()


def _advice(index: int) -> str:
    if not Path(f"/dev/video{index}").exists():
        found = ", ".join(f"webcam:{number}" for number in webcams()) or "none"
        return f"there is no /dev/video{index}; webcams found: {found}"
    return "another program may be using it, or the user is not in the group video"


def webcams(sysfs: Path = SYSFS) -> list[int]:
    """The numbers of the USB webcams that are plugged in (of the kernel's other video devices, none gives pictures)."""
    found = []
    for device in sysfs.glob("video*"):
        driver = device / "device" / "driver"
        index = device / "index"  # a webcam's second device gives only metadata
        if driver.exists() and driver.resolve().name == "uvcvideo" and index.read_text().strip() == "0":
            found.append(int(device.name.removeprefix("video")))
    return sorted(found)
