"""For every clause of Magic Triland a position in which it decides."""

from __future__ import annotations

import pytest

from companion.games.core import SetupError
from companion.games.magic_triland import TrilandPosition
from companion.games.magic_triland import items as things
from tests.games.triland_tables import GAME, after, arranged, clause, going, listed, start

FIRST = ["block 3 A1", "block 2 H1", "block 1 H8"]
DUEL_FIRST = ["block 3 H8", "block 3 A1", "block 2 H1"]
AWAY = {"light-blue": "B2", "light-yellow": "G2", "dark-yellow": "F3", "light-red": "G6", "dark-red": "F6"}
"""Dark-blue is at home; whoever is named stands alone."""
MET = {**AWAY, "light-red": "C2"}
SHARED = {**AWAY, "dark-blue": "B2"}
ALONE = {"light-blue": "B2"}
PLAIN = "3 3 1 3 3 3 3 3 3 4" + " 3" * 26
"""One terrace, with a hole at B2 and a step at D4."""
CLOSED = {**AWAY, "light-red": "C2", "dark-red": "C2"}


def trade(arrived: str, other: str, where: dict[str, str], carried: dict[str, str], **state: object) -> TrilandPosition:
    numbers = {"arrived": GAME.messengers.index(arrived), "other": GAME.messengers.index(other)}
    return arranged("basic", where, carried, **numbers, **state)


STRONG = trade("light-blue", "dark-red", {"light-blue": "C2", "dark-red": "C2"}, {"dark-red": "RG"}, phase="trade")
"""Height 2 is light: the light one chooses."""
WEAK = trade("light-blue", "dark-red", {"light-blue": "B2", "dark-red": "B2"}, {"dark-red": "RG"}, phase="trade")
"""Height 1 is dark: the one who stood there chooses."""
EQUAL = trade("light-blue", "light-red", {"light-blue": "B2", "light-red": "B2"}, {"light-red": "RG"}, phase="offer")
OWN = trade(
    "light-blue", "dark-blue", {"light-blue": "B2", "dark-blue": "B2"}, {"light-blue": "RRYBO", "dark-blue": "G"},
    phase="share",
)  # fmt: skip
SHORE = arranged("basic", {"light-blue": "~green"}, {"light-blue": "RYB"}, phase="pearl", arrived=0)
CARDS = arranged("master", {"light-blue": "B2"}, {"light-blue": "BOG"}, laid=((0, 0, 1, 2), (0,) * 4, (0,) * 4))


