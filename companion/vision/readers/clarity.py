"""How clearly a picture shows what explains it best: from scores of explanations to readings of sites."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.evidence import site_reading
from companion.vision.geometry.lens import Array
from companion.vision.reading import SiteReading
from companion.vision.scene.explanation import Explanation
from companion.vision.scene.stage import Stage, StagePlan

WEIGHT = 0.2
"""As how many independent pixels a square millimetre of the board counts."""

CLEAR = 6.0
"""Difference (natural logarithm) between the likeliest label and the next where they differ as much as they typically
do in a picture, on sites of that kind: so what is less clear than elsewhere is less sure."""

PLAINLY = 5.0
"""The same where they differ by one at each point that a thing covers, in a picture that is clear."""

FULL = 40.0
"""As how many independent pixels all that there is around a site counts."""

SAMPLE = 800
"""Points around a site that are looked at for that, about."""

PLAIN = 2.5
"""Log likelihood ratio from which a surface simply fits, where only its presence matters."""

POORLY = -0.5
"""Log likelihood ratio (a point) below which something foreign explains all that is around a site better."""

DOUBTFUL = 3.0
"""How much better (natural logarithm) something foreign explains a site at most: what is likelier stays likelier."""


def readings(stage: Stage, explanation: Explanation, plan: StagePlan, which: Sequence[int]) -> list[SiteReading]:
    """What an explanation says of the sites with the numbers `which`, by how clearly the picture shows it."""
    found = []
    for number in which:
        site, (area, top) = stage.sites[number], plan.areas[number]
        labels = np.full(len(site.labels), -np.inf)
        for k, score in enumerate(explanation.scores(number)):
            label = explanation.state(number, k).label
            labels[label] = max(labels[label], score)
        visible = explanation.visible(number, area, top) * float(plan.inside[number])
        weight = min(WEIGHT / plan.grid.scale**2, _clarity(stage, explanation, plan, number, labels))
        absolute = weight * (labels - labels.max()) + _fit_around(explanation, plan.around[number])
        found.append(site_reading(site.labels, absolute, visible / 0.9))
    return found


def _clarity(stage: Stage, explanation: Explanation, plan: StagePlan, number: int, scores: Array) -> float:
    """What a point by which labels of a site differ (`scores`) counts, where that depends on what is typical: of
    the picture, or of a thing of that size; of a thing that is alone of its kind, on how much of it shows.
    """
    site = stage.sites[number]
    if site.name in stage.growing:  # what lies on a pile hardly shows: one thing more is as clear as the clearest
        return CLEAR / max(plan.typical.get(site.kind, 1e-9), float(np.abs(np.diff(scores)).max()) / 2)
    if site.kind not in plan.typical:
        return PLAINLY / max(1, int(explanation.on_top(number).sum()))
    typical, size = plan.typical[site.kind], plan.size(number)
    return max(CLEAR / typical, min(PLAINLY, PLAINLY * typical / (PLAIN * size)) / size)


def _fit_around(explanation: Explanation, around: Array) -> float:
    """How well the points around a site are explained: a log likelihood beside that of something foreign."""
    if not len(around):
        return 0.0
    near = around[:: max(1, len(around) // SAMPLE)]
    fits = np.minimum(explanation.value[near], PLAIN).mean()
    return max(FULL * (float(fits) - POORLY), -DOUBTFUL)
