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
from companion.games.sites import SiteSpec
from companion.vision.evidence import disputed, unsure
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture, on_board
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import Palette, averaged
from companion.vision.reading import SiteReading

SIDES, FEWEST = 8, 3
"""Sides of the board on which the table is looked at, and of how many the picture has to show something."""

ENOUGH = 10
"""Points of the table on a side from which on it counts."""

ALIKE, CLOSELY, SPREAD = 0.16, 0.05, 3.0
"""How far (natural logarithm, brightness aside) colours may be from each other that are the table's: at most and at
least, and how often as far as half of the table's are from what is usual. Of 230 places of the Magic Labyrinth's tray
with walls 214 look as the table does not then, 191 where all may be far from each other, of 1643 bare ones 34 both
times (seeds 1500100 to 1500179).
"""

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

SHADED = 0.1
"""How probable it is that something lies where a pile may be, though none seems to: of 35 bare depots of Labyria 13 lie
partly in the board's shade, which has another colour (seeds 1500100 to 1500199, 1502000 to 1502079); so they rather
stay bare, but are not surely so.
"""

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
        self._places = [_places(game, site) for site in sites]

    def doubted(
        self, image: Array, palette: Palette, pose: Pose, sites: Mapping[str, SiteReading]
    ) -> dict[str, SiteReading]:
        """Those of some `sites` that were read as bare and look as the table does not all around: in colour, or
        brighter.
        """
        named = [(k, sites[site.name]) for k, site in enumerate(self.sites) if site.name in sites]
        which = [k for k, read in named if read.label == read.labels[0] and read.visible >= SHOWN]
        if not which:
            return {}
        at = pose.project(self._table)
        inside = in_picture(at, pose.lens.size)
        (seen, bright), side = _tints(image, palette, pose, at[inside]), self._side[inside]
        counts = np.bincount(side, minlength=SIDES)
        sides = np.flatnonzero(counts >= ENOUGH)
        if len(sides) < FEWEST:
            return {}
        usual = float(np.median(np.linalg.norm(seen - np.median(seen, axis=0), axis=1)))
        closely = min(ALIKE, max(CLOSELY, SPREAD * usual))

        def is_strange(place: Array) -> bool:
            tints, shades = _tints(image, palette, pose, pose.project(place))
            near = np.linalg.norm(seen - np.median(tints, axis=0), axis=1) < closely
            alike = np.bincount(side[near & (np.quantile(shades, PART) - bright < BRIGHTER)], minlength=SIDES)
            return bool((alike[sides] > SOME * counts[sides]).mean() <= MOST)

        doubted = {}
        for k in which:
            if any(map(is_strange, places := self._places[k])):
                read = sites[self.sites[k].name]
                doubted[self.sites[k].name] = unsure(read) if len(places) == 1 else disputed(read, SHADED)
        return doubted


def _places(game: Game[Any, Any], site: SiteSpec) -> list[Array]:
    """Points (n, 3) of each place where a thing on a site may stand on the table, in mm of the board frame: a pile has
    several.
    """
    solids = [solid for label in site.labels for solid in game.look(site.kind, label)]
    standing = [solid.footprint for solid in solids if isinstance(solid, Prism) and solid.z0 == 0]
    places = []
    for corners in dict.fromkeys(standing):
        ends = np.array(corners)
        x, y = (np.arange(low, high, STEP) for low, high in zip(ends.min(axis=0), ends.max(axis=0), strict=True))
        points = on_board(site, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))
        places.append(np.column_stack([points, np.full(len(points), site.centre[2])]))
    return places


def _tints(image: Array, palette: Palette, pose: Pose, at: Array) -> tuple[Array, Array]:
    """The tints (n, 3) of pixels (n, 2), colours with brightness aside, and the brightness (n,)."""
    scaled = palette.scale(averaged(image, at, max(2, round(SMOOTH * pose.scale(np.zeros(3))))))
    bright = scaled.mean(axis=1)
    return scaled - bright[:, None], bright
