"""Players' symbols and icons, drawn as shapes, so that no font has to know them.

Shapes are described on a square from -1 to 1, x to the right, y down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin

import pygame

from companion.games.looks import Colour

SYMBOLS = ("circle", "square", "triangle", "diamond")
"""The players' symbols, in the order in which they are given out."""

FINE = 4
"""How many times finer shapes are drawn than they are shown."""

XY = tuple[float, float]


def smooth(size: tuple[int, int], draw: Callable[[pygame.Surface], None], fine: int = FINE) -> pygame.Surface:
    """A picture drawn `fine` times larger and scaled down; blit it with `pygame.BLEND_PREMULTIPLIED`."""
    large = pygame.Surface((size[0] * fine, size[1] * fine), pygame.SRCALPHA)
    draw(large)
    return pygame.transform.smoothscale(large, size)


class Pen:
    """Draws on a large square in the shapes' own coordinates."""

    def __init__(self, surface: pygame.Surface, colour: Colour) -> None:
        self._surface, self._colour = surface, colour
        self._half = surface.get_width() / 2

    def _at(self, point: XY) -> XY:
        return self._half * (1 + point[0]), self._half * (1 + point[1])

    def area(self, points: Sequence[XY]) -> None:
        """A filled polygon."""
        pygame.draw.polygon(self._surface, self._colour, [self._at(p) for p in points])

    def disc(self, centre: XY, radius: float) -> None:
        """A filled circle."""
        pygame.draw.circle(self._surface, self._colour, self._at(centre), radius * self._half)

    def line(self, points: Sequence[XY], width: float = 0.24) -> None:
        """A line with round ends and corners."""
        for a, b in pairwise(points):
            self._segment(a, b, width)
        for point in points:
            self.disc(point, width / 2)

    def _segment(self, a: XY, b: XY, width: float) -> None:
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        nx, ny = -dy / length * width / 2, dx / length * width / 2
        self.area([(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)])

    def arc(self, radius: float, start: float, end: float, width: float = 0.24, centre: XY = (0.0, 0.0)) -> None:
        """An arc from one angle to another, in turns clockwise from the top."""
        steps = 24
        turns = [start + (end - start) * k / steps for k in range(steps + 1)]
        self.line([(centre[0] + radius * sin(2 * pi * t), centre[1] - radius * cos(2 * pi * t)) for t in turns], width)


def _circle(pen: Pen) -> None:
    pen.disc((0, 0), 0.86)


def _square(pen: Pen) -> None:
    pen.area([(-0.76, -0.76), (0.76, -0.76), (0.76, 0.76), (-0.76, 0.76)])


def _triangle(pen: Pen) -> None:
    pen.area([(0, -0.92), (0.98, 0.8), (-0.98, 0.8)])


def _diamond(pen: Pen) -> None:
    pen.area([(0, -1), (0.84, 0), (0, 1), (-0.84, 0)])


def _back(pen: Pen) -> None:
    pen.line([(0.75, 0), (-0.7, 0)])
    pen.line([(-0.1, -0.6), (-0.7, 0), (-0.1, 0.6)])


def _undo(pen: Pen) -> None:
    pen.arc(0.62, 0.78, 1.5, centre=(0.1, 0.1))
    pen.area([(-0.95, 0.1), (-0.1, 0.1), (-0.52, -0.62)])


def _edit(pen: Pen) -> None:
    pen.line([(0.55, -0.62), (-0.55, 0.48)], 0.42)
    pen.area([(-0.86, 0.86), (-0.74, 0.3), (-0.32, 0.74)])


def _pause(pen: Pen) -> None:
    pen.line([(-0.36, -0.6), (-0.36, 0.6)], 0.32)
    pen.line([(0.36, -0.6), (0.36, 0.6)], 0.32)


def _play(pen: Pen) -> None:
    pen.area([(-0.5, -0.78), (0.8, 0), (-0.5, 0.78)])


def _menu(pen: Pen) -> None:
    for x in (-0.66, 0.0, 0.66):
        pen.disc((x, 0), 0.2)


def _plus(pen: Pen) -> None:
    pen.line([(-0.65, 0), (0.65, 0)])
    pen.line([(0, -0.65), (0, 0.65)])


def _minus(pen: Pen) -> None:
    pen.line([(-0.65, 0), (0.65, 0)])


def _check(pen: Pen) -> None:
    pen.line([(-0.68, 0.05), (-0.18, 0.55), (0.72, -0.5)])


