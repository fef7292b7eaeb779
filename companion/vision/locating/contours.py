"""The board's own contours: its outline and the edges of its print, and the pose that lays them over the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.looks import Area, Disc, Look, Point, Prism, Ring, Stroke, regular
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Fit
from companion.vision.geometry.raster import Paints, rasterise
from companion.vision.images import Image, grey_image
from companion.vision.locating.adjustment import (
    NO_EDGES,
    OTHER_LENSES,
    UNLIKELY,
    USUAL_LENS,
    Corners,
    Edges,
    adjusted,
    moved,
    oddness,
    step,
)

SPACING = 2.0
"""Millimetres between samples along a contour."""

LINE_SPACING = 16.0
"""The same along printed lines: there are many of them, and pieces hide more of them than of the other contours."""

BESIDE = 0.7
"""Millimetres beside an edge where the colours are seen that it parts; nearer in a thin line."""

CONTRAST = 30.0
"""Least difference in brightness (0 to 255) across a printed edge that is worth looking for; or in colour (the root of
the mean square over the channels), for an edge that hardly shows in brightness: yellow on light wood.
"""

SEARCH = (7.0, 5.0, 4.0, 3.0, 2.0, 2.0)
"""How far to look along the normal in each round, in millimetres."""

DISTINCT = 2.5
"""A contour is looked for only as far as the size of what it surrounds divided by this, lest it be mistaken."""

FINELY, SMALL = (1.8, 1.8, 1.8, 1.5, 1.5, 1.2, 1.2), 0.2
"""Further rounds, where at least such a part of the contours is too small for the others: pieces seldom cover them all,
but it takes several rounds until those that are near enough have drawn the others near.
"""

SHIFTS = (np.arange(-12.0, 12.1, 1.5), np.radians([-2.5, -1.25, 0.0, 1.25, 2.5]))
"""Shifts (mm, each way) and turns that are tried where the contours are not found near the start."""

SPREAD = np.array([np.radians(20.0), np.radians(6.0), np.radians(1.0), 3.0, 3.0, 0.015])
"""How far a pose from only two cards typically is off: leaning across the line through them, and along it; turned, and
shifted (mm); the distance (relative). Cards lie a little off, and tell little of how the board leans across that line.
"""

NARROW = np.array([np.radians(3.0), np.radians(3.0), np.radians(0.5), 3.0, 3.0, 0.015])
"""The same for a pose from more cards, of a board with many small contours: these tell poses apart that are so near."""

SAMPLES, KEPT = 1200, 40
"""So many such poses are tried, and around so many of the best as many again in each further round."""

CLEAR = 1.5
"""An edge that shows so many times as much as it has to is no chance of the noise: faint lines are found again in
0.83 of the next pictures if once is enough, in 0.95 if they showed clearly.
"""

SHARPEST = 1.5
"""The least that a picture is softened by to compare poses: a standard deviation in pixels."""

ROUNDS = (
    ((1.0, SHARPEST), (3.0, SHARPEST), (8.0, SHARPEST), (20.0, SHARPEST)),
    ((1.0, 8.0), (1.5, 6.0), (3.0, 4.0), (6.0, 3.0), (12.0, 2.0), (24.0, SHARPEST)),
)
"""In each round poses are spread less, by the first factor, in a picture that is softened: the second is a standard
deviation in pixels. A sharp picture leads there from near, a soft one from far.
"""

COARSELY, AT_ONCE = 400, 64
"""About so many samples of the contours suffice to compare poses; so many poses are looked at together."""

TRIED = 6
"""How many of the best are tried to the end."""

BESIDE_EACH_OTHER, RIVALS = 2.0, 8
"""Where a board may lie instead: poses are compared every so many mm, and so many that are not neighbours are fitted.
"""

FOUND, PLAIN = 0.55, 0.65
"""Part of the contours from which they count as found; and from which nothing else need be tried at first sight: as
much shows of a board that is full of pieces, which hide its lines.
"""

ASTRAY = 1.5
"""So many card errors the cards are off, in the mean, where the contours were mistaken for others beside them."""

OUTLINE = 0.1
"""Weight of the outline beside the print: edges may be rounded or chamfered, and shadows look like edges."""

LINE, THIN_LINE, THIN = 0.5, 0.05, 2.0
"""Weight of lines beside the other print, and of lines thinner than so many mm: pieces stand on them or lie beside
them, and their edges are mistaken for the line's.
"""

FAINTEST, FAINT, NOISE = 1.5, 6.0, 2.0
"""What an edge of the board must differ by over two pixels (grey values), at least, and in a picture that is not dim;
and as how many times what is typical from pixel to pixel.
"""

PLAIN_CONTRAST, DARK_AND_LIGHT, EVERY = 100.0, (0.01, 0.99), 8
"""A picture is dim where these quantiles of its brightness differ by less (grey values). Every so manieth row and pixel
is looked at.
"""

COLOUR_FROM = 2
"""Round from which edges count that show in colour only: noise hides them first, and far off they are no help."""

LENS_FROM = 1
"""Round from which the lens is refined too, where it is only nominal."""

FARTHEST, LOST = 2.5, 6.0
"""In parts of what it typically is, how far the rim of a thing is looked for; and the square that counts instead where
it is not found.
"""

AS_GOOD, BETTER, MUCH_BETTER = 0.93, 1.02, 1.25
"""How many times as much of the contours has to be found with another kind of lens, for it to be that: where one of the
kind before is unlikely; where it is another one already; and where it is a usual one, as most are: of a still that was
taken with one, 1.16 times as much was found with another, which was wrong.
"""


@dataclass(frozen=True, slots=True)
class Contours:
    """Samples along edges: `points` (n, 3) and unit `normals` (n, 2), outward, in the board frame.

    `sign` (n,): 1 where the inside is brighter, -1 where it is darker, 0 where nobody knows (the board's outline
    against the table). `low` (n, 3): where the outline's silhouette is when its side faces the camera; else = points.
    `size` (n,): mm across what the contour surrounds. `tint` (n, 3): of an edge that shows in colour only, what blue,
    green and red count, so that the inside is brighter; else 0. `trust` (n,): what each sample counts.
    """

    points: Array
    normals: Array
    sign: Array
    low: Array
    size: Array
    tint: Array
    trust: Array

    def part(self, keep: Array) -> Contours:
        """The samples chosen by `keep` (n,)."""
        return Contours(*(each[keep] for each in (getattr(self, f.name) for f in fields(self))))

    @property
    def in_colour(self) -> Array:
        """Which samples (n,) show in colour only."""
        shown: Array = np.any(self.tint, axis=1)
        return shown


class Prepared:
    """A picture (height, width, 3; blue-green-red) in which contours are looked for; it may be grey (height, width)."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self.grey: Array = cv2.GaussianBlur(grey_image(image), (3, 3), 0).astype(np.float32)
        """The brightness (height, width), hardly softened."""

    @cached_property
    def faint(self) -> float:
        """What an edge has to differ by, over two pixels, to be one: less in a dim picture than in others."""
        every = self.grey[::EVERY, ::EVERY]
        dark, light = np.quantile(every, DARK_AND_LIGHT)
        if light - dark >= PLAIN_CONTRAST:
            return FAINT
        rows = self.grey[::EVERY]
        noise = NOISE * float(np.median(np.abs(rows[:, :-2] - 2 * rows[:, 1:-1] + rows[:, 2:])))
        return min(FAINT, max(FAINTEST, noise, FAINT * float(light - dark) / PLAIN_CONTRAST))

    @cached_property
    def colour(self) -> Array:
        """The colours (height, width, 3; 8 bits), hardly softened: few boards have edges that need them."""
        image = self._image if self._image.ndim == 3 else cv2.merge([self._image] * 3)
        return cv2.GaussianBlur(image, (3, 3), 0)


