"""The colours that pictures show, numbered, so that what was computed for one is not computed again: what a table
shows next has about the same ones.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Hashable

import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.light.palette import SOFT

STEP = 0.025
"""Colours that differ by less (natural logarithm) are taken for one: far less than the narrowest spread."""

_DARKEST, _CELLS = int(np.floor(np.log(SOFT / 2) / STEP)), 240
"""The darkest level that there is, in steps, and how many steps above it the lightest level is."""

MOST = 100_000
"""About so many colours are remembered: a game of 20 actions showed half as many."""


class _Table:
    """Rows (n, k) for some colours; `places` (colours,): where each one's row is, -1 where there is none. Under most
    amounts of glare only few colours are seen.
    """

    def __init__(self, rows: Array) -> None:
        self.rows, self.places, self._count = rows, np.empty(0, np.int32), 0

    def unknown(self, numbers: Array, colours: int) -> Array:
        """Those (n,) of so many `colours` that are among `numbers` and have no row, each once."""
        self.places = np.concatenate([self.places, np.full(colours - len(self.places), -1, np.int32)])
        missing = numbers[self.places[numbers] < 0]
        return np.flatnonzero(np.bincount(missing, minlength=1)) if len(missing) else missing

    def add(self, numbers: Array, rows: Array) -> None:
        """Adds the rows (n, k) of the colours with these `numbers` (n,)."""
        end = self._count + len(rows)
        if end > len(self.rows):
            self.rows = np.concatenate([self.rows, np.empty((2 * end - len(self.rows), rows.shape[1]), rows.dtype)])
        self.rows[self._count : end] = rows
        self.places[numbers] = np.arange(self._count, end)
        self._count = end


class Numbering:
    """Numbers of colours on the soft logarithmic scale, shared by all that computes something for them."""

    def __init__(self) -> None:
        self._numbers = np.empty(0, np.int32)  # one more than the number of the colour in each cell
        self._codes = np.empty(0, np.int64)
        self.begun = 0
        """How often it was begun anew."""

    def __len__(self) -> int:
        return len(self._codes)

    def of(self, seen: Array) -> Array:
        """The numbers (n,) of the colours that `seen` (n, 3) are about."""
        if not len(self._numbers) or len(self._codes) > MOST:
            cells = mmap.mmap(-1, 4 * _CELLS**3)  # of which only what is touched needs memory: little of it
            self._numbers, self._codes = np.frombuffer(cells, np.int32), self._codes[:0]
            self.begun += 1
        cell = np.floor(seen * (1 / STEP)).astype(np.int32) - _DARKEST
        np.clip(cell, 0, _CELLS - 1, out=cell)
        codes = (cell[:, 0] * _CELLS + cell[:, 1]) * _CELLS + cell[:, 2]
        numbers: Array = self._numbers[codes]
        if not numbers.all():
            new = np.unique(codes[numbers == 0])
            self._numbers[new] = np.arange(len(new)) + len(self._codes) + 1
            self._codes = np.concatenate([self._codes, new])
            numbers = self._numbers[codes]
        return numbers - 1

    def colours(self, numbers: Array) -> Array:
        """The colours (n, 3) with these `numbers` (n,)."""
        codes = self._codes[numbers]
        cells = np.stack([codes // _CELLS**2, codes // _CELLS % _CELLS, codes % _CELLS], axis=1)
        colours: Array = ((cells + _DARKEST + 0.5) * STEP).astype(np.float32)
        return colours


class Colours:
    """Tables of what was computed for colours, by their numbers."""

    def __init__(self, numbering: Numbering | None = None) -> None:
        self._numbering = Numbering() if numbering is None else numbering
        self._begun = self._numbering.begun
        self._tables: dict[Hashable, _Table] = {}

    def numbered(self, seen: Array) -> Array:
        """The numbers (n,) of the colours that `seen` (n, 3) are about."""
        numbers = self._numbering.of(seen)
        if self._begun != self._numbering.begun:
            self._tables.clear()
            self._begun = self._numbering.begun
        return numbers

    def rows(self, key: Hashable, numbers: Array, compute: Callable[[Array], Array]) -> Array:
        """The rows (n, k) that `compute` gives for the colours with these `numbers` (n,), each colour asked for once;
        `key` tells what is computed.
        """
        if key not in self._tables:
            self._tables[key] = _Table(compute(self._numbering.colours(numbers[:0])))
        table = self._tables[key]
        unknown = table.unknown(numbers, len(self._numbering))
        if len(unknown):
            table.add(unknown, compute(self._numbering.colours(unknown)))
        rows: Array = table.rows.take(table.places[numbers], axis=0)
        return rows
