"""Where the board lies beside its cards: measured, shown, nudged by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, degrees, radians, sin
from typing import Any

import cv2
import msgspec
import numpy as np

from companion.games.core import Game
from companion.games.looks import Prism, regular
from companion.games.sites import EMPTY
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.points import on_board
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import NoBoardError, locate

FARTHEST = 15.0
"""Millimetres by which a board may be nudged; farther off it is not where its cards say."""

WORST = 2.0
"""Millimetres by which the cards may be off; more, and they do not lie where the set file has them."""

OUTLINE, SITE = (80, 200, 255), (120, 220, 60)


class Nudge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far the board lies from where the pictures say: mm along x and y of the board frame, degrees clockwise."""

    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0

    def __post_init__(self) -> None:
        """Refuses a board that lies farther off than its cards allow.

        Raises:
            ValueError: it does.
        """
        if not all(abs(value) <= FARTHEST for value in (self.dx, self.dy, self.turn)):
            raise ValueError(f"a board is nudged by {FARTHEST:.0f} mm and degrees at most; move the cards")

    @classmethod
    def parse(cls, text: str) -> Nudge:
        """A nudge as people write it: `1.5,-0.5,0`.

        Raises:
            NoBoardError: it is none, or is too large to be one.
        """
        try:
            dx, dy, turn = (float(part) for part in text.split(","))
        except ValueError as error:
            raise NoBoardError(f"{text!r}: a nudge is three numbers, mm right, mm up, degrees: 1.5,-0.5,0") from error
        try:
            return cls(dx, dy, turn)
        except ValueError as error:
            raise NoBoardError(f"{text!r}: {error}") from error

    def applied(self, pose: Pose) -> Pose:
        """The pose of the nudged board."""
        a = radians(self.turn)
        turn = np.array([[cos(a), sin(a), 0.0], [-sin(a), cos(a), 0.0], [0.0, 0.0, 1.0]])
        shifted = pose.rotation @ np.array([self.dx, self.dy, 0.0]) + pose.translation
        return replace(pose, rotation=pose.rotation @ turn, translation=shifted)


class CardsError(NoBoardError):
    """Cards that are not seen, or not where they should be; `reason` is a word for that, `cards` are those missing."""

    def __init__(self, message: str, reason: str, cards: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.reason, self.cards = reason, cards


@dataclass(frozen=True, slots=True)
class Nudged:
    """Finds a board as `locate` does, and nudges it."""

    nudge: Nudge

    def __call__(self, image: Array, game: Game[Any, Any], lens: Lens, previous: Pose | None = None) -> Pose:
        """The pose of the board; see `companion.vision.locating.board.locate`."""
        return self.nudge.applied(locate(image, game, lens, previous))


@dataclass(frozen=True, slots=True)
class BoardFit:
    """How well a board was found. `millimetres`: the residual of the cards; `height`: of the camera over the table, mm;
    `tilt`: of its line of sight from the vertical, degrees.
    """

    pose: Pose
    millimetres: float
    height: float
    tilt: float


def fit_board(image: Array, game: Game[Any, Any], lens: Lens, nudge: Nudge) -> BoardFit:
    """Finds the board in a picture.

    Raises:
        NoBoardError: it is not found, not all of its cards are seen, or these do not lie where they should.
    """
    pose = Nudged(nudge)(image, game, lens)
    missing = sorted(set(game.marker.ids) - set(pose.markers))
    if missing:
        raise CardsError(
            f"the cards {', '.join(map(str, missing))} are not seen; for a calibration all {len(game.marker.ids)} have "
            "to be",
            "missing",
            tuple(missing),
        )
    table = np.array([0.0, 0.0, -game.plate.thickness])
    millimetres = pose.residual / pose.scale(table)
    if millimetres > WORST:
        raise CardsError(
            f"the cards are {millimetres:.1f} mm off their places, {WORST:.0f} at most are allowed: lay them flat "
            "where the set file has them, each with its top edge away from the board's front; is the lens calibrated?",
            "off",
        )
    axis = pose.rotation[2]
    return BoardFit(pose, millimetres, float(pose.camera[2] - table[2]), degrees(float(np.arccos(-axis[2]))))


def drawn(image: Array, game: Game[Any, Any], pose: Pose, width: int | None = None) -> Array:
    """A copy of the picture with the board's outline and all sites where they should be, in lines of so many pixels."""
    canvas = image.copy()
    width = width or max(1, image.shape[1] // 900)
    for solid in game.board:
        if isinstance(solid, Prism):
            _outline(canvas, pose, np.array(solid.footprint), 0.0, OUTLINE, width)
    for site in game.sites:
        looks = [game.look(site.kind, label) for label in site.labels[:2] if label != EMPTY]
        prisms = [solid for look in looks for solid in look if isinstance(solid, Prism)]
        shape = np.array(prisms[0].footprint) if prisms and not site.loose else np.array(regular(24, site.size * 0.4))
        _outline(canvas, pose, on_board(site, shape), site.centre[2], SITE, width)
    return canvas


def _outline(canvas: Array, pose: Pose, points: Array, z: float, colour: tuple[int, int, int], width: int) -> None:
    at = pose.project(np.column_stack([points, np.full(len(points), z)]))
    if np.isfinite(at).all() and np.abs(at).max() < 1e5:
        cv2.polylines(canvas, [np.rint(at * 16).astype(np.int32)], True, colour, width, cv2.LINE_AA, 4)
