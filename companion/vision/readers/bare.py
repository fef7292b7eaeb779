"""Whether places that seem bare are bare, or covered by a hand that has nearly the colour of the board.

Skin in one light looks as wood does in another, so colours alone, with all that light may do to them, do not tell. But
in one picture all bare places look alike: they have one tint, they are even, and the board's own print shows on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import SURE, unsure
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import on_board
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints, Raster
from companion.vision.light.palette import Palette, averaged, sample
from companion.vision.reading import SiteReading

STEP = 0.5
"""Millimetres between the points of a place."""

SPARSE, FEW = 31, 5
"""Of so many points in the middle of a place one is looked at, and of so many at its print: together some hundreds."""

REACH, BESIDE = 0.55, 4.0
"""How far around its middle, in sizes of the site, a place is looked at; and within how many mm of the print on it the
bare ground is compared with it."""

INNER = 0.29
"""How far from its middle, in sizes of the site, a place has to be bare: at its edges a neighbour's piece may show."""

SMOOTH = 1.6
"""Millimetres over which the picture is smoothed, two pixels at least: grain and noise make no surface uneven."""

TINTED, UNEVEN, MOTTLED = 0.05, 0.15, 3.0
"""Where the board's print does not show: how far (natural logarithm) the tint of a place may be from that of the
others, how uneven its brightness may be (standard deviation, natural logarithm), and how many times as mottled as the
others its tint may be.
"""

BROKEN, MOTLEY = 0.25, 5.0
"""The latter two where the print shows: the edge of a hand may pass for a line.

Of 33 fields of Via under hands that seemed bare 32 are beyond one of these, of 2464 bare fields in full view 28, many
of them right beside hands or under glare. In pictures they were not chosen by it was 29 of 30 and 47 of 1425.
"""

OTHER, SHADE = 0.2, 0.15
"""How far the tint may be from that of the others in any case, and how far the brightness where the print does not
show. Of 2945 bare fields of Via in full view 2 are beyond one of these and no other bound, of 4 under hands that no
other bound tells 2.
"""

SHOWN = 0.5
"""Visible part of a place from which on it counts as seen."""

FINE = 0.008
"""How mottled (natural logarithm) the tint of bare places is taken to be at least."""

PRINTED, FAINT = 0.5, -0.02
"""Part of the contrast that print, darker than the ground, has on the other places, from which on it shows; and
that contrast (natural logarithm) at least."""


class Marks(NamedTuple):
    """How places look: the `tint` (n, 3) in the middle; how bright (n,) that is, and how uneven (n,) its brightness;
    how mottled (n,) the tint; and how much lighter (n,) the board's print is than the ground beside it. All are natural
    logarithms.
    """

    tint: Array
    bright: Array
    uneven: Array
    mottled: Array
    print: Array


class BareGround:
    """The ground of all sites of one kind, which look alike where nothing lies."""

    def __init__(self, sites: Sequence[SiteSpec], paints: Paints, board: Raster) -> None:
        self.sites = tuple(sites)
        size = sites[0].size
        t = np.arange(-REACH * size, REACH * size + STEP / 2, STEP)
        square = np.stack(np.meshgrid(t, t), axis=-1)
        shown = board.at(on_board(sites[0], square.reshape(-1, 2))).reshape(square.shape[:2])
        ground = (shown == shown[len(t) // 2, len(t) // 2]).astype(np.uint8)
        _, parts = cv2.connectedComponents(ground, connectivity=4)
        own = np.asarray(parts) == parts[len(t) // 2, len(t) // 2]
        printed = _grown(own, STEP) & ~own & (shown < len(paints.colours))
        near = _grown(printed, BESIDE)
        inner = own & (np.abs(square).max(axis=-1) < INNER * size)
        self._inner = square[inner][::SPARSE]
        self._printed, self._beside = (square[some][::FEW] for some in (printed, own & near))
        plain = {int(k) for site in sites for k in np.unique(board.at(on_board(site, self._inner)))}
        self.tells = len(plain) == 1 and bool(printed.any())
        """Whether all places look alike where nothing lies, with print beside them that can show it."""
        self._bare: Marks | None = None

    def doubted(
        self, image: Array, palette: Palette, pose: Pose, sites: Mapping[str, SiteReading]
    ) -> dict[str, SiteReading]:
        """Those of some `sites` that were read surely as bare and do not look as those that were last read all."""
        named = [(k, sites[site.name]) for k, site in enumerate(self.sites) if site.name in sites]
        which = [k for k, read in named if read.label == EMPTY and read.confidence >= SURE and read.visible >= SHOWN]
        if not which:
            return {}
        marks = self.marks(image, palette, pose, which)
        if self._bare is None or len(named) == len(self.sites):
            self._bare = marks
        names = [self.sites[which[row]].name for row in np.flatnonzero(strangers(marks, self._bare))]
        return {name: unsure(sites[name]) for name in names}

    def marks(self, image: Array, palette: Palette, pose: Pose, which: Sequence[int]) -> Marks:
        """How the places with the numbers `which` look in a picture."""
        factor = max(2, round(SMOOTH * pose.scale(np.zeros(3))))
        inner = palette.scale(averaged(image, self._at(pose, self._inner, which), factor)).reshape(len(which), -1, 3)
        tints = inner - inner.mean(axis=2, keepdims=True)
        tint = np.median(tints, axis=1)
        mottled = np.median(np.linalg.norm(tints - tint[:, None], axis=2), axis=1)
        lines, beside = (
            palette.scale(sample(image, self._at(pose, some, which))).mean(axis=1).reshape(len(which), -1)
            for some in (self._printed, self._beside)
        )
        contrast = np.median(lines, axis=1) - np.median(beside, axis=1)
        bright = inner.mean(axis=2)
        return Marks(tint, bright.mean(axis=1), bright.std(axis=1), mottled, contrast)

    def _at(self, pose: Pose, points: Array, which: Sequence[int]) -> Array:
        """The pixels (sites x points, 2) of points (points, 2) of a site, on the sites with the numbers `which`."""
        z = np.full(len(points), self.sites[0].centre[2])
        places = [np.column_stack([on_board(self.sites[k], points), z]) for k in which]
        return pose.project(np.concatenate(places))


def strangers(marks: Marks, bare: Marks) -> Array:
    """Which places (n,) with such marks do not look as most places in the same picture that seem `bare`."""
    tinted = np.linalg.norm(marks.tint - np.median(bare.tint, axis=0), axis=1)
    printed = marks.print <= PRINTED * min(FAINT, float(np.median(bare.print)))
    mottled = marks.mottled / max(FINE, float(np.median(bare.mottled)))
    shade = np.abs(marks.bright - np.median(bare.bright))
    unlike = (tinted > TINTED) | (shade > SHADE) | (marks.uneven > UNEVEN) | (mottled > MOTTLED)
    never = (tinted > OTHER) | (marks.uneven > BROKEN) | (mottled > MOTLEY)
    strange: Array = (~printed & unlike) | never
    return strange


def _grown(mask: Array, by: float) -> Array:
    """The mask of points, wider by so many mm."""
    reach = 2 * round(by / STEP) + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((reach, reach), np.uint8))) > 0
