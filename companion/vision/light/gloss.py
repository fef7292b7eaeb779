"""Finds what a lamp adds to glossy things: seen from the camera it is mirrored somewhere in their level tops, and light
is added to these, the more of it the nearer they are to that place. Dark wood then looks as pale as light wood, but
greyer; a board that is not varnished shows nothing of it (for that see `companion.vision.light.glare`).

What is around, a bright ceiling, say, is mirrored as well: it adds about as much light to all of them.

How a lamp's light falls off is the distribution of B. Walter and others, Microfacet Models for Refraction through Rough
Surfaces (EGSR 2007), for small angles: as 1 / (1 + (d / w)²)², at a distance d.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from companion.vision.geometry.lens import Array

TINT, SHADE = 0.35, 0.15
"""How far (natural logarithm) a colour may be from what it should be: across light and shade, and how much further
along these: the light is not everywhere the same.
"""

WIDTHS = (50.0, 90.0, 150.0, 230.0)
"""How far from its mirror image, in mm, a lamp may still add a quarter of its light to a thing."""

STRENGTHS = (0.4, 0.7, 1.0, 1.6)
"""How much light may be added at most, relative to white: what is less makes no dark thing look pale."""

SHEENS = (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2)
"""How much light may be added to all things alike by what is around them."""

EVENLY = (*SHEENS, 0.35, 0.5, 0.7)
"""How much light may be added everywhere, by haze, too, say, or by other paints than expected."""

THIN, PLAINLY, NEARLY = 0.015, 1.0, 0.75
"""A sheen thinner than this is none; by how many things more have to look as they should with it, and which part of all
has to then: in 14 path-traced pictures, where there is one, 2 to 20 more did, in 20 of the simulated table, where there
is none, 0.1 at most; but lamps that are mirrored there look like a sheen that suits half of the things.
"""

DAZZLING = 0.1
"""How much light (relative to white) has to be added to things for networks, which know no such things, not to be
believed of their paint.
"""

AT_FIRST = 3
"""Whether things mirror a lamp is asked anew when there are twice as many, at first twice as many as that."""

NOTHING = np.empty((0, 3))
"""No paints at all."""

STEP, FINEST = 40.0, 5.0
"""Millimetres between the places that are tried for the mirror image, at first and at last."""

FEW, PART, MOSTLY = 4.0, 0.2, 0.7
"""How many things more at least, and which part of all, have to look as they should with a mirrored lamp, for one to be
there; and which part must do so then: where paints are not the expected ones, nothing is known of lamps. Of path-traced
tables with glossy things at least a third more did so, and then 90 % or more (seeds 850000 to 850007).
"""


class Lobe(NamedTuple):
    """The light of a lamp that level things mirror: most of it, `strength` (relative to white), at `place` (x, y), a
    quarter at the distance `width`; mm in the plane of the board.
    """

    place: tuple[float, float]
    width: float
    strength: float

    def at(self, places: Array) -> Array:
        """The light (...) that is added at places (..., 2)."""
        away = np.square(places - np.array(self.place)).sum(axis=-1)
        added: Array = self.strength / np.square(1 + away / self.width**2)
        return added


def find_lobe(places: Array, colours: Array, paints: Array, most: Array, dull: Array = NOTHING) -> Lobe | None:
    """The light that makes things at `places` (n, 2) of `colours` (n, 3) look as if each were of one of the `paints`
    (k, 3), or of the `dull` ones (m, 3), which mirror nothing; None where they do so, or do not, without it. `most`
    (3,): the brightest colour that the camera can see. All colours are on the soft logarithmic scale
    (`companion.vision.light.palette`).
    """
    off = _off(colours, dull, np.zeros((1, len(places))), most)

    def alike(added: Array) -> Array:
        return _alike(np.minimum(off, _off(colours, paints, added, most)))

    def best_of(lobes: Iterable[Lobe]) -> tuple[float, Lobe]:
        tried = list(lobes)
        totals = alike(np.array([lobe.at(places) for lobe in tried]))
        return float(totals.max()), tried[int(totals.argmax())]

    evenly = np.repeat(np.array(EVENLY)[:, None], len(places), axis=1)
    enough = max(alike(evenly).max() + max(FEW, PART * (off > 1).sum()), MOSTLY * len(places))
    if enough > len(places):  # as on most tables, where all looks as it should
        return None
    best, step = best_of(_tried(places)), STEP
    while step > FINEST and best[0] > enough - 1:
        better = best_of(_near(best[1], step))
        best, step = (better, step) if better[0] > best[0] else (best, step / 2)
    among = np.all(np.abs(best[1].place - places.mean(axis=0)) < np.ptp(places, axis=0) / 2 + STEP)
    return best[1] if best[0] > enough and among else None


def find_sheen(colours: Array, paints: Array, most: Array, dull: Array = NOTHING) -> float:
    """The light (relative to white) that what is around adds to all things alike, 0 where they look as they should, or
    do not, without it; all as in `find_lobe`.
    """
    off = _off(colours, dull, np.zeros((1, len(colours))), most)
    added = np.repeat(np.array(SHEENS)[:, None], len(colours), axis=1)
    alike = _alike(np.minimum(off, _off(colours, paints, added, most)))
    sheen = SHEENS[int(alike.argmax())]
    enough = max(alike[0] + PLAINLY, NEARLY * len(colours))
    return sheen if sheen >= THIN and alike.max() >= enough else 0.0


def _alike(off: Array) -> Array:
    """How many of the things (m, n) look as they should, (m,)."""
    alike: Array = np.maximum(0.0, 1 - off).sum(axis=1)
    return alike


def _tried(places: Array) -> Iterator[Lobe]:
    """The first guesses: anywhere among the things."""
    low, high = places.min(axis=0), places.max(axis=0)
    for x in np.arange(low[0], high[0] + STEP / 2, STEP).tolist():
        for y in np.arange(low[1], high[1] + STEP / 2, STEP).tolist():
            for width in WIDTHS:
                yield from (Lobe((x, y), width, strength) for strength in STRENGTHS)


def _near(lobe: Lobe, step: float) -> Iterator[Lobe]:
    """Lobes that differ a little: by that many millimetres of place, and as much of width and strength."""
    (x, y), factor = lobe.place, 1 + step / (4 * STEP)
    yield from (lobe._replace(place=(x + dx, y + dy)) for dx, dy in ((step, 0), (-step, 0), (0, step), (0, -step)))
    for wider in (1 / factor, 1.0, factor):
        for stronger in (1 / factor, 1.0, factor):
            width, strength = min(lobe.width * wider, WIDTHS[-1]), max(lobe.strength * stronger, STRENGTHS[0])
            yield lobe._replace(width=width, strength=strength)


def _off(colours: Array, paints: Array, added: Array, most: Array) -> Array:
    """How far colours (n, 3) are from the likest of paints (k, 3) to which light `added` (m, n) comes: (m, n), 1 for as
    far as they may be.
    """
    off = np.full(added.shape, np.inf)
    for paint in paints:
        differs = np.minimum(np.log(np.exp(paint) + added[..., None]), most) - colours
        shade = differs.mean(axis=-1)
        tint = np.square(differs - shade[..., None]).sum(axis=-1)
        off = np.minimum(off, tint + np.square(np.maximum(np.abs(shade) - SHADE, 0.0)))
    return off / TINT**2
