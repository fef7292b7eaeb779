"""The touchscreen program: one window, one screen at a time, redrawn only when something has changed."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_TOUCH_MOUSE_EVENTS", "0")  # a touch is a touch, and not a mouse's click as well

import pygame
import pygame_gui

from companion.table.signals import signals
from companion.ui import preferences, text
from companion.ui.announcing import Announcer
from companion.ui.canvas import Canvas, Painted
from companion.ui.events import Input, Pointer, Touch, understood
from companion.ui.language import LANGUAGES, Words, system_language
from companion.ui.layout import Metrics
from companion.ui.lights import STEP, draw_lights, moving
from companion.ui.model import Library, TableModel
from companion.ui.palette import PALETTES
from companion.ui.preferences import Preferences
from companion.ui.screen import Screen
from companion.ui.sound import Sounds, Voice
from companion.ui.theme import widget_theme
from companion.ui.widgets import Button
from companion.vitals import Vitals
from hardware.lights import Lights, NoLights, ScreenLights, Signals

LOG = logging.getLogger(__name__)

IDLE = 0.02
"""Seconds between two looks at the queue when nothing happens. SDL's own waiting polls every millisecond where the
display driver cannot wait, which costs more than this."""

HOLD = 2.0
"""Seconds for which a finger that holds a button keeps the screen's layout as it is."""

SMALLEST = 240
"""The least width and height of a window, in pixels."""

_GUI = {Touch.DOWN: pygame.MOUSEBUTTONDOWN, Touch.UP: pygame.MOUSEBUTTONUP}


class App:
    """The running program: what all screens share. `model` is the table that is open, if any."""

    def __init__(
        self,
        library: Library,
        surface: pygame.Surface,
        *,
        language: str | None = None,
        theme: str | None = None,
        model: TableModel | None = None,
        lights: Lights | None = None,
    ) -> None:
        self.library = library
        self.model = model
        self.lights = lights or NoLights()
        self.surface = surface
        self.preferences = preferences.read(library, language=language or system_language(), theme=theme)
        self.sounds, self.voice = Sounds(False), Voice(False)
        self.announcer = Announcer(self.sounds, self.voice)
        self._adopt()
        self.running = True
        self.notes: list[Painted] | None = None
        self._lit: tuple[TableModel | None, int] = (None, -1)  # the state that the lights show
        self._lights_drawn = 0.0
        self._dirty = True
        self._stale = True  # the screen's layout has to be made anew
        self._touched = 0.0  # when a finger came down last
        self._pressed: list[Callable[[], None]] = []
        self.resized(surface)
        self.screen: Screen = self._first()

    def _first(self) -> Screen:
        from companion.ui.screens.start import StartScreen
        from companion.ui.screens.table import TableScreen

        screen = StartScreen(self) if self.model is None else TableScreen(self, self.model)
        screen.enter()
        return screen

    # -- what screens call ---------------------------------------------------------------------------------------------

    def show(self, screen: Screen) -> None:
        """Puts another screen up."""
        self.screen.leave()
        self.screen = screen
        screen.enter()
        self.rebuild()

    def rebuild(self) -> None:
        """The screen's layout has to be made anew."""
        self._stale = True

    def redraw(self) -> None:
        """Something that is painted has changed."""
        self._dirty = True

    def prefer(self, **changes: str) -> None:
        """Changes preferences, now and for the next time."""
        self.preferences = replace(self.preferences, **changes)
        preferences.keep(self.library, changes)
        self._adopt()
        self.resized(self.surface)

    def _adopt(self) -> None:
        """Makes the preferences hold."""
        chosen: Preferences = self.preferences
        self.words = Words(chosen.language)
        self.palette = PALETTES[chosen.theme]
        self.sounds.on, self.voice.on = chosen.sound == "on", chosen.speech == "on"

    def quit(self) -> None:
        """Ends the program; the record of an open game stays as it is."""
        self.running = False

    def leave_table(self) -> None:
        """Closes the table that is open."""
        if self.model is not None:
            self.model.finish()
            self.model = None

    def close(self) -> None:
        """Falls silent."""
        self.sounds.close()
        self.voice.close()

    # -- the loop ------------------------------------------------------------------------------------------------------

    def resized(self, surface: pygame.Surface) -> None:
        """The window has another size, and its widgets too; one too small for the screens stays as it was."""
        if min(surface.get_size()) < SMALLEST:
            return
        self.surface = surface
        self.metrics = Metrics(surface.get_size(), int(self.preferences.text) / 100, self.preferences.hand == "left")
        self._manager = pygame_gui.UIManager(surface.get_size(), widget_theme())
        self.rebuild()

    def run(self, max_frames: int | None = None, vitals: Vitals | None = None) -> None:
        """Runs until the program is left, or until that many rounds are done; `vitals` hears of each."""
        vitals, frames = vitals or Vitals(), 0
        while self.running and (max_frames is None or frames < max_frames):
            busy = self.round()
            if not frames:
                vitals.ready()
            vitals.beat("screen")
            vitals.feed()
            frames += 1
            if not busy:
                time.sleep(IDLE)

    def round(self) -> bool:
        """Takes all input that is there, and draws if something has changed; whether there was anything to do."""
        events = pygame.event.get()
        self._guarded(lambda: self._take(events))
        self._guarded(self._light)
        if not (self._due or self._dirty):
            return bool(events)
        self._guarded(self.paint)
        pygame.display.flip()
        return True

    def _guarded(self, work: Callable[[], None]) -> None:
        """Whatever goes wrong in a screen ends in the failsafe screen, never in the end of the program."""
        from companion.ui.screens.failsafe import FailsafeScreen

        try:
            work()
        except Exception:
            if isinstance(self.screen, FailsafeScreen) and work == self.paint:
                raise
            LOG.exception("in the screen %s", self.screen.name)
            self.screen = FailsafeScreen(self)
            self._pressed.clear()
            self.rebuild()
            self.paint()

    def _light(self) -> None:
        """Lights and sounds follow the state of the table; lights on the screen that move are drawn by themselves."""
        version = self.model.version if self.model else 0
        if (self.model, version) != self._lit:
            if self.model is not self._lit[0]:
                self.announcer.forget()
            self._lit = (self.model, version)
            state = self.model.state() if self.model else None
            self.lights.show(signals(state) if state else Signals())
            if state is not None:
                self.announcer.follow(state, self.words)
            self.redraw()
        self.sounds.rest()
        self.voice.rest()
        rect, now = self.screen.lights_rect, time.monotonic()
        if rect is not None and moving(self.lights.signals) and now - self._lights_drawn >= STEP:
            self._lights_drawn = now
            draw_lights(self._canvas(), rect, self.lights.signals, now)
            pygame.display.update(rect)

    @property
    def screen_lights(self) -> bool:
        """Whether the lights are to be drawn on the screen."""
        return isinstance(self.lights, ScreenLights)

    def _take(self, events: list[pygame.event.Event]) -> None:
        for event in events:
            if event.type == pygame.QUIT:
                self.quit()
            elif event.type == pygame.VIDEORESIZE:
                self.resized(pygame.display.get_surface() or self.surface)
            else:
                self._input(understood(event, self.metrics.size))
        self.screen.update()

    def _input(self, event: Input | None) -> None:
        if event is None:
            return
        if self._due:
            self._build()
        if not (isinstance(event, Pointer) and self._to_widgets(event)):
            self.screen.handle(event)
        while self._pressed:
            self._pressed.pop(0)()

    @property
    def _due(self) -> bool:
        """Whether the layout has to be made anew now: not while a finger holds a button, for that would be lost."""
        if not self._stale or time.monotonic() - self._touched > HOLD:
            return self._stale
        return not any(button.element is not None and button.element.held for button in self.screen.buttons)

    def _to_widgets(self, pointer: Pointer) -> bool:
        if pointer.touch not in _GUI:
            return False
        if pointer.touch is Touch.DOWN:
            self._touched = time.monotonic()
        event = pygame.event.Event(_GUI[pointer.touch], button=pygame.BUTTON_LEFT, pos=pointer.pos)
        taken: bool = self._manager.process_events(event)
        if taken:
            self.redraw()
        return taken

    def _build(self) -> None:
        self._stale = False
        self._dirty = True
        self._manager.clear_and_reset()  # type: ignore[no-untyped-call]
        self._manager.ui_group.lostsprites.clear()  # pygame_gui keeps where its widgets were, for ever
        self.screen.buttons = []
        self.screen.build()
        for button in self.screen.buttons:
            button.build(self._manager, self._on_press)

    def _on_press(self, button: Button) -> None:
        self._pressed.append(button.press)

    def paint(self) -> None:
        """Paints the whole screen."""
        if self._due:
            self._build()
        self._dirty = False
        canvas = self._canvas()
        self.surface.fill(self.palette.ground)
        self.screen.draw(canvas)
        self._manager.update(IDLE)
        self._manager.draw_ui(self.surface)
        for button in self.screen.buttons:
            button.paint(canvas)
        if self.screen.lights_rect is not None:
            draw_lights(canvas, self.screen.lights_rect, self.lights.signals, time.monotonic())

    def paint_part(self, paint: Callable[[Canvas], None], rect: pygame.Rect) -> None:
        """Paints only a part of the screen, at once, where something moves there."""
        if not (self._stale or self._dirty):
            paint(self._canvas())
            pygame.display.update(rect)

    def _canvas(self) -> Canvas:
        canvas = Canvas(self.surface, self.metrics, self.palette)
        canvas.notes = self.notes
        return canvas


