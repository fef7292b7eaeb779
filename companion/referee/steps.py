"""The steps of an explanation: which of them are certain already, and what may have happened instead of the others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from companion.games.core import CHANCE, Action, Position, Sign, View
from companion.referee.evidence import Evidence, item_of, kind_of
from companion.referee.search import Explanation, explain_pictures, hidden_here, only_unseen, sites_of, where_dim

Ways = tuple[tuple[Action, ...], ...]
"""Sequences of actions that may have happened."""


def common_start(one: Sequence[Action], other: Sequence[Action]) -> int:
    """With how many same actions both begin."""
    return next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def said_in(choices: Ways, explanations: Sequence[Explanation]) -> tuple[int, ...]:
    """How much of what people have entered is certainly in each choice: all, if it is one of the explanations, else
    what all have in it that begin as it does.
    """

    def certainly(choice: tuple[Action, ...]) -> int:
        whole = [sum(one.said) for one in explanations if one.actions == choice]
        starts = [(common_start(choice, one.actions), one) for one in explanations]
        longest = max(count for count, _ in starts)
        return min(whole or (sum(one.said[:count]) for count, one in starts if count == longest))

    return tuple(map(certainly, choices))


def to_what_shows(explanation: Explanation, count: int) -> int:
    """So many steps, without those at their end of which nothing is to be seen."""
    while count and explanation.unseen[count - 1]:
        count -= 1
    return count


def first_shown(position: Position[Any], explanation: Explanation) -> tuple[Position[Any], Action]:
    """The first action of an explanation of which something is to be seen, else the first, and the position before."""
    before = position
    for action, hidden in zip(explanation.actions, explanation.unseen, strict=True):
        if not hidden:
            return before, action
        before = before.play(action)
    return position, explanation.actions[0]


def could_be_first(
    position: Position[Any], explanation: Explanation, pictures: Sequence[Evidence]
) -> tuple[Action, ...]:
    """The actions of players, of those that one picture shows first, if only dimly, with which all may have begun, be
    they the explanation's or others, to which the search may not have come; after what came before any was seen.
    """
    begun = before_seen(explanation)
    for action in begun:
        position = position.play(action)
    first = explanation.stages[len(begun)]
    seen = ((explanation.actions[number], explanation.stages[number]) for number in _steps_seen(explanation))
    possible = ((action, stage) for action, stage in seen if position.explain(action) is None)
    dimmed = pictures[first].dimmed
    shown = (action for action, stage in possible if stage == first or dimmed & sites_of(position.signs(action)))
    return tuple(dict.fromkeys((*shown, *where_dim(position, pictures[first]))))


def before_seen(explanation: Explanation) -> tuple[Action, ...]:
    """What chance brought, what nobody can see, and what people have entered, before the first action of a player that
    was seen; nothing where none was.
    """
    return explanation.actions[: next(iter(_steps_seen(explanation)), 0)]


def _steps_seen(explanation: Explanation) -> list[int]:
    """The numbers of the steps that players made, that can be seen, and that nobody has entered."""
    told = zip(explanation.choices, explanation.unseen, explanation.said, strict=True)
    return [number for number, otherwise in enumerate(map(any, told)) if not otherwise]


def before_open_turn(position: Position[Any], explanation: Explanation) -> int:
    """How many steps come before the first turn of another player that several of the actions may have begun that one
    picture shows first: a search that was given up may not have come to the other orders.
    """
    seen = _steps_seen(explanation)
    on = None  # who has acted last, of what was seen
    for number, action in enumerate(explanation.actions):
        if number in seen:
            if on not in (None, position.turn):
                at_once = (k for k in seen if k >= number and explanation.stages[k] == explanation.stages[number])
                if sum(position.explain(explanation.actions[k]) is None for k in at_once) > 1:
                    return number
            on = position.turn
        position = position.play(action)
    return len(explanation.actions)


def shown_by_another(position: Position[Any], explanation: Explanation, evidence: Evidence) -> Ways:
    """All that chance may have brought on the way, where what shows its result may as well be what it brings next."""
    if explanation.position.turn != CHANCE:
        return ()
    pending = [explanation.position.signs(action) for action in explanation.position.legal_actions()]
    last = max(explanation.stages)
    for number, action in enumerate(explanation.actions):
        signs, outcomes = position.signs(action), position.legal_actions()
        brought = explanation.choices[number] and not explanation.said[number] and explanation.stages[number] == last
        if brought and signs and signs in pending and len(outcomes) > 1 and all(map(evidence.may_lie_on, signs)):
            return tuple((*explanation.actions[:number], outcome) for outcome in outcomes)
        position = position.play(action)
    return ()


def gone_again(position: Position[Any], explanation: Explanation, pictures: Sequence[Evidence]) -> Ways:
    """All that chance may have brought on the way, where it was gone before a picture could show it, and several
    outcomes go together with what is seen.
    """
    way = list(accumulate(explanation.actions, lambda before, action: before.play(action), initial=position))
    for number, (before, action) in enumerate(zip(way, explanation.actions, strict=False)):
        if explanation.said[number] or not explanation.choices[number]:
            continue
        outcomes, stage = before.legal_actions(), explanation.stages[number]
        if len(outcomes) == 1:
            continue
        last = max(k for k, at in enumerate(explanation.stages) if at == stage)
        views = [after.view() for after in way[number : last + 2]]
        if not _vanishes(before.signs(action), views):
            continue
        later = zip(explanation.actions[number + 1 :], explanation.said[number + 1 :], strict=True)
        said = [action for action, told in later if told]
        possible = tuple(
            (*explanation.actions[:number], outcome)
            for outcome in outcomes
            if outcome == action or explain_pictures(before.play(outcome), pictures[stage:], said).explanations
        )
        if len(possible) > 1:
            return possible
    return ()


def _vanishes(signs: Sequence[Sign], views: Sequence[View]) -> bool:
    """Whether each of these signs, on a site of its own, shows in the second of the views, but is gone in a later one,
    and no more of it is on sites of other kinds in the last than in the first.
    """
    first, *later = views

    def elsewhere(sign: Sign, view: View) -> int:
        kind, item = kind_of(sign.sites[0]), item_of(sign.label)
        return sum(kind_of(site) != kind and item_of(label) == item for site, label in view.sites.items())

    def vanishes(sign: Sign) -> bool:
        shown = [any(view.sites.get(site) == sign.label for site in sign.sites) for view in later]
        return shown[0] and not all(shown) and elsewhere(sign, later[-1]) <= elsewhere(sign, first)

    return bool(signs) and all(vanishes(sign) for sign in signs)


def actions_seen(explanation: Explanation) -> tuple[Action, ...]:
    """The actions of players, of those of an explanation, that can be seen."""
    told = zip(explanation.actions, explanation.choices, explanation.unseen, strict=True)
    return tuple(action for action, chance, unseen in told if not chance and not unseen)


def before_last_turn(explanation: Explanation) -> int:
    """How many steps are certain even if the last action of a player that was seen should be taken back."""
    steps = range(len(explanation.actions))
    last = max((k for k in steps if not explanation.choices[k] and not explanation.unseen[k]), default=0)
    return next((k + 1 for k in reversed(steps[:last]) if not explanation.unseen[k]), 0)


def one_by_one(position: Position[Any], explanation: Explanation) -> int:
    """How many steps come before those of which the last picture shows several, of more than one player, and nothing of
    what chance has to bring in between.
    """
    players: set[int] = set()
    first, last = len(explanation.actions), max(explanation.stages)
    for number, action in enumerate(explanation.actions):
        if explanation.stages[number] == last and not explanation.unseen[number]:
            if position.turn == CHANCE:
                players.clear()
            elif position.turn is not None:
                first = first if players else number
                players.add(position.turn)
            if len(players) > 1:
                return first
        position = position.play(action)
    return len(explanation.actions)


def told_by(position: Position[Any], actions: Sequence[Action]) -> int:
    """How many of the actions are to be made until the first one that only people can tell is among them."""
    for number, action in enumerate(actions, start=1):
        if position.told(action):
            return number
        position = position.play(action)
    return len(actions)


def only_way(position: Position[Any], evidence: Evidence) -> Action | None:
    """The only possible action, where nothing is to be seen of it."""
    return hidden_here(position, evidence) if position.turn == CHANCE else only_unseen(position)
