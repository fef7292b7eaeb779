"""The table: the live board, whose turn it is, scores, the last action, and everything that can be done."""

from __future__ import annotations

from functools import partial
from typing import Any

from pygame import Rect

from companion.games.core import CHANCE, Action, IllegalActionError, View
from companion.referee.decision import Asks, Refuses
from companion.table.errors import StoreError
from companion.table.state import By, Played, TableState
from companion.ui import layout, panel
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.drawing import Sign
from companion.ui.entry import Entry
from companion.ui.games import Piece, Site, Word
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.screens.board import ASKED, DARK_BADGE, LAST, LEGAL, WRONG, BoardScreen
from companion.ui.sheet import Sheet, issue_sheet, refusal_sheet, trouble_sheet


class TableScreen(BoardScreen):
    """The running game."""

    name = "table"

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app, model)
        self.refused: Sheet | None = None
        self.put_off: Refuses | Asks | None = None  # the issue that is open while something is entered by hand
        self.sheet: Sheet | None = None
        self.drawing_open = False  # choosing what chance did by hand, where a camera would see it too
        self._sheet_room = Rect(0, 0, 0, 0)
        self._parts: dict[str, Rect] = {}
        self._read()
        self.restart()

    def _read(self) -> None:
        self.version = self.model.version
        self.state: TableState = self.model.state()
        self.chance = [self.model.before(one.number).turn == CHANCE for one in self.state.played]
        self.last: Played | None = panel.last_action(self.state, self.chance)
        self.last_sites = self._changed_sites()

    def _changed_sites(self) -> tuple[str, ...]:
        if self.last is None:
            return ()
        before = self.model.before(self.last.number)
        old, new = before.view().sites, before.play(self.last.action).view().sites
        return tuple(site for site, label in new.items() if old.get(site) != label)

    # -- what the board shows ------------------------------------------------------------------------------------------

    def position(self) -> Any:
        """The position now."""
        return self.state.position

    def view(self) -> View:
        """The position, with what was tried against the rules, or what the camera sees but does not count yet."""
        view = super().view()
        return view._replace(sites={**view.sites, **self._tentative()})

    def _tentative(self) -> dict[str, str]:
        """Sites on which something lies that does not count, with its label."""
        if self.sheet is None:
            actions = self.state.seen
        else:
            actions = () if self.sheet.attempted is None else (self.sheet.attempted,)
        shown: dict[str, str] = {}
        for action in actions:
            steps = self.face.steps(action)
            labels = {step.kind: step.label for step in steps if isinstance(step, Piece)}
            sites = [step.name for step in steps if isinstance(step, Site)]
            shown |= {site: labels[kind] for site in sites for kind in [site.partition(":")[0]] if kind in labels}
        return shown

    def signs(self) -> list[Sign]:
        """The last action, what can be tapped, and what is wrong or in question."""
        if self.sheet is not None:
            line, badge = (WRONG, "cross") if self.sheet.wrong else (ASKED, "question")
            return [Sign(site, line, None, badge, DARK_BADGE) for site in self.sheet.sites]
        advice = [Sign(site, ASKED, None, "alert", DARK_BADGE) for site, _ in self.state.advice]
        lasting = [Sign(site, LAST) for site in self.last_sites]
        return [*lasting, *advice, *super().signs(), *(Sign(site, LEGAL) for site in self._tentative())]

    def restart(self) -> None:
        """Begins the entry anew; who has just entered something by hand will go on so."""
        played = self.state.played
        self.drawing_open = bool(played) and played[-1].by is By.HAND
        actions = self.state.position.legal_actions()
        self.entry = Entry(self.face, actions) if actions and not self.state.paused else None
        self.app.rebuild()

    @property
    def picking(self) -> bool:
        """The tiles of the bag stand over the board when no camera sees the draw, or when asked for."""
        waiting = self.state.position.turn == CHANCE and self.state.scene is not None and not self.drawing_open
        return super().picking and not waiting and self.sheet is None

    # -- life ----------------------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Takes over a new state of the table; the end of the game shows the result."""
        if self.model.version == self.version:
            return
        self._follow()

    def _follow(self) -> None:
        """Takes over the state: what is being entered stays while the position does; at the end the result comes up."""
        before = self.state
        self._read()
        self.app.rebuild()
        if (self.state.position, self.state.paused) != (before.position, before.paused):
            self.restart()
        if self.state.position.over and not before.position.over:
            self._result()

    def back(self) -> None:
        """Back from what is open; else the menu."""
        if self.refused is not None:
            self.close_refusal()
        elif self.entry is not None and self.entry.chosen:
            self.restart()
        elif self.sheet is None:
            self._menu()

    # -- commands ------------------------------------------------------------------------------------------------------

    def attempt(self, command: Any, *arguments: object) -> None:
        """Runs a command of the table; what is refused is said in a sheet."""
        words = self.app.words
        try:
            command(*arguments)
        except IllegalActionError as error:
            self.refused = refusal_sheet(error, self.state, words, self.close_refusal)
        except (ValueError, StoreError) as error:
            self.refused = trouble_sheet(str(error), words, self.close_refusal)
        self._follow()

    def entered(self, action: Action) -> None:
        """Records what was entered by hand."""
        self.attempt(self.model.enter, action)

    def tapped(self, site: str) -> None:
        """A site that is not lit: the rules say why."""
        if self.sheet is not None or self.entry is None or not self.entry.chosen:
            return
        action = self.face.attempt(self.state.position, self.entry.chosen, site)
        if action is not None:
            self.attempt(self.model.enter, action)

    def close_refusal(self) -> None:
        """The refusal has been read."""
        self.refused = None
        self.app.rebuild()

    def _by_hand(self) -> None:
        """The issue waits while people enter what happened."""
        self.put_off = self.state.issue
        self.app.rebuild()

    def _reopen(self) -> None:
        self.put_off = None
        self.app.rebuild()

    def _correct(self) -> None:
        from companion.ui.screens.correct import CorrectScreen

        self.app.show(CorrectScreen(self.app, self.model))

    def _menu(self) -> None:
        from companion.ui.screens.menu import MenuScreen

        self.app.show(MenuScreen(self.app, self.model))

    def _result(self) -> None:
        from companion.ui.screens.result import ResultScreen

        self.app.show(ResultScreen(self.app, self.model))

    def _toggle_draw(self) -> None:
        self.drawing_open = not self.drawing_open
        self.app.rebuild()

    # -- layout --------------------------------------------------------------------------------------------------------

    def panel_units(self) -> int:
        """Wider when something has to be settled."""
        return 348 if self.sheet else super().panel_units()

    def build(self) -> None:
        """Board and panel, or board and sheet."""
        self.sheet = self.refused or self._issue()
        self.lay_out()
        if self.sheet is not None:
            self._sheet_room = self.sheet.build(self, self.panel_rect, self.state, self.face)
            return
        self._parts = self._panel_parts()
        self.build_picker()
        if self.state.issue is not None and not self.state.paused and not self.picking:
            rect = Rect(self.board_rect.left, self.board_rect.bottom - self.px(56), self.board_rect.width, self.px(56))
            self.button(rect, self.app.words("Back to the question"), self._reopen, icon="question", style="chosen")
        self._build_bar(self._parts["bar"])
        self._build_hand(self._parts["hand"])

    def _issue(self) -> Sheet | None:
        if self.state.issue is None or self.state.paused or self.state.issue == self.put_off:
            return None
        return issue_sheet(
            self.state,
            self.face,
            self.app.words,
            look=lambda: self.attempt(self.model.look_again),
            trust=lambda: self.attempt(self.model.trust),
            put_back=lambda: self.attempt(self.model.answer, None),
            choose=lambda k: self.attempt(self.model.answer, k),
            by_hand=self._by_hand,
        )

    def _panel_parts(self) -> dict[str, Rect]:
        px, players = self.px, len(self.state.players)
        room = self.panel_rect.height / self.metrics.unit
        heights = {
            "turn": px(66),
            "scores": px(panel.score_height(players, room) * players),
            "last": px(62),
            "strip": None,
            "hand": px(60),
            "bar": px(58),
        }
        return dict(zip(heights, layout.rows(self.panel_rect, list(heights.values()), px(GAP)), strict=True))

    def _build_bar(self, rect: Rect) -> None:
        words, gap = self.app.words, self.px(GAP)
        if self.state.paused:
            self.button(
                rect, words("Go on"), lambda: self.attempt(self.model.resume), icon="play", style="primary", size="lead"
            )
            return
        first, second, third = layout.columns(rect, [None] * 3, gap)
        can_undo = bool(self.state.played)
        self.button(
            first, words("Undo"), lambda: self.attempt(self.model.undo), icon="undo", enabled=can_undo, wide=False
        )
        self.button(second, words("Correct"), self._correct, icon="edit", enabled=can_undo, wide=False)
        self.button(third, words("Menu"), self._menu, icon="menu", wide=False)

    def _build_hand(self, rect: Rect) -> None:
        words, position = self.app.words, self.state.position
        if position.over:
            self.button(rect, words("Result"), self._result, icon="cup", style="primary", size="lead")
        if self.entry is None:
            return
        if position.turn == CHANCE:
            if self.state.scene is not None:
                label = words("The camera will see it") if self.picking else words("Enter the tile by hand")
                self.button(rect, label, self._toggle_draw, icon="look" if self.picking else "hand")
            return
        turning = bool(self.entry.chosen) and bool(self.entry.pieces) and not self.picking
        options = self.entry.pieces if turning else self.face.pieces(position, panel.actor(position) or 0)
        self._build_words(turning)
        gap = self.px(GAP)
        count = max(4, len(options))
        playable = {*self.entry.options, *self.entry.chosen, *Entry(self.face, position.legal_actions()).pieces}
        for cell, what in zip(layout.columns(rect, [None] * count, gap), options, strict=False):
            self.piece_button(cell, what, what in playable)

    def _build_words(self, turning: bool) -> None:
        """Buttons for words and for the way back, where the strip is."""
        if self.entry is None:
            return
        words, strip = self.app.words, self._parts["strip"]
        steps: list[tuple[str, Any, str | None]] = [
            (self.face.word(word.key, words), partial(self.choose, word), _icon(word))
            for word in (() if self.entry.chosen else self.entry.words)
        ]
        if self.entry.chosen:
            steps.append((words("Another one"), self.restart, "back"))
        height = self.px(50)
        for k, (label, press, icon) in enumerate(reversed(steps)):
            bottom = strip.bottom - k * (height + self.px(6))
            self.button(Rect(strip.left, bottom - height, strip.width, height), label, press, icon=icon)
        strip.height = max(0, strip.height - len(steps) * (height + self.px(6)))

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Board, then sheet or panel."""
        super().draw(canvas)
        if self.sheet is not None:
            self.sheet.draw(canvas, self.panel_rect, self._sheet_room)
            return
        words, parts = self.app.words, self._parts
        prompt = self.face.prompt(self.state.position, self.entry.chosen if self.entry else (), words)
        panel.draw_turn(canvas, parts["turn"], self.state, prompt, words)
        panel.draw_scores(canvas, parts["scores"], self.state, self.face)
        if self.last is not None:
            who = self.state.players[self.last.player] if self.last.player is not None else None
            panel.draw_last(canvas, parts["last"], self.last, who, self.state.position.game, self.face, words)
        panel.draw_strip(canvas, parts["strip"], self._earlier(), self.state, self.face, words)
        message = panel.notice(self.state, words)
        if message is not None and not self.picking and self.state.issue is None:
            self._draw_notice(canvas, *message)

    def _earlier(self) -> list[Played]:
        """The actions of the players before the last one; before the first of them, what chance has done."""
        by_players = [one for one, chance in zip(self.state.played, self.chance, strict=True) if not chance]
        return [one for one in by_players or self.state.played if one is not self.last]

    def _draw_notice(self, canvas: Canvas, icon: str, message: str) -> None:
        board = self.board_rect
        card = Rect(board.left, board.bottom - self.px(64), board.width, self.px(64))
        canvas.panel(card, canvas.palette.asked_soft, canvas.palette.asked)
        canvas.shape(icon, (card.left + self.px(26), card.centery), 30, canvas.palette.asked)
        room = Rect(card.left + self.px(50), card.top, card.width - self.px(62), card.height).inflate(0, -self.px(10))
        canvas.paragraph(message, room, "body", middle=True)


def _icon(word: Word) -> str | None:
    return {"swap": "swap", "pass": "skip"}.get(word.key)
