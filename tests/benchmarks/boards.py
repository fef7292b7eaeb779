"""Boards of one's own for benchmarks: chess, draughts, lines, prints; drawn as the simulated table draws games.

Everything comes from a seed: the board, its pieces, how many stand where, the camera, the light, the hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.looks import Area, Ball, Colour, Disc, Look, Mark, Point, Prism, Stroke, regular, rounded
from companion.games.sets import Board, Marker
from companion.games.sites import EMPTY, SiteSpec
from hardware.simulated.conditions import Conditions, content
from hardware.simulated.lens import Lens
from hardware.simulated.scene import HandPose, Piece, Scene, Shift
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import drawn

SIZES = ((1024, 768), (1280, 720), (1536, 864), (1600, 1200), (2016, 1512), (960, 1280))
STYLES = ("chess", "chess", "chess", "draughts", "draughts", "lines", "recess", "dots", "go", "print", "scrabble")
ODD = "odd"
"""A style to learn from only: pieces of any shape, on boards of any style that says something without its pieces."""
INLAID = "inlaid"
"""A style to be asked for by name: as chess, but each field is a piece of wood of its own."""
CARDS = ((34.0, 6.0), (40, 41, 42, 43))


@dataclass
class Plain:
    """A board without rules, as the simulated table wants a game."""

    name: str
    plate: Board
    marker: Marker
    columns: int
    rows: int
    pitch: float
    board: Look
    looks: dict[str, Look]
    thickness: float
    regular: bool

    def __post_init__(self) -> None:
        labels = (EMPTY, *self.looks)
        self.sites = tuple(
            SiteSpec(f"cell:{chr(97 + c)}{r + 1}", "cell", (*self.centre(c, r), 0.0), 0.0, labels, self.pitch)
            for r in range(self.rows)
            for c in range(self.columns)
        )

    def centre(self, column: int, row: int) -> Point:
        return (column - (self.columns - 1) / 2) * self.pitch, (row - (self.rows - 1) / 2) * self.pitch

    def look(self, kind: str, label: str) -> Look:
        return self.looks.get(label, ())

    @property
    def corners(self) -> NDArray[Any]:
        """Corners (4, 3) of the grid: lower left, upper left, upper right, lower right."""
        x, y = self.columns * self.pitch / 2, self.rows * self.pitch / 2
        return np.array([(-x, -y, 0), (-x, y, 0), (x, y, 0), (x, -y, 0)])

    @property
    def set_file(self) -> str:
        """The text of its set file."""
        marker = self.marker
        cards = (
            f"[marker]\nids = {list(marker.ids)}\nsize = {marker.size}\nquiet = {marker.quiet}\n"
            f"centres = {[list(c) for c in marker.centres]}\n"
            if marker.ids
            else ""
        )
        return (
            f'name = "{self.name}"\n[board]\nshape = "square"\nside = {self.plate.side}\n'
            f"thickness = {self.plate.thickness}\n[grid]\ncolumns = {self.columns}\nrows = {self.rows}\n"
            f"pitch = {self.pitch}\n{cards}"
        )


@dataclass(frozen=True)
class Shot:
    """A picture with its truth: `occupied` by site, `hidden` (0 to 1) by site, `covered`, the same by no piece but by a
    hand or the picture's edge, the grid's corners (4, 2) in pixels. Pictures are drawn when they are first looked at.
    """

    game: Plain
    scene: Scene
    conditions: Conditions
    bare: Conditions
    raytraced: bool
    occupied: dict[str, bool]
    hidden: dict[str, float]
    covered: dict[str, float]

    @cached_property
    def image(self) -> NDArray[np.uint8]:
        """The picture."""
        return drawn(self.game, self.scene, self.conditions, self.raytraced)

    @cached_property
    def empty(self) -> NDArray[np.uint8]:
        """The picture of the empty board, from elsewhere and in other light."""
        return drawn(self.game, Scene(), self.bare, self.raytraced)

    @property
    def corners(self) -> NDArray[Any]:
        """The grid's corners in the picture."""
        return self.conditions.lens.project(self.game.corners)

    @property
    def empty_corners(self) -> NDArray[Any]:
        """The grid's corners in the picture of the empty board."""
        return self.bare.lens.project(self.game.corners)

    @property
    def tilt(self) -> float:
        """How far off straight down the camera looks, in degrees."""
        return self.conditions.lens.tilt

    @property
    def hand(self) -> bool:
        """Whether a hand is over the board."""
        return bool(self.scene.hands)


