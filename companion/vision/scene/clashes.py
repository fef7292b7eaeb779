"""Which things leave no room for each other: their footprints overlap, and they stand at the same height."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence

import cv2
import numpy as np

from companion.games.looks import Look, Prism
from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import on_board
from companion.vision.scene.explanation import Clashes

ROOM = 0.25
"""Part of the smaller footprint that two things have to share to leave no room for each other."""

Foot = tuple[Array, float, float]
"""A footprint (n, 2) in the board frame with the lower and the upper end of what stands on it, all in mm."""


def feet_of(site: SiteSpec, look: Look) -> list[Foot]:
    """The footprints of what stands on a site."""
    z = site.centre[2]
    return [
        (on_board(site, np.array(solid.footprint)).astype(np.float32), z + solid.z0, z + solid.z1)
        for solid in look
        if isinstance(solid, Prism)
    ]


def find_clashes(
    sites: Sequence[SiteSpec], looks: Mapping[tuple[str, str], Look], free: Collection[str] = ()
) -> Clashes:
    """What leaves no room for what; `looks` by kind and label. Things on `free` sites give way to everything."""
    places = np.array([site.centre[:2] for site in sites])
    sizes = np.array([site.size for site in sites])
    feet = [[feet_of(site, looks[site.kind, label]) for label in site.labels] for site in sites]
    clashes: dict[tuple[int, int], set[tuple[int, int]]] = {}
    known: dict[Hashable, bool] = {}  # boards are regular: most pairs of sites lie as others do
    for one in range(len(sites)):
        near = np.hypot(*(places[one + 1 :] - places[one]).T) < (sizes[one] + sizes[one + 1 :]) / 2
        for other in (np.flatnonzero(near) + one + 1).tolist():
            if _together(sites[one], sites[other]) or {sites[one].name, sites[other].name} & set(free):
                continue
            apart = np.round(np.subtract(sites[other].centre, sites[one].centre), 3).tolist()
            pair = (sites[one].kind, sites[one].angle, sites[other].kind, sites[other].angle, *apart)
            for k, mine in enumerate(feet[one]):
                for j, yours in enumerate(feet[other]):
                    key = (*pair, sites[one].labels[k], sites[other].labels[j])
                    if key not in known:
                        known[key] = any(_collide(a, b) for a in mine for b in yours)
                    if known[key]:
                        clashes.setdefault((one, k), set()).add((other, j))
                        clashes.setdefault((other, j), set()).add((one, k))
    return {key: frozenset(others) for key, others in clashes.items()}


def _together(one: SiteSpec, other: SiteSpec) -> bool:
    """Whether things of one site lie under or stand upon those of the other."""
    return other.kind in (one.under, one.upon) or one.kind in (other.under, other.upon)


def _collide(one: Foot, other: Foot) -> bool:
    (a, low, high), (b, under, over) = one, other
    if min(high, over) - max(low, under) < 0.5 * max(high - low, over - under):
        return False
    shared, _ = cv2.intersectConvexConvex(a, b)
    return shared > ROOM * min(cv2.contourArea(a), cv2.contourArea(b))
