"""Where a picture shows something else than the empty board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.expectation import Expectation, fine_structure, fit_light, light_terms, liveliness
from companion.vision.anyboard.surface import UNIT, Surface, field_views, inner_means, telling
from companion.vision.geometry.lens import Array

SHADOW = 0.85
"""Brightness (logarithm) by which shadows may darken the board."""

TINT = 0.25
"""How much of its darkening a shadow may change the colour."""

SHADED = 2.5
"""What is only darker, as in a shadow, is hardly more than this unlikely on an empty board (see `LEAST`)."""

LOCAL = 0.12
"""Light that changes from field to field is recognised as such up to about this."""

SHIFT, BLUR = 3, 5
"""Samples across which the expected tones, and the expected structure, may be displaced."""

LEAST, MOST = -1.2, 2.5
"""Bounds of the evidence of a sample."""

CALM, CALMEST = 0.4, 0.15
"""Fields are calm whose unrest is not more by `CALM` than that of the calmest part of their kind."""

LIVELY = 0.15
"""How much twice the structure adds to a field's unrest."""

LARGE = 16.0
"""Squares of deviations count up to this."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a sample of the empty board may be off (see `Surface`) beside noise: brightness, colour, structure."""

    brightness: float = 0.07
    colour: float = 0.05
    structure: float = 0.03


FLOOR = Tolerance(0.025, 0.02, 0.01)
"""Never trust the expectation more than this."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks against the empty board, at each sample (height, width).

    `foreign`: that it is something else: > 0 for, < 0 against, 0 unknown. `edges`, 0 to 1: there are edges that the
    empty board has not; neither shadows nor glare have many. `dim`, 0 to 1: it is only darker, as in a shadow. `off`,
    `rough`: squared deviations of tone and of fine structure, in tolerances. `tone` (height, width, 3): what is seen,
    in the light of the empty board, and `known` (height, width) where that is so. `clipped` (height, width) as in
    `Surface`, in this picture or in that of the empty board.
    """

    foreign: Array
    edges: Array
    dim: Array
    off: Array
    rough: Array
    tone: Array
    known: Array
    clipped: Array


def compare(seen: Surface, expected: Expectation, board: BoardSet, calm: Array | None = None) -> Evidence:
    """What speaks against the empty board. Fields known to be `calm` (rows, columns) tell how much it varies."""
    known = seen.seen & expected.known
    use = known if calm is None else known & _spread_out(calm, board, known.shape)
    clipped = np.where(seen.clipped != 0, seen.clipped, expected.clipped)
    worth = telling(clipped) * known
    tone = _relit(seen, expected, board, np.where(use, 1.0, 0.2) * worth, worth)
    fine, known_fine = fine_structure(tone[..., 0]), fine_structure(expected.tone[..., 0])
    tolerance = Tolerance() if calm is None else _tolerance((tone - expected.tone)[use], (fine - known_fine)[use])
    variance = np.square(seen.noise) + np.square(expected.spread)
    off, dim = _colour_off(tone, expected, variance, tolerance)
    allowed = tolerance.structure**2 + variance[..., 0]
    excess = np.maximum(np.abs(fine) - cv2.dilate(np.abs(known_fine), np.ones((BLUR, BLUR), np.uint8)), 0)
    edges = cv2.GaussianBlur(np.square(excess) / allowed, (0, 0), 1.5)
    foreign = np.clip(0.5 * (off + 0.5 * edges) + LEAST, LEAST, MOST)
    rough = np.minimum(np.square(fine - known_fine) / allowed, LARGE)
    measures = foreign, edges / (4 + edges), dim, np.minimum(off, LARGE), rough
    parts = [np.where(known, measure, 0.0).astype(np.float32) for measure in measures]
    return Evidence(parts[0], parts[1], parts[2], parts[3], parts[4], tone, known, clipped)


def calm_fields(evidence: Evidence, seen: Surface, expected: Expectation, board: BoardSet) -> Array:
    """Which fields (rows, columns) look most like the empty board; some of each kind."""
    unrest = inner_means(evidence.foreign, board)
    unrest += LIVELY * np.log2(liveliness(seen, board, expected.kinds))
    calm = np.zeros(unrest.shape, bool)
    for kind in np.unique(expected.kinds):
        own = expected.kinds == kind
        calm |= own & (unrest <= np.quantile(unrest[own], CALMEST) + CALM)
    return calm


def _spread_out(fields: Array, board: BoardSet, shape: tuple[int, ...]) -> Array:
    """Per-field values (rows, columns) on all samples (height, width); zero outside the grid."""
    samples = np.zeros(shape, fields.dtype)
    field_views(samples, board)[:] = fields[..., None, None]
    return samples


def _colour_off(tone: Array, expected: Expectation, variance: Array, tolerance: Tolerance) -> tuple[Array, Array]:
    """How far (squared, in tolerances) tones are off those expected nearby, shadows being let pass up to a degree; and
    how much (0 to 1) they are only darker.
    """
    kernel = np.ones((SHIFT, SHIFT), np.uint8)
    off = tone - np.clip(tone, cv2.erode(expected.tone, kernel), cv2.dilate(expected.tone, kernel))
    dark = np.clip(-off[..., :1], 0, SHADOW)
    hue = np.square(off[..., 1:]) / (tolerance.colour**2 + np.square(TINT * dark) + variance[..., 1:])
    shade = np.square(off[..., 0]) / (tolerance.brightness**2 + variance[..., 0])
    too_dark = np.square(np.minimum(off[..., 0] + SHADOW, 0) / 0.1)
    shade = np.where(off[..., 0] < 0, np.minimum(shade, SHADED + too_dark), shade)
    dim = (off[..., 0] < 0) * shade / (1 + shade) / (1 + hue.sum(-1) + too_dark)
    return hue.sum(-1) + shade, dim


def _tolerance(away: Array, fine: Array) -> Tolerance:
    """As much as samples (n, 3) of calm fields are off."""
    deviation = 1.4 * np.quantile(np.abs(away), 0.8, axis=0)
    return Tolerance(
        float(np.clip(deviation[0], FLOOR.brightness, 0.1)),
        float(np.clip(deviation[1:].max(), FLOOR.colour, 0.1)),
        float(np.clip(2 * np.quantile(np.abs(fine), 0.8), FLOOR.structure, 0.1)),
    )


def _relit(seen: Surface, expected: Expectation, board: BoardSet, vote: Array, worth: Array) -> Array:
    """The picture's tones (height, width, 3) as they would be in the light and with the camera of the expectation.

    Another camera has another contrast and other colours: the tones are those expected, mixed, plus the light.
    """
    known = worth > 0
    own = expected.tone - expected.tone[known].mean(0)
    terms = np.concatenate([light_terms(board), own, np.square(own[..., :1])], -1)
    use = np.zeros(known.shape, bool)
    use[::4, ::4] = known[::4, ::4]
    coefficients = fit_light(terms[use], (seen.tone - expected.tone)[use], vote[use])
    tone: Array = seen.tone - terms @ coefficients
    off = (tone - expected.tone).astype(np.float32)
    weight = (1 / (1 + np.square(off / LOCAL).sum(-1)) ** 2 * worth).astype(np.float32)
    about = cv2.GaussianBlur(weight, (0, 0), UNIT) + 0.05
    local: Array = cv2.GaussianBlur(off * weight[..., None], (0, 0), UNIT) / about[..., None]
    return tone - local
