"""Which fields hold something, from where the picture shows something else than the empty board.

A piece stands on its foot, and its body leans away from the camera over the fields behind it. So fields are judged from
near to far, by their feet: what a nearer piece explains counts less, and where the empty board shows through, nothing
stands, whatever leans over the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.evidence import Evidence
from companion.vision.anyboard.surface import MARGIN, UNIT, field_views, inner_means
from companion.vision.anyboard.weighing import weighed
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

FOOT, WIDE = 0.22, 0.4
"""Radii, in fields, of the smallest foot worth knowing, and of the area that most feet take."""

ASIDE = 0.1
"""How far, in fields, a piece may stand off the middle of its field."""

BODY = 0.3
"""Half the width, in fields, of what stands on a foot."""

TALLEST, STEP = 2.2, 0.1
"""No piece is taller, in fields; and steps of height."""

EXPLAINED = 0.7
"""The part of the evidence that does not count where a nearer piece may be what is seen."""

SUREST = 0.995
"""No picture of a board that was never seen before says more."""

COVERED, UNSURE = 0.97, 0.7
"""A field of which a larger part is foreign, beside two such, may be under a hand: then nothing is surer than this."""

BLIND = 0.8
"""Nor of one of which a larger part has no light, or is burnt out."""

BEHIND, OWN = 0.6, 0.2
"""Nor of one of which a larger part shows what may be nearer pieces, and less than the other anything else foreign: of
319 such fields with half of that of 60 chessboards 51 were mistaken, 8 of them surely (seeds 995500 to 995559); with
more, of 61 on chessboards of another renderer, all of them surely told, 3.
"""

OWN_PART, OTHERS_PART = 3, 4
"""Where `_measured` tells how much of a field is foreign and of no nearer piece, and how much may be of one."""

REACH = round(WIDE * UNIT)
_X, _Y = np.meshgrid(np.arange(-REACH, REACH + 1), np.arange(-REACH, REACH + 1))
OFFSETS = np.stack([_X, _Y], -1) / UNIT
WITHIN = np.hypot(_X, _Y) <= REACH


@dataclass(frozen=True, slots=True)
class View:
    """From where the grid's plane is seen: `camera` (3,) in samples (see `Surface`), z upwards."""

    camera: Array

    @classmethod
    def of(cls, pose: Pose, board: BoardSet) -> View:
        """The view that a pose has of the grid."""
        grid = board.grid
        x, y, z = pose.camera / grid.pitch
        return cls(np.array([x + grid.columns / 2 + MARGIN, grid.rows / 2 + MARGIN - y, z]) * UNIT)

    def lean(self, at: Array, height: Array) -> Array:
        """Where on the plane (n, 2) points at heights (n,) over a place (2,) are seen."""
        share = np.minimum(height / np.maximum(self.camera[2] - height, 1e-6), 5.0)
        leaning: Array = at + (at - self.camera[:2]) * share[:, None]
        return leaning

    def away(self, at: Array) -> tuple[Array, float]:
        """The direction (2,) that leads away from the camera at a place (2,), and how far things lean there."""
        line = at - self.camera[:2]
        length = float(np.linalg.norm(line))
        return line / max(length, 1e-6), length / max(float(self.camera[2]), 1e-6)


def bounded(certain: Array, evidence: Evidence, measures: Array, board: BoardSet) -> Array:
    """Probabilities (rows, columns) no surer than a picture can make them; less under a hand, behind other pieces by
    what was measured (rows, columns, k), and where it is blind.
    """
    covered = field_views(evidence.foreign > 0, board).mean((2, 3)) > COVERED
    beside = cv2.filter2D(covered.astype(np.float32), -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT)
    blind = np.abs(field_views(evidence.clipped, board).mean((2, 3))) > BLIND
    own, others = measures[..., OWN_PART], measures[..., OTHERS_PART]
    behind = (others > BEHIND) & (own < OWN)
    surest = np.where(blind | behind | covered & (beside >= 3), UNSURE, SUREST)
    return np.clip(certain, 1 - surest, surest)


def features(evidence: Evidence, calm: Array, view: View, board: BoardSet, with_empty: bool) -> Array:
    """What each field (rows, columns, k) is judged by; see `_measured` and `_unrest`."""
    at = centres(board)
    explained = np.zeros(evidence.foreign.shape, np.float32)
    unrest = _unrest(evidence, calm, board)
    result = []
    for k in np.argsort(np.linalg.norm(at.reshape(-1, 2) - view.camera[:2], axis=1)):
        field = divmod(int(k), at.shape[1])
        measured = np.concatenate([_measured(evidence, explained, at[field], view), unrest[field]])
        result.append((field, measured))
        if weighed(measured, with_empty) > 0:
            _explain(explained, evidence.foreign, at[field], view)
    table = np.zeros((*at.shape[:2], len(result[0][1])))
    for field, measured in result:
        table[field] = measured
    return table


