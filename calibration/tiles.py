"""Tiles that look otherwise than the set file has them: their faces, learned from pictures of tiles laid out.

Each face becomes a square picture of a few colours in the set file (`companion.games.sets.Faces`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from calibration.colours import ColoursError, srgb
from companion.games.core import Game
from companion.games.looks import Prism
from companion.games.sets import Faces
from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture, on_board
from companion.vision.geometry.pose import Pose
from companion.vision.light.palette import SOFT, linear, measure_light, sample

CELLS = 40
"""Rows and columns of a face's picture."""

LOOKS = 3
"""Pixels that are looked at along each side of a cell."""

COLOURS = 10
"""Colours at most, those of all faces together."""

NEAR = 0.3
"""How far, on a logarithmic scale, two colours may be apart that count as one."""

ALIKE = 0.04
"""Part of a face that has to differ from every other one."""

Sheet = Mapping[str, str]
"""Labels by site: tiles to lay out for one picture."""


def sheets(game: Game[Any, Any]) -> tuple[Sheet, ...]:
    """What to lay out, picture by picture, so that every tile of the set shows once.

    Raises:
        ColoursError: the game has no tiles whose faces could be learned.
    """
    names = game.set.tile_names
    if not names:
        raise ColoursError(f"{game.name} has no tiles with faces to be learned; its colours can be", "tiles")
    labels = {name: next(_laid(game, name))[1] for name in names}
    sites = [site.name for site in game.sites if site.labels and not site.loose and labels[names[0]] in site.labels]
    return tuple(
        {site: labels[name] for site, name in zip(sites, names[first : first + len(sites)], strict=False)}
        for first in range(0, len(names), len(sites))
    )


def _laid(game: Game[Any, Any], name: str) -> Iterator[tuple[str, str]]:
    """Where a tile may lie, and its label there."""
    for site in game.sites:
        for label in site.labels:
            if label.partition("/")[0] == name and not site.loose:
                yield site.name, label


def learn_faces(game: Game[Any, Any], pictures: Sequence[tuple[Array, Pose]]) -> Faces:
    """The faces of all tiles, from a picture of each of the `sheets`.

    Raises:
        ColoursError: pictures are missing, a tile is not wholly in its picture, or two tiles look alike.
    """
    wanted = sheets(game)
    if len(pictures) != len(wanted):
        raise ColoursError(f"the tiles are laid out for {len(wanted)} picture(s), and there are {len(pictures)}", "few")
    specs = {site.name: site for site in game.sites}
    side = _side(game, *next(iter(wanted[0].items())))
    seen: dict[str, Array] = {}
    for (image, pose), sheet in zip(pictures, wanted, strict=True):
        light = measure_light(image, pose, game.marker, -game.plate.thickness)
        if light is None:
            raise ColoursError("the white of the corner cards is not seen; lay the cards out", "white")
        for site, label in sheet.items():
            seen[label.partition("/")[0]] = light.reflectance(_patch(game, specs[site], label, side, image, pose))
    inside = _inside(game, specs, wanted[0], side)
    return _faces(seen, inside, side)


def _prism(game: Game[Any, Any], kind: str, label: str) -> Prism:
    """A tile's prism, unturned."""
    name, slash, _ = label.partition("/")
    return next(solid for solid in game.look(kind, f"{name}/0" if slash else name) if isinstance(solid, Prism))


def _side(game: Game[Any, Any], site: str, label: str) -> float:
    """The side of the square around a tile's middle that holds its face, mm."""
    corners = _prism(game, site.partition(":")[0], label).footprint
    return 2 * max(abs(value) for corner in corners for value in corner)


def _cells(side: float, looks: int = 1) -> Array:
    """Points (CELLS * looks, CELLS * looks, 2) of a face, row by row from the top."""
    count = CELLS * looks
    steps = (np.arange(count) + 0.5) / count * side - side / 2
    x, y = np.meshgrid(steps, -steps)
    return np.stack([x, y], axis=-1)


