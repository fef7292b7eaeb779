"""What the empty board should look like: from a picture of it, or from fields that are like one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.surface import (
    MARGIN,
    UNIT,
    Surface,
    field_views,
    inner_means,
    places,
    telling,
    within_plate,
)
from companion.vision.geometry.lens import Array

RIM = np.s_[UNIT // 16 : UNIT // 4]
"""Samples along a field's side that its corners take."""

ALIKE = 0.12
"""Tones as near as this are the same colour."""

SAME, AGREED = 0.035, 0.1
"""Fields of one kind whose corners differ by less than this, as a rule, are of one wood; and how well the corners of a
field agree that nothing covers.
"""

SAMPLES = 40
"""So many fields of a kind are enough to know its look."""

ENOUGH = 4
"""So many fields that look the same are enough to believe that it is the look of the empty ones."""

OWN_COLOUR = 0.1
"""How much it speaks for a field to be empty that its middle has the colour of its corners."""

UNLIKE, RIVAL = 0.6, 0.75
"""Fields unlike the one taken for empty that are nearly as much (from this part on) alike make that one doubtful."""

FELLOWS = 0.15
"""At least this part of the fields of a kind is empty, as a rule."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The empty board, without the light of this picture.

    `tone` and `spread` (height, width, 3) as in `Surface`: the spread is the part that differs from field to field.
    `trust` (rows, columns), 0 to 1: how well each field's look is known. `known` (height, width): where it is;
    `clipped` (height, width) as in `Surface`. `kinds` (rows, columns): the number of each field's kind, where fields
    were compared with their likes.
    """

    tone: Array
    spread: Array
    trust: Array
    known: Array
    clipped: Array
    kinds: Array


def from_empty(empty: Surface, board: BoardSet) -> Expectation:
    """The empty board as its picture shows it."""
    shape = board.grid.rows, board.grid.columns
    known = empty.seen & within_plate(board)
    return Expectation(empty.tone, empty.noise, np.ones(shape), known, empty.clipped, np.zeros(shape, int))


def light_terms(board: BoardSet) -> Array:
    """Slowly varying functions (height, width, 6) of the place: what light on a table is made of."""
    at = places(board)
    x, y = at[..., 0] / np.abs(at[..., 0]).max(), at[..., 1] / np.abs(at[..., 1]).max()
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)


def fit_light(terms: Array, values: Array, vote: Array | None = None) -> Array:
    """Coefficients (k, 3) that make terms (n, k) @ coefficients the values (n, 3), for most of the n samples.

    `vote` (n,): how much each sample counts.
    """
    votes = np.ones(len(values)) if vote is None else vote
    weight = votes
    coefficients = np.zeros((terms.shape[1], 3))
    ridge = 1e-3 * np.eye(terms.shape[1])
    for scale in (0.6, 0.3, 0.15, 0.1, 0.1):
        weighted = terms * weight[:, None]
        coefficients = np.linalg.solve(weighted.T @ terms + ridge, weighted.T @ values)
        away = np.square(values - terms @ coefficients).sum(1)
        weight = votes / (1 + away / scale**2) ** 2
    return coefficients


