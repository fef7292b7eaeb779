"""The command line's groups of commands: `companion set`, `companion calibrate`, `companion print`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.arguments import camera_option, configuration_of, json_option


@click.group("set")
def set_() -> None:
    """A set of one's own: other sizes, colours, tile faces."""


@set_.command("copy")
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path))
def copy_set(game: str, file: Path) -> int:
    """Copy the set file of GAME to FILE, where it can be changed."""
    from companion.commands import sets

    return sets.copy(game, file)


@set_.command("check")
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path))
def check_set(game: str, file: Path) -> int:
    """Say whether FILE can be used as the set of GAME, and if not, where it is wrong."""
    from companion.commands import sets

    return sets.check(game, file)


set_out_option = click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE.toml", help="The set file to write."
)


@click.group()
def calibrate() -> None:
    """Find out what differs from table to table, and keep it."""


@calibrate.command()
@click.argument("pictures", required=False, metavar="[PICTURES]")
@camera_option
@click.option("--chart", metavar="CHART", help="Another chart than `companion print chart` prints: its kind and sizes.")
@click.option("--camera-name", "name", metavar="NAME", help="Keep it for this camera: picamera, webcam:0.")
@json_option
@click.pass_context
def lens(
    context: click.Context, pictures: str | None, camera: str | None, chart: str | None, name: str | None, as_json: bool
) -> int:
    """Find the lens of a camera from a chart held before it, or from a folder of PICTURES of the chart."""
    from companion.commands import calibrate

    source = f"pictures:{pictures}" if pictures and Path(pictures).is_dir() else pictures
    return calibrate.lens(source or camera, chart, name, as_json, configuration_of(context))


@calibrate.command()
@click.argument("game")
@click.argument("picture", required=False, type=click.Path(path_type=Path))
@camera_option
@click.option("--nudge", metavar="MM,MM,DEGREES", help="How far the board lies off: right, up, turned clockwise.")
@click.option("--overlay", type=click.Path(path_type=Path), metavar="OUT.png", help="The picture with the sites drawn.")
@json_option
@click.pass_context
def board(
    context: click.Context,
    game: str,
    picture: Path | None,
    camera: str | None,
    nudge: str | None,
    overlay: Path | None,
    as_json: bool,
) -> int:
    """Measure how the board of GAME lies beside its cards, by the camera or a PICTURE."""
    from companion.commands import calibrate

    return calibrate.board(game, picture, camera, nudge, overlay, as_json, configuration_of(context))


@calibrate.command()
@click.argument("game")
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path), metavar="[EMPTY LAID]")
@set_out_option
@click.pass_context
def colours(context: click.Context, game: str, pictures: tuple[Path, ...], out: Path | None) -> int:
    """Learn the colours of the set of GAME from a picture of the EMPTY board and one with pieces LAID out.

    Without pictures: what to lay out.
    """
    from companion.commands import calibrate

    if not pictures:
        return calibrate.shown_arrangement(game, configuration_of(context))
    if len(pictures) != 2 or out is None:
        raise click.UsageError("two pictures are needed, of the empty board and of the pieces laid out, and --out FILE")
    return calibrate.colours(game, pictures[0], pictures[1], out, configuration_of(context))


@calibrate.command()
@click.argument("game")
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path), metavar="[PICTURES]")
@set_out_option
@click.pass_context
def tiles(context: click.Context, game: str, pictures: tuple[Path, ...], out: Path | None) -> int:
    """Learn the faces of the tiles of GAME, where they look otherwise than usual, from PICTURES of tiles laid out.

    Without pictures: which tiles to lay out where, picture by picture.
    """
    from companion.commands import calibrate

    if not pictures:
        return calibrate.shown_tiles(game, configuration_of(context))
    if out is None:
        raise click.UsageError("--out FILE.toml says where the set file is to be written")
    return calibrate.tiles(game, pictures, out, configuration_of(context))


@calibrate.command("lights")
@click.pass_context
def calibrate_lights(context: click.Context) -> int:
    """Light one LED after the other, and ask where it glows."""
    from companion.commands import calibrate

    return calibrate.lights(configuration_of(context))


@click.group("print")
def print_() -> None:
    """Make PDF files to print at true size."""


paper_option = click.option("--paper", type=click.Choice(["A4", "Letter"]), default="A4", show_default=True)
out_option = click.option("--out", type=click.Path(path_type=Path), metavar="FILE.pdf", help="Where to.")


@print_.command()
@click.argument("game")
@paper_option
@out_option
def cards(game: str, paper: str, out: Path | None) -> int:
    """Make the corner cards of GAME."""
    from companion.commands import printing

    return printing.cards(game, paper, out)


@print_.command()
@paper_option
@out_option
def chart(paper: str, out: Path | None) -> int:
    """Make the chart for calibrating a lens."""
    from companion.commands import printing

    return printing.chart(paper, out)
