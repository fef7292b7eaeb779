"""Colours as the picture shows them: how well a pixel fits each paint of the set.

A pixel is first made relative to the picture's own references, the white and the black of the corner cards, which takes
away the white balance, the lamp's colour and the exposure. What is left is compared on a soft logarithmic scale: there,
light and shade move a colour along one known direction, glare and haze along another; both are free to a degree, so a
paint is recognised by what remains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gamma, pi
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.sets import Marker
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import INK, Paints

SOFT = 0.04
"""Added to a linear value before its logarithm, so that noise in the dark does not count."""


Blend = tuple[tuple[int, float], ...]
"""What may show at a point: numbers of paints, and how likely each is there."""

Column = int | Blend


class Freedom(NamedTuple):
    """How far a surface's pixels may be from its mean: `spread` on the logarithmic scale; `shade`, of light and shade
    (natural logarithm); `haze`, of glare and haze (light that is added, relative to white).
    """

    spread: float
    shade: float
    haze: float


class Lit(NamedTuple):
    """The light on a part of the picture, compared with the whole: how much stronger, and a veil of light added to it
    (relative to white).
    """

    gain: float
    veil: float


EVEN = Lit(1.0, 0.0)
"""As everywhere."""

NOMINAL = Freedom(0.25, 0.5, 0.05)
"""Of a paint as the set file has it."""

ALIKE = Freedom(0.17, 0.45, 0.03)
"""Of a paint that was not seen itself in the picture, but one much like it."""

SEEN = Freedom(0.12, 0.35, 0.05)
"""Of a paint that was seen in the picture."""

TABLE = Freedom(0.2, 0.4, 0.03)
"""Of each colour of the table top; `spread` at least."""

ENOUGH = 30
"""Pixels from which a paint counts as seen."""

FITTED = 0.2
"""How far, on the logarithmic scale, a seen paint typically is from what gain and veil of the light make of it."""

USUAL = (0.7, 0.04, 0.15)
"""How far the light's gain (natural logarithm) and veil (relative to white), and the fading of colours, typically are
from one and none.
"""

FADES = (0.0, 0.06, 0.12, 0.18, 0.24, 0.3, -0.06, -0.12, -0.18)
"""How far colours may have faded."""

SHADE, SHADES = 0.35, 0.5
"""The part of the light that deep shade leaves, and how much that varies (natural logarithm)."""

LIKENESS = 0.7
"""Distance on the logarithmic scale up to which paints are much alike."""

MISTAKEN = 0.5
"""From this on (natural logarithm) a paint is so far from how the picture should show it that it may be another one."""

FARTHEST = 1.2
"""Farthest that a paint may be from what the set file says, on the logarithmic scale, in each channel."""

MAIN = 0.12
"""Part of the table top from which a colour belongs to it and not to something that lies there."""

LEAST_ROUGH = 8.0
"""Grey levels below which no table is smoother: noise."""

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

    def over(self, image: Array) -> Light:
        """The same light, but no black lighter than the darkest part of the picture: blurred cards are not black."""
        some = image[::8, ::8].reshape(-1, 3)
        counts = np.stack([np.bincount(some[:, k], minlength=256) for k in range(3)])
        darkest = (counts.cumsum(axis=1) < 0.01 * len(some)).sum(axis=1).astype(np.uint8)
        return Light(self.white, np.minimum(self.black, linear(darkest)))

    def relative(self, value: Array) -> Array:
        """Linear light (..., 3) between the cards' black (0) and their white (1)."""
        relative: Array = (value - self.black) / np.maximum(self.white - self.black, 0.01)
        return relative

    def reflectance(self, value: Array) -> Array:
        """Linear light (..., 3) as in nominal light, where the cards have their nominal reflectance."""
        return self.relative(value) * (CARD_WHITE - CARD_BLACK) + CARD_BLACK

    def differs(self, other: Light) -> bool:
        """Whether colours must be compared anew."""
        return bool(np.abs(np.log((self.white + 0.02) / (other.white + 0.02))).max() > 0.06)


