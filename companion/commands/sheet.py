"""`companion sheet`: standings of an event, from the records of its games."""

from __future__ import annotations

from collections.abc import Sequence

import click

from companion import failures
from companion.commands.records import find_record, open_store
from companion.configuration import Configuration
from companion.games.registry import load_game
from companion.table import cups, matches, results, series
from companion.table.results import Period

KINDS = ("cup", "match", "series", "best")


def run(kind: str, names: Sequence[str], game: str, period: Period, as_csv: bool, configuration: Configuration) -> int:
    """Prints the sheet of a cup, a match or a series of the games named, or the best scores; the exit status."""
    if kind == "best":
        load_game(game)
        with open_store(configuration) as store:
            best = results.best_scores(store, game, period)
        click.echo(results.best_csv(best) if as_csv else results.best_text(best), nl=False)
        return failures.SUCCESS
    records = [find_record(name, configuration) for name in names]
    if kind == "cup":
        cup = cups.cup_of(records)
        text = cups.as_csv(cup) if as_csv else cups.as_text(cup)
    elif kind == "match":
        standings = matches.match_of(records)
        text = matches.as_csv(standings) if as_csv else matches.as_text(standings)
    else:
        games = series.series_of(records)
        text = series.as_csv(games) if as_csv else series.as_text(games)
    click.echo(text, nl=False)
    return failures.SUCCESS
