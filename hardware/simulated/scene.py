"""What lies on the simulated table at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np

from companion.games.core import Game
from companion.games.sites import EMPTY, SiteSpec
from hardware.simulated.pieces import plain


class Shift(NamedTuple):
    """A displacement on the table: mm, and degrees clockwise about the displaced thing's own origin."""

    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0


STILL: Final = Shift()
"""Not displaced."""


class Piece(NamedTuple):
    """A label lying on a site, a little off its place; a word behind the label tells more of how it looks."""

    label: str
    shift: Shift = STILL


class HandPose(NamedTuple):
    """A hand over the table: finger tips at (x, y, z) mm, the arm from `direction` (degrees clockwise from +y).

    `look` numbers the hand's skin and sleeve. `holding`: a kind and label held in the fingers, turned by `turn`
    degrees. `grip`: 0 for an open hand to 1 for fingers that meet at the tips.
    """

    x: float
    y: float
    z: float
    direction: float
    look: int = 0
    holding: tuple[str, str] | None = None
    turn: float = 0.0
    grip: float = 1.0


@dataclass(frozen=True)
class Scene:
    """Pieces by site (stacks from the lowest up), and everything that is not as it should be.

    `board`: how far the board was pushed (with all that stands on it); `cards`: the same for each corner card;
    `covered`: corner cards (by index) under some piece of paper; `camera`: a knocked camera; `dark`: the camera sees
    nothing.
    `hands` lie over everything.
    """

    pieces: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    hands: tuple[HandPose, ...] = ()
    board: Shift = STILL
    cards: tuple[Shift, ...] = ()
    covered: tuple[int, ...] = ()
    camera: Shift = STILL
    dark: bool = False

    @property
    def labels(self) -> dict[str, str]:
        """The label of each site that is not empty (of a stack, the uppermost)."""
        return {site: plain(stack[-1].label) for site, stack in self.pieces.items() if stack}


def centre_of(scene: Scene, spec: SiteSpec) -> tuple[float, float, float]:
    """Where a site is in the scene (board frame, mm), which may depend on what lies on the site that it is on."""
    host = scene.pieces.get(spec.on, ())
    return (spec.place(host[-1].label) if host else None) or spec.centre


def laid(spec: SiteSpec, label: str, seed: int) -> Piece:
    """A piece as a person lays it: by the seed, a little off and turned; anyhow on a loose site."""
    random = np.random.default_rng([seed, crc32(spec.name.encode()), crc32(label.encode())])
    if spec.loose:
        dx, dy = random.uniform(-0.08, 0.08, 2) * spec.size
        return Piece(label, Shift(dx, dy, random.uniform(-180, 180)))
    if spec.roving:
        dx, dy = np.clip(random.normal(0, 1.0, 2), -2, 2)
        return Piece(label, Shift(float(dx), float(dy)))
    dx, dy = np.clip(random.normal(0, 0.007, 2), -0.014, 0.014) * spec.size
    return Piece(label, Shift(dx, dy, float(np.clip(random.normal(0, 0.7), -1.6, 1.6))))


def scene_of(game: Game[Any, Any], labels: Mapping[str, str | Sequence[str]], seed: int = 0) -> Scene:
    """A scene that shows these labels (a sequence is a stack, from the lowest up); sites not named are empty."""
    specs = {spec.name: spec for spec in game.sites}
    pieces = {}
    for site, content in labels.items():
        stack = (content,) if isinstance(content, str) else tuple(content)
        nothing = (EMPTY, specs[site].nothing)
        pieces[site] = tuple(
            laid(specs[site], label, seed + k) for k, label in enumerate(stack) if label not in nothing
        )
    return Scene({site: stack for site, stack in pieces.items() if stack})