def measure_light(image: Array, pose: Pose, marker: Marker, z: float) -> Light | None:
    """The light on the cards in `image`, or None where no card shows."""
    corners = np.array([pose.card(marker, number, z) for number in marker.ids]).reshape(-1, 4, 2)
    rings = np.stack([_rings(corners, wider) for wider in (1 + marker.quiet / marker.size, 1 - 1 / 6)], axis=1)
    height, width = image.shape[:2]
    rings = rings[((rings > 0) & (rings < (width - 1, height - 1))).all(axis=(1, 2, 3))]
    if not len(rings):
        return None
    seen = linear(sample(image, rings.reshape(-1, 2))).reshape(*rings.shape[:3], 3)
    bright, dark = np.percentile(seen[:, 0], 65, axis=1), np.percentile(seen[:, 1], 35, axis=1)
    shown = (bright > 2 * dark + 0.02).all(axis=1)
    if not shown.any():
        return None
    return Light(np.exp(np.log(bright[shown]).mean(axis=0)), dark[shown].min(axis=0))


def _rings(corners: Array, wider: float) -> Array:
    """Points (cards, n, 2) along the black squares of cards with these corners (cards, 4, 2), made so much wider."""
    middle = corners.mean(axis=1, keepdims=True)
    ends = middle + wider * (corners - middle)
    t = np.linspace(0, 1, 25)[:, None]
    return np.concatenate([(1 - t) * ends[:, k - 1, None] + t * ends[:, k, None] for k in range(4)], axis=1)


def sample(image: Array, at: Array) -> Array:
    """Pixels (n, 3) of `image` at `at` (n, 2), between pixels; outside the picture the nearest ones."""
    count = len(at)
    if not count:
        return np.empty((0, 3), image.dtype)
    rows = -(-count // 256)
    padded = np.zeros((rows * 256, 2), np.float32)
    padded[:count] = at
    where = padded.reshape(rows, 256, 2)
    seen = cv2.remap(image, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.reshape(-1, 3)[:count]


def averaged(image: Array, at: Array, factor: int) -> Array:
    """The same of a picture that is coarser by `factor`: each pixel is the mean of so many a side."""
    if not len(at):
        return np.empty((0, 3), image.dtype)
    cells, points = np.array(image.shape[1::-1]) // factor, np.asarray(at, np.float32)
    low, high = (cv2.reduce(points, 0, which)[0] for which in (cv2.REDUCE_MIN, cv2.REDUCE_MAX))
    first = np.clip(np.floor(low / factor).astype(int) - 1, 0, cells - 1)
    last = np.clip(np.floor(high / factor).astype(int) + 2, first + 1, cells)
    (left, top), (right, bottom) = first * factor, last * factor
    return sample(_coarser(image[top:bottom, left:right], factor), (at - (factor - 1) / 2) / factor - first)


def _coarser(image: Array, factor: int) -> Array:
    """A picture of whole cells of `factor` pixels a side: the mean of each."""
    if factor % 2 == 0:
        size = image.shape[1] // factor, image.shape[0] // factor
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    middle = factor // 2
    return np.asarray(cv2.blur(image, (factor, factor)))[middle::factor, middle::factor]  # quicker, and the same


def linear(pixels: Array) -> Array:
    """Linear light (0 to 1) of sRGB values (0 to 255)."""
    if pixels.dtype == np.uint8:
        known: Array = _LINEAR[pixels]
        return known
    value = np.asarray(pixels, np.float32) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def encoded(light: Array) -> Array:
    """Pixel values (sRGB, 0 to 255, not rounded) of linear light (0 to 1)."""
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 0.0) ** (1 / 2.4) - 0.055)


_LINEAR = linear(np.arange(256.0))


class Top(NamedTuple):
    """A main colour of a table top: the `pixels` (n, 3) that have it, their `share` of all, and on the logarithmic
    scale their `mean` (3,) and how far they may be from there.
    """

    pixels: Array
    share: float
    mean: Array
    freedom: Freedom


class TableTop(NamedTuple):
    """What a picture shows of the table top: `pixels` (n, 3), the same places on the whole, `smooth` (n, 3), where the
    picture's noise hides no pattern, and how much the picture changes there, `rough` (n,).
    """

    pixels: Array
    smooth: Array
    rough: Array

    @classmethod
    def unseen(cls) -> TableTop:
        """Nothing of it."""
        nothing = np.empty((0, 3), np.uint8)
        return cls(nothing, nothing, np.empty(0))


