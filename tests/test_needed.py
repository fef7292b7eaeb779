"""What the installer asks pip for: only what the system does not have new enough, in versions that go with the rest."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[1] / "systemd" / "needed.py"


@pytest.fixture
def needed() -> ModuleType:
    spec = importlib.util.spec_from_file_location("needed", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def asked(
    needed: ModuleType, monkeypatch: pytest.MonkeyPatch, opencv: str | None, versions: dict[str, str]
) -> dict[str, str]:
    """The requirements for a system that has these versions: bounds by name."""
    monkeypatch.setattr(needed, "_opencv", lambda: opencv)
    monkeypatch.setattr(needed, "_version", versions.get)
    printed: list[str] = []
    monkeypatch.setattr(needed, "print", lambda text, file=None: None if file else printed.append(text), raising=False)
    needed.main()
    return {line.partition(">=")[0]: line.partition(">=")[2] for line in printed}


def test_what_trixie_has_is_not_asked_for(needed: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = asked(needed, monkeypatch, "4.10.0", {"numpy": "2.2.4", "gpiozero": "2.0.1"})
    assert {"numpy", "opencv-python-headless", "gpiozero"}.isdisjoint(wanted)
    assert wanted["pygame-ce"] == "2.5"


def test_on_bookworm_opencv_and_numpy_go_with_its_picamera2(
    needed: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled for numpy 1, it could not be imported beside numpy 2."""
    wanted = asked(needed, monkeypatch, "4.6.0", {"numpy": "1.24.2", "gpiozero": "2.0.1"})
    assert wanted["numpy"] == "1.26,<2"
    assert wanted["opencv-python-headless"] == "4.10,<4.12"


@pytest.mark.parametrize("bits", [32, 64])
def test_a_32_bit_system_is_not_given_what_it_cannot_have(
    needed: ModuleType, monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    monkeypatch.setattr(needed, "_bits", lambda: bits)
    assert ("onnxruntime" in asked(needed, monkeypatch, None, {})) == (bits == 64)


def test_a_bare_system_gets_the_newest(needed: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = asked(needed, monkeypatch, None, {})
    assert (wanted["numpy"], wanted["opencv-python-headless"]) == ("1.26", "4.10")


def test_what_is_too_old_is_said(
    needed: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(needed, "_opencv", lambda: "4.6.0")
    needed.main()
    assert "the system's opencv-python-headless is 4.6.0, older than 4.10" in capsys.readouterr().err
