"""What screens, lights and command lines may know of the table: one immutable snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from companion.games.core import Action, Event, Position
from companion.referee.decision import Asks, Refuses
from companion.vision.observation import Scene


class By(Enum):
    """Where an entry of the record comes from."""

    CAMERA = "camera"
    INFERRED = "inferred"
    HAND = "hand"
    DICE = "dice"
    RULING = "ruling"


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table; `seat` numbers the places of the set, `colour` and `symbol` mark them on screen."""

    name: str
    seat: int
    colour: str
    symbol: str


@dataclass(frozen=True, slots=True)
class Played:
    """One action that counts, with what it brought about. `time`: seconds of the source, where it has any; `stamp`: the
    wall clock, seconds since 1970.
    """

    number: int
    action: Action
    player: int | None
    by: By
    confidence: float | None
    events: tuple[Event, ...]
    time: float | None
    stamp: float
    picture: str | None


@dataclass(frozen=True, slots=True)
class TableState:
    """The table at one moment. `position` is what players may know of it. `scene` is None where no camera looks on;
    `issue` is what has to be settled first; `seen` are actions that the table shows, but that may still be taken back.
    `notice` says what is wrong with the camera, and `fault` is the error behind it, where there is one. `drifted`: the
    set's colours have looked otherwise than its file says for long. `commitment`:
    the hash that binds the dice to their seed; `seed`: that seed, once the game has ended.
    """

    players: tuple[Player, ...]
    position: Position[Any]
    played: tuple[Played, ...]
    scene: Scene | None = None
    issue: Refuses | Asks | None = None
    seen: tuple[Action, ...] = ()
    advice: tuple[tuple[str, tuple[str, ...]], ...] = ()
    notice: str | None = None
    paused: bool = False
    record: str = ""
    commitment: str | None = None
    seed: str | None = None
    fault: Exception | None = None
    drifted: bool = False
