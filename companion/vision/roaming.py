"""Finding things that stand anywhere on a level: where, and which, told by their colour and their shape in the picture.

All is done on a lattice of the level that they stand on. A thing covers there what the camera sees it before: its
footprint, and what its height hides. So each thing is a window of points that should show its colour and not what lies
there, with a border that should not; the best match is taken, its points are given to it, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.looks import Ball, Look, Prism, regular
from companion.vision.board import Pose
from companion.vision.lens import Array
from companion.vision.places import in_picture
from companion.vision.raster import UNSURE, Paints, rasterise

STEP = 1.5
"""Millimetres between points of the lattice."""

WEIGHT = 0.15
"""As how many independent pixels a square millimetre counts."""

MOST = 3.0
"""What a point says at most (natural logarithm) for or against a thing."""

RIM = 1.2
"""Millimetres around a thing's outline in which nothing is expected: it may stand turned."""

BORDER = 2.5
"""Millimetres around the rim that should not show the thing's colour."""

INNER = 2.5
"""Millimetres from the edge of a thing's upper side to where it surely shows."""

AROUND = 1.0
"""How much a point of the border that does show the thing's colour counts against the thing."""

DARK = (0.15, 0.4)
"""How often a thing's upper faces and its sides lie in deep shade."""

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

Window = tuple[slice, slice]


class Shape(NamedTuple):
    """Masks of what a thing covers with its upper faces and with its sides, and of the border around; their middle is
    its place. `pad`: half their size, in points.
    """

    upper: Array
    sides: Array
    border: Array
    pad: int


@dataclass(frozen=True, slots=True)
class Level:
    """The lattice: pixels `at` (rows, columns, 2) of its points, and which the picture holds; `low` (x, y) in mm is
    where the first one is. `camera` (3,) relative to the board frame, `z` the height of the level. `shapes` are kept
    here once they were drawn.
    """

    at: Array
    inside: Array
    low: Array
    camera: Array
    z: float
    shapes: dict[tuple[bytes, bytes], Shape] = field(default_factory=dict)

    @classmethod
    def over(cls, pose: Pose, low: Array, high: Array, z: float) -> Level:
        """The lattice from `low` to `high` (mm) at height `z`."""
        columns, rows = np.ceil((high - low) / STEP).astype(int) + 1
        x, y = np.meshgrid(low[0] + np.arange(columns) * STEP, low[1] + np.arange(rows) * STEP)
        at = pose.project(np.stack([x, y, np.full_like(x, z)], axis=-1).reshape(-1, 3)).reshape(rows, columns, 2)
        return cls(at, in_picture(at, pose.lens.size), np.asarray(low, np.float64), pose.camera, z)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.at.shape[0], self.at.shape[1]

    def window(self, centre: Array, reach: float) -> Window:
        """The part of the lattice within `reach` mm of a point (2,), along both axes."""
        first = np.maximum(np.rint((centre - reach - self.low) / STEP).astype(int), 0)
        last = np.rint((centre + reach - self.low) / STEP).astype(int) + 1
        return slice(int(first[1]), int(last[1])), slice(int(first[0]), int(last[0]))

    def number(self, points: Array) -> Array:
        """The numbers (n,), counted along the rows, of the lattice's points nearest to points (n, 2) in mm."""
        columns, rows = np.rint((points - self.low) / STEP).astype(int).T
        numbers: Array = np.clip(rows, 0, self.shape[0] - 1) * self.shape[1] + np.clip(columns, 0, self.shape[1] - 1)
        return numbers

    def fill(self, mask: Array, outlines: Sequence[Array]) -> None:
        """Sets to 1 what convex outlines (n, 2), in mm, hold of a mask of the lattice (8 bits)."""
        for outline in outlines:
            cv2.fillConvexPoly(mask, np.rint((outline - self.low) / STEP * 16).astype(np.int32), 1, cv2.LINE_8, 4)

    def points(self, window: Window) -> Array:
        """Where the points of a window are (rows, columns, 2), in mm of the board frame."""
        y, x = np.mgrid[window]
        points: Array = self.low + np.stack([x, y], axis=-1) * STEP
        return points


