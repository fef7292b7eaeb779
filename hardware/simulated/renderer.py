"""Pictures of a scene: any game's view, as a camera would see it.

Everything is drawn from the game's looks: the board, what lies on the sites, the corner cards. What does not change from
frame to frame is kept: the empty table, then the pieces, then the light on the sensor.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Area, Prism
from hardware.camera import Image
from hardware.simulated.canvas import Canvas, Face, Roi
from hardware.simulated.colours import Light, linear
from hardware.simulated.conditions import Conditions
from hardware.simulated.hand import draw_hand, hand_shadow
from hardware.simulated.lens import Array, Lens
from hardware.simulated.light import field, glare, shading_of, shadows
from hardware.simulated.scene import HandPose, Scene, Shift
from hardware.simulated.sensor import Development
from hardware.simulated.solids import Placed, faces
from hardware.simulated.tables import table_top

CARD_THICKNESS = 0.4


def render(game: Game[Any, Any], scene: Scene, conditions: Conditions, frame: int = 0) -> Image:
    """One picture (height, width, 3), blue-green-red; `frame` numbers its noise."""
    return Renderer(game, conditions).render(scene, frame)


class Layer:
    """A picture in the making: colour of the surfaces and the part of the light that reaches them."""

    def __init__(self, colour: Light, reach: Light, board: Light) -> None:
        self.colour, self.reach, self.board = colour, reach, board

    def copy(self) -> Layer:
        """Another one to draw on."""
        return Layer(self.colour.copy(), self.reach.copy(), self.board)

    def lay(self, canvas: Canvas, reach: Light | float = 1.0) -> Light:
        """Puts what is drawn over the picture; gives its coverage."""
        light, cover = canvas.flat()
        rows, columns = canvas.roi.slices
        colour, lit = self.colour[rows, columns], self.reach[rows, columns]
        colour *= 1 - cover
        colour += light
        lit += (reach - lit) * cover
        return cover


class Renderer:
    """Draws scenes of one game under the same conditions."""

    def __init__(self, game: Game[Any, Any], conditions: Conditions) -> None:
        self.game, self.conditions = game, conditions
        self._specs = {spec.name: spec for spec in game.sites}
        self._shading = shading_of(conditions.light)
        self._paints: dict[tuple[int, int, int], Light] = {}
        self._kept: dict[str, tuple[object, Any]] = {}

    def render(self, scene: Scene, frame: int = 0) -> Image:
        """The picture of a scene; the same scene and frame give the same picture."""
        if scene.dark:
            return self._development.develop(np.full((self._size[1], self._size[0], 3), 0.05, np.float32), frame)
        lens = self.lens(scene)
        table = self._keep(
            "table", (scene.board, scene.cards, scene.covered, scene.camera), lambda: self._table(scene, lens)
        )
        key = (id(table), tuple(scene.pieces.items()))
        lit = self._keep("pieces", key, lambda: self._pieces(scene, lens, table))
        if not scene.hands:
            exposed = self._keep("exposed", id(lit), lambda: self._development.expose(lit))
            return self._development.develop(exposed, frame)
        return self._development.develop(self._development.expose(self._hands(scene, lens, lit, table)), frame)

    def lens(self, scene: Scene) -> Lens:
        """The camera as it stands in that scene."""
        lens = self.conditions.lens
        return lens.bumped(scene.camera) if scene.camera != Shift() else lens

    @property
    def _size(self) -> tuple[int, int]:
        return self.conditions.lens.width, self.conditions.lens.height

    @cached_property
    def _development(self) -> Development:
        return Development(self.conditions.sensor, self._size, self.conditions.seed)

    def _keep(self, name: str, key: object, make: Any) -> Any:
        kept = self._kept.get(name)
        if kept is None or kept[0] != key:
            kept = self._kept[name] = (key, make())
        return kept[1]

    # -- what is where -------------------------------------------------------------------------------------------------

    def paint(self, colour: tuple[int, int, int]) -> Light:
        """The linear colour that a nominal one has on this copy of the set."""
        if colour not in self._paints:
            paint = self.conditions.paint
            random = np.random.default_rng([paint.seed, 4, *colour])
            grey = float(np.mean(colour))
            own = np.array(colour) + (grey - np.array(colour)) * paint.fade
            own = own * (1 + random.normal(0, paint.spread)) + random.normal(0, 25 * paint.spread, 3)
            self._paints[colour] = linear(np.clip(own, 4, 250))
        return self._paints[colour]

    def placed(self, scene: Scene) -> list[Placed]:
        """Everything that stands on sites, in its place."""
        things = []
        for site, stack in scene.pieces.items():
            spec, height = self._specs[site], 0.0
            x, y, z = spec.centre
            on_board = z > -self.game.plate.thickness + 1e-6
            for piece in stack:
                dx, dy, turn = piece.shift
                at = (x + dx, y + dy, spec.angle + turn)
                at = moved(at, scene.board) if on_board else at
                look = self.game.look(spec.kind, piece.label)
                things += [Placed(solid, at[0], at[1], z + height, at[2]) for solid in look]
                height += max((solid.z1 for solid in look if isinstance(solid, Prism)), default=0.0)
        return things

    def plate(self, scene: Scene) -> list[Placed]:
        """The board."""
        x, y, turn = moved((0.0, 0.0, 0.0), scene.board)
        return [Placed(solid, x, y, 0.0, turn) for solid in self.game.board]

    def cards(self, scene: Scene) -> list[Placed]:
        """The corner cards, as people lay them."""
        marker, result = self.game.marker, []
        random = np.random.default_rng([self.conditions.seed, 5])
        for k, (ident, (x, y)) in enumerate(zip(marker.ids, marker.centres, strict=True)):
            dx, dy, turn = random.normal(0, 0.5, 3) * self.conditions.card_error
            extra = scene.cards[k] if k < len(scene.cards) else Shift()
            card = _card(ident, marker.size, marker.quiet)
            result.append(
                Placed(card, x + dx + extra.dx, y + dy + extra.dy, -self.game.plate.thickness, turn + extra.turn)
            )
        return result

    # -- drawing -------------------------------------------------------------------------------------------------------

    def _drawn(self, things: list[Placed], lens: Lens, roi: Roi, samples: int = 3) -> Canvas:
        canvas = Canvas(lens, roi, samples)
        foot = lens.eye
        order = sorted(things, key=lambda p: (round(p.bottom), -float(np.hypot(p.x - foot[0], p.y - foot[1]))))
        drawn: list[Face] = []
        for thing in order:
            drawn += faces(thing, lens.eye, self.paint, self.conditions.print, self._shading)
        canvas.fill(drawn)
        return canvas

    def _table(self, scene: Scene, lens: Lens) -> Layer:
        light, z = self.conditions.light, -self.game.plate.thickness
        whole = Roi(0, 0, lens.width, lens.height)
        board, cards = self.plate(scene), self.cards(scene)
        layer = Layer(
            table_top(self.conditions.table, self.conditions.seed, lens, z),
            shadows(light, lens, whole, board, z),
            np.zeros((lens.height, lens.width, 1), np.float32),
        )
        layer.colour *= self._grain(lens)
        for card in cards:
            layer.lay(self._drawn([card], lens, outline_roi([card], lens), 8), 1.0)
        roi = outline_roi(board, lens)
        cover = layer.lay(self._drawn(board, lens, roi))
        layer.board[roi.slices] = cover
        return layer

    def _grain(self, lens: Lens) -> Light:
        random = np.random.default_rng([self.conditions.seed, 6])
        grain = random.standard_normal((lens.height, lens.width, 1), np.float32)
        return 1 + 0.015 * cv2.GaussianBlur(grain, (0, 0), 0.8)[..., None]

    def _pieces(self, scene: Scene, lens: Lens, table: Layer) -> Light:
        layer, things, light = table.copy(), self.placed(scene), self.conditions.light
        if things:
            roi = outline_roi(things, lens, 60)
            board = table.board[roi.slices]
            on_table = shadows(light, lens, roi, things, -self.game.plate.thickness)
            layer.reach[roi.slices] *= on_table + (shadows(light, lens, roi, things, 0.0) - on_table) * board
            layer.lay(self._drawn(things, lens, roi))
        lit: Light = layer.colour * layer.reach * self._field(scene, lens)
        if light.glare:
            lit += glare(light, lens, 0.0, 40.0) * np.float32(0.25 * light.glare)
        return lit

    def _hands(self, scene: Scene, lens: Lens, lit: Light, table: Layer) -> Light:
        """The picture with the hands, what they hold, and their shadows."""
        light, lit = self.conditions.light, lit.copy()
        for pose in scene.hands:
            whole = Roi(0, 0, lens.width, lens.height)
            on_table = hand_shadow(pose, light, lens, whole, -self.game.plate.thickness)
            lit *= on_table + (hand_shadow(pose, light, lens, whole, 0.0) - on_table) * table.board
        full = self._field(scene, lens)
        for pose in scene.hands:
            held = self.held(pose)
            if held:
                roi = outline_roi(held, lens)
                colour, cover = self._drawn(held, lens, roi).flat()
                lit[roi.slices] = lit[roi.slices] * (1 - cover) + colour * full[roi.slices]
            limb = draw_hand(pose, light, lens)
            if limb is not None:
                part = lit[limb.roi.slices]
                part += (limb.light * full[limb.roi.slices] - part) * limb.cover
        return lit

    def held(self, pose: HandPose) -> list[Placed]:
        """What a hand holds."""
        if pose.holding is None:
            return []
        return [Placed(solid, pose.x, pose.y, pose.z, pose.turn) for solid in self.game.look(*pose.holding)]

    def _field(self, scene: Scene, lens: Lens) -> Light:
        result: Light = self._keep("field", scene.camera, lambda: field(self.conditions.light, lens))
        return result


def moved(place: tuple[float, float, float], shift: Shift) -> tuple[float, float, float]:
    """A place (x, y mm, turn degrees) on the board after the board was pushed."""
    angle = np.radians(shift.turn)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    x, y, turn = place
    return x * c + y * s + shift.dx, -x * s + y * c + shift.dy, turn + shift.turn


def outline_roi(things: list[Placed], lens: Lens, margin: float = 3.0) -> Roi:
    """The part of the picture that the things take, with a margin in pixels."""
    points: list[Array] = []
    for thing in things:
        foot = thing.footprint
        points += [np.concatenate([foot, np.full((len(foot), 1), z)], 1) for z in (thing.bottom, thing.top)]
    return Roi.around(lens.project(np.concatenate(points)), lens, margin)


def _card(ident: int, size: float, quiet: float) -> Prism:
    """A corner card: an ArUco marker of DICT_4X4_50 with its quiet zone."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits = cv2.aruco.generateImageMarker(dictionary, ident, 6, borderBits=1)
    half, cell = size / 2, size / 6
    marks = [_square(-half, half, size, (22, 22, 24))]
    for row, column in np.argwhere(bits > 127):
        marks.append(_square(-half + column * cell, half - row * cell, cell, (244, 244, 242)))
    edge = half + quiet
    return Prism(
        ((-edge, edge), (edge, edge), (edge, -edge), (-edge, -edge)), 0.0, CARD_THICKNESS, (244, 244, 242), tuple(marks)
    )


def _square(left: float, top: float, side: float, colour: tuple[int, int, int]) -> Area:
    right, bottom = left + side, top - side
    return Area(((left, top), (right, top), (right, bottom), (left, bottom)), colour)


def with_seed(conditions: Conditions, seed: int) -> Conditions:
    """The same conditions with other noise and another table top of the same kind."""
    return replace(conditions, seed=seed)
