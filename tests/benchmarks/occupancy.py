"""How well boards of one's own are read: which fields hold something, with and without a picture of the empty board.

    python -m tests.benchmarks.occupancy [--pictures 60] [--first 650000] [--found cards] [--jitter 0.05]
        [--raytraced | --screened] [--style inlaid]
    python -m tests.benchmarks.occupancy --fit [--pictures 150] [--first 1] [--traced 45]

`--found` is corners, cards or outline; `--jitter` how far off, in fields, the corners given are (standard deviation).
`--fit` makes the weights of `companion.vision.anyboard.weighing` anew, from `--pictures` of the simulated table and
from path-traced ones, which take half a minute each. With `--screened` something stands before a lamp, so that a part
of the board lies in a shadow, or in the sun. Fields of which a hand, or the picture's edge, hides half are not asked
about, but a sure mistake there is told too; those that pieces hide are told apart, too: behind a row of tall ones
nobody can tell, but mostly their feet say whose body it is that hides a field.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.fields import Compared, compared, empty_surface
from companion.vision.anyboard.look import look_at_board
from companion.vision.anyboard.occupancy import View, features
from companion.vision.anyboard.pose import pose_of
from companion.vision.anyboard.weighing import FILE, fitted
from companion.vision.locating.board import NoBoardError
from tests.benchmarks.boards import INLAID, STYLES, Shot, shot

Array = NDArray[Any]
HIDDEN, SURE = 0.5, 0.9
LEARNED = 0.02
"""How far off, in fields, corners are in the pictures to learn from."""
TRACED = 300_000
"""The seed of the first path-traced picture to learn from."""
FAR = 0.35
"""A board is found wrongly whose corners are so many fields off."""


@dataclass
class Tally:
    """What came out."""

    pictures: int = 0
    lost: int = 0
    misplaced: int = 0
    whole: int = 0
    fields: int = 0
    mistakes: int = 0
    sure_mistakes: int = 0
    behind: int = 0
    behind_mistakes: int = 0
    sure_hidden: int = 0
    doubtful: int = 0
    milliseconds: list[float] = field(default_factory=list)
    worst: dict[int, int] = field(default_factory=dict)

    def told(self, name: str) -> str:
        """One line of figures."""
        asked = max(1, self.fields)
        return (
            f"{name:24} {self.pictures:4} pictures, {self.lost} not found, {self.misplaced} misplaced; "
            f"fields {100 * (1 - self.mistakes / asked):.2f} %, pictures without mistake "
            f"{100 * self.whole / max(1, self.pictures):.1f} %, sure mistakes {self.sure_mistakes} of {asked} "
            f"(hidden fields: {self.sure_hidden}), behind pieces {self.behind_mistakes} of {self.behind} mistaken, "
            f"doubtful {100 * self.doubtful / asked:.1f} %, "
            f"median {np.median(self.milliseconds or [0]):.0f} ms"
        )


def pixels(corners: Array, jitter: float, rows: int, seed: int) -> Array:
    """Corners (4, 2) as somebody points at them, `jitter` fields off."""
    side = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean() / rows
    return corners + np.random.default_rng(seed).normal(0, jitter * side, corners.shape)


def misplaced(told: list[list[float]], true: Array, rows: int, ambiguous: bool) -> tuple[bool, int]:
    """Whether the grid was found elsewhere; and by how many right angles it is turned."""
    side = np.linalg.norm(true - np.roll(true, 1, 0), axis=1).mean() / rows
    errors = [float(np.abs(np.array(told) - np.roll(true, -turn, 0)).max()) / side for turn in range(4)]
    turn = int(np.argmin(errors)) if ambiguous else 0
    return errors[turn] > FAR, turn


def turned(truth: Mapping[str, Any], board: BoardSet, turn: int) -> dict[str, Any]:
    """The truth as it is named on a board turned by so many right angles."""
    grid = np.array([truth[name] for name in board.fields]).reshape(board.grid.rows, board.grid.columns)
    return dict(zip(board.fields, np.rot90(grid, -turn).ravel().tolist(), strict=True))


def read(tally: Tally, picture: Shot, seed: int, found: str, jitter: float, with_empty: bool) -> None:
    """Reads one picture and counts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        path.write_text(picture.game.set_file)
        board = BoardSet.load(path)
        given = found == "corners"
        rows = picture.game.rows
        corners = pixels(picture.corners, jitter, rows, seed) if given else None
        empty_corners = pixels(picture.empty_corners, jitter, rows, seed + 1) if found != "cards" else None
        tally.pictures += 1
        try:
            empty = picture.empty if with_empty else None
            told = look_at_board(picture.image, path, corners, empty, empty_corners if with_empty else None)
        except NoBoardError:
            tally.lost += 1
            return
    wrong, turn = misplaced(told["corners"], picture.corners, rows, told["orientation"] == "ambiguous")
    if wrong:
        tally.misplaced += 1
    tally.milliseconds.append(told["milliseconds"])
    truth, hidden, covered = (turned(of, board, turn) for of in (picture.occupied, picture.hidden, picture.covered))
    mistakes = 0
    for name, read_as in told["sites"].items():
        right, sure = (read_as["label"] == "occupied") == truth[name], read_as["confidence"] > SURE
        if hidden[name] >= HIDDEN:
            tally.sure_hidden += not right and sure
            tally.behind += covered[name] < HIDDEN
            tally.behind_mistakes += covered[name] < HIDDEN and not right
            continue
        tally.fields += 1
        tally.doubtful += not sure
        mistakes += not right
        tally.sure_mistakes += not right and sure
    tally.mistakes += mistakes
    tally.whole += not mistakes
    if mistakes:
        tally.worst[seed] = mistakes


