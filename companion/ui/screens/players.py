"""Players: who takes part, where they sit around the board, and the game's options in plain words."""

from __future__ import annotations

from functools import partial

from pygame import Rect

from companion.games.core import SetupError
from companion.games.registry import load_game
from companion.table.errors import StoreError
from companion.table.state import Player
from companion.ui import layout
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import face
from companion.ui.layout import GAP, TARGET
from companion.ui.parts import board_drawing, draw_symbol
from companion.ui.screen import Screen
from companion.ui.shapes import SYMBOLS
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
        colours = self.game.seat_colours
        return tuple(Player(name, k, colours[k], SYMBOLS[k]) for k, name in enumerate(self.names))

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
        self.option_rect = lines[4]
        self._build_options()
        self._build_begin(bottom)

    def _build_players(self, lines: list[Rect]) -> None:
        words, target, gap = self.app.words, self.px(TARGET + 8), self.px(GAP)
        for k, (player, line) in enumerate(zip(self.players, lines, strict=False)):
            name, remove = layout.columns(line, [None, target], gap)
            if len(self.names) > min(self.game.player_counts):
                self.button(remove, "", partial(self._remove, k), icon="cross", style="quiet")
            else:
                name = line
            self.button(name, player.name, partial(self._rename, k), face=self._player_face(player))
        if len(self.names) < min(len(lines), max(self.game.player_counts)):
            self.button(lines[len(self.names)], words("Another player"), self._add, icon="plus", style="quiet")

    def _player_face(self, player: Player) -> Paint:
        def show(canvas: Canvas, inner: Rect) -> None:
            draw_symbol(canvas, player, (inner.left + canvas.px(20), inner.centery), 32)
            room = Rect(inner.left + canvas.px(50), inner.top, inner.width - canvas.px(84), inner.height)
            canvas.line(player.name, room, "lead", bold=True, name=True)
            canvas.shape("edit", (inner.right - canvas.px(14), inner.centery), 18, canvas.palette.muted)

        return show

    def _build_options(self) -> None:
        words = self.app.words
        usable = [option for option in self.game.options if self._possible(option.name)]
        self.option_rect.height = min(self.option_rect.height, self.px(84) * max(1, len(usable)))
        for option, line in zip(usable, layout.rows(self.option_rect, [None] * max(1, len(usable)), 0), strict=False):
            on = self.options.get(option.name, option.values[0]) != option.values[0]
            label, explanation = self.face.option(option.name, words)
            style = "chosen" if on else "plain"
            paint = _option_face(on, label, explanation)
            self.button(line, label, partial(self._toggle, option.name), style=style, face=paint)

    def _possible(self, option: str) -> bool:
        """Whether so many players can choose the option at all."""
        values = next(o.values for o in self.game.options if o.name == option)
        for value in values[1:]:
            try:
                self.game.new(len(self.names), {option: value})
            except SetupError:
                continue
            return True
        return False

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

    def _toggle(self, name: str) -> None:
        option = next(option for option in self.game.options if option.name == name)
        values = option.values
        now = self.options.get(name, values[0])
        self.options[name] = values[(values.index(now) + 1) % len(values)]
        self._changed()

    def _changed(self) -> None:
        self.message = ""
        self.options = {name: value for name, value in self.options.items() if self._possible(name)}
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
        line = self.message or words("The order of play is clockwise around the table.")
        colour = canvas.palette.wrong if self.message else canvas.palette.muted
        canvas.paragraph(line, self.message_rect, "small", colour=colour, middle=True)

    def _draw_seats(self, canvas: Canvas) -> None:
        px = canvas.px
        side = min(self.board.width - px(130), self.board.height - px(40))
        board = Rect(0, 0, side, side)
        board.center = self.board.center
        drawing = board_drawing(self.game, board.size, canvas.palette.line)
        canvas.picture(drawing.picture(self.game.new(min(self.game.player_counts)).view()), board.topleft)
        low, high = board.top + round(board.height * 0.55), board.top + round(board.height * 0.12)
        outer, inner = px(38), -round(board.width * 0.08)
        spots = (  # clockwise, as the seats are
            (board.left - outer, low),
            (board.left - inner, high),
            (board.right + inner, high),
            (board.right + outer, low),
        )
        for player in self.players:
            x, y = spots[player.seat]
            draw_symbol(canvas, player, (x, y), 36)
            name = Rect(0, 0, px(96), px(26))
            name.center = (x, y + px(32))
            name.clamp_ip(self.board)
            canvas.line(player.name, name, "small", align="centre", name=True)


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
