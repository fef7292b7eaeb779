"""Pictures of the simulated table for benchmarks: random positions of random games under random conditions.

    python -m tests.benchmarks.pictures FOLDER --game via [--first 600000] [--pictures 10] [--difficulty 0.5]
        [--raytraced]

writes them with what they show, to look at.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.core import CHANCE, Game, Position
from companion.games.looks import Look, Prism
from companion.games.registry import load_game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.points import on_board, on_site
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import STEP, Paints, rasterise
from hardware.simulated.conditions import Conditions
from hardware.simulated.pieces import base, things
from hardware.simulated.places import Places, Taken
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import HandPose, Scene, Shift, scene_of
from hardware.simulated.truth import Truth, exists, truth

MOST = 1200
"""Longer games are stopped after so many positions."""

ANYHOW = 0.25
"""In so many pictures things lie otherwise than a game brings them."""

OVER = 2.5
"""Millimetres of a thing that may stand beside the part on which it stands."""

FEW = 9
"""With fewer outcomes, chance may be kind."""


class Picture(NamedTuple):
    """A picture with its truth."""

    seed: int
    image: NDArray[np.uint8]
    truth: Truth
    hand: bool


def true_pose(image: cv2.typing.MatLike, shown: Truth) -> Pose:
    """Where the board truly is in a picture of the simulated table."""
    k = shown.matrix
    lens = Lens((image.shape[1], image.shape[0]), (k[0, 0], k[1, 1]), (k[0, 2], k[1, 2]), (*shown.distortion[:4], 0.0))
    return Pose(shown.rotation, shown.translation, lens, (), 0.0, 0.0)


def picture(
    game: Game[Any, Any],
    seed: int,
    difficulty: float | None = None,
    hands: float = 0.3,
    anyhow: float = ANYHOW,
    plenty: bool = False,
) -> Picture:
    """The picture with that seed; without `difficulty` a random one. `hands`: how often a hand is over the table,
    `anyhow`: how often things lie otherwise than a game brings them, `plenty`: more of them than the set has.
    """
    scene, conditions = arranged(game, seed, difficulty, hands, anyhow, plenty)
    return Picture(seed, drawn(game, scene, conditions), truth(game, scene, conditions), bool(scene.hands))


def raytraced(game: Game[Any, Any], seed: int, difficulty: float | None = None) -> Picture:
    """The same table, path-traced."""
    scene, conditions = arranged(game, seed, difficulty)
    image = drawn(game, scene, conditions, path_traced=True)
    return Picture(seed, image, truth(game, scene, conditions), bool(scene.hands))


def screened(game: Game[Any, Any], seed: int) -> Picture:
    """The same table with something before a lamp."""
    scene, conditions = arranged(game, seed)
    conditions = conditions.screened()
    return Picture(seed, drawn(game, scene, conditions), truth(game, scene, conditions), bool(scene.hands))


def strewn(game: Game[Any, Any], seed: int) -> Picture:
    """The same table with buildings and the like anywhere on their parts of land."""
    scene, conditions = arranged(game, seed)
    scene = spread(game, scene, np.random.default_rng([seed, 7]))
    return Picture(seed, drawn(game, scene, conditions), truth(game, scene, conditions), bool(scene.hands))


def spread(game: Game[Any, Any], scene: Scene, chance: np.random.Generator) -> Scene:
    """The scene with what stands on parts of other things anywhere on these where there is room, turned anyhow."""
    specs, moved = {site.name: site for site in game.sites}, {}
    for name in sorted(specs.keys() & scene.pieces.keys()):
        site = specs[name]
        hosts = scene.pieces.get(site.on, ())
        place = site.place(hosts[-1].label) if hosts and site.on else None
        if place is None:
            continue
        host, stack = specs[site.on], scene.pieces[name]
        own = tuple(round(float(k), 2) for k in on_site(host, np.array([place[:2]]))[0])
        places = _room(game, host.kind, hosts[-1].label, own, _half(game.look(site.kind, stack[-1].label)))
        if len(places):
            to = places[chance.integers(len(places))] - own
            dx, dy = on_board(host, to[None])[0] - host.centre[:2]
            turned = Shift(float(dx), float(dy), float(chance.uniform(-180, 180)))
            moved[name] = tuple(piece._replace(shift=turned) for piece in stack)
    return replace(scene, pieces={**scene.pieces, **moved})


def _half(look: Look) -> float:
    """Half of a thing's width (mm) where it is narrower."""
    points = np.array([point for solid in look if isinstance(solid, Prism) for point in solid.footprint])
    return float(np.ptp(points, axis=0).min()) / 2


