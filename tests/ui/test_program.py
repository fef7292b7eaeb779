"""The program around the screens: languages, themes, input of all kinds, the failsafe, ways back."""

from __future__ import annotations

import random

import pygame
import pytest

from companion.referee.decision import Asks
from companion.ui import app as program_module
from companion.ui.screens.correct import CorrectScreen
from companion.ui.screens.failsafe import FailsafeScreen
from companion.ui.screens.menu import MenuScreen
from companion.ui.screens.naming import NameScreen
from companion.ui.screens.players import PlayersScreen
from companion.ui.screens.result import ResultScreen
from companion.ui.screens.results import ResultsScreen
from companion.ui.screens.settings import SettingsScreen
from companion.ui.screens.table import TableScreen
from companion.ui.screens.track import TrackScreen
from companion.vision.observation import Scene
from tests.ui.conftest import Program
from tests.ui.games import played
from tests.ui.memory import MemoryLibrary


def test_the_language_changes_at_run_time_and_is_kept(program: Program) -> None:
    library = MemoryLibrary()
    finger = program(library)
    finger.tap("Settings")
    finger.tap("Deutsch")
    assert finger.reads("Einstellungen")
    finger.tap("back")
    assert "Beenden" in [button.label for button in finger.buttons()]
    finger.tap("Einstellungen")
    finger.tap("Français")
    assert finger.reads("Réglages")
    assert library.settings["language"] == "fr"
    assert program(library, language=None).reads("Le plateau reste en bois.")


def test_the_theme_changes_at_run_time_and_is_kept(program: Program) -> None:
    library = MemoryLibrary()
    finger = program(library)
    light = finger.app.surface.get_at((2, 2))
    finger.tap("Settings")
    finger.tap("Dark")
    assert sum(finger.app.surface.get_at((2, 2))[:3]) < sum(light[:3]) / 4
    assert library.settings["theme"] == "dark"


def test_names_are_typed_on_the_screen_and_remembered_ones_chosen(program: Program) -> None:
    finger = program(MemoryLibrary(["Ada", "Ben", "Cleo"]))
    finger.tap("Triangle")
    finger.tap("Ada")
    for letter in "ZOE":
        finger.tap(letter)
    finger.tap("delete")
    finger.tap("E")
    finger.tap("Done")
    finger.tap("Ben")
    finger.tap("Cleo")
    assert {"Zoe", "Cleo"} <= {button.label for button in finger.buttons()}


def test_a_keyboard_types_names_and_escape_leads_back(program: Program) -> None:
    finger = program()
    finger.tap("Triangle")
    finger.tap("Ada")
    pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text="É"))
    pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text="v"))
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN))
    finger.settle()
    assert "Év" in [button.label for button in finger.buttons()]
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE))
    finger.settle()
    assert finger.screen == "start"


def test_the_same_name_twice_cannot_begin(program: Program) -> None:
    finger = program()
    finger.tap("Triangle")
    finger.app.screen.rename(1, "ada")  # type: ignore[attr-defined]
    finger.settle()
    assert "Begin" not in [button.label for button in finger.buttons()]
    assert finger.reads("Two players have the same name.")


def test_the_mouse_works_too_and_a_touch_is_not_counted_twice(program: Program) -> None:
    library = MemoryLibrary()
    finger = program(library)
    at = finger.button("Triangle").rect.center
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, button=1, pos=at, touch=False))
    finger.settle()
    assert finger.screen == "players"
    at = finger.button("back").rect.center
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, button=1, pos=at, touch=True))
    finger.settle()
    assert finger.screen == "players"


