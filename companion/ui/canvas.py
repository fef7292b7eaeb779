"""The canvas: what screens paint on, with a memory of the texts painted, so that a test can check them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import pygame
from pygame import Rect

from companion.games.looks import Colour
from companion.ui import text
from companion.ui.layout import Metrics
from companion.ui.palette import Palette
from companion.ui.shapes import FINE, shape, smooth

Align = Literal["left", "centre", "right"]

LEAST = 15
"""The smallest type, in units, that texts shrink to where there is little room."""


@dataclass(frozen=True, slots=True)
class Painted:
    """A text as it was painted: the room it had, the room it took, and what lay under it."""

    text: str
    room: Rect
    ink: Rect
    colour: Colour
    ground: Colour
    clipped: bool
    shortened: bool


@lru_cache(maxsize=64)
def _corner(radius: int, width: int, colour: Colour, edge: Colour) -> pygame.Surface:
    """The upper left corner of a card."""

    def draw(large: pygame.Surface) -> None:
        centre = large.get_size()
        pygame.draw.circle(large, edge, centre, radius * FINE)
        pygame.draw.circle(large, colour, centre, (radius - width) * FINE)

    return smooth((radius, radius), draw)


class Canvas:
    """A surface with type, shapes and panels. With `notes` a list, every text painted is noted there."""

    def __init__(self, surface: pygame.Surface, metrics: Metrics, palette: Palette) -> None:
        self.surface, self.metrics, self.palette = surface, metrics, palette
        self.notes: list[Painted] | None = None

    def px(self, units: float) -> int:
        """Units in pixels."""
        return self.metrics.px(units)

    def size(self, name: str) -> int:
        """A size of type in pixels."""
        return self.metrics.type(text.SIZES[name])

    def _pixels(self, name: str, rect: Rect) -> int:
        """The size of type for a line in that rectangle: larger than usual only as far as its height allows."""
        usual = self.px(text.SIZES[name])
        return max(usual, min(self.size(name), round(rect.height / text.LINE)))

    def panel(self, rect: Rect, colour: Colour, line: Colour | None = None, corner: float = 10) -> None:
        """A rounded card, with a line around it if one is given."""
        edge, width = (colour, 0) if line is None else (line, max(1, self.px(1.5)))
        radius = min(self.px(corner), rect.width // 2, rect.height // 2)
        for ground, inset in ((edge, 0), (colour, width)):
            self.surface.fill(ground, rect.inflate(-2 * radius, -2 * inset))
            self.surface.fill(ground, rect.inflate(-2 * inset, -2 * radius))
        patch = _corner(radius, width, colour, edge)
        for right in (False, True):
            for low in (False, True):
                where = (rect.right - radius if right else rect.left, rect.bottom - radius if low else rect.top)
                self.picture(pygame.transform.flip(patch, right, low), where)

    def shape(self, name: str, centre: tuple[float, float], units: float, colour: Colour) -> None:
        """A symbol or an icon, `units` wide."""
        size = self.px(units)
        where = (round(centre[0] - size / 2), round(centre[1] - size / 2))
        self.surface.blit(shape(name, size, colour), where, special_flags=pygame.BLEND_PREMULTIPLIED)

    def picture(self, picture: pygame.Surface, where: tuple[int, int]) -> None:
        """A picture drawn by `companion.ui.drawing`."""
        self.surface.blit(picture, where, special_flags=pygame.BLEND_PREMULTIPLIED)

    def line(
        self,
        words: str,
        rect: Rect,
        size: str = "body",
        *,
        bold: bool = False,
        colour: Colour | None = None,
        align: Align = "left",
        name: bool = False,
    ) -> None:
        """One line, in the middle of the height; smaller where the room asks for it.

        With `name` a text that is too long even so is cut with an ellipsis: people may have long names.
        """
        wanted = self._pixels(size, rect)
        pixels = text.fitted(words, wanted, bold, rect.width, min(wanted, self.px(LEAST)))
        shown = text.shortened(words, pixels, bold, rect.width) if name else words
        noted = len(self.notes) if self.notes is not None else 0
        self._lines([shown], rect, pixels, bold, colour or self.palette.ink, align, middle=True)
        if self.notes is not None and shown != words:
            self.notes[noted:] = [replace(note, shortened=True) for note in self.notes[noted:]]

    def paragraph(
        self,
        words: str,
        rect: Rect,
        size: str = "body",
        *,
        bold: bool = False,
        colour: Colour | None = None,
        align: Align = "left",
        middle: bool = False,
    ) -> int:
        """Lines that wrap, smaller where the room asks for it; the height used, in pixels."""
        pixels = self.size(size)
        least = min(pixels, self.px(LEAST))
        while True:
            lines = text.wrapped(words, pixels, bold, rect.width)
            fits = len(lines) * text.line_height(pixels) <= rect.height
            wide = any(text.width(line, pixels, bold) > rect.width for line in lines)
            if (fits and not wide) or pixels <= least:
                break
            pixels -= 1
        self._lines(lines, rect, pixels, bold, colour or self.palette.ink, align, middle)
        return len(lines) * text.line_height(pixels)

    def paragraphs(self, texts: Sequence[tuple[str, bool]], rect: Rect, size: str = "body") -> None:
        """Paragraphs one under the other, bold or not, all of one size: smaller where the room asks for it."""
        shown = [(words, bold) for words, bold in texts if words]
        pixels, least = self.size(size), self.px(LEAST)
        while pixels > least and not self._fits(shown, rect, pixels):
            pixels -= 1
        top = rect.top
        for words, bold in shown:
            lines = text.wrapped(words, pixels, bold, rect.width)
            height = len(lines) * text.line_height(pixels)
            room = Rect(rect.left, top, rect.width, min(height, rect.bottom - top))
            self._lines(lines, room, pixels, bold, self.palette.ink, "left", False)
            top += height + self.px(8)

    def _fits(self, texts: Sequence[tuple[str, bool]], rect: Rect, pixels: int) -> bool:
        wrapped = [(text.wrapped(words, pixels, bold, rect.width), bold) for words, bold in texts]
        height = sum(len(lines) * text.line_height(pixels) for lines, _ in wrapped) + self.px(8) * (len(texts) - 1)
        widest = max((text.width(line, pixels, bold) for lines, bold in wrapped for line in lines), default=0)
        return height <= rect.height and widest <= rect.width

    def height(self, words: str, width: int, size: str, *, bold: bool = False) -> int:
        """How high a paragraph of that width is, in pixels."""
        pixels = self.size(size)
        return len(text.wrapped(words, pixels, bold, width)) * text.line_height(pixels)

    def _lines(
        self, lines: list[str], rect: Rect, pixels: int, bold: bool, colour: Colour, align: Align, middle: bool
    ) -> None:
        step = text.line_height(pixels)
        top = rect.centery - len(lines) * step / 2 if middle else rect.top
        for k, line in enumerate(lines):
            picture = text.rendered(line, pixels, bold, colour)
            left = {
                "left": rect.left,
                "centre": rect.centerx - picture.get_width() // 2,
                "right": rect.right - picture.get_width(),
            }[align]
            where = (left, round(top + k * step + (step - picture.get_height()) / 2))
            if self.notes is not None and line:
                self._note(line, rect, picture.get_bounding_rect().move(where), colour)
            self.surface.blit(picture, where)

    def _note(self, line: str, room: Rect, ink: Rect, colour: Colour) -> None:
        assert self.notes is not None
        slack = room.inflate(4, 4)
        clipped = not slack.contains(ink) or not self.surface.get_rect().contains(ink)
        self.notes.append(Painted(line, room, ink, colour, self._ground(ink), clipped, False))

    def _ground(self, rect: Rect) -> Colour:
        """The colour that most of a rectangle has now."""
        inside = rect.clip(self.surface.get_rect())
        if not inside.width or not inside.height:
            return self.palette.ground
        points = [
            (x, y)
            for x in range(inside.left, inside.right, max(1, inside.width // 12))
            for y in range(inside.top, inside.bottom, max(1, inside.height // 5))
        ]
        seen = [tuple(self.surface.get_at(point))[:3] for point in points]
        r, g, b = max(set(seen), key=seen.count)
        return r, g, b
