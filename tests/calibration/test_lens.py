"""The lens from pictures of charts, through lenses that are known."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from calibration.charts import PRINTED, Chart, ChartError, Sighting
from calibration.lens import Guide, calibrate
from companion.vision.geometry.lens import Lens
from tests.calibration.charting import drawn, taken

SIZE = (640, 360)
LENS = Lens(SIZE, (492.0, 492.0), (324.0, 176.5), (-0.08, 0.03, 0.0005, -0.0003, 0.0))
CHESSBOARD = Chart(9, 6, 25.0)


@cache
def views(chart: Chart, tilt: float = 35.0, count: int = 10) -> tuple[Sighting, ...]:
    found = (chart.find(taken(chart, LENS, seed, tilt)) for seed in range(count * 3))
    return tuple(view for view in found if view is not None)[:count]


def projected(chart: Chart, count: int, lens: Lens = LENS, tilt: float = 30.0) -> list[Sighting]:
    """Views of a chart as they would be found, without pictures, which take long."""
    random = np.random.default_rng(5)
    corners = np.array(
        [(x * chart.square, y * chart.square, 0.0) for y in range(chart.rows) for x in range(chart.columns)]
    )
    middle, seen = corners.mean(axis=0), []
    for _ in range(count):
        a, b = np.radians(random.uniform(-tilt, tilt, 2))
        turn = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        turn = turn @ np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        place = np.array([random.uniform(-130, 130), random.uniform(-70, 70), random.uniform(350, 500)])
        pixels = lens.project((corners - middle) @ turn.T + place) + random.normal(0, 0.05, (len(corners), 2))
        seen.append(Sighting(corners.astype(np.float32), pixels.astype(np.float32)))
    return seen


def test_focal_length_and_centre_are_found_from_pictures() -> None:
    fit = calibrate(views(PRINTED), SIZE)
    assert fit.error < 0.3
    assert abs(fit.lens.focal[0] / LENS.focal[0] - 1) < 0.005
    assert abs(fit.lens.centre[0] - LENS.centre[0]) < 3
    edge = np.array([[-0.6, -0.32, 1.0], [0.6, 0.32, 1.0]])
    assert np.abs(fit.lens.project(edge) - LENS.project(edge)).max() < 1.5


def test_plain_chessboard_is_found_where_it_is() -> None:
    view = next(view for view in (CHESSBOARD.find(taken(CHESSBOARD, LENS, seed)) for seed in range(20)) if view)
    assert len(view.points) == 54
    along = np.diff(view.pixels.reshape(6, 9, 2), axis=1)
    assert np.linalg.norm(along, axis=2).std() < 0.3 * np.linalg.norm(along, axis=2).mean()


@pytest.mark.parametrize(
    ("chart", "picture"),
    [
        (Chart(7, 5, 34.0, 25.0, "4X4_50"), PRINTED),  # the corner cards' markers
        (Chart(9, 7, 20.0), PRINTED),
        (PRINTED, CHESSBOARD),
    ],
)
def test_another_chart_is_not_taken_for_this_one(chart: Chart, picture: Chart) -> None:
    assert chart.find(drawn(picture)[::3, ::3]) is None


def test_a_chart_of_other_proportions_is_refused() -> None:
    stretched = [Sighting(v.points * np.float32([1.0, 1.2, 1.0]), v.pixels) for v in projected(CHESSBOARD, 14)]
    with pytest.raises(ChartError, match=r"cannot be|do not fit the chart"):
        calibrate(stretched, SIZE)


def test_a_bent_chart_is_refused() -> None:
    random = np.random.default_rng(1)
    bent = [Sighting(v.points, v.pixels + random.normal(0, 3, v.pixels.shape)) for v in projected(CHESSBOARD, 14)]
    with pytest.raises(ChartError, match="flat"):
        calibrate([Sighting(v.points, v.pixels.astype(np.float32)) for v in bent], SIZE)


def test_pictures_that_no_lens_explains_at_all_are_refused() -> None:
    """Corners in one line have no homography: OpenCV itself gives up on them."""
    rows = [slice(9 * (number % 6), 9 * (number % 6) + 9) for number in range(20)]
    views = [Sighting(v.points[row], v.pixels[row]) for v, row in zip(projected(CHESSBOARD, 20), rows, strict=True)]
    with pytest.raises(ChartError, match=r"no lens can be found.*Take them anew"):
        calibrate(views, SIZE)


def test_too_few_pictures_are_refused_with_the_number_needed() -> None:
    with pytest.raises(ChartError, match=r"in 4 pictures; 8 are needed"):
        calibrate(projected(CHESSBOARD, 4), SIZE)


def test_untilted_charts_are_refused_with_what_to_do() -> None:
    with pytest.raises(ChartError, match="tilt"):
        calibrate(projected(CHESSBOARD, 14, tilt=3.0), SIZE)


def test_a_chart_in_one_corner_is_refused_with_where_to_hold_it() -> None:
    small = [Sighting(v.points, (v.pixels * 0.4).astype(np.float32)) for v in projected(CHESSBOARD, 14)]
    with pytest.raises(ChartError, match=r"hold it to the (middle|lower) (middle|right)"):
        calibrate(small, SIZE)


def test_one_bad_picture_among_good_ones_is_left_out() -> None:
    good = projected(CHESSBOARD, 14)
    shaken = np.random.default_rng(2).normal(0, 4, good[3].pixels.shape).astype(np.float32)
    good[3] = Sighting(good[3].points, good[3].pixels + shaken)
    fit = calibrate(good, SIZE)
    assert (fit.views, fit.left_out) == (13, 1)
    assert abs(fit.lens.focal[0] / LENS.focal[0] - 1) < 0.005


def test_guide_takes_only_what_is_new_and_ends() -> None:
    guide = Guide(PRINTED, SIZE)
    assert guide.advice == "hold the chart in front of the camera, so that it fills half of the picture"
    picture = taken(PRINTED, LENS, 0)
    assert guide.offer(picture)
    assert not guide.offer(picture)
    guide.views = list(views(PRINTED))
    assert guide.advice is None


@pytest.mark.parametrize(
    "text", ["chess", "charuco:7x5:34", "chessboard:1x6:25", "charuco:7x5:20:25", "chessboard:9x6"]
)
def test_impossible_charts_are_refused(text: str) -> None:
    with pytest.raises(ChartError):
        Chart.parse(text)


def test_charts_are_parsed() -> None:
    assert Chart.parse("charuco:7x5:34:25") == PRINTED
    assert Chart.parse("chessboard:9x6:25") == CHESSBOARD
    assert Chart.parse("charuco:7x5:34:25:6X6_250").dictionary == "6X6_250"
