"""What the supply says: a set has only so many of each thing, so sites cannot all show the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.vision.lens import Array
from companion.vision.reading import SiteReading

ROUNDS = 200

RATE = 0.5
"""How fast the price of a thing rises with the demand for more than there is of it."""


def rationed(log_likelihood: Array, copies: Array) -> Array:
    """Log likelihoods (sites, labels) with those of labels lowered that more sites are expected to show than there are
    `copies` (labels,) of (infinite where there are plenty): by one price a label, the same for all sites, the least
    that brings the expected number down to the supply.
    """
    price = np.zeros(len(copies))
    scarce = np.isfinite(copies)
    for _ in range(ROUNDS):
        value = log_likelihood - price
        value = value - value.max(axis=1, keepdims=True)
        part = np.exp(value) / np.exp(value).sum(axis=1, keepdims=True)
        demand = part.sum(axis=0)
        change = RATE * np.log(np.maximum(demand[scarce], 1e-9) / copies[scarce])
        before = price.copy()
        price[scarce] = np.maximum(0.0, price[scarce] + change)
        if np.abs(price - before).max() < 1e-3:
            break
    return log_likelihood - price


def with_supply(
    sites: Mapping[str, SiteReading], copies: Mapping[str, int], names: Sequence[str]
) -> dict[str, SiteReading]:
    """The sites, those called `names`, which have the same labels, read together: no more of a label than `copies`.

    Sites that are not seen may show anything, so they do not use anything up.
    """
    seen = [name for name in names if name in sites and sites[name].visible >= 0.5]
    result = dict(sites)
    if not seen:
        return result
    labels = sites[seen[0]].labels
    likelihood = np.array([sites[name].log_likelihood for name in seen], np.float64)
    numbers = np.array([copies.get(label, np.inf) for label in labels], np.float64)
    for name, row in zip(seen, rationed(likelihood, numbers), strict=True):
        result[name] = SiteReading(labels, row.astype(np.float32), sites[name].visible)
    return result
