"""Matches of two games: the points are added, and a tie goes by what breaks ties in the second game (VIA-SCORE-3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.games.registry import load_game
from companion.table.errors import MatchError
from companion.table.record import Record, in_order
from companion.table.replay import Rules, replay
from companion.table.sheets import csv_text, table_text

GAMES: Final = 2
"""Games in a match."""

HEADINGS: Final = ("player", *(f"game {number + 1}" for number in range(GAMES)), "points", "tie break", "won")


class Outcome(NamedTuple):
    """How one game ended, by the order of play: points, and what decides between equal ones (the castle of VIA).

    `winners`: who won, by their numbers in the order of play.
    """

    names: tuple[str, ...]
    scores: tuple[int, ...]
    tie_break: tuple[int, ...]
    winners: tuple[int, ...] = ()


class Standing(NamedTuple):
    """What one person has reached in a match; `tie_break` is that of the last game. Shared wins are wins."""

    name: str
    games: tuple[int, ...]
    points: int
    tie_break: int
    won: bool


def match_of(records: Sequence[Record], rules: Rules = load_game) -> tuple[Standing, ...]:
    """The standings of a match, from the records of its games in any order; who begins and sits where may differ.

    Raises:
        MatchError: other than two games, games that are not alike, not by the same people, or not over.
        IllegalSequenceError, RecordTextError: a record breaks the rules or cannot be read.
    """
    games = in_order(records)
    for record in games[1:]:
        first = games[0]
        if (record.game, record.options, record.set_file) != (first.game, first.options, first.set_file):
            raise MatchError(f"{first.name} and {record.name} are not the same game with the same options")
    return match([outcome(record, rules) for record in games])


def outcome(record: Record, rules: Rules = load_game) -> Outcome:
    """How a recorded game ended.

    Raises:
        MatchError: it is not over.
    """
    last = None
    for _, position in replay(record, rules):
        last = position
    if last is None or not last.over:
        raise MatchError(f"{record.name} is not over; a match counts games that were played to their end")
    return Outcome(tuple(player.name for player in record.players), last.scores, last.tie_break, last.winners)


def match(outcomes: Sequence[Outcome]) -> tuple[Standing, ...]:
    """The standings, the best first; of equal ones in the order of play of the first game.

    Raises:
        MatchError: other than two games, or not by the same people.
    """
    if len(outcomes) != GAMES:
        raise MatchError(f"a match has {GAMES} games, not {len(outcomes)}")
    names = outcomes[0].names
    if any(sorted(one.names) != sorted(names) for one in outcomes) or len(set(names)) < len(names):
        raise MatchError("the games of a match are played by the same people, each with a name of their own")
    points = {name: tuple(one.scores[one.names.index(name)] for one in outcomes) for name in names}
    last = dict(zip(outcomes[-1].names, outcomes[-1].tie_break, strict=True))
    best = max((sum(points[name]), last[name]) for name in names)
    standings = [
        Standing(name, points[name], sum(points[name]), last[name], (sum(points[name]), last[name]) == best)
        for name in names
    ]
    return tuple(sorted(standings, key=lambda one: (-one.points, -one.tie_break)))


def as_csv(standings: Sequence[Standing]) -> str:
    """The standings as comma-separated values with a line of headings."""
    return csv_text(HEADINGS, ([one.name, *one.games, one.points, one.tie_break, int(one.won)] for one in standings))


def as_text(standings: Sequence[Standing]) -> str:
    """The sheet for printing: `*` marks who won."""
    rows = ([one.name, *one.games, one.points, one.tie_break, "*" if one.won else ""] for one in standings)
    return table_text(HEADINGS, rows)
