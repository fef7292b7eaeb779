"""Reading blocks of several heights and the messengers upon them."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.vision.board import Pose, locate
from companion.vision.lens import Array, Lens
from companion.vision.reader import Reader
from companion.vision.reading import Reading
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import render
from hardware.simulated.scene import scene_of

GAME = load_game("magic_triland")
CELLS = [site.name for site in GAME.sites if site.kind == "cell"]
PIECES = [site.name for site in GAME.sites if site.upon]


class Shot(NamedTuple):
    """A picture, what it shows, and what was read."""

    labels: dict[str, str]
    image: Array
    pose: Pose
    reader: Reader
    reading: Reading


def landscape(seed: int) -> dict[str, str]:
    """A full board with all messengers, somewhere."""
    chance = random.Random(seed)
    heights = [str(height) for height in range(1, 7) for _ in range(6)]
    chance.shuffle(heights)
    labels = dict(zip(CELLS, heights, strict=True))
    places = [cell.partition(":")[2] for cell in chance.sample(CELLS, 3)]
    places += ["~orange", *(f"@{piece.rpartition('-')[2]}" for piece in PIECES[4:])]
    return labels | dict(zip(PIECES, places, strict=True))


def picture(seed: int, labels: dict[str, str]) -> tuple[Array, Pose]:
    conditions = Conditions.random(GAME, seed, 0.1, (1536, 864))
    carrying = {site: f"{label} RYB" if site in PIECES else label for site, label in labels.items()}
    image = render(GAME, scene_of(GAME, carrying, seed), conditions)
    return image, locate(image, GAME, Lens.nominal((1536, 864)))


@pytest.fixture(scope="module")
def shot() -> Shot:
    labels = landscape(7)
    image, pose = picture(7, labels)
    reader = Reader(GAME)
    return Shot(labels, image, pose, reader, reader.read(image, pose))


def test_a_full_board(shot: Shot) -> None:
    labels, reading = shot.labels, shot.reading
    wrong = {site: reading[site].label for site in labels if reading[site].label != labels[site]}
    assert len(wrong) <= 2, wrong  # straight under the camera all heights look alike
    assert not [site for site in wrong if reading[site].confidence > 0.9]
    assert not [site for site in wrong if site in PIECES]


def test_a_block_that_is_new_among_known_ones(shot: Shot) -> None:
    labels, pose = shot.labels, shot.pose
    places = {site.name: site.centre for site in GAME.sites}
    farthest = max(CELLS, key=lambda cell: float(np.linalg.norm(pose.camera[:2] - places[cell][:2])))
    reading = shot.reader.read(shot.image, pose, {farthest, "piece:light-blue"})
    assert set(reading.sites) == {farthest, "piece:light-blue"}
    assert {site: reading[site].label for site in reading.sites} == {site: labels[site] for site in reading.sites}


def test_an_empty_board_is_bare() -> None:
    labels = {piece: f"@{piece.rpartition('-')[2]}" for piece in PIECES}
    image, pose = picture(11, labels)
    reading = Reader(GAME).read(image, pose)
    assert {reading[cell].label for cell in CELLS} == {"empty"}
    assert {piece: reading[piece].label for piece in PIECES} == labels
