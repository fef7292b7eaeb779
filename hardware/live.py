"""Live cameras: a thread that keeps up with the device, gives only the newest picture, and survives silence."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from hardware.camera import Camera, CameraError, Frame, Image

RETRY_SECONDS = 1.0
"""How long to wait before a lost device is opened again."""

STUCK_SECONDS = 20.0
"""A driver that has not come back for so long has hung; opening a camera may take some seconds."""


class Device(Protocol):
    """The part of a live camera that knows the driver. Used from one thread at a time."""

    def grab(self) -> bool:
        """Waits for the next picture, 2 s at most; False when none came."""

    def picture(self) -> Image:
        """The picture last grabbed; decoding it is dear, so only pictures that are wanted are asked for."""

    def close(self) -> None:
        """Gives the device back."""


class LiveCamera(Camera):
    """A camera that runs on by itself.

    A device that falls silent or fails is closed and opened again, for as long as it takes: `read` raises `CameraError`
    meanwhile, and gives frames again afterwards. `time` of a frame is the monotonic clock; `number` counts what the
    device delivered, so that gaps show.
    """

    live = True

    def __init__(self, name: str, open_device: Callable[[], Device]) -> None:
        """Opens the device at once.

        Raises:
            CameraError: there is no such device, or another program has it.
        """
        self.name = name
        self._open_device = open_device
        self._fresh = threading.Condition()
        self._wanted = False
        self._frame: Frame | None = None
        self._number = 0
        self._trouble = ""
        self._stop = threading.Event()
        self._turn = time.monotonic()
        device = open_device()
        self._thread = threading.Thread(target=self._run, args=(device,), name=name, daemon=True)
        self._thread.start()

    def read(self, timeout: float = 2.0) -> Frame | None:
        """The next frame that the device delivers; None once the camera is closed.

        Raises:
            CameraError: none came within `timeout` seconds; the device is being opened again, so read again.
        """
        with self._fresh:
            self._frame, self._wanted = None, True
            self._fresh.wait_for(lambda: self._frame is not None or self._stop.is_set(), timeout)
            if self._frame is None and not self._stop.is_set():
                why = f" ({self._trouble})" if self._trouble else ""
                raise CameraError(f"{self.name} gives no picture{why}; check its cable, it is being opened again")
            return self._frame

    def age(self, frame: Frame) -> float:
        """Seconds since the frame was taken."""
        return time.monotonic() - frame.time

    @property
    def alive(self) -> bool:
        """Whether the thread has come round lately: a driver may hang for ever, and a thread cannot be ended."""
        return time.monotonic() - self._turn < STUCK_SECONDS

    def close(self) -> None:
        """Stops the thread, which gives the device back."""
        self._stop.set()
        with self._fresh:
            self._fresh.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)

    def _run(self, device: Device | None) -> None:
        while device is not None:
            try:
                self._serve(device)
            except Exception as error:  # drivers raise what they like; whatever it is, the device is opened again
                self._trouble = str(error)
            finally:
                device.close()
            device = self._reopen()

    def _serve(self, device: Device) -> None:
        while not self._stop.is_set():
            self._turn = time.monotonic()
            if not device.grab():
                self._trouble = "it fell silent"
                return
            moment, self._number = time.monotonic(), self._number + 1
            if self._wanted:
                self._deliver(Frame(device.picture(), moment, self._number - 1))

    def _deliver(self, frame: Frame) -> None:
        with self._fresh:
            self._frame, self._wanted, self._trouble = frame, False, ""
            self._fresh.notify_all()

    def _reopen(self) -> Device | None:
        while not self._stop.wait(RETRY_SECONDS):
            self._turn = time.monotonic()
            try:
                return self._open_device()
            except CameraError as error:
                self._trouble = str(error)
        return None
