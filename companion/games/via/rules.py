"""The rules of VIA with a set file. Clause ids refer to `clauses.toml` beside this file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path

from companion.games.clauses import Clauses
from companion.games.core import Game, NotationError, Option, SetupError
from companion.games.looks import Look
from companion.games.sites import EMPTY, SiteSpec
from companion.games.via import looks
from companion.games.via.actions import END, PASS, TAKE, TAKE_TWO, Action, Build, Draw, Lay
from companion.games.via.ground import Fields
from companion.games.via.position import Options, ViaPosition
from companion.games.via.tileset import HALVES, PIECES, Lie, ViaSet, lies_of, rotations

WRITE = (
    "write `draw PLAYER KIND`, `lay KIND FIELD ROTATION`, `house FIELD.PART`, `castle FIELD.PART`, `take`, `take 2`, "
    "`end` or `pass`"
)

WORDS = {str(action): action for action in (TAKE, TAKE_TWO, END, PASS)}


class Via(Game[ViaPosition, Action]):
    """The rules with a set file.

    `hidden_draws`: `draw 2 ?` is an action too, a tile that nobody has shown yet. Its kind is known when it is laid.
    """

    name = "via"
    set: ViaSet
    hands = "hidden"
    options = (
        Option("land_alike", (True, False), "VIA-LAY-4"),
        Option("free_water", (False, True), "VIA-LAY-5"),
        Option("start_counts", (True, False), "VIA-BUILD-6"),
    )

    def __init__(self, set_file: Path | None = None, *, hidden_draws: bool = False) -> None:
        here = resources.files(__package__)
        with resources.as_file(here / "set.toml") as default:
            self.set = ViaSet.load(set_file or default)
        self.clauses = Clauses((here / "clauses.toml").read_bytes())
        self.hidden_draws = hidden_draws
        self.player_counts = range(2, self.set.seats + 1)
        self.kinds = self.set.tile.kinds
        self.number = {kind.code: k for k, kind in enumerate(self.kinds)}
        self.start, self.water = self.kinds.index(self.set.start), self.kinds.index(self.set.water)
        self.lies = lies_of(self.kinds)
        self.lie = {(lie.kind.code, lie.rotation): k for k, lie in enumerate(self.lies)}
        self.lies_of_kind = tuple(
            sum(1 << k for k, lie in enumerate(self.lies) if lie.number == number) for number in range(len(self.kinds))
        )
        self.water_lie = self.lie[self.kinds[self.water].code, 0]
        grid = self.set.grid
        self.cells = tuple(f"{chr(97 + column)}{row + 1}" for column in range(grid.columns) for row in range(grid.rows))
        self.cell = {name: k for k, name in enumerate(self.cells)}
        self.seat_colours = tuple(self.set.building.colours)[: self.set.seats]
        self._fields: dict[tuple[bool, bool], Fields] = {}
        self._make_actions()
        self._make_views()

    def _make_actions(self) -> None:
        """Every action of the game once, so that positions need not make them anew."""
        self.lays = tuple(tuple(Lay(lie.kind.code, cell, lie.rotation) for lie in self.lies) for cell in self.cells)
        self.draws = tuple(tuple(Draw(player, kind.code) for kind in self.kinds) for player in range(self.set.seats))
        self.parts = tuple(f"{cell}.{half}" for cell in self.cells for half in range(HALVES))
        self.half = {name: k for k, name in enumerate(self.parts)}

    def _make_views(self) -> None:
        """What a board without tiles shows, and what each tile shows on each field, with no building on it."""
        self.labels = tuple(lie.label for lie in self.lies)
        self.empty_view = {f"cell:{cell}": EMPTY for cell in self.cells}
        self.shown = tuple(
            tuple({f"cell:{cell}": lie.label} | dict.fromkeys(_places(cell, lie), EMPTY) for lie in self.lies)
            for cell in self.cells
        )

    def _fields_for(self, options: Options) -> Fields:
        """What each tile does on each field with these options; made when first asked for."""
        which = options.land_alike, options.start_counts
        if which not in self._fields:
            self._fields[which] = Fields(self.set.grid, self.lies, land_alike=which[0], start_counts=which[1])
        return self._fields[which]

    def new(self, players: int, options: Mapping[str, object] | None = None) -> ViaPosition:
        """The position before the first start tile is laid."""
        if players not in self.player_counts:
            raise SetupError(f"VIA is for 2 to {self.set.seats} players, not {players}", "VIA-SETUP-1")
        chosen = self.chosen_options(options, players)
        picked = Options(*(bool(chosen[name]) for name in Options._fields))
        return ViaPosition(self, players, picked, self._fields_for(picked))

    def parse(self, text: str) -> Action:
        """The action that `text` stands for."""
        match text.split(" "):
            case ["draw", player, "?"] if self.hidden_draws:
                return Draw(self._player(player), None)
            case ["draw", player, kind]:
                return self.draws[self._player(player)][self._kind(kind)]
            case ["lay", kind, cell, rotation]:
                return self._parse_lay(self._kind(kind), cell, rotation)
            case [piece, part] if piece in PIECES:
                return Build(piece, self.parts[self._half(part)])
        if text in WORDS:
            return WORDS[text]
        raise NotationError(f"{text!r} is no action; {WRITE}")

    def _parse_lay(self, kind: int, cell: str, rotation: str) -> Lay:
        if cell not in self.cell:
            raise NotationError(f"there is no field {cell!r}; the fields are {self.cells[0]} to {self.cells[-1]}")
        allowed = [str(k) for k in rotations(self.kinds[kind])]
        code = self.kinds[kind].code
        if rotation not in allowed:
            raise NotationError(f"rotation {rotation!r} is none of {code}; it can be: {', '.join(allowed)}")
        return self.lays[self.cell[cell]][self.lie[code, int(rotation)]]

    def _player(self, text: str) -> int:
        if not re.fullmatch("[0-9]", text) or int(text) >= self.set.seats:
            raise NotationError(f"player {text!r} is none; it can be 0 to {self.set.seats - 1}")
        return int(text)

    def _kind(self, code: str) -> int:
        if code not in self.number:
            raise NotationError(f"there is no tile {code!r}; the kinds are: {', '.join(self.number)}")
        return self.number[code]

    def _half(self, part: str) -> int:
        if part not in self.half:
            raise NotationError(f"there is no part {part!r}; a part is a field and a half-side, as {self.parts[0]}")
        return self.half[part]

    def lay_of(self, cell: str, label: str) -> Lay:
        """The laying that a field's label tells of."""
        code, _, rotation = label.partition("/")
        return self.lays[self.cell[cell]][self.lie[code, int(rotation or 0)]]

    @cached_property
    def sites(self) -> tuple[SiteSpec, ...]:
        """Fields, and places of buildings."""
        return looks.sites(self.set, self.cells, self.lies)

    def look(self, kind: str, label: str) -> Look:
        """A tile on a field, or a building on a part of land."""
        return looks.look(self.set, kind, label)

    @cached_property
    def board(self) -> Look:
        """The empty board."""
        return looks.board(self.set)


def _places(cell: str, lie: Lie) -> list[str]:
    """The places of buildings that a tile has on a field: one for each part of its land."""
    return [f"building:{cell}.{(part & -part).bit_length() - 1}" for part in lie.parts]
