"""One picture, read: `companion look`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.registry import load_game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.locating.board import NoBoardError, find_game, locate
from companion.vision.locating.parallax import read_settled
from companion.vision.overlay import draw_overlay
from companion.vision.readers.reader import Reader
from companion.vision.reading import Reading, sites_there

__all__ = ["NoBoardError", "NotAPictureError", "look"]


class NotAPictureError(Exception):
    """A file that cannot be read as a picture; the message says why, in one sentence for people."""


def look(
    picture: Path | str | Array,
    game_name: str | None = None,
    overlay: Path | None = None,
    set_file: Callable[[str], Path | None] = lambda game: None,
) -> dict[str, Any]:
    """What a picture (a file, or an image as OpenCV has it) shows, as plain data for JSON.

    Without `game_name` the corner cards tell the game. With `overlay` what was read is drawn into that file.
    `set_file`: the file of a set of one's own for a game, if there is one.

    Raises:
        NotAPictureError: the file is not there, is no picture, or the overlay cannot be written.
        NoBoardError: the board cannot be found.
        UnknownGameError: no game has that name.
        SetError: the set file cannot be used.
    """
    image = load_picture(picture)
    name = game_name or find_game(image)[0].name
    game = load_game(name, set_file(name))
    reader = Reader(game)
    start = perf_counter()
    lens = Lens.nominal((image.shape[1], image.shape[0]))
    pose, reading = read_settled(image, game, locate(image, game, lens), lens, partial(reader.read, image))
    milliseconds = (perf_counter() - start) * 1000
    if overlay is not None:
        write_picture(overlay, draw_overlay(image, game, pose, reading))
    return {
        "game": game.name,
        "markers": list(pose.markers),
        "blurred": pose.blurred,
        "sites": _plain(game, reading),
        "milliseconds": round(milliseconds, 1),
    }


def load_picture(picture: Path | str | Array) -> Array:
    """An image (height, width, 3), blue-green-red, from a file or from an array as OpenCV has it.

    Raises:
        NotAPictureError: it is no picture.
    """
    if isinstance(picture, np.ndarray):
        if picture.dtype != np.uint8 or picture.ndim not in (2, 3) or min(picture.shape) < 1:
            raise NotAPictureError("a picture is an array of 8-bit values, grey or blue-green-red")
        return picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    try:
        content = np.frombuffer(Path(picture).read_bytes(), np.uint8)
    except OSError as error:
        raise NotAPictureError(f"{picture}: {error.strerror or error}") from error
    image = None
    if len(content):
        try:
            image = cv2.imdecode(content, cv2.IMREAD_COLOR)
        except cv2.error as error:
            raise NotAPictureError(f"{picture}: the picture cannot be decoded ({error.err})") from error
    if image is None:
        raise NotAPictureError(f"{picture}: this is no picture that can be read; JPEG and PNG files can")
    return image


def _plain(game: Game[Any, Any], reading: Reading) -> dict[str, dict[str, Any]]:
    read = ((site.name, reading[site.name]) for site in sites_there(game.sites, reading))
    return {name: {"label": site.label, "confidence": round(site.trust, 4)} for name, site in read}


def write_picture(path: Path, image: Array) -> None:
    """Writes an image (height, width, 3) into a file.

    Raises:
        NotAPictureError: it cannot be written there.
    """
    try:
        written = cv2.imwrite(str(path), image)
    except cv2.error as error:
        raise NotAPictureError(f"{path}: this kind of picture cannot be written; name it .png or .jpg") from error
    if not written:
        raise NotAPictureError(f"{path}: the picture cannot be written there")
