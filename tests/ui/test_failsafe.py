"""Whatever goes wrong in a screen ends in the failsafe; the record stays, and there is a way back to the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from companion.table.library import Library
from companion.table.store import Store
from companion.ui import gallery
from companion.ui.app import App
from companion.ui.events import Key, press
from companion.ui.screen import Screen
from companion.ui.screens.failsafe import FailsafeScreen
from companion.ui.screens.table import TableScreen
from tests.ui.conftest import Program
from tests.ui.finger import Finger
from tests.ui.games import played
from tests.ui.memory import MemoryLibrary

PLACES = ("build", "draw", "update", "handle")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[gallery.Studio]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((800, 480))
    studio = gallery.Studio(tmp_path_factory.mktemp("studio"))
    yield studio
    studio.close()


def broken(*arguments: object) -> None:
    raise RuntimeError("injected")


@pytest.mark.parametrize("place", PLACES)
def test_a_fault_in_any_screen_ends_in_the_failsafe_and_goes_back_to_the_table(
    studio: gallery.Studio, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    pygame.display.init()
    pygame.font.init()
    app = App(studio.library, pygame.display.set_mode((800, 480)), language="en", theme="light")
    app.prefer(sound="off")
    finger = Finger(app)
    kinds: set[type[Screen]] = set()
    for make in gallery.scenes(studio).values():
        app.model = studio.two
        screen = make(app)
        if type(screen) in kinds or isinstance(screen, FailsafeScreen):
            continue
        kinds.add(type(screen))
        setattr(screen, place, broken)
        app.show(screen)
        app.round()
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RIGHT))
        finger.settle()
        assert finger.screen == "failsafe", (type(screen), place)
        assert finger.reads("Nothing is lost")
        assert "injected" in caplog.text
        caplog.clear()
        before = studio.two.state()
        if app.model is None:  # a screen without a table, as the history
            finger.tap("To the start")
            assert finger.screen == "start"
            continue
        finger.tap("Back to the table")
        assert isinstance(app.screen, TableScreen)
        assert app.model is studio.two
        assert studio.two.state() == before
    assert len(kinds) > 15


def test_a_table_that_goes_on_failing_still_leads_to_the_start(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = MemoryLibrary()
    table = played(library)
    finger = program(library, model=table)
    with monkeypatch.context() as patched:
        patched.setattr(TableScreen, "draw", broken)
        finger.tap("Menu")
        for _ in range(3):
            finger.tap("back")
            assert finger.screen == "failsafe"
            finger.tap("Back to the table")
        finger.tap("To the start")
    assert finger.screen == "start"
    assert finger.app.running


def test_a_fault_while_a_command_runs_keeps_what_was_recorded(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as store:
        finger = program(Library(store))
        finger.tap("Triangle")
        finger.tap("Begin")
        finger.tap("RRR6")
        with monkeypatch.context() as patched:
            patched.setattr(TableScreen, "_follow", broken)
            finger.tap("RRY5")
            assert finger.screen == "failsafe"
        finger.tap("Back to the table")
        assert finger.app.model is not None
        assert [str(one.action) for one in finger.app.model.state().played] == ["draw 0 RRR6", "draw 1 RRY5"]
        finger.app.leave_table()


def test_a_button_at_the_table_presses_the_one_thing_to_do(program: Program) -> None:
    library = MemoryLibrary(["Ada", "Ben"])
    finger = program(library)
    finger.tap("Triangle")
    press("ok")
    finger.settle()
    assert finger.screen == "table"
    press("back")
    finger.settle()
    assert finger.screen == "menu"
    finger.app.screen.handle(Key("ok"))  # nothing is the one thing to do there
    assert finger.screen == "menu"
