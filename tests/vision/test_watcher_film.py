"""A film of a whole game, made by somebody else's renderer: every state is read once, and never through a hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.core import CHANCE, Position
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.observation import Observation, Scene
from companion.vision.reading import Reading
from companion.vision.watcher import Watcher
from hardware.camera import Frame

FOOTAGE = Path(__file__).parents[2].parent / "shared" / "footage"
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
