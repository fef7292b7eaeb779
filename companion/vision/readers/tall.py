"""Reading tall pieces that stand in their places: they hide what is behind them, so those that stand close together are
explained together.

Everything is seen as shadows on the ground: each piece, and each storey of a stack, covers a convex area of the board
as the camera sees it. A configuration says what stands where; nearer pieces hide farther ones; the rest shows the
board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product, zip_longest
from math import prod
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import site_reading
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture, on_board
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import NOTHING, UNSURE, Paints, Raster
from companion.vision.light.palette import Palette, sample
from companion.vision.reading import SiteReading

STEP = 1.25
"""Millimetres between points on the ground."""

WEIGHT = 0.4
"""As how many independent pixels a point counts."""

MARGIN = 0.7
"""Millimetres around a piece's outline in which nothing is expected."""

PART = 0.25
"""Part of a piece's upper face that must show its colour for it to be considered at all."""

SHADED = 0.3
"""What it costs (natural logarithm, a point) that a piece's side is as dark as the darkest paint of the board."""

BARE = -1.2
"""Where all pieces explain the place on which they would stand so much worse (natural logarithm, a point) than the bare
board does, it is free: whatever stands there hides it.
"""

MOST = 3.0
"""What a point says at most (natural logarithm) for a piece: outlines are never quite where they should be."""

HIGH = 3
"""From this height on stacks are so rare that what lies behind them is only looked at where one may stand."""

HIGHER = 3.0
"""What it costs (as points do) that a piece stands on another: simpler explanations come first."""

TOGETHER = 400
"""Configurations of one group of places that are tried at most, all of them; beyond, the places one after the other."""