class Thing:
    """A label with its form, turned clockwise by `turn` degrees: `corners` (n, 3) of all its solids, mm,
    `form` the same as a key. `colour`, of
    its upper faces, and `sides`: its paints, one as likely as the other, and what they look like in deep shade.
    """

    def __init__(self, label: str, look: Look, paints: Paints, turn: float = 0.0) -> None:
        self.label, self.turn = label, turn
        self.solids = [_turned(_corners(solid), turn) for solid in look]
        self.corners = np.concatenate(self.solids)
        self.form = self.corners.tobytes()
        colours = [solid.colour for solid in look]
        colours += [mark.colour for solid in look if isinstance(solid, Prism) for mark in solid.marks]
        numbers = tuple(dict.fromkeys(paints.number(colour) for colour in colours))
        self._face = rasterise(look, paints)
        self.colour, self.sides = (
            (
                *((number, (1 - dark) / len(numbers)) for number in numbers),
                *((paints.shaded(number), dark / len(numbers)) for number in numbers),
            )
            for dark in DARK
        )

    @cached_property
    def radius(self) -> float:
        """Of the circle about its footprint, mm."""
        return float(np.linalg.norm(self.corners[:, :2], axis=1).max())

    @cached_property
    def area(self) -> float:
        """Of its footprint, square mm."""
        return float(cv2.contourArea(cv2.convexHull(self.corners[:, :2].astype(np.float32))))

    @cached_property
    def height(self) -> float:
        """Of its highest point, mm."""
        return float(self.corners[:, 2].max())

    def outlines(self, level: Level, place: Array) -> list[Array]:
        """What it hides of the level when it stands at `place` (2,): a convex outline (n, 2) for each of its solids, in
        mm of the board frame.
        """
        return [_hidden(level, corners, place) for corners in self.solids]

    def uppers(self, level: Level, place: Array) -> list[Array]:
        """The same for the upper faces of its solids alone."""
        return [_hidden(level, corners[len(corners) // 2 :], place) for corners in self.solids]

    def upper(self, pose: Pose, place: Array, z: float) -> tuple[Array, Array]:
        """Pixels (n, 2) in the middle of its upper side, when it stands at `place` (2,) on a level at height `z`, and
        the numbers (n,) of the paints that show there.
        """
        corners = _turned(self.corners, -self.turn)
        low, high = corners.min(axis=0) + INNER, corners.max(axis=0) - INNER
        x, y = np.meshgrid(np.arange(low[0], high[0], 1.0), np.arange(low[1], high[1], 1.0))
        points = np.column_stack([x.ravel(), y.ravel()])
        shown = self._face.at(points)
        points, shown = points[shown < UNSURE], shown[shown < UNSURE]
        seen = _turned(np.column_stack([points, np.full(len(points), z + 0.8 * self.height)]), self.turn)
        return pose.project(seen + np.array([*place, 0.0])), shown


def _turned(points: Array, turn: float) -> Array:
    """Points (n, 3) turned clockwise about the z axis, by degrees."""
    a = np.radians(turn)
    turned: Array = points @ np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
    return turned


def _hidden(level: Level, corners: Array, place: Array) -> Array:
    """What the hull of `corners` (n, 3) hides of the level: a convex outline (n, 2) in mm of the board frame."""
    part = (level.camera[2] - level.z) / (level.camera[2] - level.z - corners[:, 2:])
    shadow = level.camera[:2] + (corners[:, :2] + place - level.camera[:2]) * part
    return np.asarray(cv2.convexHull(shadow.astype(np.float32))).reshape(-1, 2)


def _corners(solid: Prism | Ball) -> Array:
    if isinstance(solid, Ball):
        foot, low, high = np.array(regular(8, solid.diameter / 2, centre=solid.centre)), solid.z, solid.z
    else:
        foot, low, high = np.array(solid.footprint), solid.z0, solid.z1
    return np.concatenate([np.column_stack([foot, np.full(len(foot), z)]) for z in (low, high)])


@dataclass(frozen=True, slots=True)
class Field:
    """A place (2,) of the board frame around which things may stand, as far as `reach` mm along both axes."""

    centre: Array
    reach: float


@dataclass(frozen=True, slots=True)
class Found:
    """A thing that was found: on which field (its number), which, where (2,) in mm, and how much likelier it is
    than none. `scores[label]` says the same for that label at each of `places` (n, 2) around; `outlines`: what it
    hides. `fits`: the part of its points that show its colour.
    """

    field: int
    thing: Thing
    place: Array
    score: float
    places: Array
    scores: Mapping[str, Array]
    outlines: list[Array]
    fits: float

    @property
    def label(self) -> str:
        """What it is."""
        return self.thing.label


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
            _, areas, stats, _ = cv2.connectedComponentsWithStats((colour > 0).astype(np.uint8), connectivity=4)
            large = stats[:, cv2.CC_STAT_AREA] * STEP**2 > largest
            large[0] = False
            another = large[areas]
            colour[another] = sides[another] = -MOST

    def _padded(self, values: Array) -> Array:
        """Values with a margin around, of which nothing is known."""
        return np.pad(values.astype(np.float32), self._pad)

    def find(self, most: int) -> list[Found]:
        """What stands on the fields, at most so many things on each; the surest first."""
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