def centres(board: BoardSet) -> Array:
    """The fields' centres (rows, columns, 2) in samples, row 0 being the lowest."""
    x = (np.arange(board.grid.columns) + MARGIN + 0.5) * UNIT - 0.5
    y = (board.grid.rows - 1 - np.arange(board.grid.rows) + MARGIN + 0.5) * UNIT - 0.5
    return np.stack(np.meshgrid(x, y), -1)


def _disc(radius: float) -> Array:
    size = int(np.ceil(radius))
    y, x = np.mgrid[-size : size + 1, -size : size + 1]
    disc: Array = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    disc /= disc.sum()
    return disc


FOOT_DISC = _disc(FOOT * UNIT)


def _window(samples: Array, at: Array, reach: int) -> Array:
    x, y = (round(float(v)) for v in at)
    return samples[y - reach : y + reach + 1, x - reach : x + reach + 1]


def _measured(evidence: Evidence, explained: Array, at: Array, view: View) -> Array:
    """What stands where a field's foot would be: the best foot, and that as far as nothing else explains it.

    Then of the wide area how much speaks for something, is foreign, is foreign but explained, is surely board, has
    edges not explained, is only dim; of the first at the sides, nearer, farther; edges; how much things lean.
    """
    samples = evidence.foreign, explained, evidence.edges, evidence.dim
    foreign, hidden, edges, dim = (_window(part, at, REACH) for part in samples)
    away, slope = view.away(at)
    along, across = OFFSETS @ away, OFFSETS @ np.array([-away[1], away[0]])
    left = np.clip(foreign, -1, 1) * np.where(foreign > 0, 1 - hidden, 1)
    zones = [left[WITHIN & zone] for zone in (np.abs(across) > 0.15, along < -0.1, along > 0.1)]
    own, others = (foreign > 0) * (1 - hidden), (foreign > 0) * hidden
    parts = [left, own, others, foreign < -0.5, edges * (1 - hidden), dim * (1 - edges)]
    means = [part[WITHIN].mean() for part in parts] + [zone.mean() for zone in zones] + [edges[WITHIN].mean(), slope]
    foot = _foot(evidence.foreign, explained, at)
    return np.array([foot, max(foot, 0.0) * means[1] / (means[1] + means[2] + 0.02), *means])


def _foot(foreign: Array, explained: Array, at: Array) -> float:
    """The mean evidence of the foot near the middle of a field that has most."""
    reach, aside = round((ASIDE + FOOT) * UNIT) + 2, round(ASIDE * UNIT)
    near = _window(foreign, at, reach)
    weighed = np.where(near > 0, near * (1 - EXPLAINED * _window(explained, at, reach)), near)
    inner = np.s_[reach - aside : reach + aside + 1]
    return float(cv2.filter2D(weighed, cv2.CV_32F, FOOT_DISC)[inner, inner].max())


def _unrest(evidence: Evidence, calm: Array, board: BoardSet) -> Array:
    """How much more than calm fields each one (rows, columns, 4) is off, in tone and in structure."""
    result = []
    for part in (evidence.off, evidence.rough):
        mean = inner_means(part, board)
        usual = np.median(mean[calm]) if calm.any() else 1.0
        result += [np.log2((mean + 0.02) / (usual + 0.02)), mean]
    return np.stack(result, -1)


def _explain(explained: Array, foreign: Array, at: Array, view: View) -> None:
    """Marks what a piece on a field may cover, as tall as the evidence lets it be."""
    axis = view.lean(at, np.arange(0, TALLEST, STEP) * UNIT)
    axis = axis[((axis >= 0) & (axis < np.array(foreign.shape[::-1]) - 1)).all(1)]
    x, y = np.rint(axis).astype(int).T
    stands = cv2.blur(foreign, (7, 7))[y, x] > 0
    gaps = np.flatnonzero(~stands[:-1] & ~stands[1:])
    top = int(gaps[gaps > 2][0]) if (gaps > 2).any() else len(axis) - 1
    mask = np.zeros(explained.shape, np.uint8)
    cv2.line(mask, _point(axis[0]), _point(axis[min(2, top)]), 255, round(2 * WIDE * UNIT))
    cv2.line(mask, _point(axis[0]), _point(axis[top]), 255, round(2 * BODY * UNIT))
    np.maximum(explained, mask.astype(np.float32) / 255, out=explained)


def _point(at: Array) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))