@cache
def _room(game: Game[Any, Any], kind: str, label: str, place: tuple[float, ...], reach: float) -> NDArray[np.float64]:
    """Points (n, 2), mm in the frame of a thing with that label, where what reaches so far (mm) stands in the area of
    one colour in which `place` lies: beyond its edge by `OVER` at most.
    """
    look = game.look(kind, label)
    face = rasterise(look, Paints.of([look]))
    column, row = (round((k - o) / STEP) for k, o in zip(place, face.origin, strict=True))
    alike = (face.values == face.values[row, column]).astype(np.uint8)
    areas = np.asarray(cv2.connectedComponents(alike, connectivity=4)[1])
    inside = cv2.distanceTransform((areas == areas[row, column]).astype(np.uint8), cv2.DIST_L2, 5)
    rows, columns = np.nonzero(np.asarray(inside) * STEP > reach - OVER)
    return np.column_stack([columns, rows]) * STEP + face.origin


def drawn(game: Game[Any, Any], scene: Scene, conditions: Conditions, path_traced: bool = False) -> NDArray[np.uint8]:
    """The picture that a camera takes of the scene: as the simulated table draws it, or path-traced."""
    if path_traced:
        from tests.raytracing.table import taken  # what it needs is not installed everywhere

        return taken(game, scene, conditions, conditions.seed)
    return Renderer(game, conditions).render(scene)


def arranged(
    game: Game[Any, Any],
    seed: int,
    difficulty: float | None = None,
    hands: float = 0.3,
    anyhow: float = ANYHOW,
    plenty: bool = False,
) -> tuple[Scene, Conditions]:
    """What the picture with that seed shows, and how it is taken; see `picture`."""
    chance = random.Random(seed)
    conditions = Conditions.random(game, seed, chance.random() if difficulty is None else difficulty)
    labels = labels_of(_position(game, chance), chance)
    if chance.random() < anyhow:
        labels = scattered(game, labels, chance, plenty)
    scene = scene_of(game, labels, seed)
    if chance.random() < hands:
        scene = Scene(scene.pieces, (_hand(game, chance),))
    return scene, conditions


def labels_of(position: Position[Any], chance: random.Random) -> Mapping[str, str | Sequence[str]]:
    """A table that shows the position: hands in any slots, counters where they may stand, stacked in any order."""
    view = position.view()
    labels: dict[str, str | Sequence[str]] = {k: label for k, label in view.sites.items() if label != EMPTY}
    for site, possible in view.either.items():
        free = [label for label in possible if label not in labels.values()]
        labels[site] = chance.choice(free or list(possible))
    for group in view.groups:
        slots = chance.sample(group.sites, len(group.labels))
        labels.update(zip(slots, group.labels, strict=True))
    for site, kept in view.kept.items():
        stack = [label for label in kept if label != EMPTY]
        if stack:
            labels[site] = chance.sample(stack, len(stack))
    nothing = {site.name: site.nothing for site in position.game.sites}
    for site, parts in position.details().items():
        if labels.get(site, nothing[site]) != nothing[site]:
            labels[site] = f"{labels[site]} {''.join(chance.sample(parts, len(parts)))}".strip()
    return labels


def scattered(
    game: Game[Any, Any], labels: Mapping[str, str | Sequence[str]], chance: random.Random, plenty: bool = False
) -> dict[str, str | Sequence[str]]:
    """The same table, but on all sites of some kinds there is anything or nothing, whatever the rules say, as far as
    there is room, and unless there is `plenty`, as far as the set is known to have the things.
    """
    fixed = [site for site in game.sites if not (site.loose or site.roving or site.on) and (plenty or site.stack == 1)]
    kinds = sorted({site.kind for site in fixed})
    rates = {kind: chance.random() for kind in chance.sample(kinds, chance.randint(1, len(kinds)))}
    places, taken, left = Places(game), list[Taken](), Counter() if plenty else _known_things(game)
    result = {site: label for site, label in labels.items() if places.specs[site].kind not in rates}
    for name, lying in result.items():
        site = places.specs[name]
        for label in [lying] if isinstance(lying, str) else lying:
            _take(left, game, site, label)
            taken += [Taken.of(solid, site.centre, site.angle) for solid in places.look(site.kind, label)]
    for site in (site for site in chance.sample(fixed, len(fixed)) if site.kind in rates):
        label = chance.choice(site.labels[1:]) if chance.random() < rates[site.kind] else site.nothing
        own = [Taken.of(solid, site.centre, site.angle) for solid in places.look(site.kind, label)]
        named = Counter({_stock(game, site, name): count for name, count in things(site, label).items()})
        short = any(count > left[name] for name, count in named.items() if name in left)
        if label != site.nothing and not short and not any(a.meets(b) for a in own for b in taken):
            result[site.name] = [label, *_upon(site, chance)] if site.stack > 1 else label
            taken += own
            _take(left, game, site, label)
    known = {site: label for site, label in result.items() if isinstance(label, str)}
    if plenty:
        rate = chance.random()
        riders = [site for site in game.sites if site.on and exists(site, known) and chance.random() < rate]
        result |= {site.name: chance.choice(site.labels[1:]) for site in riders}
    return {site: label for site, label in result.items() if exists(places.specs[site], known)}


