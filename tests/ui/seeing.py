"""Games that simulated players bring to their end before the simulated camera, while the program looks on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.games.core import Game
from companion.games.registry import table_game
from companion.table.library import Library
from companion.table.looking import Watching
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By
from companion.table.store import Store
from companion.table.tapping import Tapping
from companion.ui.screens.table import TableScreen
from companion.vision.watching.watcher import Watcher
from hardware.camera import Camera
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedCamera, SimulatedTable
from tests.ui.finger import Finger

TAIL = 20.0
"""Seconds that the camera looks on after the last hand has gone."""

AGAIN = "I don't know, look again"


def whole_game(game: Game[Any, Any], players: int, seed: int, options: Mapping[str, object] | None = None) -> list[str]:
    """The actions of a game of simulated players, played without a table."""
    rehearsal = Rehearsal(game, players, options, seed=seed)
    for _ in rehearsal.steps():
        pass
    return list(map(str, rehearsal.actions))


class Play:
    """A game on record up to its last `left` actions (None: all), which simulated players then do before the camera."""

    def __init__(
        self,
        folder: Path,
        name: str,
        left: int | None,
        *,
        players: int | None = None,
        seed: int = 3,
        options: Mapping[str, object] | None = None,
        size: tuple[int, int] = (960, 540),
    ) -> None:
        self.game, self.seed, self.size = table_game(name), seed, size
        self.count = players or min(self.game.player_counts)
        self.actions = whole_game(self.game, self.count, seed, options)
        self.before = 0 if left is None else len(self.actions) - left
        self.left = self.actions[self.before :]
        self.store = Store(folder)
        people = seated(self.game, ("Ada", "Ben", "Cleo", "Dora")[: self.count])
        session = Session.create(self.store, self.game, people, options)
        session.apply([self.game.parse(text) for text in self.actions[: self.before]], By.HAND)
        self.library = Library(self.store, self.watching)

    def watching(self, session: Session) -> Watching:
        """The camera over their table; frames come as fast as they are drawn and understood."""
        rehearsal = Rehearsal(session.game, self.count, seed=self.seed, plan=self.left)
        rehearsal.position = session.position
        table = SimulatedTable(session.game, rehearsal.steps(), self.seed, 0.1)
        seats = session.game.seats(self.count)
        conditions = Conditions.random(session.game, self.seed, 0.0, self.size, seats).quick()
        tapping = Tapping(rehearsal, table, self.before, attentive=True)

        def camera() -> Camera:
            return SimulatedCamera(table, conditions, 3.0, live=False, tail=TAIL)

        return Watching(Watcher(session.game), camera, lambda opened: tapping)


def wait_until(finger: Finger, wanted: Callable[[], bool], seconds: float) -> None:
    """Looks at the screen until something is so; questions without choices are answered by looking again."""
    end = time.monotonic() + seconds
    while not wanted():
        screen = finger.app.screen
        assert time.monotonic() < end, told(screen)
        finger.app.round()
        labels: Sequence[str] = [button.label for button in finger.buttons()]
        if isinstance(screen, TableScreen) and AGAIN in labels:
            finger.tap(AGAIN)
        time.sleep(0.01)


def told(screen: object) -> str:
    """What the table is at, for the message of a test that waits in vain."""
    if not isinstance(screen, TableScreen):
        return f"the screen {screen}"
    state = screen.model.state()
    last = [str(one.action) for one in state.played[-3:]]
    return f"{len(state.played)} actions, the last {last}, {state.scene}, issue {state.issue}, seen {state.seen}"
