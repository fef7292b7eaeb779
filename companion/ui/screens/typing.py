"""Typing on the screen: something known to choose, or letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pygame import Rect

from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.events import Input, Key
from companion.ui.screen import Screen

KEYS = {
    "en": ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM-'"),
    "de": ("QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMß-'"),
    "fr": ("AZERTYUIOPÉ", "QSDFGHJKLMÈ", "WXCVBNÇËÏ-'"),
}
ACROSS = 7
"""Keys a row in portrait, where a keyboard's rows are too long for fingers."""

KNOWN = 4
"""Rows of known texts at most."""


class TypingScreen(Screen):
    """Asks for a line of text; `known` ones can be chosen, and are what the line is usually about."""

    name = "typing"
    longest = 80
    title = ""
    hint = ""
    across = (2, 1)
    """Known texts side by side, in landscape and in portrait."""
    keys_first = False
    """Whether the keys are there from the beginning, and not only when they are asked for."""

    def __init__(self, app: App, before: Screen, known: Sequence[str], take: Callable[[str], None]) -> None:
        super().__init__(app)
        self._before, self._known, self._chosen = before, known, take
        self.text = ""
        self.keys = self.keys_first or not known

    def back(self) -> None:
        """Nothing changes."""
        self.app.show(self._before)

    def build(self) -> None:
        """What is known, what has been typed, the keys."""
        words, gap = self.app.words, self.px(6)
        self.head, below = self.header()
        if not self.keys:
            known, other = layout.rows(below, [None, self.px(60)], self.px(8))
            self._build_known(known)
            self.button(other, words("Something else"), self._open_keys, icon="edit", size="lead")
            return
        rows = self._rows()
        key = self.px(52)
        known, self.field, *keys = layout.rows(below, [None, self.px(56), *[key] * (len(rows) + 1)], gap)
        self._build_known(known)
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

    def _build_known(self, room: Rect) -> None:
        across = self.across[self.metrics.portrait]
        most = KNOWN if self.keys else len(self._known)
        down = max(1, min(room.height // self.px(54), -(-len(self._known) // across), most))
        area = Rect(room.left, room.top, room.width, min(room.height, down * self.px(58 if self.keys else 84)))
        for text, cell in zip(self._known, layout.grid(area, across, down, self.px(6)), strict=False):
            self.button(cell, text, partial(self._take, text), face=partial(self._paint_known, text))

    def _paint_known(self, text: str, canvas: Canvas, inner: Rect) -> None:
        canvas.paragraph(text, inner, "body", align="centre", middle=True)

    def _open_keys(self) -> None:
        self.keys = True
        self.app.rebuild()

    def handle(self, event: Input) -> None:
        """Keys of a keyboard type too."""
        if isinstance(event, Key) and event.text.isprintable() and event.text:
            self.keys = True
            self._type(event.text)
        elif isinstance(event, Key) and event.name == "delete":
            self._delete()
        elif isinstance(event, Key) and event.name == "ok":
            self._done()
        else:
            super().handle(event)

    def begins_word(self) -> bool:
        """Whether the next letter is a capital one: the first."""
        return not self.text

    def _type(self, letters: str) -> None:
        shown = letters if self.begins_word() else letters.lower()
        self.text = (self.text + shown)[: self.longest].lstrip()
        self.app.rebuild()

    def _delete(self) -> None:
        self.text = self.text[:-1]
        self.app.rebuild()

    def _take(self, text: str) -> None:
        self._chosen(text)
        self.back()

    def _done(self) -> None:
        if self.text.strip():
            self._take(self.text.strip())

    def draw(self, canvas: Canvas) -> None:
        """The title and the field."""
        words, px = self.app.words, canvas.px
        canvas.line(words(self.title), self.head, "title", bold=True)
        if not self.keys:
            return
        canvas.panel(self.field, canvas.palette.surface, canvas.palette.accent)
        room = self.field.inflate(-px(28), -px(6))
        if self.text:
            canvas.paragraph(f"{self.text}|", room, "title", bold=True, align="centre", middle=True)
        else:
            canvas.line(words(self.hint), room, "body", colour=canvas.palette.muted, align="centre")
