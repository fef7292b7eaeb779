"""Cuts patches out of pictures of the simulated table, to train on.

python -m tests.training.patches --game labyria --kinds edge,crossing,cell --first 20000 --count 800 --out DIR
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.registry import load_game
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.arms import ARM, arms_over
from companion.vision.board import NoBoardError, locate
from companion.vision.frames import patches_of
from companion.vision.glare import GlareFinder
from companion.vision.learned import placed
from companion.vision.lens import Lens
from companion.vision.palette import Light, measure_light
from companion.vision.raster import Paints, rasterise
from hardware.simulated.truth import Truth
from tests.benchmarks.pictures import picture

ANYHOW = 0.7
"""In so many pictures things lie anyhow: games leave most places bare."""


def main() -> None:
    """One file a picture: for each kind the patches, the labels, and how much of each site is hidden."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", required=True)
    parser.add_argument("--kinds", required=True)
    parser.add_argument("--first", type=int, default=20000)
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--plenty", action="store_true", help="more pieces than the set has: few counters teach little")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    game = load_game(options.game)
    looks = [game.look(site.kind, label) for site in game.sites for label in site.labels]
    paints = Paints.of([game.board, *looks])
    glare = GlareFinder(game, paints, rasterise(game.board, paints))
    sweeps = {}
    for kind in options.kinds.split(","):
        sites = [site for site in game.sites if site.kind == kind]
        sweeps[kind] = patches_of(game, sites)
    for seed in range(options.first, options.first + options.count):
        path = options.out / f"{seed}.npz"
        if path.exists():
            continue
        shot = picture(game, seed, anyhow=ANYHOW, plenty=options.plenty)
        try:
            pose = locate(shot.image, game, Lens.nominal((shot.image.shape[1], shot.image.shape[0])))
        except NoBoardError:
            continue
        light = measure_light(shot.image, pose, game.marker, -game.plate.thickness)
        here = (light or Light.nominal()).over(shot.image)
        image = glare.measure(shot.image, pose, here).taken_off(shot.image, pose, here)
        found: dict[str, np.ndarray] = {}
        for kind, sweep in sweeps.items():
            sites = [placed(site, shot.truth.sites) for site in sweep.sites if site.name in shot.truth.sites]
            there = sweep.at(sites)
            found[f"{kind}.patches"] = there.cut(image, pose, here, there.plan(pose), np.arange(len(sites)))
            labels, hidden = shown(game, sites, shot.truth)
            found[f"{kind}.labels"], found[f"{kind}.hidden"] = np.array(labels), np.array(hidden, np.float32)
        np.savez(path, **found)  # type: ignore[arg-type]


def shown(game: Game[Any, Any], sites: Sequence[SiteSpec], truth: Truth) -> tuple[list[str], list[float]]:
    """What is over each site, arms from others among it, and how much of that is hidden; what stands upon the things on
    such sites has no arms. A bare site behind what stands around it, as a crossing between walls, is seen to be bare
    all the same: only what is no piece hides it.
    """
    labels = [truth.sites.get(site.name, EMPTY) for site in sites]
    hidden = [
        (truth.foreign if label == EMPTY else truth.hidden).get(site.name, 0.0)
        for site, label in zip(sites, labels, strict=True)
    ]
    others = (site for site in game.sites if site not in sites and not site.upon)
    for other in (site for site in others if truth.sites.get(site.name, EMPTY) != EMPTY):
        over = arms_over(game, other, sites)[other.labels.index(truth.sites[other.name])]
        for k in np.flatnonzero(over):
            labels[k], hidden[k] = ARM, truth.hidden.get(other.name, 0.0)
    return labels, hidden


if __name__ == "__main__":
    main()
