"""What the clauses of Labyria bring about, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.games.core import SetupError
from companion.games.labyria import Labyria
from tests.games.labyria_openings import (
    AGAIN,
    ATTACK,
    BEGUN,
    CORNERS,
    DEAD_END,
    GAME,
    LOCKED,
    OUT,
    PLAYING,
    after,
    boards,
    clause,
    lists,
    shown,
)
from tests.games.labyria_sets import small


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Labyria]:
    return boards(tmp_path_factory)


def test_setup_1_players_corners_and_goals() -> None:
    starts = {2: ["a1", "j10"], 3: ["a1", "a10", "j10"], 4: ["a1", "a10", "j10", "j1"]}
    colours = {2: ["red", "yellow"], 3: ["red", "blue", "yellow"], 4: ["red", "blue", "yellow", "green"]}
    for players in (2, 3, 4):
        standing = {site: label for site, label in GAME.new(players).view().sites.items() if label != "empty"}
        pairs = zip(starts[players], colours[players], strict=True)
        expected = {f"cell:{cell}": f"{colour}*3" for cell, colour in pairs}
        assert standing == {**expected, "depot": "4"}
        assert [GAME.seat_colours[seat] for seat in GAME.seats(players)] == colours[players]
    for players in (0, 1, 5, -2):
        with pytest.raises(SetupError) as refused:
            GAME.new(players)
        assert refused.value.clause == "LAB-SETUP-1"


def test_setup_2_shares() -> None:
    assert [GAME.shares(players) for players in (2, 3, 4)] == [(20, 10), (13, 6), (10, 5)]
    assert [GAME.new(players).stock for players in (2, 4)] == [((20, 10),) * 2, ((10, 5),) * 4]


def test_setup_3_those_who_tie_for_the_highest_roll_again() -> None:
    tied = ["roll 0 5", "roll 1 2", "roll 2 5", "roll 3 5"]
    position = after(GAME, tied, 4)
    assert (position.phase, position.concerns) == ("first roll", 0)
    assert (after(GAME, [*tied, "roll 0 1"], 4)).concerns == 2
    again = after(GAME, [*tied, "roll 0 1", "roll 2 4", "roll 3 4"], 4)
    assert (again.phase, again.concerns) == ("first roll", 2)
    decided = after(GAME, [*tied, "roll 0 1", "roll 2 4", "roll 3 4", "roll 2 1", "roll 3 2"], 4)
    assert (decided.phase, decided.turn) == ("setup", 3)
    everyone = after(GAME, tied, 4, ties="all").play(GAME.parse("roll 0 1"))
    assert everyone.concerns == 1


def test_setup_4_the_first_obstacle() -> None:
    first = {str(action) for action in after(GAME, BEGUN).legal_actions()}
    squares = ["square e5-e6", "square e5-f5", "square e6-f6", "square f5-f6"]
    assert first == {*squares, *(f"corner e5 {arms}" for arms in ("NE", "SE", "SW", "NW"))}


def test_setup_5_clockwise_and_passing_over(tmp_path: Path) -> None:
    position = after(GAME, ["roll 0 1", "roll 1 2", "roll 2 6", "corner e5 NE"], 3)
    assert position.turn == 0  # after player 2
    game = Labyria(small(tmp_path, 2, 2, squares=12, corners=2))
    full = after(game, [*BEGUN, "corner a1 NE", "square a1-a2", "square a1-b1"])
    assert (full.phase, full.stock) == ("start roll", ((3, 0), (3, 1)))  # nobody finds a place, the rest is left out
    one_way = after(game, [*BEGUN, "corner a1 NE", "corner a1 SW"][:3])
    assert [str(a) for a in one_way.legal_actions()] == ["square a1-a2", "square a1-b1"]


def test_setup_5_whoever_has_none_left_is_passed_over(tmp_path: Path) -> None:
    game = Labyria(small(tmp_path, 6, 6, squares=7, corners=0))  # one each for three players
    position = after(game, ["roll 0 1", "roll 1 2", "roll 2 1", "square c3-d3", "square c2-d2"], 3)
    assert (position.turn, position.stock) == (0, ((1, 0), (0, 0), (0, 0)))
    assert position.play(game.parse("square c1-d1")).phase == "start roll"


def test_start_1_the_first_turn_of_the_first_placer(tmp_path: Path) -> None:
    game = Labyria(small(tmp_path, 6, 6, squares=4, corners=0))
    again = after(game, ["roll 0 1", "roll 1 2", "roll 0 3", "roll 1 2"])
    assert (again.phase, again.concerns) == ("dice", 0)
    first = after(game, ["roll 0 1", "roll 1 2"], start="first")
    assert (first.phase, first.concerns) == ("dice", 1)


def test_turn_2_what_the_symbols_do(games: Mapping[str, Labyria]) -> None:
    game = games["6"]
    skipped = after(game, [*PLAYING, "dice 2 skip"])
    assert (skipped.phase, skipped.concerns) == ("dice", 1)
    assert lists(after(game, [*PLAYING, "dice 2 double"]), "move") == lists(
        after(game, [*PLAYING, "dice 4 plus"]), "move"
    )
    added = after(game, [*PLAYING, "dice 2 plus", "add c3-d3"])
    assert (added.view().sites["edge:c3-d3"], added.view().sites["depot"]) == ("square", "3")
    removed = after(game, [*DEAD_END, "dice 1 minus", "remove a1-a2"])
    assert (removed.view().sites["edge:a1-a2"], removed.view().sites["depot"]) == ("empty", "2")
    cloaked = after(game, [*LOCKED, "dice 2 cloak"])
    assert lists(cloaked, "move") == ["move a1 a3", "move a1 b2", "move a1 c1"]
    turned = after(games["corners"], [*CORNERS, *BEGUN, "dice 2 rotate", "turn c3 SE"])
    assert turned.view().sites["crossing:c3"] == "SE"
    walls = {edge: turned.walls >> number & 1 for edge, number in turned.game.grid.edge.items()}
    assert [walls[edge] for edge in ("c4-d4", "d3-d4", "c3-d3", "c3-c4")] == [0, 1, 1, 1]  # the last one is b3's


def test_turn_3_before_or_after_the_movement(games: Mapping[str, Labyria]) -> None:
    thrown = after(games["6"], [*PLAYING, "dice 2 plus"])
    assert len(lists(thrown, "add")) == 60
    for order in (["add a1-b1", "move a1 b2"], ["move a1 b2", "add a1-b1"], ["move a1 b2", "done"]):
        ended = after(games["6"], [*PLAYING, "dice 2 plus", *order])
        assert (ended.phase, ended.concerns) == ("dice", 1)
    assert after(games["6"], [*PLAYING, "dice 2 plus", "move a1 b2"]).turn == 0
    for symbol in ("cloak", "double", "minus", "rotate"):  # no ability, or a void one
        thrown = after(games["6"], [*PLAYING, f"dice 1 {symbol}"])
        assert thrown.play(games["6"].parse(lists(thrown, "move")[0])).phase == "dice"


def test_turn_4_an_empty_depot(tmp_path: Path) -> None:
    game = Labyria(small(tmp_path, 6, 6, squares=4, corners=0))
    actions = [*PLAYING]
    for edge in ("a5-a6", "b5-b6", "c5-c6", "d5-d6"):
        actions += ["dice 1 plus", f"add {edge}"]
        position = after(game, actions)
        actions += [lists(position, "move")[0]]
    position = after(game, [*actions, "dice 1 plus"])
    assert position.depot == 0
    assert clause(position, "add e5-e6") == "LAB-TURN-4"
    assert lists(position, "add") == []
    full = after(game, [*actions, "dice 1 minus", "remove a5-a6"])
    assert full.depot == 1  # the depot may also take more than it had: see the playouts


def test_turn_6_what_opens_after_passing_is_not_walked(games: Mapping[str, Labyria]) -> None:
    thrown = after(games["6"], [*LOCKED, "dice 2 minus"])
    assert sorted(map(str, thrown.legal_actions())) == ["pass", "remove a1-a2", "remove a1-b1"]
    opened = thrown.play(games["6"].parse("remove a1-a2"))
    assert lists(opened, "pass") == []
    passed = thrown.play(games["6"].parse("pass"))
    assert sorted(map(str, passed.legal_actions())) == ["done", "remove a1-a2", "remove a1-b1"]
    assert after(games["6"], [*LOCKED, "dice 2 double", "pass"]).concerns == 1


def test_move_3_own_figures_are_jumped(games: Mapping[str, Labyria]) -> None:
    assert clause(after(games["6"], [*OUT, "dice 2 plus", "add a1-a2"]), "move a1 c1") is None
    home = after(games["6"], [*OUT, "dice 1 plus"])
    assert clause(home, "move b1 a1") is None  # the own start corner takes any number
    assert shown(home.play(games["6"].parse("move b1 a1")))["a1"] == "red*3"


def test_move_5_only_where_no_figure_goes_otherwise(games: Mapping[str, Labyria]) -> None:
    game = games["2"]
    thrown = after(game, [*PLAYING, "dice 3 minus"])
    assert lists(thrown, "move") == ["move a1 a2", "move a1 b1"]  # there and back, since the goal is not walked through
    even = after(game, [*PLAYING, "dice 4 minus"])
    assert lists(even, "move") == ["move a1 a1", "move a1 b2"]
    back = even.play(game.parse("move a1 a1"))
    assert (shown(back)["a1"], back.concerns) == ("red*3", 1)
    assert lists(after(games["6"], [*DEAD_END, "dice 2 minus"]), "move")[0].startswith("move c5")


def test_move_7_the_start_corners_of_others() -> None:
    game = GAME
    start = ["roll 0 2", *(f"roll {player} 1" for player in (1, 2, 3))]
    position = after(game, start, 4)
    while position.phase == "setup":
        position = position.play(position.legal_actions()[-1])
    for text in start:
        position = position.play(game.parse(text))
    for number in ("5", "6"):
        cloaked = position.play(game.parse(f"dice {number} cloak"))
        assert not {"move a1 a10", "move a1 j1"} & set(lists(cloaked, "move"))
        assert clause(cloaked, "move a1 a10") == clause(cloaked, "move a1 j1") == "LAB-MOVE-7"


def test_move_7_the_corner_of_an_absent_player(games: Mapping[str, Labyria]) -> None:
    assert clause(after(games["6"], [*PLAYING, "dice 5 plus"]), "move a1 a6") is None
    game, rolls = games["4"], ["roll 0 3", "roll 1 2", "roll 2 1"]
    thrown = after(game, [*rolls, *rolls, "dice 3 plus"], 3)
    assert clause(thrown, "move a1 a4") == "LAB-MOVE-7"
    assert clause(thrown, "move a1 d1") is None
    # d1 is the goal of player 1, and a field for others; a figure there does not hinder those that arrive, and is no
    # obstacle to others.
    turns = ["dice 3 minus", "move a1 d1", "dice 3 double", "move a4 d1"]
    both = after(game, [*rolls, *rolls, *turns], 3)
    assert (shown(both)["d1"], both.scores) == ("red+blue", (0, 1, 0))
    attacked = after(game, [*rolls, *rolls, *turns, "dice 3 minus", "move d4 d1"], 3)
    assert (attacked.phase, attacked.concerns) == ("defend", 0)
    taken = attacked.play(game.parse("defend double"))
    assert shown(taken) == {"a1": "red*3", "a4": "blue*2", "d4": "yellow*2", "d1": "blue+yellow"}
    assert clause(taken.play(game.parse("dice 3 plus")), "move a1 d1") is None  # an attack on yellow


def test_move_6_and_8_arriving_in_the_goal(games: Mapping[str, Labyria]) -> None:
    game = games["4"]
    thrown = after(game, [*PLAYING, "dice 3 double"])
    arrived = thrown.play(game.parse("move a1 d4"))  # where three enemies wait
    assert (arrived.scores, arrived.phase) == ((1, 0), "dice")
    assert shown(arrived) == {"a1": "red*2", "d4": "red+yellow*3"}
    assert (
        clause(after(game, [*PLAYING, "dice 3 double", "move a1 d4", "dice 1 skip", "dice 1 plus"]), "move d4 d3")
        == "LAB-MOVE-8"
    )
    assert clause(after(game, [*PLAYING, "dice 5 minus"]), "move a1 d4") == "LAB-MOVE-8"
    through = after(games["2"], [*PLAYING, "dice 3 plus"])
    assert clause(through, "move a1 b1") is None  # there and back; a way round through the goal is none
    assert through.reach.again


def test_eat_2_and_3_the_defender_rolls(games: Mapping[str, Labyria]) -> None:
    attacked, game = after(games["4"], ATTACK), games["4"]
    assert (attacked.turn, attacked.concerns) == (-1, 0)
    assert shown(attacked) == {"a1": "red*2", "d1": "red", "d4": "yellow*3"}
    for symbol in ("minus", "skip", "double"):
        eaten = attacked.play(game.parse(f"defend {symbol}"))
        assert shown(eaten) == {"a1": "red*3", "d1": "yellow", "d4": "yellow*2"}
        assert (eaten.phase, eaten.concerns) == ("dice", 0)
    reversed_ = attacked.play(game.parse("defend rotate"))
    assert shown(reversed_) == {"a1": "red*2", "d1": "red", "d4": "yellow*3"}
    assert (reversed_.phase, reversed_.concerns) == ("dice", 0)
    shielding = attacked.play(game.parse("defend plus"))
    assert (shielding.phase, shielding.turn) == ("shield", 0)
    assert lists(shielding, "shield") == ["shield d1-d2", "shield d2-d3", "shield d3-d4"]
    evading = shielding.play(game.parse("shield d1-d2"))
    assert (evading.phase, evading.turn, evading.depot) == ("evade", 1, 3)
    assert lists(evading, "evade") == ["evade a4", "evade b3", "evade c2", "evade c4", "evade d3"]


def test_eat_2_another_symbol_turns_the_tables(games: Mapping[str, Labyria]) -> None:
    game = games["4"]
    out = [*ATTACK[:-2], "dice 1 minus", "move d4 d3", "dice 1 skip", "dice 2 minus", "move d3 d1"]
    usual, other = after(game, out), after(game, out, reversal="double")
    assert shown(usual.play(game.parse("defend rotate"))) == {"a1": "red*2", "d1": "red", "d4": "yellow*3"}
    assert shown(usual.play(game.parse("defend double")))["d1"] == "yellow"
    assert shown(other.play(game.parse("defend double"))) == {"a1": "red*2", "d1": "red", "d4": "yellow*3"}
    assert shown(other.play(game.parse("defend rotate")))["d1"] == "yellow"


def test_eat_2_no_square_left_or_none_that_helps(games: Mapping[str, Labyria], tmp_path: Path) -> None:
    game = games["4"]
    two_ways = [*ATTACK[:-2], "dice 2 minus", "move d4 c3", "dice 1 skip", "dice 3 minus", "move c3 d1"]
    attacked = after(game, two_ways)  # no single square closes all ways from c3 to d1
    assert shown(attacked.play(game.parse("defend plus"))) == {"a1": "red*3", "d1": "yellow", "d4": "yellow*2"}
    emptied = after(game, [*ATTACK[:-2], "dice 3 minus"])._copy()
    emptied.depot = 0
    taken = emptied.play(game.parse("move d4 d1")).play(game.parse("defend plus"))
    assert shown(taken)["d1"] == "yellow"


def test_eat_4_evading(games: Mapping[str, Labyria]) -> None:
    game = games["2"]
    again = after(game, [*AGAIN, "defend cloak"])
    assert lists(again, "evade") == ["evade b1"]
    # From b2 with 2: by way of b1 only the goal; straight back is allowed only where nothing else is.
    goal = after(game, [*PLAYING, "dice 1 minus", "move a1 a2", "dice 1 minus", "move b2 a2", "defend cloak"])
    assert lists(goal, "evade") == ["evade b1"]
    locked = [*PLAYING, "dice 1 minus", "move a1 a2", "dice 1 plus", "add b1-b2", "move b2 a2", "defend cloak"]
    assert lists(after(game, locked), "evade") == ["evade b2"]  # it stays where it was
    stayed = after(game, [*locked, "evade b2"])
    assert (shown(stayed)["b2"], stayed.concerns) == ("yellow*3", 0)
    back = [*PLAYING, "dice 1 minus", "move a1 b1", "dice 2 plus", "add a1-b1", "move b2 a1"]
    assert after(game, back).scores == (0, 1)


def test_eat_4_the_own_field_where_the_number_leads_back(games: Mapping[str, Labyria]) -> None:
    game = games["4"]
    ways = [*PLAYING, "dice 4 minus", "move a1 d2", "dice 2 plus", "add c4-d4", "move d4 d2", "defend cloak"]
    assert lists(after(game, ways), "evade") == ["evade c3"]
    narrow = [
        *PLAYING,
        "dice 4 plus",
        "move a1 d2",
        "add c3-d3",
        "dice 2 plus",
        "add c4-d4",
        "move d4 d2",
        "defend cloak",
    ]
    position = after(game, narrow)
    assert lists(position, "evade") == ["evade d4"]
    assert clause(position, "evade d3") == "LAB-MOVE-2"


def test_eat_5_against_a_cloaked_attacker_no_square_helps(games: Mapping[str, Labyria]) -> None:
    game = games["4"]
    cloaked = after(game, [*ATTACK[:-2], "dice 3 cloak", "move d4 d1", "defend plus"])
    assert (cloaked.phase, shown(cloaked)["d1"]) == ("dice", "yellow")


def test_eat_5_every_way_over_fields_entered_again_has_to_be_closed(games: Mapping[str, Labyria]) -> None:
    position = after(games["2"], [*AGAIN, "defend plus"])
    assert lists(position, "shield") == ["shield a2-b2", "shield b1-b2"]


def test_end_1_all_figures_in_the_goal(games: Mapping[str, Labyria]) -> None:
    game = games["2"]
    way = [*PLAYING]
    for number in range(3):
        way += ["dice 2 plus" if number == 2 else "dice 2 minus", "move a1 b2", "dice 1 skip"]
    position = after(game, way[:-1])
    assert (position.turn, position.scores, position.winners) == (None, (3, 0), (0,))
    assert position.legal_actions() == []
    for text in ("done", "dice 1 plus", "add a1-a2", "move a1 a2"):
        assert clause(position, text) == "LAB-END-1"