class Palette:
    """The paints of a game in a picture's light."""

    def __init__(
        self,
        paints: Paints,
        light: Light,
        table: TableTop,
        means: Array | None = None,
        freedom: Sequence[Freedom] | None = None,
    ) -> None:
        """`means` (colours, 3): where the picture shows the paints, on the logarithmic scale, and how far their pixels
        may be from there; without them the set file counts.
        """
        self.paints = paints
        self.light = light
        nominal = np.array([colour[::-1] for colour in paints.colours], np.float64)
        self.nominal = np.log(linear(nominal) + SOFT)
        self.means = self.nominal if means is None else means
        self.freedom = [NOMINAL] * len(nominal) if freedom is None else freedom
        self.table = table
        self.roughness = max(LEAST_ROUGH, float(np.percentile(table.rough, 95))) if len(table.rough) else np.inf
        self.tops = self._tops()
        self._ratios = self._table_of_ratios()
        self._parts: dict[tuple[Column, ...], Array] = {}
        self._peaks: dict[tuple[Column, ...], Array] = {}

    @cached_property
    def drift(self) -> float | None:
        """How far the paints that were seen are from the set file, brightness aside: the median of them, natural
        logarithm; None where none was seen.
        """
        known = [k for k, freedom in enumerate(self.freedom) if freedom is SEEN]
        if not known:
            return None
        shift = self.means[known] - self.nominal[known]
        return float(np.median(np.linalg.norm(shift - shift.mean(axis=1, keepdims=True), axis=1)))

    def off_table(self, pixels: Array) -> float:
        """How far pixels (n, 3) are, in the middle, from the nearest of the table top's main colours, brightness aside;
        natural logarithm, 0 where nothing is known of the table.
        """
        seen = np.median(self.scale(pixels), axis=0)
        off = np.array([seen - top.mean for top in self.tops] or [np.zeros(3)])
        return float(np.linalg.norm(off - off.mean(axis=1, keepdims=True), axis=1).min())

    def _tops(self) -> list[Top]:
        """The main colours of the table top."""
        pixels = self.table.pixels
        if len(pixels) < 50:
            return []
        end = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.02)
        cv2.setRNGSeed(1)
        smooth, none = self.scale(self.table.smooth).astype(np.float32), np.empty((0, 1), np.int32)
        _, labels, _ = cv2.kmeans(smooth, 5, none, end, 1, cv2.KMEANS_PP_CENTERS)
        parts = [pixels[labels.ravel() == k] for k in range(5)]
        return [self._top(part, len(part) / len(pixels)) for part in parts if len(part) > MAIN * len(pixels)]

    def _top(self, pixels: Array, share: float) -> Top:
        """One main colour, from the pixels (n, 3) that have it and their share of all."""
        seen = self.scale(pixels)
        mean = seen.mean(axis=0).astype(float)
        spread = float(np.sqrt(np.mean(np.square(seen - mean))))
        return Top(pixels, share, mean, TABLE._replace(spread=max(TABLE.spread, spread)))

    def scale(self, pixels: Array) -> Array:
        """Pixels (n, 3) on the logarithmic scale, relative to the cards."""
        scaled: Array = np.log(np.maximum(self.light.reflectance(linear(pixels)), -SOFT / 2) + SOFT)
        return scaled

    def read(self, image: Array, at: Array, columns: tuple[Column, ...], lit: Lit = EVEN) -> Array:
        """How much better each of some paints explains the pixels at `at` (n, 2) than anything else might.

        Natural logarithms (n, columns); `columns` are numbers of `Paints`, or blends of them. `lit`: the light there,
        beside that of the whole picture.
        """
        if columns not in self._parts:
            self._parts[columns] = self._part(columns)
        pixels = sample(image, at)
        if lit != EVEN:
            pixels = np.stack([curve[pixels[:, k]] for k, curve in enumerate(self._evened(lit))], axis=1)
        pixels = pixels >> (8 - BITS)
        b, g, r = pixels[:, 0].astype(np.int32), pixels[:, 1].astype(np.int32), pixels[:, 2]
        return np.take(self._parts[columns], (b << (2 * BITS)) | (g << BITS) | r, axis=0)

    def peaks(self, columns: tuple[Column, ...]) -> Array:
        """The most (columns,) that `read` may say for each of some columns that were read before."""
        if columns not in self._peaks:
            self._peaks[columns] = self._parts[columns].max(axis=0)
        return self._peaks[columns]

    def _evened(self, lit: Lit) -> list[Array]:
        """For each channel what each of the 256 levels would be in even light."""
        span = self.light.white - self.light.black
        light = (linear(np.arange(256, dtype=np.uint8))[:, None] - lit.veil * span) / lit.gain
        return list(np.clip(np.rint(encoded(light)), 0, 255).astype(np.uint8).T)

    def _part(self, columns: tuple[Column, ...]) -> Array:
        """The columns of the table of all pixel colours."""
        blends = [((column, 1.0),) if isinstance(column, int) else column for column in columns]
        if all(len(blend) == 1 for blend in blends):
            return np.ascontiguousarray(self._ratios[:, [blend[0][0] for blend in blends]])
        numbers = sorted({number for blend in blends for number, _ in blend})
        weights = np.zeros((len(numbers), len(blends)), np.float32)
        for k, blend in enumerate(blends):
            for number, weight in blend:
                weights[numbers.index(number), k] += weight
        single = np.stack([self._ratio(number) for number in numbers], axis=1)
        return np.asarray(np.log(np.exp(single) @ weights), np.float32)

    def _ratio(self, number: int) -> Array:
        """One column of the table of all pixel colours."""
        if number <= self.paints.unsure:
            return np.asarray(self._ratios[:, number])
        colour = number - self.paints.shaded(0)
        mean = np.log(SHADE * (np.exp(self.means[colour]) - SOFT) + SOFT)
        freedom = self.freedom[colour]._replace(shade=SHADES)
        density = _density(self.scale(_all_colours()).astype(np.float32), mean, freedom)
        return np.asarray(np.log((1 - STRAY) * density / np.exp(ANYTHING) + STRAY), np.float32)

    def fitted(self, numbers: Array, pixels: Array) -> Palette:
        """The palette with the paints as `pixels` (n, 3), showing surely the paints `numbers` (n,), have them."""
        seen = self.scale(pixels)
        means, freedom = self.nominal.copy(), [NOMINAL] * len(self.nominal)
        known = [k for k in range(len(means)) if np.count_nonzero(numbers == k) >= ENOUGH]
        shown = self.nominal.copy()
        for k in known:
            shown[k] = np.median(seen[numbers == k], axis=0)
            means[k] += np.clip(shown[k] - means[k], -FARTHEST, FARTHEST)
        known, expected = self._consistent(known, means, shown)
        for k in known:
            freedom[k] = SEEN
        for k in set(range(len(means))) - set(known):
            means[k] = expected[k]
            distances = [float(np.linalg.norm(self.nominal[k] - self.nominal[j])) for j in known]
            if distances and min(distances) < LIKENESS:
                nearest = known[int(np.argmin(distances))]
                means[k] = self.nominal[k] + means[nearest] - self.nominal[nearest]
                freedom[k] = ALIKE
        return Palette(self.paints, self.light, self.table, means, freedom)

    def _consistent(self, known: Sequence[int], means: Array, shown: Array) -> tuple[list[int], Array]:
        """Those of the `known` paints that may be what was `shown` (paints, 3) as them, and how the picture should show
        each paint (paints, 3), by their `means` (paints, 3). What looks as another paint should, by all that is known,
        is that one: blue under glare is no white.
        """
        left = list(known)
        while True:
            gain, veil, fade = _lit(self.nominal[left], means[left])
            expected: Array = np.log(gain * _faded(np.exp(self.nominal) - SOFT, fade) + veil + SOFT)
            off = np.linalg.norm(shown[left, None] - expected, axis=2)
            own = off[np.arange(len(left)), left]
            apart = np.linalg.norm(self.nominal[left, None] - self.nominal, axis=2) > LIKENESS
            nearer = np.where(apart, off, np.inf).min(axis=1, initial=np.inf) < own / 2
            if not (nearer & (own > MISTAKEN)).any():
                return left, expected
            del left[int(np.where(nearer, own, 0.0).argmax())]

    def _table_of_ratios(self) -> Array:
        seen = self.scale(_all_colours()).astype(np.float32)
        densities = [self._density_of(k, seen) for k in range(len(self.means))]
        for (
            ground,
            ink,
        ) in self.paints.prints:  # ink does not speak against a character, but only its ground speaks for it
            densities.append((1 - INK) * densities[ground] + INK * np.minimum(densities[ink], np.exp(ANYTHING)))
        tops = [top.share * _density(seen, top.mean, top.freedom) for top in self.tops]
        densities.append(np.sum(tops, axis=0) if tops else np.full(len(seen), np.exp(ANYTHING)))
        ratios = np.log((1 - STRAY) * np.stack(densities, axis=1) / np.exp(ANYTHING) + STRAY)
        return np.column_stack([ratios, np.zeros((len(seen), 1))]).astype(np.float32)

    def _density_of(self, colour: int, seen: Array) -> Array:
        """Density of pixels of a plain colour: what is not seen on the board may lie beside it, in other light."""
        density, freedom = _density(seen, self.means[colour], self.freedom[colour]), self.freedom[colour]
        if freedom is not NOMINAL or self.means is self.nominal:
            return density
        return (density + _density(seen, self.nominal[colour], freedom)) / 2


