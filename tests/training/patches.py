"""Cuts patches out of pictures of the simulated table, to train on.

python -m tests.training.patches --game labyria --kinds edge,crossing,cell --first 20000 --count 800 --out DIR
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.registry import load_game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.geometry.lens import Lens
from companion.vision.geometry.raster import Paints, Raster, rasterise
from companion.vision.light.glare import GlareFinder
from companion.vision.light.illumination import IlluminationFinder
from companion.vision.light.palette import Light, measure_light
from companion.vision.locating.board import NoBoardError, locate
from companion.vision.networks.frames import patches_of
from companion.vision.readers.riders import Riders
from companion.vision.scene.arms import ARM, arms_over
from hardware.simulated.pieces import shared
from hardware.simulated.scene import Scene, scene_of
from hardware.simulated.setting import Setting
from hardware.simulated.truth import Truth, exists, truth
from tests.benchmarks.pictures import arranged, drawn, spread

ANYHOW = 0.7
"""In so many pictures things lie anyhow: games leave most places bare."""

NEAR, BESIDE, AROUND = 4.5, 0.4, 55.0
"""Millimetres from a foot to the places where its piece is to be seen; how far (in widths of the foot) from all feet
nothing is; and how far what stands there still reaches into a patch.
"""

RIDERS = "riders"
"""The name of what stands upon other things, among kinds of sites."""

VARNISHED = 1.0
"""How much varnished pieces shine, at most."""

NO_SITE = 2.0
"""What stands for the hidden part of a site that is none as things lie: a part of land that a tile does not have."""

ALIKE = 4.0
"""How much oftener than others labels of several things of one kind are on sites that things share."""

CORNERS = {"NE": (1, 1), "SE": (1, -1), "SW": (-1, -1), "NW": (-1, 1)}
"""Which ways, to the right and up, the arms of corners go."""

AMISS, JITTER = 0.08, 0.8
"""How often a block is taken to be higher or lower than it is, and how far places are moved (mm)."""

ASKEW = 1.5
"""How far (mm) parts of what lies askew, or is looked for with a wrong pose, are from where they should be."""


def main() -> None:
    """One file a picture: for each kind the patches, the labels, and how much of each site is hidden."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", required=True)
    parser.add_argument("--kinds", required=True)
    parser.add_argument("--first", type=int, default=20000)
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--plenty", action="store_true", help="more pieces than the set has: few counters teach little")
    parser.add_argument("--raytraced", action="store_true", help="path-traced pictures; needs mitsuba, mapbox_earcut")
    parser.add_argument("--varnished", action="store_true", help="pieces that shine, as far as the light lets them")
    parser.add_argument("--screened", action="store_true", help="something stands before a lamp in every picture")
    parser.add_argument("--crowded", type=float, default=0.0, help="how many of the sites that things share hold some")
    parser.add_argument("--ringed", type=float, default=0.0, help="where corners may close rings, how often they do")
    parser.add_argument("--strewn", action="store_true", help="what stands on parts of others stands anywhere there")
    parser.add_argument("--hands", type=float, default=0.3, help="in how many pictures there is a hand")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    game = load_game(options.game)
    paints = Paints.of([game.board, *game.looks.values()])
    board = rasterise(game.board, paints)
    glare, illumination = GlareFinder(game, paints, board), IlluminationFinder(paints, board)
    sweeps, kinds = {}, options.kinds.split(",")
    riders = RiderPlaces(game, paints, board) if RIDERS in kinds else None
    for kind in (kind for kind in kinds if kind != RIDERS):
        sweeps[kind] = patches_of(game, [site for site in game.sites if site.kind == kind])
    for seed in range(options.first, options.first + options.count):
        path = options.out / f"{seed}.npz"
        if path.exists():
            continue
        scene, conditions = arranged(game, seed, hands=options.hands, anyhow=ANYHOW, plenty=options.plenty)
        scene = crowded(game, scene, options.crowded, seed)
        scene = ringed(game, scene, options.ringed, seed)
        if options.strewn:
            scene = spread(game, scene, np.random.default_rng([seed, 7]))
        if options.varnished:
            conditions = replace(conditions, paint=replace(conditions.paint, gloss=VARNISHED))
        if options.screened:
            conditions = conditions.screened()
        image = drawn(game, scene, conditions, options.raytraced)
        true = truth(game, scene, conditions)
        try:
            pose = locate(image, game, Lens.nominal((image.shape[1], image.shape[0])))
        except NoBoardError:
            continue
        light = measure_light(image, pose, game.marker, -game.plate.thickness)
        here = (light or Light.nominal()).over(image)
        image = glare.measure(image, pose, here).taken_off(image, pose, here)
        if illumination.tells:
            image = illumination.measure(image, pose, here).evened(image, pose)
        found: dict[str, np.ndarray] = {}
        chance = np.random.default_rng([seed, 10])
        for kind, sweep in sweeps.items():
            sites = sweep.sites
            there = [site.at(true.sites.get(site.on, EMPTY)) for site in sites]
            if options.strewn:
                there = [amiss(site, chance) if site.on else site for site in there]
            placed = patches_of(game, there) if there != list(sites) else sweep
            found[f"{kind}.patches"] = placed.cut(image, pose, here, placed.plan(pose), np.arange(len(sites)))
            labels, hidden = shown(game, sites, true)
            found[f"{kind}.labels"], found[f"{kind}.hidden"] = np.array(labels), np.array(hidden, np.float32)
        if riders:
            feet = standing(Setting(game, conditions), scene, true)
            places, labels, hidden = riders.places(feet, true, np.random.default_rng(seed))
            found[f"{RIDERS}.patches"] = riders.spotter.patches(image, pose, here, places)
            found[f"{RIDERS}.labels"], found[f"{RIDERS}.hidden"] = np.array(labels), np.array(hidden, np.float32)
        np.savez(path, **found)  # type: ignore[arg-type]


