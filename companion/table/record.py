"""The record of one game: a list of entries, never changed, only added to; and which actions count by it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from companion.table.errors import DamagedError
from companion.table.state import By, Player


class Kind(Enum):
    """What an entry says."""

    PLAY = "play"  # an action
    UNDO = "undo"  # the actions from `target` on are taken back
    CORRECT = "correct"  # the action with the number `target` was another one
    RULING = "ruling"  # `who` ruled `text`
    NOTE = "note"  # what was shown or asked: `who` is the topic, `text` the words
    PAUSE = "pause"  # `text` is `pause` or `go on`
    RESULT = "result"  # the game is over or given up: `text` is the ending as JSON


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `number`: its place in the record, from 1; the clock (`stamp`, seconds since 1970) may jump, the
    number does not. `action` in notation; `time` in seconds of the source; `picture` relative to the data folder.
    `target`: a place in the list of actions that count, from 1.
    """

    number: int
    kind: Kind
    stamp: float
    action: str | None = None
    by: By | None = None
    confidence: float | None = None
    time: float | None = None
    picture: str | None = None
    target: int | None = None
    who: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended, at `stamp`: with scores and winners, or `given_up`, which counts for nobody."""

    stamp: float
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """The record of one game. `set_file`: path of a set file other than the game's own. `hidden_draws`: what was drawn
    need not be told. `place`: among the records of its store, from 1; 0 where it comes from elsewhere.
    """

    name: str
    game: str
    players: tuple[Player, ...]
    started: float
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    set_file: str | None = None
    hidden_draws: bool = False
    entries: tuple[Entry, ...] = ()
    ending: Ending | None = None
    place: int = field(default=0, compare=False)

    def counting(self) -> tuple[Entry, ...]:
        """The entries whose actions count, in order, after undo and corrections; each shows its action as corrected.

        Raises:
            DamagedError: an entry points at an action that there is not.
        """
        counting: list[Entry] = []
        for entry in self.entries:
            try:
                counting = take(counting, entry)
            except IndexError as error:
                raise DamagedError(
                    f"record {self.name}: entry {entry.number} points at action {entry.target}, which there is not; "
                    f"export what comes before it, or leave this record out"
                ) from error
        return tuple(counting)


def in_order(records: Iterable[Record]) -> list[Record]:
    """The records in the order in which they were begun: as their store has them, for clocks may jump; only those of
    which it has not all by the clock.
    """
    known = list(records)
    if all(record.place for record in known):
        return sorted(known, key=lambda record: record.place)
    return sorted(known, key=lambda record: record.started)


def take(counting: Iterable[Entry], entry: Entry) -> list[Entry]:
    """The entries that count once `entry` is added.

    Raises:
        IndexError: the entry points at an action that there is not.
    """
    actions = list(counting)
    if entry.kind is Kind.PLAY:
        return [*actions, entry]
    if entry.kind not in (Kind.UNDO, Kind.CORRECT):
        return actions
    if entry.target is None or not 1 <= entry.target <= len(actions):
        raise IndexError(entry.target)
    if entry.kind is Kind.UNDO:
        return actions[: entry.target - 1]
    before = actions[entry.target - 1]
    actions[entry.target - 1] = replace(
        before, action=entry.action, by=entry.by, confidence=entry.confidence, stamp=entry.stamp
    )
    return actions
