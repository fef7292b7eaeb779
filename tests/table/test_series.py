"""Series of games: wins first, then points; people who come and go; sheets."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from companion.games.registry import load_game
from companion.table.errors import MatchError
from companion.table.matches import Outcome
from companion.table.record import Record
from companion.table.series import Series, SeriesStanding, as_csv, as_text, series_of
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store
from tests.table.playing import Clock

LABYRINTH = load_game("magic_labyrinth")
ADA, BEN, CEM = (Player(name, seat, "red", "circle") for seat, name in enumerate(("Ada", "Ben", "Cem")))


def ended(names: str, scores: tuple[int, ...], *winners: int) -> Outcome:
    return Outcome(tuple(names.split()), scores, (0,) * len(scores), winners)


EVENING = (
    Series()
    .after(ended("Ada Ben Cem", (4, 3, 0), 0))
    .after(ended("Ben Ada", (5, 4), 0))
    .after(ended("Ada Ben Dea", (1, 2, 4), 2))
)


def test_wins_count_first_and_then_points() -> None:
    assert EVENING.standings == (
        SeriesStanding("Ben", (3, 5, 2), 3, 1, 10, 1),
        SeriesStanding("Ada", (4, 4, 1), 3, 1, 9, 2),
        SeriesStanding("Dea", (None, None, 4), 1, 1, 4, 3),
        SeriesStanding("Cem", (0, None, None), 1, 0, 0, 4),
    )
    one_win = Series().after(ended("Ada Ben", (5, 0), 0)).after(ended("Ada Ben", (4, 5), 1))
    assert [(one.name, one.wins, one.points) for one in one_win.standings] == [("Ada", 1, 9), ("Ben", 1, 5)]
    more_wins = one_win.after(ended("Ben Ada", (5, 4), 0))
    assert [(one.name, one.wins, one.points) for one in more_wins.standings] == [("Ben", 2, 10), ("Ada", 1, 13)]


def test_equal_wins_and_points_share_a_place() -> None:
    series = Series().after(ended("Cem Ada Ben", (4, 2, 1), 0)).after(ended("Ada Cem Ben", (4, 2, 3), 0))
    assert [(one.name, one.place) for one in series.standings] == [("Cem", 1), ("Ada", 1), ("Ben", 3)]


def test_a_shared_win_counts_for_everyone_who_has_it() -> None:
    series = Series().after(ended("Ada Ben Cem", (7, 7, 1), 0, 1))
    assert [(one.name, one.wins) for one in series.standings] == [("Ada", 1), ("Ben", 1), ("Cem", 0)]


def test_games_that_cannot_count() -> None:
    with pytest.raises(MatchError, match="a name of their own"):
        Series().after(ended("Ada Ada", (1, 5), 1))
    with pytest.raises(MatchError, match="needs a winner"):
        Series().after(ended("Ada Ben", (1, 4)))


def test_sheets() -> None:
    assert list(csv.reader(io.StringIO(as_csv(EVENING)))) == [
        ["place", "player", "game 1", "game 2", "game 3", "played", "wins", "points"],
        ["1", "Ben", "3", "5", "2", "3", "1", "10"],
        ["2", "Ada", "4", "4", "1", "3", "1", "9"],
        ["3", "Dea", "", "", "4", "1", "1", "4"],
        ["4", "Cem", "0", "", "", "1", "0", "0"],
    ]
    assert as_text(EVENING).splitlines() == [
        "             1     2     3   games  wins  points",
        " 1.  Ben     3    5*     2       3     1      10",
        " 2.  Ada    4*     4     1       3     1       9",
        " 3.  Dea     -     -    4*       1     1       4",
        " 4.  Cem     0     -     -       1     0       0",
    ]
    assert as_text(Series()) == "no game has been played\n"
    assert as_csv(Series()) == "place,player,played,wins,points\n"


def played(
    store: Store, players: tuple[Player, ...], seed: int, stamp: float, most: int = 5000, **options: bool
) -> Record:
    """A random game of the Magic Labyrinth on record, or its beginning."""
    chance = random.Random(seed)
    session = Session.create(store, LABYRINTH, players, options, clock=Clock(stamp))
    actions = []
    position = session.position
    while not position.over and len(actions) < most:
        actions.append(chance.choice(position.legal_actions()))
        position = position.play(actions[-1])
    session.apply(actions, By.HAND)
    return store.record(session.name)


def test_a_series_of_recorded_games(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        first = played(store, (ADA, BEN), 3, 1_700_000_000.0)
        second = played(store, (BEN, CEM, ADA), 4, 1_700_100_000.0)
        short = played(store, (ADA, BEN), 5, 1_700_200_000.0, most=40)
        other = played(store, (ADA, BEN), 6, 1_700_300_000.0, may_stop=True)
    series = series_of([second, first])
    assert series.names == ("Ada", "Ben", "Cem")
    assert first.ending is not None
    assert second.ending is not None
    by_name = {one.name: one for one in series.standings}
    assert by_name["Ada"].games == (first.ending.scores[0], second.ending.scores[2])
    assert by_name["Cem"].games == (None, second.ending.scores[1])
    winners = [("Ada", "Ben")[first.ending.winners[0]], ("Ben", "Cem", "Ada")[second.ending.winners[0]]]
    assert {name: one.wins for name, one in by_name.items()} == {name: winners.count(name) for name in by_name}
    assert sorted(points for one in by_name.values() for points in one.games if points is not None)[-2:] == [4, 5]
    with pytest.raises(MatchError, match=f"{short.name} is not over"):
        series_of([first, short])
    with pytest.raises(MatchError, match=f"{first.name} and {other.name} are not the same game"):
        series_of([other, first])
    with pytest.raises(MatchError, match=f"{first.name} is named twice"):
        series_of([first, first])
    with pytest.raises(MatchError, match="none is named"):
        series_of([])