Stack = tuple[int, ...]
"""Numbers of the pieces that stand on a site, from below."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """Points that one storey covers (indices): `core` surely, the first `faces` of them with its upper face, the others
    with its side; `rim` perhaps.
    """

    core: Array
    faces: int
    rim: Array

    @property
    def top(self) -> Array:
        """What the upper face covers."""
        return self.core[: self.faces]

    @property
    def side(self) -> Array:
        """What the side covers."""
        return self.core[self.faces :]

    def among(self, points: Array) -> Shadow:
        """The same, as indices into `points` (sorted)."""
        return Shadow(np.searchsorted(points, self.core), self.faces, np.searchsorted(points, self.rim))


@dataclass(frozen=True, slots=True)
class Gain:
    """How much better each piece explains each point (points, pieces) than the bare board does: with its upper face,
    which shows its colour, or with its side, which may lie in the dark.
    """

    top: Array
    side: Array

    def at(self, points: Array) -> Gain:
        """The same for some points."""
        return Gain(self.top[points], self.side[points])

    def limited(self) -> Gain:
        """The same, no point saying much for a piece."""
        return Gain(np.minimum(self.top, MOST), np.minimum(self.side, MOST))


@dataclass(frozen=True, slots=True)
class TallPlan:
    """What depends on the pose only: pixels (points, 2) of the ground points, what the bare board shows there
    (points,), the shadows by site and storey and what all storeys of a site cover, the points of each site that tell
    best whether a piece hides them, the order of the sites from far to near, groups of neighbours, and those farther
    away on which the upper pieces of a high stack would seem to stand.
    """

    at: Array
    inside: Array
    ground: Array
    shadows: tuple[tuple[Shadow, ...], ...]
    covered: tuple[Array, ...]
    feet: tuple[Array, ...]
    far_to_near: tuple[int, ...]
    touches: tuple[frozenset[int], ...]
    beyond: tuple[frozenset[int], ...]


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
        plain = [k for k in self._printed if self.columns[k] < len(paints.colours)]
        self._darkest = min(plain, key=lambda k: sum(paints.colours[self.columns[k]]))
        self._place = int(self.board.at(np.array([site.centre[:2] for site in sites]))[0])
        self._column = np.full(paints.unsure + 1, -1)
        self._column[list(self.columns)] = np.arange(len(self.columns))

    def plan(self, pose: Pose) -> TallPlan:
        """Which ground points each storey of each site covers for the camera."""
        hulls = [self._hulls(site, pose.camera) for site in self.sites]
        corners = np.concatenate([hull for storeys in hulls for hull, _ in storeys])
        low = np.floor(corners.min(axis=0) / STEP).astype(int) - 4
        shape = np.ceil(corners.max(axis=0) / STEP).astype(int) + 5 - low
        used = np.zeros((shape[1], shape[0]), np.uint8)
        masks = [[self._mask(*storey, low, used) for storey in storeys] for storeys in hulls]
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
        feet = tuple(
            self._foot(site, points, ground, storeys[0].core) for site, storeys in zip(self.sites, shadows, strict=True)
        )
        touches, beyond = _touching(shadows, len(points))
        covered = tuple(np.unique(np.concatenate([storey.core for storey in storeys])) for storeys in shadows)
        inside = in_picture(at, pose.lens.size)
        return TallPlan(at, inside, ground, shadows, covered, feet, tuple(order.tolist()), touches, beyond)

    def _foot(self, site: SiteSpec, points: Array, ground: Array, core: Array) -> Array:
        """Those of the points `core` on which a piece on that site stands, without those that look like a dark side."""
        outline = on_board(site, np.array(self.solids[0].footprint))
        below = core[_depth(points[core, 0], points[core, 1], outline) > 0]
        lighter = below[(ground[below] != self.columns[self._darkest]) & (ground[below] != self.unsure)]
        return lighter if len(lighter) else below

    def _hulls(self, site: SiteSpec, camera: Array) -> list[tuple[Array, Array]]:
        """The shadows (n, 2) of the storeys and of their upper faces on the ground, in mm of the board frame."""
        solid = self.solids[0]
        foot = on_board(site, np.array(solid.footprint))
        hulls = []
        for storey in range(site.stack):
            rings = []
            for z in (solid.z0 + storey * (solid.z1 - solid.z0), solid.z1 + storey * (solid.z1 - solid.z0)):
                part = (camera[2] - site.centre[2]) / (camera[2] - site.centre[2] - z)
                rings.append(camera[:2] + (foot - camera[:2]) * part)
            hull = cv2.convexHull(np.concatenate(rings).astype(np.float32))
            hulls.append((hull.reshape(-1, 2), rings[1]))
        return hulls

    @staticmethod
    def _mask(hull: Array, face: Array, low: Array, used: Array) -> tuple[Array, Array, Array, Array]:
        """Grid box (row, column) of a shadow, and the points in its upper face, its side and its rim."""
        first = np.floor((hull.min(axis=0) - 2 * MARGIN) / STEP).astype(int)
        last = np.ceil((hull.max(axis=0) + 2 * MARGIN) / STEP).astype(int)
        x, y = np.meshgrid(np.arange(first[0], last[0] + 1) * STEP, np.arange(first[1], last[1] + 1) * STEP)
        depth = _depth(x, y, hull)
        core, rim = depth > MARGIN, (depth <= MARGIN) & (depth > -MARGIN)
        top = core & (_depth(x, y, face) > MARGIN)
        box = first - low
        used[box[1] : box[1] + x.shape[0], box[0] : box[0] + x.shape[1]] |= (core | rim).astype(np.uint8)
        return box, top, core & ~top, rim

    def read(self, image: Array, palette: Palette, plan: TallPlan, which: Array) -> list[SiteReading]:
        """The sites with the numbers `which`."""
        chosen = set(which.tolist())
        concerned = chosen.union(*(plan.touches[site] for site in chosen))
        bare, gain, choices = self._stacks(image, palette, plan, concerned)
        high = [site for site, stacks in choices.items() if any(len(stack) >= HIGH for stack in stacks)]
        beyond = concerned.union(*(plan.beyond[site] for site in high))
        if beyond != concerned:
            bare, gain, choices = self._stacks(image, palette, plan, beyond)
        scores: dict[int, Array] = {}
        explained = bare.copy()
        standing = [site for site in choices if len(choices[site]) > 1]
        for group in _groups(standing, _reaching(plan, choices.keys(), high)):
            if chosen & set(group):
                self._explain(group, choices, gain, plan, explained, scores)
        by_others = explained - bare
        for site in chosen - set(scores):
            scores[site] = _unlikely(plan.shadows[site][0], gain, by_others)
        readings = []
        for site in which.tolist():
            core = plan.shadows[site][0].core
            fits = explained[core]
            absolute = WEIGHT * (scores[site] - scores[site].max() + fits.sum())
            fitting, inside = np.count_nonzero(fits > 0), np.count_nonzero(plan.inside[core])
            readings.append(site_reading(self.labels, absolute, fitting * inside / len(core) ** 2 / 0.9))
        return readings

    def _stacks(
        self, image: Array, palette: Palette, plan: TallPlan, sites: Set[int]
    ) -> tuple[Array, Gain, dict[int, list[Stack]]]:
        """How well the bare board explains each point, how much better pieces do, and the stacks that may stand on
        each of some sites that does not look bare.
        """
        bare, gain, shows = self._look(image, palette, plan, sorted(sites))
        best_side, limited = gain.side.max(axis=1), gain.limited()
        stands = [site for site in sorted(sites) if best_side[plan.feet[site]].sum() > BARE * len(plan.feet[site])]
        return bare, gain, {site: _choices(plan.shadows[site], limited, shows) for site in stands}

    def _look(self, image: Array, palette: Palette, plan: TallPlan, sites: Sequence[int]) -> tuple[Array, Gain, Array]:
        """How well the bare board explains each point (points,), how much better pieces do, and where a piece's colour
        shows (points, pieces).
        """
        points = np.unique(np.concatenate([plan.covered[site] for site in sites]))
        ratio = np.zeros((len(plan.at), len(self.columns)), np.float32)
        ratio[points] = palette.read(image, plan.at[points], self.columns) * plan.inside[points, None]
        bare = ratio[np.arange(len(ratio)), self._column[plan.ground]]
        print_may_begin = plan.ground == self.unsure
        bare[print_may_begin] = ratio[print_may_begin][:, self._printed].max(axis=1)
        dark = np.zeros(len(plan.at), bool)
        dark[points] = palette.scale(sample(image, plan.at[points])).mean(axis=1) < self._darkness(palette)
        colours = ratio[:, : len(self.pieces)]
        shaded = np.where(dark, ratio[:, self._darkest] - SHADED, -np.inf)[:, None]
        gain = Gain(colours - bare[:, None], np.maximum(colours, shaded) - bare[:, None])
        return bare, gain, (gain.top > 0.5) & (colours > 0)

    def _darkness(self, palette: Palette) -> float:
        """The lightness up to which a point is dark: between the darkest paint of the board and that of the places."""
        darkest = self.columns[self._darkest]
        if self._place == darkest or self._place >= len(palette.means):
            return np.inf
        return float(palette.means[[darkest, self._place]].mean())

    def _explain(
        self,
        group: list[int],
        choices: dict[int, list[Stack]],
        gain: Gain,
        plan: TallPlan,
        explained: Array,
        scores: dict[int, Array],
    ) -> None:
        """Adds to `scores` the best score of each label of each site of a group, the other sites being as they fit
        best, and to `explained` what the pieces explain better than the bare board does.
        """
        group = [site for site in plan.far_to_near if site in set(group)]
        used = np.unique(np.concatenate([np.concatenate([s.core, s.rim]) for k in group for s in plan.shadows[k]]))
        storeys = [[shadow.among(used) for shadow in plan.shadows[k]] for k in group]
        near = gain.at(used)
        limited = near.limited()
        options = [choices[site] for site in group]
        best = [np.full(len(self.labels), -np.inf) for _ in group]

        def value(configuration: Sequence[Stack]) -> float:
            higher = sum(max(0, len(stack) - 1) for stack in configuration)
            return float(_compose(storeys, configuration, limited).sum()) - HIGHER * higher

        top, likeliest = -np.inf, tuple(stacks[0] for stacks in options)
        for configuration in _configurations(options, value):
            score = value(configuration)
            for found, stack in zip(best, configuration, strict=True):
                label = stack[-1] + 1 if stack else 0
                found[label] = max(found[label], score)
            if score > top:
                top, likeliest = score, configuration
        explained[used] += _compose(storeys, likeliest, near)
        scores.update(zip(group, best, strict=True))


def _choices(storeys: Sequence[Shadow], gain: Gain, shows: Array) -> list[Stack]:
    """Stacks that may stand on a site: the uppermost piece shows its colour, those below are as they fit best where the
    next one leaves them to be seen.
    """
    stacks: list[Stack] = [()]
    below: Stack = ()
    for storey, above in zip_longest(storeys, storeys[1:]):
        parts = shows[storey.top].mean(axis=0) if len(storey.top) else np.zeros(shows.shape[1])
        stacks.extend((*below, int(piece)) for piece in np.argsort(-parts) if parts[piece] > PART)
        left = storey.core if above is None else np.setdiff1d(storey.core, above.core)
        below = (*below, int(gain.side[left if len(left) else storey.core].sum(axis=0).argmax()))
    return stacks


def _unlikely(shadow: Shadow, gain: Gain, explained: Array) -> Array:
    """The scores (labels,) of a site on which no piece seems to stand; `explained` (points,): what others explain.

    Where a piece would explain the picture better nonetheless, nobody knows.
    """
    alone = gain.top[shadow.top].sum(axis=0) + gain.side[shadow.side].sum(axis=0) - explained[shadow.core].sum()
    return np.concatenate([[0.0], np.minimum(alone, 0.0)])


def _compose(storeys: list[list[Shadow]], configuration: Sequence[Stack], gain: Gain) -> Array:
    """How much better a configuration explains each point than the bare board; nearer pieces hide farther ones."""
    values = np.zeros(len(gain.top), np.float32)
    for shadows, stack in zip(storeys, configuration, strict=True):
        for shadow, piece in zip(shadows, stack, strict=False):
            values[shadow.rim] = 0.0
            values[shadow.top] = gain.top[shadow.top, piece]
            values[shadow.side] = gain.side[shadow.side, piece]
    return values


def _depth(x: Array, y: Array, polygon: Array) -> Array:
    """How deep points lie inside a convex polygon (n, 2); negative outside."""
    along = np.concatenate([polygon[1:], polygon[:1]]) - polygon
    along_x, along_y = along.T / np.maximum(np.hypot(*along.T), 1e-9)
    middle = polygon.mean(axis=0)
    sign = np.sign((middle[0] - polygon[:, 0]) * along_y - (middle[1] - polygon[:, 1]) * along_x)
    a, b = (sign * along_y).reshape(-1, *[1] * x.ndim), (sign * along_x).reshape(-1, *[1] * x.ndim)
    start = (polygon[:, 0] * sign * along_y - polygon[:, 1] * sign * along_x).reshape(a.shape)
    depth: Array = (a * x - b * y - start).min(axis=0)
    return depth


def _shadow(number: Array, box: Array, top: Array, side: Array, rim: Array) -> Shadow:
    part = number[box[1] : box[1] + top.shape[0], box[0] : box[0] + top.shape[1]]
    return Shadow(np.concatenate([part[top], part[side]]), int(top.sum()), part[rim])


def _touching(
    shadows: tuple[tuple[Shadow, ...], ...], points: int
) -> tuple[tuple[frozenset[int], ...], tuple[frozenset[int], ...]]:
    """For each site those whose lower shadows share points with its own lower ones, and with its higher ones."""
    owners: list[set[int]] = [set() for _ in range(points)]
    for site, storeys in enumerate(shadows):
        for storey in storeys[: HIGH - 1]:
            for point in storey.core.tolist():
                owners[point].add(site)
    touches: list[set[int]] = [set() for _ in shadows]
    for together in {frozenset(owner) for owner in owners if len(owner) > 1}:
        for site in together:
            touches[site] |= together
    beyond = [
        {other for storey in storeys[HIGH - 1 :] for point in storey.core.tolist() for other in owners[point]}
        for storeys in shadows
    ]
    return tuple(frozenset(t) for t in touches), tuple(frozenset(b) for b in beyond)


def _reaching(plan: TallPlan, sites: Set[int], high: Sequence[int]) -> dict[int, set[int]]:
    """Those that each of some sites touches, and, both ways, those beyond on which its `high` stack seems to stand."""
    touches = {site: set(plan.touches[site]) for site in sites}
    for site in high:
        for other in plan.beyond[site] & sites:
            touches[site].add(other)
            touches[other].add(site)
    return touches


def _groups(alive: Sequence[int], touches: Mapping[int, set[int]]) -> list[list[int]]:
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


def _configurations(choices: list[list[Stack]], score: Callable[[Sequence[Stack]], float]) -> list[tuple[Stack, ...]]:
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
