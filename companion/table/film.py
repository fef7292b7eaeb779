"""A record as a film: the board after each action, drawn by whoever knows how."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.core import Position
from companion.games.registry import load_game
from companion.table.record import Record
from companion.table.replay import Rules, replay, rules_of
from companion.table.state import Played

Image = NDArray[np.uint8]
Draw = Callable[[Played | None, Position[Any]], Image]
"""Draws a position, with the action that led to it (None for the first): (height, width, 3), blue-green-red, always of
the same size.
"""

RATE = 10
"""Frames a second; every film shows each position for a whole number of frames."""


class FilmError(Exception):
    """The film cannot be written."""


def write_film(record: Record, path: Path, draw: Draw, *, seconds: float = 1.0, rules: Rules = load_game) -> int:
    """Writes the record as a film in MP4, each position for so many seconds; how many frames it has.

    Raises:
        FilmError: the file cannot be written.
        GameError, SetError, RecordTextError, DamagedError: the record cannot be played through.
    """
    import cv2

    first = rules_of(record, rules).new(len(record.players), record.options)
    title = draw(None, first)
    height, width = title.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (width, height))
    if not writer.isOpened():
        raise FilmError(
            f"{path} cannot be written as a film; name a file ending in .mp4 in a folder that can be written"
        )
    still = max(1, round(seconds * RATE))
    images = chain([title], (draw(played, position) for played, position in replay(record, rules)))
    frames = 0
    try:
        for image in images:
            if image.shape != title.shape:  # OpenCV would leave the picture out without a word
                raise FilmError(f"a picture of {image.shape} among those of {title.shape}; all need the same size")
            for _ in range(still):
                writer.write(image)
            frames += still
    finally:
        writer.release()
    if not _is_whole(path, frames):  # OpenCV says nothing of a full disk
        raise FilmError(f"{path} could not be written to its end; is there room on that disk?")
    return frames


def _is_whole(path: Path, frames: int) -> bool:
    import cv2

    film = cv2.VideoCapture(str(path))
    try:
        return bool(film.get(cv2.CAP_PROP_FRAME_COUNT) == frames)
    finally:
        film.release()
