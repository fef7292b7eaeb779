"""Correct: choose what was recorded wrongly, by its place or in the list, and say what really happened."""

from __future__ import annotations

from functools import partial
from typing import Any

from pygame import Rect

from companion.games.core import Action, IllegalActionError
from companion.table.errors import IllegalSequenceError, StoreError
from companion.table.state import Played
from companion.ui import layout, panel
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.drawing import Sign, site_labels
from companion.ui.entry import Entry
from companion.ui.games import Piece
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.screens.board import ASKED, BoardScreen
from companion.ui.screens.choices import Choice, lay_choices
from companion.ui.sheet import Sheet, refusal_sheet, trouble_sheet
from companion.ui.widgets import Paint


class CorrectScreen(BoardScreen):
    """Corrects one action of the record; those after it stay."""

    name = "correct"

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app, model)
        self.state = model.state()
        self.number: int | None = None  # the action to correct, once it is chosen
        self.site: str | None = None  # the site that was tapped for it
        self.first = max(0, len(self.state.played))  # the list ends before this action
        self.hint = ""
        self.sheet: Sheet | None = None
        self._positions = [*(model.before(one.number) for one in self.state.played), self.state.position]

    def position(self) -> Any:
        """The position now, or the one in which the action to correct was played."""
        return self.state.position if self.number is None else self._positions[self.number - 1]

    def signs(self) -> list[Sign]:
        """The site that was tapped, and what can be."""
        marked = [Sign(self.site, ASKED)] if self.site else []
        wrong = [Sign(site, ASKED, None, "cross") for site in self.sheet.sites] if self.sheet else []
        return [*super().signs(), *marked, *wrong]

    # -- choosing what was wrong ---------------------------------------------------------------------------------------

    def tapped(self, site: str) -> bool:
        """Finds the action that has put there what lies there."""
        if self.number is not None or self.sheet is not None:
            return False
        labels = [site_labels(position.view()).get(site) for position in self._positions]
        changes = [k for k in range(1, len(labels)) if labels[k] != labels[k - 1]]
        if not changes:
            self.hint = self.app.words("Nothing is recorded there. Touch something that lies wrongly.")
            self.app.rebuild()
            return False
        self.site = site
        self._begin(changes[-1])
        return True

    def _begin(self, number: int) -> None:
        if self.face.secret(self.state.played[number - 1].action) and not self.state.position.over:
            self.site = None
            self.hint = self.app.words("That must stay hidden. Take it back with Undo, if it was wrong.")
            self.app.rebuild()
            return
        self.number = number
        self.restart()

    def restart(self) -> None:
        """Begins to say what really happened."""
        if self.number is None:
            return
        self.zoom = None
        self.entry = Entry(self.face, self.position(), self.position().legal_actions())
        if self.site is not None and not self.entry.keep((self.site,)):
            self.site = None
        self.app.rebuild()

    def _elsewhere(self) -> None:
        self.site = None
        self.restart()

    def entered(self, action: Action) -> None:
        """Corrects the record."""
        assert self.number is not None
        words = self.app.words
        try:
            self.model.correct(self.number, action)
        except IllegalActionError as error:
            later = isinstance(error, IllegalSequenceError) and error.number != self.number
            note = words("A later action would then not be allowed. Undo it first.") if later else ""
            self.sheet = refusal_sheet(error, self.state, words, self._close, note)
            self.app.rebuild()
        except (ValueError, StoreError) as error:
            self.sheet = trouble_sheet(error, words, self._close)
            self.app.rebuild()
        else:
            self._leave()

    def _close(self) -> None:
        self.sheet = None
        self.restart()

    def back(self) -> None:
        """One step back: to the choice of what was wrong, then to the table."""
        if self.zoom is not None:
            self.whole_board()
            return
        if self.number is None:
            self._leave()
            return
        self.number = self.site = self.entry = self.sheet = None
        self.app.rebuild()

    def _leave(self) -> None:
        from companion.ui.screens.table import TableScreen

        self.app.show(TableScreen(self.app, self.model))

    # -- layout --------------------------------------------------------------------------------------------------------

    def panel_units(self) -> int:
        """Wide enough for the list and for sentences."""
        return 300

    def build(self) -> None:
        """The list of actions, or the way to say what really happened."""
        self.lay_out()
        if self.sheet is not None:
            self._sheet_room = self.sheet.build(self, self.panel_rect, self.state, self.face)
            return
        gap, target = self.px(GAP), self.px(48)
        rect = self.panel_rect
        self.button(Rect(rect.left, rect.top, target, target), "", self.back, icon="back", style="quiet")
        self.head = Rect(rect.left + target + gap, rect.top, rect.width - target - gap, target)
        below = Rect(rect.left, rect.top + target + gap, rect.width, rect.height - target - gap)
        self.text, self.list = layout.rows(below, [self.px(84), None], gap)
        self.build_zoom()
        if self.number is None:
            self._build_list()
        else:
            self._build_entry()

    def _build_list(self) -> None:
        words, gap, step = self.app.words, self.px(6), self.px(50)
        rows, pages = layout.rows(self.list, [None, step], gap)
        count = max(1, (rows.height + gap) // (step + gap))
        shown = self.state.played[max(0, self.first - count) : self.first]
        for k, one in enumerate(reversed(shown)):
            row = Rect(rows.left, rows.top + k * (step + gap), rows.width, step)
            self.button(row, str(one.action), partial(self._begin, one.number), face=self._row(one))
        older, newer = layout.columns(pages, [None, None], gap)
        total = len(self.state.played)
        self.button(older, words("Earlier"), lambda: self._page(-count), enabled=self.first > count)
        self.button(newer, words("Later"), lambda: self._page(count), enabled=self.first < total)

    def _row(self, one: Played) -> Paint:
        def show(canvas: Canvas, inner: Rect) -> None:
            panel.draw_action(canvas, inner, one, self.state, self.face, self.app.words)

        return show

    def _page(self, by: int) -> None:
        self.first = min(len(self.state.played), max(1, self.first + by))
        self.app.rebuild()

    def _build_entry(self) -> None:
        if self.entry is None:
            return
        self.build_picker()
        words = self.app.words
        options = self.entry.pieces or tuple(step for step in self.entry.chosen[:1] if isinstance(step, Piece))
        buttons = [
            Choice(self.face.word(word.key, words), partial(self.choose, word), self.face.icon(word.key))
            for word in self.entry.words
        ]
        if self.site is not None:
            buttons.append(Choice(words("It lies somewhere else"), self._elsewhere))
        if self.entry.begun:
            buttons.append(Choice(words("Another one"), self.restart, "back"))
        lay_choices(self, self.list, [] if self.picking else [(what, True) for what in options], buttons)

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The board, and what to do."""
        super().draw(canvas)
        words = self.app.words
        if self.sheet is not None:
            self.sheet.draw(canvas, self.panel_rect, self._sheet_room)
            return
        canvas.line(words("Correct"), self.head, "title", bold=True)
        if self.number is None:
            text = self.hint or words("Touch on the board what lies wrongly, or the wrong action in the list.")
            canvas.paragraph(text, self.text, "body")
            return
        one = self.state.played[self.number - 1]
        top, bottom = layout.rows(self.text, [self.px(40), None], 0)
        panel.draw_action(canvas, top, one, self.state, self.face, words)
        chosen = self.entry.chosen if self.entry else ()
        prompt = self.face.prompt(self.position(), chosen, words) if chosen else words("What really happened?")
        canvas.line(prompt, bottom, "body", bold=True)
