"""One picture of a board without rules, read: `companion look --set`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from companion.games.looks import Look
from companion.games.sets import Marker
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.anyboard.bending import unbent
from companion.vision.anyboard.boardset import OCCUPIED, BoardSet, Plate
from companion.vision.anyboard.fields import disagreement, empty_surface, read_fields
from companion.vision.anyboard.occupancy import UNSURE
from companion.vision.anyboard.outline import find_outline
from companion.vision.anyboard.overlay import draw_fields
from companion.vision.anyboard.pose import check_corners, pose_of
from companion.vision.anyboard.surface import Surface
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import NoBoardError, locate
from companion.vision.look import load_picture, write_picture

ALIKE, SETTLED = 0.85, 0.75
"""Orientations look the same whose disagreement with the empty board is as small as that of the best, up to so much of
it; one is settled if it is less than the smaller part of that of all others.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a board is, `by` what it was found: `corners`, `cards` or `outline`. `sure`: so is its orientation.

    `rivals`: where else it may be nearly as likely. `plain`: it is well seen to be there.
    """

    pose: Pose
    by: str
    sure: bool = True
    rivals: tuple[Pose, ...] = ()
    plain: bool = True

    @property
    def clear(self) -> bool:
        """Whether it is there, and nowhere else."""
        return self.plain and not self.rivals


@dataclass(frozen=True, slots=True)
class _Carded:
    """The board as `locate` wants it: cards and a plate, and nothing known of the pieces on it."""

    plate: Plate
    marker: Marker
    board: Look
    sites: tuple[SiteSpec, ...] = ()


def look_at_board(
    picture: Path | str | Array,
    set_file: Path,
    corners: Array | None = None,
    empty: Path | str | Array | None = None,
    empty_corners: Array | None = None,
    overlay: Path | None = None,
) -> dict[str, Any]:
    """What a picture of the board that `set_file` describes shows, as plain data for JSON.

    `corners` (4, 2) of the grid in pixels: lower left, upper left, upper right, lower right; without them the board is
    found by its cards, or by its outline. `empty` is a picture of the empty board from anywhere, `empty_corners` where
    it is there. With `overlay` what was read is drawn into that file.

    Raises:
        SetError: the set file cannot be used.
        NotAPictureError: a picture cannot be read, or the overlay cannot be written.
        CornersError: no grid can have these corners.
        NoBoardError: the board is not found in the picture, or in that of the empty board.
    """
    board = BoardSet.load(set_file)
    image = load_picture(picture)
    bare = load_picture(empty) if empty is not None else None
    start = perf_counter()
    found = find_board(image, board, corners)
    clear = found.clear
    surface = None
    if bare is not None:
        where = _find_empty(bare, board, empty_corners)
        surface = empty_surface(bare, where.pose, board)
        found = found if found.sure else settled_place(surface, image, board, found, where.sure)
        clear = found.clear and where.clear
    occupied = read_fields(image, found.pose, board, surface).ravel()
    occupied = occupied if clear else np.clip(occupied, 1 - UNSURE, UNSURE)
    milliseconds = (perf_counter() - start) * 1000
    if overlay is not None:
        write_picture(overlay, draw_fields(image, board, found.pose, occupied))
    return {
        "set": board.name,
        "found_by": found.by,
        "place": "known" if clear else "doubtful",
        "orientation": "known" if found.sure else "ambiguous",
        "markers": list(found.pose.markers),
        "corners": np.round(found.pose.project(board.corners), 1).tolist(),
        "sites": {name: _plain(float(p)) for name, p in zip(board.fields, occupied, strict=True)},
        "milliseconds": round(milliseconds, 1),
    }


def _plain(probability: float) -> dict[str, Any]:
    label, confidence = (OCCUPIED, probability) if probability > 0.5 else (EMPTY, 1 - probability)
    return {"label": label, "confidence": round(confidence, 4)}


def find_board(image: Array, board: BoardSet, corners: Array | None) -> Found:
    """Where the board is in the picture.

    Raises:
        CornersError: no grid can have these corners.
        NoBoardError: it is not found.
    """
    size = (image.shape[1], image.shape[0])
    if corners is not None:
        check_corners(corners, size)
        return Found(unbent(image, pose_of(board.corners, corners, size), board), "corners")
    if board.marker is not None:
        try:
            carded: Any = _Carded(board.board, board.marker, board.look)
            return Found(locate(image, carded, Lens.nominal(size)), "cards")
        except NoBoardError as error:
            missing = f"{error}, and "
    else:
        missing = ""
    outlined = find_outline(image, board)
    if outlined is None:
        raise NoBoardError(f"{missing}no outline of such a board is found in the picture; give its --corners")
    pose = unbent(image, outlined.pose, board)
    return Found(pose, "outline", sure=False, plain=outlined.plain, rivals=outlined.rivals)


def _find_empty(image: Array, board: BoardSet, corners: Array | None) -> Found:
    """Where the board is in the picture of the empty one."""
    try:
        return find_board(image, board, corners)
    except NoBoardError as error:
        raise NoBoardError(f"in the picture of the empty board: {error}") from error


def settled_place(empty: Surface, image: Array, board: BoardSet, found: Found, settled: bool) -> Found:
    """The board where, and turned so that, it looks most like the empty one, whose own orientation may be `settled`.

    Of orientations that look the same, as both of a chessboard, it is the one whose lower left is nearest to that of
    the picture.
    """
    turns = (0, 1, 2, 3) if board.grid.columns == board.grid.rows else (0, 2)
    places = [[turned(pose, turn) for turn in turns] for pose in (found.pose, *found.rivals)]
    costs = np.array([[disagreement(image, pose, board, empty) for pose in poses] for poses in places])
    least = costs.min(1)
    place = int(least.argmin()) if least.min() <= SETTLED * least[0] else 0
    best = costs[place].min()
    rivals = tuple(each[0] for each, cost in zip(places, least, strict=True) if cost * SETTLED <= best)
    likely = [pose for pose, cost in zip(places[place], costs[place], strict=True) if cost * ALIKE <= best]
    below = np.array([0, image.shape[0]])
    nearest = min(likely, key=lambda pose: float(np.hypot(*(pose.project(board.corners[:1])[0] - below))))
    sure = settled and int((costs[place] * SETTLED <= best).sum()) == 1
    return replace(found, pose=nearest, sure=sure, rivals=rivals if len(rivals) > 1 else ())


def turned(pose: Pose, turn: int) -> Pose:
    """The pose of the same board turned by so many right angles about its middle."""
    rotation = cv2.Rodrigues(np.array([0.0, 0.0, turn * np.pi / 2]))[0]
    return Pose(pose.rotation @ rotation, pose.translation, pose.lens, pose.markers, pose.residual, pose.support)
