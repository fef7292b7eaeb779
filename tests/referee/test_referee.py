"""The referee on readings made from labels: what it accepts, refuses, asks, and when it waits."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.games.core import CHANCE, Position
from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.referee.decision import Accepts, Agrees, Asks, Decision, Refuses, Waits
from companion.referee.referee import Referee
from companion.referee.veils import Veils
from companion.vision.evidence import unsure
from companion.vision.observation import Scene
from companion.vision.reading import Reading
from tests.referee.readings import labels_of, reading_of, seen

GAME = load_game("triangle")

DEAL = (
    "draw 0 GPR1", "draw 1 YYP4",
    "draw 0 GGB5", "draw 0 GRB3", "draw 0 GPY2",
    "draw 1 WWW1", "draw 1 PPP6", "draw 1 GBP3",
)  # fmt: skip


def played(*actions: str, players: int = 2) -> Position[Any]:
    position: Position[Any] = GAME.new(players)
    for action in actions:
        position = position.play(GAME.parse(action))
    return position


def texts(decision: Accepts) -> list[str]:
    return [str(step.action) for step in decision.steps]


def in_shade(reading: Reading, dim: str) -> Reading:
    """The same where one site cannot be told."""
    return Reading({name: unsure(site) if name == dim else site for name, site in reading.sites.items()})


def recorded(*readings: Reading) -> list[str]:
    """What is recorded of a game of which these are the first pictures."""
    referee, position, known = Referee(), GAME.new(2), list[str]()
    for reading in readings:
        while isinstance(decision := referee.decide(position, seen(reading, lasted=2.0)), Accepts):
            for step in decision.steps:
                known.append(str(step.action))
                before, position = position, position.play(step.action)
                referee.accepted(before, position, reading)
    return known


def test_a_table_as_recorded_agrees() -> None:
    position = played(*DEAL)
    assert Referee().decide(position, seen(reading_of(GAME, labels_of(position)))) == Agrees()


def test_a_placed_tile_and_the_drawn_one_are_accepted() -> None:
    position = played(*DEAL)
    after = position.play(GAME.parse("place PPP6 35 0")).play(GAME.parse("draw 1 RRR6"))
    decision = Referee().decide(position, seen(reading_of(GAME, labels_of(after)), lasted=0.0))
    assert isinstance(decision, Accepts)
    assert texts(decision) == ["place PPP6 35 0", "draw 1 RRR6"]
    assert {step.by for step in decision.steps} == {"camera"}
    assert all(step.confidence > 0.99 for step in decision.steps)


def test_a_placement_alone_may_be_taken_back_for_a_while() -> None:
    position = played(*DEAL)
    place = GAME.parse("place PPP6 35 0")
    reading = reading_of(GAME, labels_of(position.play(place)))
    assert Referee().decide(position, seen(reading, lasted=2.0)) == Waits("turn", (place,))
    decision = Referee().decide(position, seen(reading, lasted=8.0))
    assert isinstance(decision, Accepts)
    assert texts(decision) == ["place PPP6 35 0"]


def test_a_placement_that_no_draw_follows_may_be_taken_back_as_long() -> None:
    position, chance = GAME.new(2), random.Random(1)
    while position.turn == CHANCE or (after := position.play(position.legal_actions()[0])).turn in (CHANCE, None):
        position = position.play(chance.choice(position.legal_actions()))
    assert str(position.legal_actions()[0]).startswith("place")
    laid = reading_of(GAME, labels_of(after))
    assert isinstance(Referee().decide(position, seen(laid, lasted=6.0)), Waits)
    assert isinstance(Referee().decide(position, seen(laid, lasted=9.0)), Accepts)


def test_a_placement_is_certain_once_another_has_followed() -> None:
    position = played(*DEAL)
    line = ["place PPP6 35 0", "draw 1 RRR6", "place GPY2 34 2"]
    decision = Referee().decide(position, seen(reading_of(GAME, labels_of(played(*DEAL, *line))), lasted=0.5))
    assert isinstance(decision, Accepts)
    assert texts(decision) == line[:2]


def test_two_turns_missed_are_both_found() -> None:
    position = played(*DEAL)
    line = ["place PPP6 35 0", "draw 1 RRR6", "place GPY2 34 2", "draw 0 GGY4"]
    after = played(*DEAL, *line)
    decision = Referee().decide(position, seen(reading_of(GAME, labels_of(after))))
    assert isinstance(decision, Accepts)
    assert texts(decision) == line


def test_a_doubtful_tile_is_settled_by_what_is_legal() -> None:
    position = played(*DEAL)
    after = position.play(GAME.parse("place PPP6 35 0"))
    reading = reading_of(GAME, labels_of(after), doubts={"cell:35": {"PPP6/0": 0.0, "RRP5/1": 0.0}})
    decision = Referee().decide(position, seen(reading))
    assert isinstance(decision, Accepts)
    assert texts(decision) == ["place PPP6 35 0"]
    assert 0.9 < decision.steps[0].confidence < 0.99


def test_two_legal_readings_wait_and_then_become_a_question() -> None:
    position = played(*DEAL)
    labels = labels_of(position.play(GAME.parse("place GBP3 35 0")))
    reading = reading_of(GAME, labels, doubts={"cell:35": {"GBP3/1": 0.1}})
    assert isinstance(Referee().decide(position, seen(reading, lasted=0.5)), Waits)
    decision = Referee().decide(position, seen(reading))
    assert isinstance(decision, Asks)
    assert {str(choice[0]) for choice in decision.choices} == {"place GBP3 35 0", "place GBP3 35 1"}
    assert "cell:35" in decision.sites


@pytest.mark.parametrize(
    ("cell", "label", "clause"),
    [
        ("cell:34", "PPP6/0", "TRI-PLACE-1"),
        ("cell:35", "GPR1/0", "TRI-PLACE-4"),
    ],
)
def test_an_illegal_first_tile_is_refused_with_its_clause(cell: str, label: str, clause: str) -> None:
    position = played(*DEAL)
    labels = {site: EMPTY if seen == label[:4] else seen for site, seen in labels_of(position).items()}
    decision = Referee().decide(position, seen(reading_of(GAME, labels | {cell: label})))
    assert isinstance(decision, Refuses)
    assert decision.judgement.refusal.clause == clause
    assert cell in decision.sites


def test_an_illegal_tile_put_down_for_a_moment_draws_no_verdict() -> None:
    position = played(*DEAL)
    labels = labels_of(position) | {"cell:34": "PPP6/0", "rack:1.2": EMPTY}
    assert isinstance(Referee().decide(position, seen(reading_of(GAME, labels), lasted=0.4)), Waits)


def test_a_placement_counts_when_more_happens_that_is_not_allowed() -> None:
    referee = Referee()
    position = played(*DEAL)
    first = labels_of(position.play(GAME.parse("place PPP6 35 0")))
    assert isinstance(referee.decide(position, seen(reading_of(GAME, first), lasted=1.0)), Waits)
    second = {site: EMPTY if label == "GPY2" else label for site, label in first.items()} | {"cell:34": "GPY2/2"}
    decision = referee.decide(position, seen(reading_of(GAME, second)))
    assert isinstance(decision, Accepts)
    assert texts(decision) == ["place PPP6 35 0"]


def test_a_laid_tile_that_moves_or_vanishes_is_refused() -> None:
    position = played(*DEAL, "place PPP6 35 0", "draw 1 RRR6")
    for change in ({"cell:35": EMPTY}, {"cell:35": EMPTY, "cell:33": "PPP6/0"}, {"cell:35": "RRR6/0"}):
        decision = Referee().decide(position, seen(reading_of(GAME, labels_of(position) | change)))
        assert isinstance(decision, Refuses), change
        assert decision.judgement.refusal.clause == "TRI-PLACE-5"


def test_two_tiles_of_one_player_are_refused() -> None:
    position = played(*DEAL)
    after = position.play(GAME.parse("place PPP6 35 0"))
    labels = labels_of(after) | {"cell:34": "YYP4/0"}
    labels = {site: EMPTY if label == "YYP4" else label for site, label in labels.items()}
    decision = Referee().decide(position, seen(reading_of(GAME, labels)))
    assert isinstance(decision, Refuses)
    assert {"cell:34", "cell:35"} <= set(decision.sites)


def test_a_tile_in_somebodys_hand_is_no_matter() -> None:
    position = played(*DEAL)
    labels = labels_of(position) | {"rack:1.2": EMPTY}
    assert Referee().decide(position, seen(reading_of(GAME, labels))) == Waits("in hand")


def test_a_forgotten_draw_is_named_when_the_next_player_places() -> None:
    position = played(*DEAL, "place PPP6 35 0")
    labels = labels_of(position) | {"cell:34": "GPY2/2", "rack:0.3": EMPTY}
    labels = {site: EMPTY if label == "GPY2" else label for site, label in labels.items()}
    decision = Referee().decide(position, seen(reading_of(GAME, labels)))
    assert isinstance(decision, Refuses)
    assert decision.judgement.refusal.clause == "TRI-DRAW-1"


def test_covered_sites_speak_neither_for_nor_against() -> None:
    position = played(*DEAL)
    after = position.play(GAME.parse("place PPP6 35 0"))
    reading = reading_of(GAME, labels_of(after), hidden=("rack:1.0", "rack:1.1", "rack:1.2", "rack:1.3", "cell:3"))
    early = Referee().decide(position, seen(reading, lasted=0.4, scene=Scene.HAND))
    assert isinstance(early, Waits)
    decision = Referee().decide(position, seen(reading, scene=Scene.HAND))
    assert isinstance(decision, Accepts)
    assert texts(decision) == ["place PPP6 35 0"]


def test_a_hidden_cell_is_never_placed_on() -> None:
    position = played(*DEAL)
    after = position.play(GAME.parse("place PPP6 35 0"))
    reading = reading_of(GAME, labels_of(after), hidden=("cell:35",))
    assert isinstance(Referee().decide(position, seen(reading)), Waits)


def test_something_foreign_on_a_cell_is_asked_about_not_guessed() -> None:
    position = played(*DEAL)
    doubts = {"cell:12": {"empty": 0.3, "RRY5/0": 0.2, "BBY4/1": 0.1, "GGY4/1": 0.0}}
    reading = reading_of(GAME, labels_of(position) | {"cell:12": "GGY4/1"}, doubts=doubts)
    assert not isinstance(Referee().decide(position, seen(reading)), Accepts)


def test_without_a_reading_there_is_nothing_to_decide() -> None:
    assert Referee().decide(played(*DEAL), seen(None, scene=Scene.DARK)) == Waits("dark")


def test_a_drawn_tile_in_doubt_is_sure_once_play_goes_on() -> None:
    position = played(*DEAL, "place PPP6 35 0")
    labels = labels_of(position)
    slot = next(site for site, label in labels.items() if site.startswith("rack:1") and label == EMPTY)
    drawn = reading_of(GAME, labels | {slot: "RRR6"}, doubts={slot: {"empty": 1.3}})
    assert Referee().decide(position, seen(drawn)) == Agrees()
    after = labels_of(played(*DEAL, "place PPP6 35 0", "draw 1 RRR6", "place GPY2 34 2"))
    slot = next(site for site, label in after.items() if label == "RRR6")
    decision = Referee().decide(position, seen(reading_of(GAME, after, doubts={slot: {"empty": 1.3}})))
    assert isinstance(decision, Accepts)
    assert texts(decision)[:1] == ["draw 1 RRR6"]


def test_of_two_placements_the_one_seen_first_was_first() -> None:
    rng = random.Random(0)
    position = played()
    while True:  # to a position in which a player places twice, since the other one has to pass in between
        if position.over:
            position = played()
        actions = position.legal_actions()
        for first in actions if position.turn == 0 and not position.bag else ():
            after = position.play(first)
            if [str(action) for action in after.legal_actions()] != ["pass"]:
                continue
            again = after.play(after.legal_actions()[0])
            for second in again.legal_actions():
                other = again.play(second)
                swapped = _played_or_none(position, second, first)
                if swapped is not None and swapped.scores != other.scores:
                    _see_both(position, after, other, [str(first), "pass", str(second)])
                    return
        position = position.play(rng.choice(actions))


def _played_or_none(position: Position[Any], second: Any, first: Any) -> Position[Any] | None:
    """The position after both in the other order, with the pass between, where that is legal."""
    for action in (second, GAME.parse("pass"), first):
        if position.over or position.explain(action) is not None:
            return None
        position = position.play(action)
    return position


def _see_both(position: Position[Any], one: Position[Any], both: Position[Any], line: list[str]) -> None:
    referee = Referee()
    first = reading_of(GAME, labels_of(one))
    assert isinstance(referee.decide(position, seen(first, lasted=0.5)), Waits)
    decision = referee.decide(position, seen(reading_of(GAME, labels_of(both)), lasted=0.5))
    assert isinstance(decision, Accepts)
    assert texts(decision) == line[:1]


def test_what_is_sure_is_accepted_before_what_is_not() -> None:
    position = played(*DEAL)
    labels = labels_of(played(*DEAL, "place PPP6 35 0", "draw 1 RRR6"))
    slot = next(site for site, label in labels.items() if label == "RRR6")
    decision = Referee().decide(position, seen(reading_of(GAME, labels, doubts={slot: {"BBB6": 0.5}})))
    assert isinstance(decision, Accepts)
    assert texts(decision) == ["place PPP6 35 0"]


class TestDealing:
    def test_tiles_drawn_one_by_one_are_seen(self) -> None:
        for known in range(len(DEAL)):
            position, after = played(*DEAL[:known]), played(*DEAL[: known + 1])
            decision = Referee().decide(position, seen(reading_of(GAME, labels_of(after))))
            assert isinstance(decision, Accepts), DEAL[known]
            assert texts(decision) == [DEAL[known]]

    def test_full_racks_wait_for_the_first_placement_to_tell_who_began(self) -> None:
        start = played()
        full = seen(reading_of(GAME, labels_of(played(*DEAL))))
        assert Referee().decide(start, full) == Waits("order")
        first = played(*DEAL, "place PPP6 35 0")
        decision = Referee().decide(start, seen(reading_of(GAME, labels_of(first))))
        assert isinstance(decision, Accepts)
        assert texts(decision)[-1] == "place PPP6 35 0"
        assert {step.by for step in decision.steps[:4]} == {"inferred"}

    def test_two_placements_before_the_first_picture_do_not_tell_who_began(self) -> None:
        """Whose tiles these were depends on which of the others were drawn first; too many ways for a search."""
        racks = (("RRG4", "GGB5", "GBP3", "RRR6"), ("PPR4", "YYP4", "PYR2", "GGR5"), ("BBG4", "PPB4", "GGY4", "GGP4"))
        held = {f"rack:{seat}.{k}": tile for seat, rack in enumerate(racks) for k, tile in enumerate(rack)}
        shown = labels_of(GAME.new(3)) | held | {"cell:11": "YYR4/1", "cell:12": "YYB5/1"}
        assert isinstance(Referee().decide(GAME.new(3), seen(reading_of(GAME, shown))), Asks)

    def test_what_full_racks_held_is_remembered_when_the_next_tile_is_drawn_at_once(self) -> None:
        referee = Referee()
        start = played()
        assert referee.decide(start, seen(reading_of(GAME, labels_of(played(*DEAL))))) == Waits("order")
        line = [*DEAL, "place PPP6 35 0", "draw 1 RRR6"]
        decision = referee.decide(start, seen(reading_of(GAME, labels_of(played(*line)))))
        assert isinstance(decision, Accepts)
        assert texts(decision)[-2:] == line[-2:]
        assert {step.action for step in decision.steps[:8]} == {GAME.parse(text) for text in DEAL}

    def test_a_tile_seen_dimly_at_first_was_drawn_first(self) -> None:
        referee, known = Referee(), played(*DEAL[:3])
        racks = {"rack:0.0": "GPR1", "rack:1.0": "YYP4", "rack:0.1": "GGB5", "rack:0.3": "GRB3"}
        dim = {"rack:0.3": {"GRY3": 1.5}}
        assert not isinstance(referee.decide(known, seen(reading_of(GAME, racks, doubts=dim))), Accepts)
        clear = reading_of(GAME, racks | {"rack:0.2": "GPY2"})
        decision = referee.decide(known, seen(clear))
        assert isinstance(decision, Accepts)
        assert texts(decision) == ["draw 0 GRB3", "draw 0 GPY2"]

    def test_what_a_covered_rack_showed_just_before_speaks_against_draws(self) -> None:
        """Both had drawn 5, so that all tiles went back; a hand lies over the first rack when the second is filled."""
        known = played("draw 0 GPR1")
        labels = {"rack:0.0": "GRB3", "rack:1.0": "YYP4"}
        covered = reading_of(GAME, labels, hidden=tuple(f"rack:0.{k}" for k in range(4)))
        assert Referee().decide(known, seen(covered, scene=Scene.HAND)) == Waits("hand")
        told = reading_of(GAME, labels | {"rack:0.0": "GPR1"}, hidden=tuple(f"rack:0.{k}" for k in range(4)))
        decision = Referee().decide(known, seen(told, scene=Scene.HAND))
        assert isinstance(decision, Accepts)
        assert texts(decision) == ["draw 1 YYP4"]

    def test_the_one_tile_that_everyone_draws_first_is_recorded_though_another_place_cannot_be_told(self) -> None:
        referee, known = Referee(), played("draw 0 GPR1")
        bare = {"rack:0.0": "GPR1"}
        assert referee.decide(known, seen(reading_of(GAME, bare))) == Agrees(())
        drawn = reading_of(GAME, bare | {"rack:1.0": "YYP4"}, hidden=("rack:1.1",))
        decision = referee.decide(known, seen(drawn))
        assert isinstance(decision, Accepts)
        assert texts(decision) == ["draw 1 YYP4"]

    @pytest.mark.parametrize("known", range(len(DEAL)))
    def test_a_draw_is_recorded_although_another_tile_is_not_quite_ruled_out(self, known: int) -> None:
        position, after = played(*DEAL[:known]), played(*DEAL[: known + 1])
        labels = labels_of(after)
        tile = DEAL[known].split()[-1]
        slot = next(site for site, label in labels.items() if label == tile and site.startswith("rack"))
        nearly = seen(reading_of(GAME, labels, doubts={slot: {"RRY5": 3.5}}))
        decision = Referee().decide(position, nearly)
        assert isinstance(decision, Accepts)
        assert texts(decision) == [DEAL[known]]

    def test_racks_are_taken_to_be_filled_from_the_first_slot(self) -> None:
        hands = (("GPR1", "GGB5", "GRB3", "GPY2"), ("YYP4", "WWW1", "PPP6", "GBP3"))
        labels = {f"rack:{p}.{k}": tile for p, hand in enumerate(hands) for k, tile in enumerate(hand)}
        labels |= {"cell:35": "PPP6/0", "rack:1.2": EMPTY}
        decision = Referee().decide(played(), seen(reading_of(GAME, labels)))
        assert isinstance(decision, Accepts)
        assert texts(decision)[:5] == list(DEAL[:5])

    @pytest.mark.parametrize("seed", range(6))
    def test_whoever_placed_first_had_drawn_the_highest(self, seed: int) -> None:
        rng = random.Random(seed)
        players = rng.choice((2, 3, 4))
        position = played(players=players)
        while position.phase != "play":
            position = position.play(rng.choice(position.legal_actions()))
        position = position.play(rng.choice(position.legal_actions()))
        decision = Referee().decide(played(players=players), seen(reading_of(GAME, labels_of(position))))
        assert isinstance(decision, Accepts)
        end = played(*texts(decision), players=players)
        assert (end.view().sites, end.turn, end.scores) == (position.view().sites, position.turn, position.scores)

    def test_after_a_tie_the_old_tiles_are_no_evidence(self) -> None:
        referee = Referee()
        start, one = played(), played("draw 0 RRY5")
        tie = played("draw 0 RRY5", "draw 1 GGB5")
        both = reading_of(GAME, {"rack:0.0": "RRY5", "rack:1.0": "GGB5"})
        decision = referee.decide(one, seen(both))
        assert isinstance(decision, Accepts)
        assert texts(decision) == ["draw 1 GGB5"]
        referee.accepted(one, tie, both)
        assert not isinstance(referee.decide(tie, seen(both)), Accepts)
        returned = reading_of(GAME, {"rack:1.0": "GGB5"})
        assert not isinstance(referee.decide(tie, seen(returned)), Accepts)
        drawn = reading_of(GAME, {"rack:0.0": "PPP6"})
        decision = referee.decide(tie, seen(drawn))
        assert isinstance(decision, Accepts)
        assert texts(decision) == ["draw 0 PPP6"]
        assert start != tie

    def test_what_somebody_else_draws_is_no_tie(self) -> None:
        one = played("draw 0 BBR5", "draw 1 YYG5", "draw 2 BPY3", players=4)
        shown = {"rack:0.0": "BBR5", "rack:1.0": "YYG5", "rack:2.0": "BPY3"}
        for labels in (
            {"rack:0.0": "BBP5"},
            shown | {"rack:2.1": "BBP5"},
        ):
            assert not isinstance(Referee().decide(one, seen(reading_of(GAME, labels))), Accepts)
        hidden = tuple(f"rack:3.{slot}" for slot in range(4))
        reading = reading_of(GAME, shown, hidden=hidden)
        assert not isinstance(Referee().decide(one, seen(reading)), Accepts)


def test_passing_is_inferred_when_nothing_else_is_possible() -> None:
    rng = random.Random(3)
    while True:
        position = played()
        while not position.over:
            actions = position.legal_actions()
            if [str(action) for action in actions] == ["pass"]:
                decision = Referee().decide(position, seen(reading_of(GAME, labels_of(position))))
                assert isinstance(decision, Accepts)
                assert [(str(s.action), s.by) for s in decision.steps] == [("pass", "inferred")]
                return
            position = position.play(rng.choice(actions))


def test_counters_are_advice_only_and_only_after_a_while() -> None:
    referee = Referee()
    position = played(*DEAL, "place PPP6 35 0", "draw 1 RRR6")
    labels = labels_of(position) | {"hole:6": EMPTY, "hole:9": "blue"}
    reading = reading_of(GAME, labels)
    assert referee.decide(position, seen(reading)) == Agrees()
    later = seen(reading)
    later = type(later)(time=later.time + 60, scene=later.scene, since=later.since, reading=reading)
    decision = referee.decide(position, later)
    assert isinstance(decision, Agrees)
    assert decision.advice[0][0] == "hole:9"


def test_a_turn_after_a_draw_into_a_covered_rack_is_asked_about_not_refused() -> None:
    position = played(*DEAL, "place PPP6 35 0")
    after = played(*DEAL, "place PPP6 35 0", "draw 1 RRR6", "place GPY2 34 2")
    covered = tuple(f"rack:1.{slot}" for slot in range(4))
    reading = reading_of(GAME, labels_of(after), hidden=covered)
    assert isinstance(Referee().decide(position, seen(reading, lasted=1.0)), Waits)
    assert isinstance(Referee().decide(position, seen(reading, lasted=10.0)), Asks)


def test_a_drawn_tile_that_cannot_be_read_is_asked_about_by_its_place_alone() -> None:
    position = played(*DEAL[:2], "draw 0 GGB5", "draw 0 GRB3")
    labels = labels_of(played(*DEAL))
    place = next(site for site, label in labels.items() if label == "GPY2")
    reading = reading_of(GAME, labels, hidden=(place, "rack:1.3"))
    assert isinstance(Referee().decide(position, seen(reading, lasted=1.0)), Waits)
    assert Referee().decide(position, seen(reading)) == Asks("unclear", (place,))


def test_a_draw_is_not_believed_to_be_the_next_where_another_may_lie_beside_it_unrecognised() -> None:
    position: Position[Any] = GAME.new(2)
    nothing = labels_of(position)
    drawn = nothing | {"rack:0.1": "BBB6", "rack:1.0": "YYP4"}

    def decided(
        *pictures: tuple[dict[str, str], tuple[str, ...]], scene: Scene = Scene.STILL, moved: bool = False
    ) -> Decision:
        referee = Referee()
        for labels, hidden in pictures:
            observation = seen(reading_of(GAME, labels, hidden=hidden), lasted=20.0, scene=scene)
            decision = referee.decide(position, replace(observation, board_moved=moved))
        return decision

    came = decided((nothing, ()), (nothing, ("rack:0.0",)), (drawn, ("rack:0.0",)))
    assert came == Asks("unclear", ("rack:0.0",))
    for other in (
        decided((nothing, ("rack:0.0",)), (drawn, ("rack:0.0",))),  # it could never be told
        decided((nothing, ()), (nothing, ("rack:0.0",)), (drawn, ())),  # it can be told again
        decided((nothing, ()), (nothing, ("rack:0.0",)), (nothing, ()), (drawn, ("rack:0.0",))),  # it comes and goes
        decided((nothing, ()), (drawn, ("rack:0.0",)), scene=Scene.HAND),  # a hand lies over it
        decided((nothing, ()), (drawn, ("rack:0.0",)), moved=True),  # the board was pushed, and the tiles were not
    ):
        assert isinstance(other, Accepts)
        assert texts(other) == ["draw 0 BBB6", "draw 1 YYP4"]

    dealt = labels_of(played(*DEAL))
    dealt = {site: EMPTY if site.startswith("rack:0") else label for site, label in dealt.items()}
    dealt |= {"rack:0.1": "GGB5", "rack:0.2": "GPR1", "rack:0.3": "GRB3"}
    assert not isinstance(decided((nothing, ()), (dealt, ("rack:0.0",))), Accepts)  # one tile of four is missing
    position = played(*DEAL, "place PPP6 35 0")
    before, after = labels_of(position), labels_of(position) | {"rack:1.2": "RRR6"}
    whole = decided((before, ()), (before, ("rack:1.3",)), (after, ("rack:1.3",)))
    assert isinstance(whole, Accepts)  # all that belongs there is seen
    assert texts(whole) == ["draw 1 RRR6"]


def test_an_action_is_taken_back_on_the_table_only_if_nothing_that_shows_goes_with_it() -> None:
    game = load_game("magic_triland")
    first, block, next_one = map(game.parse, ("block 5 A1", "block 4 H1", "block 3 H8"))
    before = game.new(2).play(first)
    doubts = {"cell:H1": {"2": 1.5}, "cell:H8": {"1": 0.1, "5": 0.3}}
    labels = labels_of(before.play(block).play(next_one))
    assert not Referee().explains(before, seen(reading_of(game, labels, doubts=doubts)), [block])
    assert Referee().explains(before, seen(reading_of(game, labels_of(before))), [block])
    elsewhere = labels_of(before.play(game.parse("block 4 H8")))
    assert Referee().explains(before, seen(reading_of(game, elsewhere)), [block])


@pytest.mark.parametrize("off_the_record", [False, True])
def test_what_was_about_to_be_recorded_is_not_any_more_once_it_was_taken_off_the_record(off_the_record: bool) -> None:
    game = load_game("via")
    start, laid = game.new(2), game.parse("lay ST a7 0")
    shown = labels_of(start.play(laid))
    referee = Referee()
    assert isinstance(referee.decide(start, seen(reading_of(game, shown), lasted=1.0)), Waits)
    if off_the_record:
        referee.withdrawn(start, laid)
    with_more = reading_of(game, shown | {"cell:d4": "S4/0"})  # which no action lays so
    assert isinstance(referee.decide(start, seen(with_more, lasted=3.0)), Accepts) != off_the_record


@pytest.mark.parametrize(("said", "goes"), [((), True), (("corner e6 SW",), True), (("square e5-f5",), False)])
def test_what_lies_instead_has_to_go_together_with_what_was_entered(said: tuple[str, ...], goes: bool) -> None:
    game = load_game("labyria")
    start = game.new(2)
    for text in ("roll 0 3", "roll 1 4", "square e5-f5"):
        start = start.play(game.parse(text))
    laid, instead = game.parse("corner e5 NE"), game.parse("corner f5 NW")
    entered = [game.parse(text) for text in said]
    shown = seen(reading_of(game, labels_of(start.play(instead))))
    assert Referee().explains(start, shown, [laid], entered) == goes
    nothing = seen(reading_of(game, labels_of(start)))
    assert Referee().explains(start, nothing, [laid], entered) == (not said)


def test_an_order_that_only_the_last_picture_rules_out_is_asked_about() -> None:
    game = load_game("magic_triland")
    position = game.new(2)
    for text in ("block 1 A1", "block 2 H1", "block 1 H8", "block 2 B1"):
        position = position.play(game.parse(text))
    mine, yours, third = map(game.parse, ("block 1 C1", "block 3 C2", "block 1 D1"))
    one_too_many = position.play(yours).play(mine).play(third)  # after the true order the third would be a fourth
    referee = Referee()
    for laid in (position.play(mine).play(yours), one_too_many, one_too_many):
        decision = referee.decide(position, seen(reading_of(game, labels_of(laid)), lasted=3.0))
        assert isinstance(decision, Waits), decision
    decision = referee.decide(position, seen(reading_of(game, labels_of(one_too_many)), lasted=5.0))
    assert isinstance(decision, Asks)
    assert set(decision.choices) == {(mine, yours), (yours, mine)}


def test_what_another_player_laid_after_it_is_not_taken_for_what_was_laid_instead() -> None:
    game = load_game("via")
    mine, yours, other = map(game.parse, ("lay ST f5 0", "lay ST e1 0", "lay ST g4 0"))
    start = game.new(4)
    gone = labels_of(start.play(yours))  # the first tile was knocked off
    assert not Referee().explains(start, seen(reading_of(game, gone)), [mine, yours])
    instead = labels_of(start.play(other))
    assert Referee().explains(start, seen(reading_of(game, instead)), [mine, yours])


def test_a_draw_is_held_back_where_another_may_have_come_first_to_a_place_that_cannot_be_told() -> None:
    position = played(*DEAL, "place PPP6 35 0")
    hand = {"rack:1.0": "YYP4", "rack:1.1": "WWW1", "rack:1.2": EMPTY, "rack:1.3": "GBP3"}
    later = played(*DEAL, "place PPP6 35 0", "draw 1 RRR6", "place GPY2 34 2", "draw 0 GGY4", "place WWW1 33 0")
    then = {"rack:1.1": "BBB6", "rack:1.2": "RRR6", "rack:1.3": "GBP3"}
    referee = Referee()
    referee.decide(position, seen(reading_of(GAME, labels_of(position) | hand, hidden=("rack:1.0",)), lasted=1.0))
    decision = referee.decide(
        position, seen(reading_of(GAME, labels_of(later) | then, hidden=("rack:1.0", "rack:1.2")), lasted=2.0)
    )
    assert not isinstance(decision, Accepts)


def test_a_draw_is_held_back_where_a_place_that_never_could_be_told_seems_to_hold_another_tile() -> None:
    """The opening was not followed; a white tile of the first hand lies in the shade."""
    hand = {"rack:1.0": "YYP4", "rack:1.1": "WWW1", "rack:1.2": "PPP6", "rack:1.3": "GBP3"}
    dealt = reading_of(GAME, labels_of(played(*DEAL)) | hand)
    later = labels_of(played(*DEAL, "place PPP6 35 0", "draw 1 RRR6"))
    laid = reading_of(GAME, later | hand | {"rack:1.2": "RRR6"})
    assert "draw 1 WWW1" in recorded(dealt, laid)
    assert "draw 1 RRR6" not in recorded(in_shade(dealt, "rack:1.1"), in_shade(laid, "rack:1.1"))


def test_what_was_drawn_by_hand_says_nothing_about_what_comes_later_to_a_place_that_cannot_be_told() -> None:
    before, position = played(*DEAL, "place PPP6 35 0"), played(*DEAL, "place PPP6 35 0", "draw 1 RRR6")
    hand = {"rack:1.0": "YYP4", "rack:1.1": "WWW1", "rack:1.2": EMPTY, "rack:1.3": "GBP3"}
    bare = reading_of(GAME, labels_of(before) | hand, hidden=("rack:1.0",))
    veils = Veils()
    veils.see(before, seen(bare), bare)
    veils.settle(before.view(), position.view())
    covered = reading_of(GAME, labels_of(before) | hand, hidden=("rack:1.0", "rack:1.2"))
    veils.see(position, seen(covered), covered)
    assert veils.veiled == {"rack:1.2"}
    veils.settle(before.view(), position.view())
    assert not veils.veiled
