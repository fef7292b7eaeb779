"""What simulated players do with their hands: from how the table should look to steps of a script, and their mishaps.

Nothing here knows rules: what has to be changed is given as labels that sites should show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import hypot
from typing import Any, Final, NamedTuple

import numpy as np

from companion.games.core import Game, Position, View
from companion.games.sites import EMPTY
from hardware.simulated.pieces import base, plain, put, taken, things
from hardware.simulated.scene import Shift
from hardware.simulated.script import Carry, Cover, Dark, Lay, Note, Push, Rest, Step, Wait

MISHAPS: Final = (
    "rest",  # a hand rests over the board for a while
    "pushed",  # a piece is pushed over several places before it lies
    "two at once",  # two pieces laid, one taken back
    "elsewhere",  # laid, and laid elsewhere before the hand goes
    "taken back",  # laid, put back as it was, and the right one laid later
    "moved",  # a piece that lies is moved, and put right later
    "illegal",  # laid against the rules, and put right later
    "wrong counter",  # what is kept by hand is kept wrongly, and put right later
    "late counter",  # the same, but forgotten for a turn
    "covered card",  # a corner card is covered for a while
    "bumped board",  # the board is pushed
    "bumped all",  # board and corner cards are pushed alike
    "bumped camera",  # the camera is knocked
    "dark",  # the camera sees nothing for a while
    "forgotten draw",  # drawn only after the next player has played
    "late draw",  # what is drawn comes after a while
    "other place",  # what is drawn is laid in another free place
    "rearranged",  # the pieces of a hand are laid otherwise
)


class Move(NamedTuple):
    """A piece to be moved: `source` or `target` None for away from the table."""

    source: str | None
    target: str | None
    label: str


class Lying:
    """What lies where: stacks of labels by site, the uppermost last."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.specs = {spec.name: spec for spec in game.sites}
        self.stacks: dict[str, list[str]] = {}

    def label(self, site: str) -> str:
        """What a picture shows there."""
        stack = self.stacks.get(site)
        return plain(stack[-1]) if stack else self.specs[site].nothing

    def empty(self, site: str) -> bool:
        """Whether nothing lies there."""
        return not self.stacks.get(site)

    def apply(self, step: Step) -> None:
        """What the step leaves lying."""
        match step:
            case Carry(_, source, target, label):
                if source is not None:
                    self._remove(source, label)
                if target is not None:
                    self._add(target, label)
            case Lay(stacks):
                for site, labels in stacks.items():
                    self.stacks[site] = [label for label in labels if label not in (EMPTY, self.specs[site].nothing)]
            case _:
                pass

    def after(self, steps: Iterable[Step]) -> Lying:
        """What will lie where once these steps are made."""
        later = Lying(self.game)
        later.stacks = {site: list(stack) for site, stack in self.stacks.items()}
        for step in steps:
            later.apply(step)
        return later

    def _remove(self, site: str, label: str) -> None:
        stack = self.stacks[site]
        k, rest = taken(self.specs[site], stack, label)
        stack[k : k + 1] = [] if rest is None else [rest]

    def _add(self, site: str, label: str) -> None:
        stack = self.stacks.setdefault(site, [])
        k, now = put(self.specs[site], stack, label)
        stack[k : k + 1] = [now]

    def free_like(self, site: str) -> list[str]:
        """Empty sites of the same kind, nearest first."""
        spec = self.specs[site]
        near = [s for s in self.game.sites if s.kind == spec.kind and s.name != site and self.empty(s.name)]
        near.sort(key=lambda s: (hypot(s.centre[0] - spec.centre[0], s.centre[1] - spec.centre[1]), s.name))
        return [s.name for s in near]


