"""The clauses of a game, to be read and looked up: with the decisions, the options and the places in the rulebook."""

from __future__ import annotations

from functools import partial

from pygame import Rect

from companion.games.clauses import Clause
from companion.games.registry import load_game
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face, playable
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.screens.tabs import build_tabs


class ClausesScreen(Screen):
    """A list of clauses, and the one that was touched."""

    name = "clauses"

    def __init__(self, app: App, before: Screen, game: str | None = None, clause: str | None = None) -> None:
        super().__init__(app)
        self._before = before
        self.game = game or playable()[0]
        self.decisions = False  # whether only decisions are listed
        self.clause = clause or next(iter(load_game(self.game).clauses))
        self.first: int | None = None  # the first clause of the page; None for the page with the chosen one

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    @property
    def listed(self) -> list[str]:
        """The clauses to choose from."""
        clauses = load_game(self.game).clauses
        return [name for name in clauses if clauses[name].decision or not self.decisions]

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Games, the list, the text."""
        gap = self.px(GAP)
        self.title, below = self.header()
        below = build_tabs(self, below, self.game, self._choose_game)
        if self.metrics.portrait:
            self.text, listing = layout.rows(below, [None, round(below.height * 0.5)], 2 * gap)
        else:
            self.text, listing = self.metrics.beside(below, self.px(300), 2 * gap)
        self._build_list(listing)

    def _build_list(self, rect: Rect) -> None:
        words, gap, step = self.app.words, self.px(6), self.px(48)
        rows, pages = layout.rows(rect, [None, step], gap)
        across = 2
        count = max(across, (rows.height + gap) // (step + gap) * across)
        listed = self.listed
        if self.first is None:
            self.first = listed.index(self.clause) // count * count if self.clause in listed else 0
        first = self.first
        cells = layout.grid(rows, across, count // across, gap)
        for name, cell in zip(listed[first : first + count], cells, strict=False):
            style = "chosen" if name == self.clause else "plain"
            short = name.partition("-")[2]
            self.button(cell, name, partial(self._choose, name), style=style, face=partial(self._paint, name, short))
        earlier, only, later = layout.columns(pages, [step, None, step], gap)
        self.button(earlier, "", partial(self._page, -count), icon="back", enabled=first > 0)
        style = "chosen" if self.decisions else "plain"
        self.button(only, words("Decisions only"), self._toggle, icon="gavel", style=style)
        self.button(later, "", partial(self._page, count), icon="forward", enabled=first + count < len(listed))

    def _paint(self, name: str, short: str, canvas: Canvas, inner: Rect) -> None:
        room = Rect(inner)
        if load_game(self.game).clauses[name].decision:
            canvas.shape("gavel", (inner.right - self.px(10), inner.centery), 18, canvas.palette.muted)
            room.width -= self.px(24)
        canvas.line(short, room, "body", bold=True)

    # -- what people do ------------------------------------------------------------------------------------------------

    def _choose_game(self, game: str) -> None:
        self.app.show(ClausesScreen(self.app, self._before, game))

    def _choose(self, clause: str) -> None:
        self.clause = clause
        self.app.rebuild()

    def _page(self, by: int) -> None:
        self.first = max(0, (self.first or 0) + by)
        self.app.rebuild()

    def _toggle(self) -> None:
        self.decisions, self.first = not self.decisions, None
        if self.clause not in self.listed:
            self.clause = self.listed[0]
        self.app.rebuild()

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The clause that is chosen."""
        words = self.app.words
        canvas.line(words("Clauses"), self.title, "title", bold=True)
        canvas.panel(self.text, canvas.palette.surface)
        clause = load_game(self.game).clauses[self.clause]
        texts = [(self.clause, True), (clause.rule.in_language(words.language), False), *self._notes(clause)]
        canvas.paragraphs(texts, self.text.inflate(-self.px(28), -self.px(20)), "lead")

    def _notes(self, clause: Clause) -> list[tuple[str, bool]]:
        """Whether it is a decision, which option changes it, where the rulebook says it."""
        words, notes = self.app.words, list[tuple[str, bool]]()
        if clause.decision:
            notes.append((words("A decision: the rulebook leaves this open."), True))
        if clause.option:
            label, _ = face(self.game).option(clause.option, words)
            notes.append((words("Option: {name}").format(name=label), False))
        if clause.source:
            notes.append((words("Rulebook: {place}").format(place=clause.source), False))
        return notes