def shot(
    seed: int,
    cards: bool = False,
    style: str | None = None,
    raytraced: bool = False,
    sizes: Sequence[tuple[int, int]] = SIZES,
    screened: bool = False,
) -> Shot:
    """The picture with that seed, and one of the empty board; both path-traced if so wanted. `screened`: something
    stands before a lamp, and for every other empty board too.
    """
    chance = random.Random(seed)
    style = style or chance.choice(STYLES)
    game = make(style, chance, cards)
    difficulty = chance.random()
    conditions = _conditions(game, seed, difficulty, chance, sizes)
    bare = replace(_conditions(game, seed + 7_000_000, difficulty, chance, sizes), seed=seed, paint=conditions.paint)
    if screened:
        conditions, bare = conditions.screened(), bare.screened() if seed % 2 else bare
    scene = _scene(game, chance)
    if chance.random() < 0.15:
        scene = replace(scene, hands=(_hand(game, chance),))
    told, hands = truth(game, scene, conditions), truth(game, Scene(hands=scene.hands), conditions)
    return Shot(
        game,
        scene,
        conditions,
        bare,
        raytraced,
        occupied={site.name: bool(scene.pieces.get(site.name)) for site in game.sites},
        hidden={site.name: told.hidden.get(site.name, 0.0) for site in game.sites},
        covered={site.name: hands.hidden.get(site.name, 0.0) for site in game.sites},
    )


def _conditions(
    game: Plain, seed: int, difficulty: float, chance: random.Random, sizes: Sequence[tuple[int, int]]
) -> Conditions:
    size = chance.choice(sizes)
    conditions = Conditions.random(game, seed, difficulty, size)
    lens, points = conditions.lens, content(game)
    points = np.concatenate([points, game.corners + np.array([0, 0, 1.2 * game.pitch])])
    fov = np.radians(chance.uniform(48, 72))
    lens = replace(lens, focal=max(size) / 2 / np.tan(fov / 2), tilt=chance.uniform(0, 60))
    lens = replace(lens, azimuth=(lens.roll + 180 + chance.gauss(0, 25)) % 360)
    near = next((h for h in range(250, 1600, 10) if _holds(replace(lens, above=float(h)), points)), 1600)
    return replace(conditions, lens=replace(lens, above=near * chance.uniform(1.0, 1.25)))


def _holds(lens: Lens, points: NDArray[Any]) -> bool:
    pixels = lens.project(points)
    margin = 0.01 * lens.width
    return bool((pixels.min(0) > margin).all() and (pixels.max(0) < (lens.width - margin, lens.height - margin)).all())