def run(
    library: Library,
    *,
    size: tuple[int, int] | None = None,
    fullscreen: bool = False,
    language: str | None = None,
    theme: str | None = None,
    model: TableModel | None = None,
    lights: Lights | None = None,
    vitals: Vitals | None = None,
    max_frames: int | None = None,
) -> None:
    """Opens the touchscreen program and runs it until it is left.

    Args:
        library: games, people, settings.
        size: of the window, in pixels; in full screen without it, the size of the display.
        fullscreen: whether to fill the display.
        language: `en`, `de` or `fr`, until people choose one on the screen; without it that of the environment.
        theme: `light`, `dark` or `contrast`, until people choose one on the screen; without it the light one.
        model: a table to begin with, instead of the start screen.
        lights: what shows the table's state; `ScreenLights` are drawn beside the board.
        vitals: gets the signs of life of the screens' loop, and passes all on.
        max_frames: ends after that many rounds of the loop; for tests.

    Raises:
        ValueError: an unknown language or theme.
    """
    _check("language", language, LANGUAGES)
    _check("theme", theme, PALETTES)
    pygame.display.init()
    pygame.font.init()
    try:
        flags = pygame.FULLSCREEN if fullscreen else pygame.RESIZABLE
        surface = pygame.display.set_mode(size or ((0, 0) if fullscreen else (800, 480)), flags)
        pygame.display.set_caption("Companion")
        pygame.mouse.set_visible(not fullscreen)
        app = App(library, surface, language=language, theme=theme, model=model, lights=lights)
        app.run(max_frames, vitals)
        app.leave_table()
        app.close()
    finally:
        text.forget()
        pygame.quit()


def _check(what: str, value: str | None, known: Mapping[str, object]) -> None:
    if value is not None and value not in known:
        raise ValueError(f"there is no {what} {value!r}; there are: {', '.join(known)}")
