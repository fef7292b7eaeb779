"""Type: fonts in a few sizes, lines that fit, paragraphs that wrap."""

from __future__ import annotations

from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

import pygame
import pygame_gui

from companion.games.looks import Colour

SIZES = {"small": 17, "body": 20, "lead": 24, "title": 30, "big": 38, "huge": 54}
"""Sizes of type in units (pixels at 800x480)."""

LINE = 1.28
"""The distance from one line to the next, in sizes of type."""

FONTS = Path(pygame_gui.__file__).parent / "data"
"""Where Noto Sans is, under the SIL Open Font License."""


@lru_cache(maxsize=64)
def font(pixels: int, bold: bool = False) -> pygame.font.Font:
    """Noto Sans in that size."""
    return pygame.font.Font(BytesIO(_letters(bold)), pixels)


@cache
def _letters(bold: bool) -> bytes:
    """The font's file, read once: each size would keep it open otherwise."""
    return (FONTS / f"NotoSans-{'Bold' if bold else 'Regular'}.ttf").read_bytes()


@lru_cache(maxsize=160)
def rendered(text: str, pixels: int, bold: bool, colour: Colour) -> pygame.Surface:
    """A line of text on nothing."""
    return font(pixels, bold).render(text, True, colour)


def width(text: str, pixels: int, bold: bool = False) -> int:
    """How wide a line is, in pixels."""
    return font(pixels, bold).size(text)[0]


def fitted(text: str, pixels: int, bold: bool, room: int, least: int) -> int:
    """The largest size up to `pixels`, and not under `least`, in which the line fits into `room` pixels."""
    while pixels > least and width(text, pixels, bold) > room:
        pixels -= 1
    return pixels


def shortened(text: str, pixels: int, bold: bool, room: int) -> str:
    """The line, cut with an ellipsis where it does not fit."""
    if width(text, pixels, bold) <= room:
        return text
    while text and width(text + "…", pixels, bold) > room:
        text = text[:-1].rstrip()
    return text + "…"


def wrapped(text: str, pixels: int, bold: bool, room: int) -> list[str]:
    """The lines of a paragraph `room` pixels wide; a word that is wider stands alone."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and width(longer, pixels, bold) > room:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def line_height(pixels: int) -> int:
    """The distance from one line to the next, in pixels."""
    return round(pixels * LINE)


def forget() -> None:
    """Drops all cached fonts and lines; they do not outlive pygame."""
    font.cache_clear()
    _letters.cache_clear()
    rendered.cache_clear()
