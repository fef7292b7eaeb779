"""Cups of Magic Triland: who plays when as whom, points added, sheets."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.registry import load_game
from companion.table.cups import CupStanding, as_csv, as_text, begin, cup_of
from companion.table.errors import MatchError
from companion.table.matches import Outcome
from companion.table.record import Record
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store
from tests.table.playing import Clock

TRILAND = load_game("magic_triland")
PEOPLE = {name: Player(name, seat, "blue", "circle") for seat, name in enumerate(("Ada", "Ben", "Cem"))}


def ended(names: str, *scores: int) -> Outcome:
    return Outcome(tuple(names.split()), scores, (0,) * len(scores))


def test_cup_1_three_games_with_another_first_player_each() -> None:
    cup = begin(["Ada", "Ben", "Cem"])
    assert [cup.order(game) for game in range(3)] == [
        ("Ada", "Ben", "Cem"),
        ("Ben", "Cem", "Ada"),
        ("Cem", "Ada", "Ben"),
    ]
    for game in (ended("Ada Ben Cem", 4, 0, 1), ended("Ben Cem Ada", 3, 5, 0), ended("Cem Ada Ben", 0, 2, 0)):
        assert not cup.over
        assert not any(one.won for one in cup.standings)
        cup = cup.after(game)
    assert cup.over
    assert cup.standings == (
        CupStanding("Ada", (4, 0, 2), 6, True),
        CupStanding("Cem", (1, 5, 0), 6, True),
        CupStanding("Ben", (0, 3, 0), 3, False),
    )


def test_cup_1_two_games_with_the_shades_exchanged() -> None:
    cup = begin(["Ada", "Ben"]).after(ended("Ada Ben", 4, 1)).after(ended("Ben Ada", 2, 0))
    assert cup.over
    assert [(one.name, one.points, one.won) for one in cup.standings] == [("Ada", 4, True), ("Ben", 3, False)]


@pytest.mark.parametrize(
    ("names", "games", "words"),
    [
        (["Ada"], [], "two or three people"),
        (["Ada", "Ben", "Cem", "Dea"], [], "two or three people"),
        (["Ada", "Ada"], [], "a name of their own"),
        (["Ada", "Ben"], [ended("Ben Ada", 1, 0)], "game 1 is played in the order Ada, Ben, not Ben, Ada"),
        (["Ada", "Ben"], [ended("Ada Ben", 1, 0)] * 2, "game 2 is played in the order Ben, Ada"),
        (["Ada", "Ben"], [ended("Ada Ben Cem", 1, 0, 0)], "not Ada, Ben, Cem"),
        (["Ada", "Ben"], [ended("Ada Ben", 1, 0), ended("Ben Ada", 1, 0), ended("Ada Ben", 1, 0)], "2 games, not more"),
    ],
)
def test_what_is_no_cup_is_refused(names: list[str], games: list[Outcome], words: str) -> None:
    with pytest.raises(MatchError, match=words):  # noqa: PT012 - any of the steps
        cup = begin(names)
        for game in games:
            cup = cup.after(game)


def test_sheets() -> None:
    cup = begin(["Ada", "Ben, B."]).after(Outcome(("Ada", "Ben, B."), (1, 4), (0, 0)))
    assert as_text(cup) == (
        "           1    2    sum\n"
        "Ben, B.    4    -      4\n"
        "Ada        1    -      1\n"
        "\n"
        "1: Ada, Ben, B.\n"
        "2: Ben, B., Ada\n"
    )  # fmt: skip
    assert list(csv.reader(io.StringIO(as_csv(cup)))) == [
        ["player", "game 1", "points", "won"],
        ["Ben, B.", "4", "4", "0"],
        ["Ada", "1", "1", "0"],
    ]
    over = cup.after(Outcome(("Ben, B.", "Ada"), (0, 4), (0, 0)))
    assert "Ada        1    4      5 *\n" in as_text(over)


def played(store: Store, names: str, seed: int, stamp: float, actions: int | None = None, **options: object) -> Record:
    """A random game on record, drawn after 100 turns unless somebody wins."""
    chance = random.Random(seed)
    players = tuple(PEOPLE[name] for name in names.split())
    session = Session.create(store, TRILAND, players, {"turns": 100, **options}, clock=Clock(stamp))
    while not session.position.over and (actions is None or len(session.played) < actions):
        legal = sorted(session.position.legal_actions(), key=str)
        good = [action for action in legal if "@" in str(action) or str(action) == "pearl"]
        session.apply([chance.choice(good or legal)], By.HAND)
    return store.record(session.name)


def test_a_cup_of_recorded_games(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        first = played(store, "Ada Ben", 3, 1_700_000_000.0)
        second = played(store, "Ben Ada", 4, 1_700_100_000.0)
        wrong = played(store, "Ada Ben", 5, 1_700_200_000.0)
        other = played(store, "Ben Ada", 5, 1_700_300_000.0, variant="master-duel")
        unfinished = played(store, "Ben Ada", 6, 1_700_400_000.0, actions=30)
    assert first.ending is not None
    assert second.ending is not None
    cup = cup_of([second, first])
    assert cup.over
    assert cup.games == (first.ending.scores, second.ending.scores[::-1])
    assert not cup_of([first]).over
    for records, words in [
        ([], "none is named"),
        ([first, wrong], "game 2 is played in the order Ben, Ada"),
        ([first, other], f"{first.name} and {other.name} are not played with the same options"),
        ([first, unfinished], f"{unfinished.name} is not over"),
        ([replace(first, game="via")], "is a game of via"),
    ]:
        with pytest.raises(MatchError, match=words):
            cup_of(records)