@pytest.mark.parametrize(
    ("broken", "position", "refused", "legal"),
    [
        ("TLD-SETUP-1", going("basic", 1, AWAY), "go red C2 1", "go light C2 1"),
        ("TLD-SETUP-1", going("basic-duel", 1, AWAY, player=0), "go light C2 1", "go blue C2 1"),
        ("TLD-SETUP-3", after(start("basic"), *FIRST, "block 3 B1", "block 1 G1", "block 2 G7"), "block 3 C1",
         "block 2 C1"),
        ("TLD-SETUP-4", start("basic"), "block 3 H1", "block 3 A1"),
        ("TLD-SETUP-4", after(start("basic"), FIRST[0]), "block 3 A1", "block 3 H1"),
        ("TLD-SETUP-4", start("basic-duel"), "block 3 B1", "block 3 H8"),
        ("TLD-SETUP-4", after(start("basic-duel"), *DUEL_FIRST[:2]), "block 3 H8", "block 1 H1"),
        ("TLD-SETUP-4", after(start("basic"), *FIRST), "block 1 H1", "block 1 C2"),
        ("TLD-SETUP-5", after(start("basic"), *FIRST), "cards 1 2", "block 1 C2"),
        ("TLD-SETUP-5", start("basic"), "go light C2 3", "block 1 A1"),
        ("TLD-SETUP-5", arranged("basic"), "block 1 A1", "cards 1 2"),
        ("TLD-CARD-1", CARDS, "cards 3 3", "cards 1 2"),
        ("TLD-CARD-1", CARDS, "go light C2 1", "cards 1 1"),
        ("TLD-CARD-1", CARDS, "forfeit", "cards 1 2"),
        ("TLD-CARD-1", going("basic", 1, AWAY), "cards 1 1", "go light C2 1"),
        ("TLD-CARD-2", arranged("basic", phase="pull", chance=True), "pull 1 3", "pull 0 3"),
        ("TLD-CARD-2", arranged("basic", phase="pull", chance=True), "cards 0 1", "pull 0 0"),
        ("TLD-CARD-2", arranged("basic", phase="pull", chance=True, decks=((2, 2, 2, 2), (3, 0, 3, 2), (2, 2, 2, 2))),
         "pull 0 1", "pull 0 2"),
        ("TLD-CARD-2", arranged("basic"), "pull 0 1", "cards 0 1"),
        ("TLD-CARD-3", CARDS, "cards 0=3 1", "cards 0=2 1"),
        ("TLD-CARD-3", arranged("basic", {}, {"light-blue": "BOG"}), "cards 0=1 1", "cards 0 1"),
        ("TLD-CARD-4", going("basic", 1, AWAY), "forfeit", "go light C2 1"),
        ("TLD-CARD-4", going("basic", 1, AWAY), "go light A1 2", "go light C2 1"),
        ("TLD-CARD-4", going("basic", 4, AWAY), "go light A1 2", "go light C2 1"),
        ("TLD-CARD-4", going("basic", 2, {}), "go dark A1 3", "forfeit"),
        ("TLD-LAND-1", going("basic", 1, AWAY), "go light D2 1", "go light C2 1"),
        ("TLD-LAND-1", going("basic", 4, AWAY), "go light C2 2", "go light C2 1"),
        ("TLD-LAND-3", going("basic", 2, {"light-yellow": "H1"}, {"light-yellow": "YB"}, player=1),
         "go light ~green 2", "go light G1 2"),
        ("TLD-LAND-3", going("basic", 6, {"light-yellow": "H1"}, {"light-yellow": "YB"}, player=1),
         "go light ~green 2", "go light ~green 6"),
        ("TLD-MOVE-1", going("basic", 1, AWAY), "go light F1 1", "go light C2 1"),
        ("TLD-MOVE-1", going("basic", 3, AWAY, moved=1), "go light C2 1", "go dark A1 3"),
        ("TLD-MOVE-1", SHORE, "go light B1 3", "keep"),
        ("TLD-MOVE-2", going("basic", 3, MET), "go light E2 3", "go light C3 3"),
        ("TLD-MOVE-3", going("basic", 1, CLOSED), "go light C2 1", "forfeit"),
        ("TLD-MOVE-3", going("basic", 3, {**CLOSED, "light-yellow": "C3"}), "go light C2 1", "go light C3 3"),
        ("TLD-MOVE-3", going("basic", 6, {**ALONE, "dark-blue": "B2"}, hills=PLAIN.replace("4", "3"), moved=2),
         "go light A1 6", "forfeit"),
        ("TLD-MOVE-4", going("basic", 1, AWAY), "go light ~purple 1", "go light C2 1"),
        ("TLD-MOVE-4", going("basic", 2, ALONE, hills=PLAIN.replace("4", "1")), "go light D4 2", "go light A1 2"),
        ("TLD-MOVE-5", going("basic", 3, {"light-blue": "A1"}), "go light @blue 3", "go dark A1 3"),
        ("TLD-MOVE-5", going("basic", 3, {"light-blue": "A1"}, {"light-blue": "BG"}), "go light @red 3",
         "go light @blue 3"),
        ("TLD-MOVE-5", going("basic", 3, {"light-blue": "@blue"}, {"light-blue": "BG"}), "go light A1 3",
         "go dark A1 3"),
        ("TLD-MOVE-6", going("basic", 2, AWAY), "go light B2 1", "go light B2 2"),
        ("TLD-MOVE-6", going("basic", 2, AWAY), "go light C2 0", "go light A1 2"),
        ("TLD-TRADE-1", STRONG, "go dark A1 3", "trade blue red"),
        ("TLD-TRADE-1", EQUAL, "forfeit", "offer red"),
        ("TLD-TRADE-1", going("basic", 1, AWAY), "trade blue red", "go light C2 1"),
        ("TLD-TRADE-2", STRONG, "trade red blue", "trade blue green"),
        ("TLD-TRADE-2", STRONG, "offer blue", "trade blue red"),
        ("TLD-TRADE-2", WEAK, "trade blue red", "trade red blue"),
        ("TLD-TRADE-3", EQUAL, "offer blue", "offer green"),
        ("TLD-TRADE-3", after(EQUAL, "offer green"), "offer green", "offer blue"),
        ("TLD-TRADE-3", EQUAL, "trade blue red", "offer red"),
        ("TLD-TRADE-4", OWN, "share RRYBOG/", "share RRYBO/G"),
        ("TLD-TRADE-4", OWN, "share RRRY/BOG", "share RRYB/OG"),
        ("TLD-TRADE-4", OWN, "offer red", "share G/RRYBO"),
        ("TLD-PEARL-1", SHORE, "cards 1 1", "pearl"),
        ("TLD-PEARL-1", going("basic", 1, AWAY), "pearl", "go light C2 1"),
        ("TLD-PEARL-1", CARDS, "keep", "cards 1 1"),
    ],
)  # fmt: skip
def test_the_clause_decides(broken: str, position: TrilandPosition, refused: str, legal: str) -> None:
    assert clause(position, refused) == broken
    assert refused not in listed(position)
    assert clause(position, legal) is None
    assert legal in listed(position)


