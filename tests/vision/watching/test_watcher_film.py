"""A film of a whole game, made by somebody else's renderer: every state is read once, and never through a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import CHANCE, Position
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.images import Image
from companion.vision.observation import Observation, Scene
from companion.vision.reading import Reading
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from tests.vision.filming import moved

FOOTAGE = Path(__file__).parents[4] / "shared" / "footage"
FILM, RECORD = FOOTAGE / "triangle_game.mp4", FOOTAGE / "triangle_game.txt"
GAME = load_game("triangle")
HANDS = (5, 28, 41, 54, 67, 75, 93, 101, 144, 157, 185, 208)
"""Frames from which on a hand is in the picture, three frames each (looked up by eye)."""

pytestmark = pytest.mark.skipif(not FILM.exists(), reason="the footage is not here")


def frames() -> Iterator[Frame]:
    film = cv2.VideoCapture(str(FILM))
    number = 0
    while True:
        there, image = film.read()
        if not there:
            return
        yield Frame(np.asarray(image, np.uint8), number / 5, number)
        number += 1


def states() -> list[Position[Any]]:
    """The positions after the opening draws and after each action with its draw."""
    position, found = GAME.new(2), []
    for line in RECORD.read_text().splitlines():
        position = position.play(GAME.parse(line))
        if position.turn != CHANCE and line != "pass":
            found.append(position)
    return found


def shows(reading: Reading, position: Position[Any]) -> bool:
    view = position.view()
    cells = all(reading[site].label == label for site, label in view.sites.items())
    racks = (
        sorted(reading[site].label for site in group.sites if reading[site].label != EMPTY) == sorted(group.labels)
        for group in view.groups
    )
    return cells and all(racks)


def test_every_state_of_the_film_is_read_once() -> None:
    watcher = Watcher(GAME)
    readings: list[Observation] = []
    scenes: list[Scene] = []
    for frame in frames():
        seen = watcher.observe(frame)
        scenes.append(seen.scene)
        assert not seen.board_moved
        if seen.scene is Scene.STILL and (not readings or seen.since != readings[-1].since):
            readings.append(seen)
    hands = {first + k for first in HANDS for k in range(3)}
    assert {k for k, scene in enumerate(scenes) if scene is Scene.HAND} == {first + 2 for first in HANDS}
    assert not {k for k, scene in enumerate(scenes) if scene is Scene.STILL} & hands
    expected = states()
    assert len(readings) == len(expected) == 36
    for seen, position in zip(readings, expected, strict=True):
        assert seen.reading is not None
        assert shows(seen.reading, position), f"at {seen.time:.1f} s"


def trembling(image: Image, number: int) -> Image:
    chance = np.random.default_rng([5, number])
    return moved(image, *chance.normal(0.0, 1.0, 2), chance.normal(0.0, 0.03))


def knocked(image: Image, number: int) -> Image:
    """Every five seconds, by a centimetre or so."""
    chance = np.random.default_rng([9, number // 25])
    return moved(image, *chance.normal(0.0, 12.0, 2), chance.normal(0.0, 1.0))


def darkening(image: Image, number: int) -> Image:
    light = 1.0 - number / 216 * np.array([0.6, 0.45, 0.35])
    noise = np.random.default_rng(number).normal(0.0, 6.0, image.shape)
    return np.clip(image * light + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("camera", [trembling, knocked, darkening])
def test_every_state_is_read_however_the_camera_hangs_and_the_light_is(camera: Callable[[Image, int], Image]) -> None:
    watcher, left = Watcher(GAME), states()[:15]
    for frame in islice(frames(), 92):
        seen = watcher.observe(replace(frame, image=camera(frame.image, frame.number)))
        if seen.scene is Scene.STILL and left and seen.reading is not None and shows(seen.reading, left[0]):
            del left[0]
    assert not left
