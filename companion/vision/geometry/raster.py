"""Looks painted flat: what colour is where on a face, seen straight from above, on a fine grid of millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.looks import Area, Ball, Colour, Disc, Glyph, Look, Mark, Point, Prism, Ring, Stroke
from companion.vision.geometry.lens import Array

STEP = 0.25
"""Millimetres a raster point."""

_SHIFT = 6

NOTHING = 255
"""Raster value outside every solid."""

UNSURE = 254
"""Raster value where the colour changes within the margin that was asked for."""

SURROUNDINGS = 0.72
"""Radius of a character's surroundings, in heights of it."""

INK = 0.3
"""Part of a character's surroundings that its ink covers, roughly: fonts differ."""


@dataclass(frozen=True, slots=True)
class Raster:
    """Colour numbers (height, width) of the top faces of a look; row 0 is the lowest y.

    `origin` (x, y) in mm is the centre of value [0, 0]; values are indices into the paints, or `NOTHING` or `UNSURE`.
    """

    values: Array
    origin: Point

    def at(self, points: Array) -> Array:
        """Colour numbers (n,) at points (n, 2) in mm."""
        columns = np.rint((points[:, 0] - self.origin[0]) / STEP).astype(np.intp)
        rows = np.rint((points[:, 1] - self.origin[1]) / STEP).astype(np.intp)
        height, width = self.values.shape
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        found = self.values[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
        return np.where(inside, found, NOTHING)

    def eroded(self, margin: float) -> Raster:
        """The same, but unsure within `margin` mm of where the colour changes."""
        size = 2 * round(margin / STEP) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        padded = self.values
        changes = cv2.dilate(padded, kernel) != cv2.erode(padded, kernel)
        return Raster(np.where(changes, np.uint8(UNSURE), self.values), self.origin)


@dataclass(frozen=True, slots=True)
class Paints:
    """The numbers of all surfaces that looks show: first the plain `colours`, then the `prints`.

    A print is a character's surroundings: a pair of colour numbers (ground, ink); fonts differ, so either may show.
    """

    colours: tuple[Colour, ...]
    prints: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, looks: Iterable[Look]) -> Paints:
        """The paints of many looks together."""
        looks = list(looks)
        colours = tuple(dict.fromkeys(colour for look in looks for colour in _colours_of(look)))
        grounds = dict.fromkeys(pair for look in looks for pair in _printed(look))
        return cls(colours, tuple((colours.index(ground), colours.index(ink)) for ground, ink in grounds))

    @property
    def table(self) -> int:
        """The number of the table top, whatever it looks like."""
        return len(self.colours) + len(self.prints)

    @property
    def unsure(self) -> int:
        """The number that stands for any surface."""
        return self.table + 1

    def shaded(self, number: int) -> int:
        """The number that stands for a plain colour in deep shade, as on the dark side of a thing."""
        return self.unsure + 1 + number

    def number(self, colour: Colour) -> int:
        """The number of a plain colour."""
        return self.colours.index(colour)

    def print_number(self, ground: int, ink: Colour) -> int:
        """The number of a character in `ink` on the colour number `ground`."""
        return len(self.colours) + self.prints.index((ground, self.colours.index(ink)))


def _colours_of(look: Look) -> Iterator[Colour]:
    for solid in look:
        yield solid.colour
        for mark in solid.marks if isinstance(solid, Prism) else ():
            yield mark.colour


def _printed(look: Look) -> Iterator[tuple[Colour, Colour]]:
    for solid in look:
        marks = solid.marks if isinstance(solid, Prism) else ()
        for k, mark in enumerate(marks):
            if isinstance(mark, Glyph):
                below = [other.colour for other in marks[:k] if _covers(other, mark.centre)]
                yield (below or [solid.colour])[-1], mark.colour


def _covers(mark: Mark, point: Point) -> bool:
    match mark:
        case Area(corners, _):
            return cv2.pointPolygonTest(np.array(corners, np.float32), point, False) >= 0
        case Disc((x, y), diameter, _):
            return (x - point[0]) ** 2 + (y - point[1]) ** 2 <= diameter**2 / 4
    return False


def rasterise(look: Look, paints: Paints) -> Raster:
    """The look's top faces, lowest first; `paints` holds every colour of the look."""
    points = [point for solid in look for point in _outline(solid)]
    low = np.min(points, axis=0) - 2.0
    high = np.max(points, axis=0) + 2.0
    width, height = (np.ceil((high - low) / STEP).astype(int) + 1).tolist()
    values = np.full((height, width), NOTHING, np.uint8)
    brush = _Brush(values, (float(low[0]), float(low[1])))
    for solid in sorted(look, key=lambda s: s.z1 if isinstance(s, Prism) else s.z):
        brush.polygon(_outline(solid), paints.number(solid.colour))
        for mark in solid.marks if isinstance(solid, Prism) else ():
            brush.mark(mark, paints)
    return Raster(values, brush.origin)


def _outline(solid: Prism | Ball) -> list[Point]:
    if isinstance(solid, Prism):
        return list(solid.footprint)
    x, y = solid.centre
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    return [(x + solid.diameter / 2 * np.cos(a), y + solid.diameter / 2 * np.sin(a)) for a in angles]


@dataclass(frozen=True, slots=True)
class _Brush:
    values: Array
    origin: Point

    def mark(self, mark: Mark, paints: Paints) -> None:
        """Paints one mark."""
        match mark:
            case Area(corners, colour):
                self.polygon(corners, paints.number(colour))
            case Disc(centre, diameter, colour):
                self._disc(centre, diameter / 2, paints.number(colour))
            case Ring(centre, diameter, width, colour):
                thickness = max(1, round(width / STEP))
                radius = round(diameter / 2 / STEP)
                at = self._fixed([centre])[0]
                cv2.circle(self.values, at, radius << _SHIFT, paints.number(colour), thickness, cv2.LINE_8, _SHIFT)
            case Stroke(points, width, colour):
                lines = [np.array(self._fixed(points), np.int32)]
                thickness = max(1, round(width / STEP))
                cv2.polylines(self.values, lines, False, paints.number(colour), thickness, cv2.LINE_8, _SHIFT)
            case Glyph(centre, height, _, _, ink):
                column, row = np.rint(self._pixels([centre])[0]).astype(int)
                ground = int(self.values[row, column])
                surroundings = np.zeros_like(self.values)
                cv2.circle(surroundings, (column, row), round(height * SURROUNDINGS / STEP), 1, -1)
                self.values[(surroundings > 0) & (self.values == ground)] = paints.print_number(ground, ink)

    def polygon(self, corners: tuple[Point, ...] | list[Point], value: int) -> None:
        """Fills a convex polygon."""
        cv2.fillConvexPoly(self.values, np.array(self._fixed(corners), np.int32), value, cv2.LINE_8, _SHIFT)

    def _pixels(self, points: tuple[Point, ...] | list[Point]) -> Array:
        return (np.asarray(points, np.float64) - self.origin) / STEP

    def _fixed(self, points: tuple[Point, ...] | list[Point]) -> list[tuple[int, int]]:
        fixed = np.rint(self._pixels(points) * (1 << _SHIFT)).astype(int)
        return [(int(x), int(y)) for x, y in fixed]

    def _disc(self, centre: Point, radius: float, value: int) -> None:
        at = self._fixed([centre])[0]
        cv2.circle(self.values, at, round(radius / STEP * (1 << _SHIFT)), value, -1, cv2.LINE_8, _SHIFT)