def _scene(game: Plain, chance: random.Random) -> Scene:
    part = chance.choice([0.05, 0.2, 0.35, 0.5, 0.7])
    labels, spread = list(game.looks), chance.uniform(0.01, 0.12) * game.pitch
    used = list(game.sites)
    if game.name == "draughts":
        used = [s for k, s in enumerate(game.sites) if (k % game.columns + k // game.columns) % 2 == 0]
    pieces = {}
    starting = chance.random() < 0.3  # as games begin: rows at both ends
    for k, site in enumerate(game.sites):
        if site not in used:
            continue
        row = k // game.columns
        if starting:
            deep = max(2, game.rows * 2 // 5) if game.name == "draughts" else 2
            stands = row < deep or row >= game.rows - deep
            half = [n for n in labels if n.endswith("a" if row < game.rows / 2 else "b")]
        else:
            stands, half = chance.random() < part, labels
        if stands:
            shift = Shift(*(max(-0.12, min(0.12, chance.gauss(0, 1) * spread / game.pitch)) * game.pitch for _ in "xy"))
            pieces[site.name] = (Piece(chance.choice(half), shift._replace(turn=chance.uniform(0, 360))),)
    return Scene(pieces)


def _hand(game: Plain, chance: random.Random) -> HandPose:
    half = 0.45 * game.plate.side
    x, y = chance.uniform(-half, half), chance.uniform(-half, half)
    direction = np.degrees(np.arctan2(x, y)) + chance.uniform(-60, 60)
    return HandPose(x, y, chance.uniform(30, 90), float(direction), chance.randrange(20), grip=chance.random())


def make(style: str, chance: random.Random, cards: bool = False) -> Plain:
    """A board of that style with pieces for it."""
    any_shape = style == ODD
    style = chance.choice(STYLES[:-2]) if any_shape else style
    side_of = {"chess": 8, INLAID: 8, "draughts": 10, "go": chance.choice([9, 13, 19]), "scrabble": 9}
    columns = side_of.get(style) or chance.choice([5, 6, 8, 9])
    rows = columns if style in side_of or chance.random() < 0.7 else max(4, columns - chance.choice([1, 2, 3]))
    pitch = chance.uniform(20, 26) if style == "go" else chance.uniform(28, 58)
    side = max(columns, rows) * pitch + chance.choice([4.0, 20.0, 60.0])
    thickness = chance.choice([0.5, 4.0, 12.0, 25.0])
    light, dark = _colours(chance)
    ground, marks = _printed(style, chance, columns, rows, pitch, light, dark)
    half = side / 2
    border = chance.choice([ground, dark, (90, 60, 40)])
    plate_marks = [
        Area(_square(0, 0, side, 0), border),
        Area(_rectangle(columns * pitch, rows * pitch), ground),
        *marks,
    ]
    outline = rounded(((-half, half), (half, half), (half, -half), (-half, -half)), 3.0)
    board = (Prism(outline, -thickness, 0.0, border, tuple(plate_marks)),)
    return Plain(
        style,
        Board("square", side, thickness, border),
        _marker(half) if cards else Marker((), 30.0, 5.0, ()),
        columns,
        rows,
        pitch,
        board,
        _pieces(ODD if any_shape else style, chance, pitch, light, dark),
        thickness,
        style not in ("print",),
    )


def _marker(half: float) -> Marker:
    (size, quiet), ids = CARDS
    away = half + size / 2 + quiet + 8
    return Marker(ids, size, quiet, ((-away, -half / 2), (-away, half / 2), (away, half / 2), (away, -half / 2)))


def _colours(chance: random.Random) -> tuple[Colour, Colour]:
    pairs: tuple[tuple[Colour, Colour], ...] = (
        ((226, 196, 150), (136, 88, 52)),
        ((238, 232, 214), (60, 110, 70)),
        ((240, 238, 232), (36, 36, 40)),
        ((206, 168, 118), (92, 54, 34)),
        ((222, 214, 196), (120, 126, 150)),
        ((196, 150, 96), (160, 112, 66)),
    )
    light, dark = chance.choice(pairs)
    return _varied(light, chance), _varied(dark, chance)


def _varied(colour: Colour, chance: random.Random, by: float = 12) -> Colour:
    r, g, b = (int(min(250, max(8, v + chance.gauss(0, by)))) for v in colour)
    return r, g, b


def _square(x: float, y: float, size: float, gap: float) -> tuple[Point, ...]:
    h = size / 2 - gap
    return (x - h, y + h), (x + h, y + h), (x + h, y - h), (x - h, y - h)


def _rectangle(width: float, height: float) -> tuple[Point, ...]:
    w, h = width / 2, height / 2
    return (-w, h), (w, h), (w, -h), (-w, -h)


def _printed(
    style: str, chance: random.Random, columns: int, rows: int, pitch: float, light: Colour, dark: Colour
) -> tuple[Colour, list[Mark]]:
    """The ground of the grid, and what is printed on it."""
    at = [
        (c, r, (c - (columns - 1) / 2) * pitch, (r - (rows - 1) / 2) * pitch)
        for c in range(columns)
        for r in range(rows)
    ]
    x, y, width = columns * pitch / 2, rows * pitch / 2, chance.uniform(0.6, 2.0)
    ink = chance.choice([dark, (30, 28, 26)])
    upright = [((c * pitch - x, -y), (c * pitch - x, y)) for c in range(columns + 1)]
    level = [((-x, r * pitch - y), (x, r * pitch - y)) for r in range(rows + 1)]
    lines: list[Mark] = [Stroke(ends, width, ink) for ends in upright + level]
    if style in ("chess", "draughts"):
        marks: list[Mark] = [Area(_square(x, y, pitch, 0), dark) for c, r, x, y in at if (c + r) % 2 == 0]
        return light, marks + (lines if chance.random() < 0.25 else [])
    if style == INLAID:
        differ = chance.uniform(0.03, 0.12)
        woods = [(x, y, dark if (c + r) % 2 == 0 else light) for c, r, x, y in at]
        return light, [mark for x, y, wood in woods for mark in _piece_of_wood(chance, x, y, pitch, wood, differ)]
    if style == "lines":
        return light, lines
    if style == "recess":
        return dark, [Area(_square(x, y, pitch, 0.06 * pitch), light) for _, _, x, y in at]
    if style == "go":
        crossed = [Stroke((a, b), width / 2, ink) for a, b in _through(columns, rows, pitch)]
        return light, crossed + [Disc((x, y), 4.0, ink) for c, r, x, y in at if c % 6 == r % 6 == 3]
    if style == "dots":
        spot = chance.uniform(0.2, 0.5) * pitch
        return light, lines * chance.choice([0, 1]) + [Disc((x, y), spot, dark) for _, _, x, y in at]
    if style == "scrabble":
        tints = [_varied((200, 90, 80), chance, 30), _varied((110, 160, 210), chance, 30)]
        special = {}
        for c, r, x, y in at:
            a, b = sorted((min(c, columns - 1 - c), min(r, rows - 1 - r)))
            kind = random.Random(f"{a} {b} {pitch}").random()
            if kind < 0.3:
                special[x, y] = tints[kind < 0.12]
        return light, [Area(_square(x, y, pitch, 0.03 * pitch), colour) for (x, y), colour in special.items()] + lines
    drawn: list[Mark] = []
    for _, _, x, y in at:
        drawn += _picture(chance, x, y, pitch)
    return light, drawn + lines * chance.choice([0, 1])


def _piece_of_wood(chance: random.Random, x: float, y: float, pitch: float, wood: Colour, differ: float) -> list[Mark]:
    """A square of veneer: its tone differs from its neighbours' by such a part, its grain by half of that."""
    tone = 1 + chance.gauss(0, differ)
    own = _varied(_times(wood, tone), chance, 20 * differ)
    marks: list[Mark] = [Area(_square(x, y, pitch, 0), own)]
    for _ in range(chance.randrange(6)):
        (along, wide), half = (chance.uniform(-0.45, 0.45) * pitch, chance.uniform(0.01, 0.05) * pitch), 0.47 * pitch
        drift = chance.gauss(0, 0.05) * pitch
        ends = ((x + along, y - half), (x + max(-half, min(half, along + drift)), y + half))
        marks.append(Stroke(ends, wide, _times(own, 1 + chance.gauss(0, differ / 2))))
    return marks


def _times(colour: Colour, factor: float) -> Colour:
    r, g, b = (int(min(250, max(8, v * factor))) for v in colour)
    return r, g, b


def _through(columns: int, rows: int, pitch: float) -> list[tuple[Point, Point]]:
    """Lines through the middles of fields."""
    x, y = (columns - 1) * pitch / 2, (rows - 1) * pitch / 2
    upright = [((c * pitch - x, -y), (c * pitch - x, y)) for c in range(columns)]
    return upright + [((-x, r * pitch - y), (x, r * pitch - y)) for r in range(rows)]


def _picture(chance: random.Random, x: float, y: float, pitch: float) -> list[Mark]:
    """A printed picture on one field."""
    colours = [_varied((140, 135, 128), chance, 42) for _ in range(4)]
    marks: list[Mark] = [Area(_square(x, y, pitch, 0), colours[0])]
    for colour in colours[1:]:
        dx, dy, size = (
            chance.uniform(-0.25, 0.25) * pitch,
            chance.uniform(-0.25, 0.25) * pitch,
            chance.uniform(0.1, 0.5),
        )
        if chance.random() < 0.5:
            marks.append(Disc((x + dx, y + dy), size * pitch, colour))
        else:
            marks.append(Area(_square(x + dx, y + dy, size * pitch, 0), colour))
    return marks


def _pieces(style: str, chance: random.Random, pitch: float, light: Colour, dark: Colour) -> dict[str, Look]:
    own = [
        (light, dark),
        (light, dark),
        ((240, 232, 214), (40, 36, 34)),
        ((214, 60, 50), (40, 80, 170)),
        ((246, 240, 220), (70, 40, 28)),
    ]
    pair, by = chance.choice(own), chance.choice([3.0, 10.0])
    colours = [_varied(colour, chance, by) for colour in pair]
    forms: list[Callable[[random.Random, float, Colour], Look]]
    if style == ODD:
        forms = [odd] * 4
    elif style in ("chess", INLAID):
        forms = [turned] * 5
    elif style == "draughts":
        forms = [disc, disc, stacked]
    elif style == "go":
        forms = [stone]
    else:
        forms = [chance.choice([turned, disc, cube, halma, cylinder]) for _ in range(2)]
    kinds = {}
    for n, form in enumerate(forms):
        state = chance.random()
        for colour, letter in zip(colours, "ab", strict=True):
            kinds[f"{n}{letter}"] = form(random.Random(state), pitch, colour)
    return kinds


def _cylinder(radius: float, z0: float, z1: float, colour: Colour, marks: tuple[Mark, ...] = ()) -> Prism:
    return Prism(regular(22, radius), z0, z1, colour, marks)


def turned(chance: random.Random, pitch: float, colour: Colour) -> Look:
    """A turned piece: foot, waist, head."""
    height, foot = chance.uniform(0.75, 1.85) * pitch, chance.uniform(0.26, 0.4) * pitch
    waist, head = chance.uniform(0.4, 0.7) * foot, chance.uniform(0.5, 0.85) * foot
    steps = 6
    parts: list[Any] = [
        _cylinder(foot, 0, 0.08 * height, colour),
        _cylinder(0.85 * foot, 0.08 * height, 0.15 * height, colour),
    ]
    for k in range(steps):
        low, high = 0.15 + 0.55 * k / steps, 0.15 + 0.55 * (k + 1) / steps
        parts.append(
            _cylinder(0.75 * foot + (waist - 0.75 * foot) * (k + 1) / steps, low * height, high * height, colour)
        )
    parts.append(_cylinder(head, 0.7 * height, 0.75 * height, colour))
    if chance.random() < 0.4:
        parts.append(_cylinder(0.9 * head, 0.75 * height, height, colour))
    else:
        parts.append(Ball((0, 0), 0.75 * height + 0.8 * head, 1.6 * head, colour))
    return tuple(parts)


def disc(chance: random.Random, pitch: float, colour: Colour) -> Look:
    """A draughtsman with its rings."""
    radius, height = chance.uniform(0.3, 0.45) * pitch, chance.uniform(0.12, 0.25) * pitch
    r, g, b = colour
    darker = (r * 4 // 5, g * 4 // 5, b * 4 // 5)
    return (
        _cylinder(radius, 0, height, colour, (Disc((0, 0), 1.5 * radius, darker), Disc((0, 0), 1.3 * radius, colour))),
    )


def stone(chance: random.Random, pitch: float, colour: Colour) -> Look:
    """A stone as of go: a thick lens."""
    radius, height = chance.uniform(0.4, 0.47) * pitch, chance.uniform(0.25, 0.45) * pitch
    steps = [-0.75, -0.45, -0.15, 0.15, 0.45, 0.75]
    return tuple(
        _cylinder(radius * (1 - z * z) ** 0.5, height * (1 + z - 0.15) / 2, height * (1 + z + 0.15) / 2, colour)
        for z in steps
    )


def stacked(chance: random.Random, pitch: float, colour: Colour) -> Look:
    """Two draughtsmen, one upon the other."""
    radius, height = chance.uniform(0.3, 0.45) * pitch, chance.uniform(0.12, 0.25) * pitch
    return _cylinder(radius, 0, height, colour), _cylinder(radius, height + 0.5, 2 * height, colour)


def cube(chance: random.Random, pitch: float, colour: Colour) -> Look:
    """A cube or a brick."""
    side = chance.uniform(0.3, 0.6) * pitch
    return (Prism(_square(0, 0, side, 0), 0, side * chance.uniform(0.5, 1.3), colour),)


def cylinder(chance: random.Random, pitch: float, colour: Colour) -> Look:
    """A peg."""
    return (_cylinder(chance.uniform(0.15, 0.35) * pitch, 0, chance.uniform(0.4, 0.9) * pitch, colour),)


def halma(chance: random.Random, pitch: float, colour: Colour) -> Look:
    """A pawn as of halma: a cone with a ball on top."""
    radius, height = chance.uniform(0.2, 0.35) * pitch, chance.uniform(0.6, 1.1) * pitch
    steps = 6
    cone = [
        _cylinder(radius * (1 - 0.65 * k / steps), 0.7 * height * k / steps, 0.7 * height * (k + 1) / steps, colour)
        for k in range(steps)
    ]
    return *cone, Ball((0, 0), 0.8 * height, 0.4 * height, colour)


def odd(chance: random.Random, pitch: float, colour: Colour) -> Look:
    """A piece of any shape, as of knights and figures: parts upon each other, not all in the middle."""
    height, foot = chance.uniform(0.3, 1.8) * pitch, chance.uniform(0.2, 0.42) * pitch
    base = chance.uniform(0.05, 0.2) * height
    parts: list[Any] = [_cylinder(foot, 0, base, colour)]
    tints = [colour, colour, _varied(colour, chance, 30)]
    levels = sorted(chance.uniform(base, 0.9 * height) for _ in range(chance.choice([1, 2, 3])))
    for low, high in pairwise([base, *levels, height]):
        x, y, size = chance.gauss(0, 0.1 * foot), chance.gauss(0, 0.25 * foot), chance.uniform(0.35, 0.9) * foot
        angle, wide, tint = chance.uniform(0, np.pi), chance.uniform(0.4, 1.0), chance.choice(tints)
        corners = 4 if chance.random() < 0.5 else 12
        turns = [angle + 2 * np.pi * (k + 0.5) / corners for k in range(corners)]
        outline = tuple((x + size * np.cos(t), y + wide * size * np.sin(t)) for t in reversed(turns))
        parts.append(Prism(outline, low, high + 0.5, tint))
    if chance.random() < 0.4:
        parts.append(Ball((0, 0), height, chance.uniform(0.5, 1.2) * foot, colour))
    return tuple(parts)
