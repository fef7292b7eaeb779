"""The rules of Labyria with a set file. Clause ids refer to `clauses.toml` beside this file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import resources
from itertools import product
from pathlib import Path
from typing import NamedTuple

from companion.games.clauses import Clauses
from companion.games.core import Game, NotationError, Option, Rest, SetupError
from companion.games.labyria import looks
from companion.games.labyria.actions import (
    Action,
    Add,
    Corner,
    Defend,
    Dice,
    Done,
    Evade,
    Move,
    Pass,
    Remove,
    Roll,
    Shield,
    Square,
    Turn,
)
from companion.games.labyria.boardset import LabyriaSet
from companion.games.labyria.grid import ARMS, Grid
from companion.games.labyria.lanes import SEATS, lanes_of
from companion.games.labyria.position import LabyriaPosition
from companion.games.looks import Look
from companion.games.sites import EMPTY, SiteSpec


class Choices(NamedTuple):
    """The options of one game (see `Labyria.options`)."""

    all_roll_again: bool
    roll_to_start: bool
    reversal: str


class Labyria(Game[LabyriaPosition, Action]):
    """The rules with a set file."""

    name = "labyria"
    set: LabyriaSet
    player_counts = range(2, 5)
    options = (
        Option("ties", ("tied", "all"), "LAB-SETUP-3"),
        Option("start", ("roll", "first"), "LAB-START-1"),
        Option("reversal", ("rotate", "double", "minus", "skip"), "LAB-EAT-2"),
    )
    kept_clause = "LAB-TURN-2"
    incidental = frozenset({"depot"})

    def __init__(self, set_file: Path | None = None) -> None:
        here = resources.files(__package__)
        with resources.as_file(here / "set.toml") as default:
            self.set = LabyriaSet.load(set_file or default)
        self.clauses = Clauses((here / "clauses.toml").read_bytes())
        self.grid = Grid(self.set.grid.columns, self.set.grid.rows)
        self.seat_colours = tuple(self.set.figure.colours)[: self.set.seats]
        self.figures = self.set.figure.count // self.set.seats
        self.depot = len(self.set.depot.slots)
        shared_out = (self.shares(players)[0] * players for players in self.player_counts)
        self.rest = Rest("depot", "square", Counter(self.depot + count for count in shared_out))
        self.lanes = {players: lanes_of(self.grid, self.set.grid.corners, players) for players in self.player_counts}
        middle = self.grid.middle
        self.first_edges = sum(1 << edge for edge in self.grid.arms[middle])
        self.first_corners = 15 << 4 * middle
        self.square_touch, self.corner_touch = self.grid.touches()
        self._moves: dict[int, tuple[Move, ...]] = {}
        self._make_actions()

    def _make_actions(self) -> None:
        """Actions that positions list, made once; those chosen by masks in descending order (see `listed`)."""
        grid, dice = self.grid, self.set.dice
        numbers, symbols = dict.fromkeys(dice.numbers), dict.fromkeys(dice.symbols)
        self.rolls = tuple(tuple(Roll(player, number) for number in numbers) for player in range(self.set.seats))
        self.dice = tuple(Dice(number, symbol) for number, symbol in product(numbers, symbols))
        self.defences = tuple(Defend(symbol) for symbol in symbols)
        edges = grid.edges[::-1]
        self.squares, self.shields = tuple(map(Square, edges)), tuple(map(Shield, edges))
        self.adds, self.removes = tuple(map(Add, edges)), tuple(map(Remove, edges))
        self.evasions = tuple(map(Evade, grid.cells[::-1]))
        placed = list(product(grid.crossings, ARMS))
        self.corner = {place: number for number, place in enumerate(placed)}
        self.corners = tuple(Corner(crossing, arms) for crossing, arms in reversed(placed))
        self.turns = tuple(self._turns_of(number) for number in range(len(placed)))

    def _turns_of(self, corner: int) -> tuple[tuple[int, Turn], ...]:
        """How a corner can be turned, each with the edges (mask) that have to be free."""
        edges, crossing = self.grid.corner_edges, self.grid.crossings[corner // 4]
        others = [corner // 4 * 4 + k for k in range(4) if k != corner % 4]
        return tuple((edges[other] & ~edges[corner], Turn(crossing, ARMS[other % 4])) for other in others)

    def moves_from(self, cell: int) -> tuple[Move, ...]:
        """The moves from a field (mask) to every field, in descending order (see `listed`)."""
        if cell not in self._moves:
            start = self.name_of(cell)
            self._moves[cell] = tuple(Move(start, end) for end in self.grid.cells[::-1])
        return self._moves[cell]

    def name_of(self, cell: int) -> str:
        """The name of a field (mask)."""
        return self.grid.cells[cell.bit_length() - 1]

    def shares(self, players: int) -> tuple[int, int]:
        """LAB-SETUP-2: squares and corners to each player; what cannot be shared out stays in the bag."""
        return (self.set.square.count - self.depot) // players, self.set.corner.count // players

    def seats(self, players: int) -> tuple[int, ...]:
        """LAB-SETUP-1: the corners that so many players take."""
        return SEATS[players]

    def new(self, players: int, options: Mapping[str, object] | None = None) -> LabyriaPosition:
        """The position before the first roll."""
        if players not in self.player_counts:
            raise SetupError(f"Labyria is for 2 to 4 players, not {players}", "LAB-SETUP-1")
        chosen = self.chosen_options(options, players)
        choices = Choices(chosen["ties"] == "all", chosen["start"] == "roll", str(chosen["reversal"]))
        return LabyriaPosition(self, players, choices)

    def parse(self, text: str) -> Action:
        """The action that `text` stands for."""
        match text.split(" "):
            case ["roll", player, number]:
                return Roll(_number(player, range(self.set.seats), "player"), self._face(number))
            case ["dice", number, symbol]:
                return Dice(self._face(number), self._symbol(symbol))
            case ["defend", symbol]:
                return Defend(self._symbol(symbol))
            case [("corner" | "turn") as word, crossing, arms]:
                return (Corner if word == "corner" else Turn)(*self._corner(crossing, arms))
            case [("square" | "add" | "remove" | "shield") as word, edge]:
                return ON_EDGES[word](self._edge(edge))
            case ["move", start, end]:
                return Move(self._cell(start), self._cell(end))
            case ["evade", end]:
                return Evade(self._cell(end))
            case ["pass"]:
                return Pass()
            case ["done"]:
                return Done()
        raise NotationError(f"{text!r} is no action; write for example `move a1 c4`, `dice 4 cloak` or `add c4-d4`")

    def _face(self, number: str) -> int:
        return _number(number, self.set.dice.numbers, "number")

    def _symbol(self, symbol: str) -> str:
        return _one_of(symbol, self.set.dice.symbols, "symbol")

    def _corner(self, crossing: str, arms: str) -> tuple[str, str]:
        if crossing not in self.grid.crossing:
            first, last = self.grid.crossings[0], self.grid.crossings[-1]
            raise NotationError(f"there is no crossing {crossing!r}; crossings are {first} to {last}")
        return crossing, _one_of(arms, ARMS, "direction")

    def _edge(self, edge: str) -> str:
        if edge not in self.grid.edge:
            raise NotationError(f"there is no edge {edge!r}; an edge is two fields, the lower one first, as c4-d4")
        return edge

    def _cell(self, cell: str) -> str:
        if cell not in self.grid.cell:
            raise NotationError(f"there is no field {cell!r}; fields are {self.grid.cells[0]} to {self.grid.cells[-1]}")
        return cell

    @cached_property
    def sites(self) -> tuple[SiteSpec, ...]:
        """Fields, edges, crossings and the depot."""
        return looks.sites(self.set, self.grid)

    @cached_property
    def empty_view(self) -> Mapping[str, str]:
        """Every site but the depot, with nothing on it."""
        return {site.name: EMPTY for site in self.sites if site.kind != "depot"}

    def look(self, kind: str, label: str) -> Look:
        """Figures on a field, a square on an edge, a corner on a crossing or the squares in the depot."""
        if (kind, label) not in self._looks:
            self._looks[kind, label] = looks.look(self.set, kind, label)
        return self._looks[kind, label]

    @cached_property
    def _looks(self) -> dict[tuple[str, str], Look]:
        """Looks that were asked for before: readers ask for those of hundreds of sites."""
        return {}

    @cached_property
    def board(self) -> Look:
        """The empty board."""
        return looks.board(self.set, self.grid)


ON_EDGES: Mapping[str, type[Square | Add | Remove | Shield]] = {
    "square": Square,
    "add": Add,
    "remove": Remove,
    "shield": Shield,
}


def _one_of(word: str, known: Iterable[str], what: str) -> str:
    if word not in known:
        raise NotationError(f"there is no {what} {word!r}; it can be: {', '.join(known)}")
    return word


def _number(text: str, known: Iterable[int], what: str) -> int:
    return int(_one_of(text, [str(number) for number in known], what))
