"""The Raspberry Pi camera through Picamera2, which comes with Raspberry Pi OS and is imported only here."""

from __future__ import annotations

import os
from typing import Any

from hardware.camera import CameraError, Image
from hardware.exposure import ExposureLock
from hardware.live import LiveCamera

SIZE = (1536, 864)
FRAME_RATE = 15.0
SILENCE_SECONDS = 2.0
SMALLER = 4
"""The second, grey stream is so many times smaller: the Pi makes it anyway, and its brightness is known at once."""

MISSING = (
    "Picamera2 is not installed; on Raspberry Pi OS: sudo apt install python3-picamera2, and a virtual environment "
    "made with --system-site-packages"
)


class PiCamera(LiveCamera):
    """The first camera on the Pi's camera connectors.

    Exposure, white balance and focus settle, and are then locked, so that a hand in the picture does not change its
    colours. When the light of the room changes for good, they settle anew.
    """

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        """Opens the camera.

        Raises:
            CameraError: Picamera2 is missing, no camera is connected, or another program has it.
        """
        super().__init__("picamera", lambda: _PiDevice(size))


def pi_cameras() -> list[tuple[int, str]]:
    """Number and model of each camera on the Pi's own connectors; libcamera lists USB webcams as well.

    Raises:
        CameraError: Picamera2 is missing.
    """
    found = _picamera2().global_camera_info()
    return [(camera["Num"], camera["Model"]) for camera in found if "/usb" not in camera["Id"]]


def _picamera2() -> Any:
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:ERROR")
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraError(f"{MISSING} ({error})") from error
    return Picamera2


class _PiDevice:
    """An open Picamera2 as a device."""

    def __init__(self, size: tuple[int, int]) -> None:
        cameras = pi_cameras()
        if not cameras:
            raise CameraError("no camera is connected to the Pi; check the ribbon cable with the power off")
        try:
            self._camera = _picamera2()(cameras[0][0])
        except (RuntimeError, IndexError) as error:
            raise CameraError(f"the Pi's camera cannot be opened, another program may be using it ({error})") from error
        self._lock = ExposureLock()
        self._request: Any = None
        self._start(size)

    def _start(self, size: tuple[int, int]) -> None:
        mode = _whole_view(self._camera.sensor_modes, size)
        configuration = self._camera.create_video_configuration(
            main={"size": size, "format": "RGB888"},  # blue-green-red in memory
            lores={"size": _smaller(size), "format": "YUV420"},
            sensor={"output_size": mode["size"], "bit_depth": mode["bit_depth"]},
            controls={"FrameRate": FRAME_RATE},
        )
        self._camera.configure(configuration)
        self._camera.start()
        if "AfMode" in self._camera.camera_controls:
            from libcamera import controls

            self._camera.set_controls({"AfMode": controls.AfModeEnum.Auto, "AfTrigger": controls.AfTriggerEnum.Start})

    def grab(self) -> bool:
        """Waits for a picture; Picamera2 can hang, so the wait has an end."""
        self._release()
        try:
            self._request = self._camera.capture_request(wait=False).get_result(timeout=SILENCE_SECONDS)
        except TimeoutError:
            self._camera.cancel_all_and_flush()
            return False
        return True

    def picture(self) -> Image:
        image: Image = self._request.make_array("main")
        controls = self._lock.follow(self._request.get_metadata(), float(self._grey()[::4, ::4].mean()))
        if controls:
            self._camera.set_controls(controls)
        return image

    def _grey(self) -> Image:
        """The small grey picture: the upper planes of the YUV rows, without what pads them."""
        width, height = self._camera.camera_configuration()["lores"]["size"]
        planes: Image = self._request.make_array("lores")
        return planes[:height, :width]

    def close(self) -> None:
        self._release()
        self._camera.stop()
        self._camera.close()

    def _release(self) -> None:
        if self._request is not None:
            self._request.release()
            self._request = None


def _smaller(size: tuple[int, int]) -> tuple[int, int]:
    """The size of the grey stream; libcamera wants even numbers."""
    return size[0] // SMALLER // 2 * 2, size[1] // SMALLER // 2 * 2


def _whole_view(modes: list[dict[str, Any]], size: tuple[int, int]) -> dict[str, Any]:
    """The smallest sensor mode of at least `size` that sees all that the lens shows; the faster ones see less."""
    widest = max(mode["crop_limits"][2] for mode in modes)
    whole = [mode for mode in modes if mode["crop_limits"][2] == widest]
    large = [mode for mode in whole if mode["size"][0] >= size[0] and mode["size"][1] >= size[1]]
    return min(large or whole, key=lambda mode: mode["size"])
