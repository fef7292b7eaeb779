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


class House(NamedTuple):
    """A house on the property that holds that part of land (`c4.2`), its first one."""

    part: str

    def __str__(self) -> str:
        return f"house {self.part}"


class Castle(NamedTuple):
    """The castle on the property that holds that part of land, its first one."""

    part: str

    def __str__(self) -> str:
        return f"castle {self.part}"


class Take(NamedTuple):
    """One or two tiles from the stock."""

    tiles: int

    def __str__(self) -> str:
        return "take" if self.tiles == 1 else f"take {self.tiles}"


class End(NamedTuple):
    """The turn ends after laying."""

    def __str__(self) -> str:
        return "end"


class Pass(NamedTuple):
    """Nothing can be laid, and nothing taken."""

    def __str__(self) -> str:
        return "pass"


Action = Draw | Lay | House | Castle | Take | End | Pass
