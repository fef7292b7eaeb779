"""The referee of Labyria, where walls are laid one after the other and some are only dimly seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.core import Position
from companion.games.labyria import Labyria
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.referee.decision import Accepts, Agrees, Asks, Decision, Refuses, Waits
from companion.referee.evidence import Evidence
from companion.referee.referee import Referee
from companion.referee.search import Explanation
from companion.referee.steps import could_be_first
from companion.vision.observation import Scene
from tests.games.labyria_openings import LOCKED, PLAYING, after
from tests.games.labyria_sets import small
from tests.referee.readings import labels_of, reading_of, seen

GAME = load_game("labyria")
BEGUN = ("roll 0 3", "roll 1 4", "square e5-f5", "corner e5 NW", "corner e6 NW")
LAID = ("corner d4 SE", "corner e3 NW", "square f4-f5")


def played(*actions: str) -> Position[Any]:
    position: Position[Any] = GAME.new(2)
    for action in actions:
        position = position.play(GAME.parse(action))
    return position


def decision_on(laid: tuple[str, ...], doubts: Mapping[str, float]) -> Decision:
    """What is decided where walls were laid of which some may, at such a cost, not be there."""
    labels = labels_of(played(*BEGUN, *laid))
    reading = reading_of(GAME, labels, doubts={site: {"empty": cost} for site, cost in doubts.items()})
    return Referee().decide(played(*BEGUN), seen(reading))


@pytest.mark.parametrize("cost", [1.4, 2.5])
@pytest.mark.parametrize("dim", [("d4",), ("e3",), ("d4", "e3")])
def test_a_wall_is_never_recorded_over_others_that_only_seem_to_stand(dim: tuple[str, ...], cost: float) -> None:
    decision = decision_on(LAID, {f"crossing:{name}": cost for name in dim})
    assert isinstance(decision, Asks)
    truth = tuple(GAME.parse(text) for text in LAID)
    assert truth in decision.choices or len(dim) == 1


def test_walls_that_are_almost_surely_there_are_recorded_in_their_turn() -> None:
    referee, position, recorded = Referee(), played(*BEGUN), []
    for laid in (LAID[:1], LAID[:2], LAID):
        labels = labels_of(played(*BEGUN, *laid))
        dim = {f"crossing:{name}": {"empty": 3.5} for name in ("d4", "e3") if labels[f"crossing:{name}"] != "empty"}
        reading = reading_of(GAME, labels, doubts=dim)
        decision = referee.decide(position, seen(reading))
        assert isinstance(decision, Accepts)
        before = position
        for step in decision.steps:
            position = position.play(step.action)
            recorded.append(str(step.action))
        referee.accepted(before, position, reading)
    assert tuple(recorded) == LAID


def test_who_laid_which_wall_is_asked_where_no_picture_tells() -> None:
    decision = decision_on(LAID[:2], {})
    assert isinstance(decision, Asks)
    first, second = (GAME.parse(text) for text in LAID[:2])
    assert set(decision.choices) == {(first, second), (second, first)}


def test_a_wall_that_is_almost_surely_there_is_recorded_before_the_next_is_laid() -> None:
    decision = decision_on(LAID[:1], {"crossing:d4": 3.5})
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == [LAID[0]]


def test_one_that_only_seems_to_stand_waits_for_the_next() -> None:
    assert isinstance(decision_on(LAID[:1], {"crossing:d4": 1.4}), Agrees)


def test_one_that_only_seems_to_stand_is_asked_about_where_nothing_follows() -> None:
    referee, position = Referee(), played(*BEGUN)
    labels = labels_of(played(*BEGUN, LAID[0]))
    reading = reading_of(GAME, labels, doubts={"crossing:d4": {"empty": 1.4}})
    begun = seen(reading)
    decisions = [referee.decide(position, replace(begun, time=begun.time + later)) for later in (0.0, 3.0, 12.0)]
    assert [type(decision) for decision in decisions] == [Agrees, Agrees, Asks]
    asked = decisions[-1]
    assert isinstance(asked, Asks)
    assert "crossing:d4" in asked.sites
    assert (GAME.parse(LAID[0]),) in asked.choices


def test_what_was_seen_first_stays_first_however_often_the_next_is_looked_at() -> None:
    referee, position = Referee(), played(*BEGUN)
    for laid in (LAID[:1], LAID[:2], LAID):
        labels = labels_of(played(*BEGUN, *laid))
        for _ in range(3):  # another look at the same, each time with a little noise
            reading = reading_of(GAME, labels, doubts={"crossing:d4": {"NE": 2.0}})
            assert not isinstance(referee.decide(position, seen(reading, lasted=1.0)), Accepts)
    sure = referee.decide(position, seen(reading_of(GAME, labels_of(played(*BEGUN, *LAID)))))
    assert isinstance(sure, Accepts)
    assert tuple(str(step.action) for step in sure.steps) == LAID


def test_the_order_that_the_last_picture_alone_tells_is_among_the_answers() -> None:
    """At first one wall explained the picture by itself, if hardly."""
    referee, position = Referee(), played(*BEGUN)
    labels, wall = labels_of(played(*BEGUN, *LAID[:2])), "crossing:e3"
    for cost in (3.5, 12.0):
        decision = referee.decide(position, seen(reading_of(GAME, labels, doubts={wall: {"empty": cost}}), lasted=5.0))
    assert isinstance(decision, Asks)
    first, second = (GAME.parse(text) for text in LAID[:2])
    assert set(decision.choices) == {(first, second), (second, first)}


@pytest.mark.parametrize("hidden", [True, False])
def test_what_comes_to_light_where_nothing_was_to_be_seen_may_have_come_before_what_showed_first(hidden: bool) -> None:
    """A hand rests over the place of one wall while another comes; where it came after that, the order is known."""
    referee, position = Referee(), played(*BEGUN)
    first, second = (GAME.parse(text) for text in LAID[:2])
    tables = [played(*BEGUN), played(*BEGUN, LAID[0]), played(*BEGUN, *LAID[:2])]
    for table, covered, lasted in zip(tables, (hidden, True, False), (1.0, 1.0, 10.0), strict=True):
        reading = reading_of(GAME, labels_of(table), hidden=("crossing:e3",) if covered else ())
        decision = referee.decide(position, seen(reading, lasted=lasted))
    if hidden:
        assert isinstance(decision, Asks)
        assert set(decision.choices) == {(first, second), (second, first)}
    else:
        assert isinstance(decision, Accepts)
        assert [step.action for step in decision.steps] in ([first], [first, second])


def test_what_came_dimly_before_a_wall_may_be_the_wall_of_the_one_before() -> None:
    referee, position = Referee(), played(*BEGUN)
    dim = {"crossing:d4": {"SE": 0.1}}  # with the second picture something lies there that cannot be told
    laid = played(*BEGUN, *LAID[:2])
    for labels, doubts in (
        (labels_of(position), {}),
        (labels_of(position), dim),
        (labels_of(laid) | {"crossing:d4": "empty"}, dim),
    ):
        decision = referee.decide(position, seen(reading_of(GAME, labels, doubts=doubts)))
    first, second = (GAME.parse(text) for text in LAID[:2])
    assert isinstance(decision, Asks)
    assert set(decision.choices) == {(second,), (first, second)}


def test_what_came_dimly_before_a_wall_is_not_forgotten_while_that_waits() -> None:
    referee, position = Referee(), played(*BEGUN)
    dim = {"crossing:d4": {"SE": 0.1}}
    for doubts in ({}, dim):
        referee.decide(position, seen(reading_of(GAME, labels_of(position), doubts=doubts)))
    reading = reading_of(GAME, labels_of(played(*BEGUN, LAID[1])), doubts=dim)
    decisions = [referee.decide(position, seen(reading, lasted=lasted)) for lasted in (0.3, 0.6, 0.9, 10.0)]
    assert [type(decision) for decision in decisions] == [Waits, Waits, Waits, Asks]


@pytest.mark.parametrize("waiting", [True, False])
def test_what_came_dimly_while_a_wall_was_not_yet_on_record_may_be_the_next(waiting: bool) -> None:
    """Nothing shows any more, once it is, that this place had been clear."""
    referee, position = Referee(), played(*BEGUN)
    once, twice = (labels_of(played(*BEGUN, *laid)) for laid in (LAID[1:2], LAID[1:]))
    dim = {"crossing:d4": {"SE": 0.1}}
    referee.decide(position, seen(reading_of(GAME, labels_of(position))))
    if waiting:
        assert isinstance(referee.decide(position, seen(reading_of(GAME, once), lasted=0.1)), Waits)
    reading = reading_of(GAME, once, doubts=dim)
    decision = referee.decide(position, seen(reading))
    assert isinstance(decision, Accepts)
    after = position.play(decision.steps[0].action)
    referee.accepted(position, after, reading)
    assert isinstance(referee.decide(after, seen(reading)), Agrees)
    decision = referee.decide(after, seen(reading_of(GAME, twice, doubts=dim)))
    assert isinstance(decision, Asks if waiting else Accepts)


def test_what_came_unclearly_before_the_next_wall_is_not_forgotten_while_the_one_before_waits() -> None:
    referee, position = Referee(), played(*BEGUN)
    once, twice = (labels_of(played(*BEGUN, *laid)) for laid in (LAID[1:2], LAID[1:]))
    unclear = ("crossing:d4",)
    referee.decide(position, seen(reading_of(GAME, labels_of(position))))
    for now in ((), unclear):
        assert isinstance(referee.decide(position, seen(reading_of(GAME, once, unclear=now), lasted=0.1)), Waits)
    reading = reading_of(GAME, twice, unclear=unclear)
    decision = referee.decide(position, seen(reading))
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == [LAID[1]]
    after = position.play(decision.steps[0].action)
    referee.accepted(position, after, reading)
    decision = referee.decide(after, seen(reading))
    assert isinstance(decision, Asks)
    first, last = GAME.parse(LAID[0]), GAME.parse(LAID[2])
    assert {(last,), (first, last)} <= set(decision.choices)


def test_the_order_of_what_followed_is_known_where_a_part_of_it_is_on_record_by_then() -> None:
    referee, position = Referee(), played(*BEGUN)
    laid, unclear = (*LAID, "square f5-f6", "square f6-f7", "square f7-f8"), ("crossing:d4",)
    referee.decide(position, seen(reading_of(GAME, labels_of(position))))
    for count in range(1, len(laid) + 1):
        reading = reading_of(GAME, labels_of(played(*BEGUN, *laid[:count])), unclear=unclear)
        assert isinstance(referee.decide(position, seen(reading)), Agrees if count == 1 else Asks)
    after = played(*BEGUN, *laid[:3])
    referee.accepted(position, after, reading)
    decision = referee.decide(after, seen(reading))
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == [*laid[3:]]


def test_what_came_dimly_after_a_hand_had_rested_there_is_asked_about_too() -> None:
    referee, position = Referee(), played(*BEGUN)
    clear = reading_of(GAME, labels_of(position))
    dim = {"crossing:d4": {"SE": 0.1}}
    laid = labels_of(played(*BEGUN, *LAID[:2])) | {"crossing:d4": "empty"}
    referee.decide(position, seen(clear, scene=Scene.HAND))
    referee.decide(position, seen(clear))  # the hand has gone, the reading is the same
    referee.decide(position, seen(reading_of(GAME, labels_of(position), doubts=dim)))
    decision = referee.decide(position, seen(reading_of(GAME, laid, doubts=dim)))
    assert isinstance(decision, Asks)


@pytest.mark.parametrize("came", [True, False])
def test_what_came_to_where_nothing_was_ever_clear_may_have_come_first(came: bool) -> None:
    """In glare, say: a place that rather was bare shows rather a wall from some picture on."""
    referee, position = Referee(), played(*BEGUN)
    rather_bare, rather_wall = {"crossing:d4": {"SE": 2.0}}, {"crossing:d4": {"empty": 1.0}}
    later = "SE" if came else "empty"
    dim = rather_wall if came else rather_bare
    laid = labels_of(played(*BEGUN, *LAID[:2])) | {"crossing:d4": later}
    referee.decide(position, seen(reading_of(GAME, labels_of(position), doubts=rather_bare)))
    shows = labels_of(position) | {"crossing:d4": later}
    assert isinstance(referee.decide(position, seen(reading_of(GAME, shows, doubts=dim))), Agrees)
    decision = referee.decide(position, seen(reading_of(GAME, laid, doubts=dim)))
    first, second = (GAME.parse(text) for text in LAID[:2])
    if came:
        assert isinstance(decision, Asks)
        assert (first, second) in decision.choices
    else:
        assert isinstance(decision, Accepts)
        assert [step.action for step in decision.steps] == [second]


@pytest.mark.parametrize("under_a_thing", [True, False])
def test_what_may_have_come_to_where_nothing_can_be_told_any_more_is_asked_about(under_a_thing: bool) -> None:
    """A wall in glare, say; what a cup hides that was put there may still be what it was."""
    referee, position = Referee(), played(*BEGUN)
    place = ("crossing:d4",)
    hidden, unclear = (place, ()) if under_a_thing else ((), place)
    before, laid = labels_of(position), labels_of(played(*BEGUN, *LAID[:2]))
    referee.decide(position, seen(reading_of(GAME, before)))
    referee.decide(position, seen(reading_of(GAME, before, hidden=hidden, unclear=unclear)))
    decision = referee.decide(position, seen(reading_of(GAME, laid, hidden=hidden, unclear=unclear)))
    first, second = (GAME.parse(text) for text in LAID[:2])
    if under_a_thing:
        assert isinstance(decision, Accepts)
        assert [step.action for step in decision.steps] == [second]
    else:
        assert isinstance(decision, Asks)
        assert (first, second) in decision.choices


def test_an_action_that_showed_dimly_first_may_have_been_the_first_of_many() -> None:
    position = played(*BEGUN)
    first, second = (GAME.parse(text) for text in LAID[:2])
    laid = played(*BEGUN, *LAID[:2])
    pictures = [Evidence(reading_of(GAME, labels_of(position)), dimmed=dimmed) for dimmed in ((), ("crossing:d4",))]
    explanation = Explanation(
        (second, first), laid, 0.0, (0, 0), (False, False), (False, False), (0, 1), (False, False)
    )
    clear, dim = (could_be_first(position, explanation, (picture, picture)) for picture in pictures)
    assert (clear, dim) == ((second,), (second, first))


def test_what_may_have_come_where_nothing_can_be_told_may_have_been_the_first_of_many() -> None:
    position = played(*BEGUN)
    first, second = (GAME.parse(text) for text in LAID[:2])
    picture = Evidence(
        reading_of(GAME, labels_of(played(*BEGUN, *LAID[:2])), unclear=("crossing:d4",)), dimmed=("crossing:d4",)
    )
    explanation = Explanation((second,), played(*BEGUN, LAID[1]), 0.0, (0,), (False,), (False,), (0,), (False,))
    could = could_be_first(position, explanation, (picture,))
    assert could[:2] == (second, first)
    assert {str(action).split()[1] for action in could[1:]} == {"d4"}


def test_what_an_action_makes_dim_beside_it_is_not_asked_about() -> None:
    referee, position = Referee(), played(*BEGUN)
    labels = labels_of(played(*BEGUN, LAID[1]))
    assert isinstance(referee.decide(position, seen(reading_of(GAME, labels_of(position)))), Agrees)
    decision = referee.decide(position, seen(reading_of(GAME, labels, doubts={"crossing:d4": {"SE": 0.1}})))
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == [LAID[1]]


def test_of_many_walls_laid_unseen_nobody_claims_to_know_the_first() -> None:
    walls = "corner f4 NW, square d6-e6, corner f7 SW, corner f6 SW, square e4-f4, corner c6 NE, square e7-e8"
    laid = tuple(walls.split(", "))
    decision = decision_on(laid, {})  # more orders than a search can try
    assert isinstance(decision, Asks)
    assert len(decision.choices) > 4
    assert {str(action) for choice in decision.choices for action in choice} <= set(laid)
    assert all(len(choice) == 1 for choice in decision.choices)


@pytest.mark.parametrize("withdrawn", [True, False])
def test_what_showed_while_a_wall_had_fallen_over_may_have_come_after_it(withdrawn: bool) -> None:
    referee, position = Referee(), played(*BEGUN)
    fallen, whole = (labels_of(played(*BEGUN, *laid)) for laid in (LAID[1:], LAID))
    referee.decide(position, seen(reading_of(GAME, fallen)))
    if withdrawn:
        referee.withdrawn(position, GAME.parse(LAID[0]))
    decision = referee.decide(position, seen(reading_of(GAME, whole)))
    assert isinstance(decision, Asks)
    assert (GAME.parse(LAID[0]) in {choice[0] for choice in decision.choices}) == withdrawn


@pytest.mark.parametrize("count", ["3", "8"])
def test_a_wrong_count_in_the_depot_is_mentioned_and_stops_nothing(count: str) -> None:
    referee, position = Referee(), played(*BEGUN)
    wrong = reading_of(GAME, labels_of(position) | {"depot": count})
    assert referee.decide(position, seen(wrong)) == Agrees()
    later = replace(seen(wrong), time=110.0)
    assert referee.decide(position, later) == Agrees((("depot", ("4",)),))
    assert referee.decide(position, replace(later, reading=reading_of(GAME, labels_of(position)))) == Agrees()
    laid = reading_of(GAME, labels_of(played(*BEGUN, LAID[0])) | {"depot": count})
    decision = referee.decide(position, replace(later, reading=laid))
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == [LAID[0]]


@pytest.mark.parametrize(("symbol", "answer"), [("minus", Asks), ("plus", Refuses)])
def test_what_cannot_be_told_is_asked_about_only_where_it_may_make_an_action_legal(
    tmp_path: Path, symbol: str, answer: type[Decision]
) -> None:
    game = Labyria(small(tmp_path, 6, 6, squares=4, corners=0, numbers="1, 2, 3, 4, 5, 6"))
    walled = [*PLAYING, "dice 1 plus", "add a1-a2", "move a1 b1", "dice 1 skip"]
    position = after(game, [*walled, f"dice 2 {symbol}"])
    labels = labels_of(position) | {"cell:a1": "red", "cell:a3": "red", "edge:a1-a2": EMPTY}
    reading = reading_of(game, labels, doubts={"edge:a1-a2": {"square": 0.9}})  # over the wall, if it still stands
    assert isinstance(Referee().decide(position, seen(reading)), answer)


@pytest.mark.parametrize(
    ("symbol", "ability", "matters"), [("plus", "add c3-d3", False), ("minus", "remove a1-a2", True)]
)
def test_when_somebody_passed_is_asked_only_where_it_matters(
    tmp_path: Path, symbol: str, ability: str, matters: bool
) -> None:
    """No figure leaves a1: a wall more changes nothing about that, but with one less there is a way to walk."""
    game = Labyria(small(tmp_path, 6, 6, squares=4, corners=0, numbers="1, 2, 3, 4, 5, 6"))
    position = after(game, [*LOCKED, f"dice 2 {symbol}"])
    used = position.play(game.parse(ability))
    reading = reading_of(game, labels_of(used))
    decision = Referee().decide(position, seen(reading))
    if matters:
        assert isinstance(decision, Asks)
        assert [[*map(str, choice)] for choice in decision.choices] == [[ability], ["pass", ability]]
        return
    assert isinstance(decision, Accepts)
    assert [(str(step.action), step.by) for step in decision.steps] == [(ability, "camera")]
    decision = Referee().decide(used, seen(reading))
    assert isinstance(decision, Accepts)
    assert [(str(step.action), step.by) for step in decision.steps] == [("pass", "inferred")]


def test_when_somebody_passed_does_not_matter_either_once_the_next_has_rolled(tmp_path: Path) -> None:
    game = Labyria(small(tmp_path, 6, 6, squares=4, corners=0, numbers="1, 2, 3, 4, 5, 6"))
    position = after(game, [*LOCKED, "dice 2 plus"])
    rest = ["add c3-d3", "pass", "dice 3 skip"]
    table = seen(reading_of(game, labels_of(after(game, [*LOCKED, "dice 2 plus", *rest]))))
    decision = Referee().hear(position, table, [game.parse(rest[-1])], now=True)
    assert isinstance(decision, Accepts)
    assert [str(step.action) for step in decision.steps] == rest
