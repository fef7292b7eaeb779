"""Reading flat pieces that lie fitted in their places: each label says which paint shows at each point of a lattice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.board import Pose
from companion.vision.evidence import PIXELS, SEEN, SURE, site_reading
from companion.vision.lens import Array
from companion.vision.palette import Palette
from companion.vision.places import classes, height, in_picture, lattice, on_board, on_site
from companion.vision.raster import NOTHING, UNSURE, Paints, Raster
from companion.vision.reading import SiteReading

POINTS = 140
"""Points of a site's lattice, about."""

MARGIN = 1.6
"""Millimetres by which a piece may lie off, or a line be drawn off, without mattering."""


@dataclass(frozen=True, slots=True)
class FlatPlan:
    """What depends on the pose only: pixels (sites, points, 2), those inside the picture (sites, points), and what each
    empty site shows there (sites, points).
    """

    at: Array
    inside: Array
    empty: Array


class FlatKind:
    """All sites of one kind of flat, fitted pieces."""

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints, board: Raster) -> None:
        self.sites = tuple(sites)
        self.labels = tuple(dict.fromkeys(label for site in sites for label in site.labels))
        looks = [game.look(sites[0].kind, label) for label in self.labels]
        self.top = max(height(look) for look in looks)
        radius = sites[0].size / 2
        every = lattice(radius, radius * np.sqrt(3.6 / POINTS))
        shown = np.stack([classes(look, every, paints, MARGIN) for look in looks])
        used = (shown < UNSURE).any(axis=0)
        self.points, shown = every[used], shown[:, used]
        self.footprint = (np.stack([classes(look, self.points, paints, 0.0) for look in looks]) != NOTHING).any(axis=0)
        columns = paints.unsure + 1
        self.shown = np.where(shown < UNSURE, shown, columns - 1)  # beside a piece anything may show
        self.columns = columns
        self.board = board.eroded(MARGIN)
        outline = looks[-1]
        self._covers = lambda points: classes(outline, points, paints, 0.5) < UNSURE
        onehot = self.shown[:, :, None] == np.arange(columns)
        self.onehot = onehot.reshape(len(self.labels), -1).T.astype(np.float32)

    def plan(self, pose: Pose) -> FlatPlan:
        """Where the lattice of each site is in the picture."""
        places = np.stack([on_board(site, self.points) for site in self.sites])
        z = np.array([site.centre[2] for site in self.sites])[:, None]
        tops = np.concatenate([places, np.broadcast_to((z + self.top)[..., None], (*places.shape[:2], 1))], axis=2)
        at = pose.project(tops.reshape(-1, 3)).reshape(*places.shape[:2], 2)
        sight = tops - pose.camera
        ground = tops + sight * (self.top / -sight[..., 2:])
        empty = self.board.at(ground[..., :2].reshape(-1, 2)).reshape(places.shape[:2])
        hit = np.stack([self._covers(on_site(s, g[:, :2])) for s, g in zip(self.sites, ground, strict=True)])
        empty = np.where(hit & (empty < UNSURE), empty, self.columns - 1)
        return FlatPlan(at, in_picture(at, pose.lens.size), empty)

    def read(self, image: Array, palette: Palette, plan: FlatPlan, which: Array) -> list[SiteReading]:
        """The sites with the numbers `which`."""
        at, inside = plan.at[which], plan.inside[which]
        ratio = palette.read(image, at.reshape(-1, 2)).reshape(*at.shape[:2], -1)
        ratio *= inside[..., None]
        weight = min(1.0, PIXELS / len(self.points))
        scores = ratio.reshape(len(which), -1) @ self.onehot
        on_empty = np.take_along_axis(ratio, plan.empty[which][..., None].astype(np.intp), axis=2)[..., 0]
        scores[:, self.labels.index(EMPTY)] = on_empty.sum(axis=1)
        scores *= weight
        readings = []
        for row, number in enumerate(which):
            best = int(np.argmax(scores[row]))
            fits = on_empty[row] if self.labels[best] == EMPTY else self._explained(ratio[row], best)
            shown = plan.empty[number] if self.labels[best] == EMPTY else self.shown[best]
            sure = shown != self.columns - 1
            visible = float(((fits > 0) & inside[row])[sure].mean()) / 0.9 if sure.any() else 0.0
            readings.append(site_reading(self.labels, scores[row], visible))
        return readings

    def sure_points(self, plan: FlatPlan, readings: Sequence[SiteReading]) -> tuple[Array, Array]:
        """Pixels (n, 2) whose paint is beyond doubt after all sites were read, and the numbers (n,) of the paints."""
        at, numbers = [np.empty((0, 2))], [np.empty(0, np.intp)]
        for k, reading in enumerate(readings):
            if reading.visible < SEEN or reading.confidence < SURE:
                continue
            shown = plan.empty[k] if reading.label == EMPTY else self.shown[self.labels.index(reading.label)]
            keep = (shown != self.columns - 1) & plan.inside[k]
            at.append(plan.at[k][keep])
            numbers.append(shown[keep])
        return np.concatenate(at), np.concatenate(numbers)

    def _explained(self, ratio: Array, label: int) -> Array:
        return np.take_along_axis(ratio, self.shown[label][:, None], axis=1)[:, 0]