@lru_cache(maxsize=8)
def contours_of(board: Look) -> Contours:
    """The contours of an empty board worth looking for."""
    paints = Paints.of([board])
    raster = rasterise(board, paints)
    colours = np.full((256, 3), np.nan)  # unknown on characters and beside the board
    colours[: len(paints.colours)] = [colour[::-1] for colour in paints.colours]
    found = []
    for solid in board:
        if not isinstance(solid, Prism):
            continue
        at, normal = _along(solid.footprint)
        top, low = (np.column_stack([at, np.full(len(at), z)]) for z in (solid.z1, solid.z0))
        unknown, untinted = np.zeros(len(at)), np.zeros((len(at), 3))
        found.append(Contours(top, normal, unknown, low, _across(at), untinted, np.full(len(at), OUTLINE)))
        printed = [_edge(outline) for mark in solid.marks for outline in _outlines(mark)]
        for edge in [*printed, *_lines(mark for mark in solid.marks if isinstance(mark, Stroke))]:
            inside, outside = edge.points - edge.inward * edge.normals, edge.points + BESIDE * edge.normals
            step = colours[raster.at(inside)] - colours[raster.at(outside)]
            found.append(_printed(edge, solid.z1, step))
    return joined(found)


def rims_of(footprint: Array, z: float, weight: float) -> Contours:
    """The rim of the top, at a height of `z` mm, of what stands on a footprint (n, 2; board frame): it shows on all
    sides, against the thing's own side or what lies behind. All of its samples together count `weight`.
    """
    at, normal = _along(footprint)
    top, unknown = np.column_stack([at, np.full(len(at), z)]), np.zeros(len(at))
    return Contours(top, normal, unknown, top, _across(at), np.zeros((len(at), 3)), np.full(len(at), weight / len(at)))


