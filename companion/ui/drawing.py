"""Board drawings: a position of any game, in plain 2D from above, from the looks of its set.

Everything is drawn several times finer than shown and scaled down, which makes crisp edges; the empty board and every
kind of piece are drawn once and kept. Works without a display.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import Any

import pygame

from companion.games.core import Game, View
from companion.games.looks import Area, Ball, Colour, Disc, Glyph, Look, Mark, Point, Prism, Ring, Stroke
from companion.games.sites import EMPTY, SiteSpec
from companion.ui import text
from companion.ui.shapes import shape, smooth

FINE = 3
"""How many times finer the board is drawn than it is shown."""

PIECE_FINE = 4
"""The same for pieces."""

CAP_HEIGHT = 0.714
"""Height of a digit of Noto Sans, in sizes of type."""


CASING: Colour = (16, 18, 20)
"""Around the line of a sign, so that it stands out from boards of any colour."""


LARGEST = 60.0
"""Signs do not grow any more on sites larger than this, in mm."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A mark on a site: an outline, a tint, and a badge with a shape, so that colour alone says nothing."""

    site: str
    line: Colour
    tint: Colour | None = None
    badge: str | None = None
    on_badge: Colour = (255, 255, 255)


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


class BoardDrawing:
    """The board of one game at one size, in pixels. `loose` says whether the racks beside the board are in the
    picture, `rim` is the colour of a line around the board, where it would be lost on its ground.
    """

    def __init__(
        self, game: Game[Any, Any], size: tuple[int, int], *, loose: bool = False, rim: Colour | None = None
    ) -> None:
        self.game = game
        self.size = size
        self._rim = rim
        self._sites = {spec.name: spec for spec in game.sites if loose or not spec.loose}
        left, bottom, right, top = self._extent()
        self.scale = min(size[0] / (right - left), size[1] / (top - bottom))
        self._origin = (
            (size[0] - (left + right) * self.scale) / 2,
            (size[1] + (top + bottom) * self.scale) / 2,
        )
        self._pieces: dict[tuple[str, str, float], pygame.Surface] = {}
        self._signs: dict[tuple[str, float, Sign], pygame.Surface] = {}
        self._board: pygame.Surface | None = None

    def _extent(self) -> tuple[float, float, float, float]:
        points = [p for solid in self.game.board if isinstance(solid, Prism) for p in solid.footprint]
        for spec in self._sites.values():
            x, y, r = spec.centre[0], spec.centre[1], spec.size / 2
            if spec.loose:
                points += [(x - r, y - r), (x + r, y + r)]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        return min(xs), min(ys), max(xs), max(ys)

    def at(self, point: Point) -> Point:
        """The pixel of a point of the board frame."""
        return self._origin[0] + point[0] * self.scale, self._origin[1] - point[1] * self.scale

    def place(self, site: str) -> Point:
        """The pixel in the middle of a site."""
        return self.at(self._sites[site].centre[:2])

    def has(self, site: str) -> bool:
        """Whether the site is in the picture."""
        return site in self._sites

    def nearest(self, pos: Point, among: Iterable[str], reach: float) -> str | None:
        """The site nearest to a pixel, if it is not further than `reach` pixels."""
        distances = [
            (hypot(pos[0] - x, pos[1] - y), name) for name in among if self.has(name) for x, y in [self.place(name)]
        ]
        distance, name = min(distances, default=(reach + 1, None))
        return name if distance <= reach else None

    def picture(self, view: View, signs: Iterable[Sign] = ()) -> pygame.Surface:
        """The board with everything that lies on it, and the signs, on nothing."""
        picture = self._empty_board().copy()
        for site, labels in self._lying(view):
            for k, label in enumerate(labels):
                self._put(picture, site, label, k - (len(labels) - 1) / 2)
        for sign in signs:
            if self.has(sign.site):
                self._sign(picture, sign)
        return picture

    def _lying(self, view: View) -> list[tuple[SiteSpec, tuple[str, ...]]]:
        labels: dict[str, tuple[str, ...]] = {site: (label,) for site, label in view.sites.items()}
        labels.update(view.kept)
        for group in view.groups:
            labels.update({site: (label,) for site, label in zip(group.sites, group.labels, strict=False)})
        lying = [
            (self._sites[site], tuple(label for label in at if label != EMPTY))
            for site, at in labels.items()
            if site in self._sites
        ]
        return [(spec, at) for spec, at in lying if at]

    def _empty_board(self) -> pygame.Surface:
        if self._board is None:
            self._board = smooth(self.size, self._draw_board, FINE)
        return self._board

    def _draw_board(self, large: pygame.Surface) -> None:
        brush = Brush(large, self.scale * FINE, (self._origin[0] * FINE, self._origin[1] * FINE))
        brush.look(self.game.board)
        for solid in self.game.board:
            if self._rim and isinstance(solid, Prism):
                brush.line((*solid.footprint, solid.footprint[0]), 2.4 / self.scale, self._rim)

    def _put(self, picture: pygame.Surface, spec: SiteSpec, label: str, shift: float) -> None:
        key = (spec.kind, label, spec.angle)
        if key not in self._pieces:
            self._pieces[key] = piece(self.game, spec.kind, label, self._patch(spec), self.scale, spec.angle)
        x, y = self.at(spec.centre[:2])
        patch = self._pieces[key]
        left = x - patch.get_width() / 2 + shift * spec.size * self.scale / 4
        picture.blit(patch, (round(left), round(y - patch.get_height() / 2)), special_flags=pygame.BLEND_PREMULTIPLIED)

    def _patch(self, spec: SiteSpec) -> int:
        return max(4, round(spec.size * self.scale * 1.1))

    def _sign(self, picture: pygame.Surface, sign: Sign) -> None:
        spec = self._sites[sign.site]
        key = (spec.kind, spec.angle, Sign("", sign.line, sign.tint, None))
        if key not in self._signs:
            self._signs[key] = self._outline(spec, sign)
        patch = self._signs[key]
        x, y = self.at(spec.centre[:2])
        where = (round(x - patch.get_width() / 2), round(y - patch.get_height() / 2))
        picture.blit(patch, where, special_flags=pygame.BLEND_PREMULTIPLIED)
        if sign.badge:
            size = min(spec.size, LARGEST) * self.scale
            self._badge(picture, sign, (x + 0.3 * size, y - 0.3 * size), max(18, round(0.38 * size)))

    def _badge(self, picture: pygame.Surface, sign: Sign, at: Point, pixels: int) -> None:
        for name, size, colour in (
            ("circle", pixels + 4, sign.on_badge),
            ("circle", pixels, sign.line),
            (sign.badge or "", round(pixels * 0.56), sign.on_badge),
        ):
            where = (round(at[0] - size / 2), round(at[1] - size / 2))
            picture.blit(shape(name, size, colour), where, special_flags=pygame.BLEND_PREMULTIPLIED)

    def _outline(self, spec: SiteSpec, sign: Sign) -> pygame.Surface:
        corners = self._footprint(spec)
        side = round(spec.size * self.scale * 1.3)

        def draw(large: pygame.Surface) -> None:
            brush = Brush(large, self.scale * FINE, (side * FINE / 2, side * FINE / 2), spec.angle)
            if sign.tint:
                pygame.draw.polygon(large, _see_through(sign.tint, 105), [brush.at(corner) for corner in corners])
            width = max(2.2 / self.scale, min(spec.size, LARGEST) / 16)
            brush.line((*corners, corners[0]), width * 1.9, CASING)
            brush.line((*corners, corners[0]), width, sign.line)

        return smooth((side, side), draw, FINE)

    def _footprint(self, spec: SiteSpec) -> tuple[Point, ...]:
        label = next(label for label in spec.labels if self.game.look(spec.kind, label))
        solid = self.game.look(spec.kind, label)[0]
        if isinstance(solid, Prism):
            return solid.footprint
        r = solid.diameter / 2
        return tuple((r * sin(k / 16 * 6.2832), r * cos(k / 16 * 6.2832)) for k in range(16))


