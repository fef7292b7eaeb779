"""The search for legal sequences of actions that lead from a position to what a picture shows.

Best first: from each position only such actions are followed as make the picture fit better (or, like passing, change
nothing that could be seen), so a single turn takes one look at the legal actions and a missed turn two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
    """A sequence tried so far; `stage` counts the pictures that it has passed already."""

    position: Position[Any]
    stage: int
    differences: Differences
    actions: tuple[Action, ...] = ()
    choices: tuple[int, ...] = ()
    unseen: tuple[bool, ...] = ()

    def then(self, action: Action, after: Position[Any], differences: Differences, choices: int, idle: bool) -> _Node:
        """The node one action further."""
        actions, by_chance, unseen = (*self.actions, action), (*self.choices, choices), (*self.unseen, idle)
        return _Node(after, self.stage, differences, actions, by_chance, unseen)

    @property
    def idle_steps(self) -> int:
        """How many steps in a row, at the end, changed nothing to be seen."""
        return next((k for k, unseen in enumerate(reversed(self.unseen)) if not unseen), len(self.unseen))

    @property
    def agrees(self) -> bool:
        """Whether the position shows what the picture does, and has just come to do so."""
        return not self.differences and not (self.unseen and self.unseen[-1])


def explain_pictures(position: Position[Any], pictures: Sequence[Evidence]) -> Search:
    """Every legal sequence that leads through what the pictures show, one after the other, up to a limit of effort."""
    order = count()
    waiting: list[tuple[int, float, int, _Node]] = []
    reached: set[tuple[Position[Any], int]] = set()
    found: dict[Position[Any], Explanation] = {}

    def reach(node: _Node) -> None:
        while node.agrees and node.stage + 1 < len(pictures):
            stage = node.stage + 1
            node = replace(node, stage=stage, differences=pictures[stage].compare(node.position.view()))
        if (node.position, node.stage) in reached:
            return
        reached.add((node.position, node.stage))
        if node.agrees:
            found[node.position] = _explanation(node)
        else:
            heappush(waiting, (-node.stage, node.differences.distance, next(order), node))

    reach(_Node(position, 0, pictures[0].compare(position.view()._replace(leaving=frozenset()))))
    looks = limit = 0
    while waiting and (looks < LOOKS if not found else looks < limit):
        node = heappop(waiting)[-1]
        had = bool(found)
        for successor in _successors(node, pictures[node.stage]):
            looks += 1
            reach(successor)
        looks += 1
        if found and not had:
            limit = looks + RIVALS
    return Search(tuple(sorted(found.values(), key=lambda e: (e.cost, len(e.actions)))), not waiting)


def _explanation(node: _Node) -> Explanation:
    return Explanation(node.actions, node.position, node.differences.cost, node.choices, node.unseen)


def _successors(node: _Node, evidence: Evidence) -> Iterator[_Node]:
    """The successors that fit the picture better, or as well by chance, and those by which nothing is to be seen."""
    position, before = node.position, node.differences
    by_chance = position.turn == CHANCE
    better: list[tuple[Action, Position[Any], Differences]] = []
    for action in position.legal_actions():
        if not _possible(position.signs(action), evidence):
            continue
        after = position.play(action)
        differences = evidence.compare(after.view())
        if differences.distance < before.distance or (
            by_chance and differences.distance == before.distance and _shown(position.signs(action), evidence)
        ):
            better.append((action, after, differences))
        elif not by_chance and node.idle_steps < position.players and unseen(position, after):
            yield node.then(action, after, differences, 0, True)
    if by_chance:
        # What lies on the first sites is taken as drawn first: the order in which people fill a rack.
        better.sort(key=lambda way: [site in way[2].extra for site in before.extra])
    for action, after, differences in better:
        yield node.then(action, after, differences, len(better) if by_chance else 0, False)


def _possible(signs: tuple[Sign, ...], evidence: Evidence) -> bool:
    return all(evidence.may_show(sign) for sign in signs)


def _shown(signs: tuple[Sign, ...], evidence: Evidence) -> bool:
    """Whether the picture may show just this, though it need not: a tile on a rack that may also be a shadow."""
    return bool(signs) and all(evidence.may_lie_on(sign) for sign in signs)


def unseen(before: Position[Any], after: Position[Any]) -> bool:
    """Whether both positions look alike in a picture."""
    a, b = before.view(), after.view()
    return a.sites == b.sites and a.groups == b.groups