def stacks_of(position: Position[Any]) -> dict[str, tuple[str, ...]]:
    """Stacks that show the position."""
    view, details = position.view(), position.details()
    stacks = {site: (_detailed(label, details.get(site, ())),) for site, label in view.sites.items()}
    used = set(view.sites.values())
    for site, possible in view.either.items():
        label = next((label for label in possible if label not in used), possible[0])
        used.add(label)
        stacks[site] = (_detailed(label, details.get(site, ())),)
    for group in view.groups:
        stacks |= {site: (label,) for site, label in zip(group.sites, group.labels, strict=False)}
    return stacks | {site: tuple(label for label in labels if label != EMPTY) for site, labels in view.kept.items()}


def _detailed(label: str, details: Iterable[str]) -> str:
    return f"{label} {''.join(details)}".strip()


def moves(lying: Lying, position: Position[Any]) -> tuple[list[Move], list[Move]]:
    """The moves that make the table show the position: those of the game, and those of what players keep by hand."""
    view, details = position.view(), position.details()
    gains: list[tuple[str, str]] = []
    losses: list[tuple[str, str]] = []
    carried = list(_carried(lying, view, details))
    for site, label in view.sites.items():
        spec = lying.specs[site]
        if not spec.roving:
            there, wanted = (things(spec, text) for text in (lying.label(site), label))
            gains += [(site, name) for name in (wanted - there).elements()]
            losses += [(site, name) for name in (there - wanted).elements()]
    for group in view.groups:
        _compare_group(lying, group.sites, group.labels, gains, losses)
    kept_gains: list[tuple[str, str]] = []
    kept_losses: list[tuple[str, str]] = []
    for site, labels in view.kept.items():
        wanted = Counter(label for label in labels if label != EMPTY)
        there = Counter(lying.stacks.get(site, ()))
        kept_gains += [(site, label) for label in (wanted - there).elements()]
        kept_losses += [(site, label) for label in (there - wanted).elements()]
    return _ordered([*_matched(lying, gains, losses), *carried]), _matched(lying, kept_gains, kept_losses)


def _carried(lying: Lying, view: View, details: Mapping[str, tuple[str, ...]]) -> Iterator[Move]:
    """Moves of things whose label says where they are. What lies under others is another thing each time."""
    for site in (spec.name for spec in lying.specs.values() if spec.roving):
        spec, shown = lying.specs[site], lying.label(site)
        possible = (view.sites[site],) if site in view.sites else view.either.get(site, (shown,))
        used = {lying.label(other) for other in lying.stacks if other != site}
        free = [label for label in possible if label not in used] or list(possible)
        label = shown if shown in possible else free[0]
        if spec.under and spec.nothing in possible:
            label = spec.nothing
        old, new = (lying.stacks.get(site) or [spec.nothing])[-1], _detailed(label, details.get(site, ()))
        if sorted(old) == sorted(new) or label == shown == spec.nothing:
            continue
        if spec.upon and spec.nothing not in (shown, label):
            yield Move(site, site, new)
            continue
        if shown != spec.nothing:
            yield Move(site, None, old)
        if label != spec.nothing:
            yield Move(None, site, new)


def _compare_group(
    lying: Lying,
    sites: Iterable[str],
    labels: Iterable[str],
    gains: list[tuple[str, str]],
    losses: list[tuple[str, str]],
) -> None:
    missing = Counter(labels)
    free = []
    for site in sites:
        shown = lying.label(site)
        if lying.empty(site):
            free.append(site)
        elif missing[shown]:
            missing[shown] -= 1
        else:
            losses.append((site, shown))
            free.append(site)
    gains.extend(zip(free, missing.elements(), strict=False))


def _matched(lying: Lying, gains: list[tuple[str, str]], losses: list[tuple[str, str]]) -> list[Move]:
    """A piece that appears was, where possible, the one that disappeared: the same, or one that is called otherwise
    where it lay.
    """
    left, result = list(losses), []
    for target, label in gains:
        source = next((loss for loss in left if base(loss[1]) == base(label)), None)
        source = source or next((loss for loss in left if _renamed(lying, loss, (target, label))), None)
        if source:
            left.remove(source)
        result.append(Move(source[0] if source else None, target, label or (source[1] if source else "1")))
    return [*result, *(Move(site, None, label) for site, label in left)]


