"""The search for legal sequences of actions that lead from a position to what a picture shows.

Best first: from each position only such actions are followed as make the picture fit better (or, like passing, change
nothing that could be seen), so a single turn takes one look at the legal actions and a missed turn two. What only
people can tell is never guessed: it comes from them, or is looked for only in order to ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any

from companion.games.core import CHANCE, Action, Position, Sign, View
from companion.referee.evidence import Differences, Evidence

LOOKS = 2000
"""How many positions a search compares with the picture before it gives up."""

RIVALS = 250
"""How many more it compares for another explanation once it has one."""

CLEARER = 1.0
"""How much likelier (natural logarithm) what a picture shows has to become by an action that a site only seems to show.
"""

RIVAL = 3.0
"""An explanation this much less likely than the best one (natural logarithm) is no rival of it."""

OUTWEIGHED = 0.7
"""From that cost on (natural logarithm) something else on a site is likelier than what is on record there."""

IDLE = 2
"""How many actions in a row, a player, may be such as nobody can see."""

ORDERS = 100
"""In so many orders at most an explanation is told."""

GUESSES = 700
"""How many a search compares that goes through what only people can tell."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A legal sequence of actions after which the position agrees with the picture.

    `choices[k]`: how many actions of chance would have fitted at step k; more than one means that the picture does not
    tell their order. `unseen[k]`: step k changes nothing that a picture shows. `said[k]`: people have entered step k.
    `stages[k]`: the picture, by its number, that shows step k. `blind[k]`: what step k put somewhere cannot be seen
    there, but that it was made can.
    """

    actions: tuple[Action, ...]
    position: Position[Any]
    cost: float
    choices: tuple[int, ...]
    unseen: tuple[bool, ...]
    said: tuple[bool, ...]
    stages: tuple[int, ...]
    blind: tuple[bool, ...]

    @property
    def seen(self) -> tuple[Action, ...]:
        """The steps but for what players did that changes nothing that a picture shows."""
        steps = zip(self.actions, self.unseen, self.choices, strict=True)
        return tuple(action for action, unseen, chance in steps if chance or not unseen)

    @property
    def after_said(self) -> int:
        """How many steps that can be seen follow on the first one that people have entered."""
        first = self.said.index(True) if True in self.said else len(self.said)
        return sum(not said and not unseen for said, unseen in zip(self.said[first:], self.unseen[first:], strict=True))

    def at_random(self, few: int) -> bool:
        """Whether some step, that nobody saw, is one of more than a few that chance could have brought as well."""
        return any(unseen and count > few for unseen, count in zip(self.unseen, self.choices, strict=True))


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found: the explanations that end in different positions, or come to one by actions of players in
    another order, the likeliest first. When a player passed, say, is no difference where all comes to the same.

    `exhausted`: every way was followed, so that there is no other explanation. `pictures`: what they lead through.
    """

    explanations: tuple[Explanation, ...]
    exhausted: bool
    pictures: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A sequence tried so far; `stage` counts the pictures that it has passed already, `said` what people entered.

    `behind`: people have entered more than the last picture shows, with which all before it agreed.
    """

    position: Position[Any]
    stage: int
    differences: Differences
    said: int = 0
    behind: bool = False
    actions: tuple[Action, ...] = ()
    choices: tuple[int, ...] = ()
    unseen: tuple[bool, ...] = ()
    spoken: tuple[bool, ...] = ()
    stages: tuple[int, ...] = ()
    blind: tuple[bool, ...] = ()

    def then(
        self,
        action: Action,
        after: Position[Any],
        differences: Differences,
        *,
        choices: int = 0,
        idle: bool = False,
        blind: bool = False,
    ) -> _Node:
        """The node one action further."""
        return replace(
            self,
            position=after,
            differences=differences,
            actions=(*self.actions, action),
            choices=(*self.choices, choices),
            unseen=(*self.unseen, idle),
            spoken=(*self.spoken, False),
            stages=(*self.stages, self.stage),
            blind=(*self.blind, blind),
        )

    def told(
        self, action: Action, after: Position[Any], differences: Differences, *, chance: bool, last: bool
    ) -> _Node:
        """The node after something that people have entered; `last`: the last picture is what it is compared with."""
        node = self.then(action, after, differences, choices=int(chance))
        behind = self.behind or (last and not self.differences)
        return replace(node, said=self.said + 1, spoken=(*self.spoken, True), behind=behind)

    @property
    def turns(self) -> tuple[Action | Counter[Action], ...]:
        """The actions of players, and what chance brought before each and in the end, in whatever order."""
        turns: list[Action | Counter[Action]] = [Counter()]
        for action, chance in zip(self.actions, self.choices, strict=True):
            if not chance:
                turns += [action, Counter()]
            elif isinstance(brought := turns[-1], Counter):
                brought[action] += 1
        return tuple(turns)

    def begins(self, way: _Node) -> bool:
        """Whether the way has come by this node: the same was done and entered by then, and the pictures passed."""
        done = len(self.actions)
        mine = self.actions, self.spoken, self.stages
        return mine == (way.actions[:done], way.spoken[:done], way.stages[:done])

    @property
    def idle_steps(self) -> int:
        """How many steps in a row, at the end, changed nothing to be seen."""
        return next((k for k, unseen in enumerate(reversed(self.unseen)) if not unseen), len(self.unseen))

    @property
    def agrees(self) -> bool:
        """Whether the position shows what the picture does, and has just come to do so by something to be seen."""
        return not self.differences and not (self.unseen and (self.unseen[-1] or self.blind[-1]))


def explain_pictures(
    position: Position[Any],
    pictures: Sequence[Evidence],
    said: Sequence[Action] = (),
    *,
    guess: bool = False,
    gone: bool = False,
) -> Search:
    """Every legal sequence that leads through what the pictures show, one after the other, up to a limit of effort.

    `said`: what people have entered, in this order; all of it happens on the way, or after what the last picture shows.
    `guess`: actions that only people can tell are tried too. `gone`: what chance brought first, or upon something that
    people have entered, may be gone again, with another thing in its place; as what had to be done before more of that.
    """
    order = count()
    waiting: list[tuple[int, float, int, _Node]] = []
    reached: dict[tuple[Position[Any], int, int, bool], _Node] = {}
    found: dict[Position[Any], _Node] = {}
    rejoined: list[tuple[_Node, _Node]] = []

    def next_picture(node: _Node) -> _Node:
        stage = node.stage + 1
        return replace(node, stage=stage, differences=pictures[stage].compare(node.position.view()))

    def reach(node: _Node) -> None:
        while node.agrees and node.stage + 1 < len(pictures):
            node = next_picture(node)
        if node.stage + 1 < len(pictures) and not node.differences and any(node.blind[-1:]):
            reach(next_picture(node))  # what cannot be seen in this one may have been done by then, or not yet
        first = reached.setdefault((node.position, node.stage, node.said, node.behind), node)
        if first is not node:
            rejoined.append((first, node))
        elif node.actions and node.said == len(said) and (node.behind or node.agrees):
            found.setdefault(node.position, node)
        else:
            heappush(waiting, (-node.stage, node.differences.distance, next(order), node))

    reach(_Node(position, 0, pictures[0].compare(position.view()._replace(leaving=frozenset()))))
    limit = GUESSES if guess else LOOKS
    before = sum(picture.compared for picture in pictures)
    while waiting and (looks := sum(picture.compared for picture in pictures) - before) < limit:
        node = heappop(waiting)[-1]
        had = bool(found)
        last = node.stage + 1 == len(pictures)
        away = gone and node.position.turn == CHANCE and node.spoken[-1:] != (False,)
        for successor in _successors(node, pictures[node.stage], said, guess or away, last, gone):
            reach(successor)
        if found and not had:
            limit = min(limit, looks + RIVALS)
    orders = [_orders(node, rejoined) for node in found.values()]
    explanations = [_explanation(way) for ways in orders for way in ways]
    explanations.sort(key=lambda e: (e.cost, len(e.actions), _unlikely(position, e, pictures[-1]), e.unseen))
    exhausted = not waiting and all(len(ways) < ORDERS for ways in orders)
    return Search(_told_apart(explanations), exhausted, tuple(pictures))


def _told_apart(explanations: Iterable[Explanation]) -> tuple[Explanation, ...]:
    """The explanations, of those that differ in nothing but when somebody did what nobody can see the first one."""
    first: dict[tuple[object, ...], Explanation] = {}
    for one in explanations:
        due, end = _due(one.position)
        hidden = zip(one.actions, one.unseen, one.choices, strict=True)
        by_players = Counter(action for action, unseen, chance in hidden if unseen and not chance)
        first.setdefault((one.seen, frozenset((by_players + Counter(due)).items()), end), one)
    return tuple(first.values())


def _due(position: Position[Any]) -> tuple[tuple[Action, ...], Position[Any]]:
    """What a player has to do next, of which nothing is to be seen, and what comes of it."""
    due: list[Action] = []
    while (action := only_unseen(position)) is not None:
        due.append(action)
        position = position.play(action)
    return tuple(due), position


def only_unseen(position: Position[Any]) -> Action | None:
    """The only thing that a player can do, where nothing is to be seen of it."""
    actions: Sequence[Action] = () if position.turn in (None, CHANCE) else position.legal_actions()
    return actions[0] if len(actions) == 1 and unseen(position, position.play(actions[0])) else None


def _orders(node: _Node, rejoined: Sequence[tuple[_Node, _Node]]) -> list[_Node]:
    """The node, and the same by what was found to lead to a position on the way as well, if players did not act so or
    then; so many at most.
    """
    ways, known = [node], {node.actions}
    for way in ways:  # which grows
        for first, other in rejoined:
            done = len(first.actions)
            if first.begins(way) and first.turns != other.turns:
                another = _by_way_of(other, way, done)
                if another.actions not in known and len(ways) < ORDERS:
                    known.add(another.actions)
                    ways.append(another)
    return ways


def _by_way_of(other: _Node, node: _Node, done: int) -> _Node:
    """The way that begins as another does and goes on as this one after so many steps."""
    return replace(
        node,
        actions=other.actions + node.actions[done:],
        choices=other.choices + node.choices[done:],
        unseen=other.unseen + node.unseen[done:],
        spoken=other.spoken + node.spoken[done:],
        stages=other.stages + node.stages[done:],
        blind=other.blind + node.blind[done:],
    )


def _unlikely(position: Position[Any], explanation: Explanation, evidence: Evidence) -> float:
    """How unlikely (natural logarithm) what was put where it cannot be told is by the little that shows there."""
    cost = 0.0
    for action, blind in zip(explanation.actions, explanation.blind, strict=True):
        if blind:
            cost += sum(map(evidence.behind, position.signs(action)))
        position = position.play(action)
    return cost


def _explanation(node: _Node) -> Explanation:
    return Explanation(
        node.actions,
        node.position,
        node.differences.cost,
        node.choices,
        node.unseen,
        node.spoken,
        node.stages,
        node.blind,
    )


def _successors(
    node: _Node, evidence: Evidence, said: Sequence[Action], guess: bool, last: bool, gone: bool
) -> Iterator[_Node]:
    """What may come next: what people have entered, what fits the picture better, or as well by chance, and actions by
    which nothing is to be seen. `last`: this is the last picture. `gone`: what had to be done before more that people
    have entered was done, whatever shows by now.
    """
    position = node.position
    if node.said < len(said) and position.explain(said[node.said]) is None:
        action = said[node.said]
        after = position.play(action)
        chance = position.turn == CHANCE
        yield node.told(action, after, evidence.compare(after.view()), chance=chance, last=last)
    if position.turn == CHANCE:
        yield from _by_chance(node, evidence, guess)
    else:
        yield from _by_a_player(node, evidence, guess, gone and node.said < len(said))


def _by_a_player(node: _Node, evidence: Evidence, guess: bool, surely: bool) -> Iterator[_Node]:
    position, before = node.position, node.differences
    view = position.view()
    idle_before = node.idle_steps
    better: list[_Node] = []
    legal = position.legal_actions()
    if surely and len(legal) == 1:
        after = position.play(legal[0])
        differences = evidence.compare(after.view())
        yield node.then(legal[0], after, differences, blind=not _closer(before, differences))
        return
    for action in legal:
        told, signs = len(legal) > 1 and position.told(action), position.signs(action)
        possible = _possible(signs, evidence)
        if (told and not guess) or not (possible or _hidden(signs, evidence)):
            continue
        after = position.play(action)
        after_view = after.view()
        differences = evidence.compare(after_view)
        if not node.behind and (
            _closer(before, differences)
            or _settled(signs, before, differences)
            or (evidence.dimmed & sites_of(signs) and _as_likely(before, differences))
        ):
            better.append(node.then(action, after, differences, blind=not possible))
        elif possible and idle_before < IDLE * position.players and (told or alike(view, after_view)):
            yield node.then(action, after, differences, idle=True)
    yield from better


def _by_chance(node: _Node, evidence: Evidence, guess: bool) -> Iterator[_Node]:
    position, before = node.position, node.differences
    legal = () if node.behind else position.legal_actions()
    possible: list[tuple[Action, tuple[Sign, ...]]] = []
    guesses: list[Action] = []
    for action in legal:
        if position.told(action):
            continue
        signs = position.signs(action)
        if _possible(signs, evidence):
            possible.append((action, signs))
        elif guess:
            guesses.append(action)
    for action in guesses:
        after = position.play(action)
        differences = evidence.compare(after.view())
        yield node.then(action, after, differences, choices=len(guesses), idle=not _closer(before, differences))
    better: list[tuple[Action, Position[Any], Differences]] = []
    for action, signs in possible:
        after = position.play(action)
        differences = evidence.compare(after.view())
        if differences.distance < before.distance or (
            differences.distance == before.distance and _shown(signs, evidence)
        ):
            better.append((action, after, differences))
    # What lies on the first sites is taken as drawn first: the order in which people fill a rack.
    better.sort(key=lambda way: [site in way[2].extra for site in before.extra])
    for action, after, differences in better:
        yield node.then(action, after, differences, choices=len(better))
    hidden = hidden_here(position, evidence)
    if hidden is not None:
        after = position.play(hidden)
        yield node.then(hidden, after, evidence.compare(after.view()), choices=1, idle=True)


def hidden_here(position: Position[Any], evidence: Evidence) -> Action | None:
    """The draw that nobody shows, where that is what happens here: no place that would show it is in the picture."""
    hidden = position.hidden_action()
    if hidden is None:
        return None
    signs = (sign for action in position.legal_actions() if action != hidden for sign in position.signs(action))
    return None if any(map(evidence.tells, sites_of(signs))) else hidden


def one_place(position: Position[Any], evidence: Evidence) -> tuple[tuple[Action, ...], ...]:
    """What may have been done at one of the places that differ: the fewest possible actions, but more than one."""
    differing = evidence.compare(position.view()).sites
    at: dict[str, list[Action]] = {}
    for action in position.legal_actions():
        signs = position.signs(action)
        if not position.told(action) and _shown(signs, evidence):
            for site in sites_of(signs).intersection(differing):
                at.setdefault(site, []).append(action)
    several = [actions for actions in at.values() if len(actions) > 1]
    return tuple((action,) for action in min(several, key=len, default=[]))


def where_dim(position: Position[Any], evidence: Evidence) -> tuple[Action, ...]:
    """What a player may have done where something has come that cannot be told, the likeliest first."""
    if position.turn == CHANCE or not evidence.dimmed:
        return ()
    actions = ((action, position.signs(action)) for action in position.legal_actions() if not position.told(action))
    dim = [(action, signs) for action, signs in actions if evidence.dimmed & sites_of(signs)]
    may = [(action, signs) for action, signs in dim if _possible(signs, evidence) or _hidden(signs, evidence)]
    return tuple(action for action, signs in sorted(may, key=lambda one: sum(map(evidence.behind, one[1]))))


def undecided(position: Position[Any], evidence: Evidence) -> bool:
    """Whether chance may have shown its result where the position does not say what should lie."""
    if position.turn != CHANCE:
        return False
    view = position.view()
    settled = {*view.sites, *view.either, *(site for group in view.groups for site in group.sites)}
    for action in position.legal_actions():
        signs = position.signs(action)
        if any(settled.isdisjoint(sign.sites) for sign in signs) and _shown(signs, evidence):
            return True
    return False


def sites_of(signs: Iterable[Sign]) -> set[str]:
    """The places that these are about."""
    return {site for sign in signs for site in sign.sites}


def _possible(signs: tuple[Sign, ...], evidence: Evidence) -> bool:
    return all(evidence.may_show(sign) for sign in signs)


def _closer(before: Differences, after: Differences) -> bool:
    """Whether less differs than before, or as much, but what the picture shows is likelier."""
    return (after.distance, after.cost + CLEARER) < (before.distance, before.cost)


def _as_likely(before: Differences, after: Differences) -> bool:
    """Whether as much differs as before, and what the picture shows is hardly less likely."""
    return after.distance == before.distance and after.cost < before.cost + RIVAL


def _settled(signs: tuple[Sign, ...], before: Differences, after: Differences) -> bool:
    """Whether no more differs than before, and the place that the action is about does not any more."""
    if after.distance > before.distance:
        return False
    about = sites_of(signs)
    return not about.isdisjoint(before.sites) and about.isdisjoint(after.sites)


def _hidden(signs: tuple[Sign, ...], evidence: Evidence) -> bool:
    """Whether all that the picture does not show may be where nothing can be seen."""
    return all(evidence.may_show(sign) or not all(map(evidence.tells, sign.sites)) for sign in signs)


def _shown(signs: tuple[Sign, ...], evidence: Evidence) -> bool:
    """Whether the picture may show just this, though it need not: a tile on a rack that may also be a shadow."""
    return bool(signs) and all(evidence.may_lie_on(sign) for sign in signs)


def alike(a: View, b: View) -> bool:
    """Whether both look alike in a picture."""
    return a.sites == b.sites and a.groups == b.groups and a.either == b.either


def unseen(before: Position[Any], after: Position[Any]) -> bool:
    """Whether both positions look alike in a picture."""
    return alike(before.view(), after.view())
