"""Reads the fields of a board whose pose is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from companion.vision.anyboard.alignment import shift_between
from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.evidence import Evidence, calm_fields, compare
from companion.vision.anyboard.expectation import Expectation, from_empty, from_likes
from companion.vision.anyboard.learned import learned_odds
from companion.vision.anyboard.occupancy import View, bounded, features
from companion.vision.anyboard.surface import Surface, reduced, surface
from companion.vision.anyboard.weighing import weighed
from companion.vision.board import Pose
from companion.vision.lens import Array

ROUNDS = 2
"""How often the grid is laid over the picture more exactly."""

LIKES = 0.5
"""How much fields that are alike tell beside the empty board."""

DOUBTED = 0.4
"""The part of the certainty that is left where the look of empty fields is only guessed."""

MEASURED, LEARNED = 0.3, 0.5
"""What counts of the odds (natural logarithm) of what is measured on each field, and of those that a network has
learned: they see the same picture, and it may be of another kind than those learned from.
"""


class Compared(NamedTuple):
    """A picture compared with the empty board; `calm` (rows, columns) are fields that look most like it."""

    evidence: Evidence
    expected: Expectation
    calm: Array


def empty_surface(image: Array, pose: Pose, board: BoardSet) -> Surface:
    """The surface of the empty board in its picture."""
    return surface(*reduced(image, pose, board), board)


def compared(image: Array, pose: Pose, board: BoardSet, empty: Surface | None) -> Compared:
    """What speaks against the empty board; `empty` is its surface, where there is a picture of it."""
    seen, expected = _laid(image, pose, board, empty)
    calm = calm_fields(compare(seen, expected, board), seen, expected, board)
    if empty is None:
        expected = from_likes(seen, board, expected, calm)
    return Compared(compare(seen, expected, board, calm), expected, calm)


def _laid(image: Array, pose: Pose, board: BoardSet, empty: Surface | None) -> tuple[Surface, Expectation]:
    """The board's surface, the grid laid exactly over the picture, and how it is expected to look."""
    small, pose = reduced(image, pose, board)
    seen = surface(small, pose, board)
    shift = np.zeros((*seen.seen.shape, 2))
    expected = from_empty(empty, board) if empty is not None else from_likes(seen, board)
    for _ in range(ROUNDS):
        shift = shift + shift_between(seen, expected, board)
        seen = surface(small, pose, board, shift)
        expected = expected if empty is not None else from_likes(seen, board)
    return seen, expected


def read_fields(image: Array, pose: Pose, board: BoardSet, empty: Surface | None = None) -> Array:
    """The probability (rows, columns) that a field holds something, row 0 being the lowest.

    A field is compared with its likes, as far as these are trusted, and with the empty board where it is known.
    """
    alone, trust = _judged(image, pose, board, None)
    if empty is None:
        return 0.5 + (alone - 0.5) * (DOUBTED + (1 - DOUBTED) * trust)
    beside, _ = _judged(image, pose, board, empty)
    share = LIKES * trust
    mixed: Array = share * alone + (1 - share) * beside
    return mixed


def _judged(image: Array, pose: Pose, board: BoardSet, empty: Surface | None) -> tuple[Array, Array]:
    """The probability (rows, columns) that a field holds something, and how well its empty look is known."""
    found, view, with_empty = compared(image, pose, board, empty), View.of(pose, board), empty is not None
    measures = features(found.evidence, found.calm, view, board, with_empty)
    measured = weighed(measures, with_empty)
    learned = learned_odds(found.evidence, found.expected, view, board, with_empty)
    certain = 1 / (1 + np.exp(-MEASURED * measured - LEARNED * learned))
    return bounded(certain, found.evidence, measures, board), found.expected.trust


def disagreement(image: Array, pose: Pose, board: BoardSet, empty: Surface) -> float:
    """How little the picture looks like that of the empty board, where a pose says that the board is.

    The grid is laid exactly first: a millimetre off, lines that do not meet would tell more than what is printed.
    """
    seen, expected = _laid(image, pose, board, empty)
    return float(compare(seen, expected, board).off.mean())