def from_likes(
    seen: Surface, board: BoardSet, first: Expectation | None = None, calm: Array | None = None
) -> Expectation:
    """The empty board as the fields that look alike tell it.

    After a `first` look those fields that are `calm` (rows, columns), so surely empty, tell it better.
    """
    rows, columns = board.grid.rows, board.grid.columns
    kinds = first.kinds if first is not None else _kinds(seen, board)
    if calm is None:
        calm = np.ones((rows, columns), bool)
    terms = light_terms(board)
    views = field_views(seen.tone, board)
    corners = _corner_tones(views)
    places_of = _corner_tones(field_views(terms, board))
    count = int(kinds.max()) + 1
    which = np.repeat(kinds.ravel(), 4)
    design = np.concatenate([np.eye(count)[which], places_of.reshape(-1, 6)[:, 1:]], 1)
    worth = field_views(telling(seen.clipped), board)
    found = fit_light(design, corners.reshape(-1, 3), _corner_tones(worth).ravel())
    light = terms[..., 1:] @ found[count:]
    bare = field_views(seen.tone - light, board)
    tints, differ = _tints(bare, found[kinds])
    bare = bare - tints[:, :, None, None]
    tone = np.zeros_like(seen.tone)
    spread = np.full_like(seen.tone, 0.05)
    trust = np.zeros((rows, columns))
    lively = liveliness(seen, board, kinds)
    for kind in range(count):
        some = (kinds == kind) & calm
        mean, deviation, support = _common(
            bare[some], found[kind], worth.mean((2, 3))[some] / (1 + np.square(lively[some] / 4))
        )
        field_views(tone, board)[kinds == kind] = mean + tints[kinds == kind][:, None, None]
        field_views(spread, board)[kinds == kind] = deviation
        trust[kinds == kind] = min(1.0, support / ENOUGH)
    if first is None:
        trust *= SAME / max(differ, SAME)
    else:
        trust = first.trust * (0.5 + 0.5 * trust)  # all fields tell better what else could be the look of empty ones
    known = np.zeros(seen.seen.shape, bool)
    known[MARGIN * UNIT : -MARGIN * UNIT, MARGIN * UNIT : -MARGIN * UNIT] = True
    return Expectation(tone, spread, trust, known, np.zeros_like(seen.clipped), kinds)


def _corners(views: Array) -> list[Array]:
    """The samples (rows, columns, n, n, ...) in each of the four corners of the fields, where things seldom stand."""
    low, high = RIM, np.s_[-RIM.stop : -RIM.start]
    return [views[:, :, a, :][:, :, :, b] for a in (low, high) for b in (low, high)]


def _corner_tones(views: Array) -> Array:
    """The mean (rows, columns, 4, ...) in the four corners of each field."""
    return np.stack([corner.mean((2, 3)) for corner in _corners(views)], 2)


def _tints(bare: Array, colours: Array) -> tuple[Array, float]:
    """How far (rows, columns, 3) each field's own wood is from the colour of its kind, `colours` (rows, columns, 3), as
    its corners agree; and how far fields are, as a rule. `bare` (rows, columns, UNIT, UNIT, 3) is what is seen, in even
    light.

    It is believed as far as fields differ more than printed ones do: inlaid ones may.
    """
    off = np.stack([np.median(corner, axis=(2, 3)) for corner in _corners(bare)], 2) - colours[:, :, None]
    tint = np.median(off, axis=2)
    weight = 1 / (1 + np.square((off - tint[:, :, None]) / AGREED).sum(-1)) ** 2
    tint = (off * weight[..., None]).sum(2) / weight.sum(2)[..., None]
    size = np.linalg.norm(tint, axis=-1)
    usual = 2 * float(np.quantile(size, 0.2))  # on many others something covers the corners
    inlaid = max(0.0, 1 - (SAME / max(usual, 1e-6)) ** 2)
    believed = inlaid * weight.mean(2) * np.minimum(1.0, 2 * usual / np.maximum(size, 1e-6))
    return tint * believed[..., None], usual


def _patterns(rows: int, columns: int) -> Iterator[Array]:
    """Ways in which the fields of boards are alike: (rows, columns) numbers of their kinds, simple ones first."""
    row, column = np.mgrid[:rows, :columns]
    folded = [np.minimum(row, rows - 1 - row), np.minimum(column, columns - 1 - column)]
    keys = [np.zeros((rows, columns), int), (row + column) % 2, row % 2, column % 2, row % 2 * 2 + column % 2]
    keys += [(row + column) % 3, (row - column) % 3, row % 3, column % 3, folded[0] * 100 + folded[1]]
    keys += [np.sort(np.stack(folded), 0)[0] * 100 + np.sort(np.stack(folded), 0)[1]] if rows == columns else []
    for key in keys:
        yield np.unique(key, return_inverse=True)[1].reshape(rows, columns)