def _all_colours() -> Array:
    """The pixels (n, 3) that stand for all colours of pixels."""
    levels = (np.arange(1 << BITS) * 8 + 3.5).astype(np.float32)
    return np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)


def _density(seen: Array, mean: Array, freedom: Freedom) -> Array:
    """Density of pixels (n, 3), on the logarithmic scale, of a surface with that mean."""
    value = np.exp(mean) - SOFT
    shade = freedom.shade * value / (value + SOFT)
    haze = freedom.haze / (value + SOFT)
    covariance = freedom.spread**2 * np.eye(3) + np.outer(shade, shade) + np.outer(haze, haze)
    whiten = np.linalg.inv(np.linalg.cholesky(covariance)).astype(np.float32)
    distance = np.square((seen - mean.astype(np.float32)) @ whiten.T).sum(axis=1)
    peak = _STUDENT / np.sqrt(np.linalg.det(covariance))
    density: Array = peak * (1 + distance / FREEDOM) ** (-(FREEDOM + 3) / 2)
    return density


def _lit(nominal: Array, seen: Array) -> tuple[Array, Array, float]:
    """The gain (3,), the veil (3,), light that is added, and how much colours fade, that make of paints (n, 3) as the
    set file has them what was seen of them, on the logarithmic scale.
    """
    gains, veils = np.exp(np.linspace(-1, 1, 41)), np.linspace(0, 0.12, 13)
    usual = np.square(np.log(gains[:, None]) / USUAL[0]) + np.square(veils / USUAL[1])
    least, found = np.inf, (np.ones(3), np.zeros(3), 0.0)
    for fade in FADES:
        value = _faded(np.exp(nominal) - SOFT, fade)[:, :, None, None]
        expected = np.log(gains[:, None] * value + veils + SOFT)
        error = np.square((expected - seen[:, :, None, None]) / FITTED).sum(axis=0) + usual
        error = error.reshape(3, -1)
        best = error.argmin(axis=1)
        total = float(error.min(axis=1).sum()) + (fade / USUAL[2]) ** 2
        if total < least:
            least, found = total, (gains[best // len(veils)], veils[best % len(veils)], fade)
    return found


def _faded(light: Array, fade: float) -> Array:
    """Linear light (..., 3), blue-green-red, `fade` of the way towards grey (away from it where negative)."""
    grey = light @ np.array([0.11, 0.59, 0.3])
    faded: Array = np.maximum(light + fade * (grey[..., None] - light), 1e-4)
    return faded


_STUDENT = gamma((FREEDOM + 3) / 2) / (gamma(FREEDOM / 2) * (FREEDOM * pi) ** 1.5)
