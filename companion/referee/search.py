"""The search for legal sequences of actions that lead from a position to what a picture shows.

Best first: from each position only such actions are followed as make the picture fit better (or, like passing, change
nothing that could be seen), so a single turn takes one look at the legal actions and a missed turn two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Any

from companion.games.core import CHANCE, Action, Position, Sign
from companion.referee.evidence import Differences, Evidence

LOOKS = 4000
"""How many successors a search looks at before it gives up."""

RIVALS = 150
"""How many more it looks at for another explanation once it has one."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A legal sequence of actions after which the position agrees with the picture.

    `choices[k]`: how many actions of chance would have fitted at step k; more than one means that the picture does not
    tell their order. `unseen[k]`: step k changes nothing that a picture shows.
    """

    actions: tuple[Action, ...]
    position: Position[Any]
    cost: float
    choices: tuple[int, ...]
    unseen: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found: the explanations that end in different positions, the likeliest first.

    `exhausted`: every way was followed, so that there is no other explanation.
    """

    explanations: tuple[Explanation, ...]
    exhausted: bool


@dataclass(frozen=True, slots=True)
class _Node:
    actions: tuple[Action, ...]
    position: Position[Any]
    differences: Differences
    choices: tuple[int, ...]
    unseen: tuple[bool, ...]

    @property
    def idle_steps(self) -> int:
        """How many steps in a row, at the end, changed nothing to be seen."""
        idle = 0
        for unseen in reversed(self.unseen):
            if not unseen:
                break
            idle += 1
        return idle


def explain_picture(position: Position[Any], evidence: Evidence) -> Search:
    """Every legal sequence that the picture suggests, up to a limit of effort."""
    start = _Node((), position, evidence.compare(position.view()._replace(leaving=frozenset())), (), ())
    order = count()
    waiting = [(start.differences.distance, next(order), start)]
    reached = {position}
    found: dict[Position[Any], Explanation] = {}
    looks, limit = 0, LOOKS
    while waiting and looks < limit:
        node = heappop(waiting)[2]
        successors = list(_successors(node, evidence))
        looks += len(successors) + 1
        for successor in successors:
            if successor.position in reached:
                continue
            reached.add(successor.position)
            if not successor.differences and not successor.unseen[-1]:
                limit = min(limit, looks + RIVALS)
                found[successor.position] = Explanation(
                    successor.actions,
                    successor.position,
                    successor.differences.cost,
                    successor.choices,
                    successor.unseen,
                )
            else:
                heappush(waiting, (successor.differences.distance, next(order), successor))
    return Search(tuple(sorted(found.values(), key=lambda e: (e.cost, len(e.actions)))), not waiting)


def _successors(node: _Node, evidence: Evidence) -> Iterator[_Node]:
    """The successors that fit the picture better, and those by which nothing is to be seen."""
    position, before = node.position, node.differences
    by_chance = position.turn == CHANCE
    better: list[tuple[Action, Position[Any], Differences]] = []
    for action in position.legal_actions():
        if not _possible(position.signs(action), evidence):
            continue
        after = position.play(action)
        differences = evidence.compare(after.view())
        if differences.distance < before.distance:
            better.append((action, after, differences))
        elif not by_chance and node.idle_steps < position.players and unseen(position, after):
            yield _Node((*node.actions, action), after, differences, (*node.choices, 0), (*node.unseen, True))
    if by_chance:
        # What lies on the first sites is taken as drawn first: the order in which people fill a rack.
        better.sort(key=lambda way: [site in way[2].extra for site in before.extra])
    for action, after, differences in better:
        yield _Node(
            (*node.actions, action),
            after,
            differences,
            (*node.choices, len(better) if by_chance else 0),
            (*node.unseen, False),
        )


def _possible(signs: tuple[Sign, ...], evidence: Evidence) -> bool:
    return all(evidence.may_show(sign) for sign in signs)


def unseen(before: Position[Any], after: Position[Any]) -> bool:
    """Whether both positions look alike in a picture."""
    a, b = before.view(), after.view()
    return a.sites == b.sites and a.groups == b.groups
