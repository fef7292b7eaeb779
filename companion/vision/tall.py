"""Reading tall pieces that stand in their places: they hide what is behind them, so those that stand close together are
explained together.

Everything is seen as shadows on the ground: each piece, and each storey of a stack, covers a convex area of the board
as the camera sees it. A configuration says what stands where; nearer pieces hide farther ones; the rest shows the
board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.board import Pose
from companion.vision.evidence import site_reading
from companion.vision.lens import Array
from companion.vision.palette import Palette
from companion.vision.places import in_picture, on_board
from companion.vision.raster import NOTHING, UNSURE, Paints, Raster
from companion.vision.reading import SiteReading

STEP = 1.25
"""Millimetres between points on the ground."""

WEIGHT = 0.4
"""As how many independent pixels a point counts."""

MARGIN = 0.7
"""Millimetres around a piece's outline in which nothing is expected."""

PART = 0.25
"""Part of a piece's points that must show its colour for it to be considered at all."""

TOGETHER = 400
"""Configurations of one group of places that are tried at most, all of them; beyond, the places one after the other."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """Points that one storey covers: `core` surely, `rim` perhaps (indices)."""

    core: Array
    rim: Array


@dataclass(frozen=True, slots=True)
class TallPlan:
    """What depends on the pose only: pixels (points, 2) of the ground points, what the bare board shows there
    (points,), the shadows by site and storey, the order of the sites from far to near, and groups of neighbours.
    """

    at: Array
    inside: Array
    ground: Array
    shadows: tuple[tuple[Shadow, ...], ...]
    far_to_near: tuple[int, ...]
    touches: tuple[frozenset[int], ...]


class TallKind:
    """All sites of one kind of tall, upright pieces."""

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints, board: Raster) -> None:
        self.sites = tuple(sites)
        self.labels = sites[0].labels
        self.pieces = tuple(label for label in self.labels if label != EMPTY)
        solids = [game.look(sites[0].kind, label)[0] for label in self.pieces]
        self.solids = [solid for solid in solids if isinstance(solid, Prism)]
        self.numbers = tuple(paints.number(solid.colour) for solid in solids)
        self.board = board.eroded(0.8)
        self.table, self.unsure = paints.table, paints.unsure
        on_ground = {int(k) for k in np.unique(self.board.values) if k < UNSURE} | {paints.table, paints.unsure}
        self.columns = (*self.numbers, *sorted(on_ground - set(self.numbers)))
        self._printed = [k for k, number in enumerate(self.columns) if number in on_ground and number < paints.table]
        self._column = np.full(paints.unsure + 1, -1)
        self._column[list(self.columns)] = np.arange(len(self.columns))

    def plan(self, pose: Pose) -> TallPlan:
        """Which ground points each storey of each site covers for the camera."""
        hulls = [self._hulls(site, pose.camera) for site in self.sites]
        corners = np.concatenate([hull for storeys in hulls for hull in storeys])
        low = np.floor(corners.min(axis=0) / STEP).astype(int) - 4
        shape = np.ceil(corners.max(axis=0) / STEP).astype(int) + 5 - low
        used = np.zeros((shape[1], shape[0]), np.uint8)
        masks = [[self._mask(hull, low, used) for hull in storeys] for storeys in hulls]
        number = np.cumsum(used.ravel()).reshape(used.shape) - 1
        rows, columns = np.nonzero(used)
        points = np.column_stack([columns + low[0], rows + low[1]]) * STEP
        z = self.sites[0].centre[2]
        at = pose.project(np.column_stack([points, np.full(len(points), z)]))
        seen = self.board.at(points)
        ground = np.where(seen < NOTHING, np.where(seen == UNSURE, self.unsure, seen), self.table)
        shadows = tuple(tuple(_shadow(number, *mask) for mask in storeys) for storeys in masks)
        places = np.array([site.centre[:2] for site in self.sites])
        order = np.argsort(-np.linalg.norm(places - pose.camera[:2], axis=1))
        return TallPlan(
            at, in_picture(at, pose.lens.size), ground, shadows, tuple(order.tolist()), _touching(shadows, len(points))
        )

    def _hulls(self, site: SiteSpec, camera: Array) -> list[Array]:
        """The shadows (n, 2) of the storeys on the ground, in mm of the board frame."""
        solid = self.solids[0]
        foot = on_board(site, np.array(solid.footprint))
        hulls = []
        for storey in range(site.stack):
            rings = []
            for z in (solid.z0 + storey * (solid.z1 - solid.z0), solid.z1 + storey * (solid.z1 - solid.z0)):
                part = (camera[2] - site.centre[2]) / (camera[2] - site.centre[2] - z)
                rings.append(camera[:2] + (foot - camera[:2]) * part)
            hull = cv2.convexHull(np.concatenate(rings).astype(np.float32))
            hulls.append(hull.reshape(-1, 2))
        return hulls

    @staticmethod
    def _mask(hull: Array, low: Array, used: Array) -> tuple[Array, Array, Array]:
        """Grid box (row, column) of a shadow, and the points in its core and in its rim."""
        first = np.floor((hull.min(axis=0) - 2 * MARGIN) / STEP).astype(int)
        last = np.ceil((hull.max(axis=0) + 2 * MARGIN) / STEP).astype(int)
        x, y = np.meshgrid(np.arange(first[0], last[0] + 1) * STEP, np.arange(first[1], last[1] + 1) * STEP)
        ends = np.roll(hull, -1, axis=0)
        along = (ends - hull) / np.maximum(np.linalg.norm(ends - hull, axis=1, keepdims=True), 1e-9)
        across = (x[..., None] - hull[:, 0]) * along[:, 1] - (y[..., None] - hull[:, 1]) * along[:, 0]
        middle = hull.mean(axis=0)
        sign = np.sign((middle[0] - hull[:, 0]) * along[:, 1] - (middle[1] - hull[:, 1]) * along[:, 0])
        depth = (across * sign).min(axis=-1)  # positive inside
        core, rim = depth > MARGIN, (depth <= MARGIN) & (depth > -MARGIN)
        box = first - low
        used[box[1] : box[1] + x.shape[0], box[0] : box[0] + x.shape[1]] |= (core | rim).astype(np.uint8)
        return box, core, rim

    def read(self, image: Array, palette: Palette, plan: TallPlan, which: Array) -> list[SiteReading]:
        """The sites with the numbers `which`."""
        chosen = set(which.tolist())
        concerned = sorted(chosen.union(*(plan.touches[site] for site in chosen)))
        ratio = np.zeros((len(plan.at), len(self.columns)), np.float32)
        points = np.unique(np.concatenate([s.core for site in concerned for s in plan.shadows[site]]))
        ratio[points] = palette.read(image, plan.at[points], self.columns) * plan.inside[points, None]
        bare = np.take_along_axis(ratio, self._column[plan.ground][:, None], axis=1)[:, 0]
        print_may_begin = plan.ground == self.unsure
        bare[print_may_begin] = ratio[print_may_begin][:, self._printed].max(axis=1)
        gain = ratio[:, : len(self.pieces)] - bare[:, None]  # how much better a piece explains a point than the board
        first = {site: gain[plan.shadows[site][0].core].sum(axis=0) for site in concerned}
        shows = (gain > 0.5) & (ratio[:, : len(self.pieces)] > 0)
        alive = [s for s in concerned if shows[plan.shadows[s][0].core].mean(axis=0).max() > PART]
        scores = {site: np.concatenate([[0.0], first[site]]) for site in concerned}
        explained = bare.copy()
        for group in _groups(alive, plan.touches):
            if chosen & set(group):
                scores.update(self._explain(group, gain, shows, plan, explained))
        readings = []
        for site in which.tolist():
            core = plan.shadows[site][0].core
            fits = explained[core]
            absolute = WEIGHT * (scores[site] - scores[site].max() + fits.sum())
            visible = float((fits > 0).mean() * plan.inside[core].mean()) / 0.9
            readings.append(site_reading(self.labels, absolute, visible))
        return readings

    def _explain(
        self, group: list[int], gain: Array, shows: Array, plan: TallPlan, explained: Array
    ) -> dict[int, Array]:
        """The best score of each label of each site of a group, the other sites being as they fit best.

        Adds to `explained` what the pieces explain better than the bare board does.
        """
        group = [site for site in plan.far_to_near if site in set(group)]
        used = np.unique(np.concatenate([np.concatenate([s.core, s.rim]) for k in group for s in plan.shadows[k]]))
        storeys = [
            [Shadow(np.searchsorted(used, s.core), np.searchsorted(used, s.rim)) for s in plan.shadows[k]]
            for k in group
        ]
        near = gain[used]
        choices = [_choices(shadows, shows[used]) for shadows in storeys]
        best = {site: np.full(len(self.labels), -np.inf) for site in group}
        top, values = -np.inf, np.zeros(len(used), np.float32)
        for configuration in _configurations(choices, lambda c: float(_compose(storeys, c, near).sum())):
            composed = _compose(storeys, configuration, near)
            score = float(composed.sum())
            for site, stack in zip(group, configuration, strict=True):
                label = stack[-1] + 1 if stack else 0
                best[site][label] = max(best[site][label], score)
            if score > top:
                top, values = score, composed
        explained[used] += values
        return best


def _choices(storeys: list[Shadow], shows: Array) -> list[tuple[int, ...]]:
    """Stacks (piece numbers from below) that may stand on a site."""
    stacks: list[tuple[int, ...]] = [()]
    below: tuple[int, ...] = ()
    for storey in storeys:
        parts = shows[storey.core].mean(axis=0)
        likely = [int(k) for k in np.argsort(-parts) if parts[k] > PART]
        stacks.extend((*below, piece) for piece in likely)
        if not likely:
            break
        below = (*below, likely[0])
    return stacks


def _compose(storeys: list[list[Shadow]], configuration: Sequence[tuple[int, ...]], gain: Array) -> Array:
    """How much better a configuration explains each point than the bare board; nearer pieces hide farther ones."""
    values = np.zeros(len(gain), np.float32)
    for shadows, stack in zip(storeys, configuration, strict=True):
        for shadow, piece in zip(shadows, stack, strict=False):
            values[shadow.rim] = 0.0
            values[shadow.core] = gain[shadow.core, piece]
    return values


def _shadow(number: Array, box: Array, core: Array, rim: Array) -> Shadow:
    part = number[box[1] : box[1] + core.shape[0], box[0] : box[0] + core.shape[1]]
    return Shadow(part[core], part[rim])


def _touching(shadows: tuple[tuple[Shadow, ...], ...], points: int) -> tuple[frozenset[int], ...]:
    """For each site those whose shadows (any storey) share points with its own."""
    owners: list[set[int]] = [set() for _ in range(points)]
    for site, storeys in enumerate(shadows):
        for storey in storeys[:2]:
            for point in storey.core.tolist():
                owners[point].add(site)
    touches: list[set[int]] = [set() for _ in shadows]
    for together in {frozenset(owner) for owner in owners if len(owner) > 1}:
        for site in together:
            touches[site] |= together
    return tuple(frozenset(t) for t in touches)


def _groups(alive: Sequence[int], touches: tuple[frozenset[int], ...]) -> list[list[int]]:
    """Places that may hold pieces, those together whose pieces could hide each other."""
    left = set(alive)
    groups = []
    while left:
        group, edge = [], [left.pop()]
        while edge:
            site = edge.pop()
            group.append(site)
            near = left & touches[site]
            left -= near
            edge.extend(near)
        groups.append(group)
    return groups


def _configurations(choices: list[list[tuple[int, ...]]], score: Any) -> list[tuple[tuple[int, ...], ...]]:
    """All configurations, or, where they are too many, all that change one or two places of a good one."""
    if prod(len(c) for c in choices) <= TOGETHER:
        return list(product(*choices))
    best = [c[0] for c in choices]
    for _ in range(3):
        for k, options in enumerate(choices):
            best[k] = max(options, key=lambda option: score([*best[:k], option, *best[k + 1 :]]))
    found = [tuple(best)]
    for k, options in enumerate(choices):
        for option in options:
            one = [*best[:k], option, *best[k + 1 :]]
            found.append(tuple(one))
            if k + 1 < len(choices):
                found.extend((*one[: k + 1], other, *one[k + 2 :]) for other in choices[k + 1])
    return found
