"""The command line: options and arguments of each command; what a command does is in `companion.commands`.

Nothing but click is imported here, so that `companion --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion import failures
from companion.arguments import (
    camera_option,
    configuration_of,
    json_option,
    lights_option,
    names_of,
    options_option,
    players_option,
)
from companion.groups import calibrate, print_, set_

if TYPE_CHECKING:
    from companion.table.results import Period

LANGUAGES = ("en", "de", "fr")
THEMES = ("light", "dark", "contrast")
SIZES = ("800x480", "1280x720", "720x1280")
EPILOG = "\b\nExit statuses:\n" + "\n".join(f"  {code:>3}  {text}" for code, text in failures.STATUSES.items())


@click.group(invoke_without_command=True, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="companion")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Another configuration file than the usual one.",
)
@click.pass_context
def cli(context: click.Context, config: Path | None) -> int | None:
    """Stands beside wooden board games: watches the board, knows the rules, keeps the score and the record.

    Without a command the touchscreen program opens.
    """
    return None if context.invoked_subcommand else context.invoke(play)


@cli.command()
@click.argument("game", required=False)
@camera_option
@lights_option
@players_option
@options_option
@click.pass_context
def play(
    context: click.Context,
    game: str | None = None,
    camera: str | None = None,
    lights: str | None = None,
    players: str | None = None,
    options: tuple[str, ...] = (),
) -> int:
    """Open the touchscreen program."""
    from companion.commands import play

    return play.run(game, camera, lights, names_of(players), options, configuration_of(context))


@cli.command()
@click.argument("game")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Which game is played.")
@click.option("--headless", is_flag=True, help="Without a screen, as fast as it goes.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 100),
    help="How many times shorter the players' pauses are; without it 1, and 10 with --headless.",
)
@players_option
@options_option
@json_option
@click.pass_context
def demo(
    context: click.Context,
    game: str,
    seed: int,
    headless: bool,
    speed: float | None,
    players: str | None,
    options: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play a whole GAME on the simulated table, seen only through its camera."""
    if headless or as_json:
        from companion.commands import demo

        return demo.run(game, seed, speed or 10.0, names_of(players), options, as_json, configuration_of(context))
    from companion.commands import play

    return play.run(game, "simulated", None, names_of(players), options, configuration_of(context), seed, speed or 1.0)


@cli.command()
@click.argument("source")
@click.option("--game", help="The game on the table; without it the corner cards tell.")
@players_option
@options_option
@json_option
@click.pass_context
def watch(
    context: click.Context,
    source: str,
    game: str | None,
    players: str | None,
    options: tuple[str, ...],
    as_json: bool,
) -> int:
    """Follow a film or a camera, and print each action, its points and the result.

    SOURCE is the name of a film or of a folder of pictures, or a camera: simulated, picamera, webcam:0, video:FILE,
    pictures:FOLDER.
    """
    from companion.commands import watch

    return watch.run(source, game, names_of(players), options, as_json, configuration_of(context))


@cli.command()
@click.argument("image", type=click.Path(path_type=Path))
@click.option("--game", help="The game on the table; without it the corner cards tell.")
@click.option(
    "--set",
    "set_file",
    type=click.Path(path_type=Path),
    metavar="FILE.toml",
    help="A board of one's own, without rules.",
)
@click.option(
    "--corners",
    metavar="'X,Y X,Y X,Y X,Y'",
    help="Where its grid is, in pixels: lower left, upper left, upper right, lower right; else it is looked for.",
)
@click.option("--empty", type=click.Path(path_type=Path), metavar="IMAGE", help="A picture of it while it is empty.")
@click.option("--empty-corners", metavar="'X,Y …'", help="Where the grid is in that picture.")
@click.option("--overlay", type=click.Path(path_type=Path), metavar="OUT.png", help="Draw what was read over it.")
@click.pass_context
def look(
    context: click.Context,
    image: Path,
    game: str | None,
    set_file: Path | None,
    corners: str | None,
    empty: Path | None,
    empty_corners: str | None,
    overlay: Path | None,
) -> int:
    """Read one picture, and print as JSON what lies on each site."""
    from companion.commands import look

    if set_file is None:
        if corners or empty or empty_corners:
            raise click.UsageError(
                "--corners, --empty and --empty-corners are for a board of one's own: give its --set"
            )
        return look.run(image, game, overlay, configuration_of(context))
    if game is not None:
        raise click.UsageError("--game and --set exclude each other: a set file describes a board without rules")
    if empty_corners and empty is None:
        raise click.UsageError("--empty-corners needs the picture that they are in: --empty")
    return look.run_set(image, set_file, corners, empty, empty_corners, overlay)


