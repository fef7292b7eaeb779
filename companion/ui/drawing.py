"""Board drawings: a position of any game, in plain 2D from above, from the looks of its set.

Everything is drawn several times finer than shown and scaled down, which makes crisp edges; the empty board and every
kind of piece are drawn once and kept. Works without a display.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, cos, floor, hypot, sin, tau
from typing import Any, NamedTuple

import pygame

from companion.games.core import Game, View
from companion.games.looks import Colour, Look, Point, Prism
from companion.games.sites import EMPTY, SiteSpec
from companion.ui.brush import FINE, PIECE_FINE, Brush, outline, see_through
from companion.ui.emblems import EMBLEMS
from companion.ui.games import Extra, Overlay, Piece, Tint
from companion.ui.shapes import shape, smooth

CASING: Colour = (16, 18, 20)
"""Around the line of a sign, so that it stands out from boards of any colour."""


OWNER = 10.0
"""How wide the symbol on a player's piece can be, in mm."""

TRAIL = 0.2
"""How wide the line is over which something went, in parts of a site."""

LARGEST = 60.0
"""Signs do not grow any more on sites larger than this, in mm."""

TINTS = 64
"""So many drawn tints are kept, more than lie on any board: those that games make in years are countless."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A mark on a site: an outline, a tint, and a badge with a shape, so that colour alone says nothing."""

    site: str
    line: Colour
    tint: Colour | None = None
    badge: str | None = None
    on_badge: Colour = (255, 255, 255)


class Sprite(NamedTuple):
    """A picture of something, and where its middle is from its site's place, in pixels."""

    picture: pygame.Surface
    dx: float
    dy: float


class Zoom(NamedTuple):
    """A part of the board drawn larger: how many times, and the point of the board (mm) in the middle."""

    times: float
    centre: Point


