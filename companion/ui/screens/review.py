"""The referee's look back: a record step by step, with the picture of each moment, searched by player or clause."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from pygame import Rect

from companion.games.core import Position, View
from companion.table.errors import StoreError
from companion.table.record import Kind
from companion.table.review import Moment, moments
from companion.ui import layout, panel
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.case import CaseError, write_case
from companion.ui.drawing import Sign, site_labels
from companion.ui.events import Input, Key
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.moments import moment_text, moment_title
from companion.ui.photos import draw_picture, load_picture
from companion.ui.screen import Screen
from companion.ui.screens.board import ASKED, LAST, BoardScreen
from companion.ui.trouble import trouble_text


class ReviewScreen(BoardScreen):
    """Steps through a record; the board shows the position after the moment, or the picture of it."""

    name = "review"

    def __init__(self, app: App, model: TableModel, before: Screen) -> None:
        super().__init__(app, model)
        self._before = before
        self.state = model.state()
        self.moments: tuple[Moment, ...] = ()
        self.at = 0  # the moment that is shown
        self.player: int | None = None  # whose moments are searched for
        self.clause: str | None = None  # which clause is searched for
        self.large = False  # whether the picture stands where the board is
        self.message = ""
        self._read()
        self.at = max(0, len(self.moments) - 1)

    def enter(self) -> None:
        """Reads the record again: something may have been ruled."""
        if self.model.state() is not self.state:
            self._read()

    def _read(self) -> None:
        self.state = self.model.state()
        try:
            self.moments = moments(self.app.library.record(self.state.record))
        except (ValueError, StoreError) as error:
            self.moments, self.message = (), trouble_text(error, self.app.words)
        self.at = min(self.at, max(0, len(self.moments) - 1))

    # -- what is shown -------------------------------------------------------------------------------------------------

    @property
    def moment(self) -> Moment | None:
        """The moment that is shown; None in an empty record."""
        return self.moments[self.at] if self.moments else None

    @property
    def secret(self) -> bool:
        """Whether the moment's action must not be looked up while the game goes on."""
        moment = self.moment
        if moment is None or moment.played is None or self.state.position.over:
            return False
        return self.face.secret(moment.played.action)

    def position(self) -> Position[Any]:
        """The position after the moment."""
        return self.moment.after if self.moment else self.state.position

    def view(self) -> View:
        """What the board shows then."""
        return self.position().view()

    def signs(self) -> list[Sign]:
        """What the moment has changed, and what a verdict or a question was about."""
        moment = self.moment
        if moment is None or self.secret:
            return []
        old, new = site_labels(moment.before.view()), site_labels(moment.after.view())
        changed = [Sign(site, LAST) for site, label in new.items() if old.get(site) != label]
        asked = moment.told.get("sites", ())
        return [*changed, *(Sign(site, ASKED, None, "question") for site in asked if self.drawing.has(site))]

    def trail(self) -> tuple[str, ...]:
        """The steps of what was done at the moment."""
        moment = self.moment
        if moment is None or moment.played is None or self.secret:
            return ()
        return self.face.way(moment.before, moment.played.action)

    def _matches(self, moment: Moment) -> bool:
        return self.player in (None, moment.player) and (self.clause is None or self.clause in moment.clauses)

    # -- stepping ------------------------------------------------------------------------------------------------------

    def _next(self, direction: int) -> int | None:
        """The nearest moment in that direction that is searched for."""
        ahead = range(self.at + direction, len(self.moments) if direction > 0 else -1, direction)
        return next((k for k in ahead if self._matches(self.moments[k])), None)

    def step(self, direction: int) -> None:
        """Goes to the next moment in that direction, if there is one."""
        found = self._next(direction)
        if found is not None:
            self._show(found)

    def _far(self, direction: int) -> None:
        every = [k for k, moment in enumerate(self.moments) if self._matches(moment)]
        if every:
            self._show(every[-1 if direction > 0 else 0])

    def _show(self, number: int) -> None:
        self.at, self.message = number, ""
        self.app.rebuild()

    def _search_player(self) -> None:
        players = [None, *range(len(self.state.players))]
        self.player = players[(players.index(self.player) + 1) % len(players)]
        self._searched()

    def _search_clause(self) -> None:
        named = dict.fromkeys(name for moment in self.moments for name in moment.clauses)
        choices = [None, *sorted(named)]
        self.clause = choices[(choices.index(self.clause) + 1) % len(choices)]
        self._searched()

    def _searched(self) -> None:
        """Stays, where the moment is one of those searched for; otherwise goes to the nearest one."""
        if self.moment is not None and not self._matches(self.moment):
            near = sorted((abs(k - self.at), k) for k, moment in enumerate(self.moments) if self._matches(moment))
            if near:
                self.at = near[0][1]
        self.message = ""
        self.app.rebuild()

    def handle(self, event: Input) -> None:
        """Arrow keys step too."""
        if isinstance(event, Key) and event.name in ("left", "right"):
            self.step(1 if event.name == "right" else -1)
        else:
            super().handle(event)

    def tapped(self, site: str) -> bool:
        """Goes to the last moment up to now that has changed the site."""
        for number in range(min(self.at, len(self.moments) - 1), -1, -1):
            moment = self.moments[number]
            if site_labels(moment.before.view()).get(site) != site_labels(moment.after.view()).get(site):
                self._show(number)
                return True
        return False

    def back(self) -> None:
        """Where one came from."""
        if self.large:
            self._toggle()
        else:
            self.app.show(self._before)

    # -- what can be done ----------------------------------------------------------------------------------------------

    def _toggle(self) -> None:
        self.large = not self.large
        self.app.rebuild()

    def _rule(self) -> None:
        from companion.ui.screens.ruling import RulingScreen

        moment = self.moment
        if moment is not None and moment.played is not None:
            self.app.show(RulingScreen(self.app, self.model, self, moment.played))

    def _clauses(self) -> None:
        from companion.ui.screens.clauses import ClausesScreen

        clause = self.moment.clauses[0] if self.moment and self.moment.clauses else self.clause
        self.app.show(ClausesScreen(self.app, self, self.position().game.name, clause))

    def _export(self) -> None:
        words, moment = self.app.words, self.moment
        if moment is None:
            return
        name = f"{self.state.record}-{moment.entry.number:04d}"
        try:
            path = self.app.library.case_file(name)
            write_case(path, self.state, moment, self.moments, self.app.library.picture(moment.entry.picture), words)
            self.message = words("Written: {file}").format(file=path)
        except (StoreError, CaseError) as error:
            self.message = trouble_text(error, words)
        self.app.rebuild()

    # -- layout --------------------------------------------------------------------------------------------------------

    def panel_units(self) -> int:
        """Wide enough for sentences."""
        return 344

    def panel_height_units(self) -> int:
        """How high the panel is in portrait, in units."""
        return 440

    def build(self) -> None:
        """The moment, the picture, and buttons to step, to search and to act."""
        self.lay_out()
        gap, px = self.px(GAP), self.px
        rect = self.panel_rect
        top, card, picture, steps, search, actions = layout.rows(
            rect, [px(48), px(124), None, px(50), px(50), px(50)], gap
        )
        self.button(Rect(top.left, top.top, px(48), px(48)), "", self.back, icon="back", style="quiet")
        self.head = Rect(top.left + px(56), top.top, top.width - px(56), top.height)
        self.card, self.picture_rect = card, picture
        self.picture = load_picture(self.app.library.picture(self.moment.entry.picture if self.moment else None))
        if self.picture is not None:
            words = self.app.words
            label = words("The board") if self.large else words("The picture")
            self.button(picture, label, self._toggle, face=self._paint_picture, style="quiet")
        self._build_steps(steps)
        self._build_search(search)
        self._build_actions(actions)

    def _build_steps(self, rect: Rect) -> None:
        first, back, forth, last = layout.columns(rect, [None] * 4, self.px(6))
        earlier, later = self._next(-1) is not None, self._next(1) is not None
        self.button(first, "", partial(self._far, -1), icon="first", enabled=earlier)
        self.button(back, "", partial(self.step, -1), icon="back", enabled=earlier)
        self.button(forth, "", partial(self.step, 1), icon="forward", enabled=later)
        self.button(last, "", partial(self._far, 1), icon="last", enabled=later)

    def _build_search(self, rect: Rect) -> None:
        words = self.app.words
        left, right = layout.columns(rect, [None, None], self.px(6))
        who = words("Everybody") if self.player is None else self.state.players[self.player].name
        style = "plain" if self.player is None else "chosen"
        self.button(left, who, self._search_player, style=style, face=partial(self._paint_search, "team", who))
        what = self.clause or words("All clauses")
        style = "plain" if self.clause is None else "chosen"
        self.button(right, what, self._search_clause, style=style, face=partial(self._paint_search, "clause", what))

    def _paint_search(self, icon: str, label: str, canvas: Canvas, inner: Rect) -> None:
        canvas.shape(icon, (inner.left + self.px(12), inner.centery), 20, canvas.palette.ink)
        room = Rect(inner.left + self.px(30), inner.top, inner.width - self.px(30), inner.height)
        canvas.line(label, room, "body", name=True)

    def _build_actions(self, rect: Rect) -> None:
        words = self.app.words
        can_rule = self._still_counts() and not self.secret
        entries: list[tuple[str, str, Callable[[], None], bool]] = [
            (words("Rule"), "gavel", self._rule, can_rule),
            (words("Clauses"), "clause", self._clauses, True),
            (words("PDF"), "save", self._export, self.moment is not None and not self.secret),
        ]
        for (label, icon, press, enabled), cell in zip(
            entries, layout.columns(rect, [None] * 3, self.px(6)), strict=True
        ):
            self.button(cell, label, press, icon=icon, enabled=enabled, wide=False)

    def _still_counts(self) -> bool:
        """Whether the moment's action is in the record now, so that something can be ruled about it."""
        played = self.moment.played if self.moment else None
        counting = self.state.played
        return played is not None and played.number <= len(counting) and counting[played.number - 1] == played

    # -- painting ------------------------------------------------------------------------------------------------------

    def _paint_picture(self, canvas: Canvas, inner: Rect) -> None:
        if self.large:
            canvas.line(self.app.words("The board"), inner, "lead", align="centre")
        elif self.picture is not None:
            draw_picture(canvas, self.picture, self.picture_rect)

    def draw(self, canvas: Canvas) -> None:
        """Board or picture, and what happened."""
        if self.large and self.picture is not None:
            draw_picture(canvas, self.picture, self.board_rect)
        else:
            super().draw(canvas)
        words = self.app.words
        title = words("{n} of {all}").format(n=self.at + 1, all=len(self.moments)) if self.moments else words("Record")
        canvas.line(title, self.head, "title", bold=True)
        canvas.panel(self.card, canvas.palette.surface)
        inner = self.card.inflate(-self.px(16), -self.px(8))
        if self.message or self.moment is None:
            canvas.paragraph(self.message or words("Nothing is recorded yet."), inner, "body", middle=True)
        else:
            self._draw_moment(canvas, inner, self.moment)
        if self.picture is None:
            note = words("No picture was kept of this moment.")
            canvas.paragraph(note, self.picture_rect, "small", colour=canvas.palette.muted, align="centre", middle=True)

    def _draw_moment(self, canvas: Canvas, inner: Rect, moment: Moment) -> None:
        words, px = self.app.words, self.px
        top, middle, bottom = layout.rows(inner, [px(32), None, px(22)], 0)
        if moment.played is not None and moment.entry.kind is Kind.PLAY and not self.secret:
            panel.draw_action(canvas, top, moment.played, self.state, self.face, words)
        else:
            canvas.line(moment_title(moment, words), top, "body", bold=True)
        told = words("It stays hidden until the game is over.") if self.secret else None
        text = told or moment_text(moment, self.state, self.face, words)
        canvas.paragraph(text, middle, "body")
        canvas.line(self._source(moment), bottom, "small", colour=canvas.palette.muted)

    def _source(self, moment: Moment) -> str:
        """When, by whom, how sure."""
        words, entry = self.app.words, moment.entry
        parts = [time.strftime("%H:%M:%S", time.localtime(entry.stamp))]
        if entry.by is not None:
            parts.append(by_words(entry.by.value, words))
        if entry.confidence is not None:
            parts.append(f"{entry.confidence:.0%}".replace("%", " %"))
        if not moment.counts:
            parts.append(words("taken back"))
        return " · ".join(parts)


def by_words(by: str, words: Any) -> str:
    """Who says so, in a word or two."""
    said: dict[str, str] = {
        "camera": words("camera"),
        "inferred": words("inferred"),
        "hand": words("by hand"),
        "dice": words("dice"),
        "ruling": words("ruling"),
    }
    return said[by]