def joined(parts: Sequence[Contours]) -> Contours:
    """All samples of some contours."""
    return Contours(*(np.concatenate([getattr(c, f.name) for c in parts]) for f in fields(Contours)))


class _Edge(NamedTuple):
    """Samples along one printed edge: `points` and unit `normals` (n, 2), outward; the colour that it surrounds is seen
    `inward` (mm). `size` and `trust` (n,) as in `Contours`.
    """

    points: Array
    normals: Array
    inward: float
    size: Array
    trust: Array


def _across(points: Array) -> Array:
    """For each of the points (n, 2) how many mm across the contour along which they lie is."""
    return np.full(len(points), np.ptp(points, axis=0).min())


def _edge(outline: tuple[Point, ...]) -> _Edge:
    at, normal = _along(outline)
    return _Edge(at, normal, BESIDE, _across(at), np.ones(len(at)))


def _lines(lines: Iterable[Stroke]) -> Iterator[_Edge]:
    """The edges of printed lines, those that neighbouring fields share once.

    A line's other edge has the other sign: they are not mistaken for each other, however thin it is. It is as good as a
    contour of its length across.
    """
    done = set()
    for line in lines:
        size = float(np.ptp(np.array(line.points), axis=0).max())
        for start, end in pairwise(np.array(line.points)):
            name = frozenset(tuple(np.round(each, 1)) for each in (start, end))
            length = float(np.linalg.norm(end - start))
            count = int(length / LINE_SPACING)
            if name in done or not count:
                continue
            done.add(name)
            middle = start + (end - start) * ((np.arange(count) + 0.5) / count)[:, None]
            normal = np.array([end[1] - start[1], start[0] - end[0]]) / length
            normals = np.repeat([normal, -normal], count, axis=0)
            at = np.concatenate([middle, middle]) + line.width / 2 * normals
            trust = np.full(len(at), LINE if line.width >= THIN else THIN_LINE)
            yield _Edge(at, normals, min(BESIDE, line.width / 2), np.full(len(at), size), trust)


