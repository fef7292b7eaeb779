"""The space that pieces take: how far those of each kind of site reach, and where the plate ends."""

from __future__ import annotations

from functools import cache
from math import cos, hypot, radians, sin
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Ball, Point, Prism, regular
from companion.games.sites import SiteSpec


class Extent(NamedTuple):
    """The space that the things on a kind of site take: convex outline in the site's frame, and height (mm)."""

    outline: tuple[Point, ...]
    height: float


@cache
def site_extents(game: Game[Any, Any]) -> dict[str, Extent]:
    """The space of each kind of site."""
    labels: dict[str, set[str]] = {}
    for site in game.sites:
        labels.setdefault(site.kind, set()).update(site.labels)
    return {
        kind: _extent_of([solid for label in found for solid in game.look(kind, label)])
        for kind, found in labels.items()
    }


def _extent_of(solids: list[Prism | Ball]) -> Extent:
    points = [point for solid in solids for point in _footprint(solid)]
    hull = cv2.convexHull(np.array(points, np.float32)).reshape(-1, 2).tolist() if points else []
    return Extent(tuple((x, y) for x, y in hull), max((_top(solid) for solid in solids), default=0.0))


def _footprint(solid: Prism | Ball) -> tuple[Point, ...]:
    return solid.footprint if isinstance(solid, Prism) else regular(12, solid.diameter / 2, centre=solid.centre)


def _top(solid: Prism | Ball) -> float:
    return solid.z1 if isinstance(solid, Prism) else solid.z + solid.diameter / 2


def outline_of(site: SiteSpec, extent: Extent, slack: float) -> tuple[Point, ...]:
    """Convex outline, in the board frame, of where things on the site stand, and `slack` mm more."""
    if site.loose or not extent.outline:
        ring = regular(12, site.size / 2 + slack)
    else:
        ring = tuple((u * (1 + slack / hypot(u, v)), v * (1 + slack / hypot(u, v))) for u, v in extent.outline)
    x, y, _ = site.centre
    s, c = sin(radians(site.angle)), cos(radians(site.angle))
    return tuple((x + u * c + v * s, y - u * s + v * c) for u, v in ring)


def plate_outline(game: Game[Any, Any]) -> tuple[Point, ...]:
    """The outline of the plate in the board frame."""
    return tuple(point for solid in game.board if isinstance(solid, Prism) for point in solid.footprint)
