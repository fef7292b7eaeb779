"""The actions of Labyria and their notation.

Fields, edges and crossings are called by their names (`c4`, `c4-d4`, `c4`), a corner's two arms by `NE`, `SE`, `SW` or
`NW`. Data classes, since actions with the same places are not the same: `add c4-d4` is not `remove c4-d4`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance: the player's number die, in setting up and for the start."""

    player: int
    number: int

    def __str__(self) -> str:
        return f"roll {self.player} {self.number}"


@dataclass(frozen=True, slots=True)
class Square:
    """A square onto an edge, in setting up."""

    edge: str

    def __str__(self) -> str:
        return f"square {self.edge}"


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner onto a crossing, in setting up."""

    crossing: str
    arms: str

    def __str__(self) -> str:
        return f"corner {self.crossing} {self.arms}"


@dataclass(frozen=True, slots=True)
class Dice:
    """Chance: the turn's two dice."""

    number: int
    symbol: str

    def __str__(self) -> str:
        return f"dice {self.number} {self.symbol}"


@dataclass(frozen=True, slots=True)
class Add:
    """Plus: a square from the depot onto an edge."""

    edge: str

    def __str__(self) -> str:
        return f"add {self.edge}"


@dataclass(frozen=True, slots=True)
class Remove:
    """Minus: a square off the board into the depot."""

    edge: str

    def __str__(self) -> str:
        return f"remove {self.edge}"


@dataclass(frozen=True, slots=True)
class Turn:
    """Rotate: a corner to another of its directions."""

    crossing: str
    arms: str

    def __str__(self) -> str:
        return f"turn {self.crossing} {self.arms}"


@dataclass(frozen=True, slots=True)
class Move:
    """A figure from field to field; ending on an enemy figure is an attack."""

    start: str
    end: str

    def __str__(self) -> str:
        return f"move {self.start} {self.end}"


@dataclass(frozen=True, slots=True)
class Defend:
    """Chance: the defender's symbol."""

    symbol: str

    def __str__(self) -> str:
        return f"defend {self.symbol}"


@dataclass(frozen=True, slots=True)
class Shield:
    """The defender's square from the depot between attacker and figure."""

    edge: str

    def __str__(self) -> str:
        return f"shield {self.edge}"


@dataclass(frozen=True, slots=True)
class Evade:
    """Where the attacking figure goes instead; its own field where it stays or comes back."""

    end: str

    def __str__(self) -> str:
        return f"evade {self.end}"


@dataclass(frozen=True, slots=True)
class Pass:
    """No figure can move."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Done:
    """The turn ends without further use of the ability."""

    def __str__(self) -> str:
        return "done"


Action = Roll | Square | Corner | Dice | Add | Remove | Turn | Move | Defend | Shield | Evade | Pass | Done
