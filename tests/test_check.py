"""`companion check`: each part right and wrong, with what helps."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.board import Nudge
from calibration.store import Calibrations
from companion.commands import check, machine
from companion.commands.finding import Finding
from companion.configuration import ButtonsTable, Configuration, DataTable
from companion.main import main
from companion.vision.geometry.lens import Lens

LENS = Lens((640, 360), (492.0, 492.5), (324.0, 176.5))


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    return Configuration(data=DataTable(folder=str(tmp_path / "data")))


def tool(folder: Path, name: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command of that name that says this."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


def test_everything_is_looked_at_and_whatever_is_wrong_has_its_advice(configuration: Configuration) -> None:
    findings = list(check.inspect(configuration))
    parts = [finding.part for finding in findings]
    assert len(set(parts)) == len(parts)
    assert {"clock", "disks", "camera", "calibration", "sets", "lights", "buttons", "screen", "fonts", "sound"} <= set(
        parts
    )
    assert [finding.part for finding in findings if not finding.ok and not finding.advice] == []
    assert all(finding.ok for finding in findings if finding.essential)


# -- the machine -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("milli", "hot"), [(51234, False), (85000, True)])
def test_the_temperature(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, milli: int, hot: bool) -> None:
    (tmp_path / "temp").write_text(f"{milli}\n")
    monkeypatch.setattr(machine, "THERMAL", tmp_path / "temp")
    finding = machine.temperature()
    assert finding is not None
    assert finding.found == f"{milli / 1000:.0f} °C"
    assert (finding.ok, bool(finding.advice)) == (not hot, hot)


@pytest.mark.parametrize(
    ("bits", "found"),
    [
        ("0x0", "good"),
        ("0x50005", "the supply voltage is too low; it is slowed down by heat"),
        ("0x10000", "earlier the supply voltage is too low"),
    ],
)
def test_throttling_from_the_pis_firmware(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bits: str, found: str
) -> None:
    tool(tmp_path, "vcgencmd", f"throttled={bits}", monkeypatch)
    finding = machine.power()
    assert finding is not None
    assert (finding.found, finding.ok) == (found, bits == "0x0")


def test_a_machine_without_sensors_has_no_such_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine, "THERMAL", tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert machine.temperature() is None
    assert machine.power() is None
    tool(tmp_path, "vcgencmd", "VCHI initialization failed", monkeypatch)
    assert machine.power() is None


def test_a_pi_tells_its_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    monkeypatch.setattr(machine, "MODEL", tmp_path / "model")
    assert machine.machine().found.startswith("Raspberry Pi 5 Model B Rev 1.0, Linux")


@pytest.mark.parametrize(("says", "ok"), [("yes", True), ("no", False)])
def test_the_clock_is_synchronised_or_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, ok: bool) -> None:
    tool(tmp_path, "timedatectl", says, monkeypatch)
    assert machine.clock().ok is ok
    monkeypatch.setattr(time, "time", lambda: 60.0)
    finding = machine.clock()
    assert not finding.ok
    assert finding.found.startswith("1970-01-01")
    assert "date --set" in finding.advice


MOUNTS = {
    "a plain card": ("/dev/mmcblk0p2 / ext4 rw,noatime 0 0", True, "the system is writable; the records outlast"),
    "an appliance": (
        "overlayroot / overlay rw 0 0\n/dev/mmcblk0p3 {data} ext4 rw 0 0",
        True,
        "the system is read-only; the records outlast the power",
    ),
    "a trap": ("overlayroot / overlay rw 0 0", False, "the records lie in memory (overlay): they go with the power"),
    "in memory": ("/dev/root / ext4 ro 0 0\ntmpfs {data} tmpfs rw 0 0", False, "lie in memory (tmpfs)"),
}


@pytest.mark.parametrize("what", MOUNTS)
def test_where_the_records_lie(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str) -> None:
    text, ok, found = MOUNTS[what]
    (tmp_path / "mounts").write_text(text.format(data=tmp_path))
    monkeypatch.setattr(machine, "MOUNTS", tmp_path / "mounts")
    finding = machine.disks(tmp_path / "data")
    assert finding is not None
    assert (finding.ok, found in finding.found) == (ok, True)
    assert ok or "partition of their own" in finding.advice


def test_little_room_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 9_000_000})())
    assert machine.data_folder(tmp_path) == Finding(
        "data folder", False, f"{tmp_path}, 9 MB free", "make room; at least 100 MB are wanted", True
    )


def test_sound_cards_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cards = " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n                      vc4-hdmi-0\n"
    (tmp_path / "cards").write_text(cards)
    monkeypatch.setattr(machine, "SOUND_CARDS", tmp_path / "cards")
    assert machine.sound().ok
    assert machine.sound().found.startswith("vc4-hdmi-0; ")
    (tmp_path / "cards").write_text("--- no soundcards ---\n")
    assert not machine.sound().ok


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "width", "words"),
    [
        (120, 1280, ""),
        (4, 1280, "but its picture is dark"),
        (252, 1280, "but its picture is white"),
        (120, 320, "320 x"),
    ],
)
def test_what_the_camera_shows(tmp_path: Path, level: int, width: int, words: str) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((180, width, 3), level, np.uint8))
    finding = check._camera(f"pictures:{tmp_path}")
    assert words in finding.found
    assert finding.ok is not bool(words)
    assert bool(finding.advice) is bool(words)


def test_calibrations_are_told_with_their_age(configuration: Configuration) -> None:
    assert check._calibration(configuration).found.startswith("none")
    kept = Calibrations(configuration.data_folder)
    path = kept.keep_lens("picamera", LENS, 0.2, 12)
    kept.keep("board-via", Nudge(1.0, 0.0, 0.0))
    os.utime(path, (time.time() - 86_400 * 40.5,) * 2)
    assert check._calibration(configuration) == Finding(
        "calibration", True, "board-via today, lens-picamera 40 days ago"
    )
    path.write_text("{")
    finding = check._calibration(configuration)
    assert not finding.ok
    assert "lens-picamera.json" in finding.found


def test_a_set_of_ones_own_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[board]\n")
    good = check._sets(Configuration())
    assert (good.ok, good.found) == (True, "the games' own")
    finding = check._sets(Configuration(sets={"via": str(tmp_path / "mine.toml")}))
    assert not finding.ok
    assert "mine.toml" in finding.found
    assert not check._sets(Configuration(sets={"chess": "x"})).ok


def test_buttons_that_gpio_does_not_give(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero import Device

    assert check._buttons(Configuration()) == Finding("buttons", True, "none")
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    finding = check._buttons(Configuration(buttons=ButtonsTable(ok=5, roll=6)))
    assert not finding.ok
    assert finding.found.startswith("ok at 5, roll at 6: the buttons cannot be used")


def test_missing_fonts_are_essential(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from companion.ui import text

    assert check._fonts().ok
    monkeypatch.setattr(text, "FONTS", tmp_path)
    text.forget()
    finding = check._fonts()
    assert (finding.ok, finding.essential) == (False, True)


def test_json_has_every_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert main(["check", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["usable"] is True
    assert all(set(finding) == {"part", "ok", "found", "advice", "essential"} for finding in told["findings"])
