"""Where a figure gets to in an exact number of steps. Sets of fields are bit masks (see `grid`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.labyria.grid import Grid

DEEP = 5
"""With so many steps left it pays to ask first whether walking on at all leads to a field that is still wanted."""


class Attack(NamedTuple):
    """A figure on `start` attacks the one on `end` (fields as masks); `again`: by entering fields more than once."""

    start: int
    end: int
    again: bool


class Reach(NamedTuple):
    """Where each figure that a player has in the game can go, by its field (masks); `again` as in `Attack`."""

    ends: Mapping[int, int]
    again: bool


class Walker:
    """Walks between the walls of a board.

    `through` are the fields that may be walked through, `ends` those to end on; a single field is a mask too.
    """

    __slots__ = ("columns", "east", "north")

    def __init__(self, grid: Grid, walls: int) -> None:
        self.columns = grid.columns
        self.east = grid.east & ~walls
        self.north = grid.north & ~(walls >> grid.count)

    def step(self, cells: int) -> int:
        """The fields one step away from any of `cells`."""
        east, north, columns = self.east, self.north, self.columns
        beside = (cells & east) << 1 | (cells >> 1) & east
        return beside | (cells & north) << columns | (cells >> columns) & north

    def walk(self, start: int, steps: int, through: int, ends: int) -> int:
        """The ends of walks that may enter fields again and again."""
        for _ in range(steps - 1):
            start = self.step(start) & through
        return self.step(start) & ends

    def region(self, start: int, steps: int, through: int) -> int:
        """The fields, the start among them, that no more than so many steps lead to."""
        region = start
        for _ in range(steps):
            region |= self.step(region) & through
        return region

    def paths(self, start: int, steps: int, through: int, ends: int) -> int:
        """The ends of walks that enter no field twice, the start included."""
        return self._search(start, steps, through, ends, False)[0]

    def path(self, start: int, steps: int, through: int, end: int) -> int:
        """The fields of such a walk to `end` (with some more beside its last step but one); 0 if there is none."""
        found, entered = self._search(start, steps, through, end, True)
        return found | entered if found else 0

    def way(self, start: int, steps: int, through: int, end: int, *, again: bool = False) -> tuple[int, ...]:
        """The fields of one walk to `end`, from `start` on; empty where there is none. `again`: it may enter fields
        more than once.
        """

        def onward(cells: tuple[int, ...], free: int) -> tuple[int, ...]:
            left = steps - len(cells) + 1
            if not left:
                return cells
            around = self.step(cells[-1]) & (end if left == 1 else through) & free
            while around:
                bit = around & -around
                around ^= bit
                rest = free if again else free & ~bit
                if left == 1 or self.walk(bit, left - 1, through & rest, end & rest):
                    found = onward((*cells, bit), rest)
                    if found:
                        return found
            return ()

        return onward((start,), -1 if again else ~start)

    def _search(self, start: int, steps: int, through: int, ends: int, one: bool) -> tuple[int, int]:
        """Ends that are reached, and the fields before the last one that was found; `one`: any of them is enough.

        Depth first, as long as an end that was not found yet may be reached. The last two steps are taken at once: no
        field can come twice in them.
        """
        wanted = self.walk(start, steps, through & ~start, ends & ~start)
        if steps == 1 or not wanted:
            return wanted, start
        east, north, columns, walk = self.east, self.north, self.columns, self.walk
        found = entered = 0

        def explore(cell: int, free: int, left: int) -> None:
            nonlocal wanted, found, entered
            around = (cell & east) << 1 | (cell >> 1) & east | (cell & north) << columns | (cell >> columns) & north
            around &= free & through
            if left == 2:
                hits = (around & east) << 1 | (around >> 1) & east
                hits |= (around & north) << columns | (around >> columns) & north
                if hits & free & wanted:
                    found |= hits & free & wanted
                    wanted = 0 if one else wanted & ~found
                    entered = ~free | around
                return
            left -= 1
            while around and wanted:
                bit = around & -around
                around ^= bit
                if left < DEEP or walk(bit, left, free & through & ~bit, free & wanted):
                    explore(bit, free ^ bit, left)

        explore(start, ~start, steps)
        return found, entered
