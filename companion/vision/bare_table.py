"""Whether places on the table top that seem bare are bare, or covered by a hand.

A hand over the table is taken for a part of it where it is large: its colours are seen beside the board as the table's
are. But a hand reaches in from one side; what a table top looks like shows on most sides of the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.board import Pose
from companion.vision.evidence import unsure
from companion.vision.lens import Array
from companion.vision.palette import Palette, averaged
from companion.vision.places import in_picture, on_board
from companion.vision.reading import SiteReading

SIDES, FEWEST = 8, 3
"""Sides of the board on which the table is looked at, and of how many the picture has to show something."""

ENOUGH = 10
"""Points of the table on a side from which on it counts."""

ALIKE = 0.16
"""How far (natural logarithm, brightness aside) colours may be from each other that are the table's."""

BRIGHTER, PART = 0.8, 2 / 3
"""By how much (natural logarithm) a place may be brighter than what is alike, all but its brightest third: a hand has
about the tint of dark wood. Of 55 covered places that seemed bare 49 are told so, 39 without it, of 4123 in full view
41 and 32 (seeds 991300 to 991499).
"""

SOME = 0.04
"""Part of a side's points that have to be alike: the side then shows that colour."""

MOST = 0.5
"""Part of the sides that have to show it. Of 110 places on the table under hands and sleeves that seemed bare 88 % are
of a colour that fewer do show, of 2892 in full view 1.9 %, of those in pictures without hands 0.6 %.
"""

SHOWN = 0.5
"""Visible part of a place from which on it counts as seen."""

STEP = 4.0
"""Millimetres between the points of a place."""

SMOOTH = 2.0
"""Millimetres over which the picture is smoothed."""


class BareTable:
    """The places beside the board where things are put upright, and the table around."""

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], table: Array) -> None:
        """`table` (n, 3): points where the bare table shows, in mm of the board frame."""
        self.sites = tuple(sites)
        self._table = table
        away = table[:, :2] - table[:, :2].mean(axis=0)
        self._side = (np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) * SIDES).round().astype(int) % SIDES
        self._places = [_place(game, site) for site in sites]

    def doubted(
        self, image: Array, palette: Palette, pose: Pose, sites: Mapping[str, SiteReading]
    ) -> dict[str, SiteReading]:
        """Those of some `sites` that were read as bare and look as the table does not all around: in colour, or
        brighter.
        """
        named = [(k, sites[site.name]) for k, site in enumerate(self.sites) if site.name in sites]
        which = [k for k, read in named if read.label == EMPTY and read.visible >= SHOWN]
        if not which:
            return {}
        at = pose.project(self._table)
        inside = in_picture(at, pose.lens.size)
        (seen, bright), side = _tints(image, palette, pose, at[inside]), self._side[inside]
        counts = np.bincount(side, minlength=SIDES)
        sides = np.flatnonzero(counts >= ENOUGH)
        if len(sides) < FEWEST:
            return {}
        doubted = {}
        for k in which:
            tints, shades = _tints(image, palette, pose, pose.project(self._places[k]))
            near = np.linalg.norm(seen - np.median(tints, axis=0), axis=1) < ALIKE
            alike = np.bincount(side[near & (np.quantile(shades, PART) - bright < BRIGHTER)], minlength=SIDES)
            if (alike[sides] > SOME * counts[sides]).mean() <= MOST:
                name = self.sites[k].name
                doubted[name] = unsure(sites[name])
        return doubted


def _place(game: Game[Any, Any], site: SiteSpec) -> Array:
    """Points (n, 3) where a thing on a site would stand, in mm of the board frame."""
    looks = [game.look(site.kind, label) for label in site.labels]
    ends = np.array([end for look in looks for solid in look if isinstance(solid, Prism) for end in solid.footprint])
    x, y = (np.arange(low, high, STEP) for low, high in zip(ends.min(axis=0), ends.max(axis=0), strict=True))
    points = on_board(site, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))
    return np.column_stack([points, np.full(len(points), site.centre[2])])


def _tints(image: Array, palette: Palette, pose: Pose, at: Array) -> tuple[Array, Array]:
    """The tints (n, 3) of pixels (n, 2), colours with brightness aside, and the brightness (n,)."""
    scaled = palette.scale(averaged(image, at, max(2, round(SMOOTH * pose.scale(np.zeros(3))))))
    bright = scaled.mean(axis=1)
    return scaled - bright[:, None], bright
