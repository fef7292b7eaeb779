"""The Magic Labyrinth by touch alone, and nothing on the screen that players must not know."""

from __future__ import annotations

import random

import pytest

from companion.games.core import Action, Position
from companion.games.magic_labyrinth.actions import Call, Insert, Reveal
from companion.games.registry import load_game
from companion.referee.decision import Asks
from companion.table.seating import seated
from companion.vision.observation import Scene
from tests.ui.conftest import Program
from tests.ui.finger import Finger
from tests.ui.memory import MemoryLibrary, MemoryTable
from tests.ui.playing import play_action, play_on, table_of

NAMES = ("Ada", "Ben", "Cleo", "Dora")


def begun(players: int = 2) -> MemoryTable:
    game = load_game("magic_labyrinth")
    return MemoryLibrary().new_game("magic_labyrinth", seated(game, NAMES[:players]), {})


def lucky(seed: int):  # type: ignore[no-untyped-def]
    """Calls are right more often than not, and figures go towards the chip, so that the game ends soon."""
    choice = random.Random(seed)

    def choose(position: Position, actions: list[Action]) -> Action:  # type: ignore[type-arg]
        legal = [action for action in actions if position.explain(action) is None]
        if position.phase == "reveal" and choice.random() < 0.8:
            named = [a for a in legal if isinstance(a, Reveal) and position.game.colour[a.colour] == position.named]  # type: ignore[attr-defined]
            return choice.choice(named or legal)
        if position.phase not in ("turn", "jump") or choice.random() < 0.3:
            return choice.choice(legal)
        hopes = [hope(position, action) for action in legal]
        return choice.choice([action for action, one in zip(legal, hopes, strict=True) if one == max(hopes)])

    return choose


def hope(position: Position, action: Action) -> float:  # type: ignore[type-arg]
    """How well the player stands after the action, if a call is right."""
    after = position.play(action)
    if isinstance(action, Call) and Reveal(action.colour) in after.legal_actions():
        after = after.play(Reveal(action.colour))
    return after.prospect(position.turn or 0)  # type: ignore[no-any-return]


@pytest.mark.parametrize(("size", "players"), [((800, 480), 2), ((720, 1280), 4)])
def test_a_game_is_played_by_touch_alone(program: Program, size: tuple[int, int], players: int) -> None:
    library = MemoryLibrary(list(NAMES))
    finger = program(library, size)
    finger.tap("The Magic Labyrinth")
    for _ in range(players - 2):
        finger.tap("plus")
    finger.tap("Begin")
    play_on(finger, lucky(3))
    assert finger.screen == "result"
    position = load_game("magic_labyrinth").new(players)
    for action in library.tables[0].actions:
        position = position.play(action)
    assert position.over
    assert str(max(position.scores)) in finger.shown()
    assert library.tables[0].players[position.winners[0]].name in finger.shown()[0]


def at(program: Program, table: MemoryTable, seed: int, until) -> Finger:  # type: ignore[no-untyped-def]
    choose = lucky(seed)
    while not until(table.state().position):
        position = table.state().position
        table.enter(choose(position, sorted(position.legal_actions(), key=str)))
    return program(MemoryLibrary(), model=table)


def test_a_colour_is_called_with_one_touch_and_the_wall_seen_by_the_camera_settles_it(program: Program) -> None:
    finger = at(program, begun(), 1, lambda position: position.phase == "turn")
    table = finger.app.model
    finger.tap("green")
    assert finger.reads("Now pull a wall")
    calls = [action for action in table.state().position.legal_actions() if str(action).endswith("a1-b1")]
    assert len(calls) == 5
    choices = tuple((action,) for action in calls)
    table.change(scene=Scene.STILL, issue=Asks("which", ("slot:a1-b1",), choices))
    finger.settle()
    assert table.actions[-1] == Call("green", "a1-b1")
    assert table.state().issue is None


def test_a_wall_that_was_pulled_unannounced_stays_a_question(program: Program) -> None:
    finger = at(program, begun(), 1, lambda position: position.phase == "turn")
    table = finger.app.model
    calls = [action for action in table.state().position.legal_actions() if str(action).endswith("a1-b1")]
    table.change(scene=Scene.STILL, issue=Asks("which", ("slot:a1-b1",), tuple((action,) for action in calls)))
    finger.settle()
    assert table.state().issue is not None
    assert table.told == []


