"""Where everything is: the solids of a scene on the table, and the camera over it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from math import cos, radians, sin
from typing import Any
from zlib import crc32

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Area, Ball, Look, Point, Prism
from hardware.simulated.canvas import Roi
from hardware.simulated.clutter import playing_card, strewn
from hardware.simulated.conditions import Conditions, content
from hardware.simulated.lens import Array, Lens
from hardware.simulated.pieces import shared
from hardware.simulated.places import Places, shifted
from hardware.simulated.scene import STILL, HandPose, Piece, Scene, Shift, centre_of
from hardware.simulated.solids import Placed, Shape

CARD_THICKNESS = 0.4
THIN = 6.0
"""Upright plates no thicker (mm) stand in grooves."""
SPREAD = 2.5
"""How much farther (mm) than they have to people leave things that share a site from its middle, at most."""


class Setting:
    """The solids of a game's scenes under given conditions, in the table's frame (the board frame of a board that
    nobody has pushed).
    """

    def __init__(self, game: Game[Any, Any], conditions: Conditions) -> None:
        self.game, self.conditions = game, conditions
        self.table_z = -game.plate.thickness
        self.places = Places(game)
        self.specs = self.places.specs
        self._board = conditions.maker.board(game.board)
        self._made: dict[tuple[str, str, str], tuple[Shape, ...]] = {}

    def lens(self, scene: Scene) -> Lens:
        """The camera as it stands in that scene."""
        lens = self.conditions.lens
        return lens.bumped(scene.camera) if scene.camera != STILL else lens

    def stack(self, scene: Scene, site: str) -> list[list[Placed]]:
        """The solids of each piece on a site, from the lowest up."""
        spec, result = self.specs[site], []
        for level, piece in enumerate(scene.pieces.get(site, ())):
            x, y, turn = self.place(scene, site, piece)
            z = self.places.surface(scene, site, piece.label) + self.places.height(scene, site, level)
            made = self.made(spec.kind, piece.label, site)
            result.append([Placed(s, x, y, z, turn, self._lean(s, site)) for s in made])
        return result

    def made(self, kind: str, label: str, site: str = "") -> tuple[Shape, ...]:
        """What the label names, around its own middle, as it was made; always the same object for the same place."""
        key = (kind, label, site)
        if key not in self._made:
            seed, look = crc32(f"{self.conditions.seed} {site}".encode()), self.places.look(kind, label)
            if site and self.specs[site].nothing == "0":
                look = strewn_about(look, seed)
            elif site and shared(self.specs[site]):
                look = spread(look, seed)
            self._made[key] = self.conditions.maker.piece(look, seed)
        return self._made[key]

    def _lean(self, shape: Shape, site: str) -> Point:
        """How a thin upright plate leans, as its groove leaves it room."""
        if isinstance(shape, Ball) or shape.z0 > 0:
            return 0.0, 0.0
        width, length = sorted(np.ptp(np.array(shape.footprint), axis=0).tolist())
        if width > THIN or length < 3 * width or shape.z1 < 2.5 * width:
            return 0.0, 0.0
        random = np.random.default_rng([self.conditions.seed, crc32(site.encode())])
        dx, dy = np.clip(random.normal(0, 0.03, 2), -0.06, 0.06) * min(1.0, 20 * self.conditions.paint.uneven)
        return float(dx), float(dy)

    def place(self, scene: Scene, site: str, piece: Piece | None = None) -> tuple[float, float, float]:
        """Where a site's frame, or a piece there, is (x, y mm, turn degrees), with the board pushed."""
        spec, shift = self.specs[site], piece.shift if piece else STILL
        x, y = self.places.at(scene, site, piece.label if piece else "")
        at = (x + shift.dx, y + shift.dy, spec.angle + shift.turn)
        return moved(at, scene.board) if centre_of(scene, spec)[2] > self.table_z + 1e-6 else at

    def pieces(self, scene: Scene) -> list[Placed]:
        """Everything that stands on sites."""
        return [solid for site in scene.pieces for solids in self.stack(scene, site) for solid in solids]

    def plate(self, scene: Scene) -> list[Placed]:
        """The board."""
        x, y, turn = moved((0.0, 0.0, 0.0), scene.board)
        return [Placed(solid, x, y, 0.0, turn) for solid in self._board]

    def cards(self, scene: Scene) -> list[Placed]:
        """The corner cards, as people lay them, by index."""
        marker, result = self.game.marker, []
        random = np.random.default_rng([self.conditions.seed, 5])
        for k, (ident, (x, y)) in enumerate(zip(marker.ids, marker.centres, strict=True)):
            dx, dy, turn = random.normal(0, 0.5, 3) * self.conditions.card_error
            push = scene.cards[k] if k < len(scene.cards) else STILL
            card = marker_card(ident, marker.size, marker.quiet)
            result.append(Placed(card, x + dx + push.dx, y + dy + push.dy, self.table_z, turn + push.turn))
        return result

    def covers(self, scene: Scene) -> list[Placed]:
        """What lies on covered corner cards: playing cards that somebody put down."""
        random = np.random.default_rng([self.conditions.seed, 10])
        looks = [playing_card(random) for _ in self.game.marker.ids]
        turns = random.uniform(0, 360, len(looks))
        cards = self.cards(scene)
        return [
            Placed(solid, cards[k].x + 6, cards[k].y - 5, self.table_z + CARD_THICKNESS, float(turns[k]))
            for k in scene.covered
            for solid in looks[k]
        ]

    @cached_property
    def clutter(self) -> list[Placed]:
        """What lies beside the board."""
        conditions = self.conditions
        return strewn(conditions.seed, conditions.clutter, conditions.lens, content(self.game), self.table_z)

    def held(self, pose: HandPose) -> list[Placed]:
        """What a hand holds."""
        if pose.holding is None:
            return []
        return [Placed(solid, pose.x, pose.y, pose.z, pose.turn) for solid in self.made(*pose.holding)]


