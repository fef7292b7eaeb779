"""The set file of VIA, and its tiles as they can lie.

Half-sides are numbered clockwise: 0 is the right half of the upper side, 7 the left half. Sides are 0 N, 1 E, 2 S, 3 W;
side s has the half-sides 2s - 1 and 2s. A bit mask of half-sides has bit h for half-side h.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, NamedTuple

from msgspec import Meta

from companion.games.sets import Colour, GameSet, Length, Part

SIDES = "NESW"
HALVES = 8

HOUSES = {2: 7, 3: 5, 4: 4}
"""Houses of each player, by the number of players (VIA-SETUP-1)."""

RESERVE = 2
"""Houses of each player that lie in reserve at first."""

PIECES = ("house", "castle")
"""What can be built."""

CASTLE = PIECES[1]

FULL = 3
"""Tiles in a full hand (VIA-TURN-2)."""

DEALT = 2
"""Tiles that each player draws before the game begins (VIA-SETUP-4)."""

LAYS = 2
"""Tiles that may be laid in a turn (VIA-TURN-1)."""

BUILDINGS = 2
"""Buildings that may be built in a turn (VIA-BUILD-2)."""

SPARE = 2
"""The game is over with so many free fields or fewer (VIA-END-1)."""

Half = Annotated[int, Meta(ge=0, lt=HALVES)]
Count = Annotated[int, Meta(ge=0, le=1000)]
Size = Annotated[int, Meta(ge=1, le=26)]


class Grid(Part, frozen=True):
    """The fields."""

    columns: Size
    rows: Size
    pitch: Length
    field_colour: Colour


class Kind(Part, frozen=True):
    """A kind of tile: which sides have an exit, and which half-sides each part of its land touches."""

    code: Annotated[str, Meta(pattern="^[A-Z][A-Z0-9]*$")]
    count: Count
    type: Literal["start", "straight", "curvy", "water"]
    exits: tuple[Literal["N", "E", "S", "W"], ...]
    parts: tuple[tuple[Half, ...], ...]


class Tile(Part, frozen=True):
    """The tiles: their size, looks and kinds."""

    size: Length
    thickness: Length
    road_width: Length
    land: Colour
    road: Colour
    kerb: Colour
    water: Colour
    water_wave: Colour
    plaza_diameter: Length
    kinds: tuple[Kind, ...]


class Piece(Part, frozen=True):
    """Houses or castles: how many there are in all, and length, width, height of one."""

    count: Count
    size: tuple[Length, Length, Length]


class Buildings(Part, frozen=True):
    """The colours of the buildings, by seat."""

    colours: dict[str, Colour]


class ViaSet(GameSet, frozen=True):
    """A set of VIA."""

    seats: Literal[2, 3, 4]
    grid: Grid
    tile: Tile
    house: Piece
    castle: Piece
    building: Buildings

    tile_turn: ClassVar[float] = 90.0

    @property
    def tile_names(self) -> tuple[str, ...]:
        """The kinds of tiles."""
        return tuple(kind.code for kind in self.tile.kinds)

    def _problems(self) -> Iterator[str]:
        codes = [kind.code for kind in self.tile.kinds]
        yield from (f"tile.kinds names {code} twice" for code in sorted(set(codes)) if codes.count(code) > 1)
        for number, kind in enumerate(self.tile.kinds):
            yield from (f"tile.kinds[{number}] ({kind.code}): {problem}" for problem in _kind_problems(kind))
        yield from self._count_problems()
        if len(self.marker.ids) != len(self.marker.centres):
            yield "marker.ids and marker.centres need one entry a card"
        if self.board.shape != "square":
            yield f'board.shape is "{self.board.shape}"; it has to be "square"'

    def _count_problems(self) -> Iterator[str]:
        types = [kind.type for kind in self.tile.kinds]
        for which in ("start", "water"):
            if types.count(which) != 1:
                yield f'tile.kinds needs one kind of the type "{which}", and has {types.count(which)}'
                return
        if self.water.count < self.seats:
            yield f"tile.kinds ({self.water.code}): count needs to be {self.seats} at least, one for each seat"
        if self.start.count < 1:
            yield f"tile.kinds ({self.start.code}): count needs to be 1 at least"
        fields, first = self.grid.columns * self.grid.rows, self.start.count + self.seats
        if fields < first:
            yield f"grid has {fields} fields; the starting round needs {first}"
        most = RESERVE + max(count for players, count in HOUSES.items() if players <= self.seats)
        if self.house.count < most * self.seats or self.castle.count < self.seats:
            yield f"house.count and castle.count need {most} and 1 for each seat ({self.seats})"
        if len(self.building.colours) < self.seats:
            yield f"building.colours needs one entry a seat ({self.seats})"

    @property
    def start(self) -> Kind:
        """The kind of the start tiles."""
        return next(kind for kind in self.tile.kinds if kind.type == "start")

    @property
    def water(self) -> Kind:
        """The kind of the water tiles."""
        return next(kind for kind in self.tile.kinds if kind.type == "water")


def _kind_problems(kind: Kind) -> Iterator[str]:
    halves = sorted(half for part in kind.parts for half in part)
    if kind.type == "water":
        if kind.exits or kind.parts:
            yield "water has no exits and no parts"
        return
    if len(set(kind.exits)) < len(kind.exits) or not kind.exits:
        yield "exits needs one side at least, and each once"
    if halves != list(range(HALVES)) or not all(kind.parts):
        yield "parts needs each half-side, 0 to 7, exactly once"
        return
    for half in range(HALVES):
        after = (half + 1) % HALVES
        side = SIDES[after // 2 % 4] if half % 2 else None  # the side that both half-sides are halves of
        if side not in kind.exits and not any(half in part and after in part for part in kind.parts):
            where = f"side {side} has no exit" if side else "they meet in a corner"
            yield f"parts keeps half-sides {half} and {after} apart, but {where}"


class Lie(NamedTuple):
    """A kind of tile as it lies: its number in the set file, how far it is turned, and what it then shows.

    `exits`: bit mask of sides; `parts`: bit masks of half-sides, the part with the lowest half-side first.
    """

    kind: Kind
    number: int
    rotation: int
    exits: int
    parts: tuple[int, ...]

    @property
    def label(self) -> str:
        """What lies there, in the words of sites: start and water tiles that look alike all round are only named."""
        alike = self.kind.type in ("start", "water") and len(rotations(self.kind)) == 1
        return self.kind.code if alike else f"{self.kind.code}/{self.rotation}"

    def fits(self, side: int, other: Lie, *, land_alike: bool) -> bool:
        """VIA-LAY-3 and -4: whether `other` may lie at that side of this tile; both are road or start tiles."""
        return self.meets(side, other) and (self.mixes(other) or not (land_alike or self.exits >> side & 1))

    def meets(self, side: int, other: Lie) -> bool:
        """VIA-LAY-3: whether exit meets exit, or land meets land, at that side of this tile."""
        return self.exits >> side & 1 == other.exits >> (side + 2) % 4 & 1

    def mixes(self, other: Lie) -> bool:
        """VIA-LAY-4: whether the two kinds may border."""
        mine, theirs = self.kind, other.kind
        return "start" in (mine.type, theirs.type) or mine.type == theirs.type or len(mine.exits) == len(theirs.exits)


def turned(kind: Kind, number: int, rotation: int) -> Lie:
    """That kind, turned by `rotation` times 90 degrees clockwise."""
    exits = sum(1 << (SIDES.index(side) + rotation) % 4 for side in kind.exits)
    parts = (sum(1 << (half + 2 * rotation) % HALVES for half in part) for part in kind.parts)
    return Lie(kind, number, rotation, exits, tuple(sorted(parts, key=lambda part: part & -part)))


def rotations(kind: Kind) -> tuple[int, ...]:
    """The lowest rotations that show different parts and exits."""
    shown = [turned(kind, 0, rotation)[3:] for rotation in range(4)]
    return tuple(rotation for rotation in range(4) if shown.index(shown[rotation]) == rotation)


def lies_of(kinds: tuple[Kind, ...]) -> tuple[Lie, ...]:
    """Every kind in every rotation that makes a difference."""
    return tuple(turned(kind, number, k) for number, kind in enumerate(kinds) for k in rotations(kind))
