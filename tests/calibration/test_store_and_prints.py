"""What calibrations leave on disk and on paper, and the commands that make them."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path

import cv2
import pytest

from calibration.board import Nudge
from calibration.charts import PRINTED
from calibration.printing import RULER, PaperError, cards_sheet, chart_sheet
from calibration.store import CalibrationError, Calibrations, CalibrationWarning
from companion.games.registry import GAMES, load_game
from companion.games.sets import Marker
from companion.main import main
from companion.vision.geometry.lens import Lens
from tests.calibration.charting import taken

LENS = Lens((640, 360), (492.0, 492.5), (324.0, 176.5), (-0.08, 0.03, 0.0005, -0.0003, 0.0))
POINT = 72 / 25.4
"""Units of a PDF page in a millimetre."""


def rectangles(pdf: bytes) -> list[tuple[float, float]]:
    """Widths and heights, in mm, of all filled rectangles of a PDF."""
    streams = (
        zlib.decompress(part) for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.S) if part[:1] == b"x"
    )
    text = b"".join(stream for stream in streams if b" re " in stream).decode()
    found = re.findall(r"[-\d.]+ [-\d.]+ ([-\d.]+) ([-\d.]+) re f", text)
    return [(abs(float(w)) / POINT, abs(float(h)) / POINT) for w, h in found]


def test_a_lens_is_kept_and_found_again(tmp_path: Path) -> None:
    kept = Calibrations(tmp_path)
    assert kept.lens("webcam:0") is None
    path = kept.keep_lens("webcam:0", LENS, 0.2, 12)
    assert kept.lens("webcam:0") == LENS
    assert kept.lens("webcam:1") is None
    assert [p.name for p in path.parent.iterdir()] == ["lens-webcam-0.json"]


NONSENSE = {
    "size": [0, 0],
    "focal": [-3.0, 1e9],
    "centre": [1e6, 0],
    "distortion": [1e300, 0, 0, 0, 0],
    "error": "small",
    "colour": "red",
}


def test_a_torn_file_is_warned_of_and_put_aside(tmp_path: Path) -> None:
    kept = Calibrations(tmp_path)
    for count in (1, 2):
        path = kept.keep_lens("picamera", LENS, 0.2, 12)
        torn = path.read_bytes()[: 40 * count]
        path.write_bytes(torn)
        with pytest.warns(CalibrationWarning, match=rf"lens-picamera\.json.*kept as .*torn-{count}.*calibrate anew"):
            assert kept.lens("picamera") is None
        assert path.with_suffix(f".torn-{count}").read_bytes() == torn
        assert kept.lens("picamera") is None  # without another word


@pytest.mark.parametrize("key", NONSENSE)
def test_a_lens_that_cannot_be_is_not_believed(tmp_path: Path, key: str) -> None:
    kept = Calibrations(tmp_path)
    path = kept.keep_lens("picamera", LENS, 0.2, 12)
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: NONSENSE[key]}))
    with pytest.warns(CalibrationWarning, match=key):
        assert kept.lens("picamera") is None


def test_a_nudge_too_far_to_be_one_is_not_believed(tmp_path: Path) -> None:
    kept = Calibrations(tmp_path)
    path = kept.keep("board-triangle", Nudge(1.0, 2.0, 0.5))
    path.write_text(path.read_text().replace("2.0", "2000"))
    with pytest.warns(CalibrationWarning, match="by 15 mm"):
        assert kept.load("board-triangle", Nudge) is None


def test_a_calibration_that_cannot_be_read_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "calibration" / "lens-picamera.json").mkdir(parents=True)
    with pytest.warns(CalibrationWarning, match="directory"):
        assert Calibrations(tmp_path).lens("picamera") is None


def test_an_unwritable_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "calibration").write_text("in the way")
    with pytest.raises(CalibrationError, match="nothing was kept"):
        Calibrations(tmp_path).keep_lens("picamera", LENS, 0.2, 12)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("name", GAMES)
def test_cards_have_their_true_size(name: str, paper: str) -> None:
    marker = load_game(name).marker
    black = rectangles(cards_sheet(name, marker, paper))
    assert max(width for width, _ in black) == pytest.approx(marker.size, abs=0.02)
    rows = [height for _, height in black]
    assert min(rows) == pytest.approx(marker.size / 6, abs=0.02)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_chart_has_its_true_size(paper: str) -> None:
    black = rectangles(chart_sheet(PRINTED, paper))
    squares = [size for size in black if size == (pytest.approx(34, abs=0.02), pytest.approx(34, abs=0.02))]
    assert len(squares) == 18
    assert RULER == 100


def test_a_card_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(PaperError, match="does not fit on A4"):
        cards_sheet("large", Marker(ids=(0,), size=300.0, quiet=5.0, centres=((0.0, 0.0),)))


def test_the_commands_print_and_calibrate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    assert main(["print", "cards", "via", "--out", str(tmp_path / "cards.pdf")]) == 0
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")
    assert main(["print", "chart", "--out", str(tmp_path / "nowhere" / "chart.pdf")]) == 2
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for seed in range(14):
        cv2.imwrite(str(pictures / f"{seed:02}.png"), taken(PRINTED, LENS, seed))
    assert main(["calibrate", "lens", str(pictures), "--camera-name", "webcam:0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["focal"][0] == pytest.approx(492, rel=0.005)
    assert told["error"] < 0.3
    assert Calibrations(tmp_path / "data").lens("webcam:0") is not None
    assert main(["calibrate", "lens", str(pictures), "--chart", "chessboard:9x6:25"]) == 2
    assert "8 are needed" in capsys.readouterr().err
