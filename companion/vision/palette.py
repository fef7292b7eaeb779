"""Colours as the picture shows them: how well a pixel fits each paint of the set.

A pixel is first made relative to the picture's own references, the white and the black of the corner cards, which takes
away the white balance, the lamp's colour and the exposure. What is left is compared on a soft logarithmic scale: there,
light and shade move a colour along one known direction, glare and haze along another; both are free to a degree, so a
paint is recognised by what remains.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gamma, pi

import cv2
import numpy as np

from companion.games.sets import Marker
from companion.vision.board import Pose
from companion.vision.lens import Array
from companion.vision.raster import INK, Paints

SOFT = 0.02
"""Added to a linear value before its logarithm, so that noise in the dark does not count."""

NOMINAL, FITTED = 0.24, 0.14
"""Spread of a paint on the logarithmic scale: from the set file, and once it was seen in the picture."""

SHADE = 0.5
"""Spread of light and shade (natural logarithm)."""

HAZE = 0.02
"""Spread of glare and haze: light that is added, relative to white."""

STRAY = 0.03
"""Part of the pixels on a surface that show something else: dirt, noise, an edge."""

FREEDOM = 4.0
"""Degrees of freedom of the (Student) distribution of a paint's pixels: its tails are heavy."""

ANYTHING = -np.log(30.0)
"""Log density of a pixel that shows no paint in particular, on the logarithmic scale."""

BITS = 5
"""Bits a channel in the table of all pixel colours."""

CARD_WHITE, CARD_BLACK = 0.84, 0.012
"""Linear reflectance of the cards, nominally."""


@dataclass(frozen=True, slots=True)
class Light:
    """What white and black look like in the picture: linear blue-green-red (3,), 0 to 1."""

    white: Array
    black: Array

    @classmethod
    def nominal(cls) -> Light:
        """A well-lit, well-balanced picture: where no card shows, this is as good a guess as any."""
        return cls(np.full(3, CARD_WHITE), np.full(3, CARD_BLACK))

    def differs(self, other: Light) -> bool:
        """Whether colours must be compared anew."""
        return bool(np.abs(np.log((self.white + 0.02) / (other.white + 0.02))).max() > 0.06)


def measure_light(image: Array, pose: Pose, marker: Marker, z: float) -> Light | None:
    """The light on the cards in `image`, or None where no card shows."""
    whites, blacks = [], []
    for x, y in marker.centres:
        white = _ring(image, pose, (x, y, z), marker.size / 2 + marker.quiet / 2)
        black = _ring(image, pose, (x, y, z), marker.size / 2 - marker.size / 12)
        if white is None or black is None:
            continue
        bright, dark = np.percentile(white, 65, axis=0), np.percentile(black, 35, axis=0)
        if (bright > 2 * dark + 0.02).all():
            whites.append(bright)
            blacks.append(dark)
    if not whites:
        return None
    return Light(np.exp(np.log(whites).mean(axis=0)), np.min(blacks, axis=0))


def _ring(image: Array, pose: Pose, centre: tuple[float, float, float], half: float) -> Array | None:
    """Linear colours (n, 3) along a square of half side `half` mm around `centre`."""
    t = np.linspace(-1, 1, 25)
    side = np.column_stack([t, np.ones_like(t)])
    square = half * np.concatenate([side, -side, side[:, ::-1], -side[:, ::-1]])
    points = np.column_stack([square + centre[:2], np.full(len(square), centre[2])])
    at = pose.project(points)
    height, width = image.shape[:2]
    if not ((at > 0) & (at < (width - 1, height - 1))).all():
        return None
    return linear(sample(image, at))


def sample(image: Array, at: Array) -> Array:
    """Pixels (n, 3) of `image` at `at` (n, 2), between pixels; outside the picture the nearest ones."""
    count = len(at)
    rows = -(-count // 256)
    where = np.zeros((rows * 256, 2), np.float32)
    where[:count] = at
    where = where.reshape(rows, 256, 2)
    seen = cv2.remap(image, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.reshape(-1, 3)[:count]


def linear(pixels: Array) -> Array:
    """Linear light (0 to 1) of sRGB values (0 to 255)."""
    value = np.asarray(pixels, np.float32) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


class Palette:
    """The paints of a game in a picture's light."""

    def __init__(self, paints: Paints, light: Light, means: Array | None = None, fitted: Array | None = None) -> None:
        """`means` (colours, 3): where the picture shows the paints, on the logarithmic scale; `fitted` (colours,)
        marks those that were really seen. Without them the set file's colours count.
        """
        self.paints = paints
        self.light = light
        nominal = np.array([colour[::-1] for colour in paints.colours], np.float64)
        self.nominal = np.log(linear(nominal) + SOFT)
        self.means = self.nominal if means is None else means
        self.fitted = np.zeros(len(nominal), bool) if fitted is None else fitted
        self.table = self._table()

    def scale(self, pixels: Array) -> Array:
        """Pixels (n, 3) on the logarithmic scale, relative to the cards."""
        white, black = self.light.white, self.light.black
        relative = (linear(pixels) - black) / np.maximum(white - black, 0.01) * (CARD_WHITE - CARD_BLACK) + CARD_BLACK
        return np.log(np.maximum(relative, -SOFT / 2) + SOFT)

    def read(self, image: Array, at: Array) -> Array:
        """How much better each paint explains the pixels at `at` (n, 2) than anything else might.

        Natural logarithms (n, paints + 1); the last column (`unsure`) is 0.
        """
        pixels = sample(image, at) >> (8 - BITS)
        b, g, r = pixels[:, 0].astype(np.int32), pixels[:, 1].astype(np.int32), pixels[:, 2]
        return self.table[(b << (2 * BITS)) | (g << BITS) | r]

    @property
    def unsure(self) -> int:
        """The column that is 0 for every pixel."""
        return len(self.paints.colours) + len(self.paints.prints)

    def _table(self) -> Array:
        levels = (np.arange(1 << BITS) * 8 + 3.5).astype(np.float32)
        pixels = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)
        seen = self.scale(pixels).astype(np.float32)
        densities = [self._density(seen, k) for k in range(len(self.means))]
        densities += [(1 - INK) * densities[ground] + INK * densities[ink] for ground, ink in self.paints.prints]
        ratios = np.log((1 - STRAY) * np.stack(densities, axis=1) / np.exp(ANYTHING) + STRAY)
        return np.column_stack([ratios, np.zeros((len(seen), 1))]).astype(np.float32)

    def _density(self, seen: Array, k: int) -> Array:
        mean = self.means[k]
        value = np.exp(mean) - SOFT
        shade = SHADE * value / (value + SOFT)
        haze = HAZE / (value + SOFT)
        spread = FITTED if self.fitted[k] else NOMINAL
        covariance = spread**2 * np.eye(3) + np.outer(shade, shade) + np.outer(haze, haze)
        whiten = np.linalg.inv(np.linalg.cholesky(covariance)).astype(np.float32)
        distance = np.square((seen - mean.astype(np.float32)) @ whiten.T).sum(axis=1)
        peak = _STUDENT / np.sqrt(np.linalg.det(covariance))
        return peak * (1 + distance / FREEDOM) ** (-(FREEDOM + 3) / 2)


_STUDENT = gamma((FREEDOM + 3) / 2) / (gamma(FREEDOM / 2) * (FREEDOM * pi) ** 1.5)
