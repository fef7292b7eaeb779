"""The actions of Triangle and their notation."""

from __future__ import annotations

from typing import NamedTuple


class Draw(NamedTuple):
    """Chance: the player draws that tile. `tile` is None for one that nobody has shown yet (`draw 2 ?`)."""

    player: int
    tile: str | None

    def __str__(self) -> str:
        return f"draw {self.player} {self.tile or '?'}"


class Place(NamedTuple):
    """A tile onto a cell; `rotation` is the lowest that shows the same edges."""

    tile: str
    cell: int
    rotation: int

    def __str__(self) -> str:
        return f"place {self.tile} {self.cell} {self.rotation}"


class Swap(NamedTuple):
    """A tile from the hand into the bag; a draw follows."""

    tile: str

    def __str__(self) -> str:
        return f"swap {self.tile}"


class Pass(NamedTuple):
    """Nothing can be placed, and nothing is swapped."""

    def __str__(self) -> str:
        return "pass"


Action = Draw | Place | Swap | Pass
