"""A name: one of those remembered, or typed on the screen's keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pygame import Rect

from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.language import marked
from companion.ui.screen import Screen
from companion.ui.screens.typing import TypingScreen


class NameScreen(TypingScreen):
    """Names somebody; names that are `taken` are not offered."""

    name = "name"
    longest = 16
    title = marked("Whose name?")
    hint = marked("Touch a name above, or type one")
    across = (5, 3)
    keys_first = True

    def __init__(self, app: App, before: Screen, taken: Sequence[str], take: Callable[[str], None]) -> None:
        super().__init__(app, before, [name for name in app.library.names() if name not in taken], take)

    def _paint_known(self, text: str, canvas: Canvas, inner: Rect) -> None:
        canvas.line(text, inner, "body", align="centre", name=True)

    def begins_word(self) -> bool:
        """Every word of a name begins with a capital."""
        return not self.text or self.text[-1] in " -"
