"""Lays the grid exactly over the picture: corners are a little off, lenses bend lines, boards are not flat."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.expectation import Expectation, light_terms
from companion.vision.anyboard.surface import MARGIN, UNIT, Surface
from companion.vision.geometry.lens import Array

REACH = 3 * UNIT // 8
"""How far, in samples, the expected look is searched."""

HALF = 3 * UNIT // 8
"""Half the size of the patches around the crossings of the grid that are searched: things seldom stand there."""

LIKE = 0.75
"""Correlation from which a patch counts as found."""

STRUCTURE = 0.04
"""Least deviation of the tones in a patch worth searching."""


def shift_between(seen: Surface, expected: Expectation, board: BoardSet) -> Array:
    """How far (height, width, 2), in samples to the right and down, the expected look is displaced in `seen`.

    Zero where too little can be recognised.
    """
    terms = _bends(board)
    count = terms.shape[-1]
    found = [(terms[y, x], *match) for y, x in _crossings(board) if (match := _match(seen, expected, x, y)) is not None]
    if len(found) < 4:
        return np.zeros((*seen.seen.shape, 2))
    basis, moved, sharpness = (np.array(part) for part in zip(*found, strict=True))
    design = np.stack([np.kron(np.eye(2), row) for row in basis])  # (n, 2, 2 * count)
    weight = np.ones(len(found))
    prior = np.diag(np.tile(np.where(np.arange(count) < 3, 0.05, 0.5), 2))
    coefficients = np.zeros(2 * count)
    for scale in (6.0, 4.0, 3.0, 2.0, 2.0):
        information = weight[:, None, None] * sharpness
        normal = np.einsum("nik,nij,njl->kl", design, information, design) + prior
        coefficients = np.linalg.solve(normal, np.einsum("nik,nij,nj->k", design, information, moved))
        weight = 1 / (1 + np.square(moved - design @ coefficients).sum(1) / scale**2) ** 2
    return np.stack([terms @ coefficients[:count], terms @ coefficients[count:]], -1)


def _bends(board: BoardSet) -> Array:
    """Smooth functions (height, width, 10) of the place, up to the third power: so much does a lens bend lines."""
    terms = light_terms(board)
    x, y = terms[..., 1], terms[..., 2]
    return np.concatenate([terms, np.stack([x**3, x * x * y, x * y * y, y**3], -1)], -1)


def _crossings(board: BoardSet) -> list[tuple[int, int]]:
    grid = board.grid
    return [
        ((MARGIN + row) * UNIT, (MARGIN + column) * UNIT)
        for row in range(1, grid.rows)
        for column in range(1, grid.columns)
    ]


def _match(seen: Surface, expected: Expectation, x: int, y: int) -> tuple[Array, Array] | None:
    """Where the expected look around a sample is found: displacement (2,) and how sharply (2, 2); None if it is not."""
    inner = np.s_[y - HALF : y + HALF, x - HALF : x + HALF]
    outer = np.s_[y - HALF - REACH : y + HALF + REACH, x - HALF - REACH : x + HALF + REACH]
    if not (expected.known[inner].all() and seen.seen[outer].all()):
        return None
    template = expected.tone[inner].astype(np.float32)
    if template.std((0, 1)).max() < STRUCTURE:
        return None
    scores = cv2.matchTemplate(seen.tone[outer].astype(np.float32), template, cv2.TM_CCOEFF_NORMED)
    _, best, _, (u, v) = cv2.minMaxLoc(scores)
    if best < LIKE or not (0 < u < 2 * REACH and 0 < v < 2 * REACH):
        return None
    near = scores[v - 1 : v + 2, u - 1 : u + 2].astype(float)
    slope = np.array([near[1, 2] - near[1, 0], near[2, 1] - near[0, 1]]) / 2
    cross = (near[2, 2] - near[2, 0] - near[0, 2] + near[0, 0]) / 4
    bend = np.array(
        [[2 * near[1, 1] - near[1, 2] - near[1, 0], -cross], [-cross, 2 * near[1, 1] - near[2, 1] - near[0, 1]]]
    )
    values, axes = np.linalg.eigh(bend)
    values = np.maximum(values, 1e-4)
    fine = np.clip((axes / values) @ axes.T @ slope, -1, 1)
    return np.array([u - REACH, v - REACH]) + fine, (axes * np.minimum(values * 100, 1.0)) @ axes.T