def _patch(game: Game[Any, Any], site: SiteSpec, label: str, side: float, image: Array, pose: Pose) -> Array:
    """Linear colours (CELLS, CELLS, 3) of the tile on the site, unturned."""
    name, _, rotation = label.partition("/")
    solid = _prism(game, site.kind, label)
    a = np.radians(game.set.tile_turn * int(rotation or 0))
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])  # clockwise, for rows of points
    places = on_board(site, _cells(side, LOOKS).reshape(-1, 2) @ turn)
    at = pose.project(np.column_stack([places, np.full(len(places), site.centre[2] + solid.z1)]))
    if not in_picture(at, pose.lens.size).all():
        raise ColoursError(f"{name} on {site.name} is not wholly in the picture", "outside")
    fine = linear(sample(image, at)).reshape(CELLS, LOOKS, CELLS, LOOKS, 3)
    middle: Array = np.median(fine.transpose(0, 2, 1, 3, 4).reshape(CELLS, CELLS, LOOKS * LOOKS, 3), axis=2)
    return middle


def _inside(game: Game[Any, Any], specs: Mapping[str, SiteSpec], sheet: Sheet, side: float) -> Array:
    """Which cells (CELLS, CELLS) of a face's picture lie on the tile."""
    site, label = next(iter(sheet.items()))
    contour = np.array(_prism(game, specs[site].kind, label).footprint, np.float32)
    return np.array(
        [[cv2.pointPolygonTest(contour, (float(x), float(y)), True) > 0 for x, y in row] for row in _cells(side)]
    )


def _faces(seen: Mapping[str, Array], inside: Array, side: float) -> Faces:
    """The faces in a few colours, without specks.

    Raises:
        ColoursError: two look alike.
    """
    every = np.concatenate([np.log(np.maximum(values[inside], 0) + SOFT) for values in seen.values()])
    centres = _clusters(every.astype(np.float32))
    pictures: dict[str, Array] = {}
    for name, values in seen.items():
        scaled = np.log(np.maximum(values, 0) + SOFT)
        numbers = np.linalg.norm(scaled[:, :, None] - centres, axis=3).argmin(axis=2).astype(np.uint8)
        pictures[name] = _calm(numbers, len(centres))
    for one, other in combinations(pictures, 2):
        if (pictures[one] != pictures[other])[inside].mean() < ALIKE:
            raise ColoursError(f"{one} and {other} look alike; do the tiles lie as shown, in even light?", "alike")
    colours = tuple(srgb(np.clip(np.exp(centre) - SOFT, 0, 1)) for centre in centres)
    tiles = {
        name: tuple(_row(row, mask) for row, mask in zip(picture, inside, strict=True))
        for name, picture in pictures.items()
    }
    return Faces(side, colours, tiles)


def _clusters(values: Array) -> Array:
    """The main colours (n, 3) among values (m, 3) on the logarithmic scale; those near each other are one."""
    cv2.setRNGSeed(1)
    end = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    none = np.empty((0, 1), np.int32)
    _, labels, centres = cv2.kmeans(values, COLOURS, none, end, 3, cv2.KMEANS_PP_CENTERS)
    order = np.argsort(-np.bincount(labels.ravel(), minlength=COLOURS))
    kept: list[Array] = []
    for number in order:
        if all(np.linalg.norm(centres[number] - other) > NEAR for other in kept):
            kept.append(centres[number])
    return np.array(kept)


def _calm(numbers: Array, count: int) -> Array:
    """Each cell as most of those around it are."""
    votes = [cv2.boxFilter((numbers == k).astype(np.float32), -1, (3, 3)) for k in range(count)]
    most: Array = np.argmax(votes, axis=0).astype(np.uint8)
    return most


def _row(row: Array, mask: Array) -> str:
    return "".join(
        np.base_repr(int(number), 36).lower() if here else "." for number, here in zip(row, mask, strict=True)
    )


def with_faces(text: str, faces: Faces) -> str:
    """The text of a set file with these faces instead of those that it may have."""
    rest = re.sub(r"(?ms)^\[faces(\.\w+)?\]\n.*?(?=^\[(?!faces)|\Z)", "", text).rstrip("\n")
    colours = ", ".join(str(list(colour)) for colour in faces.colours)
    lines = [rest, "", "[faces]", f"side = {faces.side:.2f}", f"colours = [{colours}]", "", "[faces.tiles]"]
    for name, rows in faces.tiles.items():
        lines += [f"{name} = [", *(f'    "{row}",' for row in rows), "]"]
    return "\n".join(lines) + "\n"
