"""Reading flat pieces that lie fitted in their places: each label says which paint shows at each point of a lattice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Look
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import DOUBT, FOREIGN, NO_GROUND, PIXELS, SEEN, SURE, over_thing, site_reading, unsure
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture, lattice, on_board, on_site
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import UNSURE, Paints, Raster, rasterise
from companion.vision.light.glare import darkest_print, unveiled
from companion.vision.light.palette import EVEN, Blend, Lit, Palette, linear, sample
from companion.vision.locating.alignment import aligned, shifts
from companion.vision.reading import SiteReading
from companion.vision.scene.drawings import Drawings
from companion.vision.scene.patterns import Pattern
from companion.vision.scene.sampling import blends, classes, height

POINTS = 140
"""Points of a site's lattice, about."""

FINE = 700
"""The same, where looks differ in little."""

MARGIN = 1.6
"""Millimetres by which a piece may lie off, or a line be drawn off, without mattering."""

BLUR = 0.75
"""Standard deviation, in mm, of where an edge is seen, where looks differ in little."""

APART = 3
"""Points at least that have to tell two looks apart."""

TELLING = 24
"""Pieces at most that tell how the pose is."""

WEIGHT = 0.3
"""As how many independent pixels a point of the fine lattice counts."""

LACKING = 1.0
"""From this on (natural logarithm, a point) the likeliest label explains a site badly: another light may lie there."""

BETTER = 0.2
"""So much better the site has to be explained in another light."""

LIGHTS = tuple(
    Lit(gain, veil) for gain in (1.0, 0.7, 1.4) for veil in (0.0, 0.04, 0.09, 0.16, 0.27) if (gain, veil) != EVEN
)
"""Other light than the picture's that may lie on a site."""

LITTLE = 0.1
"""Part of the points up to which two labels differ in so little that the whole drawing has to tell them apart."""

FEW = 4
"""Of so many points one tells what light there is."""

RATHER = 0.5
"""Confidence of what shows once glare is taken off, from which a site of which nothing else can be told rather shows
it: doubtfully.
"""

DARK = 0.1
"""Reflectance up to which the bare board is dark."""

SHADES = tuple(Lit(gain, 0.0) for gain in (0.5, 0.3, 0.18))
"""Shade in which what seems bare may be something: on a dark board it is as dark as that."""

HIDDEN = 0.1
"""How often a point is hidden by something that stands there."""


@dataclass(frozen=True, slots=True)
class FlatPlan:
    """What depends on the pose only: pixels (sites, points, 2), those inside the picture (sites, points), and what each
    empty site shows there (sites, points).
    """

    pose: Pose
    at: Array
    inside: Array
    empty: Array


@dataclass(frozen=True, slots=True)
class FlatLook:
    """What was seen of some sites: their readings, the light on each, and how much worse (n,) than it might each is
    explained, a point (natural logarithm).
    """

    readings: list[SiteReading]
    lit: list[Lit]
    lack: Array


