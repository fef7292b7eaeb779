"""The program with the simulated camera: begun by touch, played by simulated hands, seen, shown, and ended."""

from __future__ import annotations

import random
import time
from pathlib import Path

from companion.games.core import CHANCE
from companion.games.registry import load_game
from companion.table.library import Library
from companion.table.looking import Watching
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store
from companion.ui.screens.table import TableScreen
from companion.vision.observation import Scene
from companion.vision.watching.watcher import Watcher
from hardware.camera import Camera
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedCamera, SimulatedTable
from tests.ui.conftest import Program
from tests.ui.finger import Finger

GAME = load_game("triangle")
SEED = 4
TAIL = 20.0
"""Seconds that the camera looks on after the last hand has gone."""

PATIENCE = 90.0


def watching(session: Session) -> Watching:
    """Simulated players who play on; frames come as fast as they are drawn and understood."""
    rehearsal = Rehearsal(session.game, session.position.players, seed=SEED)
    rehearsal.position = session.position

    def camera() -> Camera:
        conditions = Conditions.random(session.game, SEED, 0.0, (960, 540), (0, 1)).quick()
        return SimulatedCamera(
            SimulatedTable(session.game, rehearsal.steps(), SEED, 0.1), conditions, 3.0, live=False, tail=TAIL
        )

    return Watching(Watcher(session.game), camera)


def nearly_over(store: Store) -> Session:
    """A game in which the bag is empty and few tiles are left."""
    position, choice, actions = GAME.new(2), random.Random(SEED), []
    while not position.over:
        actions.append(choice.choice(sorted(position.legal_actions(), key=str)))
        position = position.play(actions[-1])
    session = Session.create(store, GAME, seated(GAME, ["Ada", "Ben"]))
    session.apply(actions[:-2], By.HAND)
    return session


def wait_until(finger: Finger, wanted) -> None:  # type: ignore[no-untyped-def]
    """Looks at the screen until something is so; questions are answered by looking again."""
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end
        finger.app.round()
        screen = finger.app.screen
        again = "I don't know, look again"
        if isinstance(screen, TableScreen) and again in [button.label for button in finger.buttons()]:
            finger.tap(again)
        time.sleep(0.01)


def test_a_game_that_the_camera_sees_is_shown_to_its_result(program: Program, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        before = nearly_over(store)
        finger = program(Library(store, watching))
        finger.tap("Go on playing")
        model = finger.app.model
        assert model is not None
        wait_until(finger, lambda: finger.screen == "result")
        state = model.state()
        assert state.position.over
        seen = state.played[len(before.played) :]
        assert seen
        assert all(one.by in (By.CAMERA, By.INFERRED) for one in seen)
        assert any(one.picture is not None for one in seen)
        shown = finger.shown()
        for score in state.position.scores:
            assert str(score).replace("-", "−") in shown
        finger.tap("To the start")
        finger.tap("History")
        finger.tap(before.name)
        wait_until(finger, lambda: finger.screen == "review")
        finger.app.leave_table()


def test_the_first_draw_is_seen_after_a_start_by_touch(program: Program, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        finger = program(Library(store, watching))
        finger.tap("Triangle")
        finger.tap("Begin")
        model = finger.app.model
        assert model is not None
        wait_until(finger, lambda: model.state().scene is Scene.STILL)
        assert model.state().position.turn == CHANCE
        wait_until(finger, lambda: len(model.state().played) >= 1)
        first = model.state().played[0]
        assert first.by is By.CAMERA
        finger.tap("Menu")
        finger.tap("Leave the table")
        assert finger.screen == "start"
