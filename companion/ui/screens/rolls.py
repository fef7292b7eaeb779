"""All rolls of the companion's dice: how they have fallen, and how anybody can check that none was picked."""

from __future__ import annotations

from pygame import Rect

from companion.table.dice import DiceError, Evenness, Statistics, check, statistics
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import Piece
from companion.ui.language import Words, marked
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.parts import draw_piece
from companion.ui.screen import Screen

EVENNESS = {
    Evenness.TOO_FEW: marked("too few rolls to tell"),
    Evenness.EVEN: marked("as even as dice are"),
    Evenness.UNUSUAL: marked("unusual, but one die in twenty does that"),
    Evenness.STRANGE: marked("hardly by chance"),
    Evenness.TOO_EVEN: marked("more even than dice are"),
}


class RollsScreen(Screen):
    """Statistics, the commitment, and once the game is over the seed."""

    name = "rolls"

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app)
        self.model = model
        self.rolls = tuple(model.rolls())
        self.statistics = statistics(self.rolls)[:3]
        self.verdict = ""

    def back(self) -> None:
        """The table."""
        from companion.ui.screens.table import TableScreen

        self.app.show(TableScreen(self.app, self.model))

    def build(self) -> None:
        """Bars by face; under them commitment and seed."""
        self.title, below = self.header()
        state, gap = self.model.state(), self.px(GAP)
        self.bars, self.proof = layout.rows(below, [None, self.px(232 if self.metrics.portrait else 150)], gap)
        if state.seed is not None and state.commitment is not None:
            inner = self.proof.inflate(-self.px(20), -self.px(16))
            rect = Rect(inner.right - self.px(150), inner.bottom - self.px(50), self.px(150), self.px(50))
            self.button(rect, self.app.words("Check"), self._check, icon="check", style="primary")

    def _check(self) -> None:
        """Follows the chain of hashes from the seed through all rolls."""
        state, words = self.model.state(), self.app.words
        try:
            check(state.commitment or "", state.seed or "", self.rolls)
        except DiceError as error:
            self.verdict = str(error)
        else:
            self.verdict = words("Checked: every roll follows from the seed, and the seed is the one promised.")
        self.app.redraw()

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """How often each face has fallen; the proof."""
        words = self.app.words
        heading = words.plural("{n} roll", "{n} rolls", len(self.rolls))
        canvas.line(heading, self.title, "title", bold=True)
        if not self.rolls:
            canvas.paragraph(words("Nothing has been rolled yet."), self.bars, "lead")
        rows = layout.rows(self.bars, [None] * max(1, len(self.statistics)), self.px(GAP))
        for row, one in zip(rows, self.statistics, strict=False):
            self._draw_statistics(canvas, row, one, words)
        self._draw_proof(canvas, words)

    def _draw_statistics(self, canvas: Canvas, rect: Rect, one: Statistics, words: Words) -> None:
        px, palette = canvas.px, canvas.palette
        canvas.panel(rect, palette.surface)
        inner = rect.inflate(-px(16), -px(10))
        note, chart = layout.rows(inner, [px(24), None], 0)
        canvas.line(words(EVENNESS[one.evenness]), note, "small", colour=palette.muted)
        most = max(*one.counts.values(), 1)
        for cell, (face, count) in zip(
            layout.columns(chart, [None] * len(one.counts), px(8)), one.counts.items(), strict=True
        ):
            bar, foot = layout.rows(cell, [None, min(px(38), round(chart.height * 0.45))], px(2))
            number, room = layout.rows(bar, [px(22), None], 0)
            height = round(room.height * count / most)
            if height:
                canvas.surface.fill(palette.accent, Rect(cell.centerx - px(13), room.bottom - height, px(26), height))
            canvas.line(str(count), number.move(0, room.height - height), "small", bold=True, align="centre")
            draw_piece(canvas, self.model.state().position.game, Piece("die", str(face)), foot)

    def _draw_proof(self, canvas: Canvas, words: Words) -> None:
        state, px = self.model.state(), canvas.px
        canvas.panel(self.proof, canvas.palette.soft)
        inner = self.proof.inflate(-px(20), -px(16))
        if state.commitment is None:
            canvas.paragraph(words("The companion's dice have not been used in this game."), inner, "body")
            return
        told = [(words("Promised before the first roll:") + " " + _spaced(state.commitment), False)]
        if state.seed is None:
            told.append(
                (
                    words("At the end the seed is shown, from which every roll follows. Write this down to check it."),
                    False,
                )
            )
        else:
            inner.width -= px(160)
            told.append((words("Seed:") + " " + _spaced(state.seed), False))
            told.append((self.verdict, True))
        canvas.paragraphs(told, inner, "small")


def _spaced(digits: str) -> str:
    """Hexadecimal digits in groups of eight, for people to compare."""
    return " ".join(digits[k : k + 8] for k in range(0, len(digits), 8))
