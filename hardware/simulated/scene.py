"""What lies on the simulated table at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.sites import EMPTY, SiteSpec
from hardware.simulated.pieces import plain

ROUND: Final = 12
"""Footprints with so many corners stand for circles."""


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


def laid(game: Game[Any, Any], spec: SiteSpec, label: str, seed: int) -> Piece:
    """A piece as a person lays it: by the seed, a little off and turned, the more the more room it has there; anyhow on
    a loose site.
    """
    random = np.random.default_rng([seed, crc32(spec.name.encode()), crc32(label.encode())])
    if spec.loose:
        dx, dy = random.uniform(-0.08, 0.08, 2) * spec.size
        return Piece(label, Shift(dx, dy, random.uniform(-180, 180)))
    room, turns = _room(game, spec, label)
    size = 0.0 if spec.roving else spec.size
    off, turn = 0.007 * size + 0.12 * room, 5.0 if room > 2 else 0.7
    if spec.on_table:
        off, turn = 0.03 * size, 2.5
    dx, dy = np.clip(random.normal(0, 1, 2), -2, 2) * off
    angle = float(np.clip(random.normal(0, turn), -2.3 * turn, 2.3 * turn))
    return Piece(label, Shift(float(dx), float(dy), float(random.uniform(-180, 180)) if turns else angle))


def _room(game: Game[Any, Any], spec: SiteSpec, label: str) -> tuple[float, bool]:
    """How much room (mm) a piece has around it on its site, and whether it is round, so that people turn it anyhow."""
    look = game.look(spec.kind, label)
    outlines = [np.array(solid.footprint) for solid in look if isinstance(solid, Prism)]
    if not outlines:
        return 0.0, False
    turns = all(len(outline) >= ROUND for outline in outlines)
    if spec.roving:
        host = next((s for s in game.sites if s.name == f"{spec.upon or spec.under}:{plain(label)}"), None)
        radius = float(np.ptp(outlines[0], axis=0).max()) / 2
        return (host.size / 2 - radius if host else 1.0), turns
    radius = float(np.hypot(*np.concatenate(outlines).T).max())
    return max(0.0, spec.size / 2 - radius), turns


def scene_of(game: Game[Any, Any], labels: Mapping[str, str | Sequence[str]], seed: int = 0) -> Scene:
    """A scene that shows these labels (a sequence is a stack, from the lowest up); sites not named are empty."""
    specs = {spec.name: spec for spec in game.sites}
    pieces = {}
    for site, content in labels.items():
        stack = (content,) if isinstance(content, str) else tuple(content)
        nothing = (EMPTY, specs[site].nothing)
        pieces[site] = tuple(
            laid(game, specs[site], label, seed + k) for k, label in enumerate(stack) if label not in nothing
        )
    return Scene({site: stack for site, stack in pieces.items() if stack})
