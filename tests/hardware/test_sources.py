import re
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import webcam
from hardware.camera import Camera, CameraError, SourceError
from hardware.files import PictureFolder
from hardware.picamera import PiCamera
from hardware.sources import camera_name, default_camera, default_source, open_camera
from tests.hardware.picamera_double import Pi
from tests.hardware.test_files import write_film


class Table(Camera):
    name = "simulated"

    def read(self, timeout=2.0):
        return None


@pytest.fixture
def nothing(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.setattr(webcam, "webcams", list)


@pytest.mark.parametrize("form", ["pictures:{}", "{}"])
def test_a_folder_of_pictures_by_word_or_by_name(tmp_path, form):
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((8, 8, 3), np.uint8))
    assert isinstance(open_camera(form.format(tmp_path)), PictureFolder)


@pytest.mark.parametrize("form", ["video:{}", "{}"])
def test_a_film_by_word_or_by_name(tmp_path, form):
    path = write_film(tmp_path / "a:film.avi", "MJPG", frames=2)
    with open_camera(form.format(path)) as camera:
        assert camera.read().image.shape == (120, 160, 3)
        assert camera.name == f"video:{path}"


@pytest.mark.parametrize(
    "word", ["telescope", "webcam:x", "webcam:", "video:", "pictures:", "", "Simulated", "webcam:-1"]
)
def test_an_unknown_word_is_answered_with_all_that_there_are(word):
    with pytest.raises(SourceError, match=r"simulated, picamera, webcam:0, video:FILE, pictures:FOLDER") as caught:
        open_camera(word)
    assert repr(word) in str(caught.value)


def test_a_missing_film_is_named(tmp_path):
    with pytest.raises(SourceError, match=r"none\.mp4: No such file"):
        open_camera(f"video:{tmp_path / 'none.mp4'}")


def test_the_simulated_table_comes_from_whoever_knows_the_game():
    assert isinstance(open_camera("simulated", Table), Table)
    with pytest.raises(SourceError, match="companion demo GAME"):
        open_camera("simulated")


def test_webcams_by_number(monkeypatch):
    opened = []
    monkeypatch.setattr(webcam, "Webcam", lambda number: opened.append(number) or Table())
    open_camera("webcam")
    open_camera("webcam:3")
    assert opened == [0, 3]


def test_the_default_is_the_pi_camera_then_a_webcam_then_the_simulated_table(monkeypatch, nothing):
    assert default_source() == "simulated"
    assert isinstance(default_camera(Table), Table)
    assert isinstance(open_camera("auto", Table), Table)
    monkeypatch.setattr(webcam, "webcams", lambda: [2, 4])
    assert default_source() == "webcam:2"
    pi = Pi()
    for name, module in pi.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    assert default_source() == "picamera"
    with default_camera() as camera:
        assert isinstance(camera, PiCamera)
    del pi.cameras[0]
    assert default_source() == "webcam:2"


def test_the_pi_camera_in_either_size(monkeypatch):
    pi = Pi()
    for name, module in pi.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    for source, size in (("picamera", (1536, 864)), ("picamera:2304x1296", (2304, 1296))):
        with open_camera(source) as camera:
            assert camera.read().image.shape == (size[1], size[0], 3)
        assert pi.configuration["main"]["size"] == size
    with pytest.raises(SourceError, match="2304x1296"):
        open_camera("picamera:1x1")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("picamera", "picamera"),
        ("picamera:2304x1296", "picamera"),
        ("webcam", "webcam:0"),
        ("webcam:1", "webcam:1"),
        ("video:x", None),
        ("simulated", None),
    ],
)
def test_a_camera_has_one_name_however_it_is_asked_for(source, name):
    assert camera_name(source) == name


def test_picamera_without_picamera2_is_no_traceback_but_a_camera_error(nothing):
    with pytest.raises(CameraError, match="Picamera2 is not installed"):
        open_camera("picamera")


def test_no_camera_or_light_knows_the_games():
    for path in (Path(__file__).parents[2] / "hardware").glob("*.py"):
        assert not re.search(r"^\s*(from|import) companion", path.read_text(), re.MULTILINE), path
