"""What lens and electronics make of the light: vignetting, blur, noise, tone, JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Image
from hardware.simulated.canvas import Roi
from hardware.simulated.colours import Light, scaled, srgb_curve, threefold
from hardware.simulated.conditions import Sensor

STEPS = 3600
"""Steps of the tone curve for the square root of white light."""
NOISE_FLOOR = 0.003
"""Light at which the electronics' own noise equals that of the light."""
SPREAD = 16
"""Pixels (at 1280 of width) beyond which blur carries no light."""


class Development:
    """From light to picture, for one sensor and size."""

    def __init__(self, sensor: Sensor, size: tuple[int, int], seed: int) -> None:
        self.sensor = sensor
        self.width, self.height = size
        noise = _noise_plate(np.random.default_rng([seed, 3]), size)
        self._noise: NDArray[np.int16] = scaled(noise, sensor.noise / 180 * STEPS, cv2.CV_16S)
        self._curve = _curve(sensor)
        self._gain = np.array(sensor.balance, np.float32) * np.float32(sensor.exposure)

    def expose(self, light: Light) -> NDArray[np.uint16]:
        """What reaches the sensor, in steps of the tone curve, by the square root: so noise is alike everywhere."""
        return self._exposed(light, np.s_[:, :])

    def exposed_again(self, exposed: NDArray[np.uint16], light: Light, changed: Roi) -> NDArray[np.uint16]:
        """The same where the light has changed only in a part of the picture."""
        spread = int(SPREAD * self.width / 1280)
        x0, y0 = max(0, changed.x - spread), max(0, changed.y - spread)
        x1, y1 = changed.x + changed.width + spread, changed.y + changed.height + spread
        part = (slice(y0, y1), slice(x0, x1))
        fresh, result = self._exposed(light[part], part), exposed.copy()
        top, left = changed.y - y0, changed.x - x0
        result[changed.slices] = fresh[top : top + changed.height, left : left + changed.width]
        return result

    def _exposed(self, light: Light, part: tuple[slice, slice]) -> NDArray[np.uint16]:
        seen: Light = light * threefold(_vignette(self.sensor.vignette, (self.width, self.height), part))
        seen = cv2.transform(seen, np.diag(self._gain))
        seen = _saturated(seen, self.sensor.saturation)
        scale = self.width / 1280
        seen = cv2.GaussianBlur(seen, (0, 0), max(0.3, self.sensor.defocus * scale))
        length = self.sensor.motion * scale
        if length > 0.3:
            seen = cv2.filter2D(seen, -1, _motion(length, self.sensor.motion_angle))
        seen = cv2.sqrt(np.maximum(seen, 0) + np.float32(NOISE_FLOOR))
        steps: NDArray[np.uint16] = scaled(seen, STEPS, cv2.CV_16U)
        return steps

    def develop(self, exposed: NDArray[np.uint16], frame: int) -> Image:
        """The picture, with the noise of that frame."""
        random = np.random.default_rng(frame)
        y, x = random.integers(0, 256, 2)
        noise = self._noise[y : y + self.height, x : x + self.width]
        image: Light = self._curve[cv2.add(exposed, noise, dtype=cv2.CV_16U)]
        if self.sensor.sharpen:
            image = cv2.addWeighted(
                image, 1 + self.sensor.sharpen, cv2.GaussianBlur(image, (0, 0), 1.2), -self.sensor.sharpen, 0
            )
        if self.sensor.jpeg is not None:
            _, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.sensor.jpeg])
            image = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR))
        return image


def _noise_plate(random: np.random.Generator, size: tuple[int, int]) -> Light:
    """Noise with standard deviation 1, a little smooth as cameras leave it, by 256 pixels larger than the picture."""
    plate: Light = random.standard_normal((size[1] + 256, size[0] + 256, 3), np.float32)
    shared = np.full((3, 3), 0.5 / 3**0.5) + 0.7 * np.eye(3)  # half of it is alike in all channels
    plate = cv2.GaussianBlur(cv2.transform(plate, shared.astype(np.float32)), (0, 0), 0.55)
    result: Light = plate / plate.std()
    return result


def _curve(sensor: Sensor) -> NDArray[np.uint8]:
    light = np.maximum((np.arange(1 << 16) / STEPS) ** 2 - NOISE_FLOOR, 0)
    soft = np.where(light > 0.8, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.35), light)  # highlights roll off
    value = np.minimum(srgb_curve(soft), 1)
    s = value * value * (3 - 2 * value)
    value = value + sensor.contrast * (s - value)
    curve: NDArray[np.uint8] = np.clip(np.round(value * 255), 0, 255).astype(np.uint8)
    return curve


def _vignette(strength: float, size: tuple[int, int], part: tuple[slice, slice]) -> Light:
    """How much of the light arrives (h, w) in a part (rows, columns) of a picture."""
    y, x = (np.linspace(-1, 1, n, dtype=np.float32)[some] for n, some in zip(size[::-1], part, strict=True))
    square = (x[None] ** 2 + y[:, None] ** 2 * (size[1] / size[0]) ** 2) / (1 + (size[1] / size[0]) ** 2)
    result: Light = 1 - strength * square
    return result


def _saturated(light: Light, amount: float) -> Light:
    if abs(amount - 1) < 0.01:
        return light
    weights = np.array([0.11, 0.59, 0.30], np.float32)
    return cv2.transform(
        light, (amount * np.eye(3, dtype=np.float32) + (1 - amount) * weights[None]).astype(np.float32)
    )


def _motion(length: float, angle: float) -> Light:
    size = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((size, size), np.float32)
    middle, step = size // 2, np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * length / 2
    ends = [tuple(int(v) for v in np.round((middle + sign * step) * 16)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    result: Light = kernel / kernel.sum()
    return result
