"""The failsafe: something in a screen has gone wrong; the record is kept, and there is a way back."""

from __future__ import annotations

from pygame import Rect

from companion.ui import layout
from companion.ui.canvas import Canvas
from companion.ui.layout import GAP
from companion.ui.screen import Screen


class FailsafeScreen(Screen):
    """Says that a screen has failed, and goes back to the table, or to the start."""

    name = "failsafe"

    def build(self) -> None:
        """Two ways on."""
        words, page = self.app.words, self.page()
        _, bottom = layout.rows(page, [None, self.px(64)], self.px(GAP))
        if self.app.model is None:
            self.button(bottom, words("To the start"), self._start, icon="back", style="primary", size="lead")
            return
        left, right = layout.columns(bottom, [None, None], 2 * self.px(GAP))
        self.button(left, words("To the start"), self._start, size="lead")
        self.button(right, words("Back to the table"), self.back, icon="back", style="primary", size="lead")

    def back(self) -> None:
        """To the table, where one is open."""
        from companion.ui.screens.table import TableScreen

        if self.app.model is None:
            self._start()
        else:
            self.app.show(TableScreen(self.app, self.app.model))

    def _start(self) -> None:
        from companion.ui.screens.start import StartScreen

        self.app.leave_table()
        self.app.show(StartScreen(self.app))

    def draw(self, canvas: Canvas) -> None:
        """What has happened, and that nothing is lost."""
        words, page = self.app.words, self.page()
        room = Rect(page.left, page.top, page.width, page.height - self.px(80))
        canvas.shape("alert", (room.centerx, room.top + room.height * 0.2), 64, canvas.palette.asked)
        title = Rect(room.left, room.top + round(room.height * 0.36), room.width, self.px(48))
        canvas.line(words("This screen has stumbled"), title, "title", bold=True, align="centre")
        text = Rect(0, 0, min(room.width, self.px(560)), room.bottom - title.bottom).move(0, title.bottom)
        text.centerx = room.centerx
        canvas.paragraph(
            words("Nothing is lost: every action that counted is in the record. The details are in the log."),
            text,
            "lead",
            align="centre",
        )
