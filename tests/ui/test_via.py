"""VIA by touch alone; hands are shown only to those who open them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.core import Action, Position
from companion.games.registry import load_game, table_game
from companion.games.via.actions import Build, Draw, Lay
from companion.table.library import Library
from companion.table.seating import seated
from companion.table.store import Store
from companion.ui.games import Word
from companion.ui.screens.private import PrivateScreen
from tests.ui.conftest import Program
from tests.ui.finger import Finger
from tests.ui.memory import MemoryLibrary, MemoryTable
from tests.ui.playing import at_random, play_action, play_on, table_of

NAMES = ("Ada", "Ben", "Cleo", "Dora")


def open_table(players: int = 2) -> MemoryTable:
    """A table at which every draw is told."""
    game = load_game("via")
    return MemoryTable("told", "via", seated(game, NAMES[:players]), {}, load_game)


def eager(seed: int) -> Any:
    """Builds where that is possible, and lays more often than not."""
    wild = at_random(seed)

    def choose(position: Position[Any], actions: list[Action]) -> Action:
        builds = [action for action in actions if isinstance(action, Build)]
        lays = [action for action in actions if isinstance(action, Lay)]
        return wild(position, builds or lays or actions)

    return choose


def play_to(table: MemoryTable, choose: Any, until: Any) -> None:
    while not until(table.state().position):
        position = table.state().position
        table.enter(choose(position, sorted(position.legal_actions(), key=str)))


@pytest.mark.parametrize(("size", "players"), [((800, 480), 2), ((720, 1280), 4)])
def test_a_game_is_played_by_touch_alone(program: Program, size: tuple[int, int], players: int) -> None:
    library = MemoryLibrary(list(NAMES))
    finger = program(library, size)
    finger.tap("VIA")
    for _ in range(players - 2):
        finger.tap("plus")
    finger.tap("Begin")
    play_on(finger, eager(4))
    assert finger.screen == "result"
    table = library.tables[0]
    position = table_game("via").new(players)
    for action in table.actions:
        position = position.play(action)
    assert position.over
    assert sum(position.scores) > 0
    assert {str(score) for score in position.scores} <= set(finger.shown())
    assert all(action.kind is None for action in table.actions if isinstance(action, Draw))


def test_draws_that_are_told_are_entered_privately_and_played_to_the_end(program: Program) -> None:
    table = open_table()
    finger = program(MemoryLibrary(), model=table)
    play_on(finger, eager(4), most=60)
    draws = [action for action in table.actions if isinstance(action, Draw)]
    assert len(draws) > 8
    assert all(action.kind for action in draws)


def two_hands(size: tuple[int, int], program: Program) -> Iterator[tuple[Finger, MemoryTable]]:
    """Two games that differ only in what was drawn, one after the other."""
    for kinds in ("S2 S3 C2 C3", "S4 C4 C3 S3"):
        table = open_table()
        play_to(table, at_random(1), lambda position: position.phase != "start")
        for player, kind in zip((0, 0, 1, 1), kinds.split(), strict=True):
            table.enter(Draw(player, kind))
        yield program(MemoryLibrary(), size, model=table), table


def test_nothing_on_the_table_shows_what_is_in_a_hand(program: Program) -> None:
    pictures: list[list[bytes]] = []
    for finger, _ in two_hands((800, 480), program):
        seen = [finger.app.surface.get_buffer().raw]
        if table_of(finger).entry.words:  # type: ignore[union-attr]
            finger.tap("Lay a tile")
            seen.append(finger.app.surface.get_buffer().raw)
        finger.tap("Ada looks alone")
        seen.append(finger.app.surface.get_buffer().raw)
        finger.tap("back")
        finger.tap("Correct")
        seen.append(finger.app.surface.get_buffer().raw)
        pictures.append(seen)
    assert len(pictures[0]) >= 3
    assert pictures[0] == pictures[1]


def test_a_hand_opens_covered_and_closes_when_the_game_goes_on(program: Program) -> None:
    finger, table = next(two_hands((800, 480), program))
    finger.tap("Lay a tile")
    finger.tap("Ada looks alone")
    assert {button.label for button in finger.buttons()} & {"S2", "S3"} == set()
    finger.tap("I am Ada: show")
    assert {"S2", "S3"} <= {button.label for button in finger.buttons()}
    table.change(paused=False)
    finger.settle()
    assert not isinstance(finger.app.screen, PrivateScreen)
    assert {button.label for button in finger.buttons()} & {"S2", "S3"} == set()


def test_a_draw_is_not_looked_up_by_correcting(program: Program) -> None:
    finger, table = next(two_hands((800, 480), program))
    finger.tap("Correct")
    number = next(k for k, action in enumerate(table.actions, start=1) if isinstance(action, Draw))
    finger.app.screen._begin(number)  # type: ignore[attr-defined]
    assert finger.reads("That must stay hidden")


def test_a_building_is_built_by_touching_any_part_of_its_land(program: Program) -> None:
    table = open_table()

    def wide(position: Any) -> bool:
        builds = position.building_actions() if position.phase == "play" and not position.due else []
        lands = [land for land in position.closed if position.ground.size(land) > 1] if builds else []
        return bool(lands) or position.over

    play_to(table, eager(11), wide)
    assert not table.state().position.over
    finger = program(MemoryLibrary(), model=table)
    screen = table_of(finger)
    action = next(a for a in table.state().position.legal_actions() if isinstance(a, Build))
    finger.tap(screen.face.word(action.piece, screen.app.words))
    site = f"building:{action.part}"
    places = screen.face.also(screen.state.position, site)
    if Word(action.piece) in screen.entry.chosen and len(table.actions) == len(screen.state.played):  # type: ignore[union-attr]
        finger.at(*screen.spot(places[-1]))
    assert isinstance(table.actions[-1], Build)
    assert finger.reads("of land")


def can_lay(position: Any) -> bool:
    return position.phase == "play" and not position.due and bool(position.lays(position.known))


def test_a_tile_that_does_not_fit_is_refused_by_its_clause(program: Program) -> None:
    table = open_table()
    play_to(
        table,
        eager(2),
        lambda position: position.phase == "play" and not position.due and position.lays(position.known),
    )
    finger = program(MemoryLibrary(), model=table)
    screen = table_of(finger)
    before = list(table.actions)
    lay = next(a for a in table.state().position.legal_actions() if isinstance(a, Lay) and a.kind != "W")
    finger.tap("Lay a tile")
    finger.tap("Ada looks alone")
    finger.tap("I am Ada: show")
    finger.tap(lay.kind)
    labels = table.state().position.view().sites
    taken = next(site for site, label in labels.items() if site.startswith("cell:") and label != "empty")
    finger.tap_site(taken)
    assert finger.reads("Not allowed")
    assert table.actions == before
    finger.tap("All right")
    play_action(finger, lay)  # the tile is still chosen
    assert table.actions[len(before)] == lay
    assert screen.name == "table"


def test_at_the_real_table_draws_stay_hidden_and_are_taken_back_with_the_tile(program: Program, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        finger = program(Library(store))
        finger.tap("VIA")
        finger.tap("Begin")
        play_on(finger, eager(4), most=6)
        model = finger.app.model
        assert model is not None
        drawn = [str(one.action) for one in model.state().played if isinstance(one.action, Draw)]
        assert drawn == ["draw 0 ?", "draw 0 ?", "draw 1 ?", "draw 1 ?"]
        assert not model.state().position.due  # type: ignore[attr-defined]
        finger.tap("Undo")
        assert not [one for one in model.state().played if isinstance(one.action, Draw)]
        assert model.state().position.phase == "start"
        finger.app.leave_table()
