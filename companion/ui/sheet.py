"""The sheet for what has to be settled: a verdict with its clause, or a question, and what to do now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from typing import TYPE_CHECKING

from pygame import Rect, Surface

from companion.games.core import Action, IllegalActionError, Refusal
from companion.referee.decision import Asks, Refuses
from companion.table.state import TableState
from companion.ui import layout, text
from companion.ui.canvas import Canvas
from companion.ui.games import Face, Site
from companion.ui.language import Words, marked
from companion.ui.layout import GAP, TARGET
from companion.ui.parts import draw_piece
from companion.ui.photos import draw_picture, inside
from companion.ui.trouble import trouble_text

if TYPE_CHECKING:
    from companion.ui.screen import Screen

QUESTIONS = {
    "which": marked("What happened here?"),
    "unclear": marked("Something cannot be recognised here. What lies there?"),
    "differs": marked("The table differs from the record here. Please put it right, or say what happened."),
    "told": marked("Something happened that the camera cannot see. What was it?"),
    "undone": marked("This was taken back, but it still lies on the table. Please remove it."),
}
"""What a question's `key` says."""

OTHER = marked("The board and the record do not agree.")

FEW = 2
"""By so many actions a choice is told."""

ROWS = 3
"""So many choices stand one under the other; more are two in a row."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A way to answer: a big button."""

    label: str
    press: Callable[[], None]
    icon: str | None = None
    style: str = "plain"
    action: Action | None = None


INSET = 0.36
"""The side of the picture of what was seen, as part of the board's."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is said, where, and which answers there are. `picture` is what the camera saw of the sites."""

    title: str
    text: str
    advice: str
    sites: tuple[str, ...]
    wrong: bool
    rows: tuple[tuple[Answer, ...], ...]  # the answers, line by line
    attempted: Action | None = None  # what is shown on the board as it was tried
    picture: Surface | None = None

    def build(self, screen: Screen, rect: Rect, state: TableState, face: Face) -> Rect:
        """Makes the answers' buttons at the bottom of the rectangle; the room left over them."""
        height, gap = screen.px(52), screen.px(GAP)
        inner = rect.inflate(-2 * screen.px(12), -2 * screen.px(12))
        rows = self.rows
        tall = len(rows) * (height + gap) - gap
        room = Rect(inner.left, inner.bottom - tall, inner.width, tall)
        for answers, line in zip(rows, layout.rows(room, [None] * len(rows), gap), strict=True):
            for answer, cell in zip(answers, _cells(screen, answers, line), strict=True):
                show = _face(answer, state, face, screen.app.words) if answer.action is not None else None
                screen.button(cell, answer.label, answer.press, icon=answer.icon, style=answer.style, face=show)
        return Rect(inner.left, inner.top, inner.width, room.top - inner.top - gap)

    def draw(self, canvas: Canvas, rect: Rect, room: Rect) -> None:
        """Paints the card and what is said."""
        palette, px = canvas.palette, canvas.px
        ground, ink = (palette.wrong_soft, palette.wrong) if self.wrong else (palette.asked_soft, palette.asked)
        on_ink = palette.on_wrong if self.wrong else palette.on_asked
        canvas.panel(rect, ground, ink, corner=12)
        top = Rect(room.left, room.top, room.width, px(44))
        canvas.shape("circle", (top.left + px(18), top.centery), 38, ink)
        canvas.shape("cross" if self.wrong else "question", (top.left + px(18), top.centery), 20, on_ink)
        canvas.line(self.title, Rect(top.left + px(46), top.top, top.width - px(46), top.height), "title", bold=True)
        rest = Rect(room.left, top.bottom + px(6), room.width, room.bottom - top.bottom - px(6))
        canvas.paragraphs([(self.text, False), (self.advice, True)], rest, "lead")

    def draw_seen(self, canvas: Canvas, board: Rect, marked: Sequence[tuple[float, float]], caption: str) -> None:
        """Paints what was seen into the corner of the board that is farthest from the marked places (pixels)."""
        if self.picture is None:
            return
        px = canvas.px
        side = round(min(board.size) * INSET)
        size = inside(self.picture.get_size(), Rect(0, 0, side, side)).size
        frame = Rect(0, 0, size[0] + 2 * px(4), size[1] + px(4 + 26))
        frame.topleft = _farthest_corner(frame.size, board, marked)
        ink = canvas.palette.wrong if self.wrong else canvas.palette.asked
        canvas.panel(frame, canvas.palette.surface, ink, corner=6)
        draw_picture(canvas, self.picture, Rect(frame.left + px(4), frame.top + px(4), *size))
        label = Rect(frame.left + px(4), frame.bottom - px(26), size[0], px(24))
        canvas.line(caption, label, "small", align="centre")


