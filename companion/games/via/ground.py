"""The board of VIA with its tiles: what fits where, and which properties are closed in.

Everything is bit masks: of fields (bit `cell`), of tiles as they lie (bit `lie`, an index into `Fields.lies`), of
half-sides of the whole board (bit `8 * cell + half`). Fields are numbered column by column, as names sort: a1, a2 … b1.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from companion.games.bits import bits
from companion.games.via.tileset import HALVES, Grid, Lie

FACING = (3, 6, 5, 0, 7, 2, 1, 4)
"""The neighbour's half-side that touches half-side 0, 1, 2 …"""

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Column and row to the neighbour at side N, E, S, W."""


class Fields:
    """What does not change during a game: neighbours, and what each tile does on each field.

    `neighbours[cell]`: (side, cell). `around[cell]`: the half-sides of neighbours that touch the field. `fitting[lie]`:
    for each side the road tiles that may lie there. `pieces[cell][lie]`: for each part of land the half-sides that it
    has, and those of neighbours that it touches. `leads[cell][lie]`: the lowest half-side of each part that counts.
    """

    def __init__(self, grid: Grid, lies: tuple[Lie, ...], *, land_alike: bool, start_counts: bool) -> None:
        self.grid, self.lies = grid, lies
        self.count = grid.columns * grid.rows
        self.neighbours = tuple(tuple(self._neighbours(cell)) for cell in range(self.count))
        self.beside = tuple(sum(1 << other for _, other in near) for near in self.neighbours)
        self.around = tuple(self._touching(cell, (1 << HALVES) - 1) for cell in range(self.count))
        roads = [k for k, lie in enumerate(lies) if lie.kind.type in ("straight", "curvy")]
        self.roads = sum(1 << k for k in roads)
        self.fitting = tuple(
            tuple(sum(1 << k for k in roads if lie.fits(side, lies[k], land_alike=land_alike)) for side in range(4))
            for lie in lies
        )
        self.pieces = tuple(
            tuple(tuple((part << HALVES * cell, self._touching(cell, part)) for part in lie.parts) for lie in lies)
            for cell in range(self.count)
        )
        lead = [sum(part & -part for part in lie.parts) for lie in lies]
        counted = [start_counts or lie.kind.type != "start" for lie in lies]
        self.leads = tuple(
            tuple(n << HALVES * cell if counts else 0 for n, counts in zip(lead, counted, strict=True))
            for cell in range(self.count)
        )

    def _neighbours(self, cell: int) -> Iterator[tuple[int, int]]:
        column, row = divmod(cell, self.grid.rows)
        for side, (dx, dy) in enumerate(STEPS):
            if 0 <= column + dx < self.grid.columns and 0 <= row + dy < self.grid.rows:
                yield side, (column + dx) * self.grid.rows + row + dy

    def _touching(self, cell: int, halves: int) -> int:
        """The half-sides of neighbours that these half-sides of the field touch."""
        mask = 0
        for side, other in self.neighbours[cell]:
            for half in ((2 * side - 1) % HALVES, 2 * side):
                if halves >> half & 1:
                    mask |= 1 << HALVES * other + FACING[half]
        return mask

    @property
    def empty(self) -> Ground:
        """The board without tiles."""
        inner = 0
        for mask in self.around:
            inner |= mask
        every = (1 << self.count) - 1
        return Ground((-1,) * self.count, every, (self.roads,) * self.count, 0, 0, inner, (), 0)


class Ground(NamedTuple):
    """The board with its tiles.

    `tiles[cell]`: the lie there, -1 for none. `free`: the fields without a tile. `fits[cell]`: the road tiles that
    agree with all that borders the field. `ends`: free fields at which a road ends. `land`: free fields that border a
    road or start tile. `border`: half-sides that border a free field, whatever they are half-sides of. `properties`:
    the half-sides of each property that is not closed in. `leads`: one half-side for each part of land that counts.
    """

    tiles: tuple[int, ...]
    free: int
    fits: tuple[int, ...]
    ends: int
    land: int
    border: int
    properties: tuple[int, ...]
    leads: int

    def lay(self, fields: Fields, cell: int, lie: int) -> tuple[Ground, tuple[int, ...]]:
        """The board with one more tile, and the properties that it closes."""
        tiles = (*self.tiles[:cell], lie, *self.tiles[cell + 1 :])
        free = self.free & ~(1 << cell)
        fits, ends, land = self.fits, self.ends, self.land
        if fields.lies[lie].parts:
            fits, ends = self._bound(fields, cell, lie)
            land |= fields.beside[cell]
        border = self.border & ~fields.around[cell]
        there, touched = self._join(fields, cell, lie)
        closed = []
        for one in touched:
            if one & border:
                there.append(one)
            else:
                closed.append(one)
        leads = self.leads | fields.leads[cell][lie]
        return Ground(tiles, free, fits, ends & free, land & free, border, tuple(there), leads), tuple(closed)

    def _bound(self, fields: Fields, cell: int, lie: int) -> tuple[tuple[int, ...], int]:
        """What fits beside the new road or start tile, and the fields at which roads then end."""
        fits, ends, fitting, exits = list(self.fits), self.ends, fields.fitting[lie], fields.lies[lie].exits
        for side, other in fields.neighbours[cell]:
            fits[other] &= fitting[side]
            if exits >> side & 1:
                ends |= 1 << other
        return tuple(fits), ends

    def _join(self, fields: Fields, cell: int, lie: int) -> tuple[list[int], list[int]]:
        """The properties that the new tile does not touch, and those that it touches or makes."""
        around = fields.around[cell]
        there: list[int] = []
        touched: list[int] = []
        for one in self.properties:
            (touched if one & around else there).append(one)
        for part, touching in fields.pieces[cell][lie]:
            apart = []
            for one in touched:
                if one & touching:
                    part |= one
                else:
                    apart.append(one)
            apart.append(part)
            touched = apart
        return there, touched

    def property_at(self, fields: Fields, half: int) -> int:
        """The half-sides of the property, closed in or not, to which a half-side belongs; 0 where there is no land."""
        land, found = 0, [half]
        while found:
            half = found.pop()
            cell = half // HALVES
            if land >> half & 1 or self.tiles[cell] < 0:
                continue
            for part, touching in fields.pieces[cell][self.tiles[cell]]:
                if part >> half & 1:
                    land |= part
                    found += bits(touching)
        return land

    def size(self, land: int) -> int:
        """VIA-BUILD-4: how many parts of land a property has."""
        return (land & self.leads).bit_count()


@cache  # of tiles as they lie, whose masks come again and again
def indices(mask: int) -> tuple[int, ...]:
    """The numbers of the bits that are set, ascending."""
    return tuple(bits(mask))