def _cross(pen: Pen) -> None:
    pen.line([(-0.55, -0.55), (0.55, 0.55)])
    pen.line([(0.55, -0.55), (-0.55, 0.55)])


def _look(pen: Pen) -> None:
    for sign in (-1, 1):
        pen.line([(-0.92, 0), (-0.5, 0.42 * sign), (0, 0.56 * sign), (0.5, 0.42 * sign), (0.92, 0)], 0.18)
    pen.disc((0, 0), 0.28)


def _hand(pen: Pen) -> None:
    for x, top in ((-0.45, -0.5), (-0.13, -0.75), (0.19, -0.7), (0.5, -0.42)):
        pen.line([(x, top), (x, 0.3)], 0.24)
    pen.area([(-0.57, 0), (0.62, 0), (0.5, 0.7), (0.2, 0.95), (-0.25, 0.95), (-0.5, 0.75)])
    pen.line([(-0.85, 0.05), (-0.45, 0.6)], 0.24)


def _settings(pen: Pen) -> None:
    for y, x in ((-0.55, 0.3), (0.0, -0.35), (0.55, 0.1)):
        pen.line([(-0.8, y), (0.8, y)], 0.15)
        pen.disc((x, y), 0.24)


def _quit(pen: Pen) -> None:
    pen.arc(0.68, 0.12, 0.88)
    pen.line([(0, -0.85), (0, -0.1)])


def _cup(pen: Pen) -> None:
    pen.area([(-0.5, -0.8), (0.5, -0.8), (0.42, -0.1), (0.15, 0.2), (-0.15, 0.2), (-0.42, -0.1)])
    pen.arc(0.3, 0.5, 1.0, 0.14, (-0.52, -0.4))
    pen.arc(0.3, 0.0, 0.5, 0.14, (0.52, -0.4))
    pen.line([(0, 0.1), (0, 0.7)], 0.2)
    pen.line([(-0.4, 0.76), (0.4, 0.76)], 0.22)


def _track(pen: Pen) -> None:
    for k, (x, y) in enumerate([(-0.7, 0.6), (-0.7, -0.1), (-0.25, -0.6), (0.35, -0.6), (0.75, -0.1), (0.75, 0.6)]):
        pen.disc((x, y), 0.22 if k == 3 else 0.14)


def _question(pen: Pen) -> None:
    pen.arc(0.38, 0.72, 1.36, 0.26, (0, -0.36))
    pen.line([(0.2, -0.04), (0, 0.16), (0, 0.34)], 0.26)
    pen.disc((0, 0.74), 0.17)


def _info(pen: Pen) -> None:
    pen.disc((0, -0.66), 0.19)
    pen.line([(0, -0.15), (0, 0.7)], 0.3)


def _history(pen: Pen) -> None:
    pen.arc(0.72, -0.12, 0.75, 0.2)
    pen.area([(-1.0, -0.12), (-0.4, -0.12), (-0.72, 0.38)])
    pen.line([(0, -0.35), (0, 0), (0.28, 0.2)], 0.2)


def _clause(pen: Pen) -> None:
    pen.arc(0.3, 0.3, 1.12, 0.2, (0, -0.52))
    pen.line([(-0.26, -0.42), (0.26, 0.02)], 0.2)
    pen.line([(-0.26, -0.02), (0.26, 0.42)], 0.2)
    pen.arc(0.3, -0.2, 0.62, 0.2, (0, 0.52))


def _gavel(pen: Pen) -> None:
    pen.line([(-0.5, -0.25), (0.1, -0.85)], 0.34)
    pen.line([(-0.15, -0.5), (0.15, -0.2)], 0.5)
    pen.line([(0.1, -0.25), (0.8, 0.45)], 0.2)
    pen.line([(-0.8, 0.82), (0.4, 0.82)], 0.24)


def _save(pen: Pen) -> None:
    pen.line([(0, -0.8), (0, 0.25)])
    pen.line([(-0.42, -0.15), (0, 0.3), (0.42, -0.15)])
    pen.line([(-0.75, 0.35), (-0.75, 0.8), (0.75, 0.8), (0.75, 0.35)], 0.2)


def _search(pen: Pen) -> None:
    pen.arc(0.5, 0, 1, 0.2, (-0.2, -0.2))
    pen.line([(0.2, 0.2), (0.8, 0.8)], 0.28)


def _forward(pen: Pen) -> None:
    pen.line([(-0.75, 0), (0.7, 0)])
    pen.line([(0.1, -0.6), (0.7, 0), (0.1, 0.6)])