class FlatKind:
    """All sites of one kind of flat, fitted pieces."""

    def __init__(
        self, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints, board: Raster, over: Sequence[int] = ()
    ) -> None:
        """`over`: the paints of what may stand on the pieces and hide parts of them."""
        self.sites = tuple(sites)
        self.labels = tuple(dict.fromkeys(label for site in sites for label in site.labels))
        looks = [game.look(sites[0].kind, label) for label in self.labels]
        self.top = max(height(look) for look in looks)
        self.unsure = paints.unsure
        self.points, self.shown, blended = _shown(looks, sites[0].size / 2, paints)
        self.pattern = Pattern(self.shown, paints)
        self.board = board.eroded(MARGIN)
        on_ground = {int(k) for k in np.unique(self.board.values) if k < UNSURE}
        prints = {
            k: paints.prints[k - len(paints.colours)][0]
            for k in (*self.pattern.columns, *on_ground)
            if len(paints.colours) <= k < paints.table
        }
        others = (on_ground | set(prints.values())) - set(self.pattern.columns)
        self.columns = (*self.pattern.columns, *sorted(others), paints.unsure)
        self._asked = tuple(_hidden(blended.get(k, ((k, 1.0),)), over, self.unsure) for k in self.columns)
        self._order = np.full(max(self.columns) + 1, -1)
        self._order[list(self.columns)] = np.arange(len(self.columns))
        self._plain = [k for k, paint in enumerate(self.columns) if paint < len(paints.colours)]
        self._prints = [self.columns.index(k) for k in prints]
        self._grounds = [self.columns.index(k) for k in prints.values()]
        self._darkest = darkest_print(paints, tuple(prints))
        self._fine = bool(blended)
        self._dark = not self._fine and self._on_dark(paints)
        self._weight = WEIGHT if blended else min(1.0, PIXELS / len(self.points))
        self.cover = rasterise(looks[-1], paints).eroded(0.5)
        self._alike = [np.flatnonzero((self.shown != shown).mean(axis=1) < LITTLE).tolist() for shown in self.shown]
        self._drawings = Drawings(looks, paints) if blended else None
        if self._drawings:
            away = np.linalg.norm(self._drawings.points[:, None] - self.points, axis=2)
            self._nearest = away.argmin(axis=1)

    def _on_dark(self, paints: Paints) -> bool:
        """Whether the bare board is dark under most of the sites."""
        ground = self.board.at(self.places().reshape(-1, 2))
        plain = ground[ground < len(paints.colours)]
        return bool(len(plain)) and float(np.median(linear(np.array(paints.colours)[plain]).mean(axis=1))) < DARK

    def places(self) -> Array:
        """The lattices of all sites (sites, points, 2) in mm of the board frame."""
        return np.stack([on_board(site, self.points) for site in self.sites])

    def plan(self, pose: Pose) -> FlatPlan:
        """Where the lattice of each site is in the picture."""
        places = self.places()
        z = np.array([site.centre[2] for site in self.sites])[:, None]
        tops = np.concatenate([places, np.broadcast_to((z + self.top)[..., None], (*places.shape[:2], 1))], axis=2)
        at = pose.project(tops.reshape(-1, 3)).reshape(*places.shape[:2], 2)
        sight = tops - pose.camera
        ground = tops + sight * (self.top / -sight[..., 2:])
        empty = self.board.at(ground[..., :2].reshape(-1, 2)).reshape(places.shape[:2])
        # Beside its own place the line of sight may meet a neighbour's piece before it meets the ground.
        own = np.stack([self.cover.at(on_site(s, g[:, :2])) for s, g in zip(self.sites, ground, strict=True)])
        empty = np.where((own < UNSURE) & (empty < UNSURE), empty, self.unsure)
        return FlatPlan(pose, at, in_picture(at, pose.lens.size), empty)

    def read(self, image: Array, palette: Palette, plan: FlatPlan, which: Array) -> list[SiteReading]:
        """The sites with the numbers `which`."""
        readings = self.look(image, palette, plan, which).readings
        for k, reading in enumerate(readings):
            if reading.confidence < SURE or reading.visible < SEEN:
                clear = self._unveiled(image, palette, plan, which[k : k + 1])
                if clear is not None and clear.confidence >= SURE and clear.visible >= SEEN:
                    readings[k] = clear
                elif clear is not None and reading.confidence < RATHER <= clear.confidence:
                    readings[k] = unsure(clear)  # if anything can be told, it is that
        bare = np.array([k for k, reading in enumerate(readings) if reading.label == EMPTY], np.intp)
        if self._dark and len(bare):
            for k, other in zip(bare, self._in_shade(image, palette, plan, which[bare]), strict=True):
                readings[k] = other or readings[k]
        return readings

    def _in_shade(self, image: Array, palette: Palette, plan: FlatPlan, which: Array) -> list[SiteReading | None]:
        """What some sites that seem bare plainly show if they lie in the shade, doubtfully; None where it is
        nothing.
        """
        found: list[SiteReading | None] = [None] * len(which)
        for lit in SHADES:
            for k, reading in enumerate(self.look(image, palette, plan, which, lit=lit).readings):
                if (
                    found[k] is None
                    and reading.label != EMPTY
                    and reading.confidence > SURE
                    and reading.visible > RATHER
                ):
                    found[k] = unsure(reading)
        return found

    def _unveiled(self, image: Array, palette: Palette, plan: FlatPlan, which: Array) -> SiteReading | None:
        """The piece on one site that shows once the glare is taken off that its darkest print shows."""
        at = plan.at[which[0]][plan.inside[which[0]]]
        if not self._prints or len(at) < len(self.points):
            return None
        clear = unveiled(image, _within(at), palette.light, self._darkest)
        if clear is None:
            return None
        reading = self.look(clear, palette, plan, which).readings[0]
        return reading if reading.label != EMPTY else None

    def look(
        self,
        image: Array,
        palette: Palette,
        plan: FlatPlan,
        which: Array,
        hidden: Array | None = None,
        lit: Lit = EVEN,
    ) -> FlatLook:
        """The sites with the numbers `which`; of the points that are `hidden` (sites, points) nothing is said. `lit`:
        the light there, beside that of the whole picture.
        """
        at, inside = plan.at[which], plan.inside[which]
        free = np.ones_like(inside) if hidden is None else ~hidden
        inside = inside & free
        evidence = palette.read(image, at.reshape(-1, 2), self._asked, lit).reshape(*at.shape[:2], -1)
        evidence *= inside[..., None]
        empty = plan.empty[which]
        scores, shown = self._scores(evidence, empty)
        lights, lack = [lit] * len(which), np.zeros(len(which))
        if self._fine:
            lack = self._lack(evidence, shown, inside, palette)
            for row in np.flatnonzero(lack > LACKING):
                lights[row] = self._relit(image, palette, at[row], evidence[row], inside[row], empty[row])
            if any(light != EVEN for light in lights):
                scores, shown = self._scores(evidence, empty)
                lack = self._lack(evidence, shown, inside, palette)
            scores /= np.maximum(1.0, lack / LACKING)[:, None] ** 2
            for row in np.flatnonzero(_narrow(scores) & (scores.argmax(axis=1) != self.labels.index(EMPTY))):
                self._redraw(image, palette, plan, which[row], lights[row], free[row], scores[row])
        return FlatLook(self._readings(evidence, scores, shown, inside, free), lights, lack)

    def _scores(self, evidence: Array, empty: Array) -> tuple[Array, Array]:
        """Log likelihoods (n, labels), discounted, and what the likeliest label shows at each point (n, points)."""
        scores = self.pattern.scores(self.pattern.sums(evidence[..., : len(self.pattern.columns)]))
        bare = np.take_along_axis(evidence, self._column(empty)[..., None], axis=2)[..., 0]
        nothing = self.labels.index(EMPTY)
        scores[:, nothing] = bare.sum(axis=1)
        best = scores.argmax(axis=1)
        return scores * self._weight, np.where((best == nothing)[:, None], empty, self.shown[best])

    def _lack(self, evidence: Array, shown: Array, inside: Array, palette: Palette) -> Array:
        """How much worse (n,) than it might the likeliest label explains a point, on the average."""
        column = self._column(shown)
        said = inside & (shown != self.unsure)
        best = palette.peaks(self._asked)[column] - np.take_along_axis(evidence, column[..., None], axis=2)[..., 0]
        lack: Array = (best * said).sum(axis=1) / np.maximum(1, said.sum(axis=1))
        return lack

    def _relit(self, image: Array, palette: Palette, at: Array, evidence: Array, inside: Array, empty: Array) -> Lit:
        """The light in which a site's points `at` (points, 2) are explained best; their `evidence` (points, columns)
        becomes what it is in that light.
        """
        few = np.zeros(inside.shape, bool)
        few[::FEW] = inside[::FEW]
        if not few.any():
            return EVEN

        def lacking(lit: Lit) -> float:
            here = np.zeros_like(evidence)
            here[few] = palette.read(image, at[few], self._asked, lit)
            _, shown = self._scores(here[None], empty[None])
            return float(self._lack(here[None], shown, few[None], palette)[0])

        lack = {lit: lacking(lit) for lit in (EVEN, *LIGHTS)}
        best = min(LIGHTS, key=lambda lit: lack[lit])
        if lack[best] > lack[EVEN] - BETTER:
            return EVEN
        evidence[:] = palette.read(image, at, self._asked, best) * inside[:, None]
        return best

    def _redraw(
        self, image: Array, palette: Palette, plan: FlatPlan, number: Any, lit: Lit, free: Array, scores: Array
    ) -> None:
        """Lets the whole drawing tell between the likeliest label and those that differ little from it, where these
        come close: their `scores` become what it says.
        """
        assert self._drawings is not None
        alike = self._alike[int(scores.argmax())]
        close = [k for k in alike if scores[k] > scores.max() - DOUBT]
        if len(close) < 2:
            return
        places = on_board(self.sites[number], self._drawings.points)
        at = plan.pose.project(np.column_stack([places, np.full(len(places), self.sites[number].centre[2] + self.top)]))
        drawn = [k for k in np.unique(self.shown[close]).tolist() if k < len(palette.means)]
        shows = palette.read(image, at, tuple(drawn), lit).max(axis=1) > 0
        seen = self._drawings.seen(shows & free[self._nearest])
        told = self._drawings.scores(sample(image, at), seen, close)
        scores[close] = scores.max() + told - told.max()

    def _readings(self, evidence: Array, scores: Array, shown: Array, inside: Array, free: Array) -> list[SiteReading]:
        column = self._column(shown)[..., None]
        visible = ((np.take_along_axis(evidence, column, axis=2)[..., 0] > 0) & inside).sum(axis=1)
        visible = visible / np.maximum(1, ((shown != self.unsure) & free).sum(axis=1)) / 0.9
        evidence[..., self._prints] = np.maximum(evidence[..., self._grounds], NO_GROUND)
        readings = []
        for row in range(len(scores)):
            sure = shown[row] < self.unsure
            weights = np.ones(int(sure.sum()))
            margin = over_thing(shown[row][sure], column[row, sure, 0], evidence[row][sure], weights, self._plain)
            foreign = float(scores[row].max()) - margin
            readings.append(site_reading(self.labels, scores[row], float(visible[row]), max(FOREIGN, foreign)))
        return readings

    def _column(self, numbers: Array) -> Array:
        """The columns of evidence for numbers of paints."""
        columns: Array = self._order[numbers]
        return columns

    def sure(self, image: Array, palette: Palette, plan: FlatPlan) -> tuple[Array, Array]:
        """Pixels (n, 2) whose paint is beyond doubt, and the numbers (n,) of the paints."""
        return self.sure_points(plan, self.read(image, palette, plan, np.arange(len(self.sites))))

    def sure_points(self, plan: FlatPlan, readings: Sequence[SiteReading]) -> tuple[Array, Array]:
        """The same, after all sites were read."""
        at, numbers = [np.empty((0, 2))], [np.empty(0, np.intp)]
        for k, reading in enumerate(readings):
            if reading.visible < SEEN or reading.confidence < SURE:
                continue
            shown = plan.empty[k] if reading.label == EMPTY else self.shown[self.labels.index(reading.label)]
            keep = (shown < self.unsure) & plan.inside[k]
            at.append(plan.at[k][keep])
            numbers.append(shown[keep])
        return np.concatenate(at), np.concatenate(numbers)

    def aligned(
        self, image: Array, palette: Palette, pose: Pose, readings: Sequence[SiteReading]
    ) -> tuple[Pose | None, bool]:
        """The pose as the pieces that were read surely tell it, or None where it was right; and whether most of them
        lie too far off for any pose to be sure.
        """
        sure = [k for k, r in enumerate(readings) if r.label != EMPTY and r.visible > SEEN and r.confidence > SURE]
        if not sure:
            return None, False
        chosen = sure[:: -(-len(sure) // TELLING)]
        few = self.points[::2]
        places = np.stack([on_board(self.sites[k], few) for k in chosen])
        moved = places[:, None, None] + shifts()[None, :, :, None]
        z = np.full((*moved.shape[:-1], 1), self.sites[0].centre[2] + self.top)
        at = pose.project(np.concatenate([moved, z], axis=-1).reshape(-1, 3))
        evidence = palette.read(image, at, self._asked).reshape(*moved.shape[:-1], -1)
        columns = np.stack([self._column(self.shown[self.labels.index(readings[k].label)][::2]) for k in chosen])
        shown = columns[:, None, None, :, None]
        scores = self._weight * 2 * np.take_along_axis(evidence, shown, axis=-1)[..., 0].sum(axis=-1)
        return aligned(pose, np.array([self.sites[k].centre[:2] for k in chosen]), scores)


def _shown(looks: Sequence[Look], radius: float, paints: Paints) -> tuple[Array, Array, dict[int, Blend]]:
    """Points (n, 2) of a lattice, what each look shows at them (looks, n), and the blends among the numbers there.

    Where looks differ so little that no point tells some of them apart surely, the points at edges have to tell too, on
    a finer lattice.
    """
    every = lattice(radius, radius * np.sqrt(3.6 / POINTS))
    shown = np.stack([classes(look, every, paints, MARGIN) for look in looks])
    used = (shown < UNSURE).any(axis=0)
    shown = np.where(shown < UNSURE, shown, paints.unsure)[:, used]  # beside a piece anything may show
    if _told_apart(shown, paints.unsure):
        return every[used], shown, {}
    every = lattice(radius, radius * np.sqrt(3.6 / FINE))
    numbers: dict[Blend | None, int] = {None: paints.unsure}
    rows = []
    for look in looks:
        found = blends(look, every, paints, BLUR)
        pure = [blend[0][0] if blend and len(blend) == 1 else None for blend in found]
        rows.append(
            [
                numbers.setdefault(blend, paints.unsure + len(numbers)) if k is None else k
                for k, blend in zip(pure, found, strict=True)
            ]
        )
    shown = np.array(rows)
    used = (shown != paints.unsure).any(axis=0)
    return every[used], shown[:, used], {number: blend for blend, number in numbers.items() if blend}


def _within(at: Array) -> Array:
    """All pixels (n, 2) that the points `at` (points, 2) surround."""
    hull = cv2.convexHull(np.rint(at).astype(np.int32))
    left, top, width, height = cv2.boundingRect(hull)
    mask = cv2.fillConvexPoly(np.zeros((height, width), np.uint8), hull - np.array([left, top]), 1)
    rows, columns = np.nonzero(mask)
    return np.column_stack([columns + left, rows + top])


def _narrow(scores: Array) -> Array:
    """Where (n,) the second likeliest label comes close to the likeliest."""
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T
    narrow: Array = first - second < DOUBT
    return narrow


def _told_apart(shown: Array, unsure: int) -> bool:
    """Whether for any two of the looks that show anything there are enough points at which they differ surely."""
    rows = [row for row in shown if (row != unsure).any()]
    return all(
        np.count_nonzero((one != other) & (one != unsure) & (other != unsure)) >= APART
        for one, other in combinations(rows, 2)
    )


def _hidden(blend: Blend, over: Sequence[int], unsure: int) -> Blend:
    """What shows where the blend is, if things with the paints `over` may stand there."""
    if not over or blend[0][0] == unsure:
        return blend
    return (*((k, (1 - HIDDEN) * weight) for k, weight in blend), *((k, HIDDEN / len(over)) for k in over))
