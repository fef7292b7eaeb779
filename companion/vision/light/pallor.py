"""Measures where the board's own paint looks paler than elsewhere on it: light that is added evenly, as by the mirror
image of a lamp in varnish, makes colours greyer, which more or less light on them does not. It makes dark places look
like grey things that stand there.

So it sees veils that are too small, too thin or too uneven for `companion.vision.light.glare`, which looks for
darkness.
"""

from __future__ import annotations

import warnings

import cv2
import numpy as np

from companion.vision.geometry.lens import Array

TILE = 20.0
"""Side (mm) of the squares that are looked at."""

FEWEST = 30
"""Points of the paint from which a square tells something."""

COLOURFUL = 0.25
"""How far the least channel of a paint is below its greatest one, at least, as a part of that, for it to tell."""

LIT = 0.3
"""Less light than that part of the usual comes to no part of the board: something else is there."""

FAINT = 0.03
"""Less light than that (relative to white) is none."""

COLOURED, YELLOWER = 4.0, 0.1
"""Light of two colours, as of a window and a lamp, makes some of the board look paler, and some of it yellower: glare
has to add so much more light than the part of the board lacks that is yellowest. In glare of the simulated table it
added 5 to 16 times as much, in pictures by a window and a lamp 1.3 to 3.6 times.
"""


def added_light(places: Array, at: Array, colours: Array) -> Array | None:
    """The light (rows, columns), relative to white, that is added to what lies at `places` (rows, columns, 2), in mm of
    the board's plane, by the linear `colours` (n, 3) in which one paint of the board shows at the places numbered `at`
    (n,), on the greater part of it as it is; None where none is added or nothing can be told.
    """
    if len(at) < FEWEST:
        return None
    own = places.reshape(-1, 2)[at]
    low = own.min(axis=0) - TILE  # a square more on each side: veils do not end with the board
    tiles = ((own - low) / TILE).astype(int)
    columns, rows = tiles.max(axis=0) + 2
    tile = tiles[:, 1] * columns + tiles[:, 0]
    order = np.argsort(tile, kind="stable")
    first = np.flatnonzero(np.diff(tile[order], prepend=-1))
    seen = np.full((rows * columns, 3), np.nan)
    for own_tile in np.split(order, first[1:]):
        if len(own_tile) >= FEWEST:
            seen[tile[own_tile[0]]] = np.median(colours[own_tile], axis=0)
    known = np.isfinite(seen).all(axis=1)
    usual = np.median(seen[known], axis=0) if known.any() else np.zeros(3)
    if usual.max() - usual.min() <= COLOURFUL * usual.max():
        return None
    (lit, some), *_ = np.linalg.lstsq(np.column_stack([usual, np.ones(3)]), seen[known].T, rcond=None)
    some[lit <= LIT] = np.nan
    lacking = -np.nanquantile(some, YELLOWER) if np.isfinite(some).any() else np.inf
    added = np.full(rows * columns, np.nan)
    added[known] = some
    smooth = _smooth(added.reshape(rows, columns))
    if smooth.max() < max(FAINT, COLOURED * lacking):
        return None
    x, y = np.moveaxis(np.clip((places - low) / TILE - 0.5, -1, (columns, rows)).astype(np.float32), -1, 0)
    light: Array = cv2.remap(smooth, x.copy(), y.copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return light


def _smooth(added: Array) -> Array:
    """The medians (rows, columns) of what is known of each square and those beside it; nothing is less than none."""
    rows, columns = added.shape
    around = np.pad(added, 1, constant_values=np.nan)
    beside = [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)]
    shifted = [around[y : y + rows, x : x + columns] for y, x in beside]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # there may be squares of which nothing is known
        middle = np.nanmedian(np.stack(shifted), axis=0)
    smooth: Array = np.maximum(np.nan_to_num(middle), 0.0).astype(np.float32)
    return smooth
