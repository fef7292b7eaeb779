"""From sums over pixels to honest log likelihoods of labels."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.reading import SiteReading

PIXELS = 40.0
"""As how many independent pixels a site's pixels count at most: neighbours share their light, blur and dirt."""

SURE, SEEN = 0.95, 0.7
"""Confidence and visible part from which a site's pixels tell what its paints look like in this picture."""

FOREIGN = 0.0
"""Log likelihood of a thing of no particular colour: what everything is compared with."""

FITS = 2.5
"""Log likelihood ratio from which a surface simply fits."""

NO_GROUND = -0.5
"""What a pixel says against a character that shows no ground: it may be ink."""

SIGN = 10.0
"""As how many independent pixels one surface counts, where only its presence matters."""

THING = -1.5
"""How much better than by a thing of one colour a label has to explain the picture: pieces lie there more often."""

MOST = 50.0
"""Natural logarithms are cut off here before they are raised."""

DOUBT = 9.0
"""No label is believed more than this (natural logarithm) before all others: there is always something unforeseen."""


def over_thing(
    paints: Array, shown: Array, fits: Array, weights: Array, plain: Sequence[int], *, part: bool = True
) -> float:
    """How much better surfaces that should show certain paints explain the picture than a thing of one colour does.

    `fits` (points, columns): how well each point shows each paint; `shown` (points,): the column of the paint that it
    should show, `paints` (points,) that paint's number; `plain` columns are those of colours. A sleeve or a cup may
    have the colour of a piece; it is known by the piece's other colours: they are not there, or where they should be
    its own colour is. Every paint counts alike, however small its part. `part`: such a thing is taken to explain no
    more than one paint, as where it would have to lie just so on the board; a table top may explain all of them.
    """
    kinds, first, kind = np.unique(paints, return_index=True, return_inverse=True)
    if len(kinds) < 2:
        return DOUBT
    share = np.zeros((len(kinds), len(paints)))
    share[kind, np.arange(len(paints))] = weights
    means = (share / share.sum(axis=1, keepdims=True)) @ np.minimum(fits, FITS)
    own = means[np.arange(len(kinds)), shown[first]]
    thing = max(0.0, float(means.sum(axis=0)[plain].max()))
    return SIGN * float(own.sum() - (min(own.max(), thing) if part else thing)) - THING


def site_reading(labels: tuple[str, ...], scores: Array, visible: float, foreign: float = FOREIGN) -> SiteReading:
    """A reading from `scores` (labels,), log likelihoods, already discounted; `foreign`: the same of something that
    belongs to no label.

    Where something foreign explains the pixels better than every label does, the labels become equally likely, and the
    site counts as covered.
    """
    scores = np.asarray(scores, np.float64)
    best = float(scores.max())
    floor = max(foreign, best - DOUBT) - log(len(labels))
    visible /= 1 + exp(min(foreign - best, MOST))
    return SiteReading(labels, np.logaddexp(scores, floor).astype(np.float32), min(max(visible, 0.0), 1.0))


EVER_SO_LITTLE = 1e-3
"""A difference that only says which label is likeliest."""


LEFT = 0.8
"""The least that is left of the certainty with which a label is read, whoever says that it cannot be."""


def unsure(site: SiteReading) -> SiteReading:
    """The same with hardly any difference between labels, and as if covered."""
    likelihood = site.log_likelihood
    return SiteReading(site.labels, np.logaddexp(likelihood, likelihood.max()), min(site.visible, 0.2))


def disputed(site: SiteReading, chance: float) -> SiteReading:
    """The same where something else, with that probability, says that its likeliest label is out of the question."""
    next_best, best = np.partition(site.log_likelihood, -2)[-2:]
    left = max(LEFT, 1 - max(chance, 1e-9))
    most = float(np.log(left / (1 - left)))
    if best - next_best <= most:
        return site
    likelihood = np.where(site.log_likelihood == best, next_best + most, site.log_likelihood)
    return SiteReading(site.labels, likelihood.astype(np.float32), site.visible)


def without(site: SiteReading, label: str, rather: str | None = None) -> SiteReading:
    """The same where that label is out of the question: nothing is sure, but that it is likeliest `rather` another."""
    likelihood = site.log_likelihood.copy()
    likelihood[site.labels.index(label)] = likelihood.min()
    if rather is not None:
        likelihood[site.labels.index(rather)] = likelihood.max() + EVER_SO_LITTLE
    return unsure(SiteReading(site.labels, likelihood, site.visible))
