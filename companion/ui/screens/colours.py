"""The set's colours, from a picture of the empty board and one of pieces laid out as shown: made into a set file."""

from __future__ import annotations

from functools import partial
from typing import Any

from pygame import Rect

from calibration.colours import ColoursError
from calibration.works import ColoursWork
from companion.games.core import Game, View
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.language import marked
from companion.ui.layout import GAP
from companion.ui.parts import board_drawing
from companion.ui.screen import Screen
from companion.ui.screens.bench import BenchScreen
from companion.vision.geometry.lens import Lens

REFUSED = {
    "white": marked("The white of the corner cards is not seen, by which colours are judged."),
    "other": marked("Another colour is seen than should be there. Do the pieces lie as shown, in even light?"),
    "nothing": marked("No colour is seen. Is the whole board in the picture?"),
    "": marked("The board is not found. Are its corner cards in the picture?"),
}
"""What is wrong with a picture, by the reason why it is refused."""


class ColoursScreen(BenchScreen):
    """Three steps: the empty board, the pieces, what was learned."""

    name = "colours"

    def __init__(self, app: App, before: Screen, game: Game[Any, Any], work: ColoursWork | None = None) -> None:
        workshop = app.library.workshop
        self.work = work or ColoursWork(game, workshop.lens if workshop else Lens.nominal)
        super().__init__(app, before, self.work, game.name)
        self._state: tuple[object, ...] = ()

    def follow(self) -> None:
        """A picture was taken."""
        state = self.work.stage, self.work.busy, self.work.error
        if state != self._state:
            self._state = state
            self.app.rebuild()

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """What to lay out, the picture, and what can be done."""
        words, gap, work = self.app.words, self.px(GAP), self.work
        self.lay_out()
        self.facts, *lines = layout.rows(self.panel, [None, self.px(60), self.px(60)], gap)
        self.button(lines[0], words("Begin anew"), self._anew, icon="undo", enabled=work.stage != "empty")
        if work.stage == "learned":
            ready = not self.kept
            self.button(lines[1], words("Use this set"), self._keep, icon="save", style="primary", enabled=ready)
        else:
            ready = self.image is not None and not work.busy
            label = words("Take the picture")
            self.button(lines[1], label, self._take, icon="look", style="primary", enabled=ready)

    def update(self) -> None:
        """Shows new pictures; with the first one, one can be taken."""
        before = self._seen
        super().update()
        if not before and self._seen:
            self.app.rebuild()

    def _take(self) -> None:
        self.work.take()
        self.app.rebuild()

    def _anew(self) -> None:
        self.work.anew()
        self.kept, self.message = False, ""
        self.app.rebuild()

    def _keep(self) -> None:
        workshop, learned = self.app.library.workshop, self.work.learned
        if workshop is not None and learned is not None:
            self.keep(partial(workshop.keep_colours, self.work.game.name, learned))

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The board as it should lie, the picture of the camera, or the colours that were learned."""
        words, stage = self.app.words, self.work.stage
        canvas.line(words("The set's colours"), self.title, "title", bold=True)
        texts = self.facts
        if stage == "empty":
            self.draw_camera(canvas, self.main, self.image)
        elif stage == "laid":
            self._draw_arrangement(canvas)
            seen, texts = layout.rows(self.facts, [round(self.facts.height * 0.42), None], self.px(GAP))
            self.draw_camera(canvas, seen, self.image)
        else:
            self._draw_learned(canvas)
        canvas.paragraphs(self._told(), texts, "body")

    def _told(self) -> list[tuple[str, bool]]:
        words, work = self.app.words, self.work
        if work.error is not None:
            reason = work.error.reason if isinstance(work.error, ColoursError) else ""
            return [(words(REFUSED[reason]), True), (words("Put it right, and take it again."), False)]
        if work.busy:
            return [(words("One moment …"), True)]
        if work.stage == "empty":
            return [
                (words("1. Clear the board"), True),
                (words("Leave only the corner cards, keep your hands away, and take the picture."), False),
            ]
        if work.stage == "laid":
            return [
                (words("2. Lay the pieces as shown"), True),
                (words("Then keep your hands away, and take the picture."), False),
            ]
        return self._outcome()

    def _outcome(self) -> list[tuple[str, bool]]:
        words, learned = self.app.words, self.work.learned
        assert learned is not None
        told = [(words("{n} colours learned").format(n=len(learned.colours)), True)]
        if learned.alike:
            told.append((words("Some look much alike in this light; more light helps."), False))
        if self.kept:
            told.append((words("New games are played with this set."), True))
        return [*told, (self.message, True)]

    def _draw_arrangement(self, canvas: Canvas) -> None:
        drawing = board_drawing(self.work.game, self.main.size, canvas.palette.line)
        canvas.picture(drawing.picture(View(dict(self.work.labels))), self.main.topleft)

    def _draw_learned(self, canvas: Canvas) -> None:
        """Pairs of colours: as the set file had them, and as they are."""
        learned = self.work.learned
        assert learned is not None
        pairs, px = sorted(learned.colours.items()), self.px
        across = 2
        down = -(-len(pairs) // across)
        for (old, new), cell in zip(pairs, layout.grid(self.main, across, down, px(10)), strict=False):
            left, right = layout.columns(cell.inflate(-px(8), 0), [None, None], px(26))
            canvas.panel(left, old, canvas.palette.muted, corner=6)
            canvas.panel(right, new, canvas.palette.muted, corner=6)
            arrow = Rect(left.right, cell.top, right.left - left.right, cell.height)
            canvas.shape("forward", arrow.center, 18, canvas.palette.ink)
