"""What only people can tell: heard with the picture, asked about with the possible actions, never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.core import Position
from companion.games.registry import table_game
from companion.referee.decision import Accepts, Asks, Refuses, Waits
from companion.referee.referee import Referee
from tests.referee.readings import labels_of, reading_of, seen

LABYRINTH, VIA, TRILAND = (table_game(name) for name in ("magic_labyrinth", "via", "magic_triland"))


def after(position: Position[Any], *actions: str) -> Position[Any]:
    for action in actions:
        position = position.play(position.game.parse(action))
    return position


def table_of(position: Position[Any]) -> dict[str, str]:
    labels = labels_of(position)
    for site, either in position.view().either.items():
        labels[site] = either[0]
    for spec in position.game.sites:
        labels.setdefault(spec.name, spec.nothing)
    return labels


def test_a_wall_pulled_without_a_word_is_asked_about() -> None:
    position = after(LABYRINTH.new(2), "symbol owl")
    labels = table_of(position) | {"slot:a1-b1": "empty"}
    assert isinstance(Referee().decide(position, seen(reading_of(LABYRINTH, labels), lasted=1.0)), Waits)
    decision = Referee().decide(position, seen(reading_of(LABYRINTH, labels)))
    assert isinstance(decision, Asks)
    assert decision.key == "told"
    assert {str(choice[0]) for choice in decision.choices} == {
        *(f"call {colour} a1-b1" for colour in ("red", "yellow", "green", "blue")),
        "early a1-b1",
    }


def test_a_call_is_heard_with_the_wall_that_was_pulled_and_its_colour() -> None:
    position = after(LABYRINTH.new(2), "symbol owl")
    done = after(position, "call red a1-b1", "reveal blue")
    said = [LABYRINTH.parse("call red a1-b1")]
    shown = seen(reading_of(LABYRINTH, table_of(done)))
    heard = Referee().hear(position, shown, said, now=False)
    assert isinstance(heard, Accepts)
    assert [(str(step.action), step.by) for step in heard.steps] == [("call red a1-b1", "hand")]
    revealed = Referee().decide(after(position, "call red a1-b1"), shown)
    assert isinstance(revealed, Accepts)
    assert [(str(step.action), step.by) for step in revealed.steps] == [("reveal blue", "camera")]


def test_a_colour_that_nobody_saw_is_asked_about_and_never_guessed() -> None:
    position = after(LABYRINTH.new(2), "symbol owl", "call red a1-b1")
    back = table_of(after(LABYRINTH.new(2), "symbol owl"))
    decision = Referee().decide(position, seen(reading_of(LABYRINTH, back)))
    assert isinstance(decision, Asks)
    assert {str(choice[0]) for choice in decision.choices} >= {"reveal blue", "reveal green", "reveal yellow"}


@pytest.mark.parametrize("dim", [(), ("chip",)])
def test_the_colour_that_a_figure_alone_tells_is_offered(dim: tuple[str, ...]) -> None:
    position = after(table_game("magic_labyrinth").new(2, {"must_go": True}), "symbol owl", "call red a1-a2")
    gone = after(position, "reveal red")
    doubts = {site: {"c2": 1.4} for site in dim}
    reading = reading_of(LABYRINTH, table_of(gone), hidden=("tray:0", "cell:a2"), doubts=doubts)
    decision = Referee().decide(position, seen(reading))
    assert isinstance(decision, Asks)
    assert [[str(action) for action in choice] for choice in decision.choices] == [["reveal red"]]


def test_cards_are_asked_for_where_a_messenger_has_gone_before() -> None:
    position: Any = TRILAND.new(3)
    while position.phase == "landscape":
        position = position.play(position.legal_actions()[0])
    laid = next(cards for cards in map(position.play, position.legal_actions()) if cards.energy == 4)
    gone = next(after for after in map(laid.play, laid.legal_actions()) if table_of(after) != table_of(position))
    decision = Referee().decide(position, seen(reading_of(TRILAND, table_of(gone))))
    assert isinstance(decision, Asks)
    assert decision.key == "told"
    assert len(decision.choices) > 1
    assert all(str(choice[-1]).startswith("cards") for choice in decision.choices)


def test_a_hidden_draw_is_inferred_and_a_tile_taken_is_heard() -> None:
    opening = [f"lay ST {cell} 0" for cell in ("a1", "a2", "g7", "d4")] + ["lay W b1 0", "lay W f6 0"]
    dealt = after(VIA.new(2), *opening, *["draw 0 ?"] * 2, *["draw 1 ?"] * 2)
    laid = next(action for action in dealt.legal_actions() if str(action).startswith("lay S"))
    shown = seen(reading_of(VIA, table_of(dealt.play(laid))))
    decision = Referee().hear(dealt, shown, [VIA.parse("take")], now=True)
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == [str(laid), "take"]
    taken = after(dealt, str(laid), "take")
    drawn = Referee().decide(taken, shown)
    assert isinstance(drawn, Accepts)
    assert [(str(step.action), step.by) for step in drawn.steps] == [("draw 0 ?", "inferred")]


def test_what_players_may_know_leaves_out_the_colours_of_standing_walls() -> None:
    position: Any = after(LABYRINTH.new(2), "symbol owl", "call red a1-b1", "reveal blue", "insert blue a1-b1")
    assert position.remembered == {"a1-b1": "blue"}
    assert position.public().remembered == {}
    assert position.public().view() == position.view()


def test_what_was_revealed_unseen_is_not_taken_from_what_is_revealed_later() -> None:
    game = table_game("magic_labyrinth")
    start = position = game.new(2).play(game.parse("symbol crown"))
    for text in ("call yellow a1-b1", "reveal red", "insert red a1-b1", "call blue d3-d4", "reveal green"):
        position = position.play(game.parse(text))
    said = [game.parse(text) for text in ("call yellow a1-b1", "call blue d3-d4")]
    decision = Referee().hear(start, seen(reading_of(game, labels_of(position))), said, now=False)
    assert isinstance(decision, Asks)
    colours = ("red", "yellow", "green", "blue")
    assert set(decision.choices) == {(said[0], game.parse(f"reveal {colour}")) for colour in colours}


def test_what_was_revealed_unseen_is_asked_about_where_what_lies_in_its_place_cannot_have_been_it() -> None:
    """Both called blue, and the tray shows blue: the first one's wall went back, so that it was of another colour."""
    start = after(LABYRINTH.new(2), "symbol crown")
    end = after(start, "call blue a1-b1", "reveal red", "insert red a1-b1", "call blue d3-d4", "reveal blue")
    said = [LABYRINTH.parse(text) for text in ("call blue a1-b1", "call blue d3-d4")]
    decision = Referee().hear(start, seen(reading_of(LABYRINTH, table_of(end))), said, now=False)
    assert isinstance(decision, Asks)
    told = {tuple(map(str, choice)) for choice in decision.choices}
    assert told == {("call blue a1-b1", f"reveal {colour}") for colour in ("red", "yellow", "green")}
    assert decision.said == (1, 1, 1)