@pytest.mark.parametrize(
    ("players", "options", "broken"),
    [
        (1, {}, "TLD-SETUP-1"),
        (4, {}, "TLD-SETUP-1"),
        (3, {"variant": "basic-duel"}, "TLD-SETUP-1"),
        (2, {"variant": "master"}, "TLD-SETUP-1"),
        (2, {"variant": "duel"}, "TLD-SETUP-1"),
        (3, {"variant": "master", "cards": "chance"}, "TLD-CARD-2"),
        (2, {"variant": "master-duel", "cards": "chance"}, "TLD-CARD-2"),
        (3, {"cards": "luck"}, "TLD-CARD-2"),
        (3, {"turns": 7}, "TLD-END-4"),
        (3, {"turns": "200"}, "TLD-END-4"),
    ],
)
def test_setup_1_variants_and_players(players: int, options: dict[str, object], broken: str) -> None:
    with pytest.raises(SetupError) as refused:
        GAME.new(players, options)
    assert refused.value.clause == broken


def test_setup_1_defaults_follow_from_the_players() -> None:
    assert [GAME.new(players).variant.name for players in (2, 3)] == ["basic-duel", "basic"]
    assert GAME.chosen_options(None, 2) == {"variant": "basic-duel", "cards": "tactical", "turns": 200}
    assert GAME.chosen_options({"variant": "master"}, 3)["variant"] == "master"
    with pytest.raises(SetupError, match=r"'speed'.*variant"):
        GAME.new(2, {"speed": 3})


@pytest.mark.parametrize(("variant", "rings"), [("basic", 3), ("master", 4), ("basic-duel", 3), ("master-duel", 4)])
def test_setup_2_messengers_begin_at_home_with_their_rings(variant: str, rings: int) -> None:
    position = start(variant)
    view = position.view().sites
    for number, name in enumerate(GAME.messengers):
        colour = name.split("-")[1]
        assert things.letters(position.items[number]) == colour[0].upper() * rings
        assert view[f"piece:{name}"] == f"@{colour}"
    owners = [
        [name for k, name in enumerate(GAME.messengers) if position.owner(k) == p] for p in range(position.players)
    ]
    if position.players == 3:
        assert owners == [[f"{shade}-{colour}" for shade in ("light", "dark")] for colour in ("blue", "yellow", "red")]
    else:
        assert owners == [[f"{shade}-{colour}" for colour in ("blue", "yellow", "red")] for shade in ("light", "dark")]


@pytest.mark.parametrize(("variant", "count"), [("basic", 2), ("master", 2), ("basic-duel", 3), ("master-duel", 3)])
def test_setup_3_and_5_all_blocks_are_set_then_the_journey_begins(variant: str, count: int) -> None:
    position = start(variant)
    assert all(stock == (0, *[count] * 6) for stock in position.blocks)
    for _ in range(36):
        assert position.phase == "landscape"
        position = position.play(position.legal_actions()[0])
    assert (position.phase, position.turn) == ("cards", 1 if "duel" in variant else 0)
    assert sorted(position.heights) == sorted([1, 2, 3, 4, 5, 6] * 6)