def test_a_screen_that_fails_ends_in_the_failsafe_and_keeps_the_record(
    program: Program, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    library = MemoryLibrary()
    table = played(library)
    finger = program(library, model=table)
    before = list(table.actions)
    with monkeypatch.context() as broken:
        broken.setattr(MenuScreen, "draw", _fail)
        finger.tap("Menu")
        assert finger.screen == "failsafe"
    assert "menu" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    finger.tap("Back to the table")
    assert finger.screen == "table"
    assert table.actions == before
    with monkeypatch.context() as broken:
        broken.setattr(TableScreen, "handle", _fail)
        finger.tap_site("cell:0")
        assert finger.screen == "failsafe"
    finger.tap("To the start")
    assert finger.screen == "start"
    assert table.finished


def _fail(*arguments: object) -> None:
    raise ZeroDivisionError


def test_every_screen_has_a_way_back_to_the_start(program: Program) -> None:
    library = MemoryLibrary(["Ada"])
    over = played(library, actions=1_000)
    table = played(library)
    finger = program(library)
    app = finger.app
    screens = [
        PlayersScreen(app, "triangle"),
        NameScreen(app, PlayersScreen(app, "triangle"), (), print),
        TableScreen(app, table),
        CorrectScreen(app, table),
        MenuScreen(app, table),
        TrackScreen(app, table),
        ResultScreen(app, over),
        ResultsScreen(app),
        SettingsScreen(app, MenuScreen(app, table)),
        FailsafeScreen(app),
    ]
    for screen in screens:
        app.model = getattr(screen, "model", None)
        app.show(screen)
        finger.settle()
        for _ in range(6):
            if finger.screen == "start":
                break
            ways = [button.label or button.icon for button in finger.buttons()]
            finger.tap(next(way for way in ("To the start", "Leave the table", "back", "Menu") if way in ways))
        assert finger.screen == "start", screen.name


def test_random_touches_never_fail(program: Program) -> None:
    """A child with the screen: whatever is touched, the program goes on and the record stays legal."""
    library = MemoryLibrary(["Ada", "Ben", "Cleo"])
    finger = program(library)
    choice = random.Random(5)
    seen = set()
    for _ in range(300):
        seen.add(finger.screen)
        assert finger.screen != "failsafe"
        buttons = [button for button in finger.buttons() if button.icon != "quit" or choice.random() < 0.02]
        if buttons and choice.random() < 0.8:
            finger.at(*choice.choice(buttons).rect.center)
        else:
            finger.at(choice.randrange(800), choice.randrange(480))
        finger.app.running = True
    assert len(seen) >= 8
    for table in library.tables:
        MemoryLibrary().new_game(table.game, table.players, table.options)._replay(table.actions)


def test_run_opens_and_leaves_and_refuses_what_it_does_not_know() -> None:
    library = MemoryLibrary()
    table = played(library)
    program_module.run(library, size=(800, 480), language="de", theme="dark", model=table, max_frames=3)
    assert table.finished
    with pytest.raises(ValueError, match="no language 'it'; there are: en, de, fr"):
        program_module.run(library, language="it")
    with pytest.raises(ValueError, match="no theme 'pink'"):
        program_module.run(library, theme="pink")


def finger_event(kind: int, at: tuple[int, int], size: tuple[int, int] = (800, 480)) -> pygame.event.Event:
    x, y = at[0] / size[0], at[1] / size[1]
    return pygame.event.Event(kind, x=x, y=y, dx=0.0, dy=0.0, finger_id=1, touch_id=1)


def test_a_touch_is_not_lost_while_the_table_goes_on(program: Program) -> None:
    library = MemoryLibrary()
    table = played(library)
    finger = program(library, model=table)
    at = finger.button("Menu").rect.center
    pygame.event.post(finger_event(pygame.FINGERDOWN, at))
    finger.settle()
    for scene in (Scene.MOVING, Scene.HAND, Scene.STILL):
        table.change(scene=scene)
        finger.settle()
    pygame.event.post(finger_event(pygame.FINGERUP, at))
    finger.settle()
    assert finger.screen == "menu"


def test_a_finger_that_is_never_lifted_does_not_stop_the_screen(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.ui.app.HOLD", 0.0)
    library = MemoryLibrary()
    table = played(library)
    finger = program(library, model=table)
    pygame.event.post(finger_event(pygame.FINGERDOWN, finger.button("Menu").rect.center))
    finger.settle()
    table.change(scene=Scene.STILL, issue=Asks("differs", ("cell:3",)))
    finger.settle()
    assert finger.reads("A question")


def test_what_was_meant_for_a_table_that_has_changed_is_not_done(program: Program) -> None:
    library = MemoryLibrary()
    table = played(library)
    finger = program(library, model=table)
    at = finger.button("Undo").rect.center
    pygame.event.post(finger_event(pygame.FINGERDOWN, at))
    finger.settle()
    table.enter(table.state().position.legal_actions()[0])
    before = list(table.actions)
    pygame.event.post(finger_event(pygame.FINGERUP, at))
    finger.settle()
    assert table.actions == before
    finger.tap("Undo")
    assert table.actions != before