def _printed(edge: _Edge, z: float, step: Array) -> Contours:
    """Samples along one printed edge where it can be seen; `step` (n, 3): by how much blue, green and red are more
    inside than outside, nan where that is not known.
    """
    points = np.column_stack([edge.points, np.full(len(edge.points), z)])
    brighter = step @ (0.11, 0.59, 0.3)
    coloured = np.linalg.norm(step, axis=1) / np.sqrt(3)
    grey = np.abs(brighter) >= CONTRAST
    tint = np.where(grey[:, None], 0.0, step / np.maximum(3 * coloured, 1e-9)[:, None])
    sign = np.where(grey, np.sign(brighter), 1.0)
    samples = Contours(points, edge.normals, sign, points, edge.size, tint, edge.trust)
    return samples.part(grey | (coloured >= CONTRAST))


def _outlines(mark: object) -> list[tuple[Point, ...]]:
    match mark:
        case Area(corners, _):
            return [corners]
        case Disc(centre, diameter, _):
            return [regular(24, diameter / 2, centre=centre)]
        case Ring(centre, diameter, width, _):
            inner, outer = (diameter - width) / 2, (diameter + width) / 2
            return [regular(48, outer, centre=centre), regular(48, inner, centre=centre)]
    return []


def _along(corners: tuple[Point, ...] | Array) -> tuple[Array, Array]:
    """Points (n, 2) every `SPACING` mm along a convex polygon, away from its sharp corners, and outward normals."""
    shape = np.asarray(corners, np.float64)
    middle = shape.mean(axis=0)
    ends = np.roll(shape, -1, axis=0)
    lengths = np.linalg.norm(ends - shape, axis=1)
    total = lengths.sum()
    count = max(8, int(total / SPACING))
    marks = (np.arange(count) + 0.5) * total / count
    starts = np.concatenate([[0.0], np.cumsum(lengths)])
    side = np.clip(np.searchsorted(starts, marks, side="right") - 1, 0, len(shape) - 1)
    part = (marks - starts[side]) / np.maximum(lengths[side], 1e-9)
    at = shape[side] + (ends - shape)[side] * part[:, None]
    along = (ends - shape)[side] / np.maximum(lengths[side], 1e-9)[:, None]
    normal = np.column_stack([along[:, 1], -along[:, 0]])
    normal *= np.sign(((at - middle) * normal).sum(axis=1))[:, None]
    return at, normal


def fit_contours(
    picture: Prepared,
    contours: Contours,
    cards: Corners,
    start: Fit,
    card_error: float,
    refine_lens: bool,
    widely: bool,
    bare: Contours | None = None,
) -> Fit:
    """The pose near `start` that fits the contours in a prepared picture and, within `card_error` mm, the cards.

    `cards`: pairs of corners in the board frame (4, 3) and in the picture (4, 2). `widely`: whether to look at all
    poses that the cards allow, which takes long, where the contours are not found near by. `bare`: those contours that
    no pieces cover, whose own edges may be mistaken for the others.
    """
    near = _refined(picture, contours, cards, start, card_error, refine_lens)
    if near.support >= (PLAIN if widely else FOUND):
        return near
    showing = _Showing(picture, contours)

    def best(fit: Fit, starts: Iterable[Fit]) -> Fit:
        fits = (_refined(picture, contours, cards, each, card_error, refine_lens) for each in starts)
        return max(fit, *fits, key=lambda fit: fit.support)

    near = best(near, [_shifted(showing, start)])
    if bare is not None and near.support < FOUND:
        near = best(near, [_refined(picture, bare, cards, near, card_error, refine_lens)])
    models = [model for model, _ in cards]
    if not widely or len(cards) < 2:
        return near
    if len(cards) > 2:
        if near.support >= FOUND and _off(near, cards) > ASTRAY * card_error:
            other = best(near, _sampled(showing, models, start, NARROW, ROUNDS[0]))
            return other if other.support >= PLAIN else near
        if near.support >= FOUND or not _many_small(contours):
            return near
        near = best(near, _sampled(showing, models, start, NARROW, ROUNDS[0]))
        if near.support >= FOUND:
            return near
    # two cards say little, and one of more is not where it should be, or was seen wrongly
    return best(near, (fit for rounds in ROUNDS for fit in _sampled(showing, models, start, SPREAD, rounds)))


