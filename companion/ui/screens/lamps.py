"""Lights and buttons: which LED glows where, and what each button is pressed for."""

from __future__ import annotations

from functools import partial

from pygame import Rect

from calibration.leds import STATUS, Asking, ButtonOrder, LedsError
from companion.table.workshop import Workshop
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.events import Input, Key
from companion.ui.language import marked
from companion.ui.layout import GAP
from companion.ui.screen import Screen
from companion.ui.screens.keeping import KeepingScreen

MEANINGS = {
    "ok": marked("Press the button that confirms."),
    "roll": marked("Press the button that rolls the dice."),
    "back": marked("Press the button that goes back."),
}
"""What is asked for each thing that a button can be pressed for."""


class LampsScreen(KeepingScreen):
    """Asks for one LED after the other, then for one button after the other."""

    name = "lamps"

    def __init__(self, app: App, before: Screen) -> None:
        super().__init__(app, before)
        workshop = app.library.workshop
        self._seats = workshop.seats if workshop is not None and app.lights.name == "gpio" else 0
        self._names = workshop.buttons if workshop is not None else ()
        self.asking: Asking | None = None
        self.buttons_found: dict[str, str] = {}

    def enter(self) -> None:
        """The first LED glows."""
        if self._seats and self.asking is None:
            self.asking = Asking(self.app.lights, self._seats)

    def leave(self) -> None:
        """The lights go out."""
        if self.asking is not None:
            self.asking.close()

    @property
    def led(self) -> int | None:
        """The LED that glows and has not been found yet."""
        return self.asking.led if self.asking is not None else None

    @property
    def wanted(self) -> str | None:
        """What the next button is pressed for; None once all are known."""
        known = self.buttons_found.values()
        return next((name for name in self._names if name not in known), None) if self.led is None else None

    def build(self) -> None:
        """Places to choose from, then the buttons' turn, then the end."""
        words, gap = self.app.words, self.px(GAP)
        self.title, below = self.header()
        self.text, places, bottom = layout.rows(below, [None, self.px(136), self.px(60)], gap)
        if self.led is not None and self.asking is not None:
            self._build_places(self.asking, places)
        left, right = layout.columns(bottom, [None, None], gap)
        started = bool(self.buttons_found or (self.asking is not None and self.asking.places))
        self.button(left, words("Begin anew"), self._anew, icon="undo", enabled=started)
        ready = started and self.led is None and self.wanted is None and not self.kept
        self.button(right, words("Keep it"), self._keep, icon="save", style="primary", size="lead", enabled=ready)

    def _build_places(self, asking: Asking, rect: Rect) -> None:
        words = self.app.words
        labels = {
            place: words("Status") if place == STATUS else words("Seat {n}").format(n=place) for place in asking.allowed
        }
        labels |= {"": words("Nowhere")}
        across = -(-len(labels) // 2)
        for (place, label), cell in zip(labels.items(), layout.grid(rect, across, 2, self.px(GAP)), strict=False):
            self.button(cell, label, partial(self._answer, place), enabled=place not in asking.places)

    # -- what people do ------------------------------------------------------------------------------------------------

    def _answer(self, place: str) -> None:
        assert self.asking is not None
        self.message = ""
        try:
            self.asking.answer(place)
        except LedsError:
            self.message = self.app.words("Check its wires and its pins in the configuration, then begin anew.")
        self.app.rebuild()

    def handle(self, event: Input) -> None:
        """A button at the table has been pressed: that was asked for."""
        if isinstance(event, Key) and event.button and self.wanted is not None:
            if event.button not in self.buttons_found:
                self.buttons_found[event.button] = self.wanted
            self.app.rebuild()
        else:
            super().handle(event)

    def _anew(self) -> None:
        self.buttons_found, self.kept, self.message = {}, False, ""
        self.asking = Asking(self.app.lights, self._seats) if self._seats else None
        self.app.rebuild()

    def _keep(self) -> None:
        workshop = self.app.library.workshop
        if workshop is not None:
            self.keep(partial(self._store, workshop))

    def _store(self, workshop: Workshop) -> None:
        if self.asking is not None:
            workshop.keep_leds(self.asking.order)
        if self.buttons_found:
            workshop.keep_buttons(ButtonOrder(dict(self.buttons_found)))

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """What is asked now."""
        words = self.app.words
        canvas.line(words("Lights and buttons"), self.title, "title", bold=True)
        texts = [(self._asked(), True)]
        if self.message:
            texts.append((self.message, False))
        canvas.paragraphs(texts, self.text, "title")

    def _asked(self) -> str:
        words = self.app.words
        if self.kept:
            return words("Kept. It holds from the next start on.")
        if self.led is not None:
            return words("LED {n} glows white now. Where is it?").format(n=self.led + 1)
        if self.wanted is not None:
            return words(MEANINGS[self.wanted])
        if self.asking is None and not self._names:
            return words("No LEDs and no buttons are connected.")
        return words("All are found.")
