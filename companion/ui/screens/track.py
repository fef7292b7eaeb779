"""The score track: a hundred holes in rows, with all counters."""

from __future__ import annotations

from pygame import Rect

from companion.ui import layout, text
from companion.ui.app import App
from companion.ui.canvas import Canvas
from companion.ui.games import Pegs, face
from companion.ui.layout import GAP
from companion.ui.model import TableModel
from companion.ui.parts import draw_symbol, player_colour
from companion.ui.screen import Screen

HOLES = 100


class TrackScreen(Screen):
    """Where the counters should stand."""

    name = "track"

    def __init__(self, app: App, model: TableModel) -> None:
        super().__init__(app)
        self.model = model
        self.version = model.version

    def back(self) -> None:
        """The table."""
        from companion.ui.screens.table import TableScreen

        self.app.show(TableScreen(self.app, self.model))

    def update(self) -> None:
        """The game goes on under it."""
        if self.model.version != self.version:
            self.version = self.model.version
            self.app.redraw()

    def build(self) -> None:
        """Rows of holes over a legend."""
        self.title, below = self.header()
        players = len(self.model.state().players)
        legend = self.px(44) * (-(-players // 2) if self.metrics.portrait else 1)
        self.board, self.legend = layout.rows(below, [None, legend], self.px(GAP))

    def draw(self, canvas: Canvas) -> None:
        """The holes, the counters, and whose they are."""
        state = self.model.state()
        pegs = face(state.position.game.name).pegs(state.position)
        canvas.line(self.app.words("Score track"), self.title, "title", bold=True)
        cells = self._cells()
        self._draw_holes(canvas, cells)
        standing: dict[int, list[tuple[Pegs, bool]]] = {}
        for peg in pegs:
            for score, now in ((peg.before, False), (peg.now, True)):
                if score > 0 and (now or score != peg.now):
                    standing.setdefault((score - 1) % HOLES + 1, []).append((peg, now))
        for hole, counters in standing.items():
            self._draw_counters(canvas, cells[hole - 1], counters)
        self._draw_legend(canvas, pegs)

    def _cells(self) -> list[Rect]:
        across = 10 if self.metrics.portrait else 20
        return layout.grid(self.board, across, HOLES // across, 0)

    def _draw_holes(self, canvas: Canvas, cells: list[Rect]) -> None:
        palette, px = canvas.palette, canvas.px
        canvas.panel(self.board, palette.surface)
        for hole, cell in enumerate(cells, start=1):
            spot = (cell.centerx, cell.top + round(cell.height * 0.42))
            canvas.shape("circle", spot, 9 if hole % 5 else 13, palette.muted if hole % 10 == 0 else palette.line)
            if hole % 5 == 0:
                number = Rect(cell.left, cell.bottom - px(24), cell.width, px(22))
                canvas.line(str(hole), number, "small", bold=hole % 10 == 0, colour=palette.muted, align="centre")

    def _draw_counters(self, canvas: Canvas, cell: Rect, counters: list[tuple[Pegs, bool]]) -> None:
        players = self.model.state().players
        x, y = cell.centerx, cell.top + round(cell.height * 0.42)
        size = min(28.0, 56.0 / (1 + len(counters)))
        for k, (peg, now) in enumerate(counters):
            spot = (x, y + canvas.px(size * 0.8) * (k - (len(counters) - 1) / 2))
            who = players[peg.players[0]]
            if now:
                draw_symbol(canvas, who, spot, size)
            else:
                canvas.shape(who.symbol, spot, size, player_colour(canvas, who))
                canvas.shape(who.symbol, spot, size * 0.6, canvas.palette.surface)

    def _draw_legend(self, canvas: Canvas, pegs: tuple[Pegs, ...]) -> None:
        players, px = self.model.state().players, canvas.px
        across = 2 if self.metrics.portrait else len(pegs)
        cells = layout.grid(self.legend, across, -(-len(pegs) // across), 0)
        for peg, cell in zip(pegs, cells, strict=False):
            draw_symbol(canvas, players[peg.players[0]], (cell.left + px(16), cell.centery), 26)
            figure = Rect(cell.left + px(36), cell.top, px(50), cell.height)
            figure.width = text.width(str(peg.now), canvas.size("lead"), bold=True)
            canvas.line(str(peg.now), figure, "lead", bold=True)
            name = Rect(figure.right + px(10), cell.top, cell.right - figure.right - px(14), cell.height)
            canvas.line(" + ".join(players[player].name for player in peg.players), name, "body", name=True)
