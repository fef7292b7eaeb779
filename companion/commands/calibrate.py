"""`companion calibrate`: what differs from table to table, found out and kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from calibration.charts import PRINTED, Chart, ChartError
from calibration.lens import Guide, LensFit, calibrate
from calibration.store import Calibrations
from companion import failures
from companion.configuration import Configuration
from companion.vision.lens import Array
from hardware.camera import Camera
from hardware.sources import default_source, open_camera, parse_source

PATIENCE = 300.0
"""Seconds after which the chart is no longer waited for."""


def lens(source: str | None, chart_text: str | None, name: str | None, as_json: bool, where: Configuration) -> int:
    """Calibrates the lens from pictures of a chart, and keeps it; the exit status."""
    chart = Chart.parse(chart_text) if chart_text else PRINTED
    source = source or (where.camera if where.camera != "auto" else default_source())
    with open_camera(source) as camera:
        fit = _from_camera(camera, chart) if camera.live else _from_pictures(camera, chart)
    live = parse_source(source)[0] in ("picamera", "webcam")
    path = None
    if live or name:
        path = Calibrations(where.data_folder).keep_lens(name or source, fit.lens, fit.error, fit.views)
    _tell(fit, path, as_json)
    return failures.SUCCESS


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
