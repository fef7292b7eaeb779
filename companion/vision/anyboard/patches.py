"""Pictures of single fields for a network: what is seen about each, and what the empty board shows there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.evidence import Evidence
from companion.vision.anyboard.expectation import Expectation
from companion.vision.anyboard.occupancy import View, centres
from companion.vision.anyboard.surface import UNIT
from companion.vision.geometry.lens import Array

COUNT, COARSE = 40, 2
"""Points across a patch, and samples of the surface across a point."""

NEARER = 0.25
"""How much farther, in fields, a patch reaches towards the camera than half its size, as far as the surface
does around the grid: what stands nearer leans over.
"""

TONES = np.array([1.2, 0.8, 0.8])
"""Tones up to these, above or below the mean of the empty board, are told apart."""

NEAR = np.array([0.15, 0.1, 0.1])
"""Differences between the tones seen and expected are told finely up to about these, coarsely beyond: a piece of the
board's own colour shows by little more than its shading.
"""

APART = np.s_[6:9]
"""The layers that tell how far apart what is seen and the empty board are (see `NEAR`)."""

STEEPEST = 2.0
"""Lines of sight that lean more than this, in parts of height, are not told apart."""

QUARTERS = np.array([[0, -1], [-1, 0], [0, 1], [1, 0]])
"""Directions (x to the right, y down) that point up after 0, 1, 2 and 3 quarter turns clockwise."""


@dataclass(frozen=True, slots=True)
class _Upright:
    """How a patch is turned, by quarters, and then mirrored or not, so that things lean up and to the right in it."""

    quarters: int
    mirrored: bool
    lean: Array

    def turned(self, square: Array) -> Array:
        """Layers (n, size, size) turned so."""
        turned = np.rot90(square, -self.quarters, (1, 2))
        seen: Array = turned[:, :, ::-1] if self.mirrored else turned
        return seen


def field_patches(evidence: Evidence, expected: Expectation, view: View, board: BoardSet) -> Array:
    """One patch (rows, columns, layers, COUNT, COUNT) of 8-bit values a field, in the middle of it.

    Layers: the three tones seen, in the light of the empty board; the three of the empty board; how far apart they are
    (see `NEAR`); the same for twice as far around, half as finely: tall things lean over several fields; how things
    lean there, to the right and up; where both are known. Each patch is turned so that things lean up in it, and rather
    right.
    """
    layers = _layers(evidence, expected)
    around = np.pad(layers[APART], [(0, 0), (COUNT, COUNT), (COUNT, COUNT)], constant_values=round(127.5))
    middles = centres(board)
    at = np.rint(middles / COARSE + 0.25).astype(int)
    reach, nearer = COUNT // 2, round(NEARER * UNIT / COARSE)
    wide = reach + nearer
    patches = np.empty((*at.shape[:2], len(layers) + 5, COUNT, COUNT), np.uint8)
    for field in np.ndindex(*at.shape[:2]):
        x, y = at[field]
        upright = _upright(view, middles[field])
        square = upright.turned(layers[:, y - wide : y + wide, x - wide : x + wide])
        patch = square[:, 2 * nearer :, nearer:-nearer]
        patches[field][:-6], patches[field][-1] = patch[:-1], patch[-1]
        patches[field][-6:-3] = _half(upright.turned(around[:, y : y + 2 * COUNT, x : x + 2 * COUNT]))
        patches[field][-3:-1] = upright.lean[:, None, None]
    return patches


def _half(square: Array) -> Array:
    """Layers (n, 2 height, 2 width) half as finely."""
    layers, height, width = square.shape
    fours = square.reshape(layers, height // 2, 2, width // 2, 2)
    half: Array = np.rint(fours.mean((2, 4), dtype=np.float32))
    return half


def _layers(evidence: Evidence, expected: Expectation) -> Array:
    """Tones seen, tones expected, how far apart they are, and what is known (10, height, width), 8-bit, of the surface
    at every other sample.
    """
    known = expected.known & evidence.known
    mean = expected.tone[expected.known].mean(0)
    both = np.concatenate([evidence.tone - mean, expected.tone - mean], -1)
    height, width = known.shape
    fine = np.concatenate([np.where(known[..., None], both, 0.0), known[..., None]], -1)
    coarse = fine.reshape(height // COARSE, COARSE, width // COARSE, COARSE, -1).mean((1, 3))
    seen, empty = coarse[..., :3], coarse[..., 3:6]
    values = np.concatenate([seen / TONES, empty / TONES, finely(seen - empty)], -1)
    layers = np.concatenate([127.5 + 127.5 * values, 255.0 * coarse[..., 6:]], -1)
    found: Array = np.rint(np.clip(layers, 0, 255)).astype(np.uint8).transpose(2, 0, 1)
    return found


def finely(apart: Array) -> Array:
    """Differences of tones (..., 3) between -1 and 1, small ones spread out (see `NEAR`)."""
    spread: Array = apart / (np.abs(apart) + NEAR)
    return spread


def _upright(view: View, at: Array) -> _Upright:
    """How the patch of a field is turned whose middle is at (2,) samples."""
    away, slope = view.away(at)
    quarters = int(np.argmax(QUARTERS @ away))
    up = QUARTERS[quarters] @ away
    right = np.array([-QUARTERS[quarters][1], QUARTERS[quarters][0]]) @ away
    lean = np.minimum(np.array([abs(right), up]) * slope / STEEPEST, 1.0)
    return _Upright(quarters, bool(right < 0), np.rint(127.5 + 127.5 * lean).astype(np.uint8))