def _kinds(seen: Surface, board: BoardSet) -> Array:
    """The number (rows, columns) of each field's kind: the pattern that explains the colours of the fields' corners."""
    corners = _corner_tones(field_views(seen.tone, board)).reshape(-1, 3)
    terms = _corner_tones(field_views(light_terms(board), board)).reshape(-1, 6)[:, 1:]
    worth = _corner_tones(field_views(telling(seen.clipped), board)).ravel()
    best, lowest, found = np.zeros((board.grid.rows, board.grid.columns), int), np.inf, np.zeros((1, 3))
    for kinds in _patterns(board.grid.rows, board.grid.columns):
        count = int(kinds.max()) + 1
        design = np.concatenate([np.eye(count)[np.repeat(kinds.ravel(), 4)], terms], 1)
        coefficients = fit_light(design, corners, worth)
        off = corners - design @ coefficients
        cost = worth @ np.log1p(np.square(off / ALIKE).sum(1)) + 8 * count
        if cost < lowest:
            best, lowest, found = kinds, cost, coefficients[: int(kinds.max()) + 1]
    return _merged(best, found)


def _merged(kinds: Array, colours: Array) -> Array:
    """The kinds (rows, columns), those of the same colour (n, 3) made one."""
    same = np.arange(len(colours))
    for k in range(len(colours)):
        near = np.linalg.norm(colours[:k] - colours[k], axis=1) < 0.8 * ALIKE
        if near.any():
            same[k] = same[int(np.argmax(near))]
    return np.unique(same[kinds], return_inverse=True)[1].reshape(kinds.shape)


def fine_structure(brightness: Array) -> Array:
    """What of the brightness (height, width) is smaller than a tenth of a field."""
    fine: Array = brightness - cv2.GaussianBlur(brightness, (0, 0), UNIT / 10)
    return fine


def liveliness(seen: Surface, board: BoardSet, kinds: Array) -> Array:
    """The fine structure (rows, columns) of each field, at least 1, in those of the plainer ones of its kind."""
    strength = np.sqrt(inner_means(np.square(fine_structure(seen.tone[..., 0])), board))
    for kind in np.unique(kinds):
        own = kinds == kind
        strength[own] /= np.quantile(strength[own], 0.2) + 1e-6
    lively: Array = np.maximum(strength, 1.0)
    return lively


def _common(bare: Array, colour: Array, vote: Array) -> tuple[Array, Array, float]:
    """What those of these fields (n, UNIT, UNIT, 3) look like that are most alike: tone, spread, and how many they are.

    Empty fields are alike all over, while things stand a little differently on each. `colour` (3,) is that of the
    fields' corners, which an empty field is likely to have in its middle too. `vote` (n,): how much each counts.
    """
    chosen = np.argsort(-vote, kind="stable")[:SAMPLES]
    some, vote = bare[chosen], vote[chosen] / vote[chosen].max()
    soft = np.stack([cv2.blur(np.ascontiguousarray(field), (3, 3))[::2, ::2] for field in some])
    same = np.stack([np.exp(-0.5 * np.square((soft - one) / (0.5 * ALIKE)).sum(-1)).mean((1, 2)) for one in soft])
    fellows = max(1, round(FELLOWS * len(some)))
    crowd = -np.sort(-same * vote, axis=1)[:, : fellows + 1].mean(1)
    plain = np.exp(-0.5 * np.square((soft - colour) / ALIKE).sum(-1)).mean((1, 2))
    score = crowd * vote + OWN_COLOUR * plain
    best = int(np.argmax(score))
    rival = float(score.max(where=same[best] < UNLIKE * crowd[best], initial=0.0) / score[best])
    weight = np.minimum(same[best] / crowd[best], 1.0) ** 4 * vote
    weight = np.where(weight > 0.3 * weight.max(), weight, 0.0)
    total = weight.sum()
    middle = np.tensordot(weight, some, 1) / total
    near = weight[:, None, None] * np.exp(-0.5 * np.square((some - middle) / ALIKE).sum(-1)) + 1e-9
    mean = (near[..., None] * some).sum(0) / near.sum(0)[..., None]
    spread = np.sqrt((near[..., None] * np.square(some - mean)).sum(0) / near.sum(0)[..., None])
    doubt = min(max((rival - RIVAL) / (1 - RIVAL), 0.0), 1.0)
    return mean, spread, float((weight > 0).sum()) * (1 - doubt)