def amiss(site: SiteSpec, chance: np.random.Generator) -> SiteSpec:
    """The site where it is looked for if what it is a part of lies askew."""
    x, y, z = site.centre
    dx, dy = chance.uniform(-ASKEW, ASKEW, 2).tolist()
    return site._replace(centre=(x + dx, y + dy, z))


def crowded(game: Game[Any, Any], scene: Scene, rate: float, seed: int) -> Scene:
    """The scene with anything on so many of the sites on which several things may stand, whatever the rules say; most
    often several of one kind, one of which is easily overlooked.
    """
    if not rate:
        return scene
    chance = np.random.default_rng([seed, 8])
    chosen = {}
    for site in (site for site in game.sites if shared(site) and site.nothing == EMPTY):
        often = np.array([ALIKE if "*" in label and "+" not in label else 1.0 for label in site.labels[1:]])
        label = str(chance.choice(site.labels[1:], p=often / often.sum()))
        if chance.random() < rate:
            chosen[site.name] = label
    return replace(scene, pieces={**scene.pieces, **scene_of(game, chosen, seed).pieces})


def ringed(game: Game[Any, Any], scene: Scene, rate: float, seed: int) -> Scene:
    """The scene with pairs of corners that close rings, wherever there is room, at so many places. Four corners could
    be there then, and which two are is seen where they meet only.
    """
    if not rate:
        return scene
    chance = np.random.default_rng([seed, 9])
    sites = [site for site in game.sites if set(site.labels[1:]) == set(CORNERS)]
    corners = {_place(*site.centre[:2]): site for site in sites}
    step = min(float(np.hypot(*np.subtract(site.centre, sites[0].centre)[:2])) for site in sites[1:])
    taken = {_place(*site.centre[:2]) for site in game.sites if site.name in scene.pieces}
    for site in (site for site in sites if site.name in scene.pieces):
        taken |= set(_arms(site, scene.pieces[site.name][0].label, step))
    chosen: dict[str, str] = {}
    for number in chance.permutation(len(sites)):
        site, label = sites[number], str(chance.choice(list(CORNERS)))
        across, up = CORNERS[label]
        back = next(name for name, way in CORNERS.items() if way == (-across, -up))
        facing = corners.get(_place(site.centre[0] + across * step, site.centre[1] + up * step))
        if facing is None or chance.random() > rate:
            continue
        ends = (_place(*one.centre[:2]) for one in (site, facing))
        own = {*ends, *_arms(site, label, step), *_arms(facing, back, step)}
        if own.isdisjoint(taken):
            taken |= own
            chosen |= {site.name: label, facing.name: back}
    return replace(scene, pieces={**scene.pieces, **scene_of(game, chosen, seed).pieces})


def _place(x: float, y: float) -> tuple[int, int]:
    """A place (mm) as precisely as places of sites differ."""
    return round(x), round(y)


def _arms(site: SiteSpec, label: str, step: float) -> list[tuple[int, int]]:
    """The middles of a corner's arms."""
    (x, y, _), (across, up) = site.centre, CORNERS[label]
    return [_place(x + across * step / 2, y), _place(x, y + up * step / 2)]