def strewn_about(look: Look, seed: int) -> Look:
    """Things laid beside one another by hand, each a little off and turned."""
    result = []
    for k, solid in enumerate(look):
        assert isinstance(solid, Prism)
        dx, dy, turn = np.random.default_rng([seed, k]).normal(0, 1, 3).clip(-2, 2) * (0.7, 0.7, 1.8)
        middle = np.mean(solid.footprint, axis=0)
        placed = Placed(solid, float(dx), float(dy), 0.0, float(turn))
        outline = placed.points(np.array(solid.footprint) - middle, 0.0)[:, :2] + middle
        result.append(solid._replace(footprint=tuple((float(x), float(y)) for x, y in outline)))
    return tuple(result)


def spread(look: Look, seed: int) -> Look:
    """Things that stand together around a middle, each a little farther from it than it has to be."""
    result = []
    for solid in look:
        x, y = solid.centre if isinstance(solid, Ball) else np.mean(solid.footprint, axis=0)
        away = float(np.hypot(x, y))
        towards = round(np.degrees(np.arctan2(y, x))) % 360
        farther = np.random.default_rng([seed, towards]).uniform(0, SPREAD) / away if away > 1 else 0.0
        result.append(shifted(solid, float(farther * x), float(farther * y)))
    return tuple(result)


def moved(place: tuple[float, float, float], shift: Shift) -> tuple[float, float, float]:
    """A place (x, y mm, turn degrees) on the board after the board was pushed."""
    c, s = cos(radians(shift.turn)), sin(radians(shift.turn))
    x, y, turn = place
    return x * c + y * s + shift.dx, -x * s + y * c + shift.dy, turn + shift.turn


def outline_roi(things: Sequence[Placed], lens: Lens, margin: float = 3.0) -> Roi:
    """The part of the picture that the things take, with a margin in pixels."""
    return Roi.around(lens.project(np.concatenate([hull_points(thing) for thing in things])), lens, margin)


def hull_points(thing: Placed) -> Array:
    """Points (n, 3) mm whose hull holds the thing."""
    solid = thing.solid
    if isinstance(solid, Ball):
        foot = thing.footprint
        return np.concatenate([np.c_[foot, np.full(len(foot), z)] for z in (thing.bottom, thing.top)])
    return np.concatenate([thing.points(solid.footprint, solid.z0), thing.upper])


@cache
def marker_card(ident: int, size: float, quiet: float) -> Prism:
    """A corner card: an ArUco marker of DICT_4X4_50 with its quiet zone."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits = cv2.aruco.generateImageMarker(dictionary, ident, 6, borderBits=1)
    half, cell = size / 2, size / 6
    marks = [_square(-half, half, size, (22, 22, 24))]
    for row, column in np.argwhere(bits > 127):
        marks.append(_square(-half + column * cell, half - row * cell, cell, (244, 244, 242)))
    edge = half + quiet
    corners = ((-edge, edge), (edge, edge), (edge, -edge), (-edge, -edge))
    return Prism(corners, 0.0, CARD_THICKNESS, (244, 244, 242), tuple(marks))


def _square(left: float, top: float, side: float, colour: tuple[int, int, int]) -> Area:
    right, bottom = left + side, top - side
    return Area(((left, top), (right, top), (right, bottom), (left, bottom)), colour)
