"""The rules of Triangle with a set file. Clause ids refer to `clauses.toml` beside this file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path

from companion.games.clauses import Clauses
from companion.games.core import Game, NotationError, Option, SetupError
from companion.games.looks import Look
from companion.games.sites import SiteSpec
from companion.games.triangle import looks
from companion.games.triangle.actions import Action, Draw, Pass, Place, Swap
from companion.games.triangle.position import TrianglePosition
from companion.games.triangle.tileset import Cell, Fits, TriangleSet, cells_of


class Triangle(Game[TrianglePosition, Action]):
    """The rules with a set file.

    `hidden_draws`: `draw 2 ?` is an action too, a tile that nobody has shown yet. Its name is known when it is placed
    or swapped, or at the end, when the hands are counted.
    """

    name = "triangle"
    set: TriangleSet
    hands = "open"
    laid_stays = True
    kept_clause = "TRI-SCORE-5"
    options = (Option("teams", (False, True), "TRI-SETUP-1"),)

    def __init__(self, set_file: Path | None = None, *, hidden_draws: bool = False) -> None:
        here = resources.files(__package__)
        with resources.as_file(here / "set.toml") as default:
            self.set = TriangleSet.load(set_file or default)
        self.clauses = Clauses((here / "clauses.toml").read_bytes())
        self.hidden_draws = hidden_draws
        self.player_counts = range(2, self.set.seats + 1)
        self.cells: tuple[Cell, ...] = cells_of(self.set.grid)
        self.tiles = self.set.tile.tiles
        self.values = tuple(int(tile[3:]) for tile in self.tiles)
        self.index = {tile: k for k, tile in enumerate(self.tiles)}
        self.bonus = tuple(self.set.grid.bonus.get(str(cell), 0) for cell in range(len(self.cells)))
        self.first_cells = sum(1 << cell for cell, factor in enumerate(self.bonus) if not factor)
        self.fits = Fits(self.tiles)
        self.copies = dict.fromkeys(self.tiles, 1)
        self.seat_colours = tuple(self.set.counter.colours)
        self._make_actions()

    def _make_actions(self) -> None:
        """Every action of the game once, so that positions need not make them anew."""
        tiles, cells = self.tiles, range(len(self.cells))
        self.places = tuple(tuple(tuple(Place(tile, cell, k) for k in range(3)) for tile in tiles) for cell in cells)
        self.draws = tuple(tuple(Draw(player, tile) for tile in tiles) for player in range(self.set.seats))
        self.swaps = tuple(Swap(tile) for tile in tiles)

    def new(self, players: int, options: Mapping[str, object] | None = None) -> TrianglePosition:
        """The position before the first tile is drawn."""
        if players not in self.player_counts:
            raise SetupError(f"Triangle is for 2 to {self.set.seats} players, not {players}", "TRI-SETUP-1")
        teams = bool(self.chosen_options(options, players)["teams"])
        if teams and players != 4:
            raise SetupError(f"teams are for four players, not {players}", "TRI-SETUP-1")
        return TrianglePosition(self, players, teams)

    def parse(self, text: str) -> Action:
        """The action that `text` stands for."""
        match text.split(" "):
            case ["draw", player, "?"] if self.hidden_draws:
                return Draw(_number(player, len(self.draws), "player"), None)
            case ["draw", player, tile]:
                return self.draws[_number(player, len(self.draws), "player")][self._tile(tile)]
            case ["place", tile, cell, rotation]:
                return self._parse_place(self._tile(tile), cell, rotation)
            case ["swap", tile]:
                return self.swaps[self._tile(tile)]
            case ["pass"]:
                return Pass()
        raise NotationError(
            f"{text!r} is no action; write `draw PLAYER TILE`, `place TILE CELL ROTATION`, `swap TILE` or `pass`"
        )

    def _parse_place(self, tile: int, cell: str, rotation: str) -> Place:
        place = self.places[_number(cell, len(self.cells), "cell")][tile][_number(rotation, 3, "rotation")]
        if place.rotation not in self.fits.rotations[tile]:
            raise NotationError(f"{place.tile} looks the same in every rotation: write rotation 0")
        return place

    def _tile(self, name: str) -> int:
        if name not in self.index:
            raise NotationError(f"there is no tile {name!r}; a tile is three colours and a value, as {self.tiles[0]}")
        return self.index[name]

    @cached_property
    def sites(self) -> tuple[SiteSpec, ...]:
        """Cells, racks and holes."""
        return looks.sites(self.set, self.cells, self.fits)

    def look(self, kind: str, label: str) -> Look:
        """A tile on a cell or a rack, or a counter on a hole."""
        return looks.look(self.set, kind, label)

    @cached_property
    def board(self) -> Look:
        """The empty board."""
        return looks.board(self.set, self.cells)


def _number(text: str, count: int, what: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,5}", text) or int(text) >= count:
        raise NotationError(f"{what} {text!r} is none; it can be 0 to {count - 1}")
    return int(text)
