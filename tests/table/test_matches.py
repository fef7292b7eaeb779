"""Matches of two games: points added, a tie decided by the castle of the second game."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from companion.games.registry import load_game
from companion.table.errors import MatchError
from companion.table.matches import Outcome, as_csv, match, match_of, outcome
from companion.table.record import Record
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store
from tests.table.playing import Clock

VIA = load_game("via")
ADA, BEN, CEM = (Player(name, seat, "blue", "circle") for seat, name in enumerate(("Ada", "Ben", "Cem")))


def test_score_3_the_points_of_both_games_are_added() -> None:
    first = Outcome(("Ada", "Ben"), (12, 20), (9, 3))
    second = Outcome(("Ben", "Ada"), (11, 16), (4, 0))
    assert [(s.name, s.games, s.points, s.won) for s in match([first, second])] == [
        ("Ben", (20, 11), 31, True),
        ("Ada", (12, 16), 28, False),
    ]


def test_score_3_a_tie_goes_by_the_castle_of_the_second_game() -> None:
    first = Outcome(("Ada", "Ben", "Cem"), (12, 20, 25), (9, 3, 8))
    second = Outcome(("Ben", "Cem", "Ada"), (11, 6, 19), (4, 7, 0))
    assert [(s.name, s.points, s.tie_break, s.won) for s in match([first, second])] == [
        ("Cem", 31, 7, True),
        ("Ben", 31, 4, False),
        ("Ada", 31, 0, False),
    ]
    other_way = match([second, first])
    assert [(s.name, s.won) for s in other_way] == [("Ada", True), ("Cem", False), ("Ben", False)]


def test_score_3_what_is_still_equal_is_shared() -> None:
    standings = match([Outcome(("Ada", "Ben"), (5, 7), (0, 1)), Outcome(("Ada", "Ben"), (9, 7), (3, 3))])
    assert [(s.name, s.points, s.won) for s in standings] == [("Ada", 14, True), ("Ben", 14, True)]
    lower_castle = match([Outcome(("Ada", "Ben"), (5, 7), (0, 9)), Outcome(("Ada", "Ben"), (9, 6), (1, 8))])
    assert [(s.name, s.won) for s in lower_castle] == [("Ada", True), ("Ben", False)]


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ([Outcome(("Ada", "Ben"), (5, 7), (0, 1))], "has 2 games, not 1"),
        ([Outcome(("Ada", "Ben"), (5, 7), (0, 1))] * 3, "has 2 games, not 3"),
        ([], "has 2 games, not 0"),
        ([Outcome(("Ada", "Ben"), (5, 7), (0, 1)), Outcome(("Ada", "Cem"), (5, 7), (0, 1))], "the same people"),
        (
            [Outcome(("Ada", "Ben"), (5, 7), (0, 1)), Outcome(("Ada", "Ben", "Cem"), (5, 7, 1), (0, 1, 2))],
            "same people",
        ),
        ([Outcome(("Ada", "Ada"), (5, 7), (0, 1))] * 2, "a name of their own"),
    ],
)
def test_what_is_no_match_is_refused(outcomes: list[Outcome], words: str) -> None:
    with pytest.raises(MatchError, match=words):
        match(outcomes)


def played(store: Store, players: tuple[Player, ...], seed: int, stamp: float, actions: int | None = None) -> Record:
    """A random game of VIA on record."""
    chance = random.Random(seed)
    session = Session.create(store, VIA, players, clock=Clock(stamp))
    while not session.position.over and (actions is None or len(session.played) < actions):
        session.apply([chance.choice(sorted(session.position.legal_actions(), key=str))], By.HAND)
    return store.record(session.name)


def test_a_match_of_recorded_games(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        first = played(store, (ADA, BEN), 3, 1_700_000_000.0)
        second = played(store, (BEN, ADA), 4, 1_700_100_000.0)
        third = played(store, (ADA, CEM), 5, 1_700_200_000.0)
        unfinished = played(store, (ADA, BEN), 6, 1_700_300_000.0, actions=30)
    a, b = outcome(first), outcome(second)
    assert (a.names, b.names) == (("Ada", "Ben"), ("Ben", "Ada"))
    assert first.ending is not None
    assert a.scores == first.ending.scores
    standings = {one.name: one for one in match_of([second, first])}
    assert standings["Ada"].games == (a.scores[0], b.scores[1])
    assert standings["Ben"].games == (a.scores[1], b.scores[0])
    assert standings["Ben"].tie_break == b.tie_break[0]
    with pytest.raises(MatchError, match="same people"):
        match_of([first, third])
    with pytest.raises(MatchError, match=f"{unfinished.name} is not over"):
        match_of([first, unfinished])


def test_games_with_other_options_make_no_match(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        first = played(store, (ADA, BEN), 3, 1_700_000_000.0, actions=1)
        session = Session.create(store, VIA, (ADA, BEN), {"free_water": True}, clock=Clock(1_700_100_000.0))
        other = store.record(session.name)
    with pytest.raises(MatchError, match=f"{first.name} and {other.name} are not the same game"):
        match_of([first, other])


def test_standings_as_a_table() -> None:
    standings = match([Outcome(("Ada", "Ben, B."), (5, 7), (0, 1)), Outcome(("Ada", "Ben, B."), (9, 7), (4, 3))])
    assert list(csv.reader(io.StringIO(as_csv(standings)))) == [
        ["player", "game 1", "game 2", "points", "tie break", "won"],
        ["Ada", "5", "9", "14", "4", "1"],
        ["Ben, B.", "7", "7", "14", "3", "0"],
    ]
