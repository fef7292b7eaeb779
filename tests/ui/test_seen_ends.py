"""Every other game with the simulated camera: gone on with by touch, played by simulated hands, seen to its result."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.play import _watching
from companion.configuration import Configuration
from companion.games.registry import table_game
from companion.table.library import Library
from companion.table.seating import seated
from companion.table.state import By
from companion.table.store import Store
from tests.ui.conftest import Program
from tests.ui.seeing import Play, wait_until

PATIENCE = 120.0
"""Seconds after which a game has stalled; it takes a few."""


@pytest.mark.parametrize(
    ("name", "left", "seed"), [("magic_labyrinth", 5, 3), ("via", 9, 10), ("labyria", 5, 5), ("magic_triland", 2, 3)]
)
def test_the_end_of_a_game_is_seen_and_shown(program: Program, tmp_path: Path, name: str, left: int, seed: int) -> None:
    play = Play(tmp_path, name, left, seed=seed)
    with play.store:
        finger = program(play.library)
        finger.tap("Go on playing")
        model = finger.app.model
        assert model is not None
        wait_until(finger, lambda: finger.screen == "result", PATIENCE)
        state = model.state()
        seen = state.played[play.before :]
        assert [str(one.action) for one in seen] == play.left
        assert any(one.by is By.CAMERA and one.picture is not None for one in seen)
        assert state.position.over
        shown = finger.shown()
        for player, score in zip(state.players, state.position.scores, strict=True):
            assert player.name in shown
            assert str(score).replace("-", "−") in shown
        finger.app.leave_table()


def test_simulated_players_tap_at_the_live_table(program: Program, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        library = Library(store, _watching("simulated", Configuration(), 3, 20.0))
        model = library.new_game("labyria", seated(table_game("labyria"), ["Ada", "Ben"]), {})
        finger = program(library, model=model)
        wait_until(finger, lambda: len(model.state().played) >= 2, PATIENCE)
        rolls = model.state().played[:2]
        assert [str(one.action).split()[:2] for one in rolls] == [["roll", "0"], ["roll", "1"]]
        assert all(one.by is By.HAND for one in rolls)
        finger.app.leave_table()
