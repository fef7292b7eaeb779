"""What lies on a simulated table, and what hands have to do so that it shows a position.

Nothing here knows rules: what has to be changed is given as labels that sites should show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from math import dist
from typing import Any, NamedTuple

from companion.games.core import Game, Position, View
from companion.games.sites import EMPTY
from hardware.simulated.pieces import base, plain, put, shared, taken, things
from hardware.simulated.places import Places, Taken
from hardware.simulated.script import Carry, Lay, Step


class Move(NamedTuple):
    """A piece to be moved: `source` or `target` None for away from the table."""

    source: str | None
    target: str | None
    label: str


class Lying:
    """What lies where: stacks of labels by site, the uppermost last."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.places = Places(game)
        self.specs = self.places.specs
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
        later = copy(self)
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

    def bears(self, site: str) -> bool:
        """Whether something stands upon what lies there."""
        there = (self.specs[other] for other, stack in self.stacks.items() if stack)
        return any(spec.on == site or (spec.upon and f"{spec.upon}:{self.label(spec.name)}" == site) for spec in there)

    def kept_as(self, site: str, label: str) -> str:
        """The label with which a hand puts back on a site what it took there as `label`."""
        stack = self.stacks.get(site)
        if not stack or shared(self.specs[site]):
            return label
        same = [other for other in stack if base(other) == base(label)]
        return same[-1] if same else stack[-1]

    def free_like(self, site: str) -> list[str]:
        """Empty sites of the same kind, nearest first."""
        here = self._centre(site)
        near = [s.name for s in self.game.sites if s.kind == self.specs[site].kind and s.name != site]
        return sorted((s for s in near if self.empty(s)), key=lambda s: (dist(self._centre(s), here), s))

    def spots(self, site: str, label: str, most: int = 10) -> list[tuple[str, str]]:
        """Other places, nearest first, where a thing that belongs on a site could lie, and its label there."""
        spec = self.specs[site]
        if spec.roving:
            return self._other_labels(site, label)[:most]
        found: list[tuple[str, str]] = []
        lying = list(self._lying())
        for other in self.free_like(site):
            there = self.specs[other]
            known = any(base(label) == base(one) for one in there.labels)
            if known and (not there.on or there.place(self.label(there.on))) and self._room(other, label, lying):
                found.append((other, label))
            if len(found) == most:
                break
        return found

    def _other_labels(self, site: str, label: str) -> list[tuple[str, str]]:
        """Hosts on which nothing stands, by the label of what may stand there."""
        spec, (_, _, words) = self.specs[site], label.partition(" ")
        used = {self.label(other) for other in self.stacks}
        hosts = {name: f"{spec.upon or spec.under}:{name}" for name in spec.labels if name not in used}
        free = [name for name, host in hosts.items() if self.stacks.get(host) if spec.upon]
        here = f"{spec.upon}:{plain(label)}"
        if here in self.specs:
            free.sort(key=lambda name: dist(self._centre(hosts[name]), self._centre(here)))
        return [(site, f"{name} {words}".strip()) for name in free]

    def _centre(self, site: str) -> tuple[float, float, float]:
        spec = self.specs[site]
        return (spec.place(self.label(spec.on)) if spec.on else None) or spec.centre

    def _lying(self) -> Iterator[tuple[str, Taken]]:
        """Everything that is in the way of other things, by site."""
        for site in (site for site, stack in self.stacks.items() if stack and not self.specs[site].roving):
            spec = self.specs[site]
            for solid in self.places.look(spec.kind, self.stacks[site][0]):
                yield site, Taken.of(solid, self._centre(site), spec.angle)

    def _room(self, site: str, label: str, lying: Iterable[tuple[str, Taken]]) -> bool:
        spec = self.specs[site]
        own = [Taken.of(solid, self._centre(site), spec.angle) for solid in self.places.look(spec.kind, label)]
        return not any(a.meets(b) for other, b in lying if other != spec.on for a in own)


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
        if not spec.roving and lying.label(site) != label:
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