def comparisons(picture: Shot, seed: int, jitter: float) -> tuple[BoardSet, View, dict[bool, Compared]]:
    """The board, how it is seen, and what speaks against the empty board: by whether that is known; corners are
    `jitter` fields off.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        path.write_text(picture.game.set_file)
        board = BoardSet.load(path)
    pose, bare = (
        pose_of(board.corners, pixels(corners, jitter, picture.game.rows, seed + k), (image.shape[1], image.shape[0]))
        for k, (image, corners) in enumerate(((picture.image, picture.corners), (picture.empty, picture.empty_corners)))
    )
    found = {True: compared(picture.image, pose, board, empty_surface(picture.empty, bare, board))}
    if picture.game.name != "print":  # unlike prints say nothing without the empty board
        found[False] = compared(picture.image, pose, board, None)
    return board, View.of(pose, board), found


def measured(seeds: range, raytraced: bool = False) -> tuple[list[tuple[Array, Array]], list[tuple[Array, Array]]]:
    """What fields are judged by (n, k), whether they are occupied (n,), by picture: without and with the empty one."""
    result: tuple[list[tuple[Array, Array]], list[tuple[Array, Array]]] = ([], [])
    for seed in seeds:
        picture = shot(seed, raytraced=raytraced)
        board, view, comparison = comparisons(picture, seed, LEARNED)
        seen = np.array([picture.covered[name] < HIDDEN for name in board.fields])
        occupied = np.array([picture.occupied[name] for name in board.fields], float)
        for with_empty, found in comparison.items():
            table = features(found.evidence, found.calm, view, board, with_empty)
            result[with_empty].append((table.reshape(-1, table.shape[-1])[seen], occupied[seen]))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=60)
    parser.add_argument("--first", type=int)
    parser.add_argument("--found", choices=("corners", "cards", "outline"), default="corners")
    parser.add_argument("--jitter", type=float, default=0.0)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--traced", type=int, default=45, help="path-traced pictures to learn from, as --raytraced")
    parser.add_argument("--style", choices=sorted({*STYLES, INLAID}), help="else all but inlaid boards")
    light = parser.add_mutually_exclusive_group()
    light.add_argument("--raytraced", action="store_true", help="path-traced pictures; needs mitsuba, mapbox_earcut")
    light.add_argument("--screened", action="store_true", help="something before a lamp")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    first = options.first if options.first is not None else 1 if options.fit else 650_000
    seeds = range(first, first + options.pictures)
    if options.fit:
        traced = measured(range(TRACED, TRACED + options.traced), raytraced=True)
        kinds = [plain + traced for plain, traced in zip(measured(seeds), traced, strict=True)]
        fits = [fitted(*(np.concatenate(part) for part in zip(*kind, strict=True))) for kind in kinds]
        mean, deviation, weights = (np.stack(part) for part in zip(*fits, strict=True))
        np.savez(FILE, mean=mean, deviation=deviation, weights=weights)
        return
    start, tallies = perf_counter(), defaultdict(Tally)
    for seed in seeds:
        cards = options.found == "cards"
        picture = shot(seed, cards, options.style, raytraced=options.raytraced, screened=options.screened)
        for with_empty in (True, False):
            if with_empty or picture.game.name != "print":  # unlike prints say nothing without the empty board
                name = "with the empty board" if with_empty else "by likes"
                read(tallies[name], picture, seed, options.found, options.jitter, with_empty)
                read(
                    tallies[f"  {picture.game.name}, {name[:4]}"],
                    picture,
                    seed,
                    options.found,
                    options.jitter,
                    with_empty,
                )
    for name, tally in sorted(tallies.items(), key=lambda item: item[0].startswith("  ")):
        print(tally.told(name))
        if not name.startswith("  "):
            print("  mistakes by seed:", tally.worst)
    print(f"{perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
