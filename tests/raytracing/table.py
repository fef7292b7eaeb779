"""Pictures of the simulated table by a path tracer (M. Pharr and others, Physically Based Rendering; here Mitsuba).

The table, its lamps, the camera and its sensor are those of the simulated table with the same seed; how wood looks, how
much things shine, and what light they throw on each other is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import cv2
import mitsuba
import numpy as np
from numpy.typing import NDArray

from companion.games.core import Game
from companion.games.looks import Ball
from hardware.simulated.colours import Light, linear
from hardware.simulated.conditions import Conditions
from hardware.simulated.lens import Lens
from hardware.simulated.limbs import SKIN, SKINS, SLEEVE, sleeve
from hardware.simulated.maker import wooden
from hardware.simulated.renderer import GLOSS, WOOD, Renderer
from hardware.simulated.scene import HandPose, Scene
from hardware.simulated.sensor import Development
from hardware.simulated.setting import Setting
from hardware.simulated.solids import Placed
from hardware.simulated.tables import SPAN, clouds, make
from tests.raytracing.meshes import Material, Meshes

mitsuba.set_variant("scalar_rgb")
mitsuba.set_log_level(mitsuba.LogLevel.Error)

SAMPLES, BOUNCES = 8, 3
"""Paths a pixel, and how often light goes on: what is left of their noise is smoothed."""

MARGIN = 0.05
"""Part of the picture's size that is drawn around it, for a lens that distorts."""

REACH = 2000.0
"""Half the side of the table top, mm."""

PAPER, OTHER = 0.05, 0.3
"""How much cards and what lies about shine."""

PLAIN = 0.05
"""What shines less than that is drawn dull."""

SMALLEST, LARGEST = 15.0, 0.5
"""Radius of a lamp in mm at least, and in parts of its distance from the camera at most: none is in its way."""

Transform = mitsuba.ScalarTransform4f


def taken(game: Game[Any, Any], scene: Scene, conditions: Conditions, seed: int) -> NDArray[np.uint8]:
    """The picture (height, width, 3), blue-green-red, that a camera takes of the scene."""
    light = traced(game, scene, conditions)
    development = Development(conditions.sensor, (light.shape[1], light.shape[0]), seed)
    return development.develop(development.expose(light), seed)


def traced(game: Game[Any, Any], scene: Scene, conditions: Conditions, samples: int = SAMPLES) -> Light:
    """The light (height, width, 3), blue-green-red, that reaches the sensor."""
    chance = np.random.default_rng([conditions.seed, 77])
    setting = Setting(game, conditions)
    lens = setting.lens(scene)
    meshes = _meshes(setting, scene, chance)
    table_gloss = GLOSS.get(conditions.table, OTHER) * chance.uniform(0.2, 1.2)
    with TemporaryDirectory() as folder:
        world = dict(_things(meshes, _Woods(conditions, chance.uniform(0.02, 0.18)), Path(folder)))
        world |= dict(_lights(conditions, lens))
        world["table"] = _table(conditions, setting.table_z, table_gloss, chance.uniform(0, 360))
        world["camera"], margin = _camera(lens, samples)
        world["integrator"] = {"type": "path", "max_depth": BOUNCES}
        loaded = mitsuba.load_dict({"type": "scene", **world})
    drawn = np.array(mitsuba.render(loaded, spp=samples, seed=conditions.seed))[..., ::-1]
    return _through(lens, _smoothed(drawn), margin)


