"""What a simulated picture truly shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.core import Game
from companion.games.looks import Prism, regular
from companion.games.sites import EMPTY, SiteSpec
from hardware.simulated.conditions import Conditions
from hardware.simulated.hand import draw_hand
from hardware.simulated.lens import Array, Lens
from hardware.simulated.order import painters_order
from hardware.simulated.scene import Scene, centre_of
from hardware.simulated.setting import CARD_THICKNESS, Setting, hull_points
from hardware.simulated.solids import Placed

CORE = 0.4
"""Diameter of the middle of an empty site that has to be seen, in sizes of the site."""
NARROW = 0.8
"""The same in widths of what could lie there, where that is less."""
HAND = 65535


@dataclass(frozen=True)
class Truth:
    """The truth of one picture.

    `sites`: the label of every site that there is (not of the parts of a tile that lies nowhere). `hidden`: how much
    (0 to 1) of a site, or of what lies on it, is covered by hands, by other things, pieces among them, or by the
    picture's edge; sites that are free are not named. Of what lies nowhere, the place that is covered most counts,
    whatever pieces stand there. `bearing`: sites on which other things stand, which then cover some of what lies there.
    `foreign`: how much of the middle of an empty site is covered by what is no piece: hands, cups, the picture's edge.
    `markers`: corners (4, 2)
    of the corner cards' black squares, in the order of ArUco, in pixels; `markers_hidden`: those not fully in view.
    `matrix` (3, 3) and `distortion` (k1, k2, 0, 0); `rotation` (3, 3), `translation` (3,): pose of the board frame in
    the camera, X_cam = R X_board + t, mm.
    """

    sites: Mapping[str, str]
    hidden: Mapping[str, float]
    markers: Mapping[int, Array]
    markers_hidden: tuple[int, ...]
    matrix: Array
    distortion: Array
    rotation: Array
    translation: Array
    bearing: frozenset[str] = frozenset()
    foreign: Mapping[str, float] = field(default_factory=dict)


def truth(game: Game[Any, Any], scene: Scene, conditions: Conditions) -> Truth:
    """The truth of the picture that `render` draws."""
    setting = Setting(game, conditions)
    lens = setting.lens(scene)
    owners = _Owners(setting, scene, lens)
    labels = scene.labels
    there = [spec for spec in game.sites if exists(spec, labels)]
    hidden = {spec.name: owners.hidden_site(spec.name) for spec in there}
    markers, half = {}, game.marker.size / 2
    square = [(-half, half), (half, half), (half, -half), (-half, -half)]
    for ident, card in zip(game.marker.ids, setting.cards(scene), strict=True):
        markers[ident] = lens.project(card.points(square, CARD_THICKNESS))
    angle = np.radians(scene.board.turn)
    turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
    return Truth(
        {spec.name: labels.get(spec.name, spec.nothing) for spec in there},
        {site: part for site, part in hidden.items() if part > 0},
        markers,
        tuple(ident for k, ident in enumerate(game.marker.ids) if owners.hidden_card(k) > 0),
        lens.matrix,
        np.array([lens.k1, lens.k2, 0.0, 0.0]),
        lens.rotation @ turn,
        lens.rotation @ [scene.board.dx, scene.board.dy, 0.0] + lens.translation,
        frozenset(bearing(game, labels)),
        {spec.name: owners.foreign_over(spec) for spec in there if hidden[spec.name] and spec.name not in scene.pieces},
    )


def bearing(game: Game[Any, Any], labels: Mapping[str, str]) -> Iterator[str]:
    """The sites that have something on them that is a site of its own."""
    for spec in (spec for spec in game.sites if spec.name in labels):
        if spec.on:
            yield spec.on
        elif spec.upon:
            yield f"{spec.upon}:{labels[spec.name]}"
        elif spec.under and f"{spec.under}:{labels[spec.name]}" in labels:
            yield spec.name


def exists(spec: SiteSpec, labels: Mapping[str, str]) -> bool:
    """Whether there is such a site while sites have these labels."""
    return not spec.on or spec.place(labels.get(spec.on, EMPTY)) is not None


class _Owners:
    """Which thing is seen in every pixel: 0 for table and board, else a number of its own."""

    def __init__(self, setting: Setting, scene: Scene, lens: Lens) -> None:
        self.setting, self.scene, self.lens = setting, scene, lens
        self.things: dict[tuple[str, int], list[Placed]] = {}
        for site in scene.pieces:
            for level, solids in enumerate(setting.stack(scene, site)):
                self.things[site, level] = solids
        for k, card in enumerate(setting.cards(scene)):
            self.things["card", k] = [card]
        self.things["other", 0] = [*setting.covers(scene), *setting.clutter]
        self.numbers = {name: number for number, name in enumerate(self.things, start=1)}
        self._pieces = {0, *(number for (name, _), number in self.numbers.items() if name in setting.specs)}
        self.seen = np.zeros((lens.height, lens.width), np.uint16)
        self._paint(scene)

    def _paint(self, scene: Scene) -> None:
        owner = {id(solid): self.numbers[name] for name, solids in self.things.items() for solid in solids}
        solids = [solid for group in self.things.values() for solid in group]
        for solid in painters_order(solids, self.lens.eye):
            hull = cv2.convexHull(self._pixels(hull_points(solid)))
            cv2.fillConvexPoly(self.seen, hull, owner[id(solid)], cv2.LINE_8, 4)
        for pose in scene.hands:
            for solid in self.setting.held(pose):
                cv2.fillConvexPoly(self.seen, cv2.convexHull(self._pixels(hull_points(solid))), HAND, cv2.LINE_8, 4)
            limb = draw_hand(pose, self.setting.conditions.light, self.lens)
            if limb is not None:
                self.seen[limb.roi.slices][limb.cover[..., 0] > 0.2] = HAND

    def _pixels(self, points: Array) -> NDArray[np.int32]:
        return np.round(np.clip(self.lens.project(points), -9000, 9000) * 16).astype(np.int32)

    def hidden_site(self, site: str) -> float:
        """How much of what lies uppermost on a site, or of an empty site's middle, cannot be seen."""
        level = len(self.scene.pieces.get(site, ())) - 1
        if level >= 0:
            solids = self.things[site, level]
            return self._hidden([solid.upper for solid in solids], {self.numbers[site, level]})
        spec = self.setting.specs[site]
        if spec.roving:
            places = (self.setting.specs.get(f"{spec.upon or spec.under}:{label}") for label in spec.labels)
            return max((self._hidden([self._circle(place)], self._pieces) for place in places if place), default=0.0)
        below = {spec.on, *(other for other, label in self.scene.labels.items() if self._under(other, label, spec))}
        numbers = {self.numbers[name, 0] for name in below if (name, 0) in self.things}
        return self._hidden([self._circle(spec)], {0, *numbers})

    def foreign_over(self, spec: SiteSpec) -> float:
        """How much of the middle of an empty site cannot be seen, and not because pieces hide it."""
        return 0.0 if spec.roving else self._hidden([self._circle(spec)], self._pieces)

    def _under(self, other: str, label: str, spec: SiteSpec) -> bool:
        under = self.setting.specs[other].under
        return bool(under) and f"{under}:{label}" == spec.name

    def _circle(self, spec: SiteSpec) -> Array:
        """The middle of an empty place (n, 3) mm."""
        x, y, _ = self.setting.place(self.scene, spec.name)
        z = centre_of(self.scene, spec)[2]
        return np.array([(*point, z) for point in regular(16, self._core(spec), 0.0, (x, y))])

    def _core(self, spec: SiteSpec) -> float:
        """Its radius, mm: within what could lie there."""
        foot = next(
            (solid for solid in self.setting.places.look(spec.kind, spec.labels[1]) if isinstance(solid, Prism)), None
        )
        inner = 0.0
        if foot is not None:
            outline = np.array(foot.footprint, np.float32)
            inner = cv2.pointPolygonTest(outline.reshape(-1, 1, 2), (0.0, 0.0), True)
        return min(CORE * spec.size / 2, NARROW * inner) if inner > 0 else CORE * spec.size / 2

    def hidden_card(self, index: int) -> float:
        """How much of a corner card cannot be seen."""
        card = self.things["card", index][0]
        return self._hidden([card.upper], {self.numbers["card", index]})

    def _hidden(self, outlines: Iterable[Array], numbers: Collection[int]) -> float:
        """The part of the outlines where things of other numbers are seen, or that the picture does not hold."""
        places = [self.lens.project(outline) for outline in outlines]
        low = np.floor(np.concatenate(places).min(0)).astype(int)
        width, height = np.ceil(np.concatenate(places).max(0)).astype(int) - low + 1
        mask = np.zeros((height, width), np.uint8)
        for place in places:
            cv2.fillConvexPoly(mask, cv2.convexHull(np.round((place - low) * 16).astype(np.int32)), 1, cv2.LINE_8, 4)
        inner = cv2.erode(mask, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        mask = inner if inner.sum() > 30 else mask
        ys, xs = np.nonzero(mask)
        xs, ys = xs + low[0], ys + low[1]
        inside = (xs >= 0) & (ys >= 0) & (xs < self.lens.width) & (ys < self.lens.height)
        free = int(np.isin(self.seen[ys[inside], xs[inside]], list(numbers)).sum())
        return 1.0 - free / len(xs)
