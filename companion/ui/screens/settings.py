"""Settings: language and theme."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.language import LANGUAGES
from companion.ui.layout import GAP
from companion.ui.screen import Screen


class SettingsScreen(Screen):
    """What people choose once."""

    name = "settings"

    def __init__(self, app: App, before: Screen) -> None:
        super().__init__(app)
        self._before = before

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    def build(self) -> None:
        """A row of choices for each setting."""
        words, gap = self.app.words, self.px(GAP)
        self.title, below = self.header()
        self.rows = layout.rows(below, [self.px(100), self.px(100), None], 2 * gap)
        languages = [
            (text, code == words.language, partial(self.app.choose_language, code)) for code, text in LANGUAGES.items()
        ]
        themes = [
            (text, name == self.app.palette.name, partial(self.app.choose_theme, name))
            for name, text in (("light", words("Light")), ("dark", words("Dark")))
        ]
        self._choices(0, languages)
        self._choices(1, themes)

    def _choices(self, row: int, choices: Sequence[tuple[str, bool, Callable[[], None]]]) -> None:
        rect = self.rows[row]
        room = rect.move(0, self.px(40))
        room.height = rect.height - self.px(40)
        cells = layout.columns(room, [None] * 3, self.px(GAP))
        for cell, (label, chosen, press) in zip(cells, choices, strict=False):
            icon = "check" if chosen else None
            self.button(cell, label, press, icon=icon, style="chosen" if chosen else "plain", size="lead")

    def draw(self, canvas: Canvas) -> None:
        """Titles."""
        words = self.app.words
        canvas.line(words("Settings"), self.title, "title", bold=True)
        for rect, label in zip(self.rows, (words("Language"), words("Theme")), strict=False):
            line = rect.copy()
            line.height = self.px(36)
            canvas.line(label, line, "body", colour=canvas.palette.muted)
