"""Series of any number of games: wins count first, then points (figures in the goal, symbols).

Made for Labyria and the Magic Labyrinth, where one player wins each game and the others' points say how far they came.
Who plays may change from game to game; a place is shared by those with equal wins and points.
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


class SeriesStanding(NamedTuple):
    """What one person has reached: points by game (None where they did not play), their sum, and games won.

    `place`: 1 for the best; equal wins and points share a place, and the next one is left out.
    """

    name: str
    games: tuple[int | None, ...]
    played: int
    wins: int
    points: int
    place: int


class Series(NamedTuple):
    """The games so far."""

    games: tuple[Outcome, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who took part, in the order in which they first did."""
        return tuple(dict.fromkeys(name for game in self.games for name in game.names))

    def after(self, ended: Outcome) -> Series:
        """The series with one more game.

        Raises:
            MatchError: one name twice, or nobody who won.
        """
        if len(set(ended.names)) < len(ended.names):
            raise MatchError("the players of a game in a series each need a name of their own")
        if not ended.winners:
            raise MatchError("a game in a series needs a winner")
        return Series((*self.games, ended))

    @property
    def standings(self) -> tuple[SeriesStanding, ...]:
        """The best first; of equal ones in the order in which they first took part."""
        points = {name: tuple(_points(game, name) for game in self.games) for name in self.names}
        sums = {name: sum(filter(None, row)) for name, row in points.items()}
        wins = {name: sum(_won(game, name) for game in self.games) for name in self.names}
        reached = {name: (wins[name], sums[name]) for name in self.names}
        ranked = sorted(self.names, key=reached.__getitem__, reverse=True)
        return tuple(
            SeriesStanding(
                name,
                points[name],
                sum(one is not None for one in points[name]),
                wins[name],
                sums[name],
                1 + sum(other > reached[name] for other in reached.values()),
            )
            for name in ranked
        )


def _points(game: Outcome, name: str) -> int | None:
    return game.scores[game.names.index(name)] if name in game.names else None


def _won(game: Outcome, name: str) -> bool:
    return name in game.names and game.names.index(name) in game.winners


def series_of(records: Sequence[Record], rules: Rules = load_game) -> Series:
    """The series of recorded games, by the time when they began; the records may come in any order.

    Raises:
        MatchError: no record, one twice, games that are not alike or not over, or a name twice in one.
        IllegalSequenceError, RecordTextError: a record breaks the rules or cannot be read.
    """
    games = in_order(records)
    if not games:
        raise MatchError("a series begins with a game; none is named")
    series, seen = Series(), set[str]()
    for record in games:
        if record.name in seen:
            raise MatchError(f"{record.name} is named twice; a game counts once in a series")
        seen.add(record.name)
        _check_alike(games[0], record)
        series = series.after(outcome(record, rules))
    return series


def _check_alike(first: Record, record: Record) -> None:
    if (record.game, record.options, record.set_file) != (first.game, first.options, first.set_file):
        raise MatchError(f"{first.name} and {record.name} are not the same game with the same options")


def as_text(series: Series) -> str:
    """The sheet for printing: place, name, points by game (`*` won, `-` not played), games, wins, points."""
    if not series.games:
        return "no game has been played\n"
    width = max(map(len, series.names))
    numbers = "  ".join(f"{number + 1:>4}" for number in range(len(series.games)))
    lines = [f"{'':>3}  {'':{width}}  {numbers}   games  wins  points"]
    for one in series.standings:
        cells = "  ".join(f"{_cell(series, one, number):>4}" for number in range(len(series.games)))
        lines.append(f"{one.place:>2}.  {one.name:{width}}  {cells}  {one.played:>6}  {one.wins:>4}  {one.points:>6}")
    return "\n".join(lines) + "\n"


def _cell(series: Series, one: SeriesStanding, number: int) -> str:
    points = one.games[number]
    return "-" if points is None else f"{points}*" if _won(series.games[number], one.name) else str(points)


def as_csv(series: Series) -> str:
    """The standings as comma-separated values with a line of headings; games not played are left empty."""
    games = (f"game {number + 1}" for number in range(len(series.games)))
    rows = ([one.place, one.name, *one.games, one.played, one.wins, one.points] for one in series.standings)
    return csv_text(["place", "player", *games, "played", "wins", "points"], rows)