def _farthest_corner(size: tuple[int, int], board: Rect, marked: Sequence[tuple[float, float]]) -> tuple[int, int]:
    corners = [(x, y) for y in (board.top, board.bottom - size[1]) for x in (board.left, board.right - size[0])]

    def distance(corner: tuple[int, int]) -> float:
        x, y = corner[0] + size[0] / 2, corner[1] + size[1] / 2
        return min((hypot(x - at[0], y - at[1]) for at in marked), default=0.0)

    return max(corners, key=distance)


def _cells(screen: Screen, answers: tuple[Answer, ...], line: Rect) -> list[Rect]:
    """The answers' places in a line: each as wide as its label in two lines asks for, and the rest shared out."""
    gap = screen.px(GAP)
    size, icon, margin = screen.px(text.SIZES["body"]), screen.px(34), screen.px(18)
    wanted = [_width_in_two(answer.label, size) + (icon if answer.icon else 0) + margin for answer in answers]
    free = line.width - gap * (len(answers) - 1)
    spare = (free - sum(wanted)) / len(answers)
    return layout.columns(line, [*(max(screen.px(TARGET), width + spare) for width in wanted[:-1]), None], gap)


def _width_in_two(label: str, size: int) -> int:
    """The least width in pixels in which the label takes no more than two lines."""
    spaces = [k for k, letter in enumerate(label) if letter == " "]
    cuts = [max(text.width(label[:k], size), text.width(label[k + 1 :], size)) for k in spaces]
    return min(cuts, default=text.width(label, size))


