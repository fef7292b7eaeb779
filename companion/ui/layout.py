"""Layout: everything stands on a grid of eight units; a unit is a pixel at 800x480 and grows with the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

GAP = 8
TARGET = 48
"""The least width and height of what a finger has to hit, in units: 9 mm on a seven-inch screen."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """A screen size in pixels, and the unit that follows from it. `text`: how many times larger than usual texts are,
    where there is room for it; `left_handed`: whether what is touched often stands on the left.
    """

    size: tuple[int, int]
    text: float = 1.0
    left_handed: bool = False

    @property
    def unit(self) -> float:
        """Pixels a unit."""
        return min(max(self.size) / 800, min(self.size) / 480)

    @property
    def portrait(self) -> bool:
        """Whether the screen is higher than wide."""
        return self.size[1] > self.size[0]

    @property
    def screen(self) -> Rect:
        """The whole screen."""
        return Rect((0, 0), self.size)

    def px(self, units: float) -> int:
        """Units in pixels."""
        return round(units * self.unit)

    def type(self, units: float) -> int:
        """Units of type in pixels, as large as people want texts."""
        return round(units * self.unit * self.text)

    def beside(self, rect: Rect, aside: int, gap: int) -> tuple[Rect, Rect]:
        """Cuts off a column `aside` pixels wide at the side of the hand that touches; the rest, and the column."""
        if self.left_handed:
            column, rest = columns(rect, [aside, None], gap)
        else:
            rest, column = columns(rect, [None, aside], gap)
        return rest, column


Part = int | float | None


def rows(rect: Rect, parts: Sequence[Part], gap: int) -> list[Rect]:
    """Cuts a rectangle into rows: heights in pixels, None for an equal share of what is left."""
    heights = _shares(rect.height, parts, gap)
    tops = _starts(rect.top, heights, gap)
    return [Rect(rect.left, top, rect.width, height) for top, height in zip(tops, heights, strict=True)]


def columns(rect: Rect, parts: Sequence[Part], gap: int) -> list[Rect]:
    """Cuts a rectangle into columns: widths in pixels, None for an equal share of what is left."""
    widths = _shares(rect.width, parts, gap)
    lefts = _starts(rect.left, widths, gap)
    return [Rect(left, rect.top, width, rect.height) for left, width in zip(lefts, widths, strict=True)]


def grid(rect: Rect, across: int, down: int, gap: int) -> list[Rect]:
    """Equal cells, row by row."""
    return [cell for row in rows(rect, [None] * down, gap) for cell in columns(row, [None] * across, gap)]


def _shares(total: int, parts: Sequence[Part], gap: int) -> list[int]:
    left = total - gap * (len(parts) - 1) - round(sum(part for part in parts if part is not None))
    free = sum(part is None for part in parts)
    lengths = []
    for part in parts:
        if part is None:
            share = max(0, left) // free
            left, free = left - share, free - 1
            lengths.append(share)
        else:
            lengths.append(round(part))
    return lengths


def _starts(start: int, lengths: Sequence[int], gap: int) -> list[int]:
    return [start + sum(lengths[:k]) + gap * k for k in range(len(lengths))]
