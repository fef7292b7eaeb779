"""How well and how fast one picture is read: on held-out pictures of the simulated table, and on stills with a truth.

    python -m tests.benchmarks.recognition [--pictures 300] [--first 100000] [--game triangle] [--stills]
        [--raytraced | --screened | --strewn] [--verbose]

With `--raytraced` the pictures are path-traced (`tests.raytracing`), as on another renderer's table, with `--screened`
something stands before a lamp in each: part of the table lies in a shadow, or in a patch of sun. With `--strewn` what
stands on parts of other things, as on a tile's land, stands anywhere there.

Sites that are covered by `HIDDEN` or more are not asked about, but a sure mistake there is told too. Of what bears
something else (a block under a messenger) `LADEN` may be covered. What counts is how a picture is read at first: read
again, it would be taken to confirm itself. Where a set has several of a thing, it is told too how the sites are read
by one who knows how many of each the players still hold, as a referee does.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import NoBoardError, detect_cards, locate
from companion.vision.locating.parallax import read_settled
from companion.vision.readers.reader import Reader
from companion.vision.readers.supply import with_supply
from companion.vision.reading import Reading, SiteReading
from hardware.simulated.conditions import HELD_OUT
from hardware.simulated.truth import exists
from tests.benchmarks.pictures import Picture, picture, raytraced, screened, strewn, true_pose

HIDDEN = 0.15
LADEN = 0.6
SURE = 0.9
BINS = (0.0, 0.5, 0.9, 0.99, 0.999, 1.01)


@dataclass
class Tally:
    """What came out."""

    pictures: int = 0
    lost: list[str] = field(default_factory=list)
    wrong: dict[str, list[str]] = field(default_factory=dict)
    sites: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)
    counted: dict[str, list[bool]] = field(default_factory=dict)
    doubtful: Counter[str] = field(default_factory=Counter)
    sure_mistakes: int = 0
    covered: list[str] = field(default_factory=list)
    certain: list[tuple[float, bool]] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)

    def read(
        self,
        name: str,
        game: Game[Any, Any],
        reading: Reading,
        truth: Mapping[str, str],
        hidden: Mapping[str, float],
        laden: Collection[str] = (),
    ) -> None:
        """Counts the sites of one picture; `laden` are those that bear something else."""
        told = with_hands_known(game, reading, truth)
        for site in (site for site in game.sites if exists(site, truth)):
            read, want = reading[site.name], truth.get(site.name, site.nothing)
            right = read.label == want
            if hidden.get(site.name, 0.0) >= (LADEN if site.name in laden else HIDDEN):
                if not right and read.trust > SURE:
                    self.covered.append(f"{name}: {site.name}, covered, {want} read as {read.label}")
                continue
            self.sites[site.kind] += 1
            if site.name in told:
                self.counted.setdefault(site.kind, []).append(told[site.name].label == want)
            self.certain.append((read.trust, right))
            self.doubtful[site.kind] += read.trust < SURE
            if not right:
                self.mistakes[site.kind] += 1
                self.sure_mistakes += read.trust > SURE
                text = f"{site.name} {want} read as {read.label} ({read.trust:.3f})"
                self.wrong.setdefault(name, []).append(text)

    def took(self, what: str, seconds: float) -> None:
        """Notes a time."""
        self.times.setdefault(what, []).append(seconds * 1000)


def read_picture(tally: Tally, game: Game[Any, Any], image: Array, name: str) -> tuple[Pose, Reading] | None:
    """Locates and reads one picture, with the times."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    reader = Reader(game)
    tally.pictures += 1
    start = perf_counter()
    detect_cards(grey)
    tally.took("marker detection", perf_counter() - start)
    start = perf_counter()
    try:
        pose = locate(image, game, lens := Lens.nominal((image.shape[1], image.shape[0])))
    except NoBoardError as error:
        tally.lost.append(f"{name}: {error}")
        return None
    tally.took("locating", perf_counter() - start)
    start = perf_counter()
    pose, reading = read_settled(image, game, pose, lens, partial(reader.read, image))
    tally.took("first reading", perf_counter() - start)
    start = perf_counter()
    reader.read(image, pose)
    tally.took("reading again", perf_counter() - start)
    few = {site.name for site in game.sites[:6]}
    start = perf_counter()
    reader.read(image, pose, few)
    tally.took("reading six sites again", perf_counter() - start)
    return pose, reading


def generated(game: Game[Any, Any], seeds: Iterable[int], draw: Callable[[Game[Any, Any], int], Picture]) -> Tally:
    """Pictures of the simulated table, as `draw` draws them."""
    tally = Tally()
    for seed in seeds:
        shot = draw(game, seed)
        result = read_picture(tally, game, shot.image, str(seed))
        if result is not None:
            tally.read(str(seed), game, result[1], shot.truth.sites, shot.truth.hidden, shot.truth.bearing)
            tally.off.append(pose_error(game, result[0], true_pose(shot.image, shot.truth)))
    return tally