def _book(pen: Pen) -> None:
    side = [(0.0, -0.45), (0.5, -0.62), (0.86, -0.5), (0.86, 0.5), (0.5, 0.4), (0.0, 0.6)]
    for sign in (-1, 1):
        pen.line([(sign * x, y) for x, y in side], 0.17)
    pen.line([(0, -0.45), (0, 0.6)], 0.17)


def _first(pen: Pen) -> None:
    pen.line([(-0.75, -0.6), (-0.75, 0.6)])
    pen.line([(0.8, 0), (-0.3, 0)])
    pen.line([(0.2, -0.55), (-0.35, 0), (0.2, 0.55)])


def _last(pen: Pen) -> None:
    pen.line([(0.75, -0.6), (0.75, 0.6)])
    pen.line([(-0.8, 0), (0.3, 0)])
    pen.line([(-0.2, -0.55), (0.35, 0), (-0.2, 0.55)])


def _up(pen: Pen) -> None:
    pen.line([(0, 0.75), (0, -0.7)])
    pen.line([(-0.6, -0.1), (0, -0.7), (0.6, -0.1)])


def _down(pen: Pen) -> None:
    pen.line([(0, -0.75), (0, 0.7)])
    pen.line([(-0.6, 0.1), (0, 0.7), (0.6, 0.1)])


def _cw(pen: Pen) -> None:
    pen.arc(0.62, 0.0, 0.72, 0.24)
    pen.area([(0.98, -0.14), (0.2, -0.14), (0.58, 0.5)])


def _ccw(pen: Pen) -> None:
    pen.arc(0.62, 0.78, 1.5, 0.24)
    pen.area([(-0.98, -0.14), (-0.2, -0.14), (-0.58, 0.5)])


def _alert(pen: Pen) -> None:
    pen.line([(0, -0.7), (0, 0.2)], 0.3)
    pen.disc((0, 0.66), 0.19)


def _dark(pen: Pen) -> None:
    pen.line([(-0.8, -0.35), (-0.35, -0.35), (-0.2, -0.6), (0.2, -0.6), (0.35, -0.35), (0.8, -0.35)], 0.16)
    pen.line([(0.8, -0.35), (0.8, 0.6), (-0.8, 0.6), (-0.8, -0.35)], 0.16)
    pen.line([(-0.75, 0.85), (0.75, -0.85)], 0.18)


def _wait(pen: Pen) -> None:
    pen.arc(0.72, 0, 1, 0.2)
    pen.line([(0, -0.35), (0, 0), (0.28, 0.2)], 0.2)


def _team(pen: Pen) -> None:
    for x in (-0.42, 0.42):
        pen.disc((x, -0.35), 0.27)
        pen.area([(x - 0.4, 0.6), (x - 0.28, 0.05), (x + 0.28, 0.05), (x + 0.4, 0.6)])


def _delete(pen: Pen) -> None:
    pen.line([(-0.3, -0.55), (0.85, -0.55), (0.85, 0.55), (-0.3, 0.55), (-0.9, 0), (-0.3, -0.55)], 0.15)
    pen.line([(0.05, -0.22), (0.5, 0.22)], 0.15)
    pen.line([(0.5, -0.22), (0.05, 0.22)], 0.15)


def _swap(pen: Pen) -> None:
    pen.line([(-0.7, -0.35), (0.6, -0.35)], 0.2)
    pen.line([(0.3, -0.7), (0.68, -0.35), (0.3, 0.0)], 0.2)
    pen.line([(0.7, 0.4), (-0.6, 0.4)], 0.2)
    pen.line([(-0.3, 0.05), (-0.68, 0.4), (-0.3, 0.75)], 0.2)


def _skip(pen: Pen) -> None:
    pen.area([(-0.75, -0.6), (0.3, 0), (-0.75, 0.6)])
    pen.line([(0.55, -0.5), (0.55, 0.5)], 0.24)


def _turn(pen: Pen) -> None:
    pen.arc(0.6, 0.05, 0.8, 0.24)
    pen.area([(-0.98, -0.14), (-0.2, -0.14), (-0.58, -0.78)])


def _halt(pen: Pen) -> None:
    pen.arc(0.72, 0, 1, 0.24)
    pen.line([(-0.5, -0.5), (0.5, 0.5)], 0.24)


