"""For every clause of VIA a position in which it decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.core import SetupError
from companion.games.registry import load_game
from companion.games.via import Via, ViaPosition
from companion.games.via.position import Building
from tests.games.via_sets import small

GAME: Via = load_game("via")  # type: ignore[assignment]

STARTS = ["lay ST a1 0", "lay ST a2 0", "lay ST g7 0", "lay ST d4 0"]
OPENING = [*STARTS, "lay W b1 0", "lay W f6 0"]
"""Closes a1.2, a1.4 and a1.6 with a2.4. The land of a1.0 and a2.2 is open only at b2, that of g7.2 only at g6."""
DEAL = [*OPENING, "draw 0 S4", "draw 0 W", "draw 1 S2", "draw 1 C3"]
CORNER = [*DEAL, "lay S4 g6 0"]
"""Closes g6.0 with g7.2 (2 parts). A water tile on f7 then closes g6.6 with g7.4 (2 parts), and g7.6 (1 part)."""
SECOND = [*CORNER, "take", "draw 0 C4"]
"""Player 1 holds S2 and C3, player 0 W and C4."""
THREES = [*DEAL, "take", "draw 0 C3", "take", "draw 1 S2", "lay S4 e4 0", "take", "draw 0 S2", "lay C3 d5 2"]
THREES += ["take", "draw 1 W"]
"""Player 0 holds W, C3, S2 and player 1 S2, S2, W; S4 on e4 and C3 on d5 meet in a corner only."""


def after(actions: list[str], players: int = 2, game: Via = GAME, **options: bool) -> ViaPosition:
    position = game.new(players, options)
    for text in actions:
        position = position.play(game.parse(text))
    return position


def clause(position: ViaPosition, text: str) -> str | None:
    refusal = position.explain(position.game.parse(text))
    return refusal.clause if refusal else None


@pytest.mark.parametrize(
    ("broken", "actions", "refused", "legal"),
    [
        ("VIA-SETUP-1", [*CORNER, "castle g6.0", "lay W f7 0"], "castle g6.6", "house g7.6"),
        ("VIA-SETUP-2", OPENING, "draw 0 ST", "draw 0 W"),
        ("VIA-SETUP-3", [], "lay W a1 0", "lay ST a1 0"),
        ("VIA-SETUP-3", STARTS[:1], "lay ST a1 0", "lay ST a2 0"),
        ("VIA-SETUP-3", STARTS, "lay ST e4 0", "lay W e4 0"),
        ("VIA-SETUP-3", STARTS, "take", "lay W c2 0"),
        ("VIA-SETUP-3", STARTS[:2], "draw 0 S4", "lay ST f2 0"),
        ("VIA-SETUP-4", OPENING, "draw 1 S4", "draw 0 S4"),
        ("VIA-SETUP-4", [*OPENING, "draw 0 S4"], "lay S4 b2 0", "draw 0 W"),
        ("VIA-TURN-1", DEAL, "end", "take"),
        ("VIA-TURN-1", DEAL, "draw 0 S4", "take"),
        ("VIA-TURN-1", DEAL, "take 2", "take"),
        ("VIA-TURN-1", DEAL, "lay C3 d5 0", "lay S4 d5 0"),
        ("VIA-TURN-1", CORNER, "take 2", "take"),
        ("VIA-TURN-1", CORNER, "end", "lay W f7 0"),
        ("VIA-TURN-1", [*CORNER, "take"], "lay W f7 0", "draw 0 S4"),
        ("VIA-TURN-1", [*CORNER, "take"], "draw 1 S4", "draw 0 C3"),
        ("VIA-TURN-1", [*CORNER, "lay W f7 0"], "take", "end"),
        ("VIA-TURN-1", [*CORNER, "lay W f7 0"], "lay S4 d5 0", "house g6.6"),
        ("VIA-TURN-2", [*DEAL, "take", "draw 0 C3", "take", "draw 1 S2"], "take", "lay S4 b2 0"),
        ("VIA-TURN-2", [*DEAL, "take", "draw 0 C3", "take", "draw 1 S2"], "take 2", "lay C3 d5 0"),
        ("VIA-TURN-4", DEAL, "pass", "take"),
        ("VIA-TURN-4", CORNER, "pass", "take"),
        ("VIA-LAY-1", DEAL, "lay S4 d4 0", "lay S4 d5 0"),
        ("VIA-LAY-1", DEAL, "lay W f6 0", "lay W f7 0"),
        ("VIA-LAY-2", DEAL, "lay S4 c2 0", "lay S4 b2 0"),
        ("VIA-LAY-2", DEAL, "lay S4 e6 0", "lay S4 e4 0"),
        ("VIA-LAY-2", [*SECOND, "lay S2 e4 1", "take", "draw 1 S2", "take", "draw 0 S2"], "lay S2 e5 1", "lay S2 f4 1"),
        ("VIA-LAY-3", SECOND, "lay S2 d5 1", "lay S2 d5 0"),
        ("VIA-LAY-3", SECOND, "lay C3 d3 1", "lay C3 d3 0"),
        ("VIA-LAY-4", [*DEAL, "lay S4 d5 0", "take", "draw 0 C4"], "lay C3 d6 0", "lay S2 d6 0"),
        ("VIA-LAY-4", THREES, "lay S2 e5 0", "lay S2 f4 1"),
        ("VIA-LAY-5", DEAL, "lay W c2 0", "lay W b2 0"),
        ("VIA-LAY-5", DEAL, "lay W f5 0", "lay W f7 0"),
        ("VIA-BUILD-1", CORNER, "house g6.4", "house g6.0"),
        ("VIA-BUILD-1", CORNER, "house b7.0", "house g6.0"),
        ("VIA-BUILD-1", CORNER, "castle f6.0", "castle g6.0"),
        ("VIA-BUILD-2", CORNER, "house g7.2", "house g6.0"),
        ("VIA-BUILD-2", [*CORNER, "house g6.0"], "castle g6.0", "lay W f7 0"),
        ("VIA-BUILD-2", [*CORNER, "lay W f7 0"], "house g6.0", "house g6.6"),
        ("VIA-BUILD-2", [*CORNER, "lay W f7 0", "house g6.6"], "castle g6.6", "house g7.6"),
        ("VIA-BUILD-2", [*SECOND, "lay S2 d5 0"], "house g6.0", "take"),
        ("VIA-BUILD-3", CORNER, "house a1.4", "house g6.0"),
        ("VIA-BUILD-3", DEAL, "castle a1.6", "take"),
        ("VIA-BUILD-3", STARTS[:2], "house a1.6", "lay ST b7 0"),
        ("VIA-BUILD-4", [*CORNER, "house g6.0", "lay W f7 0"], "castle g6.6", "house g6.6"),
        ("VIA-BUILD-4", [*CORNER, "castle g6.0", "lay W f7 0"], "house g6.6", "house g7.6"),
    ],
)
def test_the_clause_decides(broken: str, actions: list[str], refused: str, legal: str) -> None:
    position = after(actions)
    listed = [str(action) for action in position.legal_actions()]
    assert clause(position, refused) == broken
    assert refused not in listed
    assert clause(position, legal) is None
    assert legal in listed


@pytest.mark.parametrize("players", [1, 5, 0, -2])
def test_setup_1_players(players: int) -> None:
    with pytest.raises(SetupError) as refused:
        GAME.new(players)
    assert refused.value.clause == "VIA-SETUP-1"


@pytest.mark.parametrize(("players", "houses"), [(2, 7), (3, 5), (4, 4)])
def test_setup_1_houses_and_setup_3_order(players: int, houses: int) -> None:
    position = GAME.new(players)
    assert (position.houses, position.castles) == ((houses,) * players, (True,) * players)
    for number in range(4 + players):
        kind = "ST" if number < 4 else "W"
        assert (position.turn, position.phase) == (number % players, "start")
        assert {action.kind for action in position.legal_actions()} == {kind}  # type: ignore[union-attr]
        assert len(position.legal_actions()) == 49 - number
        position = position.play(GAME.parse(f"lay {kind} {GAME.cells[3 * number]} 0"))
    assert position.stock == 60 - 4 - players
    drawn = []
    while position.phase == "deal":
        drawn.append(position.concerns)
        position = position.play(position.legal_actions()[0])
    assert drawn == [player for player in range(players) for _ in range(2)]
    assert (position.turn, position.phase) == (0, "play")


def test_setup_1_no_house_is_left() -> None:
    position = after(CORNER)._copy()
    position.houses = (0, 7)
    assert clause(position, "house g6.0") == "VIA-SETUP-1"
    assert clause(position, "castle g6.0") is None


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [("land_alike", 1, "True"), ("free_water", "no", "False"), ("start_counts", None, "True")],
)
def test_wrong_values_of_options_are_named(name: str, value: object, text: str) -> None:
    with pytest.raises(SetupError, match=f"{name}.*{text}"):
        GAME.new(2, {name: value})
    with pytest.raises(SetupError, match=r"'speed'.*land_alike"):
        GAME.new(2, {"speed": 3})


def test_turn_1_two_tiles_for_an_empty_hand() -> None:
    position = after([*CORNER, "lay W f7 0", "end", "take", "draw 1 S2"])
    assert position.hands[0] == ()
    assert {"take", "take 2"} == set(map(str, position.legal_actions()))
    both = position.play(GAME.parse("take 2")).play(GAME.parse("draw 0 S3"))
    assert (both.phase, both.concerns) == ("draw", 0)
    assert both.play(GAME.parse("draw 0 S3")).turn == 1


def test_turn_1_the_turn_ends_by_itself_only_after_two_tiles() -> None:
    position = after([*CORNER, "house g6.0"])
    assert (position.turn, position.phase) == (0, "play")
    last = after([*CORNER, "lay W f7 0"])
    assert sorted(map(str, last.legal_actions())) == [
        "castle g6.6", "castle g7.6", "end", "house g6.6", "house g7.6",
    ]  # fmt: skip
    assert last.play(GAME.parse("house g7.6")).turn == 0
    assert last.play(GAME.parse("house g7.6")).play(GAME.parse("castle g6.6")).turn == 1
    assert after([*DEAL, "lay S4 d5 0", "lay W d6 0"]).turn == 1


def test_turn_3_the_stock_is_empty(tmp_path: Path) -> None:
    game = Via(small(tmp_path, 7, 7, {"ST": 4, "W": 2, "S4": 6}))
    deal = [*OPENING, *["draw 0 S4"] * 2, *["draw 1 S4"] * 2, "lay S4 b2 0", "lay S4 b3 0"]
    position = after([*deal, "take", "draw 1 S4"], game=game)
    assert (position.stock, position.held(0)) == (1, 0)
    assert clause(position, "take 2") == "VIA-TURN-3"
    assert [str(action) for action in position.legal_actions()] == ["take"]
    position = after([*deal, "take", "draw 1 S4", "take", "draw 0 S4", "lay S4 d5 0"], game=game)
    assert position.stock == 0
    assert clause(position, "take") == "VIA-TURN-3"
    assert clause(position, "end") is None
    position = position.play(game.parse("end"))
    assert clause(position, "take") == "VIA-TURN-3"
    assert clause(position, "pass") == "VIA-TURN-4"
    done = position.play(game.parse("lay S4 d6 0"))
    assert clause(done, "end") is None


ROW = ["lay ST a1 0", "lay W b1 0", "lay W d1 0"]
"""On a single row of seven fields: no road ends at a free field, and no water may be laid."""


def test_turn_4_and_end_2_passing_with_three_tiles(tmp_path: Path) -> None:
    game = Via(small(tmp_path, 7, 1, {"ST": 1, "W": 3, "S4": 8}))
    deal = [*ROW, *["draw 0 S4"] * 2, *["draw 1 S4"] * 2]
    position = after(deal, game=game)
    assert clause(position, "pass") == "VIA-TURN-4"
    full = after([*deal, "take", "draw 0 S4", "take", "draw 1 S4"], game=game)
    assert [str(action) for action in full.legal_actions()] == ["pass"]
    assert clause(full, "take") == "VIA-TURN-2"
    over = full.play(game.parse("pass"))
    assert (over.over, over.turn, over.legal_actions()) == (True, None, [])
    assert {clause(over, text) for text in ("pass", "take", "draw 0 S4", "lay S4 c1 0")} == {"VIA-END-2"}
    assert over.winners == (0, 1)


def test_end_4_everybody_passes_in_a_row(tmp_path: Path) -> None:
    game = Via(small(tmp_path, 7, 1, {"ST": 1, "W": 2, "S4": 4}))
    position = after([*ROW, *["draw 0 S4"] * 2, *["draw 1 S4"] * 2], game=game)
    assert [str(action) for action in position.legal_actions()] == ["pass"]
    position = position.play(game.parse("pass"))
    assert not position.over
    over = position.play(game.parse("pass"))
    assert clause(over, "pass") == "VIA-END-4"


def test_end_1_two_fields_are_free_after_a_turn(tmp_path: Path) -> None:
    game = Via(small(tmp_path, 3, 2, {"ST": 1, "W": 2, "S4": 6}))
    opening = ["lay ST a1 0", "lay W c1 0", "lay W c2 0", *["draw 0 S4"] * 2, *["draw 1 S4"] * 2]
    position = after([*opening, "lay S4 a2 0"], game=game)
    assert not position.over  # the turn is not over before the draw
    assert not position.play(game.parse("take")).over
    over = after([*opening, "lay S4 a2 0", "take", "draw 0 S4"], game=game)
    assert clause(over, "take") == "VIA-END-1"


def test_end_1_leaves_the_starting_round_out(tmp_path: Path) -> None:
    game = Via(small(tmp_path, 2, 2, {"ST": 1, "W": 2, "S4": 6}))
    position = after(["lay ST a1 0", "lay W b1 0", "lay W b2 0", *["draw 0 S4"] * 2, *["draw 1 S4"] * 2], game=game)
    assert not position.over
    assert "lay S4 a2 0" in map(str, position.legal_actions())
    assert clause(position.play(game.parse("take")).play(game.parse("draw 0 S4")), "take") == "VIA-END-1"


def test_end_3_nobody_has_anything_to_build() -> None:
    limit = after(CORNER)._copy()
    limit.houses, limit.castles = (1, 0), (True, False)
    assert not limit.play(GAME.parse("house g6.0")).over  # a castle is left
    limit.castles = (False, False)
    over = limit.play(GAME.parse("house g6.0"))
    assert clause(over, "take") == "VIA-END-3"
    assert over.phase == "over"


@pytest.mark.parametrize(("houses", "more"), [(0, 2), (2, 2), (3, 1), (5, 1)])
def test_build_5_the_castle_brings_houses(houses: int, more: int) -> None:
    position = after(CORNER)._copy()
    position.buildings = tuple(Building(0, False, 1 << 8 * cell) for cell in range(40, 40 + houses))
    position.houses = (7 - houses, 7)
    action = GAME.parse("castle g6.0")
    assert position.play(action).houses == (7 - houses + more, 7)
    facts = [event.facts for event in position.events(action) if event.kind == "reserve"]
    assert facts == [{"player": 0, "houses": more}]


def test_build_5_no_castle_has_to_be_built() -> None:
    assert {"take", "house g6.0", "castle g6.0", "lay W f7 0"} <= set(map(str, after(CORNER).legal_actions()))


def test_build_6_start_tiles_count() -> None:
    built = [*CORNER, "house g6.0"]
    assert after(built).scores == (2, 0)
    assert after(built, start_counts=False).scores == (1, 0)


def test_options_that_free_laying() -> None:
    assert clause(after(THREES, land_alike=False), "lay S2 e5 0") is None
    refused = after([*DEAL, "lay S4 d5 0", "take", "draw 0 C4"], land_alike=False)
    assert clause(refused, "lay C3 d6 0") == "VIA-LAY-4"  # where roads meet
    assert clause(after(DEAL, free_water=True), "lay W c2 0") is None
    assert clause(after(DEAL, free_water=True), "lay W f6 0") == "VIA-LAY-1"


def test_score_1_parts_of_land() -> None:
    position = after([*CORNER, "house g6.0", "lay W f7 0", "house g6.6"])
    assert position.scores == (4, 0)
    assert after([*DEAL, "lay S4 b2 0", "castle a1.0"]).scores == (3, 0)


def test_score_2_the_larger_castle_property_wins_a_tie() -> None:
    position = after([*DEAL, "lay S4 b2 0", "castle a1.0"])._copy()
    lands = [1 << 8 * GAME.cell[cell] for cell in ("a2", "d4", "g7")]
    position.buildings = (*position.buildings, *(Building(1, False, land) for land in lands))
    position.ending = "VIA-END-2"
    assert (position.scores, position.tie_break) == ((3, 3), (3, 0))
    assert position.winners == (0,)
    position.buildings = position.buildings[1:]
    assert position.winners == (1,)
    position.buildings = ()
    assert position.winners == (0, 1)


def test_judge_names_what_was_done_at_the_table() -> None:
    position = after(SECOND)
    for seen, broken, action in [
        ({"cell:d5": "S2/1"}, "VIA-LAY-3", "lay S2 d5 1"),
        ({"cell:c2": "S2/0"}, "VIA-LAY-2", "lay S2 c2 0"),
        ({"cell:d5": "W"}, "VIA-TURN-1", "lay W d5 0"),
        ({"cell:d5": "S2/0", "cell:d6": "S2/0"}, "VIA-TURN-1", "lay S2 d6 0"),
        ({"building:g6.0": "house:white"}, "VIA-BUILD-2", "house g6.0"),
        ({"building:a1.4": "castle:white"}, "VIA-BUILD-3", "castle a1.4"),
        ({"building:g6.4": "house:white"}, "VIA-BUILD-1", "house g6.4"),
        ({"cell:g5": "C3/3", "cell:f7": "S2/1"}, "VIA-LAY-4", "lay C3 g5 3"),
    ]:
        judgement = position.judge(seen)
        assert judgement is not None
        assert (judgement.refusal.clause, str(judgement.action)) == (broken, action)
    for seen in ({"cell:g6": "empty"}, {"cell:g6": "S2/0"}, {"cell:g6": "empty", "cell:g5": "S4/0"}):
        assert position.judge(seen) is None
    closing = after(DEAL)
    for seen, broken in [
        ({"cell:g6": "S4/0", "building:g6.0": "house:white"}, "VIA-BUILD-2"),
        ({"cell:g6": "S4/0", "building:g7.2": "house:blue", "building:g6.4": "house:blue"}, "VIA-BUILD-1"),
    ]:
        judgement = closing.judge(seen)
        assert judgement is not None
        assert judgement.refusal.clause == broken
    drawing = after([*CORNER, "take"]).judge({"cell:f7": "W"})
    assert drawing is not None
    assert drawing.refusal.clause == "VIA-TURN-1"


def test_what_would_be_legal_instead() -> None:
    for actions, text, instead in [
        (SECOND, "lay S2 d5 1", ("lay S2 d5 0",)),
        (CORNER, "house g7.2", ("house g6.0",)),
        (DEAL, "pass", ("take",)),
    ]:
        refusal = after(actions).explain(GAME.parse(text))
        assert refusal is not None
        assert refusal.instead == instead


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "take ", " take", "TAKE", "take 1", "take 3", "take two", "draw", "draw 0", "draw 4 S4", "draw 00 S4",
        "draw -1 S4", "draw 0 s4", "draw 0 ?", "draw ٠ S4", "lay S4 a1", "lay S4 h1 0", "lay S4 a8 0", "lay S4 A1 0",
        "lay S4 a1 1", "lay ST a1 1", "lay W a1 1", "lay S2 a1 2", "lay C4 a1 2", "lay C3 a1 4", "lay S4 a1 00",
        "lay S5 a1 0", "lay S4  a1 0", "lay S4 a01 0", "house a1", "house a1.8", "house a1.00", "house h1.0", "castle",
        "castle a1.0 0", "end\n", "pass now", "move a1 b1",
    ],
)  # fmt: skip
def test_what_is_no_notation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no action|there is no|is none"):
        GAME.parse(text)