def test_card_1_all_cards_are_taken_up_after_the_round_in_which_all_are_laid() -> None:
    position = arranged("basic-duel", decks=((2, 2, 2, 2), (2, 2, 2, 2)))
    for turn in range(8):
        assert position.turn == (turn + 1) % 2
        assert sum(position.hands(position.player)[0]) == 8 - turn // 2 * 2
        position = position.play(min(position.legal_actions(), key=lambda cards: (cards.energy, str(cards))))
        while position.phase != "cards":
            position = position.play(position.legal_actions()[0])
    assert position.hands(0) == position.hands(1) == ((2, 2, 2, 2),)
    assert (position.turn, position.turns) == (1, 8)


def test_card_1_cards_are_laid_by_whoever_has_nobody_left_to_move() -> None:
    home = {"light-blue": "@blue", "dark-blue": "@blue"}
    position = arranged("basic", home, {"light-blue": "G", "dark-blue": "G"})
    laid = after(position, "cards 1 3")
    assert listed(laid) == ["forfeit"]
    assert after(laid, "forfeit").turn == 1
    assert after(position, "cards 0 0").turn == 1


def test_card_2_all_pull_from_the_cards_as_they_were() -> None:
    position = arranged("basic", phase="pull", chance=True, decks=((2, 2, 2, 2), (0, 3, 3, 2), (2, 2, 2, 2)))
    assert (position.turn, position.concerns) == (-1, 0)
    position = after(position, "pull 0 1", "pull 1 0")
    assert listed(position) == ["pull 2 0", "pull 2 1", "pull 2 2", "pull 2 3"]
    position = after(position, "pull 2 3")
    assert (position.phase, position.turn) == ("cards", 0)
    # Player 0 gets a 1 and gives a 3, player 1 gets a 0 and gives a 1, player 2 gets a 3 and gives a 0.
    assert [position.hands(player) for player in range(3)] == [((2, 3, 2, 1),), ((1, 2, 3, 2),), ((1, 2, 2, 3),)]


def test_card_3_pearls_count_on_the_way_and_at_home_once_a_colour() -> None:
    where = {"light-blue": "@blue", "dark-blue": "B2", "light-red": "G6"}
    position = arranged("master", where, {"light-blue": "GG", "dark-blue": "RG", "light-red": "RP"})
    assert [str(cards) for cards in position.legal_actions() if str(cards).startswith("cards 0 0")] == [
        "cards 0 0",
        "cards 0 0=1",
    ]
    assert "cards 0=1 0=1" in listed(position)
    duel = arranged("master-duel", where, {"light-blue": "GG", "light-red": "RP"}, player=0)
    assert duel.joker == 2
    assert after(duel, "cards 0=1 0=2").energy == 3


def test_card_4_a_rest_that_a_trade_leaves_unmovable_is_lost() -> None:
    """Dark stands in a hole; after light has come down, only the broadside is one step away."""
    where, hole = {"light-blue": "A1", "dark-blue": "E5"}, "3 " * 14 + "1" + " 3" * 21
    position = going("basic", 3, where, {"light-blue": "B", "dark-blue": "RB"}, hills=hole)
    assert {"go light E5 2", "go dark ~purple 1"} <= set(listed(position))
    met = after(position, "go light E5 2")
    assert (met.phase, met.turn) == ("share", 0)
    assert listed(after(met, "share B/RB")) == ["go dark ~purple 1"]
    lost = after(met, "share RB/B")
    assert listed(lost) == ["forfeit"]
    assert (after(lost, "forfeit").turn, after(lost, "forfeit").energy) == (1, 0)


def test_card_4_the_rest_may_be_moved_in_any_order_by_any_number() -> None:
    """Three messengers of a duel, each of which can only go 3 from home: 6 and 9 add up, 4 does not."""
    flat = " ".join(["3"] * 36)
    assert listed(going("basic-duel", 4, {}, hills=flat, player=0)) == ["forfeit"]
    three = going("basic-duel", 3, {}, hills=flat, player=0)
    assert listed(three) == ["go blue A1 3", "go red A1 3", "go yellow A1 3"]
    six = going("basic-duel", 6, {}, hills=flat, player=0)
    assert listed(six) == ["go blue A1 3", "go red A1 3", "go yellow A1 3"]
    two_there = going("basic-duel", 6, {"light-red": "A1", "dark-red": "A1"}, hills=flat, player=0)
    assert listed(two_there) == ["forfeit"]


