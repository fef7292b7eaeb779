"""Under which conditions a picture is taken: camera, light, sensor, table, copy of the set.

Everything is drawn from a seed. Seeds below 100000 are for tuning, from 100000 on they are held out for benchmarks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from hardware.simulated.glyphs import FONTS
from hardware.simulated.lens import Array, Lens
from hardware.simulated.maker import Maker
from hardware.simulated.solids import Hand

HELD_OUT: Final = 100_000
"""The first of the seeds that nothing may be tuned on."""
WHITE_LEVEL: Final = 0.85
"""Light on a white surface in the middle of the table, where the exposure is right."""
SIZES: Final = ((1280, 720), (1536, 864), (2304, 1296))
TABLES: Final = (
    "light wood",
    "wood",
    "dark wood",
    "planks",
    "cloth",
    "striped",
    "checked",
    "laminate",
    "stone",
    "white",
    "dark",
)


@dataclass(frozen=True)
class Screen:
    """What stands between a lamp and the table, out of the picture: a cupboard, a chair's back, a plant, somebody's
    head. `outline`: points in mm on the board's plane between which it keeps the lamp's light off, or, where it is a
    `window`, between which alone the light falls; `soft`: over how many mm the light fades at its edge.
    """

    outline: tuple[tuple[float, float], ...]
    window: bool
    soft: float


@dataclass(frozen=True)
class Lamp:
    """A lamp: place in mm (board frame), linear colour (blue, green, red) with the strength of its light on a level
    white surface at the origin, radius in mm (soft shadows), and what stands before it.
    """

    place: tuple[float, float, float]
    colour: tuple[float, float, float]
    radius: float
    screen: Screen | None = None


@dataclass(frozen=True)
class Lighting:
    """`around`: light from everywhere; `person`: the soft shadow of somebody standing by: direction in degrees,
    distance from the origin in mm, strength 0 to 1; `glare`: how much of the lamps glossy faces mirror.
    """

    around: tuple[float, float, float]
    lamps: tuple[Lamp, ...]
    person: tuple[float, float, float] | None = None
    glare: float = 0.0


@dataclass(frozen=True)
class Sensor:
    """What lens and electronics do to the light. `balance`: gains (blue, green, red) left over from a wrong white
    balance; `noise`: standard deviation in grey values of a mid grey; `defocus`, `motion`: pixels at 1280 of width;
    `jpeg`: quality or None for uncompressed.
    """

    exposure: float
    balance: tuple[float, float, float]
    noise: float
    defocus: float
    motion: float
    motion_angle: float
    vignette: float
    contrast: float
    saturation: float
    sharpen: float
    jpeg: int | None


@dataclass(frozen=True)
class Paint:
    """How this copy of the set differs from the nominal one: `spread` of each single colour, `fade` towards grey,
    `gloss` 0 to 1; `rim`: the part of a piece's size that its print leaves free at the edge; `uneven`: how much
    the light on single pieces varies, as they lie a little tilted.
    """

    seed: int
    spread: float
    fade: float
    gloss: float
    rim: float = 0.0
    uneven: float = 0.0


@dataclass(frozen=True)
class Conditions:
    """Everything about a picture but what lies on the table. `noise_seed` makes the noise of its frames."""

    seed: int
    lens: Lens
    light: Lighting
    sensor: Sensor
    table: str
    paint: Paint
    print: Hand
    clutter: int
    card_error: float
    maker: Maker = field(default_factory=Maker)

    @classmethod
    def random(
        cls,
        game: Game[Any, Any],
        seed: int,
        difficulty: float = 0.5,
        size: tuple[int, int] | None = None,
        seats: Sequence[int] | None = None,
    ) -> Conditions:
        """Conditions from a seed: at difficulty 0 kind ones, at 1 everything that a living room may bring.

        `size` in pixels, one of `SIZES` at random where it is None. `seats`: those whose places must be in the picture
        (all of them where it is None).
        """
        random = np.random.default_rng([seed, 1])
        size = size or SIZES[int(random.choice(3, p=[0.45, 0.45, 0.1]))]
        lens = _lens(random, difficulty, size, content(game, seats))
        return cls(
            seed,
            lens,
            _dazzling(_light(random, difficulty), lens, seed, difficulty),
            _sensor(random, difficulty),
            str(random.choice(TABLES)),
            _paint(random, seed, difficulty),
            _print(random, seed, difficulty),
            int(random.integers(0, 3 + round(5 * difficulty))),
            2.0 * difficulty,
            Maker.random(seed, difficulty),
        )

    def screened(self) -> Conditions:
        """The same with something before a lamp, which is a strong one: part of the table lies in a shadow with a clear
        edge, or the sun falls on it through a window.
        """
        return replace(self, light=_screened(self.light, self.seed))

    def quick(self) -> Conditions:
        """The same without sharpening and compression, which take a third of a picture's time."""
        return replace(self, sensor=replace(self.sensor, sharpen=0.0, jpeg=None))


