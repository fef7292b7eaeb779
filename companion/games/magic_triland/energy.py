"""Which moves use up the energy exactly (TLD-CARD-4): the search that the rules of moving rest on.

A messenger walks from place to touching place; where it may not cross and where it may not end depends on the others
and on what it carries. Energy left over must be used up exactly by the player's other messengers. To find out for all
ends of a move at once, the search asks which places would spoil the rest if a messenger stood there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from companion.games.bits import bits
from companion.games.magic_triland.items import KINDS, RINGS, Items, kinds
from companion.games.magic_triland.landscape import FIRST_SHORE, GROUND, HOME_PLACES, Landscape
from companion.games.magic_triland.landset import BROADSIDES, Home

ALWAYS = -1
"""Spoiled wherever anybody stands: it is impossible anyway."""


@cache
def forbidden(shores: tuple[tuple[Home, Home], ...], home: int, items: Items) -> int:
    """The broadsides and homes that a messenger of that home may not enter with these items (TLD-MOVE-4 and -5)."""
    owned = {KINDS[kind] for kind in kinds(items)}
    places = HOME_PLACES
    if any(kind >= RINGS for kind in kinds(items)):
        places &= ~(1 << home)
    for k, (name, ends) in enumerate(zip(BROADSIDES, shores, strict=True)):
        if name not in owned and not owned.issuperset(ends):
            places |= 1 << FIRST_SHORE + k
    return places


class Standing(NamedTuple):
    """Where all messengers stand, and which homes and broadsides each may not enter."""

    land: Landscape
    places: tuple[int, ...]
    forbidden: tuple[int, ...]

    def occupied(self, without: int) -> tuple[int, int]:
        """The terraces with at least one messenger, and those with two (TLD-MOVE-2 and -3).

        Messengers in the mask `without` are left out.
        """
        one = two = 0
        for messenger, place in enumerate(self.places):
            if not without >> messenger & 1:
                bit = 1 << place
                two |= one & bit
                one |= bit
        return one & GROUND, two & GROUND

    def ends(self, messenger: int, energy: int, one: int, two: int) -> list[int]:
        """The places where a move can end, for each cost up to the energy; `one` and `two` as of the others."""
        forbidden = self.forbidden[messenger]
        reached = self.land.reached(self.places[messenger], energy, one | forbidden | HOME_PLACES)
        return [places & ~(two | forbidden) for places in reached]

    def moves(self, movers: Sequence[int], energy: int) -> Iterator[tuple[int, int, int]]:
        """Every move after which the rest can be moved exactly by the other movers: messenger, cost, ends."""
        for messenger in movers:
            others = [other for other in movers if other != messenger]
            for cost, ends in self.moves_of(messenger, others, energy):
                yield messenger, cost, ends

    def moves_of(self, messenger: int, others: Sequence[int], energy: int) -> Iterator[tuple[int, int]]:
        """The moves of that messenger, with the others to move the rest: cost, ends."""
        one, two = self.occupied(1 << messenger)
        for cost, ends in enumerate(self.ends(messenger, energy, one, two)):
            if ends and cost < energy:
                ends &= ~self.spoilers(others, energy - cost, 1 << messenger)
            if ends:
                yield cost, ends

    def spoilers(self, movers: Sequence[int], energy: int, without: int) -> int:
        """The terraces on which one messenger more would make it impossible for the movers to use up the energy.

        Messengers in the mask `without` are thought away. `ALWAYS` where it is impossible even so.
        """
        spoiling = ALWAYS
        for messenger in movers:
            spoiling &= self._alone(messenger, energy, without | 1 << messenger)
            if not spoiling:
                return 0
        if len(movers) > 1 and energy > 1:
            for messenger in movers:
                spoiling &= self._divided(messenger, movers, energy, without)
                if not spoiling:
                    return 0
        return spoiling

    def _alone(self, messenger: int, cost: int, without: int) -> int:
        """The spoilers where that messenger uses up all of it."""
        one, two = self.occupied(without)
        barred, closed = one | self.forbidden[messenger], two | self.forbidden[messenger]
        spoiling = ALWAYS
        for crossed, ends in self.land.ways(self.places[messenger], cost):
            if not crossed & barred and ends & ~closed:
                spoiling &= crossed & GROUND | _only_meeting(ends & ~closed, one)
                if not spoiling:
                    return 0
        return spoiling

    def _divided(self, first: int, movers: Sequence[int], energy: int, without: int) -> int:
        """The spoilers where messenger `first` uses up a part, and then the others the rest."""
        others = [other for other in movers if other != first]
        one, two = self.occupied(without | 1 << first)
        barred, closed = one | self.forbidden[first], two | self.forbidden[first]
        spoiling = ALWAYS
        for cost in range(1, energy):
            rest: dict[int, int] = {}
            for crossed, ends in self.land.ways(self.places[first], cost):
                if crossed & barred:
                    continue
                for end in bits(ends & ~closed):
                    if end not in rest:
                        rest[end] = self._moved(first, end).spoilers(others, energy - cost, without)
                    spoiling &= rest[end] | crossed & GROUND | (1 << end & one)
                    if not spoiling:
                        return 0
        return spoiling

    def _moved(self, messenger: int, place: int) -> Standing:
        places = (*self.places[:messenger], place, *self.places[messenger + 1 :])
        return self._replace(places=places)


def _only_meeting(ends: int, one: int) -> int:
    """The only end, where it is a terrace with a messenger: a second one there would close it."""
    return ends & one if ends & ends - 1 == 0 else 0
