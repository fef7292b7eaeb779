"""Finding things that stand anywhere on a level: where, and which, told by their colour and their shape in the picture.

All is done on a lattice of the level that they stand on. A thing covers there what the camera sees it before: its
footprint, and what its height hides. So each thing is a window of points that should show its colour and not what lies
there, with a border that should not; the best match is taken, its points are given to it, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.scene.forms import STEP, Level, Shape, Thing, Window

WEIGHT = 0.15
"""As how many independent pixels a square millimetre counts."""

MOST = 3.0
"""What a point says at most (natural logarithm) for or against a thing."""

RIM = 1.2
"""Millimetres around a thing's outline in which nothing is expected: it may stand turned."""

BORDER = 2.5
"""Millimetres around the rim that should not show the thing's colour."""

AROUND = 1.0
"""How much a point of the border that does show the thing's colour counts against the thing."""

CLEAR = 0.45
"""Part of the border, at least, that must show what lies there: what is larger than the thing is another."""

LARGER = 1.5
"""So many times the area of the largest thing is no such thing any more."""

RARE = -3.0
"""How much less likely (natural logarithm) a thing at any place is than none, before looking."""

REACH = 7.5
"""Up to this distance, in mm, from the best match another place is for the same thing."""

LIKELY = 0.5
"""Part of the points of a small area, at least, that must speak for a thing for it to be looked for."""

HOPELESS = -20.0
"""Things that are so much less likely everywhere than none are not tried turned."""


@dataclass(frozen=True, slots=True)
class Field:
    """A place (2,) of the board frame around which things may stand, as far as `reach` mm along both axes."""

    centre: Array
    reach: float


@dataclass(frozen=True, slots=True)
class Found:
    """A thing that was found: on which field (its number), which, where (2,) in mm, and how much likelier it is
    than none. `scores[label]` says the same for that label at each of `places` (n, 2) around; `outlines`: what it
    hides. `fits`: the part of its points that show its colour. `vague`: whether it may as well be none.
    """

    field: int
    thing: Thing
    place: Array
    score: float
    places: Array
    scores: Mapping[str, Array]
    outlines: list[Array]
    fits: float
    vague: bool = False

    @property
    def label(self) -> str:
        """What it is."""
        return self.thing.label

    def doubted(self) -> Found:
        """The same, but perhaps there is nothing."""
        scores = {label: np.minimum(score, 0.0) for label, score in self.scores.items()}
        return replace(self, scores=scores, vague=True)


class Gain(NamedTuple):
    """How much better a thing explains points of the level (rows, columns) than what lies there: with its colour, and
    with its sides, which may be dark.
    """

    colour: Array
    sides: Array


