"""Cups of Magic Triland: as many games as players, each begun by another one, in the duels with the shades exchanged.

The participants are numbered as they play in the first game; in game g (from 0) player k is participant (k + g) mod n
(TLD-CUP-1). The points of all games are added; equal sums share the cup.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.registry import load_game
from companion.table.errors import MatchError
from companion.table.matches import Outcome, outcome
from companion.table.record import Record, in_order
from companion.table.replay import Rules
from companion.table.sheets import csv_text

GAME = "magic_triland"


class CupStanding(NamedTuple):
    """What one participant has reached: points by game so far, and their sum; `won` only once the cup is over."""

    name: str
    games: tuple[int, ...]
    points: int
    won: bool


class Cup(NamedTuple):
    """The sheet of a cup: participants in the order of play of the first game, and the points of the games so far."""

    names: tuple[str, ...]
    games: tuple[tuple[int, ...], ...] = ()
    """For each game, the points by participant."""

    @property
    def over(self) -> bool:
        """Whether all games are played."""
        return len(self.games) == len(self.names)

    def order(self, game: int) -> tuple[str, ...]:
        """The participants in the order of play of that game (from 0)."""
        count = len(self.names)
        return tuple(self.names[(player + game) % count] for player in range(count))

    def after(self, ended: Outcome) -> Cup:
        """The sheet with one more game.

        Raises:
            MatchError: the cup is over, or the game was not played by the participants in the order that is due.
        """
        number = len(self.games)
        if self.over:
            raise MatchError(f"a cup of {len(self.names)} has {len(self.names)} games, not more")
        if ended.names != self.order(number):
            due, was = ", ".join(self.order(number)), ", ".join(ended.names)
            raise MatchError(f"game {number + 1} is played in the order {due}, not {was}")
        points = dict(zip(ended.names, ended.scores, strict=True))
        return self._replace(games=(*self.games, tuple(points[name] for name in self.names)))

    @property
    def standings(self) -> tuple[CupStanding, ...]:
        """The best first; of equal ones in the order of play of the first game."""
        columns = [tuple(game[k] for game in self.games) for k in range(len(self.names))]
        best = max(map(sum, columns))
        table = [
            CupStanding(name, points, sum(points), self.over and sum(points) == best)
            for name, points in zip(self.names, columns, strict=True)
        ]
        return tuple(sorted(table, key=lambda one: -one.points))


def begin(names: Sequence[str]) -> Cup:
    """The empty sheet of a cup; `names` in the order of play of its first game.

    Raises:
        MatchError: other than two or three people, or one name twice.
    """
    if len(names) not in (2, 3) or len(set(names)) < len(names):
        raise MatchError("a cup is for two or three people, each with a name of their own")
    return Cup(tuple(names))


def cup_of(records: Sequence[Record], rules: Rules = load_game) -> Cup:
    """The sheet from the records of the games played so far, in any order.

    Raises:
        MatchError: no record, games that are not alike or not over, or that are not played in turn by the same people.
        IllegalSequenceError, RecordTextError: a record breaks the rules or cannot be read.
    """
    games = in_order(records)
    if not games:
        raise MatchError("a cup begins with a game; none is named")
    for record in games:
        _check_alike(games[0], record)
    cup = begin([player.name for player in games[0].players])
    for record in games:
        cup = cup.after(outcome(record, rules))
    return cup


def _check_alike(first: Record, record: Record) -> None:
    if record.game != GAME:
        raise MatchError(f"{record.name} is a game of {record.game}; cups are played in {GAME}")
    if (record.options, record.set_file) != (first.options, first.set_file):
        raise MatchError(f"{first.name} and {record.name} are not played with the same options")
    if record.ending is None or record.ending.given_up:
        raise MatchError(f"{record.name} is not over; a cup counts games that were played to their end")


def as_text(cup: Cup) -> str:
    """The sheet for printing: who plays in which order, the points by game, and the sums."""
    width = max(map(len, cup.names))
    games = range(len(cup.names))
    lines = [f"{'':{width}}  {'  '.join(f'{number + 1:>3}' for number in games)}    sum"]
    for one in cup.standings:
        cells = "  ".join(f"{one.games[k] if k < len(one.games) else '-':>3}" for k in games)
        lines.append(f"{one.name:{width}}  {cells}  {one.points:>5}{' *' if one.won else ''}")
    lines += ["", *(f"{number + 1}: {', '.join(cup.order(number))}" for number in games)]
    return "\n".join(lines) + "\n"


def as_csv(cup: Cup) -> str:
    """The standings as comma-separated values with a line of headings."""
    headings = ["player", *(f"game {number + 1}" for number in range(len(cup.games))), "points", "won"]
    return csv_text(headings, ([one.name, *one.games, one.points, int(one.won)] for one in cup.standings))
