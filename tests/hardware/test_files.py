import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError, SourceError
from hardware.files import PictureFolder, VideoFile

SIZE = (160, 120)
FRAMES = 30


def write_film(path: Path, code: str, frames: int = FRAMES, rate: float = 5.0) -> Path:
    """A film of a bar that moves to the right, over noise, so that no frame can be left out by the encoder."""
    noise = np.random.default_rng(1).integers(0, 80, (frames, SIZE[1], SIZE[0], 3), dtype=np.uint8)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), rate, SIZE)
    for number, image in enumerate(noise):
        image[:, 4 * number : 4 * number + 8] = 255
        writer.write(image)
    writer.release()
    return path


def read_all(camera):
    frames = []
    while (frame := camera.read()) is not None:
        frames.append(frame)
    return frames


def read_until_error(camera):
    frames = []
    try:
        while (frame := camera.read()) is not None:
            frames.append(frame)
    except CameraError as error:
        return frames, str(error)
    return frames, None


@pytest.mark.parametrize(("name", "code"), [("film.mp4", "mp4v"), ("film.avi", "MJPG"), ("film.mkv", "mp4v")])
def test_every_frame_of_a_film_comes_once_with_the_time_of_the_container(tmp_path, name, code):
    with VideoFile(write_film(tmp_path / name, code)) as film:
        frames = read_all(film)
        assert film.read() is None
    assert not film.live
    assert [frame.number for frame in frames] == list(range(FRAMES))
    assert [frame.time for frame in frames] == pytest.approx([number / 5 for number in range(FRAMES)])
    assert {frame.image.shape for frame in frames} == {(120, 160, 3)}
    bars = [int(frame.image.mean(axis=(0, 2)).argmax()) for frame in frames]
    assert bars == pytest.approx([4 * number + 4 for number in range(FRAMES)], abs=5)


@pytest.mark.parametrize(("name", "code"), [("film.avi", "MJPG"), ("film.mkv", "mp4v")])
def test_a_film_that_was_cut_off_gives_what_there_is_and_then_says_so(tmp_path, name, code):
    path = write_film(tmp_path / name, code)
    os.truncate(path, path.stat().st_size // 2)
    with VideoFile(path) as film:
        frames, error = read_until_error(film)
    assert 5 < len(frames) < FRAMES - 5
    assert error.startswith(f"{path}: ")
    assert f"{len(frames)} of {FRAMES} frames could be read" in error
    assert f"at {frames[-1].time:.1f} s" in error


def test_a_film_damaged_in_the_middle_gives_what_can_be_read_on_both_sides(tmp_path):
    path = write_film(tmp_path / "film.mp4", "mp4v")
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(bytes(path.stat().st_size // 8))
    with VideoFile(path) as film:
        frames, error = read_until_error(film)
    assert "damaged" in error
    assert frames[-1].time == pytest.approx((FRAMES - 1) / 5)
    times = [frame.time for frame in frames]
    assert times == sorted(set(times))


def test_an_mp4_without_its_end_cannot_be_opened_and_says_so(tmp_path):
    path = write_film(tmp_path / "film.mp4", "mp4v")
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(SourceError, match="torn, or no film"):
        VideoFile(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("film.mp4", b"Dear diary,\ntoday I lost at Triangle.\n" * 99, "is a text file; a film"),
        ("umlaut.mp4", "größer\n".encode() * 999, "is a text file"),
        ("film.avi", b"", "is empty"),
        ("film.mkv", bytes(range(256)) * 40, "cannot be read as a film"),
        ("picture.PNG", b"\x89PNG", "companion look"),
    ],
)
def test_what_is_no_film_is_refused_with_what_would_be_right(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=message) as caught:
        VideoFile(tmp_path / name)
    assert name in str(caught.value)


def test_a_folder_and_a_missing_file_are_no_films(tmp_path):
    with pytest.raises(SourceError, match="pictures:"):
        VideoFile(tmp_path)
    with pytest.raises(SourceError, match="No such file"):
        VideoFile(tmp_path / "film.mp4")


def write_pictures(folder: Path, names: list[str]) -> None:
    for number, name in enumerate(names):
        cv2.imwrite(str(folder / name), np.full((24, 32, 3), 10 * number, np.uint8))


def test_pictures_come_in_the_order_of_their_numbers_at_the_interval(tmp_path):
    write_pictures(tmp_path, ["shot2.png", "shot10.png", "shot1.png"])
    (tmp_path / "notes.txt").write_text("no picture")
    with PictureFolder(tmp_path, interval=0.5) as folder:
        frames = read_all(folder)
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [20, 0, 10]
    assert [(frame.number, frame.time) for frame in frames] == [(0, 0.0), (1, 0.5), (2, 1.0)]
    assert not folder.live


def test_a_torn_picture_is_an_error_of_its_own_and_the_others_still_come(tmp_path):
    write_pictures(tmp_path, ["1.png", "2.png", "3.png"])
    (tmp_path / "2.png").write_text("not a picture")
    with PictureFolder(tmp_path) as folder:
        first = folder.read()
        with pytest.raises(CameraError, match=r"2\.png: cannot be read as a picture"):
            folder.read()
        third = folder.read()
        assert folder.read() is None
    assert first.number == 0
    assert (third.number, third.time) == (2, 2.0)


def test_an_empty_folder_and_no_folder_are_refused(tmp_path):
    with pytest.raises(SourceError, match=r"holds no pictures \(.*\.jpg"):
        PictureFolder(tmp_path)
    with pytest.raises(SourceError, match="is no folder"):
        PictureFolder(tmp_path / "none")
