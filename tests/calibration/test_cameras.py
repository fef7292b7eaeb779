"""Which lens a camera gets."""

from __future__ import annotations

from math import degrees
from pathlib import Path

import numpy as np
import pytest

from calibration import cameras
from calibration.cameras import lens_of
from calibration.store import Calibrations
from companion.vision.geometry.lens import Lens
from hardware.camera import CameraError

LENS = Lens((640, 360), (492.0, 492.5), (324.0, 176.5))


def test_a_calibrated_lens_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "pi_cameras", lambda: [(0, "imx219")])
    Calibrations(tmp_path).keep_lens("picamera", LENS, 0.2, 12)
    assert lens_of("picamera", tmp_path) == LENS
    assert lens_of("picamera:2304x1296", tmp_path) == LENS
    assert lens_of("webcam:0", tmp_path) is None


@pytest.mark.parametrize(("model", "view"), [("imx708", 66.0), ("imx708_wide_noir", 102.0), ("imx219", 62.2)])
def test_the_cameras_of_the_pi_are_known_by_their_sensor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, view: float
) -> None:
    monkeypatch.setattr(cameras, "pi_cameras", lambda: [(0, model)])
    lens = lens_of("picamera", tmp_path)
    assert lens is not None
    assert degrees(2 * np.arctan(lens.size[0] / 2 / lens.focal[0])) == pytest.approx(view)


def test_nothing_is_known_of_films_and_other_cameras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> list[tuple[int, str]]:
        raise CameraError("no Picamera2")

    monkeypatch.setattr(cameras, "pi_cameras", missing)
    assert lens_of("video:game.mp4", tmp_path) is None
    assert lens_of("simulated", tmp_path) is None
    assert lens_of("picamera", tmp_path) is None
