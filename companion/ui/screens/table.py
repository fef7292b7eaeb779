"""The table: the live board, whose turn it is, scores, the last action, and everything that can be done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from pygame import Rect, Surface

from companion.games.core import CHANCE, Action, IllegalActionError, View, may_stand
from companion.games.sites import EMPTY
from companion.referee.decision import Asks, Refuses
from companion.table.errors import StoreError
from companion.table.state import By, Played, TableState
from companion.ui import layout, panel
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.drawing import Sign, site_labels
from companion.ui.entry import Entry
from companion.ui.events import Input, Key
from companion.ui.games import Piece, Site
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.photos import surface_of
from companion.ui.screens.board import ASKED, DARK_BADGE, LAST, LEGAL, WRONG, BoardScreen
from companion.ui.screens.choices import choices, lay_choices
from companion.ui.screens.desk import Desk
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
        self._sheet_room = self._under = Rect(0, 0, 0, 0)
        self._parts: dict[str, Rect] = {}
        self._read()
        self.restart()

    def _read(self) -> None:
        self.version = self.model.version
        self.state: TableState = self.model.state()
        self.minor = [self.face.minor(one.action) for one in self.state.played]
        self.last: Played | None = panel.last_action(self.state, self.minor)
        self.last_sites = self._changed_sites()
        self._way = () if self.last is None else self.face.way(self.model.before(self.last.number), self.last.action)

    def _changed_sites(self) -> tuple[str, ...]:
        if self.last is None or self.face.secret(self.last.action):
            return ()
        before = self.model.before(self.last.number)
        counting = self.last.number < len(self.state.played)
        after = self.model.before(self.last.number + 1) if counting else self.state.position
        old, new = site_labels(before.view()), site_labels(after.view())
        return tuple(site for site, label in new.items() if old.get(site, EMPTY) != label)

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

    def trail(self) -> tuple[str, ...]:
        """The steps of the last action, until the next one is begun."""
        return () if self.sheet is not None or (self.entry is not None and self.entry.begun) else self._way

    def restart(self) -> None:
        """Begins the entry anew; who has just entered something by hand will go on so."""
        position = self.state.position
        self.drawing_open = self._by_hand_before()
        actions = self.face.offered(position)
        self.entry = Entry(self.face, position, actions, onward=True) if actions and not self.state.paused else None
        self.desk = Desk(self, self.face.desk(position, self.app.words))
        self.zoom = None
        self.app.rebuild()

    def _by_hand_before(self) -> bool:
        """Whether what chance did was last entered by hand: dice, if dice are thrown now, else the last action."""
        dice = bool(self.state.position.dice)
        before = (one for one in reversed(self.state.played) if not dice or self.model.before(one.number).dice)
        last = next(before, None)
        return last is not None and last.by is By.HAND

    @property
    def waiting(self) -> bool:
        """Whether chance acts, and the companion's dice or the camera will tell what it brings."""
        position = self.state.position
        told = self.state.scene is not None or bool(position.dice)
        return position.turn == CHANCE and told and not self.drawing_open

    @property
    def hidden(self) -> bool:
        """Whether the pieces to choose from are only for the one who acts, and have not been looked at."""
        return self.entry is not None and self.entry.hidden

    @property
    def picking(self) -> bool:
        """What there is to choose from stands over the board where there is much, but not before it is asked for."""
        if self.sheet is not None or self.waiting or self.hidden or self.state.paused:
            return False
        return super().picking or bool(self.desk.shelves)

    def lit(self) -> dict[str, str]:
        """Nothing to tap while something else is to be settled."""
        return {} if self.sheet is not None or self.waiting or self.hidden else super().lit()

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
            self.result()
        self._answer_by_entry()

    def _answer_by_entry(self) -> None:
        """What has been announced by touch, such as a colour called, settles which of several things happened."""
        issue = self.state.issue
        if not isinstance(issue, Asks) or self.entry is None or not self.entry.begun:
            return
        firsts = [choice[0] for choice in issue.choices if choice]
        meant = self.entry.matching(firsts, self.face, self.state.position)
        if len(meant) == 1 and len(firsts) == len(issue.choices):
            self.attempt(self.model.answer, firsts.index(meant[0]))

    def back(self) -> None:
        """Back from what is open; else the menu."""
        if self.refused is not None:
            self.close_refusal()
        elif self.zoom is not None:
            self.whole_board()
        elif self.entry is not None and self.entry.begun:
            self.restart()
        elif self.sheet is None:
            self._menu()

    # -- commands ------------------------------------------------------------------------------------------------------

    def attempt(self, command: Any, *arguments: object) -> None:
        """Runs a command of the table; what is refused is said in a sheet. It was meant for the table as it is shown:
        where that has changed since, nothing is done.
        """
        now, words = self.model.state(), self.app.words
        if (now.position, now.issue, len(now.played)) != (
            self.state.position,
            self.state.issue,
            len(self.state.played),
        ):
            self._follow()
            return
        try:
            command(*arguments)
        except IllegalActionError as error:
            self.refuse(error)
        except (ValueError, StoreError) as error:
            self.refused = trouble_sheet(error, words, self.close_refusal)
        self._follow()

    def refuse(self, error: IllegalActionError) -> None:
        """Says by which clause an action is refused."""
        rule = partial(self._let_stand, error) if may_stand(self.state.position, error.action) else None
        self.refused = refusal_sheet(error, self.state, self.app.words, self.close_refusal, rule=rule)
        self.app.rebuild()

    def entered(self, action: Action) -> None:
        """Records what was entered by hand, and the draws after it that nobody has to tell."""
        self.attempt(self.model.enter, action)
        while self.refused is None and (hidden := self.state.position.hidden_action()) is not None:
            self.attempt(self.model.enter, hidden)
        self.restart()

    def roll(self) -> None:
        """Throws the companion's dice, and shows them."""
        from companion.ui.screens.dice import DiceScreen

        if self.state.position.dice and self.sheet is None and not self.state.paused:
            self.app.show(DiceScreen(self.app, self.model))

    def handle(self, event: Input) -> None:
        """The button at the table rolls too."""
        if isinstance(event, Key) and event.name == "roll":
            self.roll()
        else:
            super().handle(event)

    def tapped(self, site: str) -> bool:
        """A site that is not lit: the rules say why."""
        if self.sheet is not None or self.entry is None or self.waiting or self.hidden:
            return False
        action = self.face.attempt(self.state.position, self.entry.chosen, site)
        if action is not None:
            self.attempt(self.model.enter, action)
        return action is not None

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

    def result(self) -> None:
        """How the game ended."""
        from companion.ui.screens.result import ResultScreen

        self.app.show(ResultScreen(self.app, self.model))

    def toggle_draw(self) -> None:
        """What chance has done is entered by hand, or not any more."""
        self.drawing_open = not self.drawing_open
        self.app.rebuild()

    def open_hand(self) -> None:
        """Hands the screen to the one who may look."""
        from companion.ui.screens.private import PrivateScreen

        self.app.show(PrivateScreen(self.app, self))

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
        if self.desk.shelves and self.picking:
            self.desk.build(self.board_rect)
        else:
            self.build_picker()
        self.build_zoom()
        if self._shows_way_back:
            words = self.app.words("Back to the question")
            self.button(self._under, words, self._reopen, icon="question", style="chosen")
        self._build_bar(self._parts["bar"])
        self._build_choices(self._parts["strip"])

    def lay_out(self) -> None:
        """Cuts the screen into board and panel, and room under the board for what has to be said or touched there."""
        super().lay_out()
        notice = self.sheet is None and self._notice is not None
        under = self.px(64) if notice else self.px(56) if self._shows_way_back else 0
        if under:
            self.board_rect, self._under = layout.rows(self.board_rect, [None, under], self.px(GAP))

    @property
    def _notice(self) -> tuple[str, str] | None:
        """What has to be said under the board, as icon and text."""
        message = panel.notice(self.state, self.app.words)
        return message if not self.picking and self.state.issue is None else None

    @property
    def _shows_way_back(self) -> bool:
        """Whether a question was put off that can be opened again."""
        return self.sheet is None and self.state.issue is not None and not self.state.paused and not self.picking

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
            rule=self._rule,
            picture=self._seen(self.state.issue.sites),
        )

    def _seen(self, sites: Sequence[str]) -> Surface | None:
        """What the camera saw of the sites."""
        image = self.model.cut_out(sites)
        return None if image is None else surface_of(image)

    def _rule(self) -> None:
        from companion.ui.screens.ruling import RulingScreen

        self.app.show(RulingScreen(self.app, self.model, self))

    def _let_stand(self, error: IllegalActionError) -> None:
        from companion.ui.screens.ruling import RulingScreen

        self.refused = None
        self.app.show(RulingScreen(self.app, self.model, self, refused=error))

    def _panel_parts(self) -> dict[str, Rect]:
        px, players = self.px, len(self.state.players)
        room = self.panel_rect.height / self.metrics.unit
        heights = {
            "turn": px(69),
            "scores": px(panel.score_height(players, room) * players),
            "last": px(64),
            "strip": None,
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

    def _build_choices(self, room: Rect) -> None:
        """What can be chosen in the panel, from its lower end up; the strip gets what is left."""
        last = self._parts["last"]
        whole = last.union(room)
        used = lay_choices(self, whole, *choices(self), whole.height - room.height)
        if used > room.height + self.px(GAP) or (self.entry is not None and self.entry.begun):
            room.top, room.height = last.top, whole.height - used
            last.height = 0  # what is being done needs the room of what has been done
        else:
            room.height = max(0, room.height - used)

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Board, then sheet or panel."""
        super().draw(canvas)
        if self.desk.shelves and self.picking:
            self.desk.draw(canvas)
        if self.sheet is not None:
            self.sheet.draw(canvas, self.panel_rect, self._sheet_room)
            marked = [self.spot(site) for site in self.sheet.sites if self.drawing.has(site)]
            self.sheet.draw_seen(canvas, self.board_rect, marked, self.app.words("Camera view"))
            return
        words, parts = self.app.words, self._parts
        strip = parts["strip"]
        steps = self.entry.chosen if self.entry and not self.waiting else ()
        prompt = self.face.prompt(self.state.position, steps, words)
        chosen = next((step for step in reversed(steps) if isinstance(step, Piece)), None)
        panel.draw_turn(canvas, parts["turn"], self.state, prompt, words, chosen)
        panel.draw_scores(canvas, parts["scores"], self.state, self.face, words)
        if self.last is not None and parts["last"].height:
            panel.draw_last(canvas, parts["last"], self.last, self.state, self.face, words)
        drifted = words("Colours have changed: calibrate") if self.state.drifted else ""
        note = drifted or self.face.note(self.state.position, words)
        if note and strip.height >= self.px(24):
            line, strip = layout.rows(strip, [self.px(24), None], 0)
            canvas.line(note, line.inflate(-self.px(16), 0), "small", colour=canvas.palette.muted, name=True)
        panel.draw_strip(canvas, strip, self._earlier(), self.state, self.face, words)
        if self._notice is not None:
            self._draw_notice(canvas, *self._notice)

    def _earlier(self) -> list[Played]:
        """The actions of the players before the last one; before the first of them, what chance has done."""
        by_players = [one for one, minor in zip(self.state.played, self.minor, strict=True) if not minor]
        return [one for one in by_players or self.state.played if one is not self.last]

    def _draw_notice(self, canvas: Canvas, icon: str, message: str) -> None:
        card = self._under
        canvas.panel(card, canvas.palette.asked_soft, canvas.palette.asked)
        canvas.shape(icon, (card.left + self.px(26), card.centery), 30, canvas.palette.asked)
        room = Rect(card.left + self.px(50), card.top, card.width - self.px(62), card.height).inflate(0, -self.px(10))
        canvas.paragraph(message, room, "body", middle=True)