@cli.command()
@click.argument("game")
def referee(game: str) -> int:
    """The rules of GAME as JSON Lines, on standard input and output."""
    from companion.commands import referee

    return referee.run(game)


@cli.command()
@json_option
@click.pass_context
def games(context: click.Context, as_json: bool) -> int:
    """List the games that can be played, and the games on record."""
    from companion.commands import games

    return games.run(as_json, configuration_of(context))


@cli.command()
@click.argument("record")
@click.option("--film", type=click.Path(path_type=Path), metavar="OUT.mp4", help="Make a film of it.")
@json_option
@click.pass_context
def replay(context: click.Context, record: str, film: Path | None, as_json: bool) -> int:
    """Go through a RECORD, action by action, with its points and result.

    RECORD is a name from `companion games`, or a file that `companion export` wrote.
    """
    from companion.commands import replay

    return replay.run(record, film, as_json, configuration_of(context))


@cli.command()
@click.argument("record", required=False)
@click.option("--to", "folder", type=click.Path(path_type=Path), default=Path(), help="The folder to write to.")
@json_option
@click.pass_context
def export(context: click.Context, record: str | None, folder: Path, as_json: bool) -> int:
    """Write a RECORD, or all records, as files, text or JSON."""
    from companion.commands import export

    return export.run(record, folder, as_json, configuration_of(context))


@cli.command()
@click.argument("kind", type=click.Choice(["cup", "match", "series", "best"]))
@click.argument("records", nargs=-1)
@click.option("--game", default="triangle", show_default=True, help="Of which game the best scores are.")
@click.option("--period", type=click.Choice(["week", "month", "year"]), default="week", help="Of the best scores.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values instead of a table.")
@click.pass_context
def sheet(context: click.Context, kind: str, records: tuple[str, ...], game: str, period: Period, as_csv: bool) -> int:
    """Print the standings of a cup, a match or a series from the RECORDS of its games, or the best scores."""
    from companion.commands import sheet

    return sheet.run(kind, records, game, period, as_csv, configuration_of(context))


@cli.command()
@json_option
@click.pass_context
def check(context: click.Context, as_json: bool) -> int:
    """Tell what works here, and what to do about what does not."""
    from companion.commands import check

    return check.run(as_json, context.find_root().params["config"])


@cli.command()
@click.option("--out", "folder", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where to.")
@click.option("--size", "sizes", multiple=True, metavar="WxH", help="The size of the screen; may be given again.")
@click.option("--language", "languages", multiple=True, type=click.Choice(LANGUAGES), help="May be given again.")
@click.option("--theme", "themes", multiple=True, type=click.Choice(THEMES), help="May be given again.")
def screens(folder: Path, sizes: tuple[str, ...], languages: tuple[str, ...], themes: tuple[str, ...]) -> int:
    """Draw every screen as a picture, in every size, language and theme if none is given."""
    from companion.commands import screens

    return screens.run(folder, [_size(text) for text in sizes or SIZES], languages or LANGUAGES, themes or THEMES)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and 100 <= int(width) <= 4000 and 100 <= int(height) <= 4000):
        raise click.BadParameter(f"{text!r} is no size; it looks like 800x480", param_hint="--size")
    return int(width), int(height)


@cli.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.pass_context
def backup(context: click.Context, target: Path) -> int:
    """Copy all records, pictures and calibrations into one file in TARGET, a folder as of a USB stick."""
    from companion.commands import backup

    return backup.make(target, configuration_of(context))


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def restore(context: click.Context, file: Path) -> int:
    """Put the backup FILE in place of all that is there; what it replaces is kept beside it."""
    from companion.commands import backup

    return backup.restore(file, configuration_of(context))


for group in (set_, calibrate, print_):
    cli.add_command(group)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status."""
    failures.guard()
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame would greet on standard output
    try:
        status = cli.main(arguments, prog_name="companion", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return failures.INTERRUPTED
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else failures.FAILED
    except BaseException as error:
        return failures.report(error)
    return status or failures.SUCCESS


if __name__ == "__main__":
    sys.exit(main())
