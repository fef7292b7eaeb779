"""Shadows of blocks on the ground and on lower blocks: they tell a height where its outline hardly does.

Where the lamps hang is read from the picture: lamps are looked for whose shadows, if blocks as high as they seem throw
them, explain where it is dark. What blocks of other heights would throw, and what would fall on them, is then compared
with what is seen. How dark a shadow is, how the light falls off, how bright each top is and how dark seams beside
blocks are is all measured in the picture itself.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.scene.relief import Relief, Solids, Stand

STEP = 2.0
"""Millimetres between points at which shadows are looked for."""

BEYOND = 50.0
"""Millimetres around the outermost blocks' middles in which the ground is looked at."""

DARK = 0.005
"""Added to linear grey before its logarithm."""

EDGE = 1.6
"""Millimetres beside a block's edge in which nothing is believed: edges are rounded and blurred."""

PLAIN = 0.9
"""From this part on a point of the ground shows bare board and no groove."""

HIDDEN = 0.05
"""What is hidden from the camera by more than this is not looked at."""

SEAMS = (4.0, 10.0)
"""How far (mm, standard deviations) the dark beside blocks reaches that is no lamp's."""

FAR = 200.0
"""Millimetres by which places are divided, for a smooth fall of light over the board."""

HANGS = 1600.0
"""About how high (mm) lamps hang: between a desk lamp and a ceiling."""

ASIDE = (0.15, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)
"""How far aside lamps are looked for, in parts of how high they hang: down to about 20 degrees over the table, where a
block throws the shadow of one thrice as high under a higher lamp.
"""

AROUND = 20
"""Directions in which they are looked for, fewer where the lamp hangs nearly overhead."""

FINER = (0.15, 0.08, 0.04)
"""How finely a lamp's place is then refined, in parts of how far aside it hangs."""

FEW, MORE = 3, 1.5
"""Blocks from which lamps are looked for, and so many times more from which they are again."""

LAMPS = 3
"""More can hardly be told apart."""

DARKER = 0.05
"""How much darker (natural logarithm) a shadow is at least."""

TELLING = 3.0
"""How much better (log likelihood) a lamp's shadows have to explain the picture."""

MARCH = (1.5, 4.0)
"""Millimetres of height from one look towards a lamp to the next, at least and at most."""

EACH = 0.025
"""As how many independent ones a point counts: what disturbs it disturbs its neighbours."""

LOOSE = 4.0
"""Degrees of freedom of what a point differs by: pieces, sleeves and print are not foreseen."""

NOISE = 0.03
"""How far (natural logarithm) brightness differs from what is expected at least."""

ROUNDS = 4
"""How often a fit is repeated, without what did not fit before."""


class _Explained(NamedTuple):
    """What is left (points,) of a picture when it is explained, weights (points,), strengths of the columns."""

    left: Array
    weight: Array
    strength: Array
    noise: Array