def _meshes(setting: Setting, scene: Scene, chance: np.random.Generator) -> Meshes:
    """Everything on the table."""
    conditions = setting.conditions
    paint, bevel = conditions.paint, float(chance.choice([0.0, chance.uniform(0.2, 1.0)]))
    meshes = Meshes(Renderer(setting.game, conditions).paint, conditions.print, bevel, conditions.seed)
    gloss = paint.gloss * chance.uniform(0.1, 1.0)
    for placed in setting.plate(scene):
        meshes.add(placed, 0.5 * gloss)
    for site in scene.pieces:
        for k, placed in enumerate(placed for solids in setting.stack(scene, site) for placed in solids):
            number = crc32(f"{site} {k}".encode())  # always the same for what lies there: films do not flicker
            meshes.add(placed, gloss, _tone(placed, paint.uneven, [conditions.seed, number]), number)
    for placed in [*setting.cards(scene), *setting.covers(scene)]:
        meshes.add(placed, PAPER)
    for placed in setting.clutter:
        meshes.add(placed, OTHER)
    for pose in scene.hands:
        for placed in setting.held(pose):
            meshes.add(placed, gloss)
        meshes.add_hand(pose, _skin(pose))
    return meshes


def _tone(placed: Placed, uneven: float, seed: list[int]) -> float:
    """How much lighter than others a piece is."""
    spread = uneven
    if not isinstance(placed.solid, Ball) and wooden(placed.solid.colour):
        spread += WOOD
    return float(1 + spread * np.clip(np.random.default_rng(seed).normal(), -2, 2))


def _skin(pose: HandPose) -> dict[int, Light]:
    chance = np.random.default_rng([pose.look, 9])
    skin = np.clip(np.array(SKINS[pose.look % len(SKINS)]) * chance.uniform(0.93, 1.05), 0, 255)
    return {SKIN: linear(skin.tolist()), SLEEVE: linear(sleeve(pose) or SKINS[0])}


class _Woods:
    """Surfaces: wood of all colours has the same grain on one table, more or less of it by `strength`."""

    def __init__(self, conditions: Conditions, strength: float) -> None:
        random = np.random.default_rng([conditions.seed, 91])
        lines = clouds(random, (40, 6), 4) + 0.7 * clouds(random, (200, 14), 2)
        self._lines = strength * cv2.resize(lines, (512, 512))[..., None] * np.array([0.85, 1.0, 1.2])

    def surface(self, material: Material) -> dict[str, Any]:
        """What Mitsuba calls a BSDF."""
        colour: dict[str, Any] = {"type": "rgb", "value": list(material.colour[::-1])}
        if material.wood:
            lines = np.roll(self._lines, crc32(str(material.colour).encode()) % 512, axis=0)
            colour = _texture(np.clip(np.array(material.colour) * (1 + lines), 0.002, 0.95))
        return _surface(colour, material.gloss)


def _surface(colour: dict[str, Any], gloss: float) -> dict[str, Any]:
    if gloss < PLAIN:
        return {"type": "twosided", "inner": {"type": "diffuse", "reflectance": colour}}
    rough, mirror = 0.75 - 0.5 * gloss, 0.2 + 0.4 * gloss
    return {"type": "principled", "base_color": colour, "roughness": float(rough), "specular": float(mirror)}


def _texture(light: Light) -> dict[str, Any]:
    bitmap = mitsuba.Bitmap(np.ascontiguousarray(light[..., ::-1]).astype(np.float32))
    return {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "mirror"}


def _things(meshes: Meshes, woods: _Woods, folder: Path) -> Iterator[tuple[str, Any]]:
    for smooth, group in ((False, meshes.triangles), (True, meshes.limbs)):
        for material, triangles in group.items():
            path = folder / f"{len(list(folder.iterdir()))}.ply"
            triangles.write(path)
            mesh = {"type": "ply", "filename": str(path), "face_normals": not smooth}
            yield f"mesh-{path.stem}", mitsuba.load_dict({**mesh, "bsdf": woods.surface(material)})
    for number, (centre, radius, material) in enumerate(meshes.balls):
        ball = {"type": "sphere", "center": centre.tolist(), "radius": radius}
        yield f"ball-{number}", {**ball, "bsdf": woods.surface(material)}


