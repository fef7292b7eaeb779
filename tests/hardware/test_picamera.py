import sys

import pytest

from hardware import live, picamera
from hardware.camera import CameraError
from hardware.exposure import ExposureLock
from hardware.picamera import PiCamera, pi_cameras
from tests.hardware.picamera_double import Pi

SIZE = (64, 36)
LOCKED = {
    "AeEnable": False,
    "AwbEnable": False,
    "ExposureTime": 20000,
    "AnalogueGain": 2.0,
    "ColourGains": (1.8, 1.5),
}
FREE = {"AeEnable": True, "AwbEnable": True}


@pytest.fixture
def pi(monkeypatch):
    pi = Pi()
    for name, module in pi.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(live, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(picamera, "SILENCE_SECONDS", 0.05)
    return pi


def test_frames_come_as_opencv_wants_them_from_the_mode_that_sees_everything(pi):
    with PiCamera(SIZE) as camera:
        frame = camera.read()
        later = camera.read()
    assert camera.live
    assert frame.image.shape == (36, 64, 3)
    assert frame.image.mean() == 100
    assert later.number > frame.number
    assert later.time > frame.time
    assert pi.configuration["main"] == {"size": SIZE, "format": "RGB888"}
    assert pi.configuration["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
    assert pi.opened is None
    assert pi.unreturned == 0


def test_it_focuses_once_where_the_lens_can(pi):
    with PiCamera(SIZE):
        assert pi.controls == [{"AfMode": 1, "AfTrigger": 0}]
    pi.controls.clear()
    pi.autofocus = False
    with PiCamera(SIZE) as camera:
        camera.read()
        assert pi.controls == []


def test_exposure_and_white_balance_are_locked_once_they_have_settled(pi):
    pi.autofocus = False
    with PiCamera(SIZE) as camera:
        for brightness in range(20):
            pi.metadata["ExposureTime"] = 30000 - 500 * brightness
            camera.read()
        assert pi.controls == []
        pi.metadata["ExposureTime"] = 20000
        for _ in range(ExposureLock.STEADY + 1):
            camera.read()
        assert pi.controls == [LOCKED]


def test_the_grey_stream_tells_how_bright_it_is(pi, monkeypatch):
    """Rows are padded, and the colours follow below: only the picture counts."""
    seen = []
    follow = ExposureLock.follow

    def noted(self, metadata, brightness):
        seen.append(brightness)
        return follow(self, metadata, brightness)

    monkeypatch.setattr(ExposureLock, "follow", noted)
    with PiCamera((200, 90)) as camera:
        camera.read()
        pi.brightness = 31
        camera.read()
        camera.read()
    assert pi.configuration["lores"] == {"size": (50, 22), "format": "YUV420"}
    assert (seen[0], seen[-1]) == (100, 31)


def read_for_ever(camera):
    while True:
        camera.read(0.3)


def test_a_camera_that_hangs_is_noticed_and_opened_again(pi):
    with PiCamera(SIZE) as camera:
        camera.read()
        pi.hangs = True
        with pytest.raises(CameraError, match="picamera gives no picture"):
            read_for_ever(camera)
        pi.hangs = False
        for _ in range(100):
            try:
                assert camera.read(0.1) is not None
                break
            except CameraError:
                continue
        else:
            pytest.fail("the camera never came back")
        assert pi.times_opened >= 2
    assert pi.opened is None


def test_a_camera_that_another_program_has_is_said(pi):
    with PiCamera(SIZE), pytest.raises(CameraError, match=r"another program.*busy"):
        PiCamera(SIZE)


def test_a_pi_without_a_camera_of_its_own_is_said(pi):
    del pi.cameras[0]
    assert pi_cameras() == []
    with pytest.raises(CameraError, match="no camera is connected"):
        PiCamera(SIZE)


def test_missing_picamera2_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match=r"apt install python3-picamera2.*--system-site-packages"):
        PiCamera(SIZE)


METADATA = {"ExposureTime": 20000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.5)}


def settled():
    lock = ExposureLock()
    answers = [lock.follow(METADATA, 100.0) for _ in range(ExposureLock.STEADY + 1)]
    assert answers[:-1] == [{}] * ExposureLock.STEADY
    assert answers[-1] == LOCKED
    return lock


def test_a_hand_that_comes_and_goes_does_not_unlock():
    lock = settled()
    for _ in range(10):
        assert all(lock.follow(METADATA, 30.0) == {} for _ in range(ExposureLock.CHANGED - 1))
        assert lock.follow(METADATA, 100.0) == {}


@pytest.mark.parametrize("brightness", [30.0, 200.0])
def test_another_light_unlocks_and_locks_again_at_the_new_brightness(brightness):
    lock = settled()
    answers = [lock.follow(METADATA, brightness) for _ in range(ExposureLock.CHANGED)]
    assert answers[:-1] == [{}] * (ExposureLock.CHANGED - 1)
    assert answers[-1] == FREE
    again = [lock.follow(METADATA, 110.0) for _ in range(ExposureLock.STEADY + 1)]
    assert again[-1] == LOCKED
    assert all(lock.follow(METADATA, 100.0) == {} for _ in range(2 * ExposureLock.CHANGED))


def test_a_camera_without_colours_is_locked_by_what_it_has():
    lock = ExposureLock()
    answers = [lock.follow({"ExposureTime": 5, "AnalogueGain": 1.0}, 9.0) for _ in range(ExposureLock.STEADY + 1)]
    assert answers[-1] == {"AeEnable": False, "AwbEnable": False, "ExposureTime": 5, "AnalogueGain": 1.0}
