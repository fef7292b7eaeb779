"""Several things on one site, each of which may stand anywhere there: figures on a start corner.

They are found one after the other, each where and in what colour it explains the picture best. Then every place found
may hold a thing of each colour, or none; so each label, which says how many there are of which, has its best
arrangement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.looks import Ball, Look, Point, Prism, Solid
from companion.games.sites import SiteSpec
from companion.vision.geometry.grid import distinct
from companion.vision.geometry.lens import Array
from companion.vision.scene.explanation import PRESENT, State
from companion.vision.scene.silhouettes import Draughtsman, Patch

LATTICE = 2.0
"""Millimetres between places that are tried."""

APART = 0.75
"""How near to each other, in diameters, two things may seem to stand."""

EXTRA = 2
"""Places beyond those where something seems to stand that are thought of."""

Arrangement = tuple[tuple[int, int], ...]
"""Numbers of a place and of a colour."""


def bodies_of(look: Look) -> list[Look]:
    """The things that a look is made of: solids that stand apart from each other, each in a frame of its own."""
    bodies: list[tuple[Point, list[Solid]]] = []
    for solid in look:
        x, y = _middle(solid)
        for (u, v), body in bodies:
            if abs(u - x) < 0.5 and abs(v - y) < 0.5:
                body.append(solid)
                break
        else:
            bodies.append(((x, y), [solid]))
    return [tuple(_shifted(solid, -x, -y) for solid in body) for (x, y), body in bodies]


def _middle(solid: Solid) -> Point:
    if isinstance(solid, Ball):
        return solid.centre
    x, y = np.mean(solid.footprint, axis=0).tolist()
    return x, y


def _shifted(solid: Solid, dx: float, dy: float) -> Solid:
    if isinstance(solid, Ball):
        return solid._replace(centre=(round(solid.centre[0] + dx, 6), round(solid.centre[1] + dy, 6)))
    return solid._replace(footprint=tuple((round(x + dx, 6), round(y + dy, 6)) for x, y in solid.footprint))


class Crowd:
    """What may stand together on a site: `kinds`, the looks of single things; `counts`, for each label, how many of
    each kind there are; `radius` of a thing and `reach` of their middles, in mm.
    """

    def __init__(self, kinds: Sequence[Look], counts: Sequence[tuple[int, ...]], radius: float, reach: float) -> None:
        self.kinds, self.counts, self.radius, self.reach = tuple(kinds), tuple(counts), radius, reach

    @classmethod
    def of(cls, looks: Sequence[Look], site: SiteSpec) -> Crowd | None:
        """What looks have in common, if some have several round things, all of one shape."""
        split = [bodies_of(look) for look in looks]
        kinds = list(dict.fromkeys(body for bodies in split for body in bodies))
        plain = {tuple(solid._replace(colour=(0, 0, 0)) for solid in kind) for kind in kinds}
        if max(map(len, split)) < 2 or len(plain) > 1 or not any(isinstance(solid, Ball) for solid in kinds[0]):
            return None
        counts = [tuple(Counter(bodies)[kind] for kind in kinds) for bodies in split]
        radius = max(
            float(np.hypot(*np.array(solid.footprint).T).max()) for solid in kinds[0] if isinstance(solid, Prism)
        )
        middles = [np.hypot(*_middle(solid)) for look in looks for solid in look]
        return cls(kinds, counts, radius, max(float(max(middles)), site.size / 2 - radius) + 3.0)


@dataclass(frozen=True, slots=True)
class CrowdPlan:
    """Where a crowd's things may stand in the picture: `places` (m, 2) in mm around the site's middle, the `offsets`
    (m,) in points of the grid, and one thing's points there, of each kind, as states; `points` (n,): all that they may
    cover; `meet` (m, m): where a thing covers some of those that one elsewhere does.
    """

    places: Array
    offsets: Array
    things: tuple[State, ...]
    crowd: Crowd
    points: Array
    meet: Array


def plan_crowd(
    crowd: Crowd, patch: Patch, things: Sequence[State], draughtsman: Draughtsman, site: SiteSpec
) -> CrowdPlan:
    """The plan for a site; `patch` are the points of one thing in its middle."""
    steps = np.arange(-int(crowd.reach / LATTICE), int(crowd.reach / LATTICE) + 1) * LATTICE
    places = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    places = places[np.hypot(*places.T) <= crowd.reach]
    grid, (x, y, z) = draughtsman.grid, site.centre
    middle = z + max(solid.z1 for solid in crowd.kinds[0] if isinstance(solid, Prism)) / 2
    points = np.column_stack([places + np.array([x, y]), np.full(len(places), middle)])
    at = grid.places(draughtsman.pose.project(np.concatenate([[[x, y, middle]], points])))
    moves = np.rint(at[1:] - at[0]).astype(np.int64)
    fits, low, high = np.zeros(len(moves), bool), np.zeros(2, np.int64), np.zeros(2, np.int64)
    if len(patch.at):
        rows, columns = np.divmod(patch.at, grid.shape[1])
        low, high = (np.array([f(columns), f(rows)]) for f in (np.min, np.max))
        fits = ((moves + low >= 0) & (moves + high < grid.shape[::-1])).all(axis=1)
    offsets = (moves[:, 1] * grid.shape[1] + moves[:, 0])[fits]
    covered = distinct((things[0].at + offsets[:, None]).ravel())
    meet = (np.abs(moves[fits][:, None] - moves[fits]) <= high - low).all(axis=2)
    return CrowdPlan(places[fits], offsets, tuple(things), crowd, covered, meet)


class CrowdSearch:
    """Looks for a crowd in a picture. `evidence` (flat), and `value` and `z` (points,) of what there is without it."""

    def __init__(self, plan: CrowdPlan, evidence: Array, value: Array, z: Array) -> None:
        self._plan, self._evidence = plan, evidence
        self._bare, self._ground = value, z
        self._value, self._z = value.copy(), z.copy()
        self._points = plan.points
        self.found: list[tuple[int, int]] = []

    def states(self) -> list[State]:
        """For each label that is possible, the state with the best arrangement."""
        self._find()
        gains = self._gains_of_places()
        best: dict[tuple[int, ...], tuple[float, Arrangement]] = {(0,) * len(self._plan.things): (0.0, ())}
        for number, gain in enumerate(gains):
            for counts, (score, chosen) in list(best.items()):
                for kind, more in enumerate(gain.tolist()):
                    after = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
                    if after not in best or best[after][0] < score + more:
                        best[after] = (score + more, (*chosen, (number, kind)))
        return [
            self._state(label, best[counts][1])
            for label, counts in enumerate(self._plan.crowd.counts)
            if counts in best
        ]

    def _find(self) -> None:
        """Finds one thing after the other, then some more places."""
        free = np.ones(len(self._plan.places), bool)
        most, extra = max(map(sum, self._plan.crowd.counts)), EXTRA
        known = self._gains(np.arange(len(free)))
        while free.any() and len(self.found) < most + EXTRA:
            gains = np.where(free[:, None], known, -np.inf)
            place, kind = (int(k) for k in np.unravel_index(int(gains.argmax()), gains.shape))
            present = gains[place, kind] > PRESENT
            if not present and not extra:
                return
            self.found.append((place, kind if present else -1))
            away = np.hypot(*(self._plan.places - self._plan.places[place]).T)
            free &= away > 2 * APART * self._plan.crowd.radius
            if present:
                self._draw(place, kind)
                near = np.flatnonzero(self._plan.meet[place] & free)
                known[near] = self._gains(near)
            else:
                extra -= 1

    def _gains(self, places: Array) -> Array:
        """How much better things at some places explain the picture (places, kinds) than what there is."""
        thing, offsets = self._plan.things[0], self._plan.offsets[places]
        at = thing.at + offsets[:, None]
        seen = thing.z > self._z[at]
        value = self._value[at]
        gains = [
            ((self._evidence[one.evidence + offsets[:, None]] - value) * seen).sum(axis=1) for one in self._plan.things
        ]
        return np.stack(gains, axis=1)

    def _gains_of_places(self) -> list[Array]:
        """For each place found, what a thing of each kind there is worth, the others being there."""
        gains = []
        for number, (place, _) in enumerate(self.found):
            self._value[self._points], self._z[self._points] = self._bare[self._points], self._ground[self._points]
            for other, (there, kind) in enumerate(self.found):
                if other != number and kind >= 0:
                    self._draw(there, kind)
            gains.append(self._gains(np.array([place]))[0] - PRESENT)
        return gains

    def _draw(self, place: int, kind: int) -> None:
        state = self._plan.things[kind].moved(int(self._plan.offsets[place]))
        seen = state.z > self._z[state.at]
        at = state.at[seen]
        self._value[at], self._z[at] = self._evidence[state.evidence[seen]], state.z[seen]

    def _state(self, label: int, arrangement: Arrangement) -> State:
        """The points of several things as one."""
        if not arrangement:
            none = np.empty(0, np.int64)
            return State(label, none, none.astype(np.float32), none)
        parts = [
            self._plan.things[kind].moved(int(self._plan.offsets[self.found[number][0]]))
            for number, kind in arrangement
        ]
        at, z = np.concatenate([part.at for part in parts]), np.concatenate([part.z for part in parts])
        evidence = np.concatenate([part.evidence for part in parts])
        order = np.lexsort((z, at))
        last = order[np.append(at[order][1:] != at[order][:-1], True)]
        return State(label, at[last], z[last], evidence[last])
