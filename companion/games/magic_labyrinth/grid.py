"""The fields of the Magic Labyrinth with the slots between them, by number and by name.

Field `row * columns + column`; slots are numbered field by field, each one under its lower field, the one to the right
before the one above. Sets of fields and of slots are bit masks by number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

NOWHERE: Final = -1
"""Stands for no field, slot, symbol or colour."""


class Way(NamedTuple):
    """From a field through a slot to the next field; `wall` and `there` are the masks of slot and field.

    `onward`: the ways that lead on from there, but not back.
    """

    slot: int
    wall: int
    field: int
    there: int
    onward: tuple[Way, ...] = ()


def cell_names(columns: int, rows: int) -> tuple[str, ...]:
    """The names of the fields by number: a1 lower left, columns are letters."""
    return tuple(f"{chr(97 + column)}{row + 1}" for row in range(rows) for column in range(columns))


class Grid:
    """The fields and slots of a board."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = cell_names(columns, rows)
        self.cell = {name: number for number, name in enumerate(self.cells)}
        self.ends = tuple(self._ends())
        """The two fields of each slot, the lower one first."""
        self.slots = tuple(f"{self.cells[low]}-{self.cells[high]}" for low, high in self.ends)
        self.slot = {name: number for number, name in enumerate(self.slots)}
        self.every_slot = (1 << len(self.slots)) - 1
        single = [self._ways(field) for field in range(len(self.cells))]
        self.around = tuple(
            tuple(way._replace(onward=tuple(on for on in single[way.field] if on.slot != way.slot)) for way in ways)
            for ways in single
        )
        """The ways from each field."""

    def _ends(self) -> Iterator[tuple[int, int]]:
        for field in range(len(self.cells)):
            if (field + 1) % self.columns:
                yield field, field + 1
            if field + self.columns < len(self.cells):
                yield field, field + self.columns

    def _ways(self, field: int) -> tuple[Way, ...]:
        others = ((slot, sum(ends) - field) for slot, ends in enumerate(self.ends) if field in ends)
        return tuple(Way(slot, 1 << slot, other, 1 << other) for slot, other in others)

    def way(self, start: int, end: int) -> Way | None:
        """The way from one field to another, None where they are not next to each other."""
        return next((way for way in self.around[start] if way.field == end), None)
