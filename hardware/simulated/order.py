"""In which order solids have to be drawn, so that what is in front covers what is behind."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from math import hypot
from typing import NamedTuple

import numpy as np

from hardware.simulated.lens import Array
from hardware.simulated.solids import Placed

TOUCH = 0.6
"""Solids may run into one another by so many mm (pieces lie a little off their places)."""


def painters_order(things: Sequence[Placed], eye: Array) -> list[Placed]:
    """The solids from back to front as seen from `eye` (3,) mm, above them all.

    Two solids that do not run into one another are parted by a level plane or by an upright one through a side of one
    of them; the one on the eye's side of it comes later.
    """
    feet = [thing.footprint for thing in things]
    sides = [_Foot.of(foot, eye) for foot in feet]
    rank = [(round(t.bottom), -hypot(t.x - eye[0], t.y - eye[1]), k) for k, t in enumerate(things)]
    later: list[list[int]] = [[] for _ in things]
    waiting = [0] * len(things)
    for a, b in _near(things, feet, eye):
        first, second = (a, b) if _before(things[a], things[b], sides[a], sides[b], eye) else (b, a)
        later[first].append(second)
        waiting[second] += 1
    ready = [rank[k] for k, count in enumerate(waiting) if not count]
    heapify(ready)
    left, order = set(range(len(things))), []
    while left:
        k = heappop(ready)[2] if ready else min(left, key=lambda n: rank[n])  # a ring of solids: any start will do
        if k not in left:
            continue
        left.discard(k)
        order.append(things[k])
        for n in later[k]:
            waiting[n] -= 1
            if not waiting[n]:
                heappush(ready, rank[n])
    return order


def _near(things: Sequence[Placed], feet: Sequence[Array], eye: Array) -> list[tuple[int, int]]:
    """Pairs that may cover one another: their feet are no further apart than their height can reach."""
    if len(things) < 2:
        return []
    centres = np.array([(foot.min(0) + foot.max(0)) / 2 for foot in feet])
    radii = np.array([hypot(*(foot.max(0) - foot.min(0))) / 2 for foot in feet])
    lowest = min(thing.bottom for thing in things)
    slope = np.linalg.norm(centres - eye[:2], axis=1) / max(float(eye[2]) - max(t.top for t in things), 100.0)
    reach = radii + np.array([thing.top - lowest for thing in things]) * slope + 1
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    firsts, seconds = np.nonzero(np.triu(apart < reach[:, None] + reach[None], 1))
    return list(zip(firsts.tolist(), seconds.tolist(), strict=True))


class _Foot(NamedTuple):
    """A footprint (n, 2) mm with its sides: outward normals (2, n), where they are along these, and whether the eye is
    outside of each.
    """

    points: Array
    normals: Array
    level: Array
    outside: Array

    @classmethod
    def of(cls, points: Array, eye: Array) -> _Foot:
        along = np.concatenate([points[1:], points[:1]]) - points
        normals = np.stack([-along[:, 1], along[:, 0]], 1)
        normals /= np.maximum(np.hypot(*along.T), 1e-9)[:, None]
        level = (normals * points).sum(1)
        return cls(points, normals.T, level, normals @ eye[:2] > level)


def _before(a: Placed, b: Placed, foot_a: _Foot, foot_b: _Foot, eye: Array) -> bool:
    """Whether `a` has to be drawn before `b`."""
    if a.top <= b.bottom + 0.01:
        return True
    if b.top <= a.bottom + 0.01:
        return False
    parted = [(_gap(foot_a, foot_b), True), (_gap(foot_b, foot_a), False)]
    (gap, outside), a_parts = max(parted, key=lambda p: p[0][0])
    if gap < -TOUCH:  # they run into one another: by height, then by distance
        far_a, far_b = (hypot(*(foot.points.mean(0) - eye[:2])) for foot in (foot_a, foot_b))
        return (a.top, -far_a) <= (b.top, -far_b)
    return outside == a_parts


def _gap(foot: _Foot, other: _Foot) -> tuple[float, bool]:
    """The widest gap between a footprint's side and the other footprint, and whether the eye is on the outer side."""
    gaps = (other.points @ foot.normals).min(0) - foot.level
    best = gaps.argmax()
    return float(gaps[best]), bool(foot.outside[best])