def _upon(site: SiteSpec, chance: random.Random) -> list[str]:
    """What lies on a thing where things are stacked: mostly nothing."""
    return [chance.choice(site.labels[1:]) for _ in range(min(site.stack - 1, chance.choice((0, 0, 0, 0, 1, 1, 2, 3))))]


def _known_things(game: Game[Any, Any]) -> Counter[tuple[str, str]]:
    """How many things the set has, by stock and name: those that it counts, or that lie there at first."""
    specs = {site.name: site for site in game.sites}
    known: Counter[tuple[str, str]] = Counter()
    for site, label in game.new(max(game.player_counts)).view().sites.items():
        known.update({_stock(game, specs[site], name): count for name, count in things(specs[site], label).items()})
    return known | Counter({("", name): count for name, count in game.copies.items()})


def _take(left: Counter[tuple[str, str]], game: Game[Any, Any], site: SiteSpec, label: str) -> None:
    """Takes what a label names out of what is left, as far as its number is known."""
    named = ((_stock(game, site, name), count) for name, count in things(site, label).items())
    left.subtract({name: count for name, count in named if name in left})


def _stock(game: Game[Any, Any], site: SiteSpec, name: str) -> tuple[str, str]:
    """Which stock a thing on a site is of: things that the set counts may lie anywhere, others belong to a kind."""
    return ("" if base(name) in game.copies else site.kind, base(name))


def _position(game: Game[Any, Any], chance: random.Random) -> Position[Any]:
    """A position of a game stopped anywhere. Now and then chance is kind to who is on turn, so that turns grow long and
    boards and trays fill.
    """
    luck = chance.choice((0.0, 0.0, 0.95, 1.0))
    position: Position[Any] = game.new(chance.choice(game.player_counts))
    positions: list[Position[Any]] = []
    phase = ""
    while not position.over and len(positions) < MOST:
        actions = sorted(position.legal_actions(), key=str)
        if position.turn != CHANCE:
            phase = position.phase
        elif len(actions) < FEW and chance.random() < luck:
            actions = [action for action in actions if position.play(action).phase == phase] or actions
        position = position.play(chance.choice(actions))
        if position.turn != CHANCE:
            positions.append(position)
    phase = chance.choice(sorted({one.phase for one in positions}))
    alike = [one for one in positions if one.phase == phase]
    return chance.choice(alike if chance.random() < 0.5 else positions)


def _hand(game: Game[Any, Any], chance: random.Random) -> HandPose:
    half = 0.6 * game.plate.side
    x, y = chance.uniform(-half, half), chance.uniform(-half, half)
    direction = np.degrees(np.arctan2(x, y)) + chance.uniform(-60, 60)
    return HandPose(x, y, chance.uniform(5, 60), float(direction), chance.randrange(20), grip=chance.random())


def main() -> None:
    """Writes pictures with their truth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", default="triangle")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--pictures", type=int, default=10)
    parser.add_argument("--difficulty", type=float)
    parser.add_argument("--raytraced", action="store_true", help="path-traced; needs mitsuba and mapbox_earcut")
    options = parser.parse_args()
    draw = raytraced if options.raytraced else picture
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(options.first, options.first + options.pictures):
        begun = perf_counter()
        shot = draw(load_game(options.game), seed, options.difficulty)
        path = options.folder / f"{options.game}_{seed:06d}.png"
        cv2.imwrite(str(path), shot.image)
        shown = {"sites": dict(shot.truth.sites), "hidden": dict(shot.truth.hidden), "hand": shot.hand}
        path.with_suffix(".json").write_text(json.dumps(shown, indent=1))
        print(f"{path}: {perf_counter() - begun:.2f} s")


if __name__ == "__main__":
    main()