def test_what_was_revealed_before_a_wall_went_back_and_was_pulled_again_unseen_is_asked_about() -> None:
    """The first wall is known: it is the one that is pulled again."""
    start = after(LABYRINTH.new(2), "symbol crown")
    wrong = [
        "call red a1-b1",
        "reveal blue",
        "insert blue a1-b1",
        "call red d3-d4",
        "reveal green",
        "insert green d3-d4",
    ]
    end = after(start, *wrong, "call blue a1-b1", "reveal blue")
    said = [LABYRINTH.parse(text) for text in ("call red a1-b1", "call red d3-d4", "call blue a1-b1")]
    decision = Referee().hear(start, seen(reading_of(LABYRINTH, table_of(end))), said, now=False)
    assert isinstance(decision, Asks)
    told = {tuple(map(str, choice)) for choice in decision.choices}
    assert told == {(*wrong[:4], f"reveal {colour}") for colour in ("yellow", "green", "blue")}


def test_what_had_to_be_done_and_shows_no_more_is_recorded_as_inferred() -> None:
    """The last wall goes back, and the next player pulls it again before a picture showed it."""
    slots = ("d3-d4", "d2-d3", "d1-d2", "c1-d1", "b1-c1")
    calls = [action for slot in slots for action in (f"call blue {slot}", "reveal blue")]
    begun = ["symbol crown", "call red a1-a2", "reveal green", "insert green a1-a2", *calls]
    begun += ["call red a1-b1", "reveal blue", *(f"insert blue {slot}" for slot in slots)]
    position = after(LABYRINTH.new(2), *begun)
    end = after(position, "insert blue a1-b1", "call blue a1-b1", "reveal blue")
    shown = seen(reading_of(LABYRINTH, table_of(end)))
    decision = Referee().hear(position, shown, [LABYRINTH.parse("call blue a1-b1")], now=False)
    assert isinstance(decision, Accepts)
    steps = [(str(step.action), step.by) for step in decision.steps]
    assert steps == [("insert blue a1-b1", "inferred"), ("call blue a1-b1", "hand")]


