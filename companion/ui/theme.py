"""The theme of the pygame_gui widgets, made from our palette."""

from __future__ import annotations

from typing import Any

from companion.games.looks import Colour
from companion.ui.palette import Palette, mixed

STYLES = ("plain", "primary", "quiet", "chosen", "wrong")
"""Kinds of buttons: one to press, the one thing to do, one that stays back, one that is chosen, one for a trouble."""


def theme(palette: Palette, corner: int, border: int) -> dict[str, Any]:
    """The theme as pygame_gui wants it; `corner` is the radius of a button, `border` its line, in pixels."""
    blocks = {f"@{style}": _button(palette, style, corner, border) for style in STYLES}
    return {"button": _button(palette, "plain", corner, border), **blocks}


def colours(palette: Palette, style: str) -> tuple[Colour, Colour, Colour, Colour]:
    """Ground, pressed ground, line and text of a style of button."""
    return {
        "plain": (palette.surface, palette.pressed, palette.line, palette.ink),
        "primary": (palette.accent, palette.accent_pressed, palette.accent, palette.on_accent),
        "quiet": (palette.ground, palette.pressed, palette.ground, palette.ink),
        "chosen": (palette.soft, palette.pressed, palette.accent, palette.ink),
        "wrong": (palette.wrong, mixed(palette.wrong, palette.ink, 0.25), palette.wrong, palette.on_wrong),
    }[style]


def _button(palette: Palette, style: str, corner: int, border: int) -> dict[str, Any]:
    ground, pressed, line, _ = (_hex(colour) for colour in colours(palette, style))
    disabled = _hex(palette.ground)
    return {
        "colours": {
            "normal_bg": ground,
            "hovered_bg": ground,  # a finger does not hover, and a mouse need not redraw the screen
            "selected_bg": ground,
            "active_bg": pressed,
            "disabled_bg": disabled,
            "normal_border": line,
            "hovered_border": line,
            "selected_border": line,
            "active_border": line,
            "disabled_border": disabled if style == "quiet" else _hex(palette.line),
        },
        "misc": {
            "shape": "rounded_rectangle",
            "shape_corner_radius": f"{corner},{corner},{corner},{corner}",
            "border_width": str(border),
            "shadow_width": "0",
        },
    }


def _hex(colour: Colour) -> str:
    return "#{:02X}{:02X}{:02X}".format(*colour)
