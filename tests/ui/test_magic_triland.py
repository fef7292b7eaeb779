"""Magic Triland by touch alone: blocks, cards, moves, trades."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games.core import Action, Position
from companion.games.magic_triland import items as things
from companion.games.magic_triland.actions import PEARL, Block, Cards, Go, Offer, Pull, Share, Trade
from companion.games.magic_triland.items import KINDS
from companion.games.magic_triland.landset import BROADSIDES
from companion.games.registry import load_game, table_game
from companion.table.seating import seated
from companion.ui.games import Piece, Site
from companion.ui.screens.private import PrivateScreen
from tests.ui.conftest import Program
from tests.ui.memory import MemoryLibrary, MemoryTable
from tests.ui.playing import play_action, play_on, table_of

NAMES = ("Ada", "Ben", "Cleo")


def table(players: int = 3, rules: Any = table_game, **options: object) -> MemoryTable:
    return MemoryTable("game", "magic_triland", seated(load_game("magic_triland"), NAMES[:players]), options, rules)


def homewards(seed: int) -> Any:
    """Collects the rings that a pearl needs, takes pearls, and goes home only to win."""
    choice = random.Random(seed)

    def worth_of_going(position: Any, action: Go) -> int:
        after = position.play(action)
        if action.end[0] == "@":
            return 9 if after.over else -5
        if action.end[0] == "~":
            return 4 if after.phase == "pearl" else -1
        own = after.phase == "trade" and after.turn == position.player
        return 3 if own else {"offer": 2, "trade": 1}.get(after.phase, 0)

    def worth(position: Any, action: Action) -> int:
        if isinstance(action, Go):
            return worth_of_going(position, action)
        if isinstance(action, Trade):
            mine = things.counts(position.items[position.strong])
            new = 3 * (not mine[KINDS.index(action.take)]) + 3 * (action.take in BROADSIDES)
            return new - 2 * (action.give in BROADSIDES) + (mine[KINDS.index(action.give)] > 1)
        return 5 * (action == PEARL)

    def choose(position: Position[Any], actions: list[Action]) -> Action:
        rated = [(worth(position, action), choice.random(), k) for k, action in enumerate(actions)]
        return actions[max(rated)[2]]

    return choose


def play_to(model: MemoryTable, until: Any, seed: int = 1) -> bool:
    """Whether the game came there before its end."""
    choose = homewards(seed)
    while not until(model.state().position):
        position = model.state().position
        if position.over:
            return False
        hidden = position.hidden_action()
        model.enter(hidden or choose(position, sorted(position.legal_actions(), key=str)))
    return True


def reached(until: Any, **options: Any) -> MemoryTable:
    """A game in which that happens."""
    for seed in range(1, 60):
        model = table(**options)
        if play_to(model, until, seed):
            return model
    raise AssertionError("it does not happen")


def test_a_game_is_played_by_touch_alone(program: Program) -> None:
    library = MemoryLibrary(list(NAMES))
    finger = program(library)
    finger.tap("Magic Triland")
    finger.tap("plus")
    finger.tap("Begin")
    play_on(finger, homewards(18))
    assert finger.screen == "result"
    model = library.tables[0]
    position = table_game("magic_triland").new(3)
    for action in model.actions:
        position = position.play(action)
    assert position.over
    assert position.winners
    assert {Block, Cards, Go, Trade} <= {type(action) for action in model.actions}
    assert {str(score) for score in position.scores} <= set(finger.shown())
    assert NAMES[position.winners[0]] in finger.shown()[0]


def test_a_duel_begins_by_touch_alone_on_an_upright_screen(program: Program) -> None:
    library = MemoryLibrary(list(NAMES))
    finger = program(library, (720, 1280))
    finger.tap("Magic Triland")
    finger.tap("Begin")
    assert play_on(finger, homewards(5), most=52) == 52
    model = library.tables[0]
    assert model.state().position.players == 2
    assert model.state().position.land is not None  # type: ignore[attr-defined]
    assert any(isinstance(action, Go) for action in model.actions)


@pytest.mark.parametrize("phase", ["trade", "offer", "share"])
def test_things_change_hands_on_the_desk(program: Program, phase: str) -> None:
    model = reached(lambda position: position.phase == phase)
    finger = program(MemoryLibrary(), model=model)
    screen = table_of(finger)
    assert screen.picking
    assert len(screen.desk.shelves) == 2
    action = sorted(model.state().position.legal_actions(), key=str)[-1]
    assert isinstance(action, Trade | Offer | Share)
    play_action(finger, action)
    assert model.actions[-1] == action


def test_two_cards_are_laid_in_either_order(program: Program) -> None:
    for first, second in (("1", "3"), ("3", "1")):
        model = reached(lambda position: position.phase == "cards")
        finger = program(MemoryLibrary(), model=model)
        finger.tap(first)
        finger.tap(second)
        assert str(model.actions[-1]) == "cards 1 3"
        assert finger.reads("1 + 3 = energy 4")


def test_a_joker_is_laid_as_what_it_counts(program: Program) -> None:
    model = reached(
        lambda p: p.phase == "cards" and p.joker > 0 and p.hands(p.player)[0][0], players=3, variant="master"
    )
    finger = program(MemoryLibrary(), model=model)
    action = next(a for a in sorted(model.state().position.legal_actions(), key=str) if "=" in str(a))
    play_action(finger, action)
    assert model.actions[-1] == action


def test_a_terrace_is_meant_by_each_of_its_cells(program: Program) -> None:
    def wide(position: Any) -> bool:
        return position.phase == "go" and any(len(places(position, go)) > 1 for go in goes(position))

    def goes(position: Any) -> list[Go]:
        return [action for action in position.legal_actions() if isinstance(action, Go) and action.end[0] not in "@~"]

    def places(position: Any, go: Go) -> tuple[int, ...]:
        return position.land.cells[position.land.number[go.end]]  # type: ignore[no-any-return]

    model = reached(wide)
    finger = program(MemoryLibrary(), model=model)
    screen, position = table_of(finger), model.state().position
    go = next(go for go in goes(position) if len(places(position, go)) > 1)
    messenger = position.called(go.who)  # type: ignore[attr-defined]
    picture = next(p for p in screen.entry.pieces if p.label.startswith(position.game.messengers[messenger]))  # type: ignore[union-attr,attr-defined]
    finger.tap(picture.label)
    last = position.game.cells[places(position, go)[-1]].name  # type: ignore[attr-defined]
    assert last != go.end
    finger.at(*screen.spot(f"cell:{last}"))
    chosen = screen.entry.chosen  # type: ignore[union-attr]
    assert Site(f"cell:{go.end}") in chosen or model.actions[-1].end == go.end  # type: ignore[attr-defined]


def test_a_place_that_energy_does_not_reach_is_refused_by_its_clause(program: Program) -> None:
    model = reached(lambda position: position.phase == "go" and len(position.legal_actions()) > 3)
    finger = program(MemoryLibrary(), model=model)
    screen, position = table_of(finger), model.state().position
    before = list(model.actions)
    picture = screen.entry.pieces[0]  # type: ignore[union-attr]
    assert picture.kind == "messenger"
    finger.tap(picture.label)
    lit = screen.lit()
    cells = [f"cell:{cell.name}" for cell in position.game.cells]  # type: ignore[attr-defined]
    standing = {f"cell:{label}" for label in screen.labels().values()}
    far = next(cell for cell in cells if cell not in lit and cell not in standing)
    finger.tap_site(far)
    assert finger.reads("Not allowed")
    assert model.actions == before


def test_cards_pulled_from_a_neighbour_stay_hidden(program: Program) -> None:
    """Two games that differ only in the cards pulled look the same until somebody looks alone."""
    pictures = []
    for values in ((0, 1, 2), (3, 3, 3)):
        model = table(rules=load_game, cards="chance")
        play_to(model, lambda position: position.phase == "pull")
        for player, value in enumerate(values):
            model.enter(Pull(player, value))
        finger = program(MemoryLibrary(), model=model)
        pictures.append(finger.app.surface.get_buffer().raw)
        finger.tap("Ada looks alone")
        pictures.append(finger.app.surface.get_buffer().raw)
        assert not [button for button in finger.buttons() if button.label in "0123" and button.label]
        finger.tap("I am Ada: show")
        hand = model.state().position.hands(0)[0]  # type: ignore[attr-defined]
        assert {b.label for b in finger.buttons() if b.label.isdigit()} == {str(v) for v, n in enumerate(hand) if n}
        screen = finger.app.screen
        assert isinstance(screen, PrivateScreen)
        value = next(v for v, n in enumerate(hand) if n > 1)
        finger.tap(str(value))
        assert finger.screen == "private"  # the other card is chosen alone too
        finger.tap(str(value))
        assert str(model.actions[-1]) == f"cards {value} {value}"
        assert finger.screen == "table"
    assert pictures[0] == pictures[2]
    assert pictures[1] == pictures[3]


def test_hidden_pulls_need_no_touch(program: Program) -> None:
    model = table(cards="chance")
    play_to(model, lambda position: position.phase == "landscape" and position.heights.count(0) == 1)
    finger = program(MemoryLibrary(), model=model)
    play_on(finger, homewards(1), most=1)
    assert [str(action) for action in model.actions[-3:]] == ["pull 0 ?", "pull 1 ?", "pull 2 ?"]
    assert Piece("card", "3") in table_of(finger).entry.pieces  # type: ignore[union-attr]