def fit_lens(picture: Prepared, contours: Contours, cards: Corners, start: Fit, fit: Fit, card_error: float) -> Fit:
    """`fit` (see `fit_contours`), or another one near `start` with another kind of lens than usual ones: where a usual
    one would have to be far from what it should be, or the cards are far off with it, if about as much, or more, of the
    contours is found with the other.
    """
    usual, known = start.lens, USUAL_LENS
    if oddness(fit.lens, usual, known) < UNLIKELY and _off(fit, cards) < card_error:
        return fit
    for spread in OTHER_LENSES:
        needed = MUCH_BETTER if known is USUAL_LENS else BETTER
        if oddness(fit.lens, usual, known) > UNLIKELY:
            needed = AS_GOOD
        by_cards = adjusted(NO_EDGES, cards, start, card_error, 1.0, usual, spread)
        others = [fit_with(picture, [contours], cards, each, card_error, usual, spread) for each in (by_cards, fit)]
        best = max(others, key=lambda each: each.support)
        if best.support >= needed * fit.support:
            fit, known = best, spread
    return fit


def fit_with(
    picture: Prepared,
    contours: Sequence[Contours],
    cards: Corners,
    fit: Fit,
    card_error: float,
    usual: Lens,
    spread: tuple[float, ...],
) -> Fit:
    """The pose near `fit` that fits (see `fit_contours`), with a lens that may be off the usual one by as much as
    `spread` says. Of `contours` the first are the board's; faint ones are told from noise among each for themselves.
    """
    for k, reach in enumerate(_reaches(contours[0])):
        parts, scales = zip(*(_edges(picture, some, fit, k, reach) for some in contours), strict=True)
        edges = Edges(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Edges)))
        fit = adjusted(edges, cards, fit, card_error, max(scales), usual, spread)
    return supported(picture, contours[0], fit)


def _off(fit: Fit, cards: Corners) -> float:
    """How far off, in mm, the cards (see `fit_contours`) are in the mean."""
    errors = [fit.lens.project(model @ fit.rotation.T + fit.translation) - seen for model, seen in cards]
    return float(np.linalg.norm(np.concatenate(errors), axis=1).mean() * fit.translation[2] / fit.lens.focal[0])


def settled(picture: Prepared, contours: Contours, start: Fit) -> Fit:
    """The pose right beside `start` that fits the contours in a prepared picture, whatever the cards say."""
    return _refined(picture, contours, [], start, card_error=1.0, refine=False)


def settled_around(picture: Prepared, contours: Contours, bare: Contours, fit: Fit, far: float) -> list[Fit]:
    """Poses that fit the contours in a prepared picture, whatever the cards say, up to `far` mm beside `fit` on the
    board's plane: where the `bare` contours, which no pieces cover, show best.
    """
    across = np.arange(-far, far + BESIDE_EACH_OTHER, BESIDE_EACH_OTHER)
    shifts = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
    shifts = shifts[np.linalg.norm(shifts, axis=1) <= far]
    fits = _changed(fit, np.pad(shifts, ((0, 0), (3, 1))), np.zeros(3), np.eye(3))
    scale = fit.lens.focal[0] / fit.translation[2]
    scores = _Showing(picture, bare).of(fits, max(SHARPEST, BESIDE_EACH_OTHER / 2 * scale))
    chosen: list[int] = []
    for k in np.argsort(-scores).tolist():
        if all(np.linalg.norm(shifts[k] - shifts[other]) > 4 * BESIDE_EACH_OTHER for other in chosen):
            chosen.append(k)
        if len(chosen) == RIVALS:
            break
    return [settled(picture, contours, fits[k]) for k in chosen]


