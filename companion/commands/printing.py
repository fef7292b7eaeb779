"""`companion print`: corner cards and the calibration chart, as PDF files to print at true size."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.charts import PRINTED
from calibration.printing import PaperError, cards_sheet, chart_sheet
from companion import failures
from companion.games.registry import load_game


def cards(game_name: str, paper: str, out: Path | None) -> int:
    """Writes the corner cards of a game; the exit status."""
    game = load_game(game_name)
    return _write(out or Path(f"cards-{game.name}.pdf"), cards_sheet(f"Corner cards: {game.name}", game.marker, paper))


def chart(paper: str, out: Path | None) -> int:
    """Writes the chart for `companion calibrate lens`; the exit status."""
    return _write(out or Path("chart.pdf"), chart_sheet(PRINTED, paper))


def _write(path: Path, content: bytes) -> int:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise PaperError(f"{path}: {error.strerror or error}") from error
    click.echo(f"{path}: print it at 100 %, and measure the ruler on it")
    return failures.SUCCESS