def _table(conditions: Conditions, z: float, gloss: float, turn: float) -> dict[str, Any]:
    light = np.clip(make(conditions.table, np.random.default_rng([conditions.seed, 2])), 0.002, 0.95)
    repeat = 2 * REACH / SPAN
    texture = _texture(light) | {"to_uv": Transform().scale([repeat, repeat, 1])}
    place = Transform().translate([0, 0, z]).rotate([0, 0, 1], turn).scale([REACH, REACH, 1])
    return {"type": "rectangle", "to_world": place, "bsdf": _surface(texture, gloss)}


def _lights(conditions: Conditions, lens: Lens) -> Iterator[tuple[str, Any]]:
    """The lamps, so bright that a level white face at the origin is as bright as on the simulated table."""
    for number, lamp in enumerate(conditions.light.lamps):
        place = np.array(lamp.place)
        far = float(np.linalg.norm(place))
        radius = min(max(lamp.radius, SMALLEST), LARGEST * float(np.linalg.norm(place - lens.eye)), 0.3 * place[2])
        light = np.array(lamp.colour)[::-1] * far**2 / (radius**2 * max(place[2] / far, 0.1))
        emitter = {"type": "area", "radiance": {"type": "rgb", "value": light.tolist()}}
        yield f"lamp-{number}", {"type": "sphere", "center": place.tolist(), "radius": radius, "emitter": emitter}
    around = list(conditions.light.around[::-1])
    yield "around", {"type": "constant", "radiance": {"type": "rgb", "value": around}}


def _camera(lens: Lens, samples: int) -> tuple[dict[str, Any], tuple[int, int]]:
    """The camera, without distortion, and the margin (x, y) in pixels around its picture."""
    margin = int(lens.width * MARGIN), int(lens.height * MARGIN)
    width, height = lens.width + 2 * margin[0], lens.height + 2 * margin[1]
    eye, rotation = lens.eye, lens.rotation
    camera = {
        "type": "perspective",
        "fov": float(2 * np.degrees(np.arctan(width / 2 / lens.focal))),
        "fov_axis": "x",
        "near_clip": 10.0,
        "far_clip": 20000.0,
        "principal_point_offset_x": float(0.5 - (lens.cx + 0.5 + margin[0]) / width),
        "principal_point_offset_y": float(0.5 - (lens.cy + 0.5 + margin[1]) / height),
        "to_world": Transform().look_at(
            origin=eye.tolist(), target=(eye + 100 * rotation[2]).tolist(), up=(-rotation[1]).tolist()
        ),
        "film": {"type": "hdrfilm", "width": width, "height": height, "rfilter": {"type": "box"}},
        "sampler": {"type": "independent", "sample_count": samples},
    }
    return camera, margin


def _through(lens: Lens, drawn: Light, margin: tuple[int, int]) -> Light:
    """What is seen through a lens that distorts."""
    pixels = np.stack(np.meshgrid(np.arange(lens.width), np.arange(lens.height)), axis=-1)
    distorted = (pixels - (lens.cx, lens.cy)) / lens.focal
    plain: NDArray[Any] = distorted
    for _ in range(5):
        square = (plain * plain).sum(axis=-1, keepdims=True)
        plain = distorted / (1 + lens.k1 * square + lens.k2 * square * square)
    at = (plain * lens.focal + (lens.cx, lens.cy) + margin).astype(np.float32)
    return cv2.remap(drawn, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _smoothed(drawn: Light) -> Light:
    """Without the grains of the path tracer: outliers, then what differs little from its neighbours."""
    light = np.log(np.clip(drawn, 1e-3, 50)).astype(np.float32)
    middle = np.stack([cv2.medianBlur(np.ascontiguousarray(light[..., k]), 3) for k in range(3)], axis=-1)
    light = np.clip(light, middle - 0.35, middle + 0.35)
    for tolerant in (0.4, 0.2):
        light = cv2.bilateralFilter(np.ascontiguousarray(light), 5, tolerant, 1.4)
    smooth: Light = np.exp(light)
    return smooth
