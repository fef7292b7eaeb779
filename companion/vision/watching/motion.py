"""What changed between two pictures: on small copies, tolerant to noise, exposure, white balance and slow drift."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.images import Image, Mask

WIDTH = 384
"""Wanted width of a thumbnail; the true one is the frame's by an even divisor."""

THRESHOLD = 12
"""Grey levels by which a channel must at least leave the range of its surroundings to count as changed."""

ABOVE_NOISE = 4.0
"""The same in terms of the noise, where that asks for more."""

_AROUND = np.ones((3, 3), np.uint8)
_LOG = np.round(32 * np.log2(np.maximum(np.arange(256), 1))).astype(np.int32)  # 1/32 octave, about 2 %
_SPAN = 64  # the largest change of exposure looked for: two octaves


@dataclass(frozen=True)
class Thumbnail:
    """A small copy of a frame, `image` (height, width, 3) blue-green-red; `scale`: pixels of the frame per pixel;
    `noise`: mean difference, in grey levels, from another picture of the same.
    """

    image: Image
    scale: float
    noise: float = 0.0

    @cached_property
    def low(self) -> Image:
        """The darkest value around each pixel, channel by channel."""
        return np.asarray(cv2.erode(self.image, _AROUND), np.uint8)

    @cached_property
    def high(self) -> Image:
        """The brightest value around each pixel, channel by channel."""
        return np.asarray(cv2.dilate(self.image, _AROUND), np.uint8)

    @property
    def usable(self) -> bool:
        """Whether the picture shows anything: not black, not uniform, not burnt out. On a dark table top the corner
        cards may be all that is bright.
        """
        levels = np.sort(self.image[::6, ::6, 1], axis=None)
        few = len(levels) // 200
        dark, bright = int(levels[few]), int(levels[-few - 1])
        return bright - dark >= 20 and bright >= 30 and int(levels[len(levels) // 10]) < 250


def thumbnail(image: Image) -> Thumbnail:
    """A small copy of a colour picture. With an even divisor each pixel is the mean of the four in its middle."""
    height, width = image.shape[:2]
    divisor = max(2 * round(width / WIDTH / 2), 1)
    size = (max(width // divisor, 1), max(height // divisor, 1))
    small = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
    return Thumbnail(np.asarray(small, np.uint8), width / size[0])


def changes(before: Thumbnail, after: Thumbnail, gains: NDArray[np.float64] | None = None) -> Mask:
    """Where the two differ, exposure and white balance of the whole picture set aside: `gains`, where they are known.

    A pixel has changed where it leaves the range of values around it in the other picture, so that a shift by a part of
    a pixel is no change; single pixels are noise.
    """
    plain = _outside(before, after)
    if not plain.any():
        return plain
    gains = exposure(before, after) if gains is None else gains
    if gains is None or np.all(np.abs(gains - 1.0) < 0.02):
        return plain
    levelled = _outside(relight(before, gains), after)
    return levelled if np.count_nonzero(levelled) < np.count_nonzero(plain) else plain


def _outside(before: Thumbnail, after: Thumbnail) -> Mask:
    first, second = before.image, after.image
    least = max(THRESHOLD, ABOVE_NOISE * max(before.noise, after.noise))
    if cv2.norm(first, second, cv2.NORM_INF) <= least:
        return np.zeros(first.shape[:2], np.uint8)
    beyond = cv2.max(cv2.subtract(second, before.high), cv2.subtract(before.low, second))
    beyond = cv2.max(beyond, cv2.max(cv2.subtract(first, after.high), cv2.subtract(after.low, first)))
    blue, green, red = cv2.split(beyond)
    peak = cv2.max(cv2.max(blue, green), red)
    _, mask = cv2.threshold(peak, least, 255, cv2.THRESH_BINARY)
    if not cv2.countNonZero(mask):
        return np.asarray(mask, np.uint8)
    crowd = cv2.blur(mask, (3, 3), borderType=cv2.BORDER_CONSTANT)  # 255 / 9 a neighbour
    _, crowded = cv2.threshold(crowd, 69, 255, cv2.THRESH_BINARY)
    return np.asarray(cv2.bitwise_and(mask, crowded), np.uint8)


def exposure(before: Thumbnail, after: Thumbnail) -> NDArray[np.float64] | None:
    """The factor from `before` to `after` for each channel on which most of the picture agrees, or None."""
    first, second = (np.ascontiguousarray(t.image[::4, ::4]) for t in (before, after))
    lit = cv2.bitwise_and(cv2.inRange(first, (13,) * 3, (239,) * 3), cv2.inRange(second, (13,) * 3, (249,) * 3))
    usable = lit > 0
    if np.count_nonzero(usable) < 100:
        return None
    steps = _LOG[second[usable]] - _LOG[first[usable]]
    gains = [_common_step(steps[:, channel]) for channel in range(3)]
    return None if None in gains else np.exp2(np.array(gains, np.float64) / 32)


def _common_step(steps: NDArray[np.int32]) -> float | None:
    """The step around which the most pixels gather, if they are enough to be believed."""
    counts = np.bincount(np.clip(steps + _SPAN, 0, 2 * _SPAN), minlength=2 * _SPAN + 1)
    near = np.convolve(counts, np.ones(5), "same")
    peak = int(np.argmax(near))
    if near[peak] < 0.2 * len(steps):
        return None
    bins = np.arange(max(peak - 2, 0), min(peak + 3, len(counts)))
    return float(np.average(bins, weights=counts[bins])) - _SPAN


def relight(thumb: Thumbnail, gains: NDArray[np.float64]) -> Thumbnail:
    """The thumbnail as it would look with each channel exposed by that factor."""
    levels = np.arange(256)[:, None] * gains
    table = np.clip(np.round(levels), 0, 255).astype(np.uint8).reshape(256, 1, 3)
    return Thumbnail(np.asarray(cv2.LUT(thumb.image, table), np.uint8), thumb.scale, thumb.noise)


class NoiseMeter:
    """Follows the noise of a camera from frame to frame, whatever moves in the picture."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._noise: float | None = None

    def measured(self, thumb: Thumbnail) -> Thumbnail:
        """The thumbnail with its noise."""
        sample = thumb.image[::4, ::4]
        if self._last is not None and self._last.shape == sample.shape:
            differences = np.sort(cv2.absdiff(sample, self._last), axis=None)
            now = 1.55 * float(np.mean(differences[: len(differences) * 3 // 4]))  # the rest may have moved
            if self._noise is None:
                self._noise = now
            else:
                self._noise += 0.2 * (min(now, 2 * self._noise + 1) - self._noise)
        self._last = sample
        return Thumbnail(thumb.image, thumb.scale, self._noise or 0.0)


class Stillness:
    """Tells moving from settled: settled is what has looked the same for `seconds`, slow movement included.

    `latest`: the time of the newest change.
    """

    def __init__(self, seconds: float = 0.35) -> None:
        self.seconds = seconds
        self.forget()

    def forget(self) -> None:
        """Starts over with the next frame."""
        self._anchor: Thumbnail | None = None
        self._changed_at = np.zeros((0, 0))
        self.latest = 0.0
        self._refreshed = 0.0

    def restless(self, thumb: Thumbnail, time: float) -> Mask | None:
        """Takes the next frame in; where it has not yet settled, or None where it has everywhere.

        Whatever settles has been seen alike in two frames at least.
        """
        if self._anchor is None:
            self._changed_at = np.full(thumb.image.shape[:2], float(time))
            self._anchor, self.latest, self._refreshed = thumb, time, time
        else:
            self._compare(self._anchor, thumb, time)
        if time - self.latest >= self.seconds:
            return None
        return np.where(self._changed_at > time - self.seconds, 255, 0).astype(np.uint8)

    def _compare(self, anchor: Thumbnail, thumb: Thumbnail, time: float) -> None:
        mask = changes(anchor, thumb)
        if cv2.countNonZero(mask):
            self._changed_at[mask > 0] = time
            self._anchor, self.latest, self._refreshed = thumb, time, time
        elif time - self._refreshed >= 1.0:  # follow the light, so that a slow drift never adds up to a change
            blended = cv2.addWeighted(anchor.image, 0.75, thumb.image, 0.25, 0.0)
            self._anchor, self._refreshed = Thumbnail(np.asarray(blended, np.uint8), thumb.scale, thumb.noise), time
