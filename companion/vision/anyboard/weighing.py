"""From what a field is judged by to the odds that something stands there.

A logistic regression on standardised measures and the products of each two, for without and with a picture of the empty
board. `python -m tests.benchmarks.occupancy --fit` makes its weights from pictures of the simulated table and from
path-traced ones.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from companion.vision.geometry.lens import Array

FILE = Path(__file__).with_name("weights.npz")

USUAL = 2.5
"""Measures count up to so many standard deviations off the mean: beyond them nothing was learned."""


class Weights(NamedTuple):
    """`mean`, `deviation` (2, k) of the measures, `weights` (2, n) of the terms; row 1 is with the empty board."""

    mean: Array
    deviation: Array
    weights: Array


@cache
def load() -> Weights:
    """The weights in use."""
    with np.load(FILE) as stored:
        return Weights(stored["mean"], stored["deviation"], stored["weights"])


def terms(measures: Array, mean: Array, deviation: Array) -> Array:
    """What is weighed (..., n) of measures (..., k): one, each measure, and the products of each two."""
    usual = np.clip((measures - mean) / deviation, -USUAL, USUAL)
    first, second = np.triu_indices(usual.shape[-1])
    one = np.ones((*usual.shape[:-1], 1))
    return np.concatenate([one, usual, usual[..., first] * usual[..., second]], -1)


def weighed(measures: Array, with_empty: bool) -> Array:
    """The logarithm of the odds (...) that something stands on fields with those measures (..., k)."""
    row, known = int(with_empty), load()
    odds: Array = terms(measures, known.mean[row], known.deviation[row]) @ known.weights[row]
    return odds


def fitted(measures: Array, occupied: Array, ridge: float = 1e-2) -> tuple[Array, Array, Array]:
    """Mean, deviation and weights from measures (n, k) of fields and whether they are `occupied` (n,)."""
    mean, deviation = measures.mean(0), measures.std(0) + 1e-6
    table = terms(measures, mean, deviation)
    centre, scale = table.mean(0), table.std(0) + 1e-9
    centre[0], scale[0] = 0, 1
    scaled, weights = (table - centre) / scale, np.zeros(table.shape[1])
    penalty = ridge * len(table) * np.eye(table.shape[1])
    penalty[0, 0] = 1e-9
    for _ in range(15):  # Newton's method
        chance = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        bend = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + penalty
        weights -= np.linalg.solve(bend, scaled.T @ (chance - occupied) + penalty @ weights)
    weights /= scale
    weights[0] -= float((weights * centre)[1:].sum())
    return mean, deviation, weights
