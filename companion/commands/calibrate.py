"""`companion calibrate`: what differs from table to table, found out and kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import click

from calibration.board import Nudge, drawn, fit_board
from calibration.cameras import lens_of
from calibration.charts import PRINTED, Chart, ChartError
from calibration.colours import ColoursError, arrangement, learn, recoloured
from calibration.leds import ask_leds
from calibration.lens import Guide, LensFit, calibrate
from calibration.store import Calibrations
from calibration.tiles import learn_faces, sheets, with_faces
from companion import failures
from companion.configuration import Configuration
from companion.games.core import Game
from companion.games.registry import load_game
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import locate
from companion.vision.look import load_picture, write_picture
from hardware.camera import Camera, SourceError
from hardware.lights import GpioLights
from hardware.sources import camera_name, default_source, open_camera

PATIENCE = 300.0
"""Seconds after which the chart is no longer waited for."""


def lens(source: str | None, chart_text: str | None, name: str | None, as_json: bool, where: Configuration) -> int:
    """Calibrates the lens from pictures of a chart, and keeps it; the exit status."""
    chart = Chart.parse(chart_text) if chart_text else PRINTED
    source = source or (where.camera if where.camera != "auto" else default_source())
    with open_camera(source) as camera:
        fit = _from_camera(camera, chart) if camera.live else _from_pictures(camera, chart)
    camera_called = name or camera_name(source)
    path = None
    if camera_called:
        path = Calibrations(where.data_folder).keep_lens(camera_called, fit.lens, fit.error, fit.views)
    _tell(fit, path, as_json)
    return failures.SUCCESS


def board(
    game_name: str,
    picture: Path | None,
    source: str | None,
    nudge_text: str | None,
    overlay: Path | None,
    as_json: bool,
    where: Configuration,
) -> int:
    """Measures how the board lies beside its cards, and keeps a nudge; the exit status."""
    game, kept = load_game(game_name, where.set_file(game_name)), Calibrations(where.data_folder)
    nudge = Nudge.parse(nudge_text) if nudge_text else kept.load(f"board-{game.name}", Nudge) or Nudge()
    source = source or where.camera
    image = load_picture(picture) if picture else _one_picture(source)
    lens = None if picture else lens_of(source, where.data_folder)
    size = (image.shape[1], image.shape[0])
    fit = fit_board(image, game, (lens or Lens.nominal(size)).scaled(size), nudge)
    if overlay is not None:
        write_picture(overlay, drawn(image, game, fit.pose))
    if nudge_text:
        kept.keep(f"board-{game.name}", nudge)
    facts = {
        "cards": list(fit.pose.markers),
        "residual": {"pixels": round(fit.pose.residual, 3), "mm": round(fit.millimetres, 3)},
        "camera": {"height": round(fit.height), "tilt": round(fit.tilt, 1)},
        "nudge": [nudge.dx, nudge.dy, nudge.turn],
    }
    text = (
        f"cards {', '.join(map(str, fit.pose.markers))}: {fit.pose.residual:.2f} pixels, {fit.millimetres:.2f} mm off; "
        f"the camera is {fit.height:.0f} mm over the table, tilted by {fit.tilt:.0f} degrees"
    )
    click.echo(json.dumps(facts) if as_json else text)
    return failures.SUCCESS


def colours(game_name: str, empty: Path, laid: Path, out: Path, where: Configuration) -> int:
    """Learns the colours of a set from two pictures into a set file; the exit status."""
    game = load_game(game_name, where.set_file(game_name))
    learned = learn(game, _located(game, empty), _located(game, laid), arrangement(game))
    _write_set(game_name, out, recoloured(_set_text(game_name, where), learned.colours))
    for a, b in learned.alike:
        click.echo(f"the colours {list(a)} and {list(b)} of the set file are hard to tell apart here", err=True)
    click.echo(f"{out}: {len(learned.colours)} colours; {_naming(game_name, out)}")
    return failures.SUCCESS


def tiles(game_name: str, pictures: Sequence[Path], out: Path, where: Configuration) -> int:
    """Learns the faces of tiles from pictures of them into a set file; the exit status."""
    game = load_game(game_name, where.set_file(game_name))
    faces = learn_faces(game, [_located(game, path) for path in pictures])
    _write_set(game_name, out, with_faces(_set_text(game_name, where), faces))
    click.echo(f"{out}: {len(faces.tiles)} tiles in {len(faces.colours)} colours; {_naming(game_name, out)}")
    return failures.SUCCESS


def shown_tiles(game_name: str, where: Configuration) -> int:
    """Prints what to lay out for `tiles`; the exit status."""
    for number, sheet in enumerate(sheets(load_game(game_name, where.set_file(game_name))), start=1):
        for site, label in sheet.items():
            click.echo(f"picture {number}   {site:<12} {label}")
    return failures.SUCCESS


def _located(game: Game[Any, Any], path: Path) -> tuple[Array, Pose]:
    """A picture, and where the board is in it."""
    image = load_picture(path)
    return image, locate(image, game, Lens.nominal((image.shape[1], image.shape[0])))


def _set_text(game_name: str, where: Configuration) -> str:
    own = where.set_file(game_name)
    return (own or resources.files(f"companion.games.{game_name}") / "set.toml").read_text("utf-8")


def _write_set(game_name: str, out: Path, text: str) -> None:
    """Writes a set file, and checks that it can be used."""
    try:
        out.write_text(text, "utf-8")
    except OSError as error:
        raise ColoursError(f"{out}: {error.strerror or error}") from error
    load_game(game_name, out)


def _naming(game_name: str, out: Path) -> str:
    return f'name it as sets.{game_name} = "{out.resolve()}" in the configuration'


def shown_arrangement(game_name: str, where: Configuration) -> int:
    """Prints what to lay out for `colours`; the exit status."""
    for site, label in arrangement(load_game(game_name, where.set_file(game_name))).items():
        click.echo(f"{site:<16} {label}")
    return failures.SUCCESS


def lights(where: Configuration) -> int:
    """Asks where each LED glows, and keeps it; the exit status."""
    table = where.lights
    with GpioLights(table.seats, table.status, table.active_high, table.brightness) as opened:
        order = ask_leds(opened, len(table.seats), _where_it_glows)
    path = Calibrations(where.data_folder).keep("leds", order)
    click.echo(f"kept in {path}")
    return failures.SUCCESS


def _where_it_glows(led: int) -> str:
    answer: str = click.prompt(f"Where does LED {led + 1} glow? A seat's number, or `status`", default="")
    return answer


def _one_picture(source: str) -> Array:
    with open_camera(source) as camera:
        frame = camera.read(5.0)
        for _ in range(20 if camera.live else 0):  # until it has settled
            frame = camera.read(5.0)
    if frame is None:
        raise SourceError(f"{source} gives no picture")
    return frame.image


def _from_pictures(camera: Camera, chart: Chart) -> LensFit:
    """From a folder of pictures or a film: every picture counts."""
    size: tuple[int, int] | None = None
    views, count = [], 0
    for image in _images(camera):
        here = (image.shape[1], image.shape[0])
        if size is not None and here != size:
            raise ChartError(f"a picture is {here[0]} x {here[1]}, others {size[0]} x {size[1]}; all have to be alike")
        size, count = here, count + 1
        sighting = chart.find(image)
        if sighting is not None:
            views.append(sighting)
        if sys.stderr.isatty():
            click.echo(f"\r{count} pictures, the chart is in {len(views)} of them", err=True, nl=False)
    click.echo(f"\r{count} pictures, the chart is in {len(views)} of them", err=True)
    if size is None:
        raise ChartError("there are no pictures")
    return calibrate(views, size)


def _from_camera(camera: Camera, chart: Chart) -> LensFit:
    """From a live camera: says where to hold the chart until there are views enough."""
    guide: Guide | None = None
    begun: float | None = None
    while True:
        frame = camera.read()
        if frame is None:
            raise ChartError("the camera ended before there were views enough")
        size = (frame.image.shape[1], frame.image.shape[0])
        begun = frame.time if begun is None else begun
        if guide is None:
            guide = Guide(chart, size)
            click.echo(guide.advice, err=True)
        if guide.offer(frame.image):
            begun, advice = frame.time, guide.advice
            if advice is None:
                return calibrate(guide.views, size)
            click.echo(f"{len(guide.views)} views. Now {advice}", err=True)
        elif frame.time - begun > PATIENCE:
            raise ChartError(f"no new view of the chart for {PATIENCE / 60:.0f} minutes; {guide.advice}")


def _images(camera: Camera) -> Iterator[Array]:
    while (frame := camera.read()) is not None:
        yield frame.image


def _tell(fit: LensFit, path: Path | None, as_json: bool) -> None:
    focal, error = fit.lens.focal, fit.error
    if as_json:
        facts = {
            "size": fit.lens.size,
            "focal": focal,
            "centre": fit.lens.centre,
            "distortion": fit.lens.distortion,
            "error": round(error, 4),
            "views": fit.views,
            "left_out": fit.left_out,
            "covered": round(fit.covered, 3),
            "kept": str(path) if path else None,
        }
        click.echo(json.dumps(facts))
        return
    click.echo(
        f"focal length {focal[0]:.1f} x {focal[1]:.1f} pixels, centre {fit.lens.centre[0]:.1f}, "
        f"{fit.lens.centre[1]:.1f}; {error:.3f} pixels off over {fit.views} pictures, {fit.covered:.0%} covered"
    )
    if fit.left_out:
        click.echo(f"{fit.left_out} pictures did not agree with the others and were left out")
    click.echo(f"kept in {path}" if path else "not kept: name the camera with --camera-name to keep it")
