"""Reading pieces that lie loose: at any angle, and a little beside the middle of their place.

First the place of the piece is searched with what every piece of the kind shows at a given distance from its middle,
however it is turned; then the turn and the label are found together on circles around that middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.board import Pose
from companion.vision.evidence import PIXELS, site_reading
from companion.vision.lens import Array
from companion.vision.palette import Palette
from companion.vision.places import classes, height, in_picture, on_board
from companion.vision.raster import NOTHING, UNSURE, Paints
from companion.vision.reading import SiteReading

STEP = 2.0
"""Millimetres between the points on which the middle is searched."""

TURNS = 40
"""Turns that are tried, and points on a circle."""

MARGIN = 1.2
"""Millimetres by which the found middle may be off without mattering."""

CANDIDATES = 4
"""Middles that are looked at closely in each place."""

PIECE = 4.0
"""Log likelihood ratio that a piece has to reach: a table top, a cup or a pencil may look a little like one."""


@dataclass(frozen=True, slots=True)
class LoosePlan:
    """Pixels of a square grid around each site, (sites, rows, columns, 2), and those inside the picture; `frame`
    (sites, 2, 2) turns a shift in mm there into one in pixels, for a circle around a point of the grid.
    """

    at: Array
    inside: Array


class LooseKind:
    """All sites of one kind where pieces lie loose."""

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints) -> None:
        self.sites = tuple(sites)
        self.labels = sites[0].labels
        pieces = [game.look(sites[0].kind, label) for label in self.labels if label != EMPTY]
        self.pieces = tuple(label for label in self.labels if label != EMPTY)
        self.top = max(height(look) for look in pieces)
        self.columns, self.table = paints.unsure + 1, paints.table
        reach = sites[0].size / 4
        edge = max(np.hypot(x, y) for look in pieces for solid in look for x, y in solid.footprint)
        self.radii = np.arange(1.0, edge, 2.0)
        self.shown = np.stack([self._circles(look, paints) for look in pieces])
        self.onehot = self._onehot()
        self.zones = self._zones()
        half = int(np.ceil((reach + max(radius for radius, _ in self.zones) + 1) / STEP))
        self.reach = int(reach / STEP)
        self.grid = np.arange(-half, half + 1) * STEP

    def _circles(self, look: Any, paints: Paints) -> Array:
        """What a piece shows on circles around its middle, (radii, turns)."""
        angle = 2 * np.pi * np.arange(TURNS) / TURNS
        x, y = self.radii[:, None] * np.sin(angle), self.radii[:, None] * np.cos(angle)
        shown = classes(look, np.stack([x, y], axis=-1).reshape(-1, 2), paints, MARGIN)
        shown = np.where(shown == NOTHING, self.table, shown)
        return np.where(shown == UNSURE, self.columns - 1, shown).reshape(x.shape)

    def _onehot(self) -> Array:
        """Fourier transform over the turns: (turns / 2 + 1, radii x paints, pieces)."""
        onehot = (self.shown[..., None] == np.arange(self.columns)).astype(np.float32)
        onehot *= np.where(np.arange(self.columns) == self.columns - 1, 0, 1)
        onehot *= self.radii[:, None, None]  # a circle's points stand for as much area as it has
        self.area = onehot.sum(axis=(1, 2, 3)).max()
        spectrum = np.conj(np.fft.rfft(onehot, axis=2))  # (pieces, radii, frequencies, paints)
        return np.ascontiguousarray(spectrum.transpose(2, 1, 3, 0)).reshape(TURNS // 2 + 1, -1, len(self.shown))

    def _zones(self) -> list[tuple[Array, Array]]:
        """Rings around the middle and the share of each paint there, over all pieces and turns."""
        zones = []
        for k, radius in enumerate(self.radii):
            share = np.bincount(self.shown[:, k].ravel(), minlength=self.columns)[: self.table]
            if share.sum() < 0.8 * self.shown[:, k].size:
                continue  # the piece's edge may pass here
            zones.append((radius, share / share.sum()))
        return zones

    def plan(self, pose: Pose) -> LoosePlan:
        """Where the grid of each site is in the picture."""
        x, y = np.meshgrid(self.grid, self.grid)
        square = np.stack([x, y], axis=-1).reshape(-1, 2)
        places = [
            np.column_stack([on_board(s, square), np.full(len(square), s.centre[2] + self.top)]) for s in self.sites
        ]
        at = pose.project(np.concatenate(places)).reshape(len(self.sites), *x.shape, 2).astype(np.float32)
        return LoosePlan(at, in_picture(at, pose.lens.size))

    def read(self, image: Array, palette: Palette, plan: LoosePlan, which: Array) -> list[SiteReading]:
        """The sites with the numbers `which`."""
        at, inside = plan.at[which], plan.inside[which]
        shape = inside.shape
        ratio = palette.read(image, at.reshape(-1, 2)).reshape(*shape, -1) * inside[..., None]
        middles = np.stack([self._middles(r) for r in ratio])  # (sites, candidates, 2) rows and columns of the grid
        seen = self._circles_of(image, palette, at, middles)
        pieces, table = self._match(seen), self._match_table(seen)
        known = (seen.max(axis=-1) > 0).mean(axis=(2, 3))
        readings = []
        for row in range(len(which)):
            over = pieces[row] - table[row][:, None] - PIECE  # (candidates, pieces)
            nearest = int(np.argmax(over.max(axis=1)))
            ground = table[row, nearest]
            best = over.max(axis=0) + ground
            scores = np.array([ground if label == EMPTY else best[self.pieces.index(label)] for label in self.labels])
            visible = float(known[row, nearest] * inside[row].mean())
            readings.append(site_reading(self.labels, scores, visible))
        return readings

    def _middles(self, ratio: Array) -> Array:
        """The likeliest middles of a piece (candidates, 2) on the grid."""
        score = np.zeros(ratio.shape[:2], np.float32)
        evidence = np.exp(ratio[..., : self.table])
        for radius, share in self.zones:
            mixed = np.log(evidence @ share.astype(np.float32))
            score += cv2.filter2D(mixed, -1, _ring(radius), borderType=cv2.BORDER_REPLICATE)
        centre = len(self.grid) // 2
        low, high = centre - self.reach, centre + self.reach + 1
        window = score[low:high, low:high]
        order = np.argsort(window.ravel())[::-1][:CANDIDATES]
        return np.column_stack(np.unravel_index(order, window.shape)) + low

    def _circles_of(self, image: Array, palette: Palette, at: Array, middles: Array) -> Array:
        """Ratios (sites, candidates, radii, turns, paints) on circles around the middles."""
        sites, candidates = middles.shape[:2]
        rows, columns = middles[..., 0], middles[..., 1]
        number = np.arange(sites)[:, None]
        middle = at[number, rows, columns]
        right = (at[number, rows, columns + 1] - at[number, rows, columns - 1]) / (2 * STEP)
        up = (at[number, rows + 1, columns] - at[number, rows - 1, columns]) / (2 * STEP)
        angle = 2 * np.pi * np.arange(TURNS) / TURNS
        x, y = self.radii[:, None] * np.sin(angle), self.radii[:, None] * np.cos(angle)
        points = middle[:, :, None, None] + right[:, :, None, None] * x[..., None] + up[:, :, None, None] * y[..., None]
        return palette.read(image, points.reshape(-1, 2)).reshape(*points.shape[:-1], -1)

    def _match_table(self, ratio: Array) -> Array:
        """Scores (sites, candidates) of the bare table there."""
        total = (ratio[..., self.table] * self.radii[:, None]).sum(axis=(2, 3))
        scores: Array = total * min(1.0, PIXELS / self.area)
        return scores

    def _match(self, ratio: Array) -> Array:
        """Scores (sites, candidates, pieces) of pieces lying at the middles, turned as they fit best."""
        sites, candidates = ratio.shape[:2]
        spectrum = np.fft.rfft(ratio, axis=3).transpose(
            3, 0, 1, 2, 4
        )  # (frequencies, sites, candidates, radii, paints)
        spectrum = spectrum.reshape(TURNS // 2 + 1, sites * candidates, -1)
        product = spectrum @ self.onehot
        scores = np.fft.irfft(product, n=TURNS, axis=0)  # (turns, sites x candidates, pieces)
        scores = scores.reshape(TURNS, sites, candidates, -1).transpose(1, 2, 3, 0)
        best: Array = scores.max(axis=3) * min(1.0, PIXELS / self.area)
        return best


def _ring(radius: float) -> Array:
    """A kernel that sums over a ring, as wide as circles are apart."""
    size = int(np.ceil((radius + 1) / STEP))
    t = np.arange(-size, size + 1) * STEP
    distance = np.hypot(*np.meshgrid(t, t))
    kernel = np.clip(1.5 - np.abs(distance - radius), 0, 1)
    return kernel.astype(np.float32)
