"""Pictures of the simulated table for benchmarks: random positions of random games under random conditions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.core import CHANCE, Game, Position
from companion.games.sites import EMPTY
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import HandPose, Scene, scene_of
from hardware.simulated.truth import Truth, truth


class Picture(NamedTuple):
    """A picture with its truth."""

    seed: int
    image: NDArray[np.uint8]
    truth: Truth
    hand: bool


def picture(game: Game[Any, Any], seed: int, difficulty: float | None = None, hands: float = 0.3) -> Picture:
    """The picture with that seed; without `difficulty` a random one. `hands`: how often a hand is over the table."""
    chance = random.Random(seed)
    conditions = Conditions.random(game, seed, chance.random() if difficulty is None else difficulty)
    scene = scene_of(game, labels_of(_position(game, chance), chance), seed)
    hand = chance.random() < hands
    if hand:
        scene = Scene(scene.pieces, (_hand(game, chance),))
    return Picture(seed, Renderer(game, conditions).render(scene), truth(game, scene, conditions), hand)


def labels_of(position: Position[Any], chance: random.Random) -> Mapping[str, str | Sequence[str]]:
    """A table that shows the position: hands in any slots, counters where they may stand, stacked in any order."""
    view = position.view()
    labels: dict[str, str | Sequence[str]] = {k: label for k, label in view.sites.items() if label != EMPTY}
    for site, possible in view.either.items():
        free = [label for label in possible if label not in labels.values()]
        labels[site] = chance.choice(free or list(possible))
    for group in view.groups:
        slots = chance.sample(group.sites, len(group.labels))
        labels.update(zip(slots, group.labels, strict=True))
    for site, kept in view.kept.items():
        stack = [label for label in kept if label != EMPTY]
        if stack:
            labels[site] = chance.sample(stack, len(stack))
    for site, parts in position.details().items():
        if site in labels:
            labels[site] = f"{labels[site]} {''.join(chance.sample(parts, len(parts)))}".strip()
    return labels


def _position(game: Game[Any, Any], chance: random.Random) -> Position[Any]:
    position: Position[Any] = game.new(chance.choice(game.player_counts))
    positions = []
    while not position.over:
        actions = sorted(position.legal_actions(), key=str)
        position = position.play(chance.choice(actions))
        if position.turn != CHANCE:
            positions.append(position)
    return chance.choice(positions)


def _hand(game: Game[Any, Any], chance: random.Random) -> HandPose:
    half = 0.6 * game.plate.side
    x, y = chance.uniform(-half, half), chance.uniform(-half, half)
    direction = np.degrees(np.arctan2(x, y)) + chance.uniform(-60, 60)
    return HandPose(x, y, chance.uniform(5, 60), float(direction), chance.randrange(20), grip=chance.random())
