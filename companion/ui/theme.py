"""The theme: how buttons look, from our palette, and what pygame_gui's widgets leave to us."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.games.looks import Colour
from companion.ui.palette import Palette, mixed

NOTHING = "#00000000"
STATES = ("normal", "hovered", "selected", "active", "disabled")


class Style(NamedTuple):
    """The colours of a kind of button."""

    ground: Colour
    pressed: Colour
    line: Colour
    ink: Colour


def style(palette: Palette, name: str) -> Style:
    """A kind of button: `plain`, `primary` (the one thing to do), `quiet`, `chosen`; `off` cannot be pressed now."""
    return {
        "plain": Style(palette.surface, palette.pressed, palette.line, palette.ink),
        "primary": Style(palette.accent, palette.accent_pressed, palette.accent, palette.on_accent),
        "quiet": Style(palette.ground, palette.pressed, palette.ground, palette.ink),
        "chosen": Style(palette.soft, mixed(palette.soft, palette.accent, 0.2), palette.accent, palette.ink),
        "off": Style(palette.ground, palette.ground, palette.line, palette.faint),
    }[name]


def widget_theme() -> dict[str, Any]:
    """The theme of the pygame_gui widgets: they find out what is touched, and we paint them.

    Their own rounded shapes are drawn several times finer for five states each, which costs a large button a hundred
    megabytes.
    """
    colours = {f"{state}_{part}": NOTHING for state in STATES for part in ("bg", "border")}
    return {"button": {"colours": colours, "misc": {"shape": "rectangle", "border_width": "0", "shadow_width": "0"}}}
