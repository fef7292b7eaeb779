"""What the supply says: a set has only so many of each thing, so sites cannot all show the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.games.core import Rest
from companion.vision.evidence import EVER_SO_LITTLE
from companion.vision.geometry.lens import Array
from companion.vision.reading import SiteReading

MOST = 4000
"""So many ways in which the supply may have been used up are followed, the likeliest ones."""

HARDLY = 1e-6
"""What is less probable than this, at a site or of all that is left, is not followed."""

TOGETHER = 0.9
"""What the supply's word counts: what sites show is misread together, in the same light and pose."""

LEFT = 20.0
"""How much likelier a pile is as high as what is left of its things, than any other way, with any number of players. Of
137 piles of Labyria's squares in pictures, many of them of tables that no game brings, 37 are misread, and so 17.
"""


def rationed(log_likelihood: Array, copies: Array) -> Array:
    """Log likelihoods (sites, labels) of each site by itself, as all together have them if no label shows more often
    than there are `copies` (labels,) of it (infinite where there are plenty).

    Exactly so, by what is used up after some of the sites and what does for the others (forward and backward sums). So
    two sites that can only have been exchanged are as sure as it is unlikely that both are misread. Where they surely
    show more than there is, hardly anything is left of what they said.
    """
    value = np.asarray(log_likelihood, np.float64)
    value = value - np.logaddexp.reduce(value, axis=1, keepdims=True)
    scarce = np.isfinite(copies) & (copies < len(value))
    if not scarce.any():
        return log_likelihood
    order = np.argsort(-value.max(axis=1))  # where little is open, few ways part
    part = np.exp(value[order])
    ways, steps = _used_up(part, np.where(scarce, copies, 0).astype(np.int64), scarce)
    if not len(ways[-1]):
        return EVER_SO_LITTLE * value
    left = np.ones(len(ways[-1]))
    shown = np.zeros_like(value)
    for k in reversed(range(len(steps))):
        does = np.append(left, 0.0)[steps[k]] * part[k]
        left = does.sum(axis=1)
        shown[order[k]] = ways[k] @ does
        left /= max(float(left.max()), HARDLY)
    known = np.log(shown / shown.sum(axis=1, keepdims=True) + HARDLY)
    result: Array = (1 - TOGETHER) * value + TOGETHER * known
    return result


def _used_up(part: Array, supply: Array, scarce: Array) -> tuple[list[Array], list[Array]]:
    """How probable (ways,) each way is in which the supply may have been used up, before each site and at last, if
    sites show labels with probabilities `part` (sites, labels); and, for each site, which of the next ones (ways,
    labels) each label makes of each, -1 where it cannot be. Only labels that are `scarce` (labels,) are counted; of the
    others the `supply` (labels,) is 0.
    """
    counts, weight = np.zeros((1, len(supply)), np.int64), np.ones(1)
    ways, steps = [weight], []
    one = np.diag(scarce.astype(np.int64))
    radix = np.concatenate([[1], np.cumprod(supply + 1)[:-1]])
    for chance in part:
        after = counts[:, None] + one
        likely = weight[:, None] * np.where(chance > HARDLY, chance, 0.0) * (after <= supply).all(axis=2)
        key = np.where(likely > 0, after @ radix, -1)
        keys, first, which = np.unique(key.ravel(), return_index=True, return_inverse=True)
        total = np.bincount(which.ravel(), weights=likely.ravel())
        kept = np.argsort(-total)[:MOST]
        kept = kept[total[kept] > HARDLY * total.max()] if total.max() > 0 else kept[:0]
        number = np.full(len(keys), -1)
        number[kept] = np.arange(len(kept))
        steps.append(np.where(likely > 0, number[which.reshape(likely.shape)], -1))
        counts, weight = after.reshape(-1, len(supply))[first[kept]], total[kept] / max(float(total.sum()), HARDLY)
        ways.append(weight)
    return ways, steps


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


def with_rest(sites: Mapping[str, SiteReading], rest: Rest) -> SiteReading:
    """The site on which what is left of a thing lies, given how many of it the others show."""
    pile = sites[rest.site]
    shown = sum(site.label == rest.thing for site in sites.values())
    likely = pile.log_likelihood.copy()
    for total, count in rest.totals.items():
        if (left := str(total - shown)) in pile.labels:
            likely[pile.labels.index(left)] += np.log(LEFT * count / sum(rest.totals.values()))
    return SiteReading(pile.labels, likely, pile.visible)
