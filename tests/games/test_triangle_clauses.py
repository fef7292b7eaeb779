"""For every clause of Triangle a position in which it decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.core import SetupError
from companion.games.registry import load_game
from companion.games.triangle import Triangle, TrianglePosition
from tests.games.triangle_sets import small

GAME: Triangle = load_game("triangle")  # type: ignore[assignment]

FIRST_DRAWS = ["draw 0 RRR6", "draw 1 GGY4"]
DEAL = [*FIRST_DRAWS, "draw 0 BBB6", "draw 0 RRB4", "draw 0 BPR2", "draw 1 PPP6", "draw 1 YYP4", "draw 1 GGP4"]
"""Player 0 holds RRR6 BBB6 RRB4 BPR2, player 1 GGY4 PPP6 YYP4 GGP4."""
PLACED = [*DEAL, "place RRR6 6 0"]
"""Cell 6 points up; its neighbours are 5, 7 and 12."""
BLOCKED = [*PLACED, "draw 0 YYY6"]
"""Player 1 has nothing red or white."""
ABLE = [*PLACED, "draw 0 WWW1", "pass", "place WWW1 12 0", "draw 0 YYY6"]
"""Player 1 can place at the joker on cell 12, whose neighbours are 6, 11 and 13."""


def after(actions: list[str], players: int = 2, *, teams: bool = False, game: Triangle = GAME) -> TrianglePosition:
    position = game.new(players, {"teams": teams})
    for text in actions:
        position = position.play(game.parse(text))
    return position


def clause(position: TrianglePosition, text: str) -> str | None:
    refusal = position.explain(position.game.parse(text))
    return refusal.clause if refusal else None


@pytest.mark.parametrize(
    ("broken", "actions", "refused", "legal"),
    [
        ("TRI-SETUP-2", [], "draw 1 RRR6", "draw 0 RRR6"),
        ("TRI-SETUP-2", [], "pass", "draw 0 WWW1"),
        ("TRI-SETUP-2", FIRST_DRAWS[:1], "draw 1 RRR6", "draw 1 GGY4"),
        ("TRI-SETUP-3", FIRST_DRAWS, "draw 1 BBB6", "draw 0 BBB6"),
        ("TRI-SETUP-3", FIRST_DRAWS, "place RRR6 6 0", "draw 0 RRB4"),
        ("TRI-SETUP-3", FIRST_DRAWS, "draw 0 GGY4", "draw 0 PPP6"),
        ("TRI-PLACE-1", DEAL, "place RRR6 2 0", "place RRR6 3 0"),
        ("TRI-PLACE-2", ABLE, "place PPP6 35 0", "place PPP6 13 0"),
        ("TRI-PLACE-2", ABLE, "place PPP6 6 0", "place PPP6 11 0"),
        ("TRI-PLACE-3", ABLE, "place PPP6 5 0", "place PPP6 11 0"),
        ("TRI-PLACE-3", [*DEAL, "place RRB4 6 0", "draw 0 YYY6", "pass"], "place BPR2 12 0", "place BPR2 12 2"),
        ("TRI-PLACE-4", DEAL, "place PPP6 6 0", "place BBB6 6 0"),
        ("TRI-PLACE-4", DEAL, "place YYB5 6 0", "place RRB4 6 2"),
        ("TRI-PLACE-5", ABLE, "place RRR6 13 0", "place GGP4 13 2"),
        ("TRI-PLACE-5", ABLE, "place WWW1 12 0", "place GGP4 13 0"),
        ("TRI-PASS-1", DEAL, "pass", "place RRB4 19 1"),
        ("TRI-PASS-1", DEAL, "swap RRB4", "place BPR2 0 0"),
        ("TRI-PASS-2", BLOCKED, "swap RRB4", "swap GGY4"),
        ("TRI-PASS-2", BLOCKED, "swap RRR6", "pass"),
        ("TRI-DRAW-1", PLACED, "pass", "draw 0 WWW1"),
        ("TRI-DRAW-1", PLACED, "draw 1 WWW1", "draw 0 YYB5"),
        ("TRI-DRAW-1", PLACED, "draw 0 PPP6", "draw 0 PYR2"),
        ("TRI-DRAW-1", [*BLOCKED, "swap GGY4"], "pass", "draw 1 GGY4"),
        ("TRI-DRAW-1", BLOCKED, "draw 1 WWW1", "pass"),
    ],
)
def test_the_clause_decides(broken: str, actions: list[str], refused: str, legal: str) -> None:
    position = after(actions)
    listed = [str(action) for action in position.legal_actions()]
    assert clause(position, refused) == broken
    assert refused not in listed
    assert clause(position, legal) is None
    assert legal in listed


@pytest.mark.parametrize(
    ("players", "options"),
    [(1, {}), (5, {}), (0, {}), (-2, {}), (2, {"teams": True}), (3, {"teams": True}), (4, {"teams": 1})],
)
def test_setup_1_players_and_teams(players: int, options: dict[str, object]) -> None:
    with pytest.raises(SetupError) as refused:
        GAME.new(players, options)
    assert refused.value.clause == "TRI-SETUP-1"
    assert GAME.new(4, {"teams": True}).teams
    assert not GAME.new(4, {"teams": False}).teams


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(SetupError, match=r"'speed'.*teams"):
        GAME.new(2, {"speed": 3})


def test_setup_2_a_shared_highest_value_is_drawn_again() -> None:
    tie = ["draw 0 RRR6", "draw 1 RRY5", "draw 2 BBB6"]
    again = after(tie, 3)
    assert (again.phase, again.concerns) == ("first draw", 0)
    assert again.legal_actions() == after([], 3).legal_actions()
    assert [group.labels for group in again.view().groups] == [(), (), ()]
    assert again.view().leaving == {f"rack:{player}.{slot}" for player in range(3) for slot in range(4)}
    deal = after([*tie, *tie[:2], "draw 2 RRP5"], 3)
    assert (deal.phase, deal.concerns, deal.view().leaving) == ("deal", 0, frozenset())
    assert clause(again, "draw 0 RRR6") is None
    shared_below = after(["draw 0 RRY5", "draw 1 RRR6", "draw 2 RRP5"], 3)
    assert (shared_below.phase, shared_below.concerns) == ("deal", 0)


def test_setup_3_the_highest_value_takes_the_first_turn() -> None:
    deal = [f"draw {p} {tile}" for p, hand in enumerate(["RRR6 GGR5 YYG5", "RRB4 GRB3 BPR2"]) for tile in hand.split()]
    position = after(["draw 0 GRY3", "draw 1 PPP6", *deal])
    assert (position.phase, position.turn) == ("play", 1)
    assert [sorted(group.labels) for group in position.view().groups] == [
        ["GGR5", "GRY3", "RRR6", "YYG5"],
        ["BPR2", "GRB3", "PPP6", "RRB4"],
    ]


def points(position: TrianglePosition, text: str) -> int:
    action = position.game.parse(text)
    return next(event.facts["points"] for event in position.events(action) if event.kind == "score")


def test_score_1_value_edges_and_bonus() -> None:
    assert points(after(DEAL), "place RRB4 0 0") == 4  # the first tile counts one edge
    assert points(after(ABLE), "place PPP6 13 0") == 6 * 1 * 4
    two = after([*ABLE, "place YYP4 11 2", "draw 1 GRB3", "place YYY6 10 0", "draw 0 PPG5"])
    assert two.scores == (6 + 1 + 6 * 2, 4 * 4)


def test_score_2_edges_at_the_joker_match() -> None:
    position = after([*PLACED, "draw 0 WWW1", "pass"])
    assert points(position, "place WWW1 12 0") == 1  # the joker at a red edge
    assert points(position, "place WWW1 5 0") == 1
    joker = position.play(GAME.parse("place WWW1 12 0"))
    assert points(joker.play(GAME.parse("draw 0 YYY6")), "place GGP4 11 0") == 4 * 4  # green at the joker


def test_score_3_and_end_1_the_rest_of_the_hand_is_deducted(tmp_path: Path) -> None:
    game = Triangle(small(tmp_path, 3, ["RRR6", "BBB6", "GGG5", "YYY5"]))
    position = after(["draw 0 RRR6", "draw 1 GGG5", "draw 0 BBB6", "draw 0 YYY5"], game=game)
    assert (position.phase, position.turn, position.bag) == ("play", 0, 0)
    last = position.play(game.parse("place RRR6 0 0"))
    assert last.over
    assert last.scores == (6 - 6 - 5, -5)
    assert last.winners == (0, 1)  # equal totals share the win (TRI-END-3)
    assert [clause(last, text) for text in ("pass", "place BBB6 1 0", "draw 0 GGG5")] == ["TRI-END-1"] * 3


def test_end_1_all_tiles_are_placed(tmp_path: Path) -> None:
    game = Triangle(small(tmp_path, 3, ["RRR6", "RRY5", "RRP5", "RRB4"]))
    position = after(
        ["draw 0 RRR6", "draw 1 RRY5", "draw 0 RRP5", "draw 0 RRB4", "place RRR6 6 0", "place RRY5 5 0"], game=game
    )
    assert position.hands[1] == 0
    position = position.play(next(a for a in position.legal_actions() if str(a).startswith("place RRP5")))
    assert not position.over
    assert [str(action) for action in position.legal_actions()] == ["pass"]  # a player without tiles
    position = position.play(game.parse("pass"))
    position = position.play(next(a for a in position.legal_actions() if str(a).startswith("place RRB4")))
    assert position.over
    assert clause(position, "pass") == "TRI-END-1"
    assert position.scores == position.totals


def test_end_2_no_tile_fits_any_cell(tmp_path: Path) -> None:
    tiles = ["RRR6", "BBB6", "GGG6", "YYY6", "PPP6", "RRR5", "BBB5", "GGG5", "YYY5", "PPP5"]
    game = Triangle(small(tmp_path, 1, tiles))
    opening = ["draw 0 RRR6", "draw 1 BBB5", "draw 0 GGG6", "draw 0 YYY6", "draw 0 PPP6"]
    opening += ["draw 1 RRR5", "draw 1 GGG5", "draw 1 YYY5", "place RRR6 0 0"]
    position = after(opening, game=game)
    assert not position.over  # judged after the draw, not before
    position = position.play(game.parse("draw 0 BBB6"))
    assert position.over
    assert position.bag == 1
    assert clause(position, "pass") == "TRI-END-2"


def test_end_2_passing_goes_on_while_a_tile_in_the_bag_fits(tmp_path: Path) -> None:
    tiles = ["RRR6", "BBB6", "GGG6", "YYY6", "PPP6", "BBB5", "GGG5", "YYY5", "PPP5", "RRR5"]
    game = Triangle(small(tmp_path, 2, tiles))
    opening = ["draw 0 RRR6", "draw 1 BBB5", "draw 0 GGG6", "draw 0 YYY6", "draw 0 PPP6"]
    opening += ["draw 1 PPP5", "draw 1 GGG5", "draw 1 YYY5", "place RRR6 0 0", "draw 0 BBB6"]
    position = after(opening, game=game)
    for turn in range(6):  # only the last tile in the bag fits
        assert (position.turn, position.bag) == ((turn + 1) % 2, 1)
        assert clause(position, "pass") is None
        position = position.play(game.parse("pass"))
    for text in ("swap BBB5", "draw 1 RRR5", "pass"):
        position = position.play(game.parse(text))
    assert clause(position, "place RRR5 2 0") is None


def test_score_4_partners_add_their_points() -> None:
    hands = ["RRR6 RRY5 RRP5 RRB4", "PPY5 GGP4 YYP4 PPG5", "RRG4 PPR4 BBR5 GGR5", "GGY4 GPY2 PPP6 YYY6"]
    tiles = [hand.split() for hand in hands]
    actions = [f"draw {p} {hand[0]}" for p, hand in enumerate(tiles)]
    actions += [f"draw {p} {tile}" for p, hand in enumerate(tiles) for tile in hand[1:]]
    actions += ["place RRR6 6 0", "draw 0 BBB6", "pass"]
    alone, team = after(actions, 4), after(actions, 4, teams=True)
    assert (alone.scores, team.scores) == ((6, 0, 0, 0), (6, 0, 6, 0))
    turn = next(a for a in team.legal_actions() if str(a).startswith("place RRG4 5"))
    assert alone.play(turn).scores == (6, 0, 4, 0)
    assert team.play(turn).scores == (10, 0, 10, 0)
    kept = team.play(turn).view().kept
    assert {site: labels for site, labels in kept.items() if labels != ("empty",)} == {
        "hole:6": ("red",),
        "hole:10": ("red",),
    }


def scored(totals: tuple[int, ...], before: tuple[int, ...]) -> dict[str, tuple[str, ...]]:
    """The counters on the track with these scores after and before the last scoring turns."""
    position = after(PLACED)._copy()
    position.totals, position.pegs = totals, before
    return {site: labels for site, labels in position.view().kept.items() if labels != ("empty",)}


def test_score_5_the_track() -> None:
    assert scored((0, 0), (0, 0)) == {}
    assert scored((6, 0), (0, 0)) == {"hole:6": ("red",)}
    assert scored((100, 101), (99, 90)) == {
        "hole:100": ("red",),
        "hole:99": ("red",),
        "hole:1": ("blue",),
        "hole:90": ("blue",),
    }
    assert scored((12, 8), (8, 3)) == {"hole:12": ("red",), "hole:8": ("red", "blue"), "hole:3": ("blue",)}
    assert scored((105, 7), (5, 5)) == {"hole:5": ("red", "blue"), "hole:7": ("blue",)}


def test_score_5_the_final_deduction_is_not_pegged(tmp_path: Path) -> None:
    game = Triangle(small(tmp_path, 3, ["RRR6", "BBB6", "GGG5", "YYY5"]))
    position = after(["draw 0 RRR6", "draw 1 GGG5", "draw 0 BBB6", "draw 0 YYY5", "place RRR6 0 0"], game=game)
    assert position.over
    assert position.view().kept["hole:6"] == ("red",)


def test_judge_names_what_was_done_at_the_table() -> None:
    position = after(ABLE)
    for seen, broken, action in [
        ({"cell:6": "empty"}, "TRI-PLACE-5", None),
        ({"cell:12": "empty", "cell:13": "WWW1/0"}, "TRI-PLACE-5", None),
        ({"cell:6": "RRR6/0", "cell:5": "PPP6/0"}, "TRI-PLACE-5", None),
        ({"cell:5": "PPP6/0"}, "TRI-PLACE-3", "place PPP6 5 0"),
        ({"cell:35": "PPP6/0"}, "TRI-PLACE-2", "place PPP6 35 0"),
        ({"cell:13": "YYY6/0"}, "TRI-PLACE-4", "place YYY6 13 0"),
        ({"cell:11": "PPP6/0", "cell:13": "GGP4/0"}, "TRI-DRAW-1", "place GGP4 13 0"),
    ]:
        judgement = position.judge(seen)
        assert judgement is not None
        assert judgement.refusal.clause == broken
        assert (str(judgement.action) if judgement.action else None) == action
    assert position.judge({"rack:0.0": "PPP6"}) is None


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "pass ", " pass", "PASS", "pass now", "draw", "draw 0", "draw 4 RRR6", "draw 00 RRR6", "draw -1 RRR6",
        "draw 0 rrr6", "draw 0 ?", "draw ٠ RRR6", "place RRR6 5", "place RRR6 36 0", "place RRR6 5 3", "place RRR6 5 2",
        "place RRR6  5 0", "place RRR6 05 0", "place XXX1 5 0", "swap", "swap RRR5", "swap RRR6\n", "move RRR6",
        "place RRR6 99999999999999999999 0", "place RRR6 5 0 0",
    ],
)  # fmt: skip
def test_what_is_no_notation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no action|there is no tile|is none|write rotation"):
        GAME.parse(text)
