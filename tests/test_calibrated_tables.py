"""The set and the calibrations of one's own in the commands that watch a table; torn ones do not stop them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.board import Nudge, Nudged
from calibration.store import Calibrations
from companion.commands import watching
from companion.commands.watching import watcher_of
from companion.configuration import Configuration, DataTable
from companion.games.registry import load_game
from companion.main import main
from companion.table.store import Store
from companion.ui import app
from companion.vision.geometry.lens import Lens

LENS = Lens((640, 360), (492.0, 492.5), (324.0, 176.5))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder, a film of nothing, and a configuration with a set of one's own."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    (tmp_path / "film").mkdir()
    cv2.imwrite(str(tmp_path / "film" / "1.png"), np.full((90, 160, 3), 90, np.uint8))
    assert main(["set", "copy", "triangle", str(tmp_path / "mine.toml")]) == 0
    text = f'sets.triangle = "{tmp_path / "mine.toml"}"\n[lights]\nkind = "none"\n'
    (tmp_path / "my.toml").write_text(text)
    return tmp_path


def watch(home: Path, *more: str) -> int:
    return main(["--config", str(home / "my.toml"), "watch", str(home / "film"), "--game", "triangle", *more])


def test_watch_and_look_use_the_set_of_ones_own(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watch(home)
    with Store(home / "data") as store:
        (summary,) = store.records()
        assert store.record(summary.name).set_file == str(home / "mine.toml")
    (home / "mine.toml").write_text("[board]\n")
    capsys.readouterr()
    assert watch(home) == 2
    assert main(["--config", str(home / "my.toml"), "demo", "triangle", "--headless"]) == 2
    picture = str(home / "film" / "1.png")
    assert main(["--config", str(home / "my.toml"), "look", picture, "--game", "triangle"]) == 2
    assert capsys.readouterr().err.count("mine.toml: ") == 3


def test_torn_calibrations_do_not_stop_a_table(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = app.run
    monkeypatch.setattr(app, "run", lambda library, **options: original(library, **options, max_frames=3))
    folder = home / "data" / "calibration"
    folder.mkdir(parents=True)
    commands = {
        "play": ["play", "triangle", "--camera", f"pictures:{home / 'film'}", "--players", "Ada,Ben"],
        "watch": ["watch", str(home / "film"), "--game", "triangle"],
    }
    for command in commands.values():
        for name in ("board-triangle", "leds"):
            (folder / f"{name}.json").write_text('{"dx": 1')
        assert main(["--config", str(home / "my.toml"), *command]) in (0, 1)
        said = capsys.readouterr().err
        assert "board-triangle.json cannot be used" in said
        assert "calibrate anew" in said
        assert not (folder / "board-triangle.json").exists()
    assert len(list(folder.glob("board-triangle.torn-*"))) == 2
    assert len(list(folder.glob("leds.torn-*"))) == 1  # only `play` has lights


def test_what_was_calibrated_at_a_table_holds_for_its_cameras_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Lens | None, object]] = []
    original = watching.Watcher

    def watcher(game: object, lens: Lens | None = None, **more: object) -> object:
        made.append((lens, more.get("locator")))
        return original(game, lens, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(watching, "Watcher", watcher)
    monkeypatch.setattr("hardware.sources.default_source", lambda: "webcam:0")
    kept = Calibrations(home / "data")
    kept.keep_lens("webcam:0", LENS, 0.2, 12)
    kept.keep("board-triangle", Nudge(1.0, -2.0, 0.5))
    configuration = Configuration(data=DataTable(folder=str(home / "data")))
    for source in ("webcam:0", "auto", f"pictures:{home}", "simulated"):
        watcher_of(load_game("triangle"), source, configuration)
    nudged = Nudged(Nudge(1.0, -2.0, 0.5))
    assert made == [(LENS, nudged), (LENS, nudged), (None, nudged), (None, None)]


def test_a_demo_with_a_set_of_ones_own_is_recorded_with_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.commands.demo.follow", lambda *arguments: None)  # a whole game takes long
    main(["--config", str(home / "my.toml"), "demo", "triangle", "--headless", "--json"])
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    with Store(home / "data" / "demo") as store:
        assert store.record(told[0]["result"]["record"]).set_file == str(home / "mine.toml")