def test_land_2_odd_heights_are_dark() -> None:
    assert (STRONG.turn, WEAK.turn) == (0, 2)
    dark = {"dark-blue": "B2", "light-red": "B2"}
    assert trade("dark-blue", "light-red", dark, {}, phase="trade").turn == 0


def test_move_3_coming_back_to_a_shared_terrace_is_a_new_meeting() -> None:
    position = going("basic", 2, SHARED)
    assert "go light B2 2" in listed(position)
    assert after(position, "go light B2 2").phase == "share"


def test_move_4_either_rings_or_the_pearl_open_a_broadside_to_any_number() -> None:
    shore = {"light-blue": "B2", "light-red": "~purple", "dark-red": "~purple", "light-yellow": "~purple"}
    for carried in ("RB", "P"):
        position = going("basic", 2, shore, {"light-blue": carried})
        assert {"go light D4 2", "go light B2 2"} <= set(listed(position))
        arrived = after(going("basic", 1, shore, {"light-blue": carried}), "go light ~purple 1")
        assert arrived.phase == ("pearl" if carried == "RB" else "cards")


def test_move_5_nobody_trades_at_home() -> None:
    where = {"light-blue": "A1", "dark-blue": "@blue"}
    position = after(going("basic", 3, where, {"light-blue": "G", "dark-blue": "G"}), "go light @blue 3")
    assert (position.phase, position.back) == ("cards", 0b11)


def items(position: TrilandPosition, name: str) -> str:
    return things.letters(position.items[GAME.messengers.index(name)])


def test_trade_1_and_2_one_thing_for_one_thing() -> None:
    traded = after(STRONG, "trade blue green")
    assert (items(traded, "light-blue"), items(traded, "dark-red")) == ("BBG", "RB")
    other = after(WEAK, "trade green blue")
    assert (items(other, "light-blue"), items(other, "dark-red")) == ("BBG", "RB")
    same = trade("light-blue", "dark-red", {"light-blue": "C2", "dark-red": "C2"}, {"dark-red": "B"}, phase="trade")
    assert listed(same) == ["trade blue blue"]
    assert after(same, "trade blue blue").items == same.items


def test_trade_3_the_one_who_stood_there_offers_first() -> None:
    assert EQUAL.turn == 2
    offered = after(EQUAL, "offer green")
    assert offered.turn == 0
    assert listed(offered) == ["offer blue"]  # what it carried before
    traded = after(offered, "offer blue")
    assert (items(traded, "light-blue"), items(traded, "light-red")) == ("BBG", "RB")


def test_trade_4_limits_bind_only_a_new_division() -> None:
    much = trade(
        "light-blue", "dark-blue", {"light-blue": "B2", "dark-blue": "B2"},
        {"light-blue": "RRRRY", "dark-blue": "OOGP"}, phase="share",
    )  # fmt: skip
    assert "share RRRRY/OGPO" not in listed(much)
    assert "share RRRRY/OOGP" in listed(much)
    assert "share RRRRYO/OGP" not in listed(much)
    assert "share OGP/RRRRYO" not in listed(much)
    assert "share RRRR/YOOGP" not in listed(much)
    assert "share RRRRO/YOGP" in listed(much)


def test_pearl_1_two_rings_become_a_pearl() -> None:
    made = after(SHORE, "pearl")
    assert items(made, "light-blue") == "RG"
    assert made.pearls[things.KIND["green"]] == 3
    assert after(SHORE, "keep").items == SHORE.items
    where, carried = {"light-blue": "A1"}, {"light-blue": "YB"}
    none_left = going("basic", 3, where, carried, pearls=(0, 0, 0, 4, 0, 4))
    assert after(none_left, "go light ~green 3").phase == "cards"
    assert after(going("basic", 3, where, carried), "go light ~green 3").phase == "pearl"


def home(variant: str, name: str, carried: dict[str, str], already: str = "", **state: object) -> TrilandPosition:
    """The messenger comes home with what it carries; `already` is there with what it carries."""
    colour = name.split("-")[1]
    cell = {"blue": "A1", "yellow": "H1", "red": "H8"}[colour]
    where = {name: cell, **({already: f"@{already.split('-')[1]}"} if already else {})}
    energy = {"blue": 3, "yellow": 2, "red": 1}[colour]
    position = going(variant, energy, where, carried, **state)
    position.player = position.owner(GAME.messengers.index(name))
    return after(position, f"go {position.name(GAME.messengers.index(name))} @{colour} {energy}")


