"""A name: one of those remembered, or typed on the screen's keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pygame import Rect

from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.events import Input, Key
from companion.ui.screen import Screen

if TYPE_CHECKING:
    from companion.ui.screens.players import PlayersScreen

LONGEST = 16
KEYS = {
    "en": ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM-'"),
    "de": ("QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMß-'"),
    "fr": ("AZERTYUIOPÉ", "QSDFGHJKLMÈ", "WXCVBNÇËÏ-'"),
}
ACROSS = 7
"""Keys a row in portrait, where a keyboard's rows are too long for fingers."""


class NameScreen(Screen):
    """Names a player."""

    name = "name"

    def __init__(self, app: App, players: PlayersScreen, number: int) -> None:
        super().__init__(app)
        self._players, self._number = players, number
        self.text = ""

    def back(self) -> None:
        """Nothing changes."""
        self.app.show(self._players)

    def build(self) -> None:
        """Remembered names, what has been typed, the keys."""
        words, gap = self.app.words, self.px(6)
        self.title, below = self.header()
        rows = self._rows()
        key = self.px(52)
        names, self.field, *keys = layout.rows(below, [None, self.px(56), *[key] * (len(rows) + 1)], gap)
        self._build_names(names)
        for letters, line in zip(rows, keys, strict=False):
            side = min(self.px(70), (line.width - gap * (len(letters) - 1)) // len(letters))
            width = len(letters) * (side + gap) - gap
            line = Rect(line.centerx - width // 2, line.top, width, line.height)
            for letter, cell in zip(letters, layout.columns(line, [None] * len(letters), gap), strict=True):
                self.button(cell, letter, partial(self._type, letter), size="lead")
        delete, space, done = layout.columns(keys[-1], [self.px(110), None, self.px(190)], gap)
        self.button(delete, "", self._delete, icon="delete")
        self.button(space, words("Space"), lambda: self._type(" "))
        self.button(done, words("Done"), self._done, icon="check", style="primary", enabled=bool(self.text.strip()))

    def _rows(self) -> list[str]:
        """The letters, row by row."""
        keys = KEYS[self.app.words.language]
        if not self.metrics.portrait:
            return list(keys)
        letters = "".join(sorted("".join(keys), key=lambda letter: (not letter.isalpha(), letter)))
        return [letters[k : k + ACROSS] for k in range(0, len(letters), ACROSS)]

    def _build_names(self, room: Rect) -> None:
        taken = [name for k, name in enumerate(self._players.names) if k != self._number]
        known = [name for name in self.app.library.names() if name not in taken]
        across = 3 if self.metrics.portrait else 5
        down = max(1, min(room.height // self.px(54), -(-len(known) // across), 4))
        area = Rect(room.left, room.top, room.width, min(room.height, down * self.px(58)))
        for name, cell in zip(known, layout.grid(area, across, down, self.px(6)), strict=False):

            def show(canvas: Canvas, inner: Rect, name: str = name) -> None:
                canvas.line(name, inner, "body", align="centre", name=True)

            self.button(cell, name, partial(self._take, name), face=show)

    def handle(self, event: Input) -> None:
        """Keys of a keyboard type too."""
        if isinstance(event, Key) and event.text.isprintable() and event.text:
            self._type(event.text)
        elif isinstance(event, Key) and event.name == "delete":
            self._delete()
        elif isinstance(event, Key) and event.name == "ok":
            self._done()
        else:
            super().handle(event)

    def _type(self, letters: str) -> None:
        lower = self.text and self.text[-1] not in " -"
        self.text = (self.text + (letters.lower() if lower else letters))[:LONGEST].lstrip()
        self.app.rebuild()

    def _delete(self) -> None:
        self.text = self.text[:-1]
        self.app.rebuild()

    def _take(self, name: str) -> None:
        self._players.rename(self._number, name)
        self.back()

    def _done(self) -> None:
        if self.text.strip():
            self._take(self.text.strip())

    def draw(self, canvas: Canvas) -> None:
        """The title and the field."""
        words, px = self.app.words, canvas.px
        canvas.line(words("Whose name?"), self.title, "title", bold=True)
        canvas.panel(self.field, canvas.palette.surface, canvas.palette.accent)
        room = self.field.inflate(-px(28), 0)
        if self.text:
            canvas.line(f"{self.text}|", room, "title", bold=True, align="centre")
        else:
            canvas.line(words("Touch a name above, or type one"), room, "body", colour=canvas.palette.muted,
                        align="centre")  # fmt: skip
