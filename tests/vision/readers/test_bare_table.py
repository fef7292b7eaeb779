"""Places beside the board that seem bare: whether they have the colour of the table all around."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.raster import Paints
from companion.vision.light.palette import Light, Palette, TableTop
from companion.vision.readers.bare_table import BareTable
from companion.vision.readers.reader import Reader
from companion.vision.reading import SiteReading
from tests.benchmarks.pictures import picture, true_pose

GAME = load_game("magic_labyrinth")
TRAY = [site for site in GAME.sites if site.kind == "tray"]


def bare_table(reader: Reader) -> BareTable:
    return next(ground for ground in reader._grounds if isinstance(ground, BareTable))


def test_a_hand_over_the_tray_is_no_bare_table() -> None:
    shot = picture(GAME, 60067)
    reading = Reader(GAME).read(shot.image, true_pose(shot.image, shot.truth))
    wrong = [site.name for site in TRAY if reading[site.name].label != shot.truth.sites.get(site.name, EMPTY)]
    assert any(shot.truth.hidden.get(site.name, 0.0) > 0.9 and site.name in shot.truth.sites for site in TRAY)
    assert not [site for site in wrong if reading[site].trust > 0.9]


@pytest.mark.parametrize("lead", [9.0, 2.5])
def test_only_what_is_of_another_colour_than_the_table_all_around_is_doubted(lead: float) -> None:
    shot = picture(GAME, 60001, 0.0, hands=0.0)
    pose = true_pose(shot.image, shot.truth)
    table = bare_table(Reader(GAME))
    palette = Palette(Paints.of([GAME.board]), Light.nominal(), TableTop.unseen())
    sure = SiteReading((EMPTY, "red"), np.array([0.0, -lead], np.float32))
    assert sure.confidence > 0.9
    striped = np.full_like(shot.image, (90, 120, 150))
    striped[:, ::40] = striped[:, 1::40] = striped[:, 2::40] = striped[:, 3::40] = (150, 90, 90)
    read = {site.name: sure for site in TRAY}
    assert not table.doubted(striped, palette, pose, read)
    column, row = np.rint(pose.project(np.array([TRAY[4].centre]))[0]).astype(int)
    striped[row - 60 : row + 61, column - 60 : column + 61] = (120, 150, 235)
    doubted = table.doubted(striped, palette, pose, read)
    assert TRAY[4].name in doubted
    assert TRAY[-1].name not in doubted
    assert doubted[TRAY[4].name].confidence < 0.9


def test_a_hand_of_the_tint_of_dark_wood_is_told_by_its_brightness() -> None:
    shot = picture(GAME, 991217)
    assert shot.truth.hidden["tray:0"] > 0.9
    reading = Reader(GAME).read(shot.image, true_pose(shot.image, shot.truth))
    assert max(reading[name].confidence for name in ("tray:0", "tray:2")) < 0.9


def test_a_pile_that_is_hardly_of_another_colour_than_the_table_is_not_surely_none() -> None:
    labyria = load_game("labyria")
    shot = picture(labyria, 1500113)
    assert shot.truth.sites["depot"] == "20"
    depot = Reader(labyria).read(shot.image, true_pose(shot.image, shot.truth))["depot"]
    assert depot.label != "0" or depot.confidence < 0.9
