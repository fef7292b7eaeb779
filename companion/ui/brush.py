"""The brush: paints looks, in millimetres, onto surfaces that are then scaled down, which makes crisp edges."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import cos, hypot, radians, sin

import pygame

from companion.games.looks import Area, Ball, Colour, Disc, Glyph, Look, Mark, Point, Prism, Ring, Stroke
from companion.ui import text

FINE = 3
"""How many times finer the board is drawn than it is shown."""

PIECE_FINE = 4
"""The same for pieces."""

CAP_HEIGHT = 0.714
"""Height of a digit of Noto Sans, in sizes of type."""


class Brush:
    """Paints looks onto a surface; `scale` in pixels per mm, `origin` where the frame's origin lies, y up."""

    def __init__(self, surface: pygame.Surface, scale: float, origin: Point, turn: float = 0.0) -> None:
        self._surface, self._scale, self._origin = surface, scale, origin
        self._cos, self._sin = cos(radians(turn)), sin(radians(turn))

    def at(self, point: Point) -> Point:
        """The pixel of a point of the frame."""
        x, y = point
        across, up = x * self._cos + y * self._sin, y * self._cos - x * self._sin
        return self._origin[0] + across * self._scale, self._origin[1] - up * self._scale

    def look(self, look: Look) -> None:
        """All solids, lower ones first."""
        for solid in sorted(look, key=lambda s: s.z if isinstance(s, Ball) else s.z1):
            if isinstance(solid, Ball):
                self.disc(solid.centre, solid.diameter, solid.colour)
            else:
                self.area(solid.footprint, solid.colour)
                for mark in solid.marks:
                    self.mark(mark)

    def mark(self, mark: Mark) -> None:
        """One mark of a face."""
        match mark:
            case Area(corners, colour):
                self.area(corners, colour)
            case Disc(centre, diameter, colour):
                self.disc(centre, diameter, colour)
            case Ring(centre, diameter, width, colour):
                radius = (diameter + width) / 2 * self._scale
                pygame.draw.circle(self._surface, colour, self.at(centre), radius, max(1, round(width * self._scale)))
            case Stroke(points, width, colour):
                self.line(points, width, colour)
            case Glyph():
                self.glyph(mark)

    def area(self, corners: Iterable[Point], colour: Colour) -> None:
        """A filled polygon."""
        pygame.draw.polygon(self._surface, colour, [self.at(corner) for corner in corners])

    def disc(self, centre: Point, diameter: float, colour: Colour) -> None:
        """A filled circle."""
        pygame.draw.circle(self._surface, colour, self.at(centre), diameter / 2 * self._scale)

    def line(self, points: tuple[Point, ...], width: float, colour: Colour) -> None:
        """A line `width` mm wide with round corners."""
        for (ax, ay), (bx, by) in pairwise(points):
            length = hypot(bx - ax, by - ay) or 1.0
            nx, ny = (ay - by) / length * width / 2, (bx - ax) / length * width / 2
            self.area([(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)], colour)
        for point in points:
            self.disc(point, width, colour)

    def glyph(self, glyph: Glyph) -> None:
        """A printed character, upright for the reader however it is printed."""
        pixels = max(6, round(glyph.height * self._scale / CAP_HEIGHT))
        picture = text.font(pixels, bold=True).render(glyph.text, True, glyph.colour)
        ink = picture.get_bounding_rect()
        x, y = self.at(glyph.centre)
        self._surface.blit(picture.subsurface(ink), (round(x - ink.width / 2), round(y - ink.height / 2)))


def outline(look: Look) -> list[Point]:
    """Points around everything of a look."""
    points: list[Point] = []
    for solid in look:
        if isinstance(solid, Prism):
            points += solid.footprint
        else:
            (x, y), r = solid.centre, solid.diameter / 2
            points += [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]
    return points


def see_through(colour: Colour, alpha: int) -> tuple[int, int, int, int]:
    """The colour with that alpha, premultiplied."""
    r, g, b = (round(c * alpha / 255) for c in colour)
    return r, g, b, alpha
