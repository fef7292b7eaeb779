"""The companion's dice: a short tumble, then the faces and what they allow."""

from __future__ import annotations

import time
from functools import lru_cache
from math import pi, sin
from typing import Any

import pygame
from pygame import Rect

from companion.games.core import Game, IllegalActionError
from companion.table.errors import StoreError
from companion.table.state import Played
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.drawing import piece
from companion.ui.events import Input, Key
from companion.ui.games import face
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.parts import draw_symbol
from companion.ui.screen import Screen
from companion.ui.trouble import trouble_text

LEANING = (17, 72, -31)
"""The angles at which a die lies while it tumbles, in degrees."""

TUMBLE = 0.9
"""Seconds that the dice tumble."""

HOP = 22
"""How high the dice hop at first, in units."""

TURNS = 12
"""So often the faces change meanwhile, ever more slowly."""


class DiceScreen(Screen):
    """Throws the dice that are due. The roll is recorded before it is shown; the tumble only delays its sight."""

    name = "dice"

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app)
        self.model = model
        self.trouble = ""
        self.thrown: Played | None = None
        self._started = 0.0
        self._shown = -1  # the step of the tumble that is painted
        self._cells: list[Rect] = []
        self._throw()

    def _throw(self) -> None:
        before = self.model.state().position
        self.player = before.concerns
        self.dice = before.dice
        try:
            self.model.roll()
        except (ValueError, StoreError, IllegalActionError) as error:
            self.trouble = trouble_text(error, self.app.words)
            return
        self.thrown = self.model.state().played[-1]
        self.faces = self.model.rolls()[-1].faces
        self._started = time.monotonic()

    @property
    def tumbling(self) -> bool:
        """Whether the faces are not yet to be seen."""
        return self.thrown is not None and time.monotonic() - self._started < TUMBLE

    def hurry(self, seconds: float) -> None:
        """As if so much of the tumble were over already."""
        self._started -= seconds
        self.app.rebuild()

    def back(self) -> None:
        """The table; while they tumble, the dice come to rest at once."""
        if self.tumbling:
            self.hurry(TUMBLE)
            return
        from companion.ui.screens.table import TableScreen

        self.app.show(TableScreen(self.app, self.model))

    def handle(self, event: Input) -> None:
        """The button at the table goes on too."""
        if isinstance(event, Key) and event.name in ("roll", "ok"):
            self._on()
        else:
            super().handle(event)

    def _on(self) -> None:
        """Rolls again where dice are due again, else back to the table."""
        if self.tumbling:
            self.back()
        elif self.thrown is not None and self.model.state().position.dice:
            self._throw()
            self._shown = -1
            self.app.rebuild()
        else:
            self.back()

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """The dice, what they allow, and the way on."""
        words, gap = self.app.words, self.px(GAP)
        self.title, below = self.header()
        table, self.text, bar = layout.rows(below, [None, self.px(104), self.px(64)], gap)
        self._lay_dice(table)
        rolls, on = layout.columns(bar, [None, None], gap)
        self.button(rolls, words("All rolls"), self._rolls, icon="track", size="lead", enabled=not self.tumbling)
        again = self.thrown is not None and bool(self.model.state().position.dice)
        label = words("Roll again") if again and self._same() else words("Roll") if again else words("Go on")
        icon = "dice" if again else "check"
        self.button(on, label, self._on, icon=icon, style="primary", size="lead", enabled=not self.tumbling)

    def _same(self) -> bool:
        return self.model.state().position.concerns == self.player

    def _lay_dice(self, room: Rect) -> None:
        count = len(self.dice)
        side = min(room.height - self.px(16), (room.width - self.px(32) * (count + 1)) // max(1, count))
        gap = (room.width - count * side) // (count + 1)
        self._cells = [
            Rect(room.left + gap + k * (side + gap), room.centery - side // 2, side, side) for k in range(count)
        ]

    def _rolls(self) -> None:
        from companion.ui.screens.rolls import RollsScreen

        self.app.show(RollsScreen(self.app, self.model))

    # -- painting ------------------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Turns the dice; only they are painted while they tumble."""
        if self.thrown is None or self._shown == TURNS:
            return
        part = min(1.0, (time.monotonic() - self._started) / TUMBLE)
        step = min(TURNS, int(TURNS * (1 - (1 - part) ** 1.7)))
        if part >= 1.0:
            self._shown = TURNS
            self.app.rebuild()
        elif self._cells:
            self._shown = step
            self.app.paint_part(self._paint_dice, self._around())

    def _around(self) -> Rect:
        """Where the dice move."""
        first = self._cells[0].unionall(self._cells[1:])
        return first.inflate(2 * self.px(HOP), 2 * self.px(HOP)).clip(self.metrics.screen)

    def _paint_dice(self, canvas: Canvas) -> None:
        if not self._cells:
            return
        canvas.surface.fill(canvas.palette.ground, self._around())
        part = min(1.0, (time.monotonic() - self._started) / TUMBLE)
        resting = part >= 1.0
        for k, (cell, die) in enumerate(zip(self._cells, self.dice, strict=True)):
            if resting:
                picture = self._picture(str(self.faces[k]), cell.width, 0)
            else:
                shown = str(die[(self._shown * (k + 2) + k) % len(die)])
                picture = self._picture(shown, cell.width, (self._shown * (1 + k)) % 3 + 1)
            hop = round(self.px(HOP) * (1 - part) * abs(sin(pi * (5 * part + k / 3))))
            where = (cell.centerx - picture.get_width() // 2, cell.centery - picture.get_height() // 2 - hop)
            canvas.picture(picture, where)

    def _picture(self, label: str, side: int, lean: int) -> pygame.Surface:
        """A face, at rest or leaning to one of three sides; each is made once."""
        return _leaning(self.model.state().position.game, label, side)[lean]

    def draw(self, canvas: Canvas) -> None:
        """Who rolls, the dice, and what they mean."""
        state = self.model.state()
        if self.player is not None:
            who = state.players[self.player]
            draw_symbol(canvas, who, (self.title.left + self.px(18), self.title.centery), 34)
            room = Rect(
                self.title.left + self.px(44), self.title.top, self.title.width - self.px(44), self.title.height
            )
            canvas.line(who.name, room, "title", bold=True, name=True)
        if self.trouble:
            canvas.paragraph(self.trouble, self.text, "lead", colour=canvas.palette.wrong)
            return
        for cell in self._cells if self.tumbling else ():
            for label in {str(one) for die in self.dice for one in die}:
                self._picture(label, cell.width, 0)
        self._paint_dice(canvas)
        if not self.tumbling and self.thrown is not None:
            self._draw_meaning(canvas)

    def _draw_meaning(self, canvas: Canvas) -> None:
        words, state = self.app.words, self.model.state()
        canvas.panel(self.text, canvas.palette.surface)
        inner = self.text.inflate(-self.px(24), -self.px(12))
        assert self.thrown is not None
        look = face(state.position.game.name)
        names = [player.name for player in state.players]
        telling = look.telling(self.thrown, state.position.game, names, words)
        meaning = look.meaning(self.thrown.action, state.position, words)
        canvas.paragraphs([(telling, True), *((line, False) for line in meaning)], inner, "lead")


@lru_cache(maxsize=64)
def _leaning(game: Game[Any, Any], label: str, side: int) -> tuple[pygame.Surface, ...]:
    """A face, upright and leaning to three sides; kept for the next roll."""
    upright = piece(game, "die", label, side)
    small = pygame.transform.smoothscale_by(upright, 0.8)
    return (upright, *(pygame.transform.rotate(small, angle) for angle in LEANING))