def found_at(picture: Prepared, contours: Contours, fit: Fit) -> Array:
    """Which of the contours' samples (n,) are found in a prepared picture where `fit` has them."""
    return shown_at(picture, contours, fit)[0]


def shown_at(picture: Prepared, contours: Contours, fit: Fit) -> tuple[Array, Array]:
    """Which of the contours' samples (n,) are found in a prepared picture where `fit` has them; and which of these show
    so clearly that they are found again, whatever the noise.
    """
    found = _search(picture, _silhouette(contours, fit), fit, 2.5)
    off = np.abs(found.offset)
    return found.sure & (off < 1.5), found.sure & (off < 1.0) & (found.clear >= CLEAR)


def rims_off(picture: Prepared, rims: Contours, fit: Fit, typically: float) -> float:
    """How far off the rims of a thing are in the mean in a prepared picture: the square of that, in parts of what they
    `typically` are (mm), `LOST` where they are farther off, or do not show.
    """
    scale = fit.lens.focal[0] / fit.translation[2]
    found = _search(picture, rims, fit, max(2.0, FARTHEST * typically * scale))
    off = np.square(found.offset / (typically * scale))
    return float(np.where(found.sure, np.minimum(off, LOST), LOST).mean())


def _shifted(showing: _Showing, fit: Fit) -> Fit:
    """`fit` with the board shifted and turned on its plane to where its contours show best."""
    across, turns = SHIFTS
    dx, dy, turn = (each.ravel() for each in np.meshgrid(across, across, turns))
    changes = np.zeros((len(dx), 6))
    changes[:, 2], changes[:, 3], changes[:, 4] = turn, dx, dy
    fits = _changed(fit, changes, np.zeros(3), np.eye(3))
    return fits[int(showing.of(fits, SHARPEST).argmax())]


