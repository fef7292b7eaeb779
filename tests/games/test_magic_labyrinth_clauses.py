"""For every clause of the Magic Labyrinth a position in which it decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.core import CHANCE, SetupError
from companion.games.magic_labyrinth import MagicLabyrinth, MagicLabyrinthPosition
from companion.games.magic_labyrinth.actions import Action, Call, Early
from companion.games.registry import load_game
from tests.games.magic_labyrinth_sets import sized

GAME: MagicLabyrinth = load_game("magic_labyrinth")  # type: ignore[assignment]


def called(slot: str, colour: str = "red") -> list[str]:
    """A call that is right."""
    return [f"call {colour} {slot}", f"reveal {colour}"]


STAR = ["symbol star"]  # a2
SUN = ["symbol sun"]  # d3
MISSED = ["call red a1-a2", "reveal blue"]
"""Player 0 pulls a blue wall and has to put it back."""
BACK = [*SUN, *MISSED, "insert blue a1-a2"]
"""Player 1 is on, with a known wall."""
TOOK = [*STAR, *called("a1-a2")]
"""Player 0 took the star."""
NEXT = [*STAR, *called("a1-b1"), *called("b1-c1"), "early c1-d1", "reveal red"]
NEXT += [
    "insert red a1-b1",
    "insert red b1-c1",
    "insert red c1-d1",
    *called("d3-d4", "green"),
    *called("d2-d3", "green"),
]
NEXT += [*called("c2-d2", "green"), "early b2-c2", "reveal green"]
NEXT += ["insert green b2-c2", "insert green c2-d2", "insert green d2-d3", "insert green d3-d4"]
"""Player 0 is on, on c1; player 1 stands above, on c2."""
JUMPING = [*NEXT, *called("c1-c2", "yellow")]
"""Player 0 has called the wall towards player 1 right."""
PASSED = [*JUMPING, *called("c2-d2", "green")]
"""Player 0 has jumped from c1 over c2 to d2; c1-c2 and c2-d2 are open."""


def after(
    actions: list[str], players: int = 2, game: MagicLabyrinth = GAME, **options: object
) -> MagicLabyrinthPosition:
    position = game.new(players, options)
    for text in actions:
        position = position.play(game.parse(text))
    return position


def clause(position: MagicLabyrinthPosition, text: str) -> str | None:
    refusal = position.explain(position.game.parse(text))
    return refusal.clause if refusal else None


def listed(position: MagicLabyrinthPosition) -> set[str]:
    return set(map(str, position.legal_actions()))


def pulls(*slots: str) -> set[str]:
    return {f"{word} {slot}" for slot in slots for word in ("early", *(f"call {colour}" for colour in GAME.colours))}


def field(position: MagicLabyrinthPosition, player: int) -> str:
    return GAME.grid.cells[position.figures[player]]


@pytest.mark.parametrize(
    ("broken", "actions", "refused", "legal"),
    [
        ("MAG-SETUP-3", [], "call red a1-a2", "symbol moon"),
        ("MAG-SETUP-3", [], "reveal red", "symbol star"),
        ("MAG-SETUP-3", [], "done", "symbol sun"),
        ("MAG-TURN-1", STAR, "call red b1-c1", "call red a1-b1"),
        ("MAG-TURN-1", STAR, "early d3-d4", "early a1-a2"),
        ("MAG-TURN-1", STAR, "reveal red", "call blue a1-a2"),
        ("MAG-TURN-1", [*STAR, "call red a1-b1"], "call red a1-a2", "reveal red"),
        ("MAG-TURN-1", [*STAR, "early a1-b1"], "insert red a1-a2", "reveal red"),
        ("MAG-TURN-1", [*SUN, *MISSED], "reveal blue", "insert blue a1-a2"),
        ("MAG-TURN-3", [*SUN, *MISSED], "call red a1-b1", "insert blue a1-a2"),
        ("MAG-TURN-3", [*SUN, *MISSED], "step a2", "insert blue a1-a2"),
        ("MAG-TURN-3", [*SUN, "early a1-a2", "reveal red"], "early a1-b1", "insert red a1-a2"),
        ("MAG-TURN-3", [*SUN, "early a1-a2", "reveal red"], "done", "insert red a1-a2"),
        ("MAG-TURN-4", [*SUN, *called("a1-a2")], "call red a1-a2", "step a1"),
        ("MAG-TURN-4", [*SUN, *called("a1-a2")], "step a3", "call red a2-a3"),
        ("MAG-TURN-4", [*SUN, *called("a1-a2")], "step c3", "step a1"),
        ("MAG-TURN-4", [*SUN, *called("a1-a2")], "step b1", "early a2-b2"),
        ("MAG-TURN-4", [*SUN, *called("a1-a2")], "step a2", "step a1"),
        ("MAG-TURN-5", [*SUN], "done", "early a1-a2"),
        ("MAG-TURN-5", [*SUN, *called("a1-a2")], "done", "step a1"),
        ("MAG-JUMP-1", NEXT, "call red b2-c2", "call red c1-c2"),
        ("MAG-JUMP-1", JUMPING, "call red c1-d1", "call red c2-d2"),
        ("MAG-JUMP-1", JUMPING, "call red c1-c2", "call red c2-c3"),
        ("MAG-JUMP-1", JUMPING, "early d1-d2", "early b2-c2"),
        ("MAG-JUMP-1", JUMPING, "done", "early c2-c3"),
        ("MAG-JUMP-1", JUMPING, "step c2", "call blue c2-c3"),
        ("MAG-JUMP-1", JUMPING, "step c1", "call blue c2-c3"),
        ("MAG-JUMP-1", JUMPING, "step b2", "call blue b2-c2"),
        ("MAG-JUMP-1", JUMPING, "step c2 b2", "call blue b2-c2"),
        ("MAG-JUMP-1", PASSED, "step c2", "step c2 c1"),
        ("MAG-JUMP-1", PASSED, "step c2 b2", "call green b2-c2"),
        ("MAG-JUMP-1", PASSED, "step c2 d3", "call blue d2-d3"),
        ("MAG-TURN-4", PASSED, "call green c2-d2", "step c2 c1"),
        ("MAG-TURN-4", PASSED, "step d3 d4", "call blue d2-d3"),
        ("MAG-TURN-4", PASSED, "step b2 c2", "call blue c2-c3"),
        ("MAG-SYMBOL-1", TOOK, "symbol star", "symbol moon"),
        ("MAG-SYMBOL-1", TOOK, "insert red a1-a2", "symbol sun"),
        ("MAG-SYMBOL-1", TOOK, "call red a2-a3", "symbol sun"),
        ("MAG-SYMBOL-1", [*TOOK, "symbol moon"], "call red a2-a3", "insert red a1-a2"),
        ("MAG-SYMBOL-1", [*TOOK, "symbol moon"], "symbol sun", "insert red a1-a2"),
        ("MAG-SYMBOL-1", STAR, "symbol sun", "call red a1-a2"),
        ("MAG-WALL-1", [*SUN, *MISSED], "insert blue a1-b1", "insert blue a1-a2"),
        ("MAG-WALL-1", [*SUN, *MISSED], "insert red a1-a2", "insert blue a1-a2"),
        ("MAG-WALL-1", SUN, "insert red a1-a2", "early a1-a2"),
        ("MAG-WALL-1", JUMPING, "insert yellow c1-c2", "early c2-d2"),
        (
            "MAG-WALL-1",
            [*BACK, *called("d3-d4"), "symbol key", "insert red d3-d4", "call red a1-a2"],
            "reveal red",
            "reveal blue",
        ),
    ],
)
def test_a_clause_decides(broken: str, actions: list[str], refused: str, legal: str) -> None:
    position = after(actions)
    assert clause(position, refused) == broken
    assert refused not in listed(position)
    assert clause(position, legal) is None
    assert legal in listed(position)


def test_setup_1_players_and_corners() -> None:
    for players in (1, 5):
        with pytest.raises(SetupError) as refused:
            GAME.new(players)
        assert refused.value.clause == "MAG-SETUP-1"
    assert [[field(GAME.new(n), player) for player in range(n)] for n in (2, 3, 4)] == [
        ["a1", "d4"],
        ["a1", "a4", "d4"],
        ["a1", "a4", "d4", "d1"],
    ]


def test_setup_2_walls_of_a_colour_run_out() -> None:
    """Six reds are known once they were pulled; the seventh wall is not red."""
    slots = ["a1-a2", "a2-b2", "b2-c2", "c2-d2", "d1-d2", "c1-d1"]
    position = after(["symbol moon", *[text for slot in slots for text in called(slot)], "call red b1-c1"])
    assert listed(position) == {"reveal yellow", "reveal green", "reveal blue"}
    assert clause(position, "reveal red") == "MAG-SETUP-2"
    one_less = after(["symbol moon", *[text for slot in slots[:5] for text in called(slot)], "call red c1-d1"])
    assert clause(one_less, "reveal red") is None
    assert GAME.new(2).walls.bit_count() == 24
    assert GAME.each_colour == 6


def test_setup_2_walls_that_were_put_in_count_until_they_are_pulled_again() -> None:
    slots = ["a1-a2", "a2-b2", "b2-c2", "c2-d2", "d1-d2"]
    pulled = ["symbol moon", *[text for slot in slots for text in called(slot)], "early c1-d1", "reveal red"]
    position = after([*pulled, *(f"insert red {slot}" for slot in [*slots, "c1-d1"]), "early d3-d4"])
    assert listed(position) == {"reveal yellow", "reveal green", "reveal blue"}
    position = position.play(GAME.parse("reveal blue")).play(GAME.parse("insert blue d3-d4"))
    again = position.play(GAME.parse("call blue d1-d2"))
    assert listed(again) == {"reveal red"}
    assert position.remembered == dict.fromkeys([*slots, "c1-d1"], "red") | {"d3-d4": "blue"}
    assert again.play(GAME.parse("reveal red")).remembered.keys() == position.remembered.keys() - {"d1-d2"}


def test_setup_3_the_symbol_lies_on_its_field_and_player_0_begins() -> None:
    first = GAME.new(3)
    assert (first.turn, first.concerns, first.phase) == (CHANCE, None, "symbol")
    assert listed(first) == {f"symbol {name}" for name in GAME.symbols}
    position = after(["symbol owl"], 3)
    assert (position.turn, position.view().sites["chip"]) == (0, "c3")


def test_turn_1_all_four_colours_may_be_named_also_of_a_wall_seen_before() -> None:
    assert listed(after(STAR)) == pulls("a1-a2", "a1-b1")
    back_again = after([*BACK, "early d3-d4", "reveal red", "insert red d3-d4"])
    assert listed(back_again) == pulls("a1-a2", "a1-b1")


def test_turn_2_right_goes_through_and_on() -> None:
    position = after([*SUN, *called("a1-b1", "blue")])
    assert (field(position, 0), position.turn) == ("b1", 0)
    assert listed(position) == pulls("b1-c1", "b1-b2") | {"step a1"}


def test_turn_2_the_option_lets_the_figure_stay() -> None:
    position = after([*SUN, *called("a1-b1", "blue")], must_go=False)
    assert (field(position, 0), position.turn) == ("a1", 0)
    assert listed(position) == pulls("a1-a2") | {"step b1"}
    jumping = after(_stepping(JUMPING), must_go=False)
    assert jumping.phase == "turn"
    assert "call red c2-d2" in listed(jumping)
    assert "call red c1-d1" in listed(jumping)


def _stepping(actions: list[str]) -> list[str]:
    """The same with steps after right calls, where a field without a figure lies behind."""
    position, done = GAME.new(2), []
    for text in actions:
        following = position.play(GAME.parse(text))
        done.append(text)
        if position.phase == "reveal" and following.figures != position.figures:
            done.append(f"step {field(following, position.player)}")
        position = following
    return done


@pytest.mark.parametrize("pulled", ["call red a1-b1", "early a1-b1"])
def test_turn_3_wrong_or_early_ends_the_turn_where_the_figure_stands(pulled: str) -> None:
    moved = [*SUN, *called("a1-a2", "green")]
    position = after([*moved, pulled.replace("a1-b1", "a2-b2"), "reveal yellow"])
    assert (position.phase, position.turn, field(position, 0)) == ("insert", 0, "a2")
    early = after([*moved, "early a2-b2", "reveal green"])
    assert (early.phase, field(early, 0)) == ("insert", "a2")
    put = [f"insert {colour} {slot}" for colour in ("green", "yellow") for slot in ("a1-a2", "a2-b2")]
    assert listed(position) == set(put)
    done = position.play(GAME.parse(put[1])).play(GAME.parse(put[2]))
    assert (done.turn, done.phase, field(done, 0)) == (1, "turn", "a2")


def test_turn_4_open_slots_are_walked_to_and_fro_without_limit() -> None:
    position = after([*SUN, *called("a1-a2"), *["step a1", "step a2"] * 20, "step a1"])
    assert (position.turn, field(position, 0), len(position.tray)) == (0, "a1", 1)
    assert "step a2" in listed(position)


def test_turn_5_only_a_figure_that_is_stuck_ends_its_turn(tmp_path: Path) -> None:
    game = MagicLabyrinth(sized(tmp_path, 1, 11, ("a1", "a2", "a3", "a11")))
    position = after(["symbol sign5"], 3, game)
    assert listed(position) == {"done"}
    assert clause(position, "step a2") == "MAG-TURN-4"
    assert clause(position, f"call {game.colours[0]} a1-a2") == "MAG-JUMP-2"
    following = position.play(game.parse("done"))
    assert (following.turn, following.phase) == (1, "turn")
    assert clause(following, "done") == "MAG-TURN-5"


def test_turn_5_the_option_lets_a_player_stop_after_a_wall() -> None:
    assert "done" not in listed(after(SUN, may_stop=True))
    position = after([*SUN, *called("a1-a2")], may_stop=True)
    assert listed(position) == pulls("a2-a3", "a2-b2") | {"step a1", "done"}
    stopped = position.play(GAME.parse("done"))
    assert (stopped.phase, stopped.turn) == ("insert", 0)
    assert clause(stopped, "step a1") == "MAG-TURN-5"
    assert "done" not in listed(after(JUMPING, may_stop=True))


def test_jump_1_two_right_calls_lead_over_a_figure() -> None:
    jumping = after(JUMPING)
    assert (jumping.turn, jumping.phase, field(jumping, 0), field(jumping, 1)) == (0, "jump", "c1", "c2")
    assert listed(jumping) == pulls("b2-c2", "c2-d2", "c2-c3")
    passed = after(PASSED)
    assert (passed.turn, passed.phase, field(passed, 0)) == (0, "turn", "d2")
    assert listed(passed) == pulls("d1-d2", "d2-d3", "b2-c2", "c2-c3") | {"step c2 c1"}


@pytest.mark.parametrize("second", ["call red c2-d2", "early c2-d2"])
def test_jump_1_a_wrong_second_call_leaves_the_figure_where_it_was(second: str) -> None:
    position = after([*JUMPING, second, "reveal green"])
    assert (position.phase, field(position, 0), position.outside) == ("insert", "c1", (0, 1, 1, 0))


def test_jump_1_a_wrong_first_call_too() -> None:
    position = after([*NEXT, "call red c1-c2", "reveal blue"])
    assert (position.phase, field(position, 0)) == ("insert", "c1")


def test_jump_2_open_slots_count_as_called() -> None:
    passed = after(PASSED)
    back = passed.play(GAME.parse("step c2 c1"))
    assert field(back, 0) == "c1"
    assert listed(back) >= {"step c2 d2", "call red b2-c2", "early c2-c3"}
    assert "call red c1-c2" not in listed(back)
    second_called = back.play(GAME.parse("call red c2-c3")).play(GAME.parse("reveal red"))
    assert field(second_called, 0) == "c3"
    wrong = back.play(GAME.parse("call red c2-c3")).play(GAME.parse("reveal blue"))
    assert (field(wrong, 0), wrong.phase) == ("c1", "insert")


def test_jump_2_an_open_second_slot_is_stepped_through_after_the_first_call() -> None:
    """Player 0 comes round to b2 through walls pulled before, with c2-d2 open on the other side."""
    walk = [
        *PASSED,
        *called("d2-d3", "green"),
        *called("c3-d3", "blue"),
        *called("b3-c3", "blue"),
        *called("b2-b3", "blue"),
    ]
    position = after([*walk, "call green b2-c2", "reveal green"])
    assert (position.phase, field(position, 0)) == ("jump", "b2")
    assert listed(position) == pulls("c2-c3") | {"step c1", "step d2"}
    landed = position.play(GAME.parse("step d2"))
    assert (landed.phase, field(landed, 0)) == ("turn", "d2")


def test_jump_2_no_call_towards_a_figure_with_no_free_field_behind(tmp_path: Path) -> None:
    game = MagicLabyrinth(sized(tmp_path, 2, 5, ("a1", "a2", "a3", "b2")))
    position = after(["symbol sign5"], 4, game)
    assert {text.split()[-1] for text in listed(position)} == {"a1-b1"}
    assert clause(position, "early a1-a2") == "MAG-JUMP-2"
    free = MagicLabyrinth(sized(tmp_path, 2, 5, ("a1", "a2", "a3", "b5")))
    assert clause(after(["symbol sign5"], 4, free), "early a1-a2") is None


def test_jump_2_the_second_wall_needs_a_free_field(tmp_path: Path) -> None:
    game = MagicLabyrinth(sized(tmp_path, 2, 5, ("a1", "a2", "b2", "b5")))
    colour = game.colours[0]
    opened = [*called("a1-b1", colour), f"call {colour} b1-b2", f"reveal {colour}"]
    position = after(["symbol sign5", *opened], 4, game)
    assert position.phase == "jump"
    assert clause(position, f"call {colour} a2-b2") == "MAG-JUMP-2"
    assert clause(position, "step a2") == "MAG-JUMP-2"
    assert clause(position, f"call {colour} b2-b3") is None


def test_symbol_1_the_chip_is_taken_drawn_anew_and_the_turn_is_over() -> None:
    took = after(TOOK)
    assert (took.phase, took.turn, took.concerns, took.scores) == ("symbol", CHANCE, None, (1, 0))
    assert took.view().either["chip"] == ("none", "a2")
    drawn = took.play(GAME.parse("symbol owl"))
    assert (drawn.phase, drawn.turn, drawn.view().sites["chip"]) == ("insert", 0, "c3")
    assert drawn.play(GAME.parse("insert red a1-a2")).turn == 1


def test_symbol_1_also_by_a_step_and_by_a_jump() -> None:
    stepped = after(["symbol moon", *called("a1-a2"), *called("a2-a3")])
    assert stepped.scores == (1, 0)
    jumped = after([text.replace("star", "owl") for text in [*JUMPING, *called("c2-c3")]])
    assert (field(jumped, 0), jumped.scores, jumped.phase) == ("c3", (1, 0), "symbol")


ON_STAR = [*SUN, *called("a1-a2"), "early a2-b2", "reveal red", "insert red a1-a2", "insert red a2-b2"]
ON_STAR += [*called("d3-d4", "green"), "symbol star"]
"""Player 0 stands on the star's field when the star is drawn."""


