"""Drawings of things that no site of a board shows: dice, cards, rings and pearls, hidden tiles, colours to call.

Each is drawn on a large square surface, to be scaled down; shapes, not colours alone, tell things apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pygame
from pygame import Rect, Surface

from companion.games.looks import Colour
from companion.ui import text
from companion.ui.shapes import Pen, shape

PAPER: Colour = (250, 248, 242)
INK: Colour = (34, 36, 40)
EDGE: Colour = (120, 112, 98)
BACK: Colour = (96, 112, 128)
GOLD: Colour = (200, 130, 0)

PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}

MARKS = ("circle", "bars", "chevron", "cross", "square", "triangle")
"""What tells the colours of walls apart, in the order of the set file."""

RINGS = ("red", "yellow", "blue")
ITEMS = dict(zip("RYBOGP", (*RINGS, "orange", "green", "purple"), strict=True))
"""Rings and pearls by their letters in notation."""


def _slab(large: Surface, rect: Rect, colour: Colour, edge: Colour, corner: float) -> None:
    """A rectangle with round corners and a line around it; `corner` as a part of the side of the surface."""
    side = large.get_width()
    line = round(0.05 * side)
    pygame.draw.rect(large, edge, rect, border_radius=round(corner * side))
    pygame.draw.rect(large, colour, rect.inflate(-line, -line), border_radius=max(0, round(corner * side - line / 2)))


def _part(large: Surface, width: float, height: float) -> Rect:
    """A rectangle in the middle, as parts of the side."""
    side = large.get_width()
    rect = Rect(0, 0, round(width * side), round(height * side))
    rect.center = (side // 2, side // 2)
    return rect


def _letters(large: Surface, words: str, height: float, colour: Colour, down: float = 0.0) -> None:
    """A text of that size (as a part of the side), `down` from the middle (1: to the edge)."""
    side = large.get_width()
    picture = text.font(max(6, round(height * side)), bold=True).render(words, True, colour)
    ink = picture.subsurface(picture.get_bounding_rect())
    shrink = min(1.0, 0.86 * side / ink.get_width())
    if shrink < 1.0:
        ink = pygame.transform.smoothscale_by(ink, shrink)
    x, y = side / 2, side / 2 * (1 + down)
    large.blit(ink, (round(x - ink.get_width() / 2), round(y - ink.get_height() / 2)))


def _shape(large: Surface, name: str, size: float, colour: Colour, down: float = 0.0) -> None:
    """A shape, `size` as a part of the side."""
    side = large.get_width()
    pixels = round(size * side)
    where = (round((side - pixels) / 2), round(side / 2 * (1 + down) - pixels / 2))
    large.blit(shape(name, pixels, colour), where, special_flags=pygame.BLEND_PREMULTIPLIED)


def _die(large: Surface, label: str, game: Any) -> None:
    """A face of a die: pips, larger numbers in digits, or a symbol."""
    _slab(large, _part(large, 0.94, 0.94), PAPER, EDGE, 0.2)
    if label.isdigit() and int(label) in PIPS:
        for x, y in PIPS[int(label)]:
            Pen(large, INK).disc((0.46 * x, 0.46 * y), 0.15)
    elif label == "double" or label.isdigit():
        _letters(large, "×2" if label == "double" else label, 0.6, INK)
    else:
        _shape(large, {"skip": "halt", "rotate": "turn"}.get(label, label), 0.62, INK)


def _card(large: Surface, label: str, game: Any) -> None:
    """An energy card with its number; `0=2` counts more than it says, `back` shows nothing."""
    back = label == "back"
    _slab(large, _part(large, 0.72, 0.98), BACK if back else PAPER, EDGE, 0.1)
    if back:
        _shape(large, "energy", 0.46, PAPER)
        return
    printed, _, counts = label.partition("=")
    _letters(large, printed, 0.62, INK, -0.14)
    if counts:
        _letters(large, f"= {counts}", 0.26, INK, 0.62)
    else:
        _shape(large, "energy", 0.24, GOLD, 0.62)


def _back(large: Surface, label: str, game: Any) -> None:
    """A tile of which nothing is to be seen."""
    _slab(large, _part(large, 0.94, 0.94), BACK, EDGE, 0.1)
    _shape(large, "hidden", 0.56, PAPER)


def _wall(large: Surface, label: str, game: Any) -> None:
    """The coloured underside of a wall, with a mark of its own."""
    colours: dict[str, Colour] = game.set.wall.colours
    colour = colours[label]
    _slab(large, _part(large, 0.66, 0.96), colour, INK, 0.08)
    mark = MARKS[list(colours).index(label) % len(MARKS)]
    _shape(large, mark, 0.36, INK if sum(colour) > 380 else PAPER)


def _item(large: Surface, label: str, game: Any) -> None:
    """A ring or a pearl from above, with a mark of its own."""
    colour: Colour = game.set.colours[label]
    edge, pen, paper = Pen(large, INK), Pen(large, colour), Pen(large, PAPER)
    edge.disc((0, 0), 0.94)
    pen.disc((0, 0), 0.87)
    if label in RINGS:
        edge.disc((0, 0), 0.47)
        paper.disc((0, 0), 0.4)
        notches = {"red": (), "yellow": ((0, 1), (0, -1), (1, 0), (-1, 0)), "blue": ((0, 1), (0, -1))}
        for x, y in notches[label]:
            edge.disc((0.67 * x, 0.67 * y), 0.12)
    elif label == "orange":
        paper.disc((-0.26, -0.3), 0.2)
    else:
        paper.line([(-0.46, 0), (0.46, 0)], 0.22)
        if label == "purple":
            paper.line([(0, -0.46), (0, 0.46)], 0.22)


def _messenger(large: Surface, label: str, game: Any) -> None:
    """A messenger from the side, with what it carries: `light-red RRB`."""
    who, _, carried = label.partition(" ")
    shade, home = who.split("-")
    piece, colours, side = game.set.piece, game.set.colours, large.get_width()
    wood, other = (piece.light, piece.dark) if shade == "light" else (piece.dark, piece.light)
    foot = Rect(0, 0, round(0.72 * side), round(0.22 * side))
    foot.midbottom = (side // 2, round(0.99 * side))
    stick = Rect(0, 0, round(0.18 * side), round(0.78 * side))
    stick.midbottom = (side // 2, foot.top + round(0.04 * side))
    _slab(large, stick, colours[home], INK, 0.08)
    _slab(large, foot, wood, INK, 0.08)
    if shade == "light":  # a spot on light feet, a bar on dark ones
        pygame.draw.circle(large, other, foot.center, 0.05 * side)
    else:
        pygame.draw.rect(large, other, foot.inflate(-0.34 * side, -0.15 * side))
    _stack(large, carried, colours, foot.top, 0.76 * side)


def _stack(large: Surface, carried: str, colours: Mapping[str, Colour], bottom: float, room: float) -> None:
    """Rings as bars and pearls as balls, from below."""
    side = large.get_width()
    heights = [(0.13 if ITEMS[letter] in RINGS else 0.22) * side for letter in carried]
    scale = min(1.0, room / sum(heights)) if heights else 1.0
    for letter, full in zip(carried, heights, strict=True):
        height, colour = full * scale, colours[ITEMS[letter]]
        if ITEMS[letter] in RINGS:
            bar = Rect(0, 0, round(0.58 * side), round(height))
            bar.midbottom = (side // 2, round(bottom))
            pygame.draw.rect(large, INK, bar, border_radius=round(height / 2))
            inner = bar.inflate(-round(0.03 * side), -round(0.03 * side))
            pygame.draw.rect(large, colour, inner, border_radius=round(height / 2))
        else:
            centre = (side / 2, bottom - height / 2)
            pygame.draw.circle(large, INK, centre, height * 0.56)
            pygame.draw.circle(large, colour, centre, height * 0.48)
        bottom -= height


def _height(large: Surface, label: str, game: Any) -> None:
    """A block from above: its number, and the further from the middle shade the higher it is."""
    block, high = game.set.block, int(label)
    odd = high % 2
    base: Colour = block.dark if odd else block.light
    far: Colour = (24, 14, 8) if odd else (255, 250, 238)
    part = 0.55 * (high - 1) / max(1, block.heights - 1)
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(base, far, strict=True))
    corners = [(0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5)]
    Pen(large, (60, 44, 30)).area(corners)
    Pen(large, (red, green, blue)).area([(0.95 * x, 0.95 * y) for x, y in corners])
    _letters(large, label, 0.42, PAPER if odd else INK)


def _number(large: Surface, label: str, game: Any) -> None:
    """A number on a card."""
    _slab(large, _part(large, 0.94, 0.94), PAPER, EDGE, 0.18)
    _letters(large, label, 0.62, INK)


def _energy(large: Surface, label: str, game: Any) -> None:
    """Energy."""
    _shape(large, "energy", 0.92, (214, 140, 0))


def _sign(large: Surface, label: str, game: Any) -> None:
    """A shape by its name."""
    _slab(large, _part(large, 0.94, 0.94), PAPER, EDGE, 0.18)
    _shape(large, label, 0.56, INK)


def _plate(large: Surface, label: str, game: Any) -> None:
    """A plate that stands in one groove."""
    _sign(large, "plate", game)


def _arms(large: Surface, label: str, game: Any) -> None:
    """Two plates joined at a right angle, by the names of their arms."""
    _slab(large, _part(large, 0.94, 0.94), PAPER, EDGE, 0.18)
    up, right = (-1 if "N" in label else 1), (1 if "E" in label else -1)
    x, y = -0.3 * right, -0.3 * up
    Pen(large, game.set.corner.colour).line([(x, y + 0.85 * up), (x, y), (x + 0.85 * right, y)], 0.2)


EMBLEMS: Mapping[str, Callable[[Surface, str, Any], None]] = {
    "die": _die,
    "card": _card,
    "back": _back,
    "wall": _wall,
    "item": _item,
    "give": _item,
    "take": _item,
    "messenger": _messenger,
    "height": _height,
    "cost": _number,
    "energy": _energy,
    "shape": _sign,
    "edge": _plate,
    "crossing": _arms,
}
"""Drawings by kind: onto a large square surface, with the label and the game."""