def _face(answer: Answer, state: TableState, face: Face, words: Words) -> Callable[[Canvas, Rect], None]:
    what, _ = face.asked(answer.action, words)

    def show(canvas: Canvas, inner: Rect) -> None:
        left = inner.left
        if what is not None:
            side = min(inner.height, canvas.px(44))
            draw_piece(canvas, state.position.game, what, Rect(left, inner.centery - side // 2, side, side))
            left += side + canvas.px(8)
        room = Rect(left, inner.top, inner.right - left, inner.height)
        canvas.paragraph(answer.label, room, "body", middle=True)

    return show


def issue_sheet(
    state: TableState,
    face: Face,
    words: Words,
    *,
    look: Callable[[], None],
    trust: Callable[[], None],
    put_back: Callable[[], None],
    choose: Callable[[int], None],
    by_hand: Callable[[], None],
    rule: Callable[[], None],
    picture: Surface | None = None,
) -> Sheet:
    """The sheet for the table's open issue."""
    issue = state.issue
    again = Answer(words("I don't know, look again"), look, "look")
    back = words("We put it back")
    enter = Answer(words("Enter by hand"), by_hand, "hand")
    if isinstance(issue, Refuses):
        return Sheet(
            words("Not allowed"),
            clause_text(issue.judgement.refusal, state, words),
            words("Put it back as it was, then touch the button."),
            issue.sites,
            True,
            (
                (Answer(back, put_back, "check", "primary"), again),
                (enter, Answer(words("Rule otherwise"), rule, "gavel")),
            ),
            issue.judgement.action,
            picture,
        )
    assert isinstance(issue, Asks)
    told = told_apart(issue.choices)
    choices = tuple(
        Answer(label, partial(choose, k), action=actions[0])
        for k, (actions, label) in enumerate(zip(told, choice_texts(told, face, words), strict=True))
    )
    put = Answer(back, put_back, "check", "plain" if choices else "primary")
    right = Answer(words("The record is right"), trust, "book")
    nothing = words("Nothing counts until the board and the record agree.")
    across = 1 if len(choices) <= ROWS else 2
    lines = tuple(choices[k : k + across] for k in range(0, len(choices), across))
    return Sheet(
        words("A question"),
        words(QUESTIONS.get(issue.key, OTHER)),
        words("Which is right?") if choices else nothing,
        issue.sites,
        False,
        (*lines, (put, right), (enter, again)),
        picture=picture,
    )


def clause_text(refusal: Refusal, state: TableState, words: Words) -> str:
    """The clause in plain words, with the players' names."""
    names = [player.name for player in state.players]
    return state.position.game.clauses.text(refusal, words.language, names)


def refusal_sheet(
    error: IllegalActionError,
    state: TableState,
    words: Words,
    close: Callable[[], None],
    message: str = "",
    rule: Callable[[], None] | None = None,
) -> Sheet:
    """The sheet for an action entered by hand that the rules refuse; `rule` where it may stand nevertheless."""
    text = clause_text(error.refusal, state, words)
    answers: tuple[tuple[Answer, ...], ...] = ((Answer(words("All right"), close, "check", "primary"),),)
    if rule is not None:
        answers = (*answers, (Answer(words("Rule otherwise"), rule, "gavel"),))
    return Sheet(words("Not allowed"), text, message, error.refusal.sites, True, answers, error.action)


def trouble_sheet(error: Exception, words: Words, close: Callable[[], None]) -> Sheet:
    """The sheet for anything else that cannot be done."""
    answers = ((Answer(words("All right"), close, "check", "primary"),),)
    return Sheet(words("That did not work"), trouble_text(error, words), "", (), True, answers)


def told_apart(choices: Sequence[tuple[Action, ...]]) -> list[tuple[Action, ...]]:
    """The actions by which each choice is told: a few, from where not all choices are alike; where some still are, the
    first of these, and a few from where those are not.
    """
    if len(choices) < 2:
        return [choice[:FEW] for choice in choices]
    last = min(map(len, choices)) - 1
    begin = next((k for k in range(last) if len({choice[k] for choice in choices}) > 1), last)
    told = [choice[begin : begin + FEW] for choice in choices]
    for few, count in Counter(told).items() if len(set(choices)) > 1 else ():
        alike = [k for k, one in enumerate(told) if one == few] if count > 1 else []
        parts = told_apart([choices[k] for k in alike])
        short = len({part[:1] for part in parts}) == len(parts)
        for k, part in zip(alike, parts, strict=True):
            told[k] = (*few[:1], *(part[:1] if short else part))
    return told


def choice_texts(choices: Sequence[tuple[Action, ...]], face: Face, words: Words) -> list[str]:
    """Each choice in a few words; where several actions are the same at other places, as in other orders, these alone
    are named.
    """
    every = [action for actions in choices for action in actions]
    alike = len({face.asked(action, words)[1] for action in every}) == 1 and all(
        _fields(one, face, words) for one in every
    )
    if alike and max(map(len, choices)) > 1:
        return ["; ".join(field for one in actions for field in _fields(one, face, words)) for actions in choices]
    return [choice_text(actions, face, words) for actions in choices]


def choice_text(actions: tuple[Action, ...], face: Face, words: Words) -> str:
    """Actions in a few words, with the fields that they are about; a word is not said twice in a row."""
    parts, before = [], ""
    for action in actions:
        _, word = face.asked(action, words)
        fields = _fields(action, face, words)
        parts.append(", ".join(fields if fields and word == before else [word, *fields]))
        before = word
    return "; ".join(parts)


def _fields(action: Action, face: Face, words: Words) -> list[str]:
    """The fields that an action is about."""
    sites = (step.name.partition(":")[2] for step in face.steps(action) if isinstance(step, Site))
    return [words("field {n}").format(n=site) for site in sites]
