"""In which order solids have to be drawn, so that what is in front covers what is behind."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from math import hypot

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
    rank = [(round(t.bottom), -hypot(t.x - eye[0], t.y - eye[1]), k) for k, t in enumerate(things)]
    later: list[list[int]] = [[] for _ in things]
    waiting = [0] * len(things)
    for a, b in _near(things, feet, eye):
        first, second = (a, b) if _before(things[a], things[b], feet[a], feet[b], eye) else (b, a)
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


def _before(a: Placed, b: Placed, foot_a: Array, foot_b: Array, eye: Array) -> bool:
    """Whether `a` has to be drawn before `b`."""
    if a.top <= b.bottom + 0.01:
        return True
    if b.top <= a.bottom + 0.01:
        return False
    parted = [(_gap(foot_a, foot_b, eye), True), (_gap(foot_b, foot_a, eye), False)]
    (gap, outside), a_parts = max(parted, key=lambda p: p[0][0])
    if gap < -TOUCH:  # they run into one another: by height, then by distance
        return (a.top, -hypot(*(foot_a.mean(0) - eye[:2]))) <= (b.top, -hypot(*(foot_b.mean(0) - eye[:2])))
    return outside == a_parts


def _gap(foot: Array, other: Array, eye: Array) -> tuple[float, bool]:
    """The widest gap between a footprint's side and the other footprint, and whether the eye is on the outer side."""
    along = np.roll(foot, -1, 0) - foot
    normals = np.stack([-along[:, 1], along[:, 0]], 1) / np.maximum(np.linalg.norm(along, axis=1), 1e-9)[:, None]
    level = (normals * foot).sum(1)
    gaps = (other @ normals.T).min(0) - level
    best = int(np.argmax(gaps))
    return float(gaps[best]), bool(normals[best] @ eye[:2] > level[best])