def test_symbol_2_a_figure_on_the_field_sends_the_chip_along_the_arrows() -> None:
    drawn = after(ON_STAR)
    assert drawn.view().sites["chip"] == "a3"
    assert [event.kind for event in after(ON_STAR[:-1]).events(GAME.parse("symbol star"))][:2] == ["symbol", "moved"]


def test_symbol_2_the_taker_counts_and_a_corner_may_get_the_chip() -> None:
    taken = after([*ON_STAR, "insert green d3-d4", *called("a2-a3")])
    assert (taken.phase, taken.scores, field(taken, 0)) == ("symbol", (1, 1), "a3")
    assert taken.play(GAME.parse("symbol moon")).view().sites["chip"] == "a4"


def test_symbol_2_every_figure_counts_on_the_way() -> None:
    """Three players: on a3 the next one, on a4 player 1; the chip goes on to b4."""
    to_a3 = ["symbol candle", *called("a1-a2"), *called("a2-a3"), "early a3-b3", "reveal red"]
    to_a3 += [
        "insert red a1-a2",
        "insert red a2-a3",
        "insert red a3-b3",
        "early a4-b4",
        "reveal blue",
        "insert blue a4-b4",
    ]
    position = after([*to_a3, *called("c4-d4", "green"), "symbol moon"], 3)
    assert position.scores == (0, 0, 1)
    assert position.view().sites["chip"] == "b4"


