"""Tabs with the games that can be played, above what is shown of one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pygame import Rect

from companion.ui import layout
from companion.ui.games import face, playable
from companion.ui.layout import GAP
from companion.ui.screen import Screen

HEIGHT = 52
"""Of a row of tabs, in units."""

NARROW = 3
"""Tabs side by side in portrait."""


def build_tabs(screen: Screen, rect: Rect, chosen: str, choose: Callable[[str], None]) -> Rect:
    """Makes a tab for each game at the top of a rectangle; the room under them."""
    games, gap = playable(), screen.px(6)
    across = min(len(games), NARROW) if screen.metrics.portrait else len(games)
    down = -(-len(games) // across)
    tabs, rest = layout.rows(rect, [screen.px(HEIGHT) * down + gap * (down - 1), None], screen.px(GAP))
    for name, cell in zip(games, layout.grid(tabs, across, down, gap), strict=False):
        style = "chosen" if name == chosen else "plain"
        screen.button(cell, screen.app.words(face(name).title), partial(choose, name), style=style)
    return rest