def _see_through(colour: Colour, alpha: int) -> tuple[int, int, int, int]:
    """The colour with that alpha, premultiplied."""
    r, g, b = (round(c * alpha / 255) for c in colour)
    return r, g, b, alpha


def piece(
    game: Game[Any, Any],
    kind: str,
    label: str,
    pixels: int,
    scale: float | None = None,
    turn: float = 0.0,
    rim: Colour | None = None,
) -> pygame.Surface:
    """What lies on a site of that kind with that label, alone, on a square `pixels` wide.

    It is as large as it fits where no `scale` (pixels per mm) is given.
    """
    look = game.look(kind, label)
    centre: Point = (0.0, 0.0)
    if scale is None:
        scale, centre = _filling(look, pixels)
    fine, x, y = scale * PIECE_FINE, centre[0] * scale, centre[1] * scale

    def draw(large: pygame.Surface) -> None:
        brush = Brush(large, fine, ((pixels / 2 - x) * PIECE_FINE, (pixels / 2 + y) * PIECE_FINE), turn)
        brush.look(look)
        for solid in look:
            if rim and isinstance(solid, Prism):
                brush.line((*solid.footprint, solid.footprint[0]), 1.6 * PIECE_FINE / fine, rim)

    return smooth((pixels, pixels), draw, PIECE_FINE)


def _filling(look: Look, pixels: int) -> tuple[float, Point]:
    points: list[Point] = []
    for solid in look:
        if isinstance(solid, Prism):
            points += solid.footprint
        else:
            (x, y), r = solid.centre, solid.diameter / 2
            points += [(x - r, y - r), (x + r, y + r)]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    size = max(max(xs) - min(xs), max(ys) - min(ys))
    return pixels * 0.96 / size, ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)


def site_labels(view: View) -> Mapping[str, str]:
    """The label of each site that the view decides, groups laid out in order."""
    labels = dict(view.sites)
    for group in view.groups:
        labels.update(dict.fromkeys(group.sites, EMPTY))
        labels.update(dict(zip(group.sites, group.labels, strict=False)))
    return labels
