"""What people at a simulated table tap on the screen: what no picture tells, and answers to what they are asked."""

from __future__ import annotations

from collections import Counter

from companion.games.core import Action
from companion.referee.decision import Asks
from companion.table.conductor import Conductor
from companion.table.rehearsal import Rehearsal
from hardware.simulated.script import Enter
from hardware.simulated.table import SimulatedTable

HESITATION = 1.5
"""Seconds that people take to answer."""


AHEAD = 12
"""How many actions later than the last one on record people may have made what they are asked about."""


class Tapping:
    """The taps that belong to a rehearsal on its table, which began after so many actions were on record."""

    def __init__(self, rehearsal: Rehearsal, table: SimulatedTable, before: int = 0) -> None:
        self._rehearsal, self._table, self._before = rehearsal, table, before
        self._heard = 0
        self._asked: Asks | None = None
        self._since = 0.0

    def tap(self, conductor: Conductor, moment: float) -> None:
        """Whatever is due at that time, seconds."""
        happened = self._table.happened[self._heard :]
        self._heard += len(happened)
        for one in happened:
            if isinstance(one.what, Enter):
                conductor.hear(self._rehearsal.game.parse(one.what.action))
        issue = conductor.state().issue
        if issue is not self._asked:
            self._asked, self._since = issue if isinstance(issue, Asks) else None, moment
        if self._asked is not None and moment - self._since >= HESITATION:
            choice = self._right(conductor, self._asked)
            if choice is not None:
                conductor.answer(choice)

    def _right(self, conductor: Conductor, question: Asks) -> int | None:
        """Which choice is what happened next, where it is just one."""
        happened = [str(action) for action in self._rehearsal.actions]
        recorded = [str(one.action) for one in conductor.state().played[self._before :]]
        for ahead in range(1, AHEAD):
            left = Counter(happened[: len(recorded) + ahead])
            left.subtract(recorded)
            right = [number for number, choice in enumerate(question.choices) if _among(choice, left)]
            if right:
                return right[0] if len(right) == 1 else None
        return None


def _among(actions: tuple[Action, ...], left: Counter[str]) -> bool:
    return all(left[text] >= count for text, count in Counter(map(str, actions)).items())
