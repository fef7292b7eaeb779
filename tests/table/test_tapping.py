"""What simulated people say when they are asked what happened."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from companion.games.registry import load_game
from companion.referee.decision import Asks
from companion.table.tapping import Tapping, comes_next
from hardware.simulated.script import Done, Enter

GAME = load_game("triangle")
ROLLS = ("roll 0 1", "roll 1 1", "roll 0 1", "roll 1 3")
MISSING = (
    ("draw 1 PPP6", True),
    ("draw 0 GGR5", True),
    ("place BBB6 3 0", False),
    ("draw 0 GBY1", True),
    ("place BBR5 2 2", False),
    ("draw 1 GPR1", True),
)


@pytest.mark.parametrize(
    ("choice", "right"),
    [
        (("draw 1 PPP6", "draw 0 GGR5", "place BBB6 3 0"), True),
        (("draw 0 GGR5", "draw 1 PPP6", "place BBB6 3 0"), True),
        (("draw 1 PPP6", "place BBB6 3 0", "place BBR5 2 2"), True),
        (("place BBR5 2 2",), False),
        (("draw 1 GPR1", "place BBB6 3 0"), False),
        (("place BBB6 3 0", "draw 1 GPR1", "place BBR5 2 2"), False),
        (("draw 1 PPP6", "draw 1 PPP6"), False),
        (("draw 1 YYY6",), False),
    ],
)
def test_people_tell_what_happened_next_and_in_which_order(choice: tuple[str, ...], right: bool) -> None:
    assert comes_next([GAME.parse(text) for text in choice], MISSING) == right


class Heard:
    """A conductor that takes everything in, with what it has on record, and may ask."""

    said: tuple[Any, ...] = ()

    def __init__(self, position: Any, *texts: str, issue: Asks | None = None) -> None:
        self.positions, self.issue = [position], issue
        self.played: list[Any] = []
        for text in texts:
            self.hear(position.game.parse(text))
        self.answered: int | None = None

    def hear(self, action: Any) -> None:
        self.played.append(SimpleNamespace(action=action))
        self.positions.append(self.positions[-1].play(action))

    def before(self, number: int) -> Any:
        return self.positions[number - 1]

    def state(self) -> Any:
        return SimpleNamespace(played=self.played, issue=self.issue)

    def answer(self, choice: int) -> None:
        self.answered, self.issue = choice, None


def tapping_for(game: Any, players: int, *texts: str) -> tuple[Tapping, Any, Any]:
    """Somebody who taps, the script of what happens and is tapped, and the game's beginning."""
    start = position = game.new(players)
    rehearsal = SimpleNamespace(game=game, position=start, actions=[], turns=[])
    table = SimpleNamespace(happened=[], ended=None)
    tapping: Any = Tapping(rehearsal, table)  # type: ignore[arg-type]
    for text in texts:
        action = game.parse(text)
        rehearsal.actions.append(action)
        rehearsal.turns.append(position.turn)
        position = position.play(action)
    return tapping, table, start


def told_of_rolls(kind: type[Heard]) -> Any:
    """A conductor to which people have entered the rolls, each as it is made."""
    tapping, table, start = tapping_for(load_game("labyria"), 2, *ROLLS)
    conductor: Any = kind(start)
    for number, roll in enumerate(ROLLS):
        for what in (Enter(roll), Done(roll)):
            table.happened.append(SimpleNamespace(what=what))
        tapping.tap(conductor, float(number))
    return conductor


def test_rolls_are_entered_once_though_the_dice_show_the_same_again() -> None:
    conductor = told_of_rolls(Heard)
    assert [str(one.action) for one in conductor.played] == list(ROLLS)


def test_people_answer_though_steps_that_led_back_are_not_on_record() -> None:
    begun = ("symbol crown", "call yellow a1-a2", "reveal yellow", "step a1")
    tapping, _, start = tapping_for(
        load_game("magic_labyrinth"), 2, *begun, "step a2", "step a1", "step a2", "call red a2-b2", "reveal green"
    )
    calls = [tuple(start.game.parse(text) for text in (f"call {colour} a2-b2",)) for colour in ("blue", "red")]
    conductor: Any = Heard(start, *begun, "step a2", issue=Asks("which", ("slot:a2-b2",), tuple(calls)))
    for moment in (0.0, 1.0, 2.0):
        tapping.tap(conductor, moment)
    assert conductor.answered == 1


class Holding(Heard):
    """A conductor that takes in what cannot be recorded yet."""

    def hear(self, action: Any) -> None:
        self.said += (action,)


def test_people_do_not_tap_again_for_the_one_before_whose_tap_was_taken_in() -> None:
    """The second tap would be taken for that of the next player, whose turn it was not."""
    conductor = told_of_rolls(Holding)
    assert [str(action) for action in conductor.said] == list(ROLLS)


@pytest.mark.parametrize(("recorded", "taps"), [(4, 1), (1, 2)])
def test_people_tap_for_the_one_before_only_what_is_not_on_record_since_what_was_seen_last(
    recorded: int, taps: int
) -> None:
    """Though the record has the same once more: it was not seen that a messenger came back to where it was."""
    done = ["go blue D2 2", "cards 0 2", "go blue D2 2", "trade yellow blue"]
    tapping, _, start = tapping_for(load_game("magic_triland"), 2)
    conductor: Any = Holding(start)
    conductor.played = [SimpleNamespace(action=start.game.parse(text)) for text in done[:recorded]]
    tapping._done, tapping._visible = done, 1
    tapping._enter(conductor, "cards 0 2")
    assert [str(action) for action in conductor.said] == ["cards 0 2"] * taps
