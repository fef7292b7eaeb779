"""The actions of the Magic Labyrinth and their notation.

Fields and slots are called by their names (`b2`, `b2-c2`). Data classes, since actions with the same words are not the
same: `call red a1-b1` is not `insert red a1-b1`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: the symbol drawn; its chip is laid."""

    symbol: str

    def __str__(self) -> str:
        return f"symbol {self.symbol}"


@dataclass(frozen=True, slots=True)
class Call:
    """A colour is named and the wall pulled."""

    colour: str
    slot: str

    def __str__(self) -> str:
        return f"call {self.colour} {self.slot}"


@dataclass(frozen=True, slots=True)
class Early:
    """A wall is pulled before a colour is named."""

    slot: str

    def __str__(self) -> str:
        return f"early {self.slot}"


@dataclass(frozen=True, slots=True)
class Reveal:
    """Chance: the colour of the wall that was pulled."""

    colour: str

    def __str__(self) -> str:
        return f"reveal {self.colour}"


@dataclass(frozen=True, slots=True)
class Step:
    """Through an open slot to the next field, or to the one beyond if a figure is jumped (`over`, else empty)."""

    end: str
    over: str = ""

    def __str__(self) -> str:
        return f"step {self.over} {self.end}" if self.over else f"step {self.end}"


@dataclass(frozen=True, slots=True)
class Insert:
    """A pulled wall of that colour goes back into a slot."""

    colour: str
    slot: str

    def __str__(self) -> str:
        return f"insert {self.colour} {self.slot}"


@dataclass(frozen=True, slots=True)
class Done:
    """The turn ends without a wrong call and without a symbol."""

    def __str__(self) -> str:
        return "done"


Action = Draw | Call | Early | Reveal | Step | Insert | Done
