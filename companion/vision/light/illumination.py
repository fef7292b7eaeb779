"""Takes away what screens before lamps do to a part of the board: shadows with a clear edge, patches of sun.

Every paint of the set tells, where it may be, how strong the light is there, if the pixel has its colour at all. So
each place has a likelihood of each strength of light, and it is summed up over its surroundings: light changes along
few edges, paints change everywhere (C. Rhemann et al., Fast Cost-Volume Filtering for Visual Correspondence and Beyond,
CVPR 2011). Then the paints are taken as this copy of the set has them, and the light is told once more.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import NOTHING, Paints, Raster
from companion.vision.light.palette import Light, averaged, linear

STEP = 5.0
"""Millimetres between the places at which the light is told."""

EDGE = 1.5
"""Millimetres from the edges of what is painted on the board within which nothing is expected."""

SMOOTH = 2.0
"""Millimetres over which the picture is smoothed, at least two pixels."""

STRENGTHS = np.arange(-2.1, 1.21, 0.15)
"""The strengths of light that are told apart, against that on the cards (natural logarithm)."""

SOFT = 0.02
"""Added to a linear value before its logarithm, so that noise in the dark does not count."""

SPREAD = 0.18
"""How far a pixel may be from its paint in the right light, on that scale, in each channel."""

WIDE = 0.35
"""The same of a paint that has not been seen yet."""

BARE = 0.6
"""How likely a place of the board is bare."""

ANYTHING = np.exp(-6.0)
"""Likelihood of a pixel that shows no paint of the set, compared with one that has exactly a paint's colour."""

AROUND = (2.0, 6.0)
"""Over how many places (standard deviation) the likelihoods are summed up: near ones tell where an edge is, far ones
what several paints could mean.
"""

USUAL = 0.15
"""How much less likely (natural logarithm) a light is that is stronger or weaker by one (natural logarithm)."""

UNEVEN, MUCH = 0.55, 0.03
"""How much the light has to differ (natural logarithm) between the darkest and the brightest such part of the board for
the picture to be changed.
"""

ACROSS, SAME = 7, 0.25
"""So many places apart the picture is looked at on both sides of an edge of the light; and how far what is seen may be
from that change, in parts of it, or from none.
"""

LATER, CHANGED = 0.3, 0.06
"""From which part of the places on that changed so much (natural logarithm) the light is told anew."""

ANEW, MANY = 0.1, 0.25
"""That is told from what changed by more than that (natural logarithm), unless it was so large a part of the places
since the paints were last taken as this copy has them: then these are taken anew, too.
"""

ENOUGH, FARTHEST = 40, 0.6
"""On so many places a paint is seen as this copy of the set has it, by at most so much off what the set file says.
"""

BRIGHT = 0.1
"""Reflectance of a board, at least, that tells what light there is."""

HUE, DARKER = 0.3, (0.35, 1.5)
"""Up to which distance paints differ in brightness alone, and by how much (natural logarithm) those do of which one
could be the other in another light.
"""

_POWER, _FOOT = 2.4, 14.0  # of the sRGB curve: light is as the so many-th power of the grey level and so many more


@dataclass(frozen=True, slots=True)
class Illumination:
    """How strong the light is over the places (rows, columns) of the board's plane, against that on the cards (natural
    logarithm); `origin` (x, y) in mm is the place of [0, 0]. None where it is even enough.
    """

    strength: Array | None
    origin: Array

    def evened(self, image: Array, pose: Pose) -> Array:
        """`image` as it were in the light on the cards; `image` itself where the light is even enough."""
        if self.strength is None:
            return image
        rows, columns = self.strength.shape
        corners = np.array([[0.0, 0.0], [columns - 1, 0.0], [columns - 1, rows - 1], [0.0, rows - 1]])
        pixels = pose.project(np.column_stack([self.origin + corners * STEP, np.zeros(4)])).astype(np.float32)
        size = np.array(image.shape[1::-1])
        low = np.clip(np.floor(pixels.min(axis=0)).astype(int), 0, size - 1)
        high = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + 1, low + 1, size)
        seen = cv2.getPerspectiveTransform(corners.astype(np.float32), pixels - low.astype(np.float32))
        factor = np.exp(-self.strength / _POWER).astype(np.float32)
        fine = cv2.warpPerspective(factor, seen, tuple((high - low).tolist()), borderValue=1.0)
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        even = image.copy()
        foot = np.full(4, _FOOT)
        raised = cv2.multiply(cv2.add(image[part], foot, dtype=cv2.CV_32F), cv2.merge([fine] * 3))
        even[part] = cv2.subtract(raised, foot, dtype=cv2.CV_8U)
        return even


@dataclass(frozen=True, slots=True)
class _Telling:
    """What the light was told from at a `pose`: the colours `seen` (places, 3) on the logarithmic scale, how far the
    paints are `off` the set file (paints, 3), where things have `changed` (places,) since that was told, and the
    `misfit` of each strength of light (places, strengths).
    """

    pose: Pose
    seen: Array
    off: Array
    changed: Array
    misfit: Array
    illumination: Illumination


