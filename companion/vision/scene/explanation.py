"""Explaining a picture: what stands where, so that every point shows what it should.

Each site is in one of its *states* (nothing, or something that stands there). On each line of sight the camera sees
what it meets highest up. How much better a state explains the picture than nothing does depends on what stands around;
given that, the best states that leave each other room are chosen, and everything is weighed again, until nothing
changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from companion.games.bits import bits
from companion.vision.geometry.lens import Array
from companion.vision.scene.packing import Packing

PRESENT = 2.0
"""What it costs (as points do) that something stands on a site: simpler explanations come first."""

ROUNDS = 6
"""How often everything is weighed again, at most."""

CLOSE = 500.0
"""Explanations whose weights differ by less are compared by what the camera would see."""

FAINT = 0.15
"""Part of the weight of what it clashes with that a thing must have to be thought of."""

HOPS = 4
"""How far the search for what gives way for what goes, from site to site."""

HOPELESS = -1.5
"""How much worse (a point) a state may explain the picture than nothing does to be tried a little off its place."""

SURELY = 1e6
"""What speaks for the state of a site on which nothing has changed, in points: more than anything else might."""

_UNKNOWN: Mapping[int, Any] = MappingProxyType({})

_AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
"""Steps from a place to its neighbours, in rows and columns of the grid."""

Clashes = Mapping[tuple[int, int], frozenset[tuple[int, int]]]
"""For a site's state the states of other sites that leave no room for it."""


@dataclass(frozen=True, slots=True)
class State:
    """What may stand on a site: points `at` (n,) of the picture that it covers, their heights `z` (n,), and where their
    evidence is in the flattened table of all evidence (n,). `label`: its number among the site's labels.
    """

    label: int
    at: Array
    z: Array
    evidence: Array

    def part(self, chosen: Array) -> State:
        """Only some (n,) of its points."""
        return State(self.label, self.at[chosen], self.z[chosen], self.evidence[chosen])

    def moved(self, points: int) -> State:
        """The same that many points farther on the grid."""
        return State(self.label, self.at + points, self.z, self.evidence + points)


class Fit(NamedTuple):
    """What explained a site: the number of its state, all its states, each where it fitted best, and their weights
    (states,), without what else spoke for them, as far as these still hold.
    """

    state: int
    states: Sequence[State]
    weights: Array | None


