"""Cuts patches of fields out of pictures of boards of one's own, to train on.

    python -m tests.training.fields --first 20000 --count 800 --out DIR [--raytraced]

Two kinds: `likes`, fields compared with those that look alike, and `empty`, with a picture of the empty board. Then
`python -m tests.training.train --game board --kind likes --upright …` makes a network of each.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.sites import EMPTY
from companion.vision.anyboard.boardset import OCCUPIED
from companion.vision.anyboard.patches import field_patches
from tests.benchmarks.boards import ODD, Shot, shot
from tests.benchmarks.occupancy import comparisons

OFF = (0.0, 0.02, 0.06)
"""How far off, in fields, the corners are that are given (standard deviation)."""

SIZES = ((960, 720), (1024, 768), (1280, 720), (900, 1200))
"""Of the pictures: fields need not be larger than patches show them."""

ODDS = 3
"""Every so many pictures one shows pieces of any shape."""


def main() -> None:
    """One file a picture: for each kind the patches, the labels, and how much of each field is hidden. What pieces
    alone hide counts as seen: where their feet are tells how likely something stands behind them.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=20000)
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--raytraced", action="store_true", help="path-traced pictures; needs mitsuba, mapbox_earcut")
    parser.add_argument("--screened", action="store_true", help="something stands before a lamp in every picture")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for seed in range(options.first, options.first + options.count):
        path = options.out / f"{seed}.npz"
        if not path.exists():
            style = ODD if seed % ODDS == 0 else None
            picture = shot(seed, style=style, raytraced=options.raytraced, sizes=SIZES, screened=options.screened)
            np.savez(path, **dict(_cut(picture, seed)))


def _cut(picture: Shot, seed: int) -> Iterator[tuple[str, NDArray[Any]]]:
    board, view, comparison = comparisons(picture, seed, OFF[seed % len(OFF)])
    for with_empty, found in comparison.items():
        kind = "empty" if with_empty else "likes"
        patches = field_patches(found.evidence, found.expected, view, board)
        yield f"{kind}.patches", patches.reshape(-1, *patches.shape[2:])
        yield f"{kind}.labels", np.array([OCCUPIED if picture.occupied[name] else EMPTY for name in board.fields])
        yield f"{kind}.hidden", np.array([picture.covered[name] for name in board.fields], np.float32)


if __name__ == "__main__":
    main()