class Shadows:
    """What shadows say of the blocks under one pose, once they were seen (`see`). `lamps`: their places (3,) in mm."""

    def __init__(self, solids: Solids) -> None:
        self._solids = solids
        low, high = solids.centres.min(axis=0) - BEYOND, solids.centres.max(axis=0) + BEYOND
        columns, rows = (int(n) for n in np.ceil((high - low) / STEP) + 1)
        x, y = np.meshgrid(*(low[k] + STEP * np.arange(n) for k, n in ((0, columns), (1, rows))))
        self._places, self._low = np.stack([x, y], axis=-1).astype(np.float32), low
        self._column, self._row = (a.astype(np.float32) for a in np.meshgrid(np.arange(columns), np.arange(rows)))
        self._owner, away = np.full(x.shape, -1), np.full(x.shape, np.inf)
        for site, centre in enumerate(solids.centres):
            over = ((self._places - centre) @ solids.normals.T - solids.reach).max(axis=-1)
            self._owner[over <= 0] = site
            away = np.minimum(away, np.abs(over))
        self._clear = away > EDGE
        self._everywhere = (slice(0, rows), slice(0, columns))
        self._coarsely = (slice(0, rows, 2), slice(0, columns, 2))

    def plan(self, relief: Relief) -> None:
        """Gets ready for a pose."""
        self._relief = relief
        self.lamps: list[Array] = []
        self._looked_for = 0

    def see(self, stand: Stand, sure: Array) -> None:
        """Takes in what `relief` has seen last, with what stands, and looks for lamps, if there are many more blocks
        that are `sure` (sites,) than when they were last looked for, or if they have changed.
        """
        blocks = int((sure & (self._solids.heights[stand.label] > 0)).sum())
        due = blocks >= max(FEW, MORE * self._looked_for)
        if not (due or self.lamps):
            return
        level = np.where(self._owner < 0, 0.0, self._solids.heights[stand.label][self._owner])
        self._level = level.astype(np.float32)
        self._bright, shown = self._brightness()
        self._shown = shown & self._clear & (self._hidden(self._level, self._everywhere) < HIDDEN)
        self._smooth = self._falling()
        if due:
            self._find(sure, blocks)
        self._measure()
        if self.lamps and self._darker.max() > -DARKER:
            self._find(sure, blocks)
            self._measure()

    def _measure(self) -> None:
        """Measures how dark the lamps' shadows are, if there are any, and what is left when all is explained."""
        if not self.lamps:
            return
        self._thrown = [self._shadow(self._level, lamp, self._everywhere) for lamp in self.lamps]
        layers = np.array([*self._smooth, *self._thrown])
        found = _explain(layers[:, self._shown], self._bright[self._shown], self._owner[self._shown])
        self._left = np.full(self._level.shape, np.nan, np.float32)
        self._left[self._shown] = found.left
        self._darker = found.strength[len(self._smooth) :]
        self._noise = np.full(self._level.shape, NOISE)
        self._noise[self._shown] = found.noise

    def tell(self, site: int, labels: Array) -> Array:
        """Log likelihoods (labels,) of labels for a site, everything else standing as it did when it was seen."""
        window = self._window(site)
        own, usable = self._owner[window] == site, ~np.isnan(self._left[window])
        darker = []
        for label in labels:
            level = self._level.copy()
            level[self._owner == site] = self._solids.heights[label]
            usable &= self._hidden(level, window) < HIDDEN
            thrown = [self._shadow(level, lamp, window) for lamp in self.lamps]
            change = [new - old[window] for new, old in zip(thrown, self._thrown, strict=True)]
            darker.append(np.tensordot(self._darker, change, 1))
        return np.array([self._fits(change[usable], window, usable, own[usable]) for change in darker])

    def _fits(self, darker: Array, window: tuple[slice, slice], usable: Array, top: Array) -> float:
        """The log likelihood of points (points,) of a window being so much darker, some of them on a `top` whose
        brightness is its own.
        """
        left = self._left[window][usable] - darker
        if top.any():
            left = np.where(top, left - np.median(left[top]), left)
        off = np.square(left / self._noise[window][usable])
        return -0.5 * (LOOSE + 1) * EACH * float(np.log1p(off / LOOSE).sum())

    def _brightness(self) -> tuple[Array, Array]:
        """The logarithm of the brightness of all points' surfaces, and which of them can be seen."""
        relief = self._relief
        over = relief.camera[2] / (relief.camera[2] - self._level)
        eye = relief.camera[:2].astype(np.float32)
        at = (self._places + relief.offset.astype(np.float32) - eye) * over[..., None] + eye
        at = ((at - relief.origin) / relief.step).astype(np.float32)
        layers = [relief.grey, relief.weight, relief.plain]
        ways = (cv2.INTER_LINEAR, cv2.INTER_NEAREST, cv2.INTER_NEAREST)
        grey, weight, plain = (
            cv2.remap(layer.reshape(relief.shape), at[..., 0], at[..., 1], way)
            for layer, way in zip(layers, ways, strict=True)
        )
        return np.log(grey + DARK), (weight > 0) & ((self._level > 0) | (plain > PLAIN))

    def _falling(self) -> list[Array]:
        """How light may change over the board, and beside blocks: columns (rows, columns) each."""
        x, y = self._places[..., 0] / FAR, self._places[..., 1] / FAR
        seams = []
        for reach in SEAMS:
            seam = np.zeros_like(self._level)
            for level in np.unique(self._level):
                higher = (self._level > level).astype(np.float32)
                here = self._level == level
                seam[here] = cv2.GaussianBlur(higher, (0, 0), reach / STEP)[here]
            seams.append(seam)
        return [x, y, x * x, x * y, y * y, *seams]

    def _hidden(self, level: Array, window: tuple[slice, slice]) -> Array:
        """How much is hidden from the camera."""
        relief = self._relief
        return self._shadow(level, relief.camera - (*relief.offset, 0.0), window)

    def _shadow(self, level: Array, lamp: Array, window: tuple[slice, slice]) -> Array:
        """How much of a lamp is hidden (0 to 1) from the points of a window, where surfaces lie on a `level` (mm)."""
        here = level[window]
        aside = float(np.hypot(*lamp[:2])) / float(lamp[2])
        step = float(np.clip(1.5 * STEP / max(aside, 1e-3), *MARCH))
        towards = (lamp[:2].astype(np.float32) - self._places[window]).transpose(2, 0, 1)
        dx, dy = towards * np.float32(step / STEP) / (np.float32(lamp[2]) - here)
        x, y = self._column[window].copy(), self._row[window].copy()
        most, ray = np.full_like(here, -STEP), here.copy()
        for _ in range(int(float(level.max()) / step)):
            x += dx
            y += dy
            ray += step
            np.maximum(most, cv2.remap(level, x, y, cv2.INTER_NEAREST) - ray, out=most)
        dark: Array = np.clip(most / STEP + 0.5, 0, 1)
        return dark

    def _window(self, site: int) -> tuple[slice, slice]:
        """The points that a block on a site may shade, or hide."""
        solids = self._solids
        aside = max((float(np.hypot(*(lamp[:2] - solids.centres[site]))) / lamp[2] for lamp in self.lamps), default=0.0)
        reach = aside * float(solids.heights.max()) + float(np.abs(solids.corners).max()) + 2 * STEP
        first = np.floor((solids.centres[site] - reach - self._low) / STEP).astype(int).clip(0)
        last = np.ceil((solids.centres[site] + reach - self._low) / STEP).astype(int) + 1
        return slice(int(first[1]), int(last[1])), slice(int(first[0]), int(last[0]))

    def _find(self, sure: Array, blocks: int) -> None:
        """Looks for lamps on tops that are `sure` and on the ground, by so many blocks."""
        self.lamps, self._looked_for = [], blocks
        looked = (np.concatenate([[True], sure])[self._owner + 1] & self._shown)[self._coarsely]
        columns = [column[self._coarsely][looked] for column in self._smooth]
        while len(self.lamps) < LAMPS and looked.any():
            lamp, gain = self._best_lamp(np.array(columns), looked)
            if gain < TELLING:
                return
            self.lamps.append(lamp)
            columns.append(self._shadow(self._level, lamp, self._coarsely)[looked])

    def _best_lamp(self, columns: Array, looked: Array) -> tuple[Array, float]:
        """Where one more lamp hangs, and how much better (log likelihood) it explains what columns do not yet."""
        bright, owner = self._bright[self._coarsely][looked], self._owner[self._coarsely][looked]
        explained = _explain(columns, bright, owner)
        group, weight = owner + 1, explained.weight
        centred = _centred(columns, group, weight)
        inverse = np.linalg.inv((centred * weight) @ centred.T + 1e-6 * np.eye(len(centred)))

        def gain(place: Array) -> float:
            dark = self._shadow(self._level, place, self._coarsely)[looked]
            dark = _centred(dark[None], group, weight)
            dark = dark[0] - (inverse @ ((centred * weight) @ dark[0])) @ centred
            size, fits = float(weight @ np.square(dark)), float((weight * dark) @ explained.left)
            if size < 1e-3 or -fits / size < DARKER:
                return 0.0
            return 4 * EACH * 0.5 * fits**2 / size / NOISE**2  # each of these points stands for four

        tried = [np.array([*place, HANGS]) for place in _places_of_lamps()]
        gains = [gain(place) for place in tried]
        best, most = tried[int(np.argmax(gains))], max(gains)
        for finer in FINER:
            far = finer * float(np.hypot(*best[:2]))
            moves = [np.array([dx * far, dy * far, 0.0]) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
            gains = [gain(best + move) for move in moves]
            if max(gains) > most:
                best, most = best + moves[int(np.argmax(gains))], max(gains)
        return best, most


def _explain(columns: Array, bright: Array, owner: Array) -> _Explained:
    """How bright points (points,) are, as the sum of columns (columns, points) and a brightness of each top, whose
    `owner` is the site it stands on, and of the ground (iteratively reweighted least squares).
    """
    group = owner + 1
    weight = np.ones(len(bright))
    left, strength, noise = bright, np.zeros(len(columns)), weight
    for _ in range(ROUNDS):
        both = _centred(np.concatenate([columns, bright[None]]), group, weight)
        centred, wanted = both[:-1], both[-1]
        normal = (centred * weight) @ centred.T + 1e-6 * np.eye(len(columns))
        strength = np.linalg.solve(normal, (centred * weight) @ wanted)
        left = wanted - strength @ centred
        noise = _noise(left, group)
        weight = np.square(NOISE / noise) / (1 + np.square(left / noise) / LOOSE)
    return _Explained(left, weight, strength, noise)


def _centred(columns: Array, group: Array, weight: Array) -> Array:
    """Columns (columns, points) without their weighted means over each group (points,)."""
    total = np.maximum(np.bincount(group, weight), 1e-9)
    means = np.array([np.bincount(group, weight * column) / total for column in columns])
    centred: Array = columns - means[:, group]
    return centred


def _noise(left: Array, group: Array) -> Array:
    """How far what is left (points,) typically is from nothing, on each top by itself: dark wood is noisy."""
    noise = np.full(len(left), NOISE)
    for top in np.unique(group):
        here = group == top
        noise[here] = max(NOISE, 1.48 * float(np.median(np.abs(left[here]))))
    return noise


def _places_of_lamps() -> list[tuple[float, float]]:
    """Where lamps are looked for (mm)."""
    places = []
    for aside in ASIDE:
        count = int(AROUND * min(1.0, max(aside / ASIDE[2], 0.5)))
        turns = 2 * np.pi * np.arange(count) / count
        places += [(HANGS * aside * np.cos(turn), HANGS * aside * np.sin(turn)) for turn in turns]
    return places