def content(game: Game[Any, Any], seats: Sequence[int] | None = None) -> Array:
    """Points (n, 3) mm that a picture of the set should show: the plate, the cards, the sites."""
    plate = [point for solid in game.board if isinstance(solid, Prism) for point in solid.footprint]
    points = [(x, y, 0.0) for x, y in plate]
    reach = game.marker.size / 2 + game.marker.quiet
    for x, y in game.marker.centres:
        points += [(x + dx, y + dy, -game.plate.thickness) for dx in (-reach, reach) for dy in (-reach, reach)]
    for spec in game.sites:
        seat = spec.name.partition(":")[2].partition(".")[0]
        if not spec.roving and (seats is None or not spec.loose or int(seat) in seats):
            x, y, z = spec.centre
            points += [
                (x + dx, y + dy, z) for dx in (-spec.size / 2, spec.size / 2) for dy in (-spec.size / 2, spec.size / 2)
            ]
    return np.array(points)


def _paint(random: np.random.Generator, seed: int, difficulty: float) -> Paint:
    return Paint(
        seed,
        0.03 + 0.07 * difficulty,
        random.uniform(0, 0.15) * difficulty,
        random.uniform(0.1, 1.0),
        random.choice([0.0, random.uniform(0, 0.06)]),
        0.05 * difficulty,
    )


def _print(random: np.random.Generator, seed: int, difficulty: float) -> Hand:
    return Hand(
        int(random.integers(0, len(FONTS))),
        random.uniform(-0.12, 0.15),
        random.uniform(0.8, 1.1),
        int(random.integers(0, 9)),
        *_lines(seed, difficulty),
    )


def _lines(seed: int, difficulty: float) -> tuple[float, float, float]:
    """How thick and how faint printed lines are, and how light grooves."""
    random = np.random.default_rng([seed, 15])
    line, faint = float(np.exp(random.normal(0, 0.3) * difficulty)), float(random.uniform(0, 0.5) * difficulty)
    return line, faint, float(1 - random.uniform(0, 0.7) * min(1.0, 2 * difficulty))


def _lens(random: np.random.Generator, difficulty: float, size: tuple[int, int], points: Array) -> Lens:
    width, height = size
    fov = np.radians(66 + random.uniform(-6, 8) * difficulty)
    low, high = points[:, :2].min(0), points[:, :2].max(0)
    aim = (low + high) / 2 + random.uniform(-40, 40, 2) * difficulty
    side = random.choice([0.0, 90.0, 180.0, 270.0], p=[0.4, 0.15, 0.3, 0.15])
    lens = Lens(
        width,
        height,
        width / 2 / np.tan(fov / 2),
        width / 2 - 0.5 + random.normal(0, 0.008 * width) * difficulty,
        height / 2 - 0.5 + random.normal(0, 0.008 * width) * difficulty,
        random.uniform(-0.08, 0.05) * difficulty,
        random.uniform(-0.02, 0.02) * difficulty,
        (float(aim[0]), float(aim[1])),
        1000.0,
        random.uniform(0, 8 + 27 * difficulty),
        random.uniform(0, 360),
        side + (random.normal(0, 25) if random.random() < difficulty else random.normal(0, 3)),
    )
    near = next((h for h in range(500, 1000, 10) if _holds(replace(lens, above=float(h)), points)), 1000)
    return replace(lens, above=min(1000.0, near + random.exponential(60)))


def _holds(lens: Lens, points: Array) -> bool:
    pixels = lens.project(points)
    margin = 0.01 * lens.width
    return bool((pixels.min(0) > margin).all() and (pixels.max(0) < (lens.width - margin, lens.height - margin)).all())


def _light(random: np.random.Generator, difficulty: float) -> Lighting:
    lamps = []
    for _ in range(int(random.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))):
        angle, window = random.uniform(0, 2 * np.pi), random.random() < 0.4 * difficulty
        reach = random.uniform(1200, 2500) if window else random.uniform(100, 600 + 1200 * difficulty)
        height = random.uniform(600, 1300) if window else random.uniform(1100, 2200)
        radius = random.uniform(200, 500) if window else float(np.exp(random.uniform(np.log(15), np.log(300))))
        warmth = random.uniform(-1, 0) if window else random.uniform(-0.5, 1)
        colour = _warmth(warmth * difficulty) * random.uniform(0.3, 1.0)
        lamps.append(Lamp((reach * np.sin(angle), reach * np.cos(angle), height), _triple(colour), radius))
    around = _warmth(random.uniform(-1, 1) * difficulty) * random.uniform(0.3, 1.0)
    person = None
    if random.random() < 0.5 * difficulty:
        person = (random.uniform(0, 360), random.uniform(50, 500), random.uniform(0.1, 0.5 + 0.2 * difficulty**2))
    glare = random.uniform(0.1, 0.9) if random.random() < 0.7 * difficulty else 0.0
    return _exposed(Lighting(_triple(around), tuple(lamps), person, glare))