class Foot(NamedTuple):
    """Where a piece stands (mm), and how much of it is hidden."""

    name: str
    x: float
    y: float
    hidden: float


def standing(setting: Setting, scene: Scene, true: Truth) -> list[Foot]:
    """The feet of all pieces that stand upon others."""
    feet = []
    for site in (site for site in setting.game.sites if site.upon):
        for stack in setting.stack(scene, site.name):
            x, y = stack[0].footprint.mean(axis=0)[:2]
            feet.append(Foot(site.kind.partition(":")[2], float(x), float(y), true.hidden.get(site.name, 0.0)))
    return feet


class RiderPlaces:
    """Places, near feet and away from them, where a network looks for pieces (`companion.vision.networks.spotting`)."""

    def __init__(self, game: Game[Any, Any], paints: Paints, board: Raster) -> None:
        sites = [site for site in game.sites if site.upon]
        self._hosts = [site for site in game.sites if site.kind == sites[0].upon]
        self._riders = Riders(game, sites, self._hosts, paints, board)
        looks = {label: game.look(sites[0].upon, label) for label in self._hosts[0].labels}
        tops = {label: [s.z1 for s in look if isinstance(s, Prism)] for label, look in looks.items()}
        self._heights = {label: max(some, default=0.0) for label, some in tops.items()}
        self.spotter = self._riders.spotter

    def places(
        self, feet: Sequence[Foot], true: Truth, chance: np.random.Generator
    ) -> tuple[np.ndarray, list[str], list[float]]:
        """Places (n, 3), the pieces that stand there, and how much of these is hidden. Some blocks are taken to be as
        high as others of their wood are.
        """
        high = np.array([self._heights[true.sites[host.name]] for host in self._hosts])
        steps = np.unique([z for z in self._heights.values() if z > 0])
        amiss = (chance.random(len(high)) < AMISS) & (high > 0)
        high = np.where(amiss, np.clip(high + chance.choice([-2, 2], len(high)) * steps[0], steps[0], steps[-1]), high)
        at = np.array([spot.place for spot in self._riders.spots(high)])
        away = np.array([np.hypot(at[:, 0] - foot.x, at[:, 1] - foot.y) for foot in feet]).reshape(len(feet), -1)
        near = away.min(axis=0, initial=np.inf)
        chosen, names, hidden = [], [], []
        for own, foot in zip(away, feet, strict=True):
            mine = [int(k) for k in np.argsort(own)[:6] if own[k] == near[k] and own[k] < NEAR]
            chosen += mine
            names += [foot.name] * len(mine)
            hidden += [foot.hidden] * len(mine)
        for free, count in ((near < AROUND, 34), (near >= AROUND, 14)):
            some = chance.permutation(np.flatnonzero(free & (near > BESIDE * self._riders.width)))
            chosen += some[:count].tolist()
        names += [EMPTY] * (len(chosen) - len(names))
        hidden += [0.0] * (len(chosen) - len(hidden))
        places = at[chosen]
        places[:, :2] += chance.uniform(-JITTER, JITTER, (len(places), 2))
        return places, names, hidden


def shown(game: Game[Any, Any], sites: Sequence[SiteSpec], truth: Truth) -> tuple[list[str], list[float]]:
    """What is over each site, arms from others among it, and how much of that is hidden; what stands upon the things on
    such sites, what they stand on themselves, and what may lie anywhere, has no arms. A bare site behind what stands
    around it, as a crossing between walls, is seen to be bare all the same: only what is no piece hides it.
    """
    labels = [truth.sites.get(site.name, EMPTY) for site in sites]
    hidden = [
        (truth.foreign if label == EMPTY else truth.hidden).get(site.name, 0.0)
        for site, label in zip(sites, labels, strict=True)
    ]
    for k, site in enumerate(sites):
        if not exists(site, truth.sites):
            hidden[k] = NO_SITE
    others = (site for site in game.sites if site not in sites and not site.upon and not site.roving)
    for other in (site for site in others if truth.sites.get(site.name, EMPTY) != EMPTY):
        over = arms_over(game, other, sites)[other.labels.index(truth.sites[other.name])]
        for k in (k for k in np.flatnonzero(over) if sites[k].on != other.name):
            labels[k], hidden[k] = ARM, truth.hidden.get(other.name, 0.0)
    return labels, hidden


if __name__ == "__main__":
    main()
