"""Pictures of a scene: any game's view, as a camera would see it.

Everything is drawn from the game's looks: the board, what lies on the sites, the corner cards. What does not change
from frame to frame is kept: the empty table, then the pieces, then the light on the sensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Ball
from hardware.camera import Image
from hardware.simulated.canvas import Canvas, Face, Roi, union
from hardware.simulated.colours import Light, linear, scaled, threefold
from hardware.simulated.conditions import Conditions
from hardware.simulated.hand import draw_hand, hand_shadow, shadow_roi
from hardware.simulated.lens import Lens
from hardware.simulated.light import field, glare, shading_of, shadows, thrown
from hardware.simulated.maker import wooden
from hardware.simulated.order import painters_order
from hardware.simulated.scene import Scene
from hardware.simulated.sensor import Development
from hardware.simulated.setting import Setting, hull_points, outline_roi
from hardware.simulated.solids import Placed, faces
from hardware.simulated.tables import board_grain, table_top

T = TypeVar("T")
TALL = 5.0
"""What rises so many mm over another thing throws a shadow on it."""
WIDE = 19.0
"""On tops no wider (mm) shadows are not drawn."""
WOOD = 0.03
"""By so much more do pieces of bare wood differ from one another."""
GLOSS = {"cloth": 0.0, "striped": 0.0, "checked": 0.0, "laminate": 0.5, "stone": 0.6, "white": 0.35, "dark": 0.5}
"""How much table tops shine; wood 0.3."""
LEVELS = 65535
"""So many levels of light are kept apart."""


def render(game: Game[Any, Any], scene: Scene, conditions: Conditions, frame: int = 0) -> Image:
    """One picture (height, width, 3), blue-green-red; `frame` numbers its noise."""
    return Renderer(game, conditions).render(scene, frame)


class Layer:
    """A picture in the making: colour of the surfaces, the part of the light that reaches them, how much they shine
    (height, width, 1), and where the board is (the same).
    """

    def __init__(self, colour: Light, reach: Light, gloss: Light, board: Light) -> None:
        self.colour, self.reach, self.gloss, self.board = colour, reach, gloss, board

    @property
    def parts(self) -> tuple[Light, ...]:
        """What it is made of."""
        return self.colour, self.reach, self.gloss, self.board

    def lay(self, canvas: Canvas, reach: Light | float | None = None, gloss: float = 0.0) -> Light:
        """Puts what is drawn over the picture, with that part of the light; gives its coverage (h, w, 1).

        None for `reach`: it is so flat that it lies in the shadows of what it covers.
        """
        light, cover = canvas.flat()
        rows, columns = canvas.roi.slices
        colour, lit = self.colour[rows, columns], self.reach[rows, columns]
        wide = threefold(cover)
        colour *= 1 - wide
        colour += light
        if reach is not None:
            lit += (reach - lit) * wide
        shine = self.gloss[rows, columns]
        shine += (np.float32(gloss) - shine) * cover
        return cover


class Renderer:
    """Draws scenes of one game under the same conditions; keeps what does not change from picture to picture."""

    def __init__(self, game: Game[Any, Any], conditions: Conditions) -> None:
        self.setting, self.conditions = Setting(game, conditions), conditions
        self._shading = shading_of(conditions.light)
        self._paints: dict[tuple[int, int, int], Light] = {}
        self._kept: dict[str, tuple[object, tuple[_Packed | Light, ...]]] = {}
        self._known: dict[tuple[Placed, Lens], list[Face]] = {}

    def render(self, scene: Scene, frame: int = 0) -> Image:
        """The picture of a scene; the same scene and frame give the same picture."""
        if scene.dark:
            return self._development.develop(np.zeros((self._size[1], self._size[0], 3), np.float32), frame)
        lens = self.setting.lens(scene)
        place = (scene.board, scene.cards, scene.covered, scene.camera)
        key = (place, tuple(scene.pieces.items()))

        def pieces() -> Light:
            return self._keep("pieces", key, lambda: self._pieces(scene, lens, self._kept_table(place, scene, lens)))

        exposed = self._keep("exposed", key, lambda: self._development.expose(pieces()))
        if scene.hands:
            with_hands, changed = self._hands(scene, lens, pieces(), self._kept_table(place, scene, lens))
            exposed = self._development.exposed_again(exposed, with_hands, changed)
        return self._development.develop(exposed, frame)

    def _kept_table(self, place: object, scene: Scene, lens: Lens) -> Layer:
        return Layer(*self._keep_all("table", place, lambda: self._table(scene, lens).parts))

    @property
    def _size(self) -> tuple[int, int]:
        return self.conditions.lens.width, self.conditions.lens.height

    @cached_property
    def _development(self) -> Development:
        return Development(self.conditions.sensor, self._size, self.conditions.seed)

    def _keep(self, name: str, key: object, make: Callable[[], Light]) -> Light:
        return self._keep_all(name, key, lambda: (make(),))[0]

    def _keep_all(self, name: str, key: object, make: Callable[[], tuple[Light, ...]]) -> tuple[Light, ...]:
        """What was made for that key, made anew for another; kept in 16 bits, for a program that stays small."""
        kept = self._kept.get(name)
        if kept is None or kept[0] != key:
            kept = self._kept[name] = (key, tuple(_packed(part) for part in make()))
        return tuple(part.light if isinstance(part, _Packed) else part for part in kept[1])

    def paint(self, colour: tuple[int, int, int]) -> Light:
        """The linear colour that a nominal one has on this copy of the set."""
        if colour not in self._paints:
            paint = self.conditions.paint
            random = np.random.default_rng([paint.seed, 4, *colour])
            own = np.array(colour) + (float(np.mean(colour)) - np.array(colour)) * paint.fade
            own = own * (1 + random.normal(0, paint.spread)) + random.normal(0, 25 * paint.spread, 3)
            self._paints[colour] = linear(np.clip(own, 4, 250).tolist())
        return self._paints[colour]

    def _drawn(
        self, things: Sequence[Placed], lens: Lens, roi: Roi, samples: int = 3, *, pieces: bool = False
    ) -> Canvas:
        canvas = Canvas(lens, roi, samples)
        drawn: list[Face] = []
        for thing in painters_order(things, lens.eye):
            drawn += self._faces(thing, lens, pieces)
        canvas.fill(drawn)
        return canvas

    def _faces(self, thing: Placed, lens: Lens, piece: bool) -> list[Face]:
        if len(self._known) > 1500:
            self._known.clear()
        known = self._known.get((thing, lens))
        if known is None:
            conditions, rim = self.conditions, self.conditions.paint.rim if piece else 0.0
            gloss = conditions.paint.gloss if piece else 0.0
            known = faces(thing, lens.eye, self.paint, conditions.print, self._shading, rim, gloss)
            if piece and conditions.paint.uneven:
                x, y = thing.footprint.mean(0)
                random = np.random.default_rng(crc32(f"{conditions.seed} {x:.1f} {y:.1f}".encode()))
                spread = conditions.paint.uneven
                if not isinstance(thing.solid, Ball) and wooden(thing.solid.colour):
                    spread += WOOD
                tone = np.float32(1 + spread * np.clip(random.normal(), -2, 2))
                known = [face._replace(light=face.light * tone) for face in known]
            self._known[thing, lens] = known
        return known

    def _table(self, scene: Scene, lens: Lens) -> Layer:
        setting, z = self.setting, self.setting.table_z
        whole = Roi(0, 0, lens.width, lens.height)
        board, clutter = setting.plate(scene), setting.clutter
        conditions = self.conditions
        top = table_top(conditions.table, conditions.seed, lens, z)
        layer = Layer(
            top * threefold(self._grain(lens)),
            shadows(conditions.light, lens, whole, [*board, *clutter], z),
            np.full((lens.height, lens.width, 1), GLOSS.get(conditions.table, 0.3), np.float32),
            np.zeros((lens.height, lens.width, 1), np.float32),
        )
        for card in setting.cards(scene):  # finely drawn, as poses come from their corners
            layer.lay(self._drawn([card], lens, outline_roi([card], lens), 8), gloss=0.1)
        for cover in setting.covers(scene):
            layer.lay(self._drawn([cover], lens, outline_roi([cover], lens)), gloss=0.1)
        if clutter:
            layer.lay(self._drawn(clutter, lens, outline_roi(clutter, lens)), 1.0, gloss=0.3)
        roi = outline_roi(board, lens)
        seen = layer.lay(self._drawn(board, lens, roi), 1.0, 0.5 * conditions.paint.gloss)
        layer.board[roi.slices] = seen
        grain = self._board_grain(lens)
        layer.colour[roi.slices] *= threefold(1 + (grain[roi.slices] - 1) * seen)
        return layer

    def _board_grain(self, lens: Lens) -> Light:
        """Light wood shows its grain, painted black it does not."""
        bright = float(linear(self.setting.game.plate.colour).mean())
        return board_grain(self.conditions.seed, 0.04 + 0.2 * bright, lens)

    def _grain(self, lens: Lens) -> Light:
        """The roughness of every surface."""
        random = np.random.default_rng([self.conditions.seed, 6])
        grain = random.standard_normal((lens.height, lens.width), np.float32)
        return 1 + 0.015 * cv2.GaussianBlur(grain, (0, 0), 0.8)[..., None]

    def _pieces(self, scene: Scene, lens: Lens, table: Layer) -> Light:
        layer, things, light = table, self.setting.pieces(scene), self.conditions.light
        if things:
            roi = union([outline_roi(things, lens, 60), self._shaded(things, lens)])
            on_table = shadows(light, lens, roi, things, self.setting.table_z)
            plate = self.setting.plate(scene)
            on_board = shadows(light, lens, roi, [*things, *plate], 0.0)
            layer.reach[roi.slices] *= on_table + (on_board - on_table) * threefold(table.board[roi.slices])
            layer.lay(self._drawn(things, lens, roi, pieces=True), 1.0, self.conditions.paint.gloss)
            self._shade_tops(layer, painters_order([*things, *plate], lens.eye), lens, roi)
        lit = layer.colour * layer.reach
        lit *= self._field(scene, lens)
        if light.glare:
            lit += self._glare(scene, lens) * threefold(layer.gloss)
        return lit

    def _shaded(self, things: Sequence[Placed], lens: Lens) -> Roi:
        """The part of the picture in which the things may throw shadows on the table."""
        z, tall = self.setting.table_z, max(things, key=lambda thing: thing.top)
        feet = np.concatenate([thing.footprint for thing in things])
        lamps = (np.array(lamp.place) for lamp in self.conditions.light.lamps)
        places = np.concatenate([feet, *(thrown(lamp, feet, min(tall.top, lamp[2] / 2), z) for lamp in lamps)])
        return Roi.around(lens.project(np.c_[places, np.full(len(places), z)]), lens, 20)

    def _shade_tops(self, layer: Layer, things: Sequence[Placed], lens: Lens, roi: Roi) -> None:
        """Shadows of tall things on the tops of lower ones; the things come from back to front."""
        for plane in sorted({round(thing.top) for thing in things if _wide(thing)}):
            tops = np.array([(thing.x, thing.y) for thing in things if round(thing.top) == plane])
            tall = [thing for thing in things if thing.top > plane + TALL and _reaches(thing, tops, plane)]
            if tall:
                lit = shadows(self.conditions.light, lens, roi, tall, plane)
                layer.reach[roi.slices] *= 1 - threefold(tops_at(things, plane, lens, roi)) * (1 - lit)

    def _hands(self, scene: Scene, lens: Lens, lit: Light, table: Layer) -> tuple[Light, Roi]:
        """The picture with the hands, what they hold, and their shadows; and the part of it that they change."""
        light, full = self.conditions.light, self._field(scene, lens)
        rois = [shadow_roi(pose, light, lens, self.setting.table_z) for pose in scene.hands]
        for pose, roi in zip(scene.hands, rois, strict=True):
            held = self.setting.held(pose)
            on_table, on_board = (
                hand_shadow(pose, light, lens, roi, plane) * shadows(light, lens, roi, held, plane)
                for plane in (self.setting.table_z, 0.0)
            )
            lit[roi.slices] *= on_table + (on_board - on_table) * table.board[roi.slices]
        for pose in scene.hands:
            held = self.setting.held(pose)
            if held:
                part = outline_roi(held, lens)
                colour, cover = self._drawn(held, lens, part, pieces=True).flat()
                lit[part.slices] = lit[part.slices] * (1 - threefold(cover)) + colour * full[part.slices]
            limb = draw_hand(pose, light, lens)
            if limb is not None:
                pixels = lit[limb.roi.slices]
                pixels += (limb.light * full[limb.roi.slices] - pixels) * limb.cover
        return lit, union(rois)

    def _field(self, scene: Scene, lens: Lens) -> Light:
        return self._keep("field", scene.camera, lambda: field(self.conditions.light, lens))

    def _glare(self, scene: Scene, lens: Lens) -> Light:
        return self._keep("glare", scene.camera, lambda: glare(self.conditions.light, lens, 0.0))


def _wide(thing: Placed) -> bool:
    """Whether a shadow on its top would be noticed."""
    return float(np.ptp(thing.footprint, axis=0).min()) > WIDE


class _Packed(NamedTuple):
    """Light in 16 bits: `levels` of so much each."""

    levels: Light
    step: np.float32

    @property
    def light(self) -> Light:
        return scaled(self.levels, float(self.step), cv2.CV_32F)


def _packed(part: Light) -> _Packed | Light:
    if part.dtype != np.float32:
        return part
    step = np.float32(max(float(part.max(initial=0.0)), 1e-6) / LEVELS)
    return _Packed(scaled(part, 1 / float(step), cv2.CV_16U), step)


def _reaches(thing: Placed, tops: Light, plane: float) -> bool:
    """Whether a thing's shadow may fall on one of the tops (n, 2) mm at height `plane`."""
    reach = 3 * (thing.top - plane) + 30
    return bool((np.hypot(*(tops - (thing.x, thing.y)).T) < reach).any())


def tops_at(things: Sequence[Placed], plane: int, lens: Lens, roi: Roi) -> Light:
    """Where (h, w, 1), 0 to 1, upper faces at about that height (mm) of things, from back to front, are seen."""
    mask: Light = np.zeros((roi.height, roi.width), np.uint8)
    for thing in things:
        if round(thing.top) < plane:
            continue  # too low to cover any of them
        outlines = [hull_points(thing)]
        if round(thing.top) == plane:
            outlines.append(thing.upper)
        for value, points in zip((0, 255), outlines, strict=False):
            pixels = np.clip(lens.project(points) - (roi.x, roi.y), -9000, 9000)
            cv2.fillConvexPoly(mask, cv2.convexHull(np.round(pixels * 16).astype(np.int32)), value, cv2.LINE_AA, 4)
    mask = cv2.dilate(mask, np.ones((3, 3), np.uint8))  # no bright rim round what stands on them
    return (mask.astype(np.float32) / 255)[..., None]
