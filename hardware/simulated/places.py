"""Where pieces are: the frames in which looks are drawn, also of things whose label says the place."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.core import Game
from companion.games.looks import Area, Ball, Disc, Glyph, Look, Mark, Point, Prism, Ring, Solid, Stroke
from companion.games.sites import SiteSpec
from hardware.simulated.pieces import plain
from hardware.simulated.scene import Scene, centre_of
from hardware.simulated.solids import Placed

TIGHT: Final = 3.0
"""So much (mm2) may the outlines of things overlap that stand tightly beside one another."""


class Places:
    """The sites of a game with the looks of what lies there, each in a frame of its own."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.specs = {spec.name: spec for spec in game.sites}
        self._roving = {spec.kind for spec in game.sites if spec.roving}
        self._upon = [spec.name for spec in game.sites if spec.upon]
        self._under: dict[str, list[str]] = {}  # sites of what lies under things on sites of a kind
        for spec in game.sites:
            if spec.under:
                self._under.setdefault(spec.under, []).append(spec.name)
        self._looks: dict[tuple[str, str], tuple[Look, Point]] = {}

    def look(self, kind: str, label: str) -> Look:
        """What the label names, around its own middle; always the same object for the same label."""
        return self._own(kind, label)[0]

    def spot(self, kind: str, label: str) -> Point:
        """Where on its site's frame the label says that this middle is (mm)."""
        return self._own(kind, label)[1]

    def _own(self, kind: str, label: str) -> tuple[Look, Point]:
        if (kind, label) not in self._looks:
            look, spot = self.game.look(kind, label), (0.0, 0.0)
            if kind in self._roving and look:
                foot = look[0]
                assert isinstance(foot, Prism)
                x, y = np.mean(foot.footprint, axis=0)
                look, spot = tuple(shifted(solid, -x, -y) for solid in look), (float(x), float(y))
            self._looks[kind, label] = look, spot
        return self._looks[kind, label]

    def thickness(self, kind: str, label: str) -> float:
        """How much higher what stands on the thing stands, mm."""
        return max((solid.z1 for solid in self.look(kind, label) if isinstance(solid, Prism)), default=0.0)

    def surface(self, scene: Scene, site: str, label: str = "") -> float:
        """The height (mm, board frame) on which a site's lowest piece lies; of one that its label places, there."""
        spec = self.specs[site]
        height = centre_of(scene, spec)[2]
        if spec.upon:
            host = f"{spec.upon}:{plain(label)}"
            return height + self.height(scene, host) if host in self.specs else height
        for other in self._under.get(spec.kind, ()):
            for piece in scene.pieces.get(other, ()):
                if f"{spec.kind}:{plain(piece.label)}" == site:
                    height += self.thickness(self.specs[other].kind, piece.label)
        return height

    def height(self, scene: Scene, site: str, level: int | None = None) -> float:
        """How high the stack on a site is (mm), or its lowest pieces up to that level."""
        return sum(self.thickness(self.specs[site].kind, piece.label) for piece in scene.pieces.get(site, ())[:level])

    def at(self, scene: Scene, site: str, label: str = "") -> Point:
        """Where the site's frame, or of one that its label places the thing's own frame, is (mm, board frame)."""
        spec = self.specs[site]
        x, y, _ = centre_of(scene, spec)
        if not spec.roving or not label:
            return x, y
        dx, dy = self.spot(spec.kind, label)
        return x + dx + self._aside(scene, spec, label), y + dy

    def _aside(self, scene: Scene, spec: SiteSpec, label: str) -> float:
        """How far to the right a thing stands that shares the top of a host with others, mm."""
        if f"{spec.upon}:{plain(label)}" not in self.specs:
            return 0.0
        labels = scene.labels
        there = [other for other in self._upon if other == spec.name or labels.get(other) == plain(label)]
        if len(there) < 2:
            return 0.0
        foot = self.look(spec.kind, label)[0]
        assert isinstance(foot, Prism)
        width = float(np.ptp(np.array(foot.footprint)[:, 0])) + 0.3
        return (there.index(spec.name) - (len(there) - 1) / 2) * width


def shifted(solid: Solid, dx: float, dy: float) -> Solid:
    """The solid with its marks, moved in its plane."""
    if isinstance(solid, Ball):
        return solid._replace(centre=(solid.centre[0] + dx, solid.centre[1] + dy))
    marks = tuple(_mark_shifted(mark, dx, dy) for mark in solid.marks)
    return solid._replace(footprint=tuple((x + dx, y + dy) for x, y in solid.footprint), marks=marks)


def _mark_shifted(mark: Mark, dx: float, dy: float) -> Mark:
    match mark:
        case Area(corners):
            return mark._replace(corners=tuple((x + dx, y + dy) for x, y in corners))
        case Stroke(points):
            return mark._replace(points=tuple((x + dx, y + dy) for x, y in points))
        case Disc((x, y)) | Ring((x, y)) | Glyph((x, y)):
            return mark._replace(centre=(x + dx, y + dy))


class Taken(NamedTuple):
    """Where a solid stands: its outline (n, 1, 2) mm and from what height to what height."""

    outline: NDArray[np.float32]
    bottom: float
    top: float

    @classmethod
    def of(cls, solid: Solid, centre: tuple[float, float, float], angle: float) -> Taken:
        """A solid of a look whose frame is there."""
        placed = Placed(solid, *centre, angle)
        return cls(placed.footprint.astype(np.float32).reshape(-1, 1, 2), placed.bottom, placed.top)

    def meets(self, other: Taken) -> bool:
        """Whether they would run into one another."""
        if self.bottom >= other.top - 0.1 or other.bottom >= self.top - 0.1:
            return False
        return cv2.intersectConvexConvex(self.outline, other.outline)[0] > TIGHT
