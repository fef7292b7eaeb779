"""Labyria by touch alone, with the companion's dice and with real ones."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.games.core import Action, Position
from companion.games.labyria.actions import Dice, Done, Move, Square
from companion.games.registry import load_game
from companion.table.dice import check
from companion.table.library import Library
from companion.table.seating import seated
from companion.table.state import By
from companion.table.store import Store
from companion.ui.events import press
from companion.ui.games import Site, Word
from companion.ui.screens.dice import TUMBLE, DiceScreen
from companion.ui.screens.rolls import RollsScreen
from tests.ui.conftest import Program
from tests.ui.finger import Finger
from tests.ui.memory import MemoryLibrary, MemoryTable
from tests.ui.playing import at_random, play_action, play_on, roll, table_of

NAMES = ("Ada", "Ben", "Cleo", "Dora")


def table(players: int = 2) -> MemoryTable:
    return MemoryLibrary().new_game("labyria", seated(load_game("labyria"), NAMES[:players]), {})


def homewards(seed: int) -> Any:
    """Figures go where their goal is near; obstacles are left alone where that is possible."""
    wild = at_random(seed)

    def far(position: Any, action: Move) -> tuple[int, bool]:
        goal = position.game.name_of(position.lane.goal)
        start, end = (
            abs(ord(c[0]) - ord(goal[0])) + abs(int(c[1:]) - int(goal[1:])) for c in (action.start, action.end)
        )
        return end - start, end != 0

    def choose(position: Position[Any], actions: list[Action]) -> Action:
        moves = [action for action in actions if isinstance(action, Move)]
        home = [move for move in moves if far(position, move)[1] is False]
        if home or moves:
            return home[0] if home else min(moves, key=lambda move: far(position, move))
        done = [action for action in actions if isinstance(action, Done)]
        return done[0] if done else wild(position, actions)

    return choose


def play_to(model: MemoryTable, until: Any, seed: int = 1) -> None:
    choose = homewards(seed)
    while not until(model.state().position):
        position = model.state().position
        if position.dice:
            model.roll()
        else:
            model.enter(choose(position, sorted(position.legal_actions(), key=str)))


def test_a_game_is_played_by_touch_alone(program: Program) -> None:
    library = MemoryLibrary(list(NAMES))
    finger = program(library)
    finger.tap("Labyria")
    finger.tap("Begin")
    play_on(finger, homewards(2))
    assert finger.screen == "result"
    played = library.tables[0]
    position = load_game("labyria").new(2)
    for action in played.actions:
        position = position.play(action)
    assert position.over
    assert max(position.scores) == 3
    assert played.players[position.winners[0]].name in finger.shown()[0]
    rolled = [one for one in played.state().played if one.by is By.DICE]
    assert len(rolled) == len(played.rolls()) > 20
    check(played.dice.commitment, played.dice.seed, played.rolls())


def on_dice(finger: Finger) -> DiceScreen:
    screen = finger.app.screen
    assert isinstance(screen, DiceScreen)
    return screen


def test_a_roll_is_recorded_before_it_is_shown(program: Program) -> None:
    model = table()
    play_to(model, lambda position: position.phase == "dice")
    finger = program(MemoryLibrary(), model=model)
    before = len(model.actions)
    finger.tap("Roll")
    screen = on_dice(finger)
    assert screen.tumbling
    assert len(model.actions) == before + 1
    assert not any(text.startswith("Walk") for text in finger.shown())
    screen._started -= TUMBLE
    finger.settle()
    action = model.actions[-1]
    assert isinstance(action, Dice)
    shown = " ".join(finger.shown())
    assert f"Walk {model.state().position.number}" in shown or "the turn is lost" in shown  # type: ignore[attr-defined]


def test_only_the_dice_are_painted_while_they_tumble(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    model = table()
    play_to(model, lambda position: position.phase == "dice")
    finger = program(MemoryLibrary(), (1280, 720), model=model)
    finger.tap("Roll")
    screen, app = on_dice(finger), finger.app
    painted: list[pygame.Rect] = []
    monkeypatch.setattr(app, "paint", lambda: pytest.fail("the whole screen was painted"))
    monkeypatch.setattr(pygame.display, "update", painted.append)
    for step in range(1, 9):
        screen._started = time.monotonic() - step / 10 * TUMBLE
        app.round()
    assert len(painted) >= 5
    assert all(screen._around() == rect and rect.width * rect.height < 0.5 * 1280 * 720 for rect in painted)


def test_a_button_at_the_table_rolls_and_goes_on(program: Program) -> None:
    model = table()
    play_to(model, lambda position: position.phase == "dice")
    finger = program(MemoryLibrary(), model=model)
    before = len(model.actions)
    press("roll")
    finger.settle()
    screen = on_dice(finger)
    assert len(model.actions) == before + 1
    press("roll")  # they come to rest
    finger.settle()
    assert not screen.tumbling
    if not model.state().position.dice:
        press("roll")
        finger.settle()
        assert finger.screen == "table"


def test_real_dice_are_entered_face_by_face_and_stay_real(program: Program) -> None:
    model = table()
    finger = program(MemoryLibrary(), model=model)
    finger.tap("Our own dice")
    for number in ("4", "2"):
        finger.tap(number)
    assert [str(action) for action in model.actions] == ["roll 0 4", "roll 1 2"]
    assert finger.screen == "table"
    play_to(model, lambda position: position.phase == "dice")
    finger.settle()
    if "Our own dice" in [button.label for button in finger.buttons()]:
        finger.tap("Our own dice")
    finger.tap("5")
    finger.tap("cloak")
    assert str(model.actions[-1]) == "dice 5 cloak"
    assert model.state().played[-1].by is By.HAND


def test_an_obstacle_in_a_crowd_is_set_after_a_closer_look(program: Program) -> None:
    model = table()
    play_to(model, lambda position: position.phase == "setup" and len(position.legal_actions()) > 60)
    finger = program(MemoryLibrary(), model=model)
    screen = table_of(finger)
    squares = [action for action in model.state().position.legal_actions() if isinstance(action, Square)]
    action = squares[len(squares) // 2]
    finger.tap("Square")
    assert Word("square") in screen.entry.chosen  # type: ignore[union-attr]
    before = list(model.actions)
    finger.at(*screen.spot(f"edge:{action.edge}"))
    assert model.actions == before
    assert screen.zoom is not None
    spots = [screen.spot(place) for place in screen.lit() if screen.board_rect.collidepoint(screen.spot(place))]
    assert len(screen.targets()) >= min(3, len(spots))
    finger.at(*screen.spot(f"edge:{action.edge}"))
    assert model.actions[-1] == action
    assert screen.zoom is None


def test_the_whole_board_comes_back(program: Program) -> None:
    model = table()
    play_to(model, lambda position: position.phase == "setup" and len(position.legal_actions()) > 60)
    finger = program(MemoryLibrary(), model=model)
    screen = table_of(finger)
    finger.tap("Square")
    finger.at(*screen.spot(f"edge:{screen.entry.sites[3].partition(':')[2]}"))  # type: ignore[union-attr]
    finger.tap("Whole board")
    assert screen.zoom is None
    assert screen.entry.chosen == (Word("square"),)  # type: ignore[union-attr]


def test_a_field_too_far_is_refused_by_its_clause_and_another_figure_can_be_taken(program: Program) -> None:
    model = table()

    def two_figures(position: Any) -> bool:
        starts = {action.start for action in position.legal_actions() if isinstance(action, Move)}
        return position.phase == "turn" and position.movement == "due" and len(starts) > 1

    play_to(model, two_figures)
    finger = program(MemoryLibrary(), model=model)
    screen = table_of(finger)
    moves = [action for action in model.state().position.legal_actions() if isinstance(action, Move)]
    one, other = sorted({move.start for move in moves})[:2]
    before = list(model.actions)
    finger.tap_site(f"cell:{one}")
    cells = model.state().position.game.grid.cells  # type: ignore[attr-defined]
    far = next(
        cell
        for cell in cells
        if cell not in {move.end for move in moves if move.start == one} and cell not in {m.start for m in moves}
    )
    finger.tap_site(f"cell:{far}")
    assert finger.reads("Not allowed")
    assert model.actions == before
    finger.tap("All right")
    finger.tap_site(f"cell:{other}")
    assert screen.entry.chosen == (Site(f"cell:{other}"),) or model.actions != before  # type: ignore[union-attr]


def test_the_promise_is_shown_and_checked_at_the_end(program: Program) -> None:
    model = table()
    play_to(model, lambda position: position.phase == "dice")
    model.change(commitment=model.dice.commitment)
    finger = program(MemoryLibrary(), model=model)
    roll(finger)
    finger.app.show(RollsScreen(finger.app, model))
    finger.settle()
    shown = "".join(finger.shown()).replace(" ", "")
    assert model.dice.commitment in shown
    assert model.dice.seed not in shown
    model.change(seed=model.dice.seed)
    finger.app.show(RollsScreen(finger.app, model))
    finger.settle()
    finger.tap("Check")
    assert finger.reads("Checked: every roll follows from the seed")
    first = model.rolls()[0]
    model.dice.rolls[0] = first._replace(faces=(int(first.faces[0]) % 6 + 1,))
    finger.app.show(RollsScreen(finger.app, model))
    finger.settle()
    finger.tap("Check")
    assert not finger.reads("Checked: every roll follows from the seed")


def test_an_attack_is_defended_with_the_dice_and_evaded_by_touch(program: Program) -> None:
    for seed in range(1, 12):
        model = table()
        play_to(model, lambda position: position.phase in ("defend", "over"), seed)
        if model.state().position.phase == "defend":
            break
    finger = program(MemoryLibrary(), model=model)
    assert finger.reads("Attacked! Roll a symbol")
    finger.tap("Our own dice")
    finger.tap("cloak")
    assert finger.reads("Go to another field")
    actions = sorted(model.state().position.legal_actions(), key=str)
    play_action(finger, actions[0])
    assert model.actions[-1] == actions[0]


def test_dice_of_the_real_table_are_on_record_and_can_be_checked_after_a_restart(
    program: Program, tmp_path: Path
) -> None:
    with Store(tmp_path) as store:
        finger = program(Library(store))
        finger.tap("Labyria")
        finger.tap("Begin")
        play_on(finger, homewards(3), most=6)
        model = finger.app.model
        assert model is not None
        promised, thrown = model.state().commitment, tuple(model.rolls())
        assert promised is not None
        assert len(thrown) >= 2
        assert model.state().seed is None
        finger.app.leave_table()
    with Store(tmp_path) as store:
        again = program(Library(store))
        again.tap("Go on playing")
        model = again.app.model
        assert model is not None
        assert model.state().commitment == promised
        assert tuple(model.rolls()) == thrown
        again.tap("Menu")
        again.tap("All rolls")
        assert promised in "".join(again.shown()).replace(" ", "")
        again.app.leave_table()
