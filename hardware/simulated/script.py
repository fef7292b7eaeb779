"""What happens on a simulated table: a sequence of steps, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.simulated.scene import STILL, Shift


@dataclass(frozen=True, slots=True)
class Carry:
    """A hand takes the piece `source` (a site; None: from outside the picture) and puts it on `target` (None: away).

    `label` is what lies there afterwards, or, where it goes away, what was taken: of a stack that piece is taken, else
    the upper one; of things that share a site, the one of that name. Where the label itself says the place, `source`
    and `target` are the same. `via`: sites over which it is pushed, flat on the board, before it lies. `pace`: 1 for
    usual, 2 for twice as fast.
    """

    seat: int
    source: str | None
    target: str | None
    label: str
    via: tuple[str, ...] = ()
    pace: float = 1.0


@dataclass(frozen=True, slots=True)
class Rest:
    """A hand comes, rests over a site for some seconds, and goes."""

    seat: int
    site: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing happens for some seconds; where pauses are shortened, still for `least`."""

    seconds: float
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class Heed:
    """People wait for those who keep the record (`SimulatedTable.may_go_on`), but at most so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Push:
    """Board, corner cards (by index) or camera are displaced, by so much more than they are."""

    board: Shift = STILL
    cards: Mapping[int, Shift] = field(default_factory=dict)
    camera: Shift = STILL


@dataclass(frozen=True, slots=True)
class Cover:
    """These corner cards (by index) are covered from now on, and no others."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dark:
    """The camera sees nothing from now on, or sees again."""

    on: bool


@dataclass(frozen=True, slots=True)
class Lay:
    """These sites show these labels at once (a stack from the lowest up, empty for none), with no hand."""

    stacks: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Done:
    """From now on the table shows that this action was made (in notation)."""

    action: str


@dataclass(frozen=True, slots=True)
class Enter:
    """Somebody taps this action (in notation) on the screen: dice, calls, cards, whatever no picture tells.

    The table shows it later, or not at all; `Done` says when.
    """

    action: str


@dataclass(frozen=True, slots=True)
class Note:
    """Says that a mishap begins (`what` names it) or, with `over`, that the table is right again."""

    what: str
    over: bool = False


Step = Carry | Rest | Wait | Heed | Push | Cover | Dark | Lay | Done | Enter | Note
