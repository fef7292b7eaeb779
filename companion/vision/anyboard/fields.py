"""Reads the fields of a board whose pose is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from companion.vision.anyboard.alignment import shift_between
from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.evidence import Evidence, calm_fields, compare
from companion.vision.anyboard.expectation import Expectation, from_empty, from_likes
from companion.vision.anyboard.learned import learned_odds
from companion.vision.anyboard.occupancy import UNSURE, View, bounded, features
from companion.vision.anyboard.surface import Ground, Surface, inner_means
from companion.vision.anyboard.weighing import weighed
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

ROUNDS = 3
"""How often the grid is laid over the picture more exactly."""

DOUBTED = 0.4
"""The part of the certainty that is left where the look of empty fields is only guessed."""

MEASURED, LEARNED = 0.2, 0.4
"""What counts of the odds (natural logarithm) of what is measured on each field, and of those that a network has
learned: they see the same picture, and it may be of another kind than those learned from.
"""

WITH_EMPTY, LIKES = 0.3, 0.2
"""The same of networks where the empty board is known: of the one that sees it, and of the one that compares fields
with their likes. Where things have nearly the board's colour each overlooks some that the other sees.
"""

TELLING = 0.03
"""Where likes are trusted as much as this they count half; all over a printed picture they are trusted less."""

RESTLESS = -0.5
"""Where calm fields look no more like the empty board than this (see `Evidence.foreign`), nothing else tells how that
looks in this picture: of 156 photographs with things drawn in none did, of 60 boards on the simulated table one, most
of whose fields held something, and three of three whose empty board was another's.
"""


class Compared(NamedTuple):
    """A picture compared with the empty board; `calm` (rows, columns) are fields that look most like it."""

    evidence: Evidence
    expected: Expectation
    calm: Array


def empty_surface(image: Array, pose: Pose, board: BoardSet) -> Surface:
    """The surface of the empty board in its picture."""
    return Ground(image, pose, board).surface()


def compared(image: Array, pose: Pose, board: BoardSet, empty: Surface | None) -> Compared:
    """What speaks against the empty board; `empty` is its surface, where there is a picture of it."""
    seen, expected = _laid(image, pose, board, empty)
    calm = calm_fields(compare(seen, expected, board), seen, expected, board)
    if empty is None:
        expected = from_likes(seen, board, expected, calm)
    return Compared(compare(seen, expected, board, calm), expected, calm)


def _laid(image: Array, pose: Pose, board: BoardSet, empty: Surface | None) -> tuple[Surface, Expectation]:
    """The board's surface, the grid laid exactly over the picture, and how it is expected to look."""
    ground = Ground(image, pose, board)
    seen = ground.surface()
    shift = np.zeros((*seen.seen.shape, 2))
    expected = from_empty(empty, board) if empty is not None else from_likes(seen, board)
    for _ in range(ROUNDS):
        shift = shift + shift_between(seen, expected, board)
        seen = ground.surface(shift)
        expected = expected if empty is not None else from_likes(seen, board)
    return seen, expected


def read_fields(image: Array, pose: Pose, board: BoardSet, empty: Surface | None = None) -> Array:
    """The probability (rows, columns) that a field holds something, row 0 being the lowest.

    A field is compared with its likes, as far as these are trusted, and with the empty board where it is known.
    """
    view = View.of(pose, board)
    alone = compared(image, pose, board, None)
    by_likes, trust = learned_odds(alone.evidence, alone.expected, view, board, False), alone.expected.trust
    if empty is None:
        certain = _certain(alone, view, board, LEARNED * by_likes, False)
        return 0.5 + (certain - 0.5) * (DOUBTED + (1 - DOUBTED) * trust)
    beside = compared(image, pose, board, empty)
    by_empty = learned_odds(beside.evidence, beside.expected, view, board, True)
    learned = WITH_EMPTY * by_empty + LIKES * trust / (trust + TELLING) * by_likes
    certain = _certain(beside, view, board, learned, True)
    return certain if _calm(beside, board) else np.clip(certain, 1 - UNSURE, UNSURE)


def _certain(found: Compared, view: View, board: BoardSet, learned: Array, with_empty: bool) -> Array:
    """The probability (rows, columns) of what is measured on each field, and of odds (rows, columns) that networks have
    `learned`; no surer than the picture can make it.
    """
    measures = features(found.evidence, found.calm, view, board, with_empty)
    odds = MEASURED * weighed(measures, with_empty) + learned
    return bounded(1 / (1 + np.exp(-odds)), found.evidence, measures, board)


def _calm(found: Compared, board: BoardSet) -> bool:
    """Whether the calmest fields look like the empty board."""
    return float(np.median(inner_means(found.evidence.foreign, board)[found.calm])) < RESTLESS


def disagreement(image: Array, pose: Pose, board: BoardSet, empty: Surface) -> float:
    """How little the picture looks like that of the empty board, where a pose says that the board is.

    The grid is laid exactly first: a millimetre off, lines that do not meet would tell more than what is printed.
    """
    seen, expected = _laid(image, pose, board, empty)
    return float(compare(seen, expected, board).off.mean())