def _dazzling(light: Lighting, lens: Lens, seed: int, difficulty: float) -> Lighting:
    """Now and then a lamp hangs where the board mirrors it into the camera."""
    random = np.random.default_rng([seed, 12])
    if random.random() > 0.35 * difficulty**2:
        return light
    first, *others = light.lamps
    spot, eye, height = random.uniform(-180, 180, 2), lens.eye, first.place[2]
    x, y = eye[:2] + (spot - eye[:2]) * (eye[2] + height) / eye[2]
    lamps = (replace(first, place=(float(x), float(y), height)), *others)
    return replace(light, lamps=lamps, glare=max(light.glare, float(random.uniform(0.3, 0.9))))


def _screened(light: Lighting, seed: int) -> Lighting:
    """The light with something before its first lamp."""
    random = np.random.default_rng([seed, 16])
    window = random.random() < 0.4
    first, *others = light.lamps
    soft = float(np.exp(random.uniform(np.log(1.5), np.log(40.0))))
    lit = replace(
        first,
        colour=_triple(np.array(first.colour) * random.uniform(1.0, 3.0)),
        radius=min(first.radius, 4 * soft + 10),
        screen=Screen(_outline(random, window), window, soft),
    )
    level = WHITE_LEVEL * float(random.uniform(1.0, 2.0) if window else random.uniform(0.9, 1.2))
    return _exposed(replace(light, lamps=(lit, *others)), level)


def _outline(random: np.random.Generator, window: bool) -> tuple[tuple[float, float], ...]:
    """The edge of a shadow around some place on or near the board (mm), or of the light that a window lets in: of
    something round with a few lumps, of a slanting pane, of a beam, or of something wide, which is seen at one edge.
    """
    along, across, shift = random.uniform(60, 240), random.uniform(40, 180), 0.0
    if random.random() < 0.25:
        turns = np.arange(24) * np.pi / 12
        lumps = 1 + 0.12 * np.sin(3 * turns + random.uniform(0, 6)) + 0.06 * np.sin(7 * turns + random.uniform(0, 6))
        points = np.stack([np.cos(turns) * along * lumps, np.sin(turns) * across * lumps], 1)
    else:
        if not window and random.random() < 0.7:
            along, across, shift = 900.0, *((700.0, 700.0) if random.random() < 0.5 else (across / 2, 0.0))
        points = np.array([(-along, -across), (along, -across), (along, across), (-along, across)])
        points[:, 1] += shift
        points[:, 0] += points[:, 1] * random.uniform(-0.7, 0.7)
    angle = random.uniform(0, 2 * np.pi)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return tuple((float(x), float(y)) for x, y in points @ turn + random.uniform(-160, 160, 2))


def _exposed(light: Lighting, level: float = WHITE_LEVEL) -> Lighting:
    """The same light as a camera sets its exposure: a level white face at the origin gets that level, where nothing
    stands before the lamps.
    """
    total = np.array(light.around) + sum((np.array(lamp.colour) for lamp in light.lamps), np.zeros(3))
    gain = level / float(total @ (0.11, 0.59, 0.30))
    lamps = tuple(replace(lamp, colour=_triple(np.array(lamp.colour) * gain)) for lamp in light.lamps)
    return replace(light, around=_triple(np.array(light.around) * gain), lamps=lamps)


def _triple(values: Array) -> tuple[float, float, float]:
    a, b, c = (float(v) for v in values)
    return a, b, c


def _warmth(amount: float) -> Array:
    """A colour (blue, green, red) from cool (-1) to warm (1)."""
    return np.array([0.62, 0.9, 1.1]) ** amount if amount > 0 else np.array([0.75, 0.97, 1.15]) ** amount


def _sensor(random: np.random.Generator, difficulty: float) -> Sensor:
    harder = difficulty * difficulty  # what only bad evenings bring
    error = 1 + np.clip(random.normal(0, 0.09 + 0.04 * harder, 3), -0.28, 0.28) * difficulty
    return Sensor(
        float(np.exp(np.clip(random.normal(0, 0.25 + 0.1 * harder), -0.8, 0.5) * difficulty)),
        _triple(error),
        0.7 + min(random.exponential(2.0 + 2.0 * harder), 12.0) * difficulty,
        0.35 + min(random.exponential(0.4), 0.9) * difficulty,
        min(random.exponential(0.7), 2.0) * difficulty if random.random() < 0.4 else 0.0,
        random.uniform(0, 180),
        random.uniform(0, 0.35) * difficulty,
        random.uniform(-0.15, 0.25) * difficulty,
        1 + random.uniform(-0.25, 0.25) * difficulty,
        random.uniform(0, 0.8),
        int(random.integers(95 - round(30 * difficulty), 98)),
    )
