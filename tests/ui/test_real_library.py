"""The screens on the real table: session, store and conductor, without a camera."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.conductor import Conductor
from companion.table.errors import DiskFullError
from companion.table.library import Library
from companion.table.store import Store
from tests.ui.conftest import Program

DRAWS = ("RRR6", "RRY5", "BBB6", "GGG6", "YYY6", "RRP5", "BBR5", "BBP5")


def test_a_game_begun_by_touch_goes_on_after_a_new_start(program: Program, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        finger = program(Library(store))
        finger.tap("Triangle")
        finger.tap("Begin")
        for tile in DRAWS:
            finger.tap(tile)
        finger.tap("RRR6")
        finger.tap_site("cell:12")
        assert finger.reads("6 × 1 edge = 6")
        finger.tap("Menu")
        finger.tap("Leave the table")
    with Store(tmp_path) as store:
        again = program(Library(store), size=(720, 1280))
        again.tap("Go on playing")
        assert again.app.model is not None
        state = again.app.model.state()
        assert [str(one.action) for one in state.played][-1] == "place RRR6 12 0"
        again.tap("Undo")
        assert again.app.model.state().position.view().sites["cell:12"] == "empty"
        again.app.leave_table()


def test_a_full_disk_is_said_and_nothing_counts(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as store:
        finger = program(Library(store))
        finger.tap("Triangle")
        finger.tap("Begin")

        def full(*arguments: object) -> None:
            raise DiskFullError("there is no space left on the disk")

        with monkeypatch.context() as broken:
            broken.setattr(Conductor, "enter", full)
            finger.tap("RRR6")
        assert finger.reads("That did not work")
        assert finger.reads("The disk is full.")
        finger.tap("All right")
        assert finger.screen == "table"
        assert finger.app.model is not None
        assert finger.app.model.state().played == ()
        finger.app.leave_table()


def test_a_game_is_given_up_by_two_touches_and_not_offered_any_more(program: Program, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        finger = program(Library(store))
        finger.tap("Triangle")
        finger.tap("Begin")
        finger.tap("Menu")
        finger.tap("Give up the game")
        assert finger.screen == "menu"
        assert store.latest_unfinished() is not None
        finger.tap("Touch again to give up")
        assert finger.screen == "start"
        assert store.latest_unfinished() is None
        assert "Go on playing" not in [button.label for button in finger.buttons()]
        finger.tap("History")
        assert finger.reads("given up")
