"""Dice in a record: the commitment before the first roll, every roll, and the seed once the game has ended.

They are notes of the record, so that nothing is lost where an action is taken back. The seed itself is kept apart from
the record until it is revealed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from companion.table.dice import Dice, Roll, check
from companion.table.record import Entry, Kind

COMMITMENT: Final = "dice commitment"
ROLL: Final = "dice roll"
SEED: Final = "dice seed"
TOPICS: Final = (COMMITMENT, ROLL, SEED)
"""The topics of the notes."""


def of_roll(roll: Roll) -> str:
    """The text of the note about a roll."""
    return json.dumps({"number": roll.number, "dice": roll.dice, "faces": roll.faces})


def to_roll(text: str) -> Roll:
    """The roll that a note is about."""
    told = json.loads(text)
    return Roll(told["number"], tuple(map(tuple, told["dice"])), tuple(told["faces"]))


def notes(entries: Iterable[Entry]) -> list[Entry]:
    """The notes about dice since the last commitment, that first; none where nothing was committed."""
    found: list[Entry] = []
    for entry in entries:
        if entry.kind is Kind.NOTE and entry.who in TOPICS:
            found = [entry] if entry.who == COMMITMENT else [*found, entry]
    return found


def commitment_of(entries: Iterable[Entry]) -> str | None:
    """The commitment that was shown last."""
    found = notes(entries)
    return found[0].text if found else None


def revealed(entries: Iterable[Entry]) -> str | None:
    """The seed that belongs to it, once it is revealed."""
    return next((entry.text for entry in notes(entries) if entry.who == SEED), None)


def rolls_of(entries: Iterable[Entry]) -> tuple[Roll, ...]:
    """The rolls since then."""
    return tuple(to_roll(entry.text or "") for entry in notes(entries) if entry.who == ROLL)


def dice_of(entries: Iterable[Entry], seed: str) -> Dice:
    """The dice as they were after the last roll.

    Raises:
        DiceError: the rolls do not follow from the seed.
    """
    return Dice(seed, rolls_of(entries))


def verify(entries: Sequence[Entry]) -> None:
    """Checks a record whose seed is revealed.

    Raises:
        DiceError: the seed is not the one committed, or a roll is not what it gives.
    """
    commitment, seed = commitment_of(entries), revealed(entries)
    if commitment is not None and seed is not None:
        check(commitment, seed, rolls_of(entries))