def _renamed(lying: Lying, loss: tuple[str, str], gain: tuple[str, str]) -> bool:
    """Whether what disappeared may have another name where something appeared: turned, or seen from another side."""
    (source, was), (target, label) = loss, gain
    if source == target:
        return not {base(was), base(label)} & set(lying.game.copies)
    here, there = lying.specs[source].labels, lying.specs[target].labels
    return all(base(label) != base(other) for other in here) and all(base(was) != base(other) for other in there)


def _ordered(found: list[Move]) -> list[Move]:
    """First what makes room for what comes."""
    left, result = list(found), []
    while left:
        sources = [move.source for move in left]
        ready = next((m for m in left if m.target is None or m.target == m.source or m.target not in sources), left[0])
        left.remove(ready)
        result.append(ready)
    return result


class Mishaps:
    """Draws, from a seed, which mishaps happen: `rates` are probabilities a turn, by name (`MISHAPS`)."""

    def __init__(self, rates: Mapping[str, float], seed: int) -> None:
        unknown = sorted(set(rates) - set(MISHAPS))
        if unknown:
            raise ValueError(f"unknown mishap {unknown[0]!r}; there are: {', '.join(MISHAPS)}")
        self.rates = dict(rates)
        self.random = np.random.default_rng([seed, 30])

    @classmethod
    def all(cls, rate: float, seed: int) -> Mishaps:
        """Every kind at the same rate."""
        return cls(dict.fromkeys(MISHAPS, rate), seed)

    def strikes(self, name: str) -> bool:
        """Whether it happens now."""
        rate = self.rates.get(name, 0.0)
        return rate > 0 and bool(self.random.random() < rate)

    def pick(self, items: list[str]) -> str:
        """One of them."""
        return items[int(self.random.integers(0, len(items)))]

    def a_while(self) -> Wait:
        """Long enough to be noticed."""
        return Wait(float(self.random.uniform(3, 8)), least=2.5)


def before_move(lying: Lying, mishaps: Mishaps, seat: int, move: Move) -> Iterator[Step]:
    """What may go wrong before a player lays a piece (`move` says which and where)."""
    assert move.source is not None
    assert move.target is not None
    near = lying.free_like(move.target)
    if mishaps.strikes("rest"):
        yield Note("rest")
        yield Rest(seat, move.target, float(mishaps.random.uniform(3, 9)))
        yield Note("rest", over=True)
    if near and mishaps.strikes("taken back"):
        yield Note("taken back")
        wrong = mishaps.pick(near[:6])
        yield Carry(seat, move.source, wrong, move.label)
        yield mishaps.a_while() if mishaps.random.random() < 0.5 else Wait(0.4)
        yield Carry(seat, wrong, move.source, base(move.label))
        yield Note("taken back", over=True)


def the_move(lying: Lying, mishaps: Mishaps, seat: int, move: Move) -> Iterator[Step]:
    """The move itself, with what may go wrong on the way; at the end the table is right."""
    assert move.source is not None
    assert move.target is not None
    near = lying.free_like(move.target)
    if near and mishaps.strikes("pushed"):
        yield Note("pushed")
        way = tuple(mishaps.pick(near[:8]) for _ in range(int(mishaps.random.integers(1, 4))))
        yield Carry(seat, move.source, move.target, move.label, via=way, pace=0.7)
        yield Note("pushed", over=True)
    elif near and mishaps.strikes("elsewhere"):
        yield Note("elsewhere")
        wrong = mishaps.pick(near[:6])
        yield Carry(seat, move.source, wrong, move.label)
        yield Carry(seat, wrong, move.target, move.label)
        yield Note("elsewhere", over=True)
    else:
        yield Carry(seat, move.source, move.target, move.label)
        if near and mishaps.strikes("two at once"):
            yield from _second_piece(lying, mishaps, seat, move, near)


