"""A double of Picamera2 and libcamera, for machines without them: the documented part of the interface that is used.

It is as strict as the real one: a configuration before a start, a start before a capture, requests given back before
the camera runs out of buffers, one opener at a time, controls by names that the camera has.
"""

import types
from concurrent.futures import Future
from time import sleep

import numpy as np

CONTROLS = {"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "FrameRate", "AfMode", "AfTrigger"}
MODES = [
    {"size": (1536, 864), "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728), "fps": 120.1},
    {"size": (2304, 1296), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592), "fps": 56.0},
    {"size": (4608, 2592), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592), "fps": 14.3},
]
BUFFERS = 6


class Pi:
    """What is connected to the Pi, and how it behaves."""

    def __init__(self):
        self.cameras = [
            {"Model": "imx708", "Num": 0, "Id": "/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a", "Rotation": 180},
            {"Model": "USB webcam", "Num": 1, "Id": "/base/axi/pcie@1000120000/rp1/usb@300000-1:1.0-046d:0825"},
        ]
        self.autofocus = True
        self.hangs = False
        self.brightness = 100
        self.metadata = {"ExposureTime": 20000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.5), "Lux": 300.0}
        self.opened = None
        self.times_opened = 0
        self.unreturned = 0
        self.controls = []
        self.configuration = None

    def modules(self):
        """What `import picamera2` and `import libcamera` give."""

        class Picamera2(_Picamera2):
            pi = self

        enums = types.SimpleNamespace(
            AfModeEnum=types.SimpleNamespace(Manual=0, Auto=1, Continuous=2),
            AfTriggerEnum=types.SimpleNamespace(Start=0, Cancel=1),
        )
        picamera2 = types.ModuleType("picamera2")
        picamera2.Picamera2 = Picamera2
        libcamera = types.ModuleType("libcamera")
        libcamera.controls = enums
        return {"picamera2": picamera2, "libcamera": libcamera}


class _Picamera2:
    pi: Pi

    @classmethod
    def global_camera_info(cls):
        return [dict(camera) for camera in cls.pi.cameras]

    def __init__(self, camera_num=0, tuning=None):
        if camera_num >= len(self.pi.cameras):
            raise IndexError("list index out of range")
        if self.pi.opened is not None:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.pi.opened = self
        self.pi.times_opened += 1
        self.pi.unreturned = 0
        self.started = False
        self.configured = False
        self.camera_controls = {name: (0, 1, 0) for name in CONTROLS if self.pi.autofocus or not name.startswith("Af")}

    @property
    def sensor_modes(self):
        return [dict(mode) for mode in MODES]

    def create_video_configuration(self, main=None, lores=None, raw=None, sensor=None, controls=None, buffer_count=6):
        self._check_controls(controls or {})
        streams = {"main": dict(main)} | ({"lores": dict(lores)} if lores else {})
        return streams | {"sensor": dict(sensor or {}), "controls": dict(controls), "buffers": buffer_count}

    def configure(self, camera_config):
        assert not self.started, "Camera must be stopped before configuring"
        for name in ("main", "lores"):
            assert not any(side % 2 for side in camera_config.get(name, {"size": ()})["size"]), "must be even"
        if "lores" in camera_config:
            assert camera_config["lores"]["format"] == "YUV420", "lores stream must be YUV"
            assert camera_config["lores"]["size"] <= camera_config["main"]["size"]
        self.pi.configuration = camera_config
        self.configured = True

    def camera_configuration(self):
        return self.pi.configuration

    def start(self):
        assert self.configured
        self.started = True

    def set_controls(self, controls):
        self._check_controls(controls)
        self.pi.controls.append(dict(controls))

    def _check_controls(self, controls):
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")

    def capture_request(self, wait=None, signal_function=None):
        assert self.started
        assert wait is False
        job = _Job()
        if not self.pi.hangs and self.pi.unreturned < self.pi.configuration["buffers"]:
            sleep(0.001)
            job.future.set_result(_Request(self))
        return job

    def cancel_all_and_flush(self):
        assert self.started

    def stop(self):
        self.started = False

    def close(self):
        assert not self.started
        self.pi.opened = None


class _Job:
    def __init__(self):
        self.future = Future()

    def get_result(self, timeout=None):
        return self.future.result(timeout)


class _Request:
    def __init__(self, camera):
        self.pi = camera.pi
        self.pi.unreturned += 1

    def make_array(self, name):
        """The main stream as a picture; the other one as rows of luminance and then of colour, padded to 64 bytes."""
        width, height = self.pi.configuration[name]["size"]
        if name == "lores":
            planes = np.full((height * 3 // 2, -(-width // 64) * 64), 128, np.uint8)
            planes[:height, :width] = self.pi.brightness
            return planes
        assert self.pi.configuration[name]["format"] == "RGB888"
        return np.full((height, width, 3), self.pi.brightness, np.uint8)

    def get_metadata(self):
        return dict(self.pi.metadata)

    def release(self):
        self.pi.unreturned -= 1
        assert self.pi.unreturned >= 0
