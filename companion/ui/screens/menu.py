"""The menu of the table: pause, score track, settings, leave."""

from __future__ import annotations

from collections.abc import Callable

from pygame import Rect

from companion.table.errors import StoreError
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.screen import Screen
from companion.ui.trouble import trouble_text


class MenuScreen(Screen):
    """What is not needed at every turn."""

    name = "menu"

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app)
        self.model = model
        self.message = ""
        self.sure = False  # whether giving up has been asked for once

    def back(self) -> None:
        """The table."""
        from companion.ui.screens.table import TableScreen

        self.app.show(TableScreen(self.app, self.model))

    def build(self) -> None:
        """A big button for each thing."""
        words, gap, state = self.app.words, self.px(GAP), self.model.state()
        self.title, below = self.header()
        entries: list[tuple[str, str, str, Callable[[], None]]] = []
        if face(state.position.game.name).pegs(state.position):
            entries.append(
                (words("Score track"), words("All counters, to compare with the board"), "track", self._track)
            )
        if state.commitment is not None:
            note = words("How the dice have fallen, and their promise")
            entries.append((words("All rolls"), note, "dice", self._rolls))
        if state.paused:
            entries.append((words("Go on"), words("The camera watches again"), "play", self._pause))
        elif not state.position.over:
            entries.append((words("Pause"), words("The camera does not watch"), "pause", self._pause))
        entries += [
            (words("Referee"), words("Look back, rule, read clauses"), "gavel", self._review),
            (words("Settings"), words("Language, colours, size, sound"), "settings", self._settings),
            (words("Leave the table"), words("The game is kept; go on with it later"), "quit", self._leave),
        ]
        if not state.position.over:
            label = words("Touch again to give up") if self.sure else words("Give up the game")
            entries.append((label, words("It ends without a result"), "cross", self._give_up))
        across = 1 if self.metrics.portrait else 2
        down = -(-len(entries) // across)
        area = Rect(below.left, below.top + gap, below.width, min(below.height - gap, self.px(118) * down))
        for cell, (label, note, icon, press) in zip(layout.grid(area, across, down, 2 * gap), entries, strict=False):
            self.button(cell, label, press, face=entry_face(label, note, icon))

    def _track(self) -> None:
        from companion.ui.screens.track import TrackScreen

        self.app.show(TrackScreen(self.app, self.model))

    def _rolls(self) -> None:
        from companion.ui.screens.rolls import RollsScreen

        self.app.show(RollsScreen(self.app, self.model))

    def _review(self) -> None:
        from companion.ui.screens.review import ReviewScreen

        self.app.show(ReviewScreen(self.app, self.model, self))

    def _settings(self) -> None:
        from companion.ui.screens.settings import SettingsScreen

        self.app.show(SettingsScreen(self.app, self))

    def _pause(self) -> None:
        try:
            if self.model.state().paused:
                self.model.resume()
            else:
                self.model.pause()
        except (ValueError, StoreError) as error:
            self.message = trouble_text(error, self.app.words)
            self.app.redraw()
            return
        self.back()

    def _give_up(self) -> None:
        """The first touch asks, the second one does it."""
        if not self.sure:
            self.sure = True
            self.app.rebuild()
            return
        try:
            self.model.give_up()
        except (ValueError, StoreError) as error:
            self.message = trouble_text(error, self.app.words)
            self.app.redraw()
            return
        self._leave()

    def _leave(self) -> None:
        from companion.ui.screens.start import StartScreen

        self.app.leave_table()
        self.app.show(StartScreen(self.app))

    def draw(self, canvas: Canvas) -> None:
        """The title."""
        canvas.line(self.message or self.app.words("Menu"), self.title, "title", bold=True)


def entry_face(label: str, note: str, icon: str) -> Callable[[Canvas, Rect], None]:
    """A big button with an icon, what it does, and a note."""

    def show(canvas: Canvas, inner: Rect) -> None:
        px = canvas.px
        canvas.shape(icon, (inner.left + px(30), inner.centery), 34, canvas.palette.accent)
        room = Rect(inner.left + px(68), inner.centery - px(32), inner.width - px(72), px(64))
        top, bottom = layout.rows(room, [px(34), None], 0)
        canvas.line(label, top, "lead", bold=True)
        canvas.line(note, bottom, "small", colour=canvas.palette.muted)

    return show