class Explanation:
    """What stands where on the sites that are looked at, and how well that explains each point."""

    def __init__(
        self,
        evidence: Array,
        bare: Array,
        states: Mapping[int, Sequence[State]],
        width: int,
        plays: Mapping[int, int],
        touches: Sequence[frozenset[int]],
        clashes: Clashes,
        ground: Array,
        heard: Mapping[int, Array],
        before: Mapping[int, Fit] = _UNKNOWN,
        fixed: Collection[int] = (),
        stood: Mapping[int, int] = _UNKNOWN,
    ) -> None:
        """`evidence` (flat): how well each surface explains each point; `bare` (points,): how well that does what shows
        where nothing stands, at the height `ground` (points,). `width`: points in a row of the grid; `plays`: how many
        points off its place what stands on a site may stand; `heard` (states,): what else speaks for each state of some
        sites, in points; `before`: what explained sites that show what they showed then, of which the `fixed` ones stay
        as they were; `stood`: the states of others then, -1 where that is not known.
        """
        self.bare, self._ground = bare, ground
        self._states = {site: list(some) for site, some in states.items()}
        self._settled = {(site, k) for site, fit in before.items() for k in range(len(fit.states))}
        self._touches, self._clashes = touches, clashes
        self._crowd = crowd(clashes, states)
        self._width, self._plays, self._heard = width, plays, dict(heard)
        self._fixed = {site: before[site] for site in fixed}
        self.evidence = evidence
        self.value, self.z = bare.copy(), ground.copy()
        self.chosen: dict[int, int] = dict.fromkeys(states, 0)
        self._mark = np.zeros(len(bare), bool)
        self.total = 0.0
        self._weights: dict[int, Array] = {}
        self._ways: dict[int, list[tuple[float, dict[int, int]]]] = {}
        self._rooms: dict[int, tuple[set[int], int]] = {}  # what `_around` found, until something changes
        self._stale: set[int] = set()  # around what has changed since it was weighed
        self._known, self._stood = frozenset(before), stood
        for site, fit in before.items():
            self._set(site, fit.state)
            if site in fixed:
                self._weights[site] = self._as_it_was(site)
            elif fit.weights is not None:
                self._weights[site] = fit.weights + self._heard.get(site, 0.0)

    def search(self, sites: Collection[int] = ()) -> None:
        """Improves the explanation until nothing changes any more, beginning with some `sites`, else with all of which
        nothing is known.
        """
        todo = set(sites) or self._states.keys() - self._weights.keys()
        for _ in range(ROUNDS):
            for site in todo:
                self._weights[site] = self._weigh(site)
            better = self._packed()
            todo = self._touched({site for site, state in better.items() if state != self.chosen[site]})
            todo |= self._touched({site for site, state in self._stood.items() if state != better[site]}) & self._known
            self._stood = _UNKNOWN
            if not todo:
                break
            self._put(better)

    def _touched(self, sites: set[int]) -> set[int]:
        """Sites, and those that they hide or are hidden by."""
        return sites.union(*(self._touches[site] for site in sites)) & self._states.keys()

    def exchange(self) -> None:
        """Tries what explains the picture nearly as well: how things hide each other may tell."""
        for site in self._states:
            for state in range(len(self._states[site])):
                if state == self.chosen[site] or (site, state) not in self._number:
                    continue
                weight, better = self._with(site, state)
                if weight > self._with(site, self.chosen[site])[0] - CLOSE and self._try(better) > 0:
                    self._put(better)
                    self._stale |= self._touched(set(better))

    def leaves_room(self, site: int, state: int) -> bool:
        """Whether a site may be in a state while all others stay as they are."""
        return not self._clashing(site, state)

    def scores(self, site: int) -> Array:
        """How well each state of a site explains the picture, all else unchanged; but what leaves no room for a state
        gives way to what then fits best there.
        """
        ways = self._all_ways(site)
        if not ways:
            return self._weights[site]
        weights = [weight for weight, _ in ways]
        now = self.chosen[site]
        close = [k for k, weight in enumerate(weights) if k != now and weight > weights[now] - CLOSE]
        scores = np.array(weights) - weights[now]
        for state in close:
            scores[state] = self._try(ways[state][1])
        return scores

    def alternatives(self, site: int) -> dict[int, dict[int, int]]:
        """For each state of a site in which something elsewhere gives way, or has to come, what then stands on all the
        sites that have to do with it.
        """
        return {state: there for state, (_, there) in enumerate(self._all_ways(site))}

    def _all_ways(self, site: int) -> list[tuple[float, dict[int, int]]]:
        """The best explanation with each state of a site, once nothing changes any more; none where nothing that is
        thought of leaves no room for something on the site.
        """
        if site not in self._ways:
            things = range(len(self._states[site]))
            own = sum(1 << self._number[site, k] for k in things if (site, k) in self._number)
            crowded = any(self._bits((site, k)) & ~own for k in things)
            self._ways[site] = [self._with(site, state) for state in things] if crowded else []
        return self._ways[site]

    def on_top(self, site: int) -> Array:
        """Which points (n,) of what stands on a site nothing hides."""
        state = self.state(site, self.chosen[site])
        seen: Array = state.z >= self.z[state.at] - 1e-3
        return seen

    def gap(self, site: int) -> float:
        """How much better the best state of a site explains the picture than the next, with what stands around."""
        if len(self._weights[site]) < 2:
            return 0.0
        next_best, best = np.sort(self._weights[site])[-2:]
        return float(best - next_best)

    def _try(self, better: Mapping[int, int]) -> float:
        """How much better the picture is explained with some sites in other states."""
        before = {site: self.chosen[site] for site in better}
        start = self.total
        self._put(better)
        change = self.total - start
        self._put(before)
        return change

    def _put(self, states: Mapping[int, int]) -> None:
        """Puts some sites into states."""
        changed = [site for site, state in states.items() if state != self.chosen[site]]
        for site in changed:
            self._set(site, 0)
        for site in changed:
            self._set(site, states[site])

    def covers(self, area: Array, site: int) -> bool:
        """Whether something on other sites covers a part of the points `area` (n,) of a site."""
        return bool((self.without(site)[1][area] > self._ground[area]).any())

    def without(self, site: int) -> tuple[Array, Array]:
        """How well each point is explained, and at what height, if nothing stands on a site."""
        before = self.chosen[site]
        self._set(site, 0)
        value, z = self.value.copy(), self.z.copy()
        self._set(site, before)
        return value, z

    def arrange(self, site: int, states: Sequence[State], heard: Array | None) -> None:
        """Gives a site other states, none of which is chosen yet; `heard`: what else speaks for each, if anything."""
        self._set(site, 0)
        self._states[site] = list(states)
        self._heard.pop(site, None)
        if heard is not None:
            self._heard[site] = heard

    def state(self, site: int, number: int) -> State:
        """A state where it fits best."""
        return self._states[site][number]

    def fit(self, site: int) -> Fit:
        """What explains a site now."""
        if site in self._fixed:
            return self._fixed[site]
        weights = None if site in self._stale else self._weights[site] - self._heard.get(site, 0.0)
        return Fit(self.chosen[site], self._states[site], weights)

    # -- what leaves each other room -----------------------------------------------------------------------------------

    def _packed(self) -> dict[int, int]:
        """The best state of each site, so that all leave each other room."""
        heavy = {
            (site, state): float(weight)
            for site, weights in self._weights.items()
            for state, weight in enumerate(weights)
            if weight > 0
        }
        self._things = [
            thing
            for thing, weight in heavy.items()
            if weight >= FAINT * max((heavy.get(other, 0.0) for other in self._clashes.get(thing, ())), default=0.0)
        ]
        number = {thing: k for k, thing in enumerate(self._things)}
        self._number = number
        self._rooms.clear()
        clashes = [self._bits(thing) for thing in self._things]
        weights = [float(self._weights[site][state]) for site, state in self._things]
        self._packing = Packing(weights, clashes, [site for site, _ in self._things])
        _, chosen = self._packing.best((1 << len(self._things)) - 1)
        better = dict.fromkeys(self._states, 0)
        better.update(thing for k, thing in enumerate(self._things) if chosen >> k & 1)
        return better

    def _bits(self, thing: tuple[int, int]) -> int:
        """What clashes with a thing, as a bit set."""
        site, state = thing
        bits = 0
        own = ((site, k) for k in range(len(self._states[site])) if k != state)
        for other in (*self._clashes.get(thing, ()), *own):
            if other in self._number:
                bits |= 1 << self._number[other]
        return bits

    def _with(self, site: int, state: int) -> tuple[float, dict[int, int]]:
        """The best explanation in which a site is in a state, of all that has to do with that: its weight, and the
        states of these sites.
        """
        around, free = self._around(site)
        mine = sum(1 << self._number[site, k] for k in range(len(self._states[site])) if (site, k) in self._number)
        weight, chosen = self._packing.best(free & ~self._bits((site, state)) & ~mine)
        there = dict.fromkeys(around, 0)
        there.update(self._things[k] for k in bits(chosen))
        return weight + float(self._weights[site][state]), there | {site: state}

    def _around(self, site: int) -> tuple[set[int], int]:
        """The sites on which things may have to give way, directly or not, for something on a site, and the things for
        which there is room on these while all others stay as they are, as a bit set.
        """
        if site in self._rooms:
            return self._rooms[site]
        around = edge = {site}
        for _ in range(HOPS):
            edge = {other for one in edge for other in self._crowd.get(one, ())} - around
            around = around | edge
        here = [(one, k) for one in around for k in range(len(self._states[one])) if (one, k) in self._number]
        free = 0
        for thing in here:
            if all(other in around or self.chosen.get(other) != k for other, k in self._clashes.get(thing, ())):
                free |= 1 << self._number[thing]
        self._rooms[site] = around, free
        return around, free

    # -- what the camera sees ------------------------------------------------------------------------------------------

    def _weigh(self, site: int) -> Array:
        """How much better each state of a site explains the picture than nothing, without what clashes with it."""
        if site in self._fixed:
            return self._as_it_was(site)
        before, states = self.chosen[site], self._states[site]
        self._set(site, 0)
        groups: dict[tuple[int, ...], list[int]] = {}
        for k in range(len(states)):
            groups.setdefault(tuple(self._clashing(site, k)), []).append(k)
        weights = np.zeros(len(states))
        for away, numbers in groups.items():
            there = {other: self.chosen[other] for other in away}
            for other in away:
                self._set(other, 0)
            for k in numbers:
                if (site, k) in self._settled:
                    gain = self._gain(states[k])
                else:
                    states[k], gain = self._placed(states[k], self._plays[site])
                    self._settled.add((site, k))
                weights[k] = gain - PRESENT * bool(len(states[k].at))
            for other, state in there.items():
                self._set(other, state)
        self._set(site, before)
        return weights + self._heard[site] if site in self._heard else weights

    def _as_it_was(self, site: int) -> Array:
        """The weights of the states of a site that stays in one of them."""
        return np.where(np.arange(len(self._states[site])) == self.chosen[site], SURELY, 0.0)

    def _placed(self, state: State, play: int) -> tuple[State, float]:
        """A state off its place, as it explains the picture best, and how much better than nothing."""
        gain = self._gain(state)
        if not len(state.at) or gain < HOPELESS * len(state.at):
            return state, gain
        low, high = -int(state.at.min()), len(self.bare) - 1 - int(state.at.max())
        here, step = (0, 0), 2 if play > 2 else 1
        while step:
            around = [(here[0] + row * step, here[1] + column * step) for row, column in _AROUND]
            near = [(row, column) for row, column in around if max(abs(row), abs(column)) <= play]
            nearby = [place for place in near if low <= place[0] * self._width + place[1] <= high]
            gains = self._gains(state, np.array([row * self._width + column for row, column in nearby], np.intp))
            if gains.max(initial=-np.inf) > gain:
                most = int(gains.argmax())
                here, gain = nearby[most], float(gains[most])
            else:
                step -= 1
        return state.moved(here[0] * self._width + here[1]) if any(here) else state, gain

    def _clashing(self, site: int, state: int) -> list[int]:
        """The sites on which something leaves no room for a state."""
        return [other for other, number in self._clashes.get((site, state), ()) if self.chosen.get(other) == number]

    def _gain(self, state: State) -> float:
        """How much better the picture is explained with one thing more."""
        if not len(state.at):
            return 0.0
        better = self.evidence.take(state.evidence) - self.value.take(state.at)
        return float(better @ (state.z > self.z.take(state.at)))

    def _gains(self, state: State, offsets: Array) -> Array:
        """The same (n,) for a thing by so many points (n,) off its place."""
        at, evidence = state.at + offsets[:, None], state.evidence + offsets[:, None]
        better = self.evidence.take(evidence) - self.value.take(at)
        better *= state.z > self.z.take(at)
        gains: Array = better.sum(axis=1)
        return gains

    def _set(self, site: int, number: int) -> None:
        """Puts a site into a state."""
        before = self.chosen[site]
        if before == number:
            return
        self._rooms.clear()
        self.chosen[site] = number
        self.total -= PRESENT * (bool(number) - bool(before))
        if site in self._heard:
            self.total += float(self._heard[site][number] - self._heard[site][before])
        if before:
            self._erase(site, self._states[site][before])
        if number:
            self._draw(self._states[site][number])

    def _draw(self, state: State) -> None:
        seen = state.z > self.z[state.at]
        at, value = state.at[seen], self.evidence[state.evidence[seen]]
        self.total += float((value - self.value[at]).sum())
        self.value[at] = value
        self.z[at] = state.z[seen]

    def _erase(self, site: int, state: State) -> None:
        """Draws anew all that the state covered."""
        bare = self.bare[state.at]
        self.total += float((bare - self.value[state.at]).sum())
        self.value[state.at], self.z[state.at] = bare, self._ground[state.at]
        self._mark[state.at] = True
        for other in self._touches[site]:
            number = self.chosen.get(other, 0)
            if number and other != site:
                there = self._states[other][number]
                inside = self._mark[there.at]
                if inside.any():
                    self._draw(there.part(inside))
        self._mark[state.at] = False

    def visible(self, site: int, area: Array, height: Array) -> float:
        """The part of the points `area` (n,) of a site, which things there may cover up to `height` (n,), that no other
        thing hides and that is explained.
        """
        before = self.chosen[site]
        fits = self.value[area] > 0
        self._set(site, 0)
        free = height >= self.z[area]
        self._set(site, before)
        return float((fits & free).mean()) if len(area) else 0.0


def crowd(clashes: Clashes, sites: Iterable[int]) -> dict[int, set[int]]:
    """For each of some sites those of them on which something may leave no room for something on it."""
    found: dict[int, set[int]] = {site: set() for site in sites}
    for (site, _), others in clashes.items():
        if site in found:
            found[site].update(other for other, _ in others if other in found)
    return found
