import threading
import time

import cv2
import numpy as np
import pytest

from hardware import live
from hardware.camera import CameraError
from hardware.exposure import ExposureLock
from hardware.webcam import Webcam, webcams


class FakeWebcam:
    """What is plugged in: makes `cv2.VideoCapture`s, as many as are asked for, that answer as the real one does."""

    def __init__(self):
        self.plugged = True
        self.silent = False
        self.torn = False
        self.opened = 0
        self.released = 0
        self.decoded = 0
        self.settings = {}
        self.brightness = None
        self.knows = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}
        self.grabbed = threading.Event()

    def __call__(self, index, api):
        return FakeCapture(self)


class FakeCapture:
    """The part of `cv2.VideoCapture` that is used; a picture shows in its corner how many were grabbed before."""

    def __init__(self, webcam):
        self.webcam = webcam
        self.works = webcam.plugged
        self.count = 0
        webcam.opened += self.works

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return self.works

    def set(self, key, value):
        self.webcam.settings[key] = value
        return True

    def get(self, key):
        return self.webcam.knows.get(key, 0.0)

    def grab(self):
        time.sleep(0.002)
        if self.webcam.silent or not self.webcam.plugged:
            return False
        self.count += 1
        self.webcam.grabbed.set()
        return True

    def retrieve(self):
        self.webcam.decoded += 1
        return not self.webcam.torn, np.full((4, 4, 3), self.webcam.brightness or self.count % 256, np.uint8)

    def release(self):
        self.webcam.released += self.works
        self.works = False


@pytest.fixture
def plug(monkeypatch):
    monkeypatch.setattr(live, "RETRY_SECONDS", 0.02)
    return FakeWebcam()


def wait_for(camera):
    """The next frame, however often the camera has to be asked."""
    for _ in range(100):
        try:
            return camera.read(0.1)
        except CameraError:
            pass
    raise AssertionError("the camera never came back")


def test_frames_are_the_newest_and_only_those_asked_for_are_decoded(plug):
    with Webcam(0, plug) as camera:
        first = camera.read()
        time.sleep(0.1)
        second = camera.read()
    assert camera.live
    assert second.number > first.number + 5
    assert second.image[0, 0, 0] == second.number + 1
    assert second.time > first.time + 0.09
    assert plug.decoded == 2
    assert plug.settings[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert plug.released == 1


def test_a_webcam_that_falls_silent_is_noticed_opened_again_and_gives_frames_again(plug):
    with Webcam(0, plug) as camera:
        before = camera.read()
        plug.silent = True
        start = time.monotonic()
        with pytest.raises(CameraError, match=r"webcam:0 gives no picture.*opened again"):
            camera.read(0.2)
        assert time.monotonic() - start < 1.0
        plug.silent = False
        after = wait_for(camera)
    assert after.number >= before.number
    assert plug.opened >= 2
    assert plug.released == plug.opened


def test_unplugging_and_plugging_in_again_is_survived(plug):
    with Webcam(0, plug) as camera:
        camera.read()
        plug.plugged = False
        with pytest.raises(CameraError):
            camera.read(0.2)
        with pytest.raises(CameraError, match="cannot be opened"):
            camera.read(0.2)
        plug.plugged = True
        assert wait_for(camera) is not None
    assert plug.released == plug.opened == 2


def test_a_torn_picture_makes_it_open_anew(plug):
    with Webcam(0, plug) as camera:
        plug.torn = True
        with pytest.raises(CameraError, match="torn"):
            camera.read(0.1)
        plug.torn = False
        assert wait_for(camera) is not None


def test_no_webcam_is_said_at_once_with_those_that_there_are(plug):
    plug.plugged = False
    with pytest.raises(CameraError, match="no /dev/video77; webcams found: "):
        Webcam(77, plug)


def test_a_closed_camera_has_ended_and_leaves_no_thread(plug):
    camera = Webcam(0, plug)
    camera.read()
    camera.close()
    camera.close()
    assert camera.read() is None
    assert not [thread for thread in threading.enumerate() if thread.name == "webcam:0"]


def test_a_reader_that_waits_is_woken_when_the_camera_closes(plug):
    plug.silent = True
    camera = Webcam(0, plug)
    answers = []
    reader = threading.Thread(target=lambda: answers.append(camera.read(30.0)))
    reader.start()
    camera.close()
    reader.join(5.0)
    assert answers == [None]


def test_only_usb_webcams_count_and_only_their_pictures(tmp_path):
    drivers = tmp_path / "drivers"
    for number, driver, index in [(0, "uvcvideo", 0), (1, "uvcvideo", 1), (10, "bcm2835-codec", 0), (4, "uvcvideo", 0)]:
        device = tmp_path / "class" / f"video{number}"
        (device / "device").mkdir(parents=True)
        (drivers / driver).mkdir(parents=True, exist_ok=True)
        (device / "device" / "driver").symlink_to(drivers / driver)
        (device / "index").write_text(f"{index}\n")
    (tmp_path / "class" / "video9").mkdir()
    assert webcams(tmp_path / "class") == [0, 4]
    assert webcams(tmp_path / "nothing") == []


def looks(camera, count):
    """Asks for so many pictures."""
    for _ in range(count):
        wait_for(camera)


def test_a_webcam_that_tells_nothing_is_not_made_dark(plug):
    plug.knows = {}
    with Webcam(0, plug) as camera:
        looks(camera, 40)
        assert plug.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        assert cv2.CAP_PROP_EXPOSURE not in plug.settings
        assert cv2.CAP_PROP_WB_TEMPERATURE not in plug.settings


def test_when_the_light_of_the_room_changes_the_webcam_settles_anew(plug):
    plug.brightness = 120
    with Webcam(0, plug) as camera:
        looks(camera, 40)
        assert plug.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        plug.brightness = 30
        looks(camera, ExposureLock.CHANGED + 2)
        assert plug.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
        looks(camera, 40)
        assert plug.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1


def test_exposure_and_colours_settle_and_are_then_locked(plug):
    with Webcam(0, plug) as camera:
        assert plug.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
        assert plug.settings[cv2.CAP_PROP_AUTO_WB] == 1
        looks(camera, 40)
        locked = {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_AUTO_WB: 0, cv2.CAP_PROP_AUTOFOCUS: 0}
        assert {key: plug.settings[key] for key in locked} == locked
        assert plug.settings[cv2.CAP_PROP_EXPOSURE] == 157
        assert plug.settings[cv2.CAP_PROP_WB_TEMPERATURE] == 4600


def test_frames_tell_their_age_and_a_driver_that_hangs_is_noticed(plug, monkeypatch):
    with Webcam(0, plug) as camera:
        frame = wait_for(camera)
        time.sleep(0.05)
        assert 0.05 <= camera.age(frame) < 5
        assert camera.alive
        monkeypatch.setattr(live, "STUCK_SECONDS", 0.1)
        hanging = threading.Event()
        monkeypatch.setattr(FakeCapture, "grab", lambda self: hanging.wait(5))
        deadline = time.monotonic() + 3
        while camera.alive and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not camera.alive
        hanging.set()
