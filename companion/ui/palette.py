"""Colours: a light, a dark and a high-contrast palette, with players' colours safe for colour-blind eyes.

Players are never told apart by colour alone: each has a symbol too (`companion.ui.shapes`).
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.looks import Colour


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme. Texts have a contrast of at least 4.5 to 1 with what they stand on."""

    name: str
    ground: Colour  # behind everything
    surface: Colour  # cards and buttons
    pressed: Colour
    line: Colour
    ink: Colour  # text
    muted: Colour  # secondary text
    faint: Colour  # text of what cannot be used now
    accent: Colour  # the one thing to do
    accent_pressed: Colour
    on_accent: Colour
    soft: Colour  # a quiet tint of the accent: chosen things
    good: Colour
    wrong: Colour
    on_wrong: Colour
    wrong_soft: Colour
    asked: Colour
    on_asked: Colour
    asked_soft: Colour
    players: dict[str, Colour]


LIGHT = Palette(
    name="light",
    ground=(244, 242, 237),
    surface=(255, 255, 255),
    pressed=(228, 224, 215),
    line=(214, 209, 199),
    ink=(29, 33, 38),
    muted=(86, 92, 100),
    faint=(100, 104, 110),
    accent=(15, 92, 100),
    accent_pressed=(8, 66, 72),
    on_accent=(255, 255, 255),
    soft=(218, 234, 234),
    good=(0, 110, 80),
    wrong=(166, 38, 38),
    on_wrong=(255, 255, 255),
    wrong_soft=(251, 233, 229),
    asked=(132, 78, 0),
    on_asked=(255, 255, 255),
    asked_soft=(253, 241, 219),
    players={
        "red": (204, 62, 40),
        "blue": (0, 98, 172),
        "green": (0, 128, 92),
        "yellow": (226, 172, 0),
        "orange": (222, 118, 14),
        "purple": (136, 64, 148),
        "white": (250, 250, 248),
        "light": (214, 196, 164),
        "dark": (84, 60, 44),
    },
)

DARK = Palette(
    name="dark",
    ground=(20, 23, 27),
    surface=(35, 40, 46),
    pressed=(54, 61, 69),
    line=(62, 69, 78),
    ink=(240, 242, 244),
    muted=(176, 184, 193),
    faint=(142, 150, 160),
    accent=(104, 202, 202),
    accent_pressed=(140, 220, 220),
    on_accent=(8, 36, 38),
    soft=(29, 66, 70),
    good=(92, 208, 160),
    wrong=(255, 138, 122),
    on_wrong=(52, 8, 6),
    wrong_soft=(74, 34, 32),
    asked=(247, 190, 92),
    on_asked=(48, 28, 0),
    asked_soft=(70, 52, 22),
    players={
        "red": (255, 122, 98),
        "blue": (92, 172, 246),
        "green": (60, 196, 148),
        "yellow": (246, 208, 76),
        "orange": (250, 160, 70),
        "purple": (202, 138, 214),
        "white": (246, 246, 244),
        "light": (236, 222, 196),
        "dark": (150, 118, 96),
    },
)

CONTRAST = Palette(
    name="contrast",
    ground=(0, 0, 0),
    surface=(0, 0, 0),
    pressed=(70, 70, 70),
    line=(255, 255, 255),
    ink=(255, 255, 255),
    muted=(255, 255, 255),
    faint=(186, 186, 186),
    accent=(255, 221, 51),
    accent_pressed=(255, 238, 150),
    on_accent=(0, 0, 0),
    soft=(64, 54, 0),
    good=(120, 255, 170),
    wrong=(255, 150, 135),
    on_wrong=(0, 0, 0),
    wrong_soft=(48, 0, 0),
    asked=(255, 200, 70),
    on_asked=(0, 0, 0),
    asked_soft=(40, 26, 0),
    players={
        "red": (255, 110, 84),
        "blue": (96, 180, 255),
        "green": (50, 205, 150),
        "yellow": (255, 221, 77),
        "orange": (255, 165, 70),
        "purple": (216, 150, 228),
        "white": (255, 255, 255),
        "light": (244, 232, 208),
        "dark": (160, 126, 102),
    },
)

PALETTES = {palette.name: palette for palette in (LIGHT, DARK, CONTRAST)}


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two sRGB colours, 1 to 21 (WCAG 2)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def mixed(one: Colour, other: Colour, part: float) -> Colour:
    """`one` with that part (0 to 1) of `other` in it."""
    r, g, b = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return r, g, b
