"""Before the game: who sits where, in which order, with which options; the game told by its cards."""

from __future__ import annotations

import time
from itertools import pairwise
from math import cos, radians, sin
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.registry import GAMES, load_game
from companion.table.library import Library
from companion.table.recognising import Recognising
from companion.table.seating import directions, seated
from companion.table.store import Store
from companion.ui.games import face, playable
from companion.ui.language import LANGUAGES, Words
from companion.ui.screens.start import StartScreen
from hardware.camera import Camera, CameraError, Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.script import Lay, Wait
from hardware.simulated.table import SimulatedCamera, SimulatedTable
from tests.ui.conftest import Program
from tests.ui.memory import MemoryLibrary

GAME = load_game("triangle")


@pytest.mark.parametrize("name", list(GAMES))
def test_seats_follow_each_other_around_the_table_as_the_set_says(name: str) -> None:
    game = load_game(name)
    for players in game.player_counts:
        turns = [directions(game, players)[seat] for seat in game.seats(players)]
        steps = [(after - before) % 360 for before, after in pairwise(turns)]
        assert all(0 < step < 360 for step in steps)
        assert (sum(steps) < 360) is game.clockwise or players == 2


def test_start_corners_and_racks_tell_where_people_sit() -> None:
    labyria = load_game("labyria")
    for seat, turn in directions(labyria, 4).items():
        view = labyria.new(4).view().sites
        corner = next(s for s in labyria.sites if view.get(s.name, "").startswith(labyria.seat_colours[seat]))
        x, y = sin(radians(turn)), cos(radians(turn))
        assert x * corner.centre[0] > 0
        assert y * corner.centre[1] > 0


def test_two_players_of_four_sit_at_the_seats_of_the_set() -> None:
    players = seated(load_game("labyria"), ["Ada", "Ben"])
    assert [(player.seat, player.colour) for player in players] == [(0, "red"), (2, "yellow")]
    duel = seated(load_game("magic_triland"), ["Ada", "Ben"])
    assert [player.colour for player in duel] == ["light", "dark"]


@pytest.mark.parametrize("name", playable())
def test_every_option_and_value_is_explained_in_every_language(name: str) -> None:
    game = load_game(name)
    for option in game.options:
        texts = [face(name).option(option.name, Words(language)) for language in LANGUAGES]
        assert all(len(label) > 2 and len(explanation) > 20 for label, explanation in texts)
        assert len(set(texts)) == len(LANGUAGES)
        for language in LANGUAGES:
            values = [face(name).value(option.name, value, Words(language)) for value in option.values]
            assert all(values)
            assert len(set(values)) == len(values)


def test_an_arrow_lets_somebody_play_earlier(program: Program) -> None:
    library = MemoryLibrary(["Ada", "Ben", "Cleo"])
    finger = program(library)
    finger.tap("Triangle")
    finger.tap("plus")
    ups = [button for button in finger.buttons() if button.icon == "up"]
    finger.at(*ups[1].rect.center)
    finger.tap("Begin")
    assert [player.name for player in library.tables[0].players] == ["Ada", "Cleo", "Ben"]
    assert [player.seat for player in library.tables[0].players] == [0, 1, 2]


@pytest.mark.skipif("via" not in playable(), reason="VIA has no face")
def test_options_are_chosen_value_by_value(program: Program) -> None:
    library = MemoryLibrary()
    finger = program(library)
    finger.tap("VIA")
    assert finger.reads("As in the rulebook")
    finger.tap("Options")
    for row, value in (("land_alike", False), ("free_water", True)):
        label, _ = face("via").option(row, finger.app.words)
        assert finger.reads(label)
        text = face("via").value(row, value, finger.app.words)
        screen = finger.app.screen
        rows = {option.name: rect for rect, option in screen._texts}  # type: ignore[attr-defined]
        button = next(b for b in finger.buttons() if b.label == text and abs(b.rect.top - rows[row].top) < 5)
        finger.at(*button.rect.center)
    finger.tap("back")
    assert not finger.reads("As in the rulebook")
    finger.tap("Begin")
    assert library.tables[0].options == {"land_alike": False, "free_water": True}


# -- told by its cards -------------------------------------------------------------------------------------------------


def camera_over(name: str, opened: list[str]) -> Camera:
    opened.append(name)
    game = load_game(name)
    table = SimulatedTable(game, [Lay({}), Wait(1000.0, least=1000.0)], 7)
    return SimulatedCamera(table, Conditions.random(game, 7, 0.0, (1280, 720)), 5.0, live=False)


def until(finger, wanted, seconds: float = 20.0) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < end
        finger.settle()
        time.sleep(0.02)


def test_the_game_on_the_table_is_marked_on_the_start(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.recognising.PACE", 0.02)
    opened: list[str] = []
    with Store(tmp_path) as store:
        library = Library(store, camera=lambda: camera_over("triangle", opened))
        finger = program(library)
        until(finger, lambda: library.recognised == "triangle")
        until(finger, lambda: finger.app.screen.recognised == "triangle")  # type: ignore[attr-defined]
        assert finger.reads("On the table")
        assert finger.button("Triangle").style == "chosen"
        looking = library._recognising
        finger.tap("Triangle")
        assert library.recognised is None
        assert looking is not None
        looking.ended()
        assert not looking.is_alive()
        finger.tap("back")
        assert isinstance(finger.app.screen, StartScreen)
        until(finger, lambda: len(opened) == 2)
        finger.app.library.recognise(False)


class Blank(Camera):
    """Sees a bare table, then fails."""

    live = False

    def __init__(self, frames: list[int]) -> None:
        self._frames = frames

    def read(self, timeout: float = 2.0) -> Frame | None:
        self._frames.append(1)
        if len(self._frames) % 3 == 0:
            raise CameraError("the cable is loose")
        image = np.full((240, 320, 3), 128, np.uint8)
        cv2.circle(image, (160, 120), 40, (20, 20, 20), -1)
        return Frame(image, 0.0, 0)


def test_without_cards_or_camera_nothing_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.recognising.PACE", 0.0)
    monkeypatch.setattr("companion.table.recognising.Recognising.retry", 0.01)
    frames: list[int] = []
    with Store(tmp_path) as store:
        library = Library(store, camera=lambda: Blank(frames))
        library.recognise(True)
        end = time.monotonic() + 20
        while len(frames) < 8:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert library.recognised is None
        library.recognise(False)


def test_a_table_on_which_nothing_changes_is_hardly_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr("companion.table.recognising.PACE", 0.0)
    monkeypatch.setattr("companion.table.recognising.find_game", lambda image: looks.append(1) or (GAME, ()))
    images = [np.full((90, 160, 3), level, np.uint8) for level in (100, 101, 100, 102, 101, 200, 200, 201, 200)]

    class Film(Blank):
        def read(self, timeout: float = 2.0) -> Frame | None:
            return Frame(images.pop(0), 0.0, 0) if images else None

    looking = Recognising(lambda: Film([]))
    looking.run()
    assert looking.game == "triangle"
    assert len(looks) == 4  # two for each of the two pictures