def _cloak(pen: Pen) -> None:
    pen.disc((0, -0.52), 0.36)
    pen.area([(0, -0.5), (0.72, 0.86), (-0.72, 0.86)])
    pen.line([(-0.62, 0.78), (0.62, 0.78)], 0.24)


def _dice(pen: Pen) -> None:
    for (x, y), size in (((-0.34, 0.3), 0.5), ((0.44, -0.42), 0.4)):
        corners = [(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)]
        pen.line([*corners, corners[0]], 0.14)
    for x, y in ((-0.54, 0.1), (-0.34, 0.3), (-0.14, 0.5), (0.44, -0.42)):
        pen.disc((x, y), 0.1)


def _energy(pen: Pen) -> None:
    pen.area([(0.25, -0.95), (-0.6, 0.12), (0.02, 0.12)])
    pen.area([(-0.25, 0.95), (0.6, -0.12), (-0.02, -0.12)])


def _hidden(pen: Pen) -> None:
    _look(pen)
    pen.line([(-0.75, 0.75), (0.75, -0.75)], 0.16)


def _bars(pen: Pen) -> None:
    for y in (-0.55, 0.0, 0.55):
        pen.line([(-0.8, y), (0.8, y)], 0.26)


def _chevron(pen: Pen) -> None:
    pen.line([(-0.7, 0.45), (0, -0.4), (0.7, 0.45)], 0.34)


def _wall(pen: Pen) -> None:
    pen.line([(-0.7, 0.8), (-0.7, -0.8), (0.7, -0.8), (0.7, 0.8), (-0.7, 0.8)], 0.2)


def _corner(pen: Pen) -> None:
    pen.line([(-0.55, -0.7), (-0.55, 0.55), (0.7, 0.55)], 0.3)


def _plate(pen: Pen) -> None:
    pen.line([(-0.7, 0), (0.7, 0)], 0.34)


def _house(pen: Pen) -> None:
    pen.area([(-0.95, -0.05), (0, -0.9), (0.95, -0.05)])
    pen.area([(-0.66, -0.1), (0.66, -0.1), (0.66, 0.85), (-0.66, 0.85)])


def _castle(pen: Pen) -> None:
    pen.area([(-0.8, -0.2), (0.8, -0.2), (0.8, 0.85), (-0.8, 0.85)])
    for x in (-0.62, 0.0, 0.62):
        pen.area([(x - 0.2, -0.75), (x + 0.2, -0.75), (x + 0.2, -0.1), (x - 0.2, -0.1)])


def _take(pen: Pen) -> None:
    pen.line([(0, -0.85), (0, 0.15)], 0.26)
    pen.line([(-0.45, -0.25), (0, 0.2), (0.45, -0.25)], 0.26)
    pen.line([(-0.8, 0.3), (-0.8, 0.8), (0.8, 0.8), (0.8, 0.3)], 0.22)


_SHAPES: dict[str, Callable[[Pen], None]] = {
    "circle": _circle,
    "square": _square,
    "triangle": _triangle,
    "diamond": _diamond,
    "back": _back,
    "undo": _undo,
    "edit": _edit,
    "pause": _pause,
    "play": _play,
    "menu": _menu,
    "plus": _plus,
    "minus": _minus,
    "check": _check,
    "cross": _cross,
    "look": _look,
    "hand": _hand,
    "settings": _settings,
    "quit": _quit,
    "cup": _cup,
    "track": _track,
    "question": _question,
    "alert": _alert,
    "up": _up,
    "down": _down,
    "cw": _cw,
    "ccw": _ccw,
    "first": _first,
    "last": _last,
    "book": _book,
    "info": _info,
    "history": _history,
    "clause": _clause,
    "gavel": _gavel,
    "save": _save,
    "search": _search,
    "forward": _forward,
    "dark": _dark,
    "wait": _wait,
    "team": _team,
    "delete": _delete,
    "swap": _swap,
    "skip": _skip,
    "turn": _turn,
    "halt": _halt,
    "cloak": _cloak,
    "dice": _dice,
    "energy": _energy,
    "hidden": _hidden,
    "bars": _bars,
    "chevron": _chevron,
    "wall": _wall,
    "corner": _corner,
    "plate": _plate,
    "house": _house,
    "castle": _castle,
    "take": _take,
}


@lru_cache(maxsize=256)
def shape(name: str, pixels: int, colour: Colour) -> pygame.Surface:
    """The symbol or icon of that name; blit it with `pygame.BLEND_PREMULTIPLIED`."""
    return smooth((pixels, pixels), lambda large: _SHAPES[name](Pen(large, colour)))
