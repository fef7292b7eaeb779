"""A ruling: what a referee decides about an action, with a reason, kept in the record with who and when."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pygame import Rect

from companion.games.core import IllegalActionError, Judgement, may_stand
from companion.referee.decision import Refuses
from companion.table.errors import StoreError
from companion.table.state import Played
from companion.ui import layout, panel
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face
from companion.ui.language import Words, marked
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.screen import Screen
from companion.ui.screens.naming import NameScreen
from companion.ui.screens.typing import TypingScreen
from companion.ui.sheet import choice_text, clause_text
from companion.ui.trouble import trouble_text

REASONS = (
    marked("All agree"),
    marked("Nobody was harmed by it"),
    marked("It was noticed too late"),
    marked("An honest mistake"),
    marked("The rules are unclear here"),
    marked("The camera was wrong"),
)


class ReasonScreen(TypingScreen):
    """Why it is ruled so."""

    name = "reason"
    title = marked("Why?")
    hint = marked("Touch a reason above, or type one")


class RulingScreen(Screen):
    """Rules about the verdict that is open, or about an action of the record."""

    name = "ruling"

    def __init__(
        self,
        app: App,
        model: TableModel,
        before: Screen,
        played: Played | None = None,
        refused: IllegalActionError | None = None,
    ) -> None:
        super().__init__(app)
        self.model, self._before, self.played = model, before, played
        self.state = model.state()
        self.judgement = None if played is not None else self._judgement(refused)
        self.stands: bool | None = None
        self.reason = ""
        self.who = app.library.setting("referee") or ""
        self.message = ""
        self._labels: list[tuple[str, Rect]] = []

    def back(self) -> None:
        """Where one came from."""
        self.app.show(self._before)

    def _judgement(self, refused: IllegalActionError | None) -> Judgement | None:
        """What was refused as it was entered, or the verdict that is open."""
        if refused is not None:
            return Judgement(refused.refusal, refused.action)
        issue = self.state.issue
        return issue.judgement if isinstance(issue, Refuses) else None

    @property
    def can_stand(self) -> bool:
        """Whether the game could go on after the action."""
        if self.played is not None:
            return True
        action = self.judgement.action if self.judgement else None
        return action is not None and may_stand(self.state.position, action)

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """What it is about, the decision, the reason, who rules."""
        words, gap = self.app.words, self.px(GAP)
        self._labels = []
        self.title, below = self.header()
        about, decision, reason, who, bottom = layout.rows(
            below, [None, self.px(64), self.px(58), self.px(58), self.px(60)], gap
        )
        self.about = about.inflate(0, -self.px(GAP))
        left, right = layout.columns(decision, [None, None], gap)
        self._choice(left, words("It is taken back"), False, True)
        self._choice(right, words("It stands"), True, self.can_stand)
        self._field(reason, words("Reason"), self.reason, self._ask_reason)
        self._field(who, words("Ruled by"), self.who, self._ask_who)
        ready = self.stands is not None and bool(self.reason and self.who)
        self.message_rect, button = layout.columns(bottom, [None, self.px(280)], gap)
        self.button(
            button, words("Enter the ruling"), self._rule, icon="gavel", style="primary", size="lead", enabled=ready
        )

    def _choice(self, rect: Rect, label: str, stands: bool, enabled: bool) -> None:
        on = self.stands is stands
        style = "chosen" if on else "plain"
        icon = "check" if on else ("undo" if not stands else "book")
        self.button(rect, label, partial(self._decide, stands), icon=icon, style=style, size="lead", enabled=enabled)

    def _field(self, row: Rect, label: str, value: str, press: Callable[[], None]) -> None:
        head, cell = layout.columns(row, [self.px(150), None], self.px(GAP))

        def show(canvas: Canvas, inner: Rect) -> None:
            colour = canvas.palette.ink if value else canvas.palette.muted
            text = value or self.app.words("Touch to say")
            canvas.paragraph(text, inner, "body", bold=bool(value), colour=colour, middle=True)

        self._labels.append((label, head))
        self.button(cell, label, press, face=show)

    # -- what people do ------------------------------------------------------------------------------------------------

    def _decide(self, stands: bool) -> None:
        self.stands = stands
        self.app.rebuild()

    def _ask_reason(self) -> None:
        words = self.app.words
        self.app.show(ReasonScreen(self.app, self, [words(text) for text in REASONS], self._because))

    def _because(self, reason: str) -> None:
        self.reason = reason

    def _ask_who(self) -> None:
        self.app.show(NameScreen(self.app, self, (), self._by))

    def _by(self, name: str) -> None:
        self.who = name

    def _rule(self) -> None:
        words = self.app.words
        try:
            self.model.rule(self.who, self._text(words), **self._effect())  # type: ignore[arg-type]
        except (ValueError, StoreError) as error:
            self.message = trouble_text(error, words)
            self.app.rebuild()
        else:
            self.app.library.set_setting("referee", self.who)
            self.back()

    def _effect(self) -> dict[str, object]:
        if self.played is not None:
            return {} if self.stands else {"back_to": self.played.number}
        action = self.judgement.action if self.judgement else None
        return {"stands": action} if self.stands else {}

    def _text(self, words: Words) -> str:
        """The ruling as it stands in the record: what about, which clause, the decision and the reason."""
        decision = words("It stands") if self.stands else words("It is taken back")
        if self.played is not None:
            about = f"{self.played.number}. {self.played.action}"
        elif self.judgement is not None:
            refusal, action = self.judgement
            about = " ".join(filter(None, (refusal.clause, str(action) if action else "")))
        else:
            about = ""
        return ": ".join(filter(None, (about, f"{decision}. {self.reason}")))

    def _about(self, judgement: Judgement, words: Words) -> list[tuple[str, bool]]:
        """The clause in plain words, and what would count if it stands; whether bold."""
        refusal, action = judgement
        texts = [(refusal.clause, True), (clause_text(refusal, self.state, words), False)]
        if not self.can_stand:
            texts.append((words("The game could not go on from there; it can only be taken back."), False))
        elif action is not None:
            what = choice_text((action,), face(self.state.position.game.name), words)
            texts.append((words("If it stands, this counts: {what}").format(what=what), False))
        return texts

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """What the ruling is about, and what the fields are."""
        words, px = self.app.words, self.px
        canvas.line(words("A ruling"), self.title, "title", bold=True)
        canvas.panel(self.about, canvas.palette.surface)
        inner = self.about.inflate(-px(24), -px(12))
        if self.played is not None:
            panel.draw_action(canvas, inner, self.played, self.state, face(self.state.position.game.name), words)
        elif self.judgement is not None:
            canvas.paragraphs(self._about(self.judgement, words), inner, "body")
        for label, rect in self._labels:
            canvas.paragraph(label, rect, "body", bold=True, middle=True)
        if self.message:
            canvas.paragraph(self.message, self.message_rect, "small", colour=canvas.palette.wrong, middle=True)