def _second_piece(lying: Lying, mishaps: Mishaps, seat: int, move: Move, near: list[str]) -> Iterator[Step]:
    assert move.source is not None
    kind = lying.specs[move.source].kind
    hand = [
        s
        for s in lying.stacks
        if lying.label(s) != EMPTY and lying.specs[s].kind == kind and _same_hand(s, move.source)
    ]
    fits = [s for s in hand if s != move.source and lying.label(s) in map(base, lying.specs[near[0]].labels)]
    if not fits:
        return
    yield Note("two at once")
    other, cell = mishaps.pick(fits), mishaps.pick(near[:5])
    piece = lying.label(other)
    lies = [label for label in lying.specs[cell].labels if base(label) == piece]
    label = mishaps.pick(lies)
    yield Carry(seat, other, cell, label)
    yield mishaps.a_while()
    yield Carry(seat, cell, other, piece)
    yield Note("two at once", over=True)


def _same_hand(a: str, b: str) -> bool:
    return a.rpartition(".")[0] == b.rpartition(".")[0]


def after_move(lying: Lying, mishaps: Mishaps, seat: int, move: Move) -> Iterator[Step]:
    """What may go wrong once a piece lies."""
    assert move.target is not None
    near = lying.free_like(move.target)
    kind = lying.specs[move.target].kind
    if near and mishaps.strikes("moved"):
        laid = [s for s in lying.stacks if lying.specs[s].kind == kind and lying.label(s) != EMPTY]
        piece, wrong = mishaps.pick(laid), mishaps.pick(near[:8])
        label = lying.label(piece)
        yield Note("moved")
        yield Carry(seat, piece, wrong, label)
        yield mishaps.a_while()
        yield Carry(seat, wrong, piece, label)
        yield Note("moved", over=True)


def kept_moves(lying: Lying, mishaps: Mishaps, seat: int, kept: list[Move]) -> Iterator[Step]:
    """Moves of what is kept by hand (counters), perhaps first to a wrong place."""
    for move in kept:
        target = move.target
        if target is not None and mishaps.strikes("wrong counter"):
            wrong = mishaps.pick(lying.free_like(target)[:5])
            yield Note("wrong counter")
            yield Carry(seat, move.source, wrong, move.label)
            yield mishaps.a_while()
            yield Carry(seat, wrong, target, move.label)
            yield Note("wrong counter", over=True)
        else:
            yield Carry(seat, move.source, target, move.label)


def accidents(game: Game[Any, Any], mishaps: Mishaps, *, may_cover: bool = True) -> Iterator[Step]:
    """What may happen to board, camera and light between two turns. A covered card is for the caller to uncover."""
    random = mishaps.random
    push = _push(mishaps)
    cards = {k: _turned_about(push, centre) for k, centre in enumerate(game.marker.centres)}
    bumps = {"bumped board": Push(push), "bumped all": Push(push, cards), "bumped camera": Push(camera=push)}
    for name, step in bumps.items():
        if mishaps.strikes(name):
            yield Note(name)
            yield step
            yield Wait(0.5)
            yield Note(name, over=True)
    if mishaps.strikes("dark"):
        yield Note("dark")
        yield Dark(True)
        yield Wait(float(random.uniform(2, 6)), least=1.5)
        yield Dark(False)
        yield Note("dark", over=True)
    if may_cover and mishaps.strikes("covered card"):
        yield Note("covered card")
        yield Cover((int(random.integers(0, len(game.marker.ids))),))


def _push(mishaps: Mishaps) -> Shift:
    dx, dy = (float(v) for v in mishaps.random.normal(0, 5.0, 2))
    return Shift(dx, dy, float(mishaps.random.normal(0, 1.0)))


def _turned_about(shift: Shift, centre: tuple[float, float]) -> Shift:
    """How a thing at `centre` is displaced when all around it is turned about the origin and moved."""
    c, s = np.cos(np.radians(shift.turn)), np.sin(np.radians(shift.turn))
    x, y = centre
    return Shift(float(x * c + y * s - x + shift.dx), float(-x * s + y * c - y + shift.dy), shift.turn)