class Seeker:
    """Looks for things on one level."""

    def __init__(
        self,
        things: Sequence[Thing],
        level: Level,
        fields: Sequence[Field],
        ground: Array,
        gains: Mapping[str, Gain],
    ) -> None:
        """`ground` (rows, columns): how well what lies at each point of the level explains it; `gains`: by label, how
        much better the thing does.
        """
        self._things, self._level, self._fields = things, level, fields
        self._margins = [self._margin(one) for one in fields]
        self._pad = int(max(self._margins, default=0.0) / STEP) + 3
        self._clear = self._padded(ground > 0)
        self._gains = {
            label: Gain(*(self._padded(np.clip(g, -MOST, MOST)) for g in gain)) for label, gain in gains.items()
        }
        self._leave_out_larger()
        side = 2 * round(0.35 * min(thing.area for thing in things) ** 0.5 / STEP) + 1
        self._traces = {
            label: cv2.boxFilter((gain.sides > 0).astype(np.float32), -1, (side, side))
            for label, gain in self._gains.items()
        }
        self._left: dict[int, dict[str, Array]] = {}

    def _leave_out_larger(self) -> None:
        """What shows a thing's colour in one piece, but is much larger than any thing, is another: a hand, a sleeve."""
        largest = LARGER * max(
            thing.area + 2 * thing.radius * max(0.0, margin - thing.radius)
            for thing in self._things
            for margin in self._margins or [0.0]
        )
        for colour, sides in self._gains.values():
            if np.count_nonzero(colour > 0) * STEP**2 <= largest:
                continue
            _, areas, stats, _ = cv2.connectedComponentsWithStats((colour > 0).astype(np.uint8), connectivity=4)
            large = stats[:, cv2.CC_STAT_AREA] * STEP**2 > largest
            large[0] = False
            another = large[areas]
            colour[another] = sides[another] = -MOST

    def _padded(self, values: Array) -> Array:
        """Values with a margin around, of which nothing is known."""
        sides = (self._pad,) * 4
        return np.asarray(cv2.copyMakeBorder(values.astype(np.float32), *sides, cv2.BORDER_CONSTANT))

    def find(self, most: int, known: Sequence[Found] = ()) -> list[Found]:
        """What stands on the fields beside what is `known` to stand around, at most so many things on each; the surest
        first.
        """
        for one in known:
            self._claim(one)
        left = dict.fromkeys(range(len(self._fields)), most)
        best = {k: self._best(k) for k in left}
        found: list[Found] = []
        while candidates := [one for k, one in best.items() if one is not None and left[k]]:
            one = max(candidates, key=lambda candidate: candidate.score)
            found.append(one)
            left[one.field] -= 1
            box = self._claim(one)
            for k, near in enumerate(self._fields):
                if _overlap(box, self._level.window(near.centre, near.reach + self._margins[k])):
                    best[k] = self._best(k)
        return found

    def others(self, number: int) -> tuple[Array, Mapping[str, Array]]:
        """Places (n, 2) all over a field that was searched, and how much likelier each label is there than none, beside
        what was found; labels of which there is no trace are not named.
        """
        here = self._fields[number]
        scores = {label: score.ravel() for label, score in self._left[number].items()}
        return self._level.points(self._level.window(here.centre, here.reach)).reshape(-1, 2), scores

    def _margin(self, around: Field) -> float:
        lean = float(np.linalg.norm(self._level.camera[:2] - around.centre)) / (self._level.camera[2] - self._level.z)
        return float(max(thing.radius + thing.height * lean * 1.05 for thing in self._things)) + RIM + BORDER

    def _claim(self, found: Found) -> Window:
        """Gives the points that a thing hides to it; the part of the lattice that changes."""
        level = self._level
        mask = np.zeros(level.shape, np.uint8)
        level.fill(mask, found.outlines)
        rows, columns = np.nonzero(cv2.dilate(mask, np.ones((3, 3), np.uint8)))
        if not len(rows):  # it hides nothing of this part
            return slice(0, 0), slice(0, 0)
        here = rows + self._pad, columns + self._pad
        for part in (part for gain in self._gains.values() for part in gain):
            part[here] = np.minimum(part[here], 0.0)
        self._clear[here] = 1.0
        return slice(int(rows.min()), int(rows.max()) + 1), slice(int(columns.min()), int(columns.max()) + 1)

    def _best(self, number: int) -> Found | None:
        """The likeliest thing on a field."""
        level, here = self._level, self._fields[number]
        window = level.window(here.centre, here.reach)
        scores = list(self._scores(number, window))
        maps = self._left[number] = _likeliest(scores)
        if not maps:
            return None
        tops = {label: float(score.max()) for label, score in maps.items()}
        label = max(tops, key=lambda name: tops[name])
        if tops[label] <= 0:
            return None
        points = level.points(window)
        row, column = np.unravel_index(int(maps[label].argmax()), maps[label].shape)
        place = points[row, column]
        near = np.linalg.norm(points - place, axis=-1) <= REACH
        thing = max((one for one in scores if one[0].label == label), key=lambda one: float(one[1][row, column]))[0]
        around = {name: score[near] for name, score in maps.items()}
        fits = self._fits(thing, number, (window[0].start + int(row), window[1].start + int(column)))
        return Found(number, thing, place, tops[label], points[near], around, thing.outlines(level, place), fits)

    def _fits(self, thing: Thing, number: int, at: tuple[int, int]) -> float:
        """Which part of the points that a thing at a row and column covers shows its colour."""
        shape = self._shape(thing, number)
        covered = shape.upper + shape.sides > 0
        sides = self._around(
            self._gains[thing.label].sides, (slice(at[0], at[0] + 1), slice(at[1], at[1] + 1)), shape.pad
        )
        return float((sides[covered] > 0).mean())

    def _scores(self, number: int, window: Window) -> Iterator[tuple[Thing, Array]]:
        """For each thing that may be there, how much likelier it is than none at each point of the window."""
        margin = int(self._margins[number] / STEP)
        hopeless: set[str] = set()
        for thing in self._things:
            if thing.label in hopeless or self._around(self._traces[thing.label], window, margin).max() < LIKELY:
                continue
            shape = self._shape(thing, number)
            colour, sides, clear = (
                self._around(values, window, shape.pad) for values in (*self._gains[thing.label], self._clear)
            )
            score = cv2.filter2D(colour, -1, shape.upper) + cv2.filter2D(sides, -1, shape.sides)
            score -= AROUND * cv2.filter2D(np.maximum(colour, 0), -1, shape.border)
            score *= WEIGHT * STEP**2
            score[cv2.filter2D(clear, -1, shape.border) < CLEAR * shape.border.sum()] = -np.inf
            inner = (score + RARE)[shape.pad : -shape.pad, shape.pad : -shape.pad]
            if inner.max() < HOPELESS:
                hopeless.add(thing.label)
            yield thing, inner

    def _around(self, values: Array, window: Window, margin: int) -> Array:
        """A window of padded values with a margin around."""
        rows, columns = (slice(part.start + self._pad - margin, part.stop + self._pad + margin) for part in window)
        return values[rows, columns]

    def _shape(self, thing: Thing, number: int) -> Shape:
        """What a thing surely covers on a field."""
        centre, shapes = self._fields[number].centre, self._level.shapes
        key = (thing.form, centre.tobytes())
        if key not in shapes:
            outlines, uppers = (
                [(outline - centre) / STEP for outline in part(self._level, centre)]
                for part in (thing.outlines, thing.uppers)
            )
            pad = int(np.ceil(max(np.abs(outline).max() for outline in outlines) + (RIM + BORDER) / STEP)) + 1
            whole, upper = _filled(outlines, pad), _filled(uppers, pad)
            away = np.asarray(cv2.distanceTransform(1 - whole, cv2.DIST_L2, 5)) * STEP
            core = np.asarray(cv2.distanceTransform(whole, cv2.DIST_L2, 5)) * STEP > RIM
            border = (away > RIM) & (away <= RIM + BORDER)
            top, sides, around = (part.astype(np.float32) for part in (core & (upper > 0), core & (upper == 0), border))
            shapes[key] = Shape(top, sides, around, pad)
        return shapes[key]


def _likeliest(scores: Sequence[tuple[Thing, Array]]) -> dict[str, Array]:
    """The scores of each label, however the thing is turned."""
    best: dict[str, Array] = {}
    for thing, score in scores:
        best[thing.label] = np.maximum(best[thing.label], score) if thing.label in best else score
    return best


def _filled(outlines: Sequence[Array], pad: int) -> Array:
    """A mask of `pad` points around the middle, 1 in the convex outlines (in points, from the middle)."""
    mask = np.zeros((2 * pad + 1, 2 * pad + 1), np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(mask, np.rint((outline + pad) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask


def _overlap(one: Window, other: Window) -> bool:
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(one, other, strict=True))
