"""What people at a simulated table tap on the screen: what no picture tells, and answers to what they are asked."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from companion.games.core import CHANCE, Action, Position
from companion.referee.decision import Asks, Refuses
from companion.table.conductor import Conductor
from companion.table.errors import IllegalSequenceError
from companion.table.rehearsal import Rehearsal
from hardware.simulated.script import Done, Enter
from hardware.simulated.table import SimulatedTable

LOG = logging.getLogger(__name__)

HESITATION = 1.5
"""Seconds that people take to answer."""

PATIENCE = 12.0
"""Seconds after which people put the record right by hand where it is stuck."""

AHEAD = 12
"""Of so many actions that are not on record people tell the one that they are asked about."""


class Tapping:
    """The taps that belong to a rehearsal on its table, which began after so many actions were on record.

    People who are `attentive` go on only when what players did is on record and nothing is asked; where the record is
    stuck, they put it right by hand, `by_hand` counts how often.
    """

    def __init__(
        self, rehearsal: Rehearsal, table: SimulatedTable, before: int = 0, *, attentive: bool = False
    ) -> None:
        self._rehearsal, self._table, self._before = rehearsal, table, before
        self._heard = 0
        self._asked: Asks | Refuses | None = None
        self._since = 0.0
        self._first: Position[Any] = rehearsal.position
        self._shown = self._first  # what the table shows
        self._done: list[str] = []
        self._early: list[str] = []  # done before their time
        self._told = Counter[str]()  # what answers have told that is not done yet
        self._visible = 0  # how many actions were done up to the last one of a player that is to be seen
        self._recorded, self._stuck, self._waiting = 0, 0.0, False
        self.by_hand = 0
        self._attentive = attentive
        if attentive:
            table.may_go_on = self._may_go_on

    def tap(self, conductor: Conductor, moment: float) -> None:
        """Whatever is due at that time, seconds."""
        happened = self._table.happened[self._heard :]
        self._heard += len(happened)
        for one in happened:
            if isinstance(one.what, Enter) and not self._told[one.what.action]:
                self._enter(conductor, one.what.action)
            elif isinstance(one.what, Done):
                self._told -= Counter([one.what.action])
                self._do(one.what.action)
        issue = conductor.state().issue
        if issue is not self._asked:
            self._asked, self._since = issue, moment
        if isinstance(self._asked, Asks) and moment - self._since >= HESITATION:
            choice = self._right(conductor, self._asked)
            if choice is not None:
                self._answer(conductor, choice, [str(action) for action in self._asked.choices[choice]])
        self._watch_record(conductor, moment)

    def _enter(self, conductor: Conductor, text: str) -> None:
        """Enters what a player does; where the screen still waits for the one before to do the same, that first."""
        unseen, record = self._done[self._visible :], self._record(conductor)
        if self._visible:
            *earlier, last = self._done[: self._visible]
            same = [number for number, one in enumerate(record) if one == last][earlier.count(last) :]
            since = record[same[0] + 1 :] if same else []
        else:
            since = record
        known = since.count(text) + [str(action) for action in conductor.said].count(text)
        for _ in range(2 if unseen.count(text) > known else 1):
            conductor.hear(self._rehearsal.game.parse(text))

    def _answer(self, conductor: Conductor, choice: int, texts: Sequence[str]) -> None:
        """Answers a question; what the answer tells before it is done needs no entering any more."""
        self._told += Counter(texts) - (Counter(self._done) - Counter(self._record(conductor)))
        conductor.answer(choice)

    def _do(self, text: str) -> None:
        """Takes note of what the table shows; what comes before its time, as where a draw was forgotten, counts when
        that has been made up for.
        """
        self._early.append(text)
        while text := next(filter(self._in_time, self._early), ""):
            self._early.remove(text)
            before, self._shown = self._shown, self._shown.play(self._rehearsal.game.parse(text))
            self._done.append(text)
            if before.turn != CHANCE and self._shown.view() != before.view():
                self._visible = len(self._done)

    def _in_time(self, text: str) -> bool:
        return self._shown.explain(self._rehearsal.game.parse(text)) is None

    def _may_go_on(self, done: int) -> bool:
        settled = self._asked is None and done == len(self._done) and self._recorded >= self._visible
        self._waiting = not settled
        return settled

    def _watch_record(self, conductor: Conductor, moment: float) -> None:
        """Puts the record right where it has been stuck for long."""
        recorded = len(conductor.state().played) - self._before
        settled = recorded >= self._visible and self._asked is None
        waiting = self._waiting or self._table.ended is not None
        if recorded != self._recorded or settled or not waiting:
            self._recorded, self._stuck = recorded, moment
        elif self._attentive and moment - self._stuck >= PATIENCE:
            self._stuck = moment
            self._put_right(conductor)

    def _put_right(self, conductor: Conductor) -> None:
        """Takes back what was recorded wrongly, enters what is missing, and says that so it is."""
        self.by_hand += 1
        LOG.info("recorded %s, but done %s", self._record(conductor)[-3:], self._done[-3:])
        while Counter(self._record(conductor)) - Counter(self._done):
            conductor.undo()
        while missing := self._missing(conductor):
            try:
                conductor.enter(self._rehearsal.game.parse(missing))
            except IllegalSequenceError as error:
                LOG.info("%s", error)
                if self._record(conductor):
                    conductor.undo()  # the record may be in another order: next time from farther back
                return
        conductor.trust()

    def _missing(self, conductor: Conductor) -> str | None:
        """The first of the actions that were done and are not on record."""
        left = Counter(self._record(conductor))
        for text in self._done:
            if not left[text]:
                return text
            left[text] -= 1
        return None

    def _record(self, conductor: Conductor) -> list[str]:
        """What was recorded of this rehearsal."""
        return [str(one.action) for one in conductor.state().played[self._before :]]

    def _right(self, conductor: Conductor, question: Asks) -> int | None:
        """Which choice is what happened next, where it is just one; of those that go on as it does, the one that tells
        most of what has happened.
        """
        missing = self._not_on_record(conductor)
        done = Counter(self._done) - Counter(self._record(conductor))
        for count in range(1, min(AHEAD, len(missing)) + 1):
            right = [number for number, choice in enumerate(question.choices) if comes_next(choice, missing[:count])]
            if len(right) > 1:
                return None
            if right:
                first = question.choices[right[0]]
                longer = (
                    (len(choice), number)
                    for number, choice in enumerate(question.choices)
                    if choice[: len(first)] == first
                    and comes_next(choice, missing)
                    and Counter(map(str, choice)) <= done
                )
                return max(longer, default=(0, right[0]))[1]
        return None

    def _not_on_record(self, conductor: Conductor) -> list[tuple[str, bool]]:
        """What happened and is not on record, in order, and whether chance did it; where the game was as the record has
        it, all that happened since, whatever led there.
        """
        actions, turns = self._rehearsal.actions, self._rehearsal.turns
        now = conductor.before(len(conductor.state().played) + 1)
        positions = accumulate(actions, lambda position, action: position.play(action), initial=self._first)
        since = max((number for number, position in enumerate(positions) if position == now), default=0)
        recorded, missing = Counter([] if since else self._record(conductor)), []
        for action, turn in zip(actions[since:], turns[since:], strict=True):
            if recorded[str(action)]:
                recorded[str(action)] -= 1
            else:
                missing.append((str(action), turn == CHANCE))
        return missing


def comes_next(actions: Sequence[Action], missing: Sequence[tuple[str, bool]]) -> bool:
    """Whether the actions are among the missing ones, in their order: those of players as the first of them, while what
    chance did in between may be found out later, or the other way round.
    """
    when: dict[str, list[int]] = {}
    moment, acted = 0, []
    for text, by_chance in missing:
        acted += [] if by_chance else [text]
        when.setdefault(text, []).append(moment if by_chance else moment + 1)
        moment += 0 if by_chance else 2
    texts = [str(action) for action in actions]
    if Counter(texts) - Counter(text for text, _ in missing):
        return False
    own, moments = [text for text in texts if text in acted], [when[text].pop(0) for text in texts]
    return own == acted[: len(own)] and moments == sorted(moments)
