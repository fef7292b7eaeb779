"""The actions of VIA and their notation."""

from __future__ import annotations

from typing import NamedTuple


class Draw(NamedTuple):
    """Chance: the player draws a tile of that kind. `kind` is None for one that nobody has shown (`draw 1 ?`)."""

    player: int
    kind: str | None

    def __str__(self) -> str:
        return f"draw {self.player} {self.kind or '?'}"


class Lay(NamedTuple):
    """A tile onto a field; `rotation` is the lowest that gives the same parts and exits."""

    kind: str
    cell: str
    rotation: int

    def __str__(self) -> str:
        return f"lay {self.kind} {self.cell} {self.rotation}"


class Build(NamedTuple):
    """A `house` or `castle` on the property that holds that part of land (`c4.2`), its first one."""

    piece: str
    part: str

    def __str__(self) -> str:
        return f"{self.piece} {self.part}"


class Word(NamedTuple):
    """What a player does with the turn otherwise: `take` one tile, `take 2`, `end` it after laying, `pass`."""

    word: str

    def __str__(self) -> str:
        return self.word


TAKE, TAKE_TWO, END, PASS = map(Word, ("take", "take 2", "end", "pass"))

Action = Draw | Lay | Build | Word
"""Tuples that are different even where their class is left out of account."""
