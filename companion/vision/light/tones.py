"""How the surfaces of standing things look in one picture: how well a pixel fits each surface.

Light and shade move a colour along one direction of the soft logarithmic scale (`companion.vision.light.palette`).
Across it a pixel has to be near its surface's colour; along it surfaces differ by what light they may get: level ones
have one tone in the light and darker ones in cast shadows; sides of one facing have one tone of their own, which the
picture tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import pi
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.geometry.grid import Grid
from companion.vision.geometry.lens import Array
from companion.vision.light.colours import Colours, Numbering
from companion.vision.light.palette import ANYTHING, SOFT, STRAY, Light, Palette, encoded, linear
from companion.vision.light.surfaces import UP, Surface

ENOUGH = 40
"""Points from which a surface counts as seen."""

NOMINAL, ALIKE, NARROWEST = 0.2, 0.14, 0.08
"""Spread across the direction of light and shade, of a surface as the set file has it, of one painted like a seen one,
and of a seen one at least."""

UNSEEN = 0.35
"""How far (standard deviation) a paint that the picture has not shown yet may be from the set file's, and be no other
thing's.
"""

LIGHT = 0.5
"""Part of a paint's difference from the set file that is the light's, and so another paint's too, not its own."""

PAINTS, PALER = 3, 0.25
"""From so many things on that were seen the others are taken to be as much paler than the set file says, if that leaves
so much at most of what those differ (squared).
"""

SIMILAR = 0.7
"""How far (natural logarithm) a paint may be from another one to tell about it."""

GLOSS, DAZZLE = ((0.02, 0.3), (0.05, 0.3)), ((0.15, 0.1), (0.4, 0.1))
"""What the mirror image of the room, and that of a lamp, may add to a surface, relative to white; and how much rarer it
does than not. In uneven light other things look like that, too, as bare wood does in warm light.
"""

FAINT, GLOSSIER = 0.03, 0.2
"""Less light than that (relative to white) a mirrored lamp hardly adds; and how much more (natural logarithm) makes a
difference.
"""

VAGUE = 0.1
"""How far off (as a part) the light that a mirrored lamp adds may be, by and large."""

CONTRASTS = (0.0, 0.15, 0.3, 0.45, 0.6)
"""How much contrast a camera may have added, in parts of a full S-curve from black to white."""

CLEARLY, WIDTH = 0.7, 75
"""How much nearer what light and shade make of it the board's colour has to lie without some contrast, to be believed;
and the percentile that is meant: things hide some of the board.
"""

_LEVELS = np.linspace(0.0, 1.0, 1025)

FREEDOM = 4.0
"""Degrees of freedom of the spread across (its tails are heavy)."""

AT_ONCE = 4096
"""So many pixels are compared together: what belongs to them then stays in the processor's cache."""

DEEPEST = -2.2
"""How dark (natural logarithm) a cast shadow may be."""

BIN = 0.05
"""Width (natural logarithm) of the bins in which the tones of surfaces are counted."""

LITTLE, LIGHTER, TOO_LIGHT = 0.03, 0.5, 1.0
"""A paint of the board that only this part of what has been seen shows, and by so much (natural logarithm) lighter than
it should be, may be a lighter thing in the shade, as where walls fill all slots, some of them under a hand; where it is
so much lighter, it is another thing anyway.
"""

_REACH = 3.0
_BINS = int(2 * _REACH / BIN) + 1
_ANYTHING = float(np.exp(ANYTHING))
_ALONG = (np.arange(_BINS) * BIN - _REACH).astype(np.float32)

SMOOTH = 35.0
"""Millimetres over which the light changes."""


class Tops(NamedTuple):
    """The table top's main colours: means (n, 3), spreads (n,) and densities (n, bins), as surfaces have, and what each
    counts (n,): as most of the table has it fully; what light and shade make of it elsewhere by its part of the table.
    """

    shares: Array
    means: Array
    spreads: Array
    along: Array


class Gloss(NamedTuple):
    """What the mirror image of a lamp adds (points,) to some `surfaces`, by their numbers; relative to white."""

    added: Array
    surfaces: Array