def test_wall_1_each_pulled_wall_goes_into_any_empty_slot() -> None:
    position = after([*SUN, *called("a1-a2", "green"), "call red a2-b2", "reveal blue", "insert blue a1-a2"])
    assert listed(position) == {"insert green a2-b2"}
    following = position.play(GAME.parse("insert green a2-b2"))
    assert (following.turn, following.walls.bit_count(), following.tray) == (1, 24, ())


@pytest.mark.parametrize(("players", "target"), [(2, 5), (3, 4), (4, 3)])
def test_end_1_the_last_symbol_ends_the_game_at_once(players: int, target: int) -> None:
    position = GAME.new(players)
    while not position.over:
        before, action = position, _greedy(position)
        position = position.play(action)
    assert (position.scores[0], position.winners) == (target, (0,))
    assert before.scores[0] == target - 1
    assert (position.turn, position.legal_actions()) == (None, [])
    for text in ("symbol book", "done", "insert red a1-a2"):
        assert clause(position, text) == "MAG-END-1"


def _greedy(position: MagicLabyrinthPosition) -> Action:
    """Player 0 goes straight for the chip with right calls; the others pull at once."""
    legal = position.legal_actions()
    match position.phase:
        case "turn" if position.player == 0:
            near = min(_ends(position), key=lambda end: _distance(GAME.grid.cells[position.chip], end[0]))
            return near[1]
        case "turn" | "jump":
            return next(action for action in legal if isinstance(action, Early))
        case "reveal" if position.named >= 0:
            return GAME.reveals[position.named]
    return legal[0]


def _ends(position: MagicLabyrinthPosition) -> list[tuple[str, Action]]:
    """Where each possible step or call of player 0 leads; other figures are walked around."""
    here, ends = position.figures[0], []
    for way in GAME.grid.around[here]:
        if not way.there & position.occupied:
            slot, cell = GAME.grid.slots[way.slot], GAME.grid.cells[way.field]
            known = position.remembered.get(slot) or next(iter(_colours_left(position)))
            ends.append((cell, Call(known, slot) if way.wall & position.walls else GAME.parse(f"step {cell}")))
    return ends


def _colours_left(position: MagicLabyrinthPosition) -> list[str]:
    known = zip(GAME.colours, position.known, position.outside, strict=True)
    return [colour for colour, slots, count in known if slots.bit_count() + count < 6]


def _distance(a: str, b: str) -> int:
    return abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1]))
