"""Players: who takes part, where they sit around the board, and the game's options in plain words."""

from __future__ import annotations

from functools import partial
from math import cos, radians, sin

from pygame import Rect

from companion.games.core import Option, SetupError
from companion.games.registry import load_game
from companion.table.errors import StoreError
from companion.table.seating import directions, seated
from companion.table.state import Player
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face
from companion.ui.layout import GAP, TARGET
from companion.ui.parts import board_drawing, draw_symbol
from companion.ui.screen import Screen
from companion.ui.screens.sets import SetsScreen, set_name
from companion.ui.trouble import trouble_text
from companion.ui.widgets import Paint


class PlayersScreen(Screen):
    """Who plays."""

    name = "players"

    def __init__(self, app: App, game: str) -> None:
        super().__init__(app)
        self.game = load_game(game)
        self.face = face(game)
        self.names = self._remembered()
        self.options: dict[str, object] = {}
        self.message = ""

    def _remembered(self) -> list[str]:
        count = min(self.game.player_counts)
        try:
            known = list(self.app.library.names())[:count]
        except StoreError:
            known = []
        while len(known) < count:
            known.append(self._fresh(known))
        return known

    def _fresh(self, names: list[str]) -> str:
        """A name that nobody has yet."""
        numbers = range(len(names) + 1, len(names) + 99)
        offered = (self.app.words("Player {n}").format(n=number) for number in numbers)
        return next(name for name in offered if name not in names)

    @property
    def players(self) -> tuple[Player, ...]:
        """The players as they sit."""
        return seated(self.game, self.names)

    @property
    def usable(self) -> tuple[Option, ...]:
        """The options from which that many players can choose."""
        return tuple(option for option in self.game.options_for(len(self.names)) if len(self.values(option)) > 1)

    def values(self, option: Option) -> tuple[bool | int | str, ...]:
        """The values of an option that are possible with that many players, the usual one first."""
        return tuple(value for value in option.values if self._possible({option.name: value}))

    def _possible(self, options: dict[str, object]) -> bool:
        try:
            self.game.new(len(self.names), options)
        except SetupError:
            return False
        return True

    def back(self) -> None:
        """The start."""
        from companion.ui.screens.start import StartScreen

        self.app.show(StartScreen(self.app))

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Rows of players beside the board with the seats; options; begin."""
        gap = self.px(GAP)
        self.title, below = self.header()
        upper, bottom = layout.rows(below, [None, self.px(64)], gap)
        if self.metrics.portrait:
            self.board, rows = layout.rows(upper, [None, self.px(410)], gap)
        else:
            rows, self.board = layout.columns(upper, [None, round(below.width * 0.46)], 2 * gap)
        lines = layout.rows(rows, [self.px(52)] * 4 + [None], gap)
        self._build_players(lines[:4])
        self._build_options(lines[4])
        self._build_begin(bottom)
        if len(self.app.library.sets.names(self.game.name)) > 1:
            self._build_set()

    def _build_players(self, lines: list[Rect]) -> None:
        """A row each: the name to change, an arrow to sit one place earlier, a cross to leave."""
        words, target, gap = self.app.words, self.px(TARGET + 4), self.px(6)
        removable = len(self.names) > min(self.game.player_counts)
        for k, (player, line) in enumerate(zip(self.players, lines, strict=False)):
            name, up, remove = layout.columns(line, [None, target, target if removable else 0], gap)
            self.button(name, player.name, partial(self._rename, k), face=self._player_face(player))
            if k:
                self.button(up, "", partial(self._earlier, k), icon="up", style="quiet")
            if removable:
                self.button(remove, "", partial(self._remove, k), icon="cross", style="quiet")
        if len(self.names) < min(len(lines), max(self.game.player_counts)):
            self.button(lines[len(self.names)], words("Another player"), self._add, icon="plus", style="quiet")

    def _build_set(self) -> None:
        """Which set lies on the table, where there are several."""
        words, gap = self.app.words, self.px(GAP)
        self.title, rect = layout.columns(self.title, [None, self.px(230)], gap)
        name = set_name(self.app.library.sets.chosen(self.game.name), words)
        self.button(rect, name, self._open_sets, icon="swap")

    def _open_sets(self) -> None:
        self.app.show(SetsScreen(self.app, self, self.game.name))

    def _player_face(self, player: Player) -> Paint:
        def show(canvas: Canvas, inner: Rect) -> None:
            draw_symbol(canvas, player, (inner.left + canvas.px(20), inner.centery), 32)
            room = Rect(inner.left + canvas.px(50), inner.top, inner.width - canvas.px(84), inner.height)
            canvas.line(player.name, room, "lead", bold=True, name=True)
            canvas.shape("edit", (inner.right - canvas.px(14), inner.centery), 18, canvas.palette.muted)

        return show

    def _build_options(self, room: Rect) -> None:
        """A single option that is on or off; of more, what is chosen, and the way to the choice."""
        usable, words = self.usable, self.app.words
        if not usable:
            return
        height = min(room.height, self.px(84))
        room = Rect(room.left, room.bottom - height, room.width, height)
        if len(usable) == 1 and self.values(usable[0]) == (False, True):
            name = usable[0].name
            on = bool(self.options.get(name, False))
            label, explanation = self.face.option(name, words)
            style = "chosen" if on else "plain"
            toggle = partial(self.choose, name, not on)
            self.button(room, label, toggle, style=style, face=_option_face(on, label, explanation))
        else:
            face = partial(self._paint_options, usable)
            self.button(room, words("Options"), self._open_options, face=face)

    def _paint_options(self, usable: tuple[Option, ...], canvas: Canvas, inner: Rect) -> None:
        """What is chosen of each option; `as in the rulebook` where nothing was changed."""
        px, words = canvas.px, self.app.words
        canvas.shape("settings", (inner.left + px(16), inner.centery), 26, canvas.palette.ink)
        room = Rect(inner.left + px(42), inner.centery - px(28), inner.width - px(46), px(62))
        top, below = layout.rows(room, [px(26), None], 0)
        canvas.line(words("Options"), top, "body", bold=True)
        changed = [option for option in usable if self.chosen(option) != self.values(option)[0]]
        texts = [f"{self.face.option(one.name, words)[0]}: {self.value_text(one)}" for one in changed]
        canvas.paragraph(", ".join(texts) or words("As in the rulebook"), below, "small", colour=canvas.palette.muted)

    def chosen(self, option: Option) -> object:
        """The value of an option that is chosen now."""
        return self.options.get(option.name, self.values(option)[0])

    def value_text(self, option: Option, value: object = None) -> str:
        """A value of an option in words; the chosen one where none is given."""
        return self.face.value(option.name, self.chosen(option) if value is None else value, self.app.words)

    def _build_begin(self, rect: Rect) -> None:
        words = self.app.words
        same = len({name.casefold() for name in self.names}) < len(self.names)
        if same:
            self.message = words("Two players have the same name.")
        self.message_rect, button = layout.columns(rect, [None, self.px(300)], self.px(GAP))
        self.button(button, words("Begin"), self._begin, icon="play", style="primary", size="title", enabled=not same)

    # -- what people do ------------------------------------------------------------------------------------------------

    def _add(self) -> None:
        known = [name for name in self.app.library.names() if name not in self.names]
        self.names.append(known[0] if known else self._fresh(self.names))
        self._changed()

    def _remove(self, k: int) -> None:
        del self.names[k]
        self._changed()

    def _rename(self, k: int) -> None:
        from companion.ui.screens.naming import NameScreen

        taken = [name for other, name in enumerate(self.names) if other != k]
        self.app.show(NameScreen(self.app, self, taken, partial(self.rename, k)))

    def rename(self, k: int, name: str) -> None:
        """Player `k` has that name."""
        self.names[k] = name
        self._changed()

    def _earlier(self, k: int) -> None:
        """Player `k` and the one before change places."""
        self.names[k - 1 : k + 1] = self.names[k], self.names[k - 1]
        self._changed()

    def _open_options(self) -> None:
        from companion.ui.screens.options import OptionsScreen

        self.app.show(OptionsScreen(self.app, self))

    def choose(self, name: str, value: object) -> None:
        """An option gets that value."""
        self.options[name] = value
        self._changed()

    def _changed(self) -> None:
        self.message = ""
        self.options = {name: value for name, value in self.options.items() if self._possible({name: value})}
        self.app.rebuild()

    def _begin(self) -> None:
        from companion.ui.screens.table import TableScreen

        try:
            self.app.model = self.app.library.new_game(self.game.name, self.players, self.options)
        except (ValueError, StoreError) as error:
            self.message = trouble_text(error, self.app.words)
            self.app.redraw()
            return
        self.app.show(TableScreen(self.app, self.app.model))

    # -- painting ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """The title, and the board with everybody around it."""
        words = self.app.words
        canvas.line(words("Who plays?"), self.title, "title", bold=True)
        self._draw_seats(canvas)
        clockwise = words("The order of play is clockwise around the table.")
        against = words("The order of play is counter-clockwise around the table.")
        line = self.message or (clockwise if self.game.clockwise else against)
        colour = canvas.palette.wrong if self.message else canvas.palette.muted
        canvas.paragraph(line, self.message_rect, "small", colour=colour, middle=True)

    def _draw_seats(self, canvas: Canvas) -> None:
        """The board from above, and everybody where they sit, with their place in the order of play."""
        px, places = canvas.px, directions(self.game, len(self.names))
        across, down = self.board.width / 2 - px(50), self.board.height / 2 - px(34)
        side = round(min(2 * across - px(104), 2 * down - px(74)))
        board = Rect(0, 0, side, side)
        board.center = self.board.center
        drawing = board_drawing(self.game, board.size, canvas.palette.line)
        first = self.game.new(len(self.names))
        canvas.picture(drawing.picture(first.view(), (), self.face.overlay(first, ())), board.topleft)
        for number, player in enumerate(self.players, start=1):
            turn = radians(places[player.seat])
            edge = max(abs(sin(turn)), abs(cos(turn)))  # on a rectangle around the board, not a circle
            x = round(self.board.centerx + across * sin(turn) / edge)
            y = round(self.board.centery - down * cos(turn) / edge)
            draw_symbol(canvas, player, (x, y - px(10)), 36)
            name = Rect(0, 0, px(98), px(26))
            name.center = (x, y + px(20))
            canvas.line(f"{number}. {player.name}", name, "small", align="centre", name=True)


def _option_face(on: bool, label: str, explanation: str) -> Paint:
    """A box with a check mark, the option's name, what it means."""

    def show(canvas: Canvas, inner: Rect) -> None:
        px, palette = canvas.px, canvas.palette
        box = Rect(inner.left + px(4), inner.centery - px(15), px(30), px(30))
        canvas.panel(box, palette.accent if on else palette.ground, palette.muted, 6)
        if on:
            canvas.shape("check", box.center, 22, palette.on_accent)
        room = Rect(box.right + px(12), inner.top, inner.right - box.right - px(12), inner.height)
        top, below = layout.rows(room, [px(25), None], 0)
        canvas.line(label, top, "body", bold=True)
        canvas.paragraph(explanation, below, "small", colour=palette.muted)

    return show
