"""The finished landscape: places, which of them touch at what cost, and the ways from each to the others.

Places are numbered: the three homes, the three broadsides, then the terraces in the order of their first cells. Sets of
places are bit masks.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.magic_triland.landset import BROADSIDES, HOMES, Cell

FIRST_SHORE = len(HOMES)
FIRST_TERRACE = FIRST_SHORE + len(BROADSIDES)
HOME_PLACES = (1 << FIRST_SHORE) - 1
SHORES = (1 << FIRST_TERRACE) - 1 & ~HOME_PLACES
GROUND = -1 << FIRST_TERRACE
"""All terraces; a mask without end, as the number of terraces differs."""
LEVEL = (*(f"@{home}" for home in HOMES), *(f"~{shore}" for shore in BROADSIDES))
"""The names of homes and broadsides."""

Way = tuple[int, int]
"""The places that are crossed, and all places that can be the end then."""


class Landscape:
    """Terraces and ways (TLD-LAND-1 and -3).

    `names` as in notation, `cells` the cells' numbers of each terrace (none for homes and broadsides), `heights` by
    place, `place_of_cell` the terrace of each cell, `steps` the touching places with what it costs to go there.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        heights: Sequence[int],
        home_cells: Sequence[int],
        shores: Sequence[Sequence[int]],
    ) -> None:
        terraces = _terraces(cells, heights)
        self.names = (*LEVEL, *(cells[terrace[0]].name for terrace in terraces))
        self.number = {name: place for place, name in enumerate(self.names)}
        self.spots = (*range(FIRST_TERRACE), *(FIRST_TERRACE + terrace[0] for terrace in terraces))
        self.cells: tuple[tuple[int, ...], ...] = (((),) * FIRST_TERRACE) + terraces
        self.heights = (0,) * FIRST_TERRACE + tuple(heights[terrace[0]] for terrace in terraces)
        self.place_of_cell = [0] * len(cells)
        for place in range(FIRST_TERRACE, len(self.names)):
            for cell in self.cells[place]:
                self.place_of_cell[cell] = place
        self.steps = self._steps(cells, [(cell,) for cell in home_cells] + [tuple(shore) for shore in shores])
        self.spread = tuple(_by_cost(steps) for steps in self.steps)
        self._ways: list[dict[int, tuple[Way, ...]]] = [{} for _ in self.names]

    def _steps(
        self, cells: Sequence[Cell], level: Sequence[tuple[int, ...]]
    ) -> tuple[tuple[tuple[int, int], ...], ...]:
        """`level`: the cells that each home and each broadside touches."""
        touching: list[set[int]] = [set() for _ in self.names]
        for number, cell in enumerate(cells):
            touching[self.place_of_cell[number]].update(self.place_of_cell[other] for other in cell.neighbours)
        for place, touched in enumerate(level):
            for terrace in {self.place_of_cell[cell] for cell in touched}:
                touching[place].add(terrace)
                touching[terrace].add(place)
        heights = self.heights
        return tuple(
            tuple((other, abs(heights[other] - heights[place])) for other in sorted(found - {place}))
            for place, found in enumerate(touching)
        )

    def reached(self, start: int, energy: int, barred: int) -> list[int]:
        """For each cost up to the energy the places where a walk over places that are not barred can end."""
        ends = [0] * (energy + 1)
        ends[0] = 1 << start
        for spent in range(energy):
            crossing = ends[spent] & ~barred if spent else ends[0]
            while crossing:
                low = crossing & -crossing
                crossing ^= low
                for cost, places in self.spread[low.bit_length() - 1]:
                    if spent + cost <= energy:
                        ends[spent + cost] |= places
        ends[0] = 0
        return ends

    def ways(self, start: int, cost: int) -> tuple[Way, ...]:
        """Every way of exactly that cost over a landscape without messengers, those with few crossed places first.

        The start is crossed only where the way comes back to it; homes are never crossed, since whoever enters one
        stays. Of two ways to one end of which one crosses more places than the other, the longer one is left out:
        whatever bars the shorter one bars it too.
        """
        known = self._ways[start].get(cost)
        if known is None:
            known = self._ways[start][cost] = self._find_ways(start, cost)
        return known

    def _find_ways(self, start: int, cost: int) -> tuple[Way, ...]:
        found: dict[int, int] = {}
        for place, step in self.steps[start]:
            if step == cost:
                found[0] = found.get(0, 0) | 1 << place
            elif step < cost and place >= FIRST_SHORE:
                for crossed, ends in self.ways(place, cost - step):
                    more = crossed | 1 << place
                    found[more] = found.get(more, 0) | ends
        return tuple(_shortest(found))


def _by_cost(steps: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The touching places as a mask for each cost."""
    masks: dict[int, int] = {}
    for place, cost in steps:
        masks[cost] = masks.get(cost, 0) | 1 << place
    return tuple(masks.items())


def _shortest(found: dict[int, int]) -> list[Way]:
    ways: list[Way] = []
    for crossed in sorted(found, key=int.bit_count):
        ends = found[crossed]
        for fewer, reached in ways:
            if fewer & crossed == fewer:
                ends &= ~reached
        if ends:
            ways.append((crossed, ends))
    return ways


def _terraces(cells: Sequence[Cell], heights: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The cells of each terrace, ascending, by their first cells."""
    seen: set[int] = set()
    terraces = []
    for first, height in enumerate(heights):
        if first in seen:
            continue
        seen.add(first)
        terrace = [first]
        for cell in terrace:  # grows while it is gone through
            for other in cells[cell].neighbours:
                if heights[other] == height and other not in seen:
                    seen.add(other)
                    terrace.append(other)
        terraces.append(tuple(sorted(terrace)))
    return tuple(terraces)