class IlluminationFinder:
    """Measures the light over the board of one game."""

    def __init__(self, paints: Paints, board: Raster) -> None:
        """`board`: the empty board."""
        rows, columns = board.values.shape
        x = np.arange(board.origin[0] + STEP / 2, board.origin[0] + columns * 0.25, STEP)
        y = np.arange(board.origin[1] + STEP / 2, board.origin[1] + rows * 0.25, STEP)
        self._shape, self._origin = (len(y), len(x)), np.array([x[0], y[0]])
        places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        self._points = np.column_stack([places, np.zeros(len(places))])
        self._on = board.at(places) != NOTHING
        count = len(paints.colours)
        shown = board.eroded(EDGE).at(places).astype(int)
        grounds = np.array([*range(count), *(ground for ground, _ in paints.prints)])
        self._bare = np.where(shown < paints.table, grounds[np.minimum(shown, paints.table - 1)], -1)
        colours = linear(np.array(paints.colours, np.float64))[:, None, ::-1]
        self._expected = np.log(colours * np.exp(STRENGTHS)[:, None] + SOFT).astype(np.float32)
        self.tells = self._tells(np.log(colours[:, 0] + SOFT), paints, np.unique(board.values))
        self._places: tuple[Pose, Array] | None = None  # the pixels of the places, by the last pose
        self._last: _Telling | None = None

    def _tells(self, colours: Array, paints: Paints, shown: Array) -> bool:
        """Whether a board is bright enough to tell the light, and nothing that may lie on it looks like a part of it in
        other light: `colours` (paints, 3) on the logarithmic scale, those `shown` on the board are its own.
        """
        bare = self._bare[self._bare >= 0]
        if not len(bare) or np.median(np.exp(colours[bare]).mean(axis=1)) < BRIGHT:
            return False
        printed = [k for number, pair in enumerate(paints.prints, len(colours)) if number in shown for k in pair]
        board = np.union1d(shown[shown < len(colours)], printed).astype(int)
        pieces = np.setdiff1d(np.arange(len(colours)), board)
        apart = colours[pieces, None] - colours[board]
        brighter = apart.mean(axis=2)
        alike = np.linalg.norm(apart - brighter[..., None], axis=2) < HUE
        return not bool((alike & (np.abs(brighter) > DARKER[0]) & (np.abs(brighter) < DARKER[1])).any())

    def measure(self, image: Array, pose: Pose, light: Light) -> Illumination:
        """The light over the board in `image`."""
        factor = max(2, round(SMOOTH * pose.scale(np.zeros(3))))
        levels = light.reflectance(linear(np.arange(256.0))[:, None])
        curve = np.log(np.maximum(levels, 0.0) + SOFT).astype(np.float32)
        seen = cv2.LUT(averaged(image, self._pixels(pose), factor)[None], curve[None])[0]
        last = self._last if self._last is not None and self._last.pose is pose else None
        if last is not None and (_change(seen, last.seen) > LATER)[self._on].mean() < CHANGED:
            return last.illumination
        self._last = self._afresh(pose, seen) if last is None else self._later(last, seen)
        return self._last.illumination

    def _afresh(self, pose: Pose, seen: Array) -> _Telling:
        """The light told from what is `seen` (places, 3) alone."""
        off = self._off(seen, self._best(self._misfit(seen, self._bare, self._expected)))
        misfit = self._misfit(seen, self._bare, self._expected + off[:, None])
        found = Illumination(self._told(seen, misfit), self._origin)
        return _Telling(pose, seen, off, np.zeros(len(seen), bool), misfit, found)

    def _later(self, last: _Telling, seen: Array) -> _Telling:
        """The light told from what is `seen` (places, 3) and what was told before."""
        other = _change(seen, last.seen) > ANEW
        changed = last.changed | other
        if changed.mean() > MANY:
            return self._afresh(last.pose, seen)
        misfit, known = last.misfit.copy(), last.seen.copy()
        misfit[other] = self._misfit(seen[other], self._bare[other], self._expected + last.off[:, None])
        known[other] = seen[other]
        found = Illumination(self._told(known, misfit), self._origin)
        return _Telling(last.pose, known, last.off, changed, misfit, found)

    def _pixels(self, pose: Pose) -> Array:
        """Where all places are in the picture (n, 2)."""
        if self._places is None or self._places[0] is not pose:
            self._places = pose, pose.project(self._points)
        return self._places[1]

    def _told(self, seen: Array, misfit: Array) -> Array | None:
        """The light over all places (rows, columns), from what is `seen` there (places, 3) on the logarithmic scale and
        the `misfit` of each strength (places, strengths).
        """
        best = self._best(misfit)
        strength = self._seen_edges(STRENGTHS[best].reshape(self._shape), seen.mean(axis=1).reshape(self._shape))
        low, high = np.quantile(strength.ravel()[self._on], (MUCH, 1 - MUCH))
        if high - low < UNEVEN:
            return None
        strength = np.where(self._on.reshape(self._shape), strength, 0.0).astype(np.float32)
        smooth: Array = cv2.GaussianBlur(strength, (0, 0), 0.6)
        return smooth

    def _seen_edges(self, strength: Array, seen: Array) -> Array:
        """The light (rows, columns) without regions whose edges are none in the picture: where the same paint is on
        both sides, what is `seen` (rows, columns) has to change as the light does; where it is not, anything may be.
        """
        on = self._on.reshape(self._shape)
        usual = np.median(strength[on])
        step = np.sign(strength - usual) * (np.abs(strength - usual) > UNEVEN / 2)
        result = strength.copy()
        for side in (-1, 1):
            count, regions = cv2.connectedComponents(((step == side) & on).astype(np.uint8), connectivity=4)
            for k in range(1, count):
                inside = regions == k
                told, shown = _across(inside, on, strength), _across(inside, on, seen)
                follows, stays = (np.abs(shown - each) < SAME * np.abs(told) for each in (told, 0.0))
                if follows.mean() < stays.mean():
                    result[inside] = usual
        return result

    def _best(self, misfit: Array) -> Array:
        """The numbers (places,) of the likeliest strengths of light, by the `misfit` of each (places, strengths)."""
        near, far = (self._around(misfit, wide) for wide in AROUND)
        best: Array = np.asarray(near + far + USUAL * np.abs(STRENGTHS)).argmin(axis=2).ravel()
        return best

    def _misfit(self, seen: Array, bare: Array, expected: Array) -> Array:
        """How unlikely what is seen at some places is in each light (places, strengths), where paints in each light are
        as `expected` (paints, strengths, 3), and the board has the paints `bare` (places,) there, or -1.
        """
        likely = _likeness(seen, expected.reshape(-1, 3)).reshape(len(seen), -1, len(STRENGTHS))
        either = likely.mean(axis=1)
        known = np.flatnonzero(bare >= 0)
        either[known] += BARE * (likely[known, bare[known]] - either[known])
        misfit: Array = -np.log(either + np.float32(ANYTHING))
        return misfit

    def _off(self, seen: Array, best: Array) -> Array:
        """By how much each paint (paints, 3) is off what is expected, on the logarithmic scale, if the light is as told
        by `best` (places,).
        """
        here = self._expected[:, best]  # (paints, places, 3)
        likely = np.exp(np.square(seen - here).sum(axis=2) * (-0.5 / WIDE**2))
        paint = np.where(likely.max(axis=0) > np.exp(-2.0), likely.argmax(axis=0), -1)
        off = np.zeros((len(here), 3), np.float32)
        for k in range(len(here)):
            which = np.flatnonzero((paint == k) & self._on)
            if len(which) >= ENOUGH:
                off[k] = np.median(seen[which] - here[k, which], axis=0)
        return np.clip(off, -FARTHEST, FARTHEST)

    def _around(self, misfit: Array, wide: float) -> Array:
        """The mean (rows, columns, strengths) of the misfit (places, strengths) on the board around each place."""
        misfit = misfit.reshape(*self._shape, -1) * self._on.reshape(*self._shape, 1)
        weight = cv2.GaussianBlur(self._on.reshape(self._shape).astype(np.float32), (0, 0), wide)
        layers = [cv2.GaussianBlur(layer, (0, 0), wide) for layer in cv2.split(np.ascontiguousarray(misfit))]
        mean: Array = np.stack(layers, axis=-1) / np.maximum(weight, 0.05)[..., None]
        return mean


def _across(inside: Array, on: Array, values: Array) -> Array:
    """By how much (n,) the values (rows, columns) are higher just `inside` a region's edge than just outside."""
    changes = [np.zeros(1)]
    for axis in (0, 1):
        ends = [np.moveaxis(each, axis, 0) for each in (inside, on, values)]
        (here, there), (good, too), (one, other) = ((each[:-ACROSS], each[ACROSS:]) for each in ends)
        both = good & too
        changes += [(one - other)[here & ~there & both], (other - one)[there & ~here & both]]
    return np.concatenate(changes)


def _change(seen: Array, before: Array) -> Array:
    """By how much (places,) what is seen has changed."""
    change: Array = np.abs(seen - before).mean(axis=1)
    return change


def _likeness(seen: Array, expected: Array) -> Array:
    """How like colours `seen` (n, 3) are to what is `expected` (m, 3), on the logarithmic scale: (n, m), at most 1."""
    square = np.square(seen).sum(axis=1)[:, None] - 2 * seen @ expected.T + np.square(expected).sum(axis=1)
    likeness: Array = np.exp(square * (-0.5 / SPREAD**2))
    return likeness