def stills(game: Game[Any, Any], folder: Path) -> Tally:
    """Pictures with their truth beside them."""
    tally = Tally()
    for path in sorted(folder.glob("*.truth.json")):
        truth = json.loads(path.read_text())
        image = cv2.imread(str(path).replace(".truth.json", ".jpg"))
        assert image is not None, path
        result = read_picture(tally, game, image, path.name)
        if result is not None:
            tally.read(path.name, game, result[1], truth["sites"], dict.fromkeys(truth["occluded"], 1.0))
            camera = truth["camera"]
            lens = Lens(
                (camera["width"], camera["height"]),
                (camera["fx"], camera["fy"]),
                (camera["cx"], camera["cy"]),
                (camera["k1"], camera["k2"], 0.0, 0.0, 0.0),
            )
            true = Pose(np.array(camera["R"]), np.array(camera["t"]), lens, (), 0.0, 0.0)
            tally.off.append(pose_error(game, result[0], true))
    return tally


def with_hands_known(game: Game[Any, Any], reading: Reading, truth: Mapping[str, str]) -> dict[str, SiteReading]:
    """The sites that show things of which the set has several, read knowing how many of each lie on the board."""
    several = {thing for thing, count in game.copies.items() if count > 1}
    known: dict[str, SiteReading] = {}
    for kind in dict.fromkeys(site.kind for site in game.sites if several & set(site.labels)):
        names = [site.name for site in game.sites if site.kind == kind]
        there = Counter(truth.get(name, EMPTY) for name in names)
        copies = {label: there[label] for site in game.sites if site.kind == kind for label in site.labels}
        read = with_supply(reading.sites, copies, names)
        known |= {name: read[name] for name in names if name in read}
    return known


def pose_error(game: Game[Any, Any], pose: Pose, true: Pose) -> float:
    """Mean distance, in mm, between the sites of the board and where they truly are in the picture."""
    places = np.array([site.centre for site in game.sites if not site.loose and not site.roving])
    return float(np.linalg.norm(pose.project(places) - true.project(places), axis=1).mean() / true.scale(np.zeros(3)))


def report(title: str, tally: Tally, verbose: bool) -> None:
    """Prints everything."""
    good = tally.pictures - len(tally.wrong) - len(tally.lost)
    print(f"\n{title}: {tally.pictures} pictures")
    print(
        f"  whole pictures without a mistake {good} ({good / max(1, tally.pictures):.2%}), not found {len(tally.lost)}"
    )
    for kind, count in tally.sites.items():
        print(
            f"  {kind}: {count} sites, {tally.mistakes[kind]} mistakes ({1 - tally.mistakes[kind] / count:.3%} right), "
            f"{tally.doubtful[kind] / count:.2%} doubtful"
        )
    for kind, right in tally.counted.items():
        print(f"  {kind}, hands known: {len(right) - sum(right)} mistakes ({np.mean(right):.3%} right)")
    print(f"  mistakes with a confidence over {SURE}: {tally.sure_mistakes}; on covered sites: {len(tally.covered)}")
    certain = np.array(tally.certain)
    for low, high in pairwise(BINS):
        chosen = certain[(certain[:, 0] >= low) & (certain[:, 0] < high)]
        if len(chosen):
            print(
                f"  confidence {low:5.3f} to {min(high, 1.0):5.3f}: {len(chosen):6d} sites,"
                f" {chosen[:, 1].mean():.4%} right"
            )
    print(f"  pose: median {np.median(tally.off):.2f} mm off, worst {max(tally.off):.2f} mm")
    unit = float(np.median(tally.times["marker detection"]))
    for what, times in tally.times.items():
        print(f"  {what}: median {np.median(times):.1f} ms, {np.median(times) / unit:.2f} x marker detection")
    wrong = [f"{name}: {'; '.join(texts)}" for name, texts in tally.wrong.items()]
    for line in [*tally.lost, *wrong, *tally.covered] * verbose:
        print(f"    {line}")


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--first", type=int, default=HELD_OUT)
    parser.add_argument("--game", default="triangle")
    parser.add_argument("--stills", action="store_true", help="only the stills, no simulated table")
    light = parser.add_mutually_exclusive_group()
    light.add_argument("--raytraced", action="store_true", help="needs mitsuba and mapbox_earcut")
    light.add_argument("--screened", action="store_true", help="something before a lamp")
    light.add_argument("--strewn", action="store_true", help="things anywhere on the parts that they stand on")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    game = load_game(options.game)
    folder = Path(__file__).parents[3] / "shared" / "stills" / options.game
    if folder.is_dir():
        report("stills", stills(game, folder), options.verbose)
    if options.pictures and not options.stills:
        seeds = range(options.first, options.first + options.pictures)
        title, draw = "simulated table", picture
        if options.raytraced:
            title, draw = "raytraced", raytraced
        if options.screened:
            title, draw = "simulated table, something before a lamp", screened
        if options.strewn:
            title, draw = "simulated table, things anywhere on their parts", strewn
        report(title, generated(game, seeds, draw), options.verbose)


if __name__ == "__main__":
    main()