class BoardDrawing:
    """The board of one game at one size, in pixels. `loose` says whether the racks beside the board are in the
    picture, `rim` is the colour of a line around the board, where it would be lost on its ground, `spots` are places
    beside the sites, `zoom` shows a part of it larger.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        size: tuple[int, int],
        *,
        loose: bool = False,
        rim: Colour | None = None,
        spots: tuple[SiteSpec, ...] = (),
        zoom: Zoom | None = None,
    ) -> None:
        self.game = game
        self.size = size
        self._rim = rim
        self._sites = {spec.name: spec for spec in (*game.sites, *spots) if loose or not spec.loose}
        left, bottom, right, top = self._extent()
        self.scale = min(size[0] / (right - left), size[1] / (top - bottom))
        middle = ((left + right) / 2, (bottom + top) / 2)
        if zoom is not None:
            self.scale *= zoom.times
            middle = zoom.centre
        self._origin = (size[0] / 2 - middle[0] * self.scale, size[1] / 2 + middle[1] * self.scale)
        self._sprites: dict[tuple[str, str, float], Sprite] = {}
        self._extras: dict[tuple[Piece, int], pygame.Surface] = {}
        self._tints: dict[Tint, tuple[pygame.Surface, tuple[int, int]]] = {}
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

    def point(self, pixel: Point) -> Point:
        """The point of the board frame at a pixel."""
        return (pixel[0] - self._origin[0]) / self.scale, (self._origin[1] - pixel[1]) / self.scale

    def place(self, site: str, labels: Mapping[str, str] = {}) -> Point:
        """The pixel in the middle of a site; `labels` say where sites are that move with what lies there."""
        spec = self._sites[site]
        if spec.on:
            return self.at((spec.place(labels.get(spec.on, EMPTY)) or spec.centre)[:2])
        x, y = self.at(spec.centre[:2])
        if self._wanders(spec) and labels.get(site):
            sprite = self._sprite(spec, labels[site])
            return x + sprite.dx, y + sprite.dy
        return x, y

    @staticmethod
    def _wanders(spec: SiteSpec) -> bool:
        """Whether the label of the site says where on the board something is."""
        return bool(spec.upon) or spec.kind == spec.name

    def has(self, site: str) -> bool:
        """Whether the site is in the picture."""
        return site in self._sites

    def exists(self, site: str, labels: Mapping[str, str]) -> bool:
        """Whether the site is on the board while those have these labels."""
        spec = self._sites.get(site)
        return spec is not None and (not spec.on or spec.place(labels.get(spec.on, EMPTY)) is not None)

    def inside(self, site: str) -> float:
        """How far from its middle a pixel surely belongs to a site, in pixels."""
        return 0.3 * self._width(self._sites[site]) * self.scale

    def nearest(
        self, pos: Point, among: Iterable[str], reach: float, labels: Mapping[str, str] = {}
    ) -> list[tuple[float, str]]:
        """The sites not further than `reach` pixels from a pixel, the nearest first, with their distances."""
        found = [
            (hypot(pos[0] - x, pos[1] - y), name)
            for name in among
            if self.exists(name, labels)
            for x, y in [self.place(name, labels)]
        ]
        return sorted(one for one in found if one[0] <= reach)

    def picture(
        self,
        view: View,
        signs: Iterable[Sign] = (),
        overlay: Overlay | None = None,
        symbols: Sequence[str] = (),
        trail: Sequence[str] = (),
    ) -> pygame.Surface:
        """The board with everything that lies on it, and the signs, on nothing; `symbols` are those of the players,
        `trail` the sites over which something went, step by step.
        """
        over = overlay or Overlay()
        labels = site_labels(view) | dict(over.labels)
        picture = self._empty_board().copy()
        if len(trail) > 1:
            self._trail(picture, trail)
        for spec, lying in self._lying(view, dict(over.labels)):
            if spec.name not in over.hidden and self.exists(spec.name, labels):
                for k, label in enumerate(lying):
                    self._put(picture, spec, label, k - (len(lying) - 1) / 2, labels)
        for tint in over.tints:
            self._tint(picture, tint)
        for extra in over.extras:
            self._extra(picture, extra)
        for site, player in over.owners if symbols else ():
            if self.exists(site, labels):
                wide = self._sprite(self._sites[site], labels[site]).picture.get_width()
                self._owner(picture, symbols[player], self.place(site, labels), min(0.55 * wide, OWNER * self.scale))
        for sign in signs:
            if self.exists(sign.site, labels):
                self._sign(picture, sign, labels)
        return picture

    def _lying(self, view: View, instead: Mapping[str, str]) -> list[tuple[SiteSpec, tuple[str, ...]]]:
        labels: dict[str, tuple[str, ...]] = {site: (label,) for site, label in view.sites.items()}
        labels.update(view.kept)
        for group in view.groups:
            labels.update({site: (label,) for site, label in zip(group.sites, group.labels, strict=False)})
        labels.update({site: (label,) for site, label in instead.items()})
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

    def _brush(self, large: pygame.Surface) -> Brush:
        """Paints in the board frame, FINE times larger."""
        return Brush(large, self.scale * FINE, (self._origin[0] * FINE, self._origin[1] * FINE))

    def _draw_board(self, large: pygame.Surface) -> None:
        brush = self._brush(large)
        brush.look(self.game.board)
        for solid in self.game.board:
            if self._rim and isinstance(solid, Prism):
                brush.line((*solid.footprint, solid.footprint[0]), 2.4 / self.scale, self._rim)

    def _sprite(self, spec: SiteSpec, label: str) -> Sprite:
        """What lies on the site, cut out as small as it is."""
        key = (spec.kind, label, spec.angle)
        if key not in self._sprites:
            look = self.game.look(spec.kind, label)
            self._sprites[key] = self._cut(look, spec.angle) if look else Sprite(pygame.Surface((1, 1)), 0, 0)
        return self._sprites[key]

    def _cut(self, look: Look, turn: float) -> Sprite:
        frame = Brush(pygame.Surface((1, 1)), self.scale, (0, 0), turn)
        xs, ys = zip(*(frame.at(point) for point in outline(look)), strict=True)
        dx, dy = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        size = (max(4, round(max(xs) - min(xs)) + 4), max(4, round(max(ys) - min(ys)) + 4))

        def draw(large: pygame.Surface) -> None:
            middle = ((size[0] / 2 - dx) * PIECE_FINE, (size[1] / 2 - dy) * PIECE_FINE)
            Brush(large, self.scale * PIECE_FINE, middle, turn).look(look)

        return Sprite(smooth(size, draw, PIECE_FINE), dx, dy)

    def _put(
        self, picture: pygame.Surface, spec: SiteSpec, label: str, shift: float, labels: Mapping[str, str]
    ) -> None:
        sprite = self._sprite(spec, label)
        x, y = self.at(spec.centre[:2]) if self._wanders(spec) else self.place(spec.name, labels)
        left = x + sprite.dx - sprite.picture.get_width() / 2 + shift * spec.size * self.scale / 4
        top = y + sprite.dy - sprite.picture.get_height() / 2
        picture.blit(sprite.picture, (round(left), round(top)), special_flags=pygame.BLEND_PREMULTIPLIED)

    def _trail(self, picture: pygame.Surface, sites: Sequence[str]) -> None:
        """A line over the sites, with a dot a step: it lies under the things."""
        points = tuple(self._sites[site].centre[:2] for site in sites)
        width = TRAIL * self._sites[sites[0]].size
        left, top = (floor(min(values) - width * self.scale) for values in zip(*map(self.at, points), strict=True))
        right, bottom = (ceil(max(values) + width * self.scale) for values in zip(*map(self.at, points), strict=True))

        def draw(large: pygame.Surface) -> None:
            brush = Brush(large, self.scale * FINE, ((self._origin[0] - left) * FINE, (self._origin[1] - top) * FINE))
            for wide, colour in ((1.0, CASING), (0.5, (255, 255, 255))):
                brush.line(points, width * wide * 0.6, colour)
                for point in points[1:]:
                    brush.disc(point, width * (0.5 + wide), colour)

        patch = smooth((right - left, bottom - top), draw, FINE)
        picture.blit(patch, (left, top), special_flags=pygame.BLEND_PREMULTIPLIED)

    def _tint(self, picture: pygame.Surface, tint: Tint) -> None:
        if tint not in self._tints:
            if len(self._tints) >= TINTS:
                del self._tints[next(iter(self._tints))]
            self._tints[tint] = self._tinted(tint)
        patch, where = self._tints[tint]
        picture.blit(patch, where, special_flags=pygame.BLEND_PREMULTIPLIED)

    def _tinted(self, tint: Tint) -> tuple[pygame.Surface, tuple[int, int]]:
        """The tint on a surface as small as it is, and where that belongs."""
        pixels = [self.at(corner) for area in tint.areas for corner in area]
        left, top = (floor(min(values)) - 1 for values in zip(*pixels, strict=True))
        right, bottom = (ceil(max(values)) + 1 for values in zip(*pixels, strict=True))

        def draw(large: pygame.Surface) -> None:
            origin = ((self._origin[0] - left) * FINE, (self._origin[1] - top) * FINE)
            brush = Brush(large, self.scale * FINE, origin)
            for area in tint.areas:
                pygame.draw.polygon(large, see_through(tint.colour, 185), [brush.at(corner) for corner in area])
            for area in tint.cut:
                pygame.draw.polygon(large, (0, 0, 0, 0), [brush.at(corner) for corner in area])

        return smooth((right - left, bottom - top), draw, FINE), (left, top)

    def _extra(self, picture: pygame.Surface, extra: Extra) -> None:
        pixels = max(8, round(extra.size * self.scale))
        key = (extra.piece, pixels)
        if key not in self._extras:
            self._extras[key] = piece(self.game, extra.piece.kind, extra.piece.label, pixels)
        x, y = self.at(extra.at)
        where = (round(x - pixels / 2), round(y - pixels / 2))
        picture.blit(self._extras[key], where, special_flags=pygame.BLEND_PREMULTIPLIED)

    def _owner(self, picture: pygame.Surface, symbol: str, at: Point, wide: float) -> None:
        """A player's symbol on what belongs to the player, so that colour alone says nothing."""
        for colour, size in ((CASING, 1.3), ((255, 255, 255), 1.0)):
            pixels = max(7, round(wide * size))
            where = (round(at[0] - pixels / 2), round(at[1] - pixels / 2))
            picture.blit(shape(symbol, pixels, colour), where, special_flags=pygame.BLEND_PREMULTIPLIED)

    def _sign(self, picture: pygame.Surface, sign: Sign, labels: Mapping[str, str]) -> None:
        spec = self._sites[sign.site]
        wide = self._width(spec)
        key = (spec.kind, spec.angle, Sign("", sign.line, sign.tint, None))
        if key not in self._signs:
            self._signs[key] = self._outline(spec, sign, wide)
        patch = self._signs[key]
        x, y = self.place(sign.site, labels)
        where = (round(x - patch.get_width() / 2), round(y - patch.get_height() / 2))
        picture.blit(patch, where, special_flags=pygame.BLEND_PREMULTIPLIED)
        if sign.badge:
            size = min(wide, LARGEST) * self.scale
            self._badge(picture, sign, (x + 0.3 * size, y - 0.3 * size), max(18, round(0.38 * size)))

    def _badge(self, picture: pygame.Surface, sign: Sign, at: Point, pixels: int) -> None:
        for name, size, colour in (
            ("circle", pixels + 4, sign.on_badge),
            ("circle", pixels, sign.line),
            (sign.badge or "", round(pixels * 0.56), sign.on_badge),
        ):
            where = (round(at[0] - size / 2), round(at[1] - size / 2))
            picture.blit(shape(name, size, colour), where, special_flags=pygame.BLEND_PREMULTIPLIED)

    def _outline(self, spec: SiteSpec, sign: Sign, wide: float) -> pygame.Surface:
        corners = self._footprint(spec, wide)
        side = round(wide * self.scale * 1.3)

        def draw(large: pygame.Surface) -> None:
            brush = Brush(large, self.scale * FINE, (side * FINE / 2, side * FINE / 2), spec.angle)
            if sign.tint:
                pygame.draw.polygon(large, see_through(sign.tint, 105), [brush.at(corner) for corner in corners])
            width = max(2.2 / self.scale, min(wide, LARGEST) / 16)
            brush.line((*corners, corners[0]), width * 1.9, CASING)
            brush.line((*corners, corners[0]), width, sign.line)

        return smooth((side, side), draw, FINE)

    def _width(self, spec: SiteSpec) -> float:
        """How wide the mark on a site is, in mm."""
        if not self._wanders(spec):
            return spec.size
        label = next(label for label in spec.labels if self.game.look(spec.kind, label))
        xs = [x for x, _ in outline(self.game.look(spec.kind, label))]
        return 1.5 * (max(xs) - min(xs))

    def _footprint(self, spec: SiteSpec, wide: float) -> tuple[Point, ...]:
        """The outline of the one thing that fits into the site, else a circle."""
        looks = [self.game.look(spec.kind, label) for label in spec.labels if label != EMPTY]
        single = [look[0].footprint for look in looks if len(look) == 1 and isinstance(look[0], Prism)]
        if looks and len(single) == len(looks) and len(set(single)) == 1:
            return single[0]
        aside = len(looks) > 1 and looks[0] and max(map(abs, _middle(looks[0]))) > 0.1 * wide
        radius = (0.13 if aside else 0.4) * wide  # what reaches to one side is marked where it begins
        return tuple((radius * sin(k / 24 * tau), radius * cos(k / 24 * tau)) for k in range(24))


def _middle(look: Look) -> Point:
    """The middle of everything of a look."""
    xs, ys = zip(*outline(look), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


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
    if kind in EMBLEMS:
        return smooth((pixels, pixels), lambda large: EMBLEMS[kind](large, label, game), PIECE_FINE)
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
    points = outline(look)
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    size = max(max(xs) - min(xs), max(ys) - min(ys))
    return pixels * 0.96 / size, ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)


def site_labels(view: View) -> dict[str, str]:
    """The label of each site that the view decides, groups laid out in order."""
    labels = dict(view.sites)
    labels.update({site: choices[0] for site, choices in view.either.items()})
    for group in view.groups:
        labels.update(dict.fromkeys(group.sites, EMPTY))
        labels.update(dict(zip(group.sites, group.labels, strict=False)))
    return labels