@pytest.mark.parametrize(("looks", "decided"), [(1, Asks), (5000, Refuses)])
def test_nothing_is_refused_where_the_search_with_what_was_entered_was_given_up(
    monkeypatch: pytest.MonkeyPatch, looks: int, decided: type
) -> None:
    monkeypatch.setattr("companion.referee.search.LOOKS", looks)
    start = after(LABYRINTH.new(2), "symbol crown")
    two = table_of(start) | {"slot:a1-b1": "empty", "slot:c3-d3": "empty"}
    shown, said = seen(reading_of(LABYRINTH, two)), [LABYRINTH.parse("call blue a1-b1")]
    referee = Referee()
    assert referee.hear(start, shown, said, now=False) is None
    assert isinstance(referee.decide(start, shown), decided)


def test_a_colour_that_was_gone_before_a_picture_showed_it_is_not_taken_from_the_next_one() -> None:
    """The tray shows the next player's wall, and the one before has gone back, its colour down."""
    position = after(LABYRINTH.new(2), "symbol owl", "call blue a1-b1")
    later = ("reveal green", "insert green a1-b1", "call red c4-d4", "reveal red")
    said = [LABYRINTH.parse("call red c4-d4")]
    decision = Referee().hear(position, seen(reading_of(LABYRINTH, table_of(after(position, *later)))), said, now=False)
    assert isinstance(decision, Asks)
    wrong = ("red", "yellow", "green")  # with blue the figure would have gone on
    assert {str(choice[0]) for choice in decision.choices} == {f"reveal {colour}" for colour in wrong}


def test_a_figure_that_goes_in_a_circle_is_not_recorded_again_and_again() -> None:
    """Every picture is led through once: from where it began, all of them would be explained by the same again."""
    circle = [
        action for slot in ("a1-b1", "b1-b2", "a2-b2", "a1-a2") for action in (f"call blue {slot}", "reveal blue")
    ]
    position = after(LABYRINTH.new(2), "symbol book", *circle)
    bare = table_of(position)
    figure, bare["cell:a1"] = bare["cell:a1"], "empty"
    referee, recorded = Referee(), list[str]()
    for cell in ("b1", "b2", "a2", "a1", "b1"):
        observation = seen(reading_of(LABYRINTH, bare | {f"cell:{cell}": figure}), lasted=1.0)
        while isinstance(decision := referee.decide(position, observation), Accepts) and len(recorded) < 10:
            before, position = position, after(position, *(str(step.action) for step in decision.steps))
            referee.accepted(before, position, observation.reading)
            recorded += [str(step.action) for step in decision.steps]
    assert recorded == ["step b1", "step b2", "step a2", "step a1"]