def _sampled(
    showing: _Showing, cards: list[Array], fit: Fit, spread: Array, rounds: tuple[tuple[float, float], ...]
) -> list[Fit]:
    """Poses near `fit` that the cards (corners (4, 3) in the board frame) allow, where the contours show best."""
    one, other = (card.mean(axis=0) for card in (cards[0], cards[-1]))
    along = (other - one) / np.linalg.norm(other - one)
    axes = np.array([along, np.cross((0.0, 0.0, 1.0), along), (0.0, 0.0, 1.0)])
    chance, best = np.random.default_rng(1), np.zeros((KEPT, 6))
    for narrower, soft in rounds:
        near = spread / narrower * chance.standard_normal((SAMPLES // KEPT, KEPT, 6))
        changes = np.concatenate([best, (best + near).reshape(-1, 6)])
        scores = showing.of(_changed(fit, changes, (one + other) / 2, axes), soft)
        best = changes[np.argsort(-scores)[:KEPT]]
    return _changed(fit, best[:TRIED], (one + other) / 2, axes)


def _changed(fit: Fit, changes: Array, around: Array, axes: Array) -> list[Fit]:
    """`fit` changed by each of `changes` (n, 6): turns (radians) about three `axes` (3, 3) of the board through a point
    `around` (3,) of it, shifts (mm) along the board's x and y, and how much farther away (relative) it is.
    """
    fits = []
    for change in changes:
        rotation = fit.rotation @ cv2.Rodrigues(change[:3] @ axes)[0]
        middle = fit.rotation @ (around + np.array([change[3], change[4], 0.0])) + fit.translation
        fits.append(Fit(rotation, middle * (1 + change[5]) - rotation @ around, fit.lens, 0.0))
    return fits


class _Showing:
    """How well the contours show in a picture (grey, float32) where poses have them."""

    def __init__(self, picture: Prepared, contours: Contours) -> None:
        contours = contours.part(~contours.in_colour)
        self._contours = contours.part(np.arange(len(contours.points)) % (1 + len(contours.points) // COARSELY) == 0)
        self._picture = picture.grey
        self._slopes: dict[float, Array] = {}

    def of(self, fits: list[Fit], pixels: float) -> Array:
        """A score (n,) for each pose, in the picture softened by so many pixels; all have the same lens."""
        if pixels not in self._slopes:
            soft = cv2.GaussianBlur(self._picture, (0, 0), pixels)
            self._slopes[pixels] = cv2.merge([cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx) for dx in (1, 0)])
        parts = [fits[k : k + AT_ONCE] for k in range(0, len(fits), AT_ONCE)]
        return np.concatenate([self._of(part, self._slopes[pixels]) for part in parts])

    def _of(self, fits: list[Fit], slopes: Array) -> Array:
        seen, lens = self._contours, fits[0].lens
        rotation, shift = np.array([fit.rotation for fit in fits]), np.array([fit.translation for fit in fits])
        camera = -np.einsum("nji,nj->ni", rotation, shift)
        (x, y), normal = seen.points[:, :2].T, seen.normals.T
        facing = (camera[:, :1] - x) * normal[0] + (camera[:, 1:2] - y) * normal[1] > 0
        points = np.where(facing[..., None], seen.low, seen.points).astype(np.float32)
        turn = rotation.transpose(0, 2, 1).astype(np.float32)
        here = points @ turn + shift[:, None].astype(np.float32)
        beside = here + normal.T.astype(np.float32) @ turn[:, :2]
        at, other = (lens.project(each.reshape(-1, 3)).reshape(*each.shape[:2], 2) for each in (here, beside))
        along_x, along_y = (other - at).transpose(2, 0, 1)
        slope = cv2.remap(slopes, at[..., 0], at[..., 1], cv2.INTER_NEAREST)
        across = (slope[..., 0] * along_x + slope[..., 1] * along_y) / np.maximum(np.hypot(along_x, along_y), 1e-9)
        signed = np.where(seen.sign == 0, 0.3 * np.abs(across), -across * seen.sign)
        scores: Array = np.minimum(signed, np.abs(signed).mean(axis=1, keepdims=True) * 3).mean(axis=1)
        return scores


def _refined(picture: Prepared, contours: Contours, cards: Corners, start: Fit, card_error: float, refine: bool) -> Fit:
    fit, drift = start, np.zeros(4)
    for k, reach in enumerate(_reaches(contours)):
        edges, scale = _edges(picture, contours, fit, k, reach)
        change = step(edges, cards, fit, card_error, scale, drift if refine and k >= LENS_FROM else None)
        drift = drift + change[6:]
        fit = moved(fit, change, start.lens, drift)
    return supported(picture, contours, fit)


def _edges(picture: Prepared, contours: Contours, fit: Fit, k: int, reach: float) -> tuple[Edges, float]:
    """The edges found in round `k` up to `reach` mm from where `fit` has them; and the offset, in pixels, from which
    one is mistrusted.
    """
    scale = fit.lens.focal[0] / fit.translation[2]
    wanted = (contours.size > DISTINCT * reach) & (~contours.in_colour | (k >= COLOUR_FROM))
    if not wanted.any():
        return NO_EDGES, 1.0
    seen = _silhouette(contours.part(wanted), fit)
    return _search(picture, seen, fit, max(2.0, reach * scale)).edges(seen), max(1.0, 0.4 * reach * scale)


def supported(picture: Prepared, contours: Contours, fit: Fit) -> Fit:
    """The fit, with how many of the contours are found there."""
    close = found_at(picture, contours.part(~contours.in_colour), fit)  # colour is the first that noise drowns
    return replace(fit, support=float(close.mean()) if len(close) else 0.0)


def _reaches(contours: Contours) -> tuple[float, ...]:
    """How far to look along the normal in each round, in millimetres."""
    return (*SEARCH, *FINELY) if _many_small(contours) else SEARCH


def _many_small(contours: Contours) -> bool:
    return float(np.mean(contours.size[~contours.in_colour] <= DISTINCT * SEARCH[-1])) >= SMALL


@dataclass(frozen=True, slots=True)
class _Found:
    """Where edges were found: distance along the normal in pixels, and whether there is one."""

    at: Array  # (n, 2) pixels of the samples
    normals: Array  # (n, 2) unit normals in the picture
    offset: Array  # (n,) pixels
    sure: Array  # (n,) bool
    clear: Array  # (n,) how much of an edge there is, in parts of what is needed to be sure

    def edges(self, seen: Contours) -> Edges:
        """Those of the samples of which one is sure."""
        normals = self.normals[self.sure]
        along = (normals * self.at[self.sure]).sum(axis=1) + self.offset[self.sure]
        return Edges(seen.points[self.sure], normals, along, seen.trust[self.sure])


def _silhouette(contours: Contours, fit: Fit) -> Contours:
    """The outline where its silhouette is: at the foot where its side faces the camera, else at the top."""
    camera = -fit.rotation.T @ fit.translation
    facing = ((camera[:2] - contours.points[:, :2]) * contours.normals).sum(axis=1) > 0
    points = np.where(facing[:, None], contours.low, contours.points)
    return replace(contours, points=points)


def _normals(seen: Contours, fit: Fit) -> tuple[Array, Array]:
    """Pixels (n, 2) of the samples and their unit normals (n, 2) in the picture."""
    beside = np.column_stack([seen.points[:, :2] + seen.normals, seen.points[:, 2]])
    at = fit.lens.project(seen.points @ fit.rotation.T + fit.translation)
    direction = fit.lens.project(beside @ fit.rotation.T + fit.translation) - at
    return at, direction / np.maximum(np.hypot(*direction.T), 1e-9)[:, None]


def _search(picture: Prepared, seen: Contours, fit: Fit, reach: float) -> _Found:
    """Looks for the edges up to `reach` pixels along their normals."""
    at, normals = _normals(seen, fit)
    steps = np.arange(-np.ceil(reach) - 2, np.ceil(reach) + 3, dtype=np.float32)
    where = at.astype(np.float32)[:, None] + normals.astype(np.float32)[:, None] * steps[:, None]
    height, width = picture.grey.shape
    ends = where[:, [0, -1]]
    inside = ((ends > 0) & (ends < (width - 1, height - 1))).all(axis=(1, 2))
    signed = _slopes(picture, where, seen)
    peak = np.argmax(signed * np.exp(-0.5 * (steps[1:-1] / (reach + 1)) ** 2), axis=1)
    rows = np.arange(len(peak))
    inner = np.clip(peak, 1, signed.shape[1] - 2)
    left, top, right = signed[rows, inner - 1], signed[rows, inner], signed[rows, inner + 1]
    bend = np.maximum(2 * top - left - right, 1e-3)
    offset = steps[1:-1][inner] + np.clip((right - left) / (2 * bend), -1, 1)
    strong = max(picture.faint, 0.35 * float(np.median(np.maximum(top, 0))))
    sure = inside & (top > strong) & (peak == inner) & (np.abs(offset) <= reach)
    return _Found(at, normals, offset, sure, top / strong)


def _slopes(picture: Prepared, where: Array, seen: Contours) -> Array:
    """How much an edge (n, steps - 2) shows at pixels `where` (n, steps, 2) along the normals: positive where it is as
    it should be.
    """
    profiles = cv2.remap(picture.grey, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slopes = (profiles[:, :-2] - profiles[:, 2:]) * seen.sign[:, None]
    rows = np.flatnonzero(seen.in_colour | (seen.sign == 0))
    if len(rows):
        x, y = where[rows, :, 0], where[rows, :, 1]
        colours = cv2.remap(picture.colour, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        steps = colours[:, :-2] - colours[:, 2:]
        # wood is often as bright as the table, but seldom of its colour
        any_way = np.sqrt(np.square(steps).mean(axis=2))
        slopes[rows] = np.where(seen.sign[rows, None] == 0, any_way, np.einsum("nsc,nc->ns", steps, seen.tint[rows]))
    return slopes