@dataclass(frozen=True)
class Tones:
    """Means (surfaces, 3) on the soft logarithmic scale, spreads (surfaces,) across light and shade, densities
    (surfaces, bins) along them; the first `printed` surfaces are the board's. `light` (rows, columns, 3): factors that
    make the light even, or None. `seen`: the surfaces, by their numbers, of which the picture has shown enough.
    `contrast`: how much of it the camera has added. `gloss`: where things mirror a lamp, if anywhere. `veil`: the light
    (points,), relative to white, that such an image adds to the board, and perhaps to what stands there. `numbering`:
    the numbers of the colours that were seen, which tones that were made from each other share.
    """

    palette: Palette
    surfaces: tuple[Surface, ...]
    means: Array
    spreads: Array
    along: Array
    printed: int = 0
    light: Array | None = None
    seen: frozenset[int] = frozenset()
    contrast: float = 0.0
    tops: Tops | None = None
    gloss: Gloss | None = None
    veil: Array | None = None
    numbering: Numbering = field(default_factory=Numbering, repr=False, compare=False)

    @classmethod
    def nominal(cls, palette: Palette, surfaces: Sequence[Surface], printed: int = 0) -> Tones:
        """As the set file, or what else was seen in the picture, has them; the first `printed` ones are the board's."""
        means = np.array([palette.means[surface.paint] for surface in surfaces])
        along = np.stack([_along(surface, None) for surface in surfaces])
        return cls(palette, tuple(surfaces), means, np.full(len(means), NOMINAL), along, printed)._on_table()

    def scaled(self, pixels: Array, at: Array | None = None) -> Array:
        """Pixels (n, 3) of the grid's points `at` (n,) on the soft logarithmic scale, in even light; without `at` in
        the light as it is.
        """
        table = self._reflectances
        value = np.stack([table[pixels[:, k], k] for k in range(3)], axis=1)
        if self.light is not None and at is not None:
            value *= self.light.reshape(-1, 3)[at]
        scaled: Array = np.log(np.maximum(value, -SOFT / 2) + SOFT)
        return scaled

    @cached_property
    def _reflectances(self) -> Array:
        """What each of the 256 levels of each channel (256, 3) reflects, without the contrast that the camera added."""
        light = self.palette.light
        levels = _evenly(np.arange(256.0), self.contrast)[:, None]
        white, black = (_evenly(encoded(value), self.contrast) for value in (light.white, light.black))
        even = Light(linear(white), linear(black))
        reflected: Array = np.maximum(even.reflectance(linear(levels)), -SOFT / 2).astype(np.float32)
        return reflected

    @cached_property
    def _known(self) -> Colours:
        """What is known of the colours that the picture, and later ones in the same light, have shown."""
        return Colours(self.numbering)

    def evidence(self, pixels: Array, at: Array) -> Array:
        """How much better each surface explains pixels (n, 3) than anything else might: natural logarithms (n, surfaces
        + 2). The last but one column is the table top's, the last one, 0, that of any surface.
        """
        colours = self._known.numbered(self.scaled(pixels, at))
        result = self._known.rows("plain", colours, self._likely)
        if self.gloss is not None:
            some = self.gloss.surfaces
            for own, added in _in_steps(self.gloss.added[at]):
                likely = self._mirroring(added, some)._likely
                result[own[:, None], some] = self._known.rows(("gloss", added), colours[own], likely)[:, some]
        if self.veil is not None:
            every = np.arange(len(self.surfaces))
            for own, added in _in_steps(self.veil[at]):
                likely = self._mirroring(added, every)._likely
                result[own] = np.maximum(result[own], self._known.rows(("veil", added), colours[own], likely))
        return result

    def differing(self, other: Tones) -> list[int] | None:
        """The surfaces, by their numbers, that look otherwise than by the `other` tones; None: all may."""
        common = ("palette", "surfaces", "light", "contrast", "tops", "gloss", "veil")
        if any(getattr(self, name) is not getattr(other, name) for name in common):
            return None
        changed = (self.means != other.means).any(axis=1) | (self.spreads != other.spreads)
        changed |= (self.along != other.along).any(axis=1)
        changed[list(self.seen ^ other.seen)] = True
        paints = {surface.paint for surface, new in zip(self.surfaces, changed, strict=True) if new}
        marked = (not paints.isdisjoint(surface.marks) for surface in self.surfaces)
        return [k for k, mark in enumerate(marked) if changed[k] or mark]

    def among(self, which: Sequence[int]) -> Tones:
        """The same with the surfaces `which` alone, and, after these, what is printed on them; without the table."""
        marks = dict.fromkeys(mark for k in which for mark in self.surfaces[k].marks)
        printed = [self.surfaces.index(Surface(mark)) for mark in marks]
        some = [*which, *(k for k in printed if k not in which)]
        gloss = self.gloss and self.gloss._replace(surfaces=np.flatnonzero(np.isin(some, self.gloss.surfaces)))
        return replace(
            self,
            surfaces=tuple(self.surfaces[k] for k in some),
            means=self.means[some],
            spreads=self.spreads[some],
            along=self.along[some],
            seen=frozenset(number for number, k in enumerate(some) if k in self.seen),
            tops=None,
            gloss=gloss,
        )

    def _mirroring(self, added: float, some: Array) -> Tones:
        """The tones where the mirror image of a lamp adds so much light to `some` surfaces."""
        means, spreads = self.means.copy(), self.spreads.copy()
        means[some] = self._lit(means[some], added)
        vague = VAGUE * (added / (np.exp(self.means[some]) + added)).mean(axis=1)
        spreads[some] = np.hypot(spreads[some], vague)
        return replace(self, means=means, spreads=spreads)

    def _lit(self, means: Array, added: Array | float) -> Array:
        """Colours (n, 3) to which light is added (n, 1): in the end the camera sees nothing but white."""
        most = self.scaled(np.full((1, 3), 255, np.uint8))
        lit: Array = np.minimum(np.log(np.exp(means) + added), np.maximum(most, means))
        return lit

    def _expected(self, numbers: Array, at: Array) -> Array:
        """The mean colours (n, 3) of surfaces `numbers` (n,) at points `at` (n,), with the light that comes to them."""
        means: Array = self.means[numbers]
        if self.gloss is not None:
            added = np.where(np.isin(numbers, self.gloss.surfaces), self.gloss.added[at], 0.0)
            means = self._lit(means, added[:, None])
        if self.veil is not None:
            means = self._lit(means, np.where(numbers < self.printed, self.veil[at], 0.0)[:, None])
        return means

    def _likely(self, seen: Array) -> Array:
        """The same for colours `seen` (n, 3) on the soft logarithmic scale, in even light."""
        tops = self.tops
        means = np.concatenate([self.means, tops.means] if tops else [self.means]).astype(np.float32)
        spreads = np.concatenate([self.spreads, tops.spreads] if tops else [self.spreads]).astype(np.float32)
        along = np.concatenate([self.along, tops.along] if tops else [self.along])
        density = self._with_marks(self._shining(seen, _density(seen, means, spreads, along)))
        count = len(self.surfaces)
        result = np.zeros((len(seen), count + 2), np.float32)
        result[:, :count] = density[:, :count]
        result[:, count] = density[:, count:] @ tops.shares if tops else _ANYTHING
        result *= (1 - STRAY) / _ANYTHING
        result += STRAY
        np.log(result, out=result)
        result[:, -1] = 0.0
        return result

    def _shining(self, seen: Array, density: Array) -> Array:
        """The densities (n, surfaces, ...) of colours `seen` (n, 3), where surfaces may shine of which no picture has
        shown yet whether they do.
        """
        free = [k for k in range(len(self.surfaces)) if k not in self.seen]
        if free:
            glosses = GLOSS if self.light is None else GLOSS + DAZZLE
            density[:, free] = np.maximum(density[:, free], self._with_gloss(seen, free, glosses))
        return density

    def _with_gloss(self, seen: Array, which: Sequence[int], glosses: Iterable[tuple[float, float]]) -> Array:
        """The densities (n, k) of colours `seen` (n, 3) on surfaces `which` (k) that shine in one of these ways."""
        added, rarer = np.array(list(glosses), np.float32).T
        ways, count = len(added), len(which)
        means = np.log(np.exp(self.means[which]) + added[:, None, None]).astype(np.float32).reshape(-1, 3)
        spreads, along = self.spreads[which].astype(np.float32), self.along[which]
        shining = _density(seen, means, np.tile(spreads, ways), np.tile(along, (ways, 1)))
        most: Array = (shining.reshape(-1, ways, count) * rarer[:, None]).max(axis=1)
        return most

    def strangeness(self, pixels: Array, at: Array, numbers: Array) -> Array:
        """How far pixels (n, 3) are from the colours of surfaces `numbers` (n,), whatever light they get: the negative
        logarithm of the likelihood (n,), 0 for what is just right.
        """
        off = self.scaled(pixels, at) - self._expected(numbers, at)
        tone = (off * _directions(self.means)[numbers]).sum(axis=1)
        across = np.maximum(np.square(off).sum(axis=1) - np.square(tone), 0.0)
        known = np.isin(np.arange(len(self.spreads)), list(self.seen))
        spreads = np.where(known, self.spreads, np.maximum(self.spreads, UNSEEN))
        strange: Array = (FREEDOM + 2) / 2 * np.log1p(across / (np.square(spreads[numbers]) * FREEDOM))
        return strange

    def _with_marks(self, density: Array) -> Array:
        """What is printed on a surface may show as well."""
        for k, surface in enumerate(self.surfaces):
            if surface.marks:
                marks = [self.surfaces.index(Surface(mark)) for mark in surface.marks]
                density[:, k] = 0.7 * density[:, k] + 0.3 * np.minimum(density[:, marks].mean(axis=1), _ANYTHING)
        return density

    def _paled(self, expected: Array, things: Sequence[int]) -> Array:
        """What is expected of surfaces (n, 3) if all are as much paler as those of `things` that were seen: by so much
        grey light added, and a part of their own. Colours of a set may be pale, and a camera may make them so.
        """
        if len(things) < PAINTS:
            return expected
        usual, seen = np.exp(expected[things]), np.exp(self.means[things])
        part, added = np.linalg.lstsq(
            np.column_stack([(usual / seen).ravel(), (1 / seen).ravel()]), np.ones(seen.size)
        )[0]
        if part <= 0 or added <= 0:
            return expected
        paled: Array = np.log(part * np.exp(expected) + added).astype(np.float32)
        before, after = (np.square(means[things] - self.means[things]).sum() for means in (expected, paled))
        return paled if after < PALER * before else expected

    def fitted(self, numbers: Array, pixels: Array, at: Array) -> Tones:
        """The tones as the picture's points `at` (n,) with `pixels` (n, 3), surely surfaces `numbers`, have them."""
        nominal = Tones.nominal(self.palette, self.surfaces, self.printed)
        afresh = replace(
            nominal, means=self.means, light=self.light, contrast=self.contrast, gloss=self.gloss, veil=self.veil
        )
        return afresh._measured(range(len(self.surfaces)), numbers, pixels, at, len(at))._guessed()

    def joined(self, numbers: Array, pixels: Array, at: Array) -> Tones:
        """The same with those surfaces as well of which these points are the first that show enough."""
        counts = np.bincount(numbers[~self._shines(numbers, at)], minlength=len(self.surfaces))
        new = [k for k in np.flatnonzero(counts >= ENOUGH).tolist() if k not in self.seen]
        measured = self._measured(new, numbers, pixels, at, np.inf) if new else self
        return measured._guessed() if measured.seen != self.seen else self

    def evened(self, number: int, pixels: Array, at: Array) -> Tones:
        """The same without the contrast that the camera added, if the surface `number` clearly tells, which most of
        the points at `at` (n,) with `pixels` (n, 3) show: contrast makes shade more colourful than light.
        """
        tried = [replace(self, contrast=contrast) for contrast in CONTRASTS]
        widths = [tones._width(number, pixels, at) for tones in tried]
        best = int(np.argmin(widths))
        return tried[best]._on_table() if widths[best] < CLEARLY * widths[0] else self

    def _on_table(self) -> Tones:
        """The same with the table top's main colours as the picture shows them."""
        loose = [(top.share, top.mean, top.freedom.spread, _along(Surface(0), None)) for top in self.palette.tops]
        shown = [(top, self.scaled(top.pixels)) for top in self.palette.tops if len(top.pixels) >= ENOUGH]
        exact = [(1.0, *_seen(seen, np.median(seen, axis=0), Surface(0))) for top, seen in shown]
        columns = [np.array(column, np.float32) for column in zip(*loose, *exact, strict=True)]
        return replace(self, tops=Tops(*columns) if columns else None)

    def _width(self, number: int, pixels: Array, at: Array) -> float:
        """How far from what more or less light makes of a surface, which most of the points show, their colours lie."""
        fitted = self.fitted(np.full(len(at), number), pixels, at)
        usual, seen = np.exp(fitted.means[number]) - SOFT, fitted.scaled(pixels, at)
        light = (np.exp(seen) - SOFT).sum(axis=1) / usual.sum()
        lit = np.log(np.maximum(light[:, None] * usual, -SOFT / 2) + SOFT)
        return float(np.percentile(np.linalg.norm(seen - lit, axis=1), WIDTH))

    def _measured(self, which: Iterable[int], numbers: Array, pixels: Array, at: Array, among: float) -> Tones:
        """The same with the surfaces `which` as points (n,) have them that show surfaces `numbers` (n,); that many
        points (`among`) have been seen.
        """
        scaled = self.scaled(pixels, at)
        numbers = np.where(self._shines(numbers, at), -1, numbers)
        means, spreads, along = self.means.copy(), self.spreads.copy(), self.along.copy()
        seen = set(self.seen)
        for k in which:
            own = scaled[numbers == k]
            own = own[np.abs((own - self.means[k]) @ _directions(self.means[k][None])[0]) < _REACH]
            if len(own) >= ENOUGH and self.light is not None:
                own = own[~self._dazzling(own, k)]
            if len(own) < ENOUGH:
                continue
            found = _seen(own, self.means[k], self.surfaces[k])
            if k < self.printed and len(own) < LITTLE * among and self._is_another(found[0], k):
                found = self.palette.means[self.surfaces[k].paint], ALIKE, _along(self.surfaces[k], None)
            means[k], spreads[k], along[k] = found
            seen.add(k)
        return replace(self, means=means, spreads=spreads, along=along, seen=frozenset(seen))

    def _is_another(self, mean: Array, number: int) -> bool:
        """Whether a colour (3,) that seems to be that of the board's surface `number` may be a shaded thing's instead,
        or is far too light.
        """
        expected = self.palette.means[self.surfaces[number].paint]
        lighter = float((mean - expected) @ _directions(expected[None])[0])
        things = self.means[[k for k in range(self.printed, len(self.surfaces)) if self.surfaces[k].facing == UP]]
        off = mean - things
        tone = (off * _directions(things)).sum(axis=1)
        across = np.square(off).sum(axis=1) - np.square(tone)
        shaded = bool(((tone < 0) & (across < ALIKE**2)).any())
        return lighter > TOO_LIGHT or (shaded and lighter > LIGHTER)

    def _shines(self, numbers: Array, at: Array) -> Array:
        """At which points (n,) surfaces `numbers` (n,) mirror a lamp, and do not show what colours they have."""
        shines = np.zeros(len(at), bool)
        if self.gloss is not None:
            shines |= np.isin(numbers, self.gloss.surfaces) & (self.gloss.added[at] >= FAINT)
        if self.veil is not None:
            shines |= self.veil[at] >= FAINT
        return shines

    def _dazzling(self, seen: Array, number: int) -> Array:
        """Which of some colours (n, 3) a thing has rather where it mirrors a lamp than as it is, but the board rather
        than that: uneven light may make it look so.
        """
        if number < self.printed:
            return np.zeros(len(seen), bool)
        plain, dazzling = (self._with_gloss(seen, [number], some)[:, 0] for some in (((0.0, 1.0), *GLOSS), DAZZLE))
        board = self._with_gloss(seen, range(self.printed), ((0.0, 1.0),)).max(axis=1, initial=0.0)
        rather: Array = (plain < dazzling) & (dazzling < board)
        return rather

    def _guessed(self) -> Tones:
        """The same with the surfaces that were not seen as those that were let expect them: such as are of the same
        paint, or of the most similar one, and as pale as all are.
        """
        paints = [surface.paint for surface in self.surfaces]
        usual = self.palette.nominal[paints]
        level = [k for k in sorted(self.seen) if self.surfaces[k].facing == UP]
        expected = self._paled(self.palette.means[paints], [k for k in level if k >= self.printed])
        means, spreads = self.means.copy(), self.spreads.copy()
        for k in (k for k in range(len(paints)) if k not in self.seen):
            means[k], spreads[k] = expected[k], NOMINAL
            distances = np.linalg.norm(usual[k] - usual[level], axis=1)
            if len(level) and distances.min() < SIMILAR:
                alike = level[int(distances.argmin())]
                same = paints[alike] == paints[k]
                means[k] += (1.0 if same else LIGHT) * (self.means[alike] - expected[alike])
                spreads[k] = ALIKE if same else NOMINAL
        return replace(self, means=means, spreads=spreads)

    def lit(self, grid: Grid, numbers: Array, pixels: Array, at: Array) -> Tones:
        """The same with the light made even: level surfaces `numbers` at points `at` tell how it changes."""
        residual = self.scaled(pixels, at) - self._expected(numbers, at)
        level = np.array([surface.facing == UP for surface in self.surfaces])[numbers]
        usable = level & (np.abs(residual).max(axis=1) < 0.6)
        sums = np.zeros((grid.shape[0] * grid.shape[1], 4), np.float32)
        sums[at[usable], :3] = residual[usable]
        sums[at[usable], 3] = 1.0
        factor = max(1, int(4 * grid.scale))
        small = (max(1, grid.shape[1] // factor), max(1, grid.shape[0] // factor))
        coarse = cv2.resize(sums.reshape(*grid.shape, 4), small, interpolation=cv2.INTER_AREA)
        smooth = cv2.GaussianBlur(coarse, (0, 0), SMOOTH * grid.scale / factor)
        change = smooth[..., :3] / (smooth[..., 3:] + 0.02)
        gain = cv2.resize(np.exp(-change), (grid.shape[1], grid.shape[0]), interpolation=cv2.INTER_LINEAR)
        return replace(self, light=gain if self.light is None else gain * self.light)


def _in_steps(added: Array) -> Iterator[tuple[Array, float]]:
    """Which of some points (n,) get about the same light, and how much, wherever that makes a difference."""
    steps = np.where(added < FAINT, 0, np.rint(np.log(np.maximum(added, FAINT)) / GLOSSIER))
    for step in np.unique(steps[added >= FAINT]):
        yield np.flatnonzero((steps == step) & (added >= FAINT)), float(np.exp(step * GLOSSIER))


def _evenly(levels: Array, contrast: float) -> Array:
    """The levels (0 to 255) that a camera's `contrast` has made these of."""
    curve = _LEVELS + contrast * (_LEVELS * _LEVELS * (3 - 2 * _LEVELS) - _LEVELS)
    even: Array = 255 * np.interp(levels / 255, curve, _LEVELS)
    return even


def _directions(means: Array) -> Array:
    """Unit vectors (n, 3) along which light and shade move surfaces with these means (n, 3)."""
    value = np.exp(means) - SOFT
    along = np.maximum(value, 0.0) / (value + SOFT) + 1e-6
    directions: Array = (along / np.linalg.norm(along, axis=1, keepdims=True)).astype(np.float32)
    return directions


def _seen(own: Array, mean: Array, surface: Surface) -> tuple[Array, float, Array]:
    """Mean (3,), spread and density (bins,) of a surface from the colours `own` (n, 3) that a picture shows of it;
    `mean` (3,): about where that was expected.
    """
    direction = _directions(mean[None])[0]
    off = own - mean
    tone = off @ direction
    across = off - tone[:, None] * direction
    middle = _mode(tone)
    centre = np.median(across[np.abs(tone - middle) < 0.3], axis=0)
    spread = 1.2 * np.median(np.linalg.norm(across - centre, axis=1)) / 1.18
    found: Array = mean + centre + middle * direction
    return found, max(NARROWEST, float(spread)), _along(surface, tone - middle)


def _density(seen: Array, means: Array, spreads: Array, along: Array) -> Array:
    """Densities (n, surfaces) of colours `seen` (n, 3) for surfaces with these means (surfaces, 3), spreads
    (surfaces,) across light and shade, and densities (surfaces, bins) along them.
    """
    directions, width = _directions(means), np.square(spreads)
    usual, length = (directions * means).sum(axis=1), np.square(means).sum(axis=1)
    tones, first = along.ravel().astype(np.float32), np.arange(len(means)) * _BINS
    density = np.empty((len(seen), len(means)), np.float32)
    for start in range(0, len(seen), AT_ONCE):
        part = seen[start : start + AT_ONCE]
        tone = part @ directions.T
        tone -= usual
        off = part @ (-2 * means.T)
        off += np.square(part).sum(axis=1)[:, None] + length
        off -= np.square(tone)
        np.maximum(off, 0.0, out=off)
        off /= width * FREEDOM
        off += 1
        own = density[start : start + AT_ONCE]
        np.divide(1 / (2 * pi * width), off * off * off, out=own)  # off to the power of (FREEDOM + 2) / 2
        tone += _REACH
        tone /= BIN
        tone += 0.5
        np.clip(tone, 0, _BINS - 1, out=tone)
        own *= tones.take(tone.astype(np.intp) + first, mode="clip")
    return density


def _mode(values: Array) -> float:
    """Where values are densest."""
    counts, edges = np.histogram(values, bins=_BINS, range=(-_REACH, _REACH))
    smooth = np.convolve(counts, np.exp(-0.5 * np.square(np.arange(-6, 7) / 2.0)), "same")
    return float(edges[int(smooth.argmax())] + BIN / 2)


def _normal(spread: float) -> Array:
    density: Array = np.exp(-0.5 * np.square(_ALONG / spread)) / (spread * np.sqrt(2 * pi))
    return density


def _between(low: float, high: float, soft: float = 0.1) -> Array:
    inside = 1 / (1 + np.exp(-(_ALONG - low) / soft)) / (1 + np.exp((_ALONG - high) / soft))
    density: Array = inside / (inside.sum() * BIN)
    return density


def _shade() -> Array:
    """Cast shadows: the deeper, the rarer."""
    rarer = np.where((_ALONG >= DEEPEST) & (_ALONG <= 0.0), 1 - _ALONG / DEEPEST, 0.0)
    density: Array = rarer / (rarer.sum() * BIN)
    return density


def _along(surface: Surface, seen: Array | None) -> Array:
    """The density of a surface's tones (bins,), from those `seen` (n,) relative to the commonest one, if any."""
    if surface.facing == UP:
        if seen is None:
            return 0.7 * _normal(0.45) + 0.3 * _between(DEEPEST, 0.3)
        spread = max(0.1, 1.5 * float(np.median(np.abs(seen[np.abs(seen) < 0.4]))))
        return 0.7 * _normal(spread) + 0.25 * _shade() + 0.05 * _between(-0.3, 0.6)
    if seen is None:
        return _between(-1.9, 0.5, 0.2)
    spread = max(0.12, 1.5 * float(np.median(np.abs(seen[np.abs(seen) < 0.5]))))
    return 0.55 * _normal(spread) + 0.45 * _between(-1.9, 0.7, 0.2)