def test_a_wall_that_is_known_is_revealed_by_people_not_by_the_screen(program: Program) -> None:
    def known(position: Position) -> bool:  # type: ignore[type-arg]
        return position.phase == "reveal" and len(position.legal_actions()) == 1

    finger = at(program, begun(), 5, known)
    assert {"red", "yellow", "green", "blue"} <= {button.label for button in finger.buttons()}
    right = finger.app.model.state().position.legal_actions()[0].colour
    wrong = next(colour for colour in ("red", "yellow", "green", "blue") if colour != right)
    finger.tap(wrong)
    assert finger.reads("Not allowed")
    assert right not in " ".join(finger.shown()).lower().replace("colours", "").split()


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_the_screen_is_the_same_whatever_the_standing_walls_are(program: Program, size: tuple[int, int]) -> None:
    """Two games that differ only in the colours of walls that were put back look the same to the last pixel."""
    pictures = []
    for colours in (("red", "blue"), ("blue", "red")):
        table = begun()
        game = load_game("magic_labyrinth")
        for text in ("symbol star", "call red a1-b1", "reveal red", "call green b1-c1", "reveal blue"):
            table.enter(game.parse(text))
        for colour, slot in zip(colours, ("a1-b1", "b1-c1"), strict=True):
            table.enter(Insert(colour, slot))
        finger = program(MemoryLibrary(), size, model=table)
        finger.settle()
        pictures.append(finger.app.surface.copy())
        finger.tap("Correct")
        pictures.append(finger.app.surface.copy())
    assert pictures[0].get_buffer().raw == pictures[2].get_buffer().raw
    assert pictures[1].get_buffer().raw == pictures[3].get_buffer().raw


def test_what_was_put_where_is_not_told_by_correcting(program: Program) -> None:
    table = begun()
    game = load_game("magic_labyrinth")
    for text in ("symbol star", "call red a1-b1", "reveal blue", "insert blue a1-b1"):
        table.enter(game.parse(text))
    finger = program(MemoryLibrary(), model=table)
    finger.tap("Correct")
    number = next(k for k, action in enumerate(table.actions) if isinstance(action, Insert))
    finger.tap(str(table.actions[number]))
    assert finger.reads("That must stay hidden")
    assert not any(button.label in ("red", "blue") for button in finger.buttons())


def test_a_wall_far_away_is_refused_by_its_clause(program: Program) -> None:
    finger = at(program, begun(), 1, lambda position: position.phase == "turn")
    table = finger.app.model
    before = list(table.actions)
    finger.tap("red")
    finger.tap_site("slot:c2-c3")
    assert finger.reads("Not allowed")
    assert finger.reads("pulls a wall that stands beside the field of the figure")
    assert table.actions == before


def test_a_wall_put_back_is_entered_by_its_colour_and_slot(program: Program) -> None:
    finger = at(program, begun(), 2, lambda position: position.phase == "insert" and sum(position.outside) > 1)
    position = finger.app.model.state().position
    action = sorted(position.legal_actions(), key=str)[0]
    play_action(finger, action)
    assert finger.app.model.actions[-1] == action
    assert not any(site.startswith("slot:") for site in table_of(finger).last_sites)


def test_when_it_is_unclear_which_wall_was_put_back_both_colours_are_asked_about(program: Program) -> None:
    finger = at(
        program, begun(), 2, lambda position: position.phase == "insert" and sum(map(bool, position.outside)) > 1
    )
    table = finger.app.model
    inserts = [action for action in table.state().position.legal_actions() if isinstance(action, Insert)]
    slot = inserts[0].slot
    choices = tuple((action,) for action in inserts if action.slot == slot)
    table.change(scene=Scene.STILL, issue=Asks("which", (f"slot:{slot}",), choices))
    finger.settle()
    screen = table_of(finger)
    assert screen.sheet is not None
    pictures = {screen.face.asked(choice[0], screen.app.words)[0] for choice in choices}
    assert len(pictures) == len(choices) > 1
    answers = [button for button in finger.buttons() if button.label.startswith("put a wall back")]
    assert len(answers) == len(choices)
    finger.at(*answers[1].rect.center)
    assert table.actions[-1] == choices[1][0]
