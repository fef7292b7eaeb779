"""A record looked at again, entry by entry: what happened, in which position, and by which clauses."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.games.core import Position
from companion.games.registry import load_game
from companion.table.record import Entry, Kind, Record, take
from companion.table.replay import Rules, rules_of, steps
from companion.table.state import Played

SHOWN: Final = ("question", "verdict")
"""The topics of notes that are looked at."""

_CLAUSE: Final = re.compile(r"[A-Z]{3}-[A-Z]+-\d+")


@dataclass(frozen=True, slots=True)
class Moment:
    """One entry of a record. `before` and `after`: the positions around it; `played`: the action that it plays or
    corrects, as it counted then; `clauses`: those that it names; `counts`: whether its action counts in the end.
    """

    entry: Entry
    before: Position[Any]
    after: Position[Any]
    played: Played | None
    clauses: tuple[str, ...]
    counts: bool = True

    @property
    def player(self) -> int | None:
        """Whom it is about: who acted, or was to act."""
        return self.played.player if self.played else self.before.turn if self.before.turn != -1 else None

    @property
    def told(self) -> Mapping[str, Any]:
        """What a note says, as data; empty where it is not a note of that kind."""
        if self.entry.kind is not Kind.NOTE or not self.entry.text:
            return {}
        try:
            told = ast.literal_eval(self.entry.text)
        except (ValueError, SyntaxError):
            return {}
        return told if isinstance(told, dict) else {}


def moments(record: Record, rules: Rules = load_game) -> tuple[Moment, ...]:
    """Every entry worth looking at, in the order in which they were made, also those taken back later.

    Raises:
        GameError, SetError, RecordTextError, DamagedError: the record cannot be played through.
    """
    game = rules_of(record, rules)
    positions: list[Position[Any]] = [game.new(len(record.players), record.options)]
    counting: list[Entry] = []
    last = {entry.number for entry in record.counting()}
    found: list[Moment] = []
    for entry in record.entries:
        now = take(counting, entry)
        same = next((k for k, pair in enumerate(zip(counting, now, strict=False)) if pair[0] != pair[1]),
                    min(len(counting), len(now)))  # fmt: skip
        before, changed = positions[-1], list(steps(game, positions[same], now[same:], same + 1))
        positions[same + 1 :] = [after for _, after in changed]
        counting = now
        played = changed[0][0] if changed else None
        if entry.kind is Kind.CORRECT:
            before = positions[same]
        if entry.kind is not Kind.NOTE or entry.who in SHOWN:
            counts = entry.kind is not Kind.PLAY or entry.number in last
            found.append(Moment(entry, before, positions[-1], played, clauses_in(entry, game.clauses), counts))
    return tuple(found)


def clauses_in(entry: Entry, known: Any) -> tuple[str, ...]:
    """The clauses that an entry names, each once."""
    return tuple(dict.fromkeys(name for name in _CLAUSE.findall(entry.text or "") if name in known))
