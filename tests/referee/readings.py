"""Readings made from labels, as a perfect or a doubting eye would give them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import numpy as np

from companion.games.core import Game, Position
from companion.games.sites import EMPTY
from companion.vision.observation import Observation, Scene
from companion.vision.reading import Reading, SiteReading


def labels_of(position: Position[Any], **changes: str) -> dict[str, str]:
    """What the table of a position shows, each hand on the first slots of its rack."""
    view = position.view()
    labels = dict(view.sites) | {site: wanted[0] for site, wanted in view.kept.items()}
    for group in view.groups:
        labels |= dict(zip_longest(group.sites, group.labels, fillvalue=EMPTY))
    return labels


def reading_of(
    game: Game[Any, Any],
    labels: Mapping[str, str],
    *,
    hidden: tuple[str, ...] = (),
    unclear: tuple[str, ...] = (),
    doubts: Mapping[str, Mapping[str, float]] | None = None,
) -> Reading:
    """Sure of the labels (1 in e^12 for others); `doubts`: costs of further labels by site; `hidden`: under a thing;
    `unclear`: so that nothing can be told, with nothing over them.
    """
    sites = {}
    for site in game.sites:
        likelihood = np.full(len(site.labels), -12.0, np.float32)
        likelihood[site.labels.index(labels.get(site.name, EMPTY))] = 0.0
        for label, cost in (doubts or {}).get(site.name, {}).items():
            likelihood[site.labels.index(label)] = -cost
        visible = 0.0 if site.name in hidden else 0.2 if site.name in unclear else 1.0
        sites[site.name] = SiteReading(site.labels, likelihood, visible)
    return Reading(sites)


def seen(reading: Reading | None, *, lasted: float = 10.0, scene: Scene = Scene.STILL) -> Observation:
    """A still picture that has shown the reading for some time."""
    return Observation(time=100.0, scene=scene, since=100.0 - lasted, reading=reading)
