"""What was read, drawn over the picture that it was read from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Look, Prism, regular
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import on_board
from companion.vision.geometry.pose import Pose
from companion.vision.reading import Reading, SiteReading, sites_there
from companion.vision.scene.sampling import height

SURE, DOUBTFUL, HIDDEN = (120, 220, 60), (30, 150, 255), (170, 170, 170)
"""Colours (blue, green, red) of what is read well, not well, and not at all."""

WIDTH = 2560
"""Pixels across, about."""

_FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_overlay(image: Array, game: Game[Any, Any], pose: Pose, reading: Reading) -> Array:
    """A copy of `image` with the board's outline, the cards, each site and its label, large enough to read them.

    Sites read well are green, doubtful ones orange with their confidence, invisible ones grey; empty ones only a dot.
    """
    zoom = max(1, round(WIDTH / image.shape[1]))
    image = cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    pose = replace(pose, lens=pose.lens.scaled((image.shape[1], image.shape[0])))
    canvas = np.ascontiguousarray(image * 0.85, dtype=np.uint8)
    unit = image.shape[1] / 1600
    for solid in game.board:
        if isinstance(solid, Prism):
            _outline(canvas, pose, np.array(solid.footprint), 0.0, (255, 200, 80), unit)
    z = -game.plate.thickness
    for number, (x, y) in zip(game.marker.ids, game.marker.centres, strict=True):
        half = game.marker.size / 2
        corners = np.array([(x - half, y + half), (x + half, y + half), (x + half, y - half), (x - half, y - half)])
        colour = (255, 200, 80) if number in pose.markers else HIDDEN
        _outline(canvas, pose, corners, z, colour, unit)
        _text(canvas, str(number), pose.project(np.array([[x, y, z]]))[0], colour, unit)
    lost = []
    for site in sites_there(game.sites, reading):
        if not site.roving:
            _site(canvas, game, pose, site, reading[site.name], unit)
        elif not _rover(canvas, game, pose, site, reading, unit):
            lost.append(_worded(site, reading[site.name]))
    note = f"{game.name}  cards {', '.join(map(str, pose.markers)) or '-'}  {pose.residual:.1f} px  {pose.support:.0%}"
    for k, line in enumerate([note, *lost]):
        at = np.array([len(line) * 4.4 * unit, (16 + 22 * k) * unit])
        _text(canvas, line, at, DOUBTFUL if k else (255, 255, 255), 1.3 * unit)
    return canvas


def _rover(canvas: Array, game: Game[Any, Any], pose: Pose, site: SiteSpec, reading: Reading, unit: float) -> bool:
    """Draws what stands where its label says, around its foot; False if it stands nowhere, but not surely so."""
    read = reading[site.name]
    footprints = _footprints(game.look(site.kind, read.label))
    colour = _colour(read)
    if not footprints:
        return colour != DOUBTFUL
    host = reading.sites.get(f"{site.upon}:{read.label.partition(' ')[0]}")
    z = height(game.look(site.upon, host.label)) if host else 0.0
    for footprint in footprints:
        _outline(canvas, pose, footprint, z, colour, unit)
    at = pose.project(np.array([[*footprints[0].mean(axis=0), z]]))[0]
    _text(canvas, _worded(site, read), at + np.array([0, 16 * unit]), colour, unit)
    return True


def _footprints(look: Look) -> list[Array]:
    """The corners (n, 2), in mm, of the lowest solids that have any."""
    prisms = [solid for solid in look if isinstance(solid, Prism)]
    lowest = min((prism.z0 for prism in prisms), default=0.0)
    return [np.array(prism.footprint) for prism in prisms if prism.z0 == lowest]


def _colour(read: SiteReading) -> tuple[int, int, int]:
    return HIDDEN if read.visible < 0.3 else SURE if read.confidence > 0.99 else DOUBTFUL


def _worded(site: SiteSpec, read: SiteReading) -> str:
    """Which thing stands where its label says, and that and how sure it is, if it is not."""
    name = site.name.partition(":")[2] or site.name
    return name if _colour(read) != DOUBTFUL else f"{name} {read.label} {read.confidence:.2f}"


def _site(canvas: Array, game: Game[Any, Any], pose: Pose, site: SiteSpec, read: SiteReading, unit: float) -> None:
    colour = _colour(read)
    sure = colour == SURE
    look = game.look(site.kind, read.label)
    top = site.centre[2] + height(look)
    middle = pose.project(np.array([[site.centre[0], site.centre[1], top]]))[0]
    if not look and sure:
        _dot(canvas, middle, colour, unit)
        return
    footprints = [] if site.loose else _footprints(look)
    for footprint in footprints or [np.array(regular(20, site.size * 0.45))]:
        _outline(canvas, pose, on_board(site, footprint), top, colour, unit)
    text = read.label if sure else f"{read.label} {read.confidence:.2f}" if colour == DOUBTFUL else ""
    if text and (read.label != EMPTY or not sure):
        lift = 0.0 if site.size * pose.scale(np.array(site.centre)) > 30 * unit else 14 * unit
        _text(canvas, text, middle - (0, lift), colour, unit)


def _outline(canvas: Array, pose: Pose, points: Array, z: float, colour: tuple[int, int, int], unit: float) -> None:
    at = pose.project(np.column_stack([points, np.full(len(points), z)]))
    if np.isfinite(at).all() and np.abs(at).max() < 1e5:
        fixed = np.rint(at * 16).astype(np.int32)
        cv2.polylines(canvas, [fixed], True, colour, max(1, round(1.2 * unit)), cv2.LINE_AA, 4)


def _dot(canvas: Array, at: Array, colour: tuple[int, int, int], unit: float) -> None:
    if np.isfinite(at).all() and np.abs(at).max() < 1e5:
        cv2.circle(canvas, tuple(np.rint(at * 16).astype(int).tolist()), round(24 * unit), colour, -1, cv2.LINE_AA, 4)


def _text(canvas: Array, text: str, at: Array, colour: tuple[int, int, int], unit: float) -> None:
    """Text around a point, on a dark plate so that it reads on any ground."""
    if not np.isfinite(at).all() or np.abs(at).max() > 1e5:
        return
    size, weight = 0.4 * unit, max(1, round(0.8 * unit))
    (width, up), _ = cv2.getTextSize(text, _FONT, size, weight)
    left, base, edge = round(at[0] - width / 2), round(at[1] + up / 2), round(3 * unit)
    cv2.rectangle(canvas, (left - edge, base - up - edge), (left + width + edge, base + edge), (24, 24, 24), -1)
    cv2.putText(canvas, text, (left, base), _FONT, size, colour, weight, cv2.LINE_AA)
