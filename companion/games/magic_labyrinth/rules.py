"""The rules of the Magic Labyrinth with a set file. Clause ids refer to `clauses.toml` beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from companion.games.clauses import Clauses
from companion.games.core import Game, NotationError, Option, SetupError
from companion.games.looks import Look
from companion.games.magic_labyrinth import looks
from companion.games.magic_labyrinth.actions import Action, Call, Done, Draw, Early, Insert, Reveal, Step
from companion.games.magic_labyrinth.boardset import SEATS, MagicLabyrinthSet
from companion.games.magic_labyrinth.grid import Grid
from companion.games.magic_labyrinth.position import MagicLabyrinthPosition
from companion.games.sites import EMPTY, SiteSpec


class Choices(NamedTuple):
    """The options of one game (see `MagicLabyrinth.options`)."""

    must_go: bool
    may_stop: bool


class MagicLabyrinth(Game[MagicLabyrinthPosition, Action]):
    """The rules with a set file."""

    name = "magic_labyrinth"
    set: MagicLabyrinthSet
    player_counts = range(2, 5)
    options = (
        Option("must_go", (True, False), "MAG-TURN-2"),
        Option("may_stop", (False, True), "MAG-TURN-5"),
    )

    def __init__(self, set_file: Path | None = None) -> None:
        here = resources.files(__package__)
        with resources.as_file(here / "set.toml") as default:
            self.set = MagicLabyrinthSet.load(set_file or default)
        self.clauses = Clauses((here / "clauses.toml").read_bytes())
        self.grid = Grid(self.set.grid.columns, self.set.grid.rows)
        self.seat_colours = tuple(self.set.figure.colours)[: self.set.seats]
        self.colours = tuple(self.set.wall.colours)
        self.colour = {name: number for number, name in enumerate(self.colours)}
        self.each_colour = self.set.wall.count // len(self.colours)
        self.symbols = tuple(self.set.symbol_fields)
        self.symbol = {name: number for number, name in enumerate(self.symbols)}
        cell = self.grid.cell
        self.symbol_fields = tuple(cell[field] for field in self.set.symbol_fields.values())
        self.corners = tuple(cell[corner] for corner in self.set.grid.corners)
        ring = [cell[field] for field in self.set.grid.arrows]
        self.arrows = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
        self._make_actions()

    def _make_actions(self) -> None:
        """Actions that positions list, made once."""
        grid, colours = self.grid, self.colours
        self.pulls: tuple[tuple[Call | Early, ...], ...] = tuple(
            (*(Call(colour, slot) for colour in colours), Early(slot)) for slot in grid.slots
        )
        self.inserts = tuple(tuple(Insert(colour, slot) for slot in grid.slots) for colour in colours)
        self.reveals = tuple(map(Reveal, colours))
        self.draws = tuple(map(Draw, self.symbols))
        self.steps = tuple(map(Step, grid.cells))
        self.jumps = {
            (way.field, on.field): Step(grid.cells[on.field], grid.cells[way.field])
            for ways in grid.around
            for way in ways
            for on in way.onward
        }
        self.done = Done()

    def seats(self, players: int) -> tuple[int, ...]:
        """MAG-SETUP-1: the corners that so many players take."""
        return SEATS[players]

    def new(self, players: int, options: Mapping[str, object] | None = None) -> MagicLabyrinthPosition:
        """The position before the first symbol."""
        if players not in self.player_counts:
            raise SetupError(f"the Magic Labyrinth is for 2 to 4 players, not {players}", "MAG-SETUP-1")
        chosen = self.chosen_options(options, players)
        return MagicLabyrinthPosition(self, players, Choices(bool(chosen["must_go"]), bool(chosen["may_stop"])))

    def parse(self, text: str) -> Action:
        """The action that `text` stands for."""
        match text.split(" "):
            case ["symbol", symbol]:
                return Draw(_known(symbol, self.symbol, "symbol"))
            case ["call", colour, slot]:
                return Call(_known(colour, self.colour, "colour"), self._slot(slot))
            case ["early", slot]:
                return Early(self._slot(slot))
            case ["reveal", colour]:
                return Reveal(_known(colour, self.colour, "colour"))
            case ["step", end]:
                return Step(self._cell(end))
            case ["step", over, end]:
                return Step(self._cell(end), self._cell(over))
            case ["insert", colour, slot]:
                return Insert(_known(colour, self.colour, "colour"), self._slot(slot))
            case ["done"]:
                return self.done
        raise NotationError(f"{text!r} is no action; write for example `call red a1-b1`, `step b1` or `done`")

    def _slot(self, slot: str) -> str:
        if slot not in self.grid.slot:
            raise NotationError(f"there is no slot {slot!r}; a slot is two fields, the lower one first, as a1-b1")
        return slot

    def _cell(self, cell: str) -> str:
        if cell not in self.grid.cell:
            raise NotationError(f"there is no field {cell!r}; fields are {self.grid.cells[0]} to {self.grid.cells[-1]}")
        return cell

    @cached_property
    def sites(self) -> tuple[SiteSpec, ...]:
        """Slots, fields, the chip and the tray."""
        return looks.sites(self.set, self.grid)

    @cached_property
    def bare_view(self) -> Mapping[str, str]:
        """Slots, fields and tray with nothing on them."""
        return {site.name: EMPTY for site in self.sites if site.kind != "chip"}

    def look(self, kind: str, label: str) -> Look:
        """A wall in its slot or upside down on the tray, a figure, or the chip where its label says."""
        return looks.look(self.set, self.grid, kind, label)

    @cached_property
    def board(self) -> Look:
        """The board with empty slots."""
        return looks.board(self.set, self.grid)


def _known(word: str, words: Mapping[str, int], what: str) -> str:
    if word not in words:
        raise NotationError(f"there is no {what} {word!r}; it can be: {', '.join(words)}")
    return word