@pytest.mark.parametrize(
    ("name", "carried", "won"),
    [("light-blue", "BO", True), ("light-blue", "GPP", False), ("dark-yellow", "P", True), ("light-red", "YG", True),
     ("light-red", "OP", False)],
)  # fmt: skip
def test_end_1_basic_the_pearl_from_opposite_wins(name: str, carried: str, won: bool) -> None:
    position = home("basic", name, {name: carried})
    assert position.over == won
    if won:
        assert position.winners == (position.owner(GAME.messengers.index(name)),)
        assert clause(position, "cards 1 1") == clause(position, "forfeit") == "TLD-END-1"


def test_end_1_a_winning_move_needs_a_rest_that_can_be_moved() -> None:
    where, carried = {"light-blue": "A1", "dark-blue": "B2"}, {"light-blue": "O"}
    position = going("basic", 4, where, carried)
    assert clause(position, "go light @blue 3") is None
    won = after(position, "go light @blue 3")
    assert (won.over, won.winners) == (True, (0,))
    stuck = going("basic", 4, {**where, "dark-blue": "@blue"}, carried)
    assert clause(stuck, "go light @blue 3") == "TLD-CARD-4"


def test_end_2_master_all_three_colours_in_the_own_home() -> None:
    assert not home("master", "light-blue", {"light-blue": "OG"}).over
    alone = home("master", "light-blue", {"light-blue": "OGP"})
    both = home("master", "light-blue", {"light-blue": "OG", "dark-blue": "PP"}, already="dark-blue")
    for position in (alone, both):
        assert position.winners == (0,)
        assert clause(position, "forfeit") == "TLD-END-2"


def test_end_3_duels() -> None:
    basic = home("basic-duel", "dark-yellow", {"dark-yellow": "P"})
    master = home("master-duel", "dark-yellow", {"dark-yellow": "P", "light-yellow": "OG"}, already="light-yellow")
    for position in (basic, master):
        assert position.winners == (1,)
        assert clause(position, "forfeit") == "TLD-END-3"
    assert not home("basic-duel", "dark-yellow", {"dark-yellow": "OG"}).over
    elsewhere = {"dark-yellow": "P", "light-blue": "OG"}
    assert not home("master-duel", "dark-yellow", elsewhere, already="light-blue").over


def test_end_4_everybody_home_or_too_many_turns() -> None:
    others = {f"{shade}-{colour}": f"@{colour}" for shade in ("light", "dark") for colour in ("blue", "yellow", "red")}
    carried = {name: "GP" if "blue" in name else "O" for name in others}
    position = going("basic", 3, {**others, "light-blue": "A1"}, carried)
    drawn = after(position, "go light @blue 3")
    assert (drawn.over, drawn.winners) == (True, ())
    assert drawn.scores == (4, 2, 2)
    assert clause(drawn, "forfeit") == "TLD-END-4"
    last = arranged("basic", turns=199)
    assert after(last, "cards 0 0").over
    assert after(last, "cards 0 0").winners == ()
    assert not after(arranged("basic", turns=198), "cards 0 0").over
    assert after(arranged("basic", turns=99, limit=100), "cards 0 0").over
    won = after(going("basic", 3, {"light-blue": "A1"}, {"light-blue": "O"}, turns=199), "go light @blue 3")
    assert won.winners == (0,)


def test_cup_1_points() -> None:
    position = home("basic", "light-blue", {"light-blue": "BOOG", "dark-blue": "GP", "light-red": "GGP"}, "dark-blue")
    assert position.scores == (2 + 2 + 2 + 1 + 1 + 1, 0, 2 + 2 + 1)
    away = after(
        going("basic", 3, {"light-blue": "A1", "dark-red": "C2"}, {"light-blue": "O", "dark-red": "G"}),
        "go light @blue 3",
    )
    assert away.scores == (4, 0, 0)
    duel = home("master-duel", "dark-yellow", {"dark-yellow": "PG", "light-yellow": "OP"}, already="light-yellow")
    assert duel.scores == (1 + 2, 2 + 1 + 2)
    assert start("basic").scores == (0, 0, 0)
    assert home("basic", "light-blue", {"light-blue": "GP"}).scores == (0, 0, 0)  # not over
