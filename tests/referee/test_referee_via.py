"""What the referee makes of pictures of VIA: tiles, and buildings anywhere on their property."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.registry import load_game, table_game
from companion.games.via import Via, ViaPosition
from companion.referee.decision import Accepts, Agrees, Asks, Refuses, Waits
from companion.referee.evidence import Evidence
from companion.referee.referee import Referee
from companion.referee.search import Explanation, Search, explain_pictures
from companion.referee.steps import before_open_turn
from tests.referee.readings import labels_of, reading_of, seen

GAME: Via = load_game("via")  # type: ignore[assignment]
DEAL = ["lay ST a1 0", "lay ST a2 0", "lay ST g7 0", "lay ST d4 0", "lay W b1 0", "lay W f6 0"]
DEAL += ["draw 0 S4", "draw 0 W", "draw 1 S2", "draw 1 C3"]
"""A tile S4 on g6 then closes the land of g6.0 and g7.2."""


def after(actions: list[str]) -> ViaPosition:
    position = GAME.new(2)
    for text in actions:
        position = position.play(GAME.parse(text))
    return position


@pytest.mark.parametrize(
    ("actions", "changes", "accepted"),
    [
        (DEAL, {"cell:g6": "S4/0"}, ["lay S4 g6 0"]),
        (DEAL, {"cell:g6": "S4/0", "building:g7.2": "castle:blue"}, ["lay S4 g6 0", "castle g6.0"]),
        ([*DEAL, "lay S4 g6 0"], {"building:g7.2": "house:blue"}, ["house g6.0"]),
        ([*DEAL, "lay S4 g6 0"], {"building:g6.0": "house:blue"}, ["house g6.0"]),
        ([*DEAL, "lay S4 g6 0"], {"cell:f7": "W"}, ["lay W f7 0"]),
    ],
)
def test_what_is_laid_and_built_is_accepted(actions: list[str], changes: dict[str, str], accepted: list[str]) -> None:
    position = after(actions)
    decision = Referee().decide(position, seen(reading_of(GAME, labels_of(position) | changes)))
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == accepted
    assert {step.by for step in decision.steps} == {"camera"}


UNSEEN: Via = table_game("via")  # type: ignore[assignment] # whose hands no camera sees
BEGUN = ["lay ST g7 0", "lay ST b1 0", "lay ST d3 0", "lay ST g1 0", "lay W d5 0"]
LAKES = {"cell:d1": "W", "cell:d2": "W"}
"""With another turn between, the one on d1 must have been the first."""


def begun() -> ViaPosition:
    return played(UNSEEN.new(2, {"land_alike": True, "free_water": False}), BEGUN)


def test_tiles_of_two_players_that_came_into_view_at_once_wait() -> None:
    """One player may have put down both, and take one back."""
    referee, position = Referee(), begun()
    labels = labels_of(position)
    assert isinstance(referee.decide(position, seen(reading_of(UNSEEN, labels))), Agrees)
    both = reading_of(UNSEEN, labels | LAKES)
    assert isinstance(referee.decide(position, seen(both, lasted=9.0)), Waits)
    decision = referee.decide(position, seen(reading_of(UNSEEN, labels | {"cell:d2": "W"})))
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == ["lay W d2 0"]
    decision = Referee().decide(position, seen(both, lasted=10.0))
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps if step.by == "camera"] == ["lay W d1 0", "lay W d2 0"]


CLOSED = ["lay W a4 0", "draw 0 ?", "draw 0 ?", "draw 1 ?", "draw 1 ?", "lay S3 a1 3", "house a1.2", "lay C4 f7 1"]
CLOSED += ["lay W c3 0", "lay S4 b2 0", "take", "draw 0 ?", "take", "draw 1 ?", "lay S3 a2 1"]
"""After `begun`: then two houses are legal on the land of a1."""


def played(position: ViaPosition, actions: list[str]) -> ViaPosition:
    for text in actions:
        position = position.play(UNSEEN.parse(text))
    return position


def test_what_was_entered_once_is_once_in_an_explanation() -> None:
    """Also where two orders of houses lead to one position, and it may have been entered after them or later."""
    position = played(begun(), CLOSED)
    then = ["house a1.0", "house a1.6", "take", "draw 0 ?", "lay S2 b3 0", "take", "draw 1 ?", "lay S4 c2 0"]
    picture = Evidence(reading_of(UNSEEN, labels_of(played(position, then))))
    found = explain_pictures(position, [picture], [UNSEEN.parse("take")]).explanations
    assert len({one.actions[:2] for one in found}) > 1
    assert {sum(one.said) for one in found} == {1}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], {"lay S2 b3 0; take": 1, "take; draw 1 ?; lay S2 b3 0": 1}),
        (["take", "draw 1 ?", "lay S4 c2 0"], {"lay S2 b3 0": 0, "lay S4 c2 0": 0, "take": 1}),
    ],
)
def test_an_answer_contains_what_was_entered_or_leaves_it_for_later(more: list[str], said: dict[str, int]) -> None:
    position = played(begun(), [*CLOSED, "house a1.0", "take", "draw 0 ?"])
    end = played(position, ["lay S2 b3 0", *more])
    shown = seen(reading_of(UNSEEN, labels_of(end)), lasted=20.0)
    decision = Referee().hear(position, shown, [UNSEEN.parse("take")], now=False)
    assert isinstance(decision, Asks)
    choices = ("; ".join(map(str, choice)) for choice in decision.choices)
    assert said.items() <= dict(zip(choices, decision.said, strict=True)).items()


def test_where_the_record_is_behind_for_long_any_calm_moment_is_used_to_ask_about_what_was_entered() -> None:
    position = played(begun(), [*CLOSED, "house a1.0", "take", "draw 0 ?"])
    shown = seen(reading_of(UNSEEN, labels_of(played(position, ["lay S2 b3 0"]))), lasted=1.0)
    referee, taken = Referee(), [UNSEEN.parse("take")]
    assert isinstance(referee.hear(position, shown, taken, now=False), Waits)
    later = replace(shown, time=shown.time + 15.0, since=shown.since + 15.0)
    assert isinstance(referee.hear(position, later, taken, now=False), Asks)


def test_which_of_many_tiles_came_first_is_asked_where_a_draw_came_before_all() -> None:
    """As after a search that was given up: it may not have come to the other orders."""
    position = begun()
    for text in ("lay W d1 0", "draw 0 S2", "draw 0 S2", "draw 1 S2", "draw 1 S2", "take"):
        position = position.play(UNSEEN.parse(text))
    texts = ("draw 0 S2", "lay S2 b2 0", "take", "draw 1 S2", "lay S2 a1 1")
    way, end = tuple(UNSEEN.parse(text) for text in texts), position
    for action in way:
        end = end.play(action)
    picture = Evidence(reading_of(UNSEEN, labels_of(end)))
    unseen = (False, False, True, False, False)
    found = Explanation(way, end, 0.0, (1, 0, 0, 1, 0), unseen, (False,) * 5, (0,) * 5, (False,) * 5)
    decision = Referee()._weigh(position, Search((found,), False, (picture,)), 10.0)
    assert isinstance(decision, Asks)
    assert decision.choices == (way[:2], (way[0], way[4]))


@pytest.mark.parametrize(("last_seen", "certain"), [(0, 4), (1, 8)])
def test_a_search_that_was_given_up_tells_turns_as_far_as_nobody_else_may_have_begun_them(
    last_seen: int, certain: int
) -> None:
    """Of three tiles that one picture shows, the first being sure, either may be the second; not if one came later."""
    position = begun()
    for text in ("lay W d1 0", "draw 0 S2", "draw 0 S2", "draw 1 S2", "draw 1 S2", "take"):
        position = position.play(UNSEEN.parse(text))
    texts = ("draw 0 S2", "lay S2 b2 0", "take", "draw 1 S2", "lay S2 a1 1", "take", "draw 0 S2", "lay S2 c1 1")
    way, end = tuple(UNSEEN.parse(text) for text in texts), position
    for action in way:
        end = end.play(action)
    unseen, chance = tuple(text == "take" for text in texts), tuple(int(text.startswith("draw")) for text in texts)
    stages = (*(0,) * 7, last_seen)
    found = Explanation(way, end, 0.0, chance, unseen, (False,) * 8, stages, (False,) * 8)
    assert before_open_turn(position, found) == certain


def test_what_would_have_been_legal_before_a_tile_that_was_seen_first_is_refused_after_it() -> None:
    referee, position = Referee(), after([*DEAL, "lay S4 g6 0"])
    lake = labels_of(position) | {"cell:f7": "W"}
    assert isinstance(referee.decide(position, seen(reading_of(GAME, lake), lasted=2.0)), Waits)
    both = seen(reading_of(GAME, lake | {"building:g7.2": "house:blue"}), lasted=2.0)
    decision = referee.decide(position, both)
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == ["lay W f7 0"]
    referee.accepted(position, position := position.play(GAME.parse("lay W f7 0")), both.reading)
    assert isinstance(referee.decide(position, both), Refuses)


def test_tiles_of_two_players_that_came_one_after_the_other_are_accepted() -> None:
    referee, position = Referee(), begun()
    labels = labels_of(position)
    first = reading_of(UNSEEN, labels | {"cell:d1": "W"})
    assert isinstance(referee.decide(position, seen(first, lasted=1.0)), Waits)
    decision = referee.decide(position, seen(reading_of(UNSEEN, labels | LAKES), lasted=1.0))
    assert isinstance(decision, Accepts)
    assert str(decision.steps[0].action) == "lay W d1 0"


def test_a_building_may_be_moved_within_its_property() -> None:
    position = after([*DEAL, "lay S4 g6 0", "house g6.0"])
    labels = labels_of(position) | {"building:g6.0": "empty", "building:g7.2": "house:blue"}
    assert isinstance(Referee().decide(position, seen(reading_of(GAME, labels))), Agrees)


@pytest.mark.parametrize(
    ("changes", "clause"),
    [
        ({"cell:d5": "S2/1"}, "VIA-TURN-1"),  # not in the hand
        ({"cell:c2": "S4/0"}, "VIA-LAY-2"),
        ({"cell:c2": "W"}, "VIA-LAY-5"),
        ({"cell:g6": "S4/0", "building:g7.2": "house:white"}, "VIA-BUILD-2"),
        ({"building:g7.2": "house:blue"}, "VIA-BUILD-1"),
        ({"building:a1.4": "house:blue"}, "VIA-BUILD-3"),
    ],
)
def test_what_breaks_a_clause_is_refused(changes: dict[str, str], clause: str) -> None:
    position = after(DEAL)
    decision = Referee().decide(position, seen(reading_of(GAME, labels_of(position) | changes)))
    assert isinstance(decision, Refuses)
    assert decision.judgement.refusal.clause == clause


def test_a_building_on_the_open_land_of_a_new_tile_is_asked_about() -> None:
    position = after(DEAL)
    labels = labels_of(position) | {"cell:g6": "S4/0", "building:g6.4": "house:blue"}
    assert isinstance(Referee().decide(position, seen(reading_of(GAME, labels))), Asks)


def test_a_building_that_may_stand_where_nothing_can_be_told_any_more_is_asked_about() -> None:
    """Its property has another place too, which is bare."""
    referee, position = Referee(), after([*DEAL, "lay S4 g6 0"])
    shown = labels_of(position)
    referee.decide(position, seen(reading_of(GAME, shown)))
    referee.decide(position, seen(reading_of(GAME, shown, unclear=("building:g7.2",))))
    laid = labels_of(after([*DEAL, "lay S4 g6 0", "lay W f7 0"]))
    decision = referee.decide(position, seen(reading_of(GAME, laid, unclear=("building:g7.2",))))
    assert isinstance(decision, Asks)
    begun = {str(choice[0]) for choice in decision.choices}
    assert {"lay W f7 0", "house g6.0", "castle g6.0"} <= begun
