"""`companion check`: what works here, and what to do about what does not."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import platform
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from companion import configuration as configurations
from companion import failures
from companion.configuration import Configuration

THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
HOT = 80.0
"""Degrees Celsius from which a Raspberry Pi slows down."""

SPACE_MEGABYTES = 100
"""Free space below which nothing should be begun."""

THROTTLED = {0x1: "the supply voltage is too low", 0x2: "the clock is capped", 0x4: "it is slowed down by heat"}


class Finding(NamedTuple):
    """One part: whether it can be used as it is, what was found, and what would help. Without an `essential` part
    nothing works.
    """

    part: str
    ok: bool
    found: str
    advice: str = ""
    essential: bool = False


def run(as_json: bool, named: Path | None) -> int:
    """Prints what was found, with the configuration in `named` or the usual file; 0 where the program can be used."""
    configuration = configurations.load(named)
    file = Finding("configuration", True, str(configurations.file_in_use(named) or "the defaults"))
    findings = [file, *inspect(configuration)]
    usable = all(finding.ok for finding in findings if finding.essential)
    if as_json:
        parts = [finding._asdict() for finding in findings]
        effective = msgspec.to_builtins(configuration)
        click.echo(json.dumps({"usable": usable, "findings": parts, "configuration": effective}, indent=2))
    else:
        for finding in findings:
            _print(finding)
        click.echo("Companion can be used here." if usable else "Companion cannot be used here; see the advice above.")
    return failures.SUCCESS if usable else failures.FAILED


def _print(finding: Finding) -> None:
    mark = "ok " if finding.ok else "-> "
    click.echo(f"{mark} {finding.part:<14} {finding.found}")
    if finding.advice:
        click.echo(f"{'':<18} {finding.advice}")


def inspect(configuration: Configuration) -> Iterator[Finding]:
    """Everything that is looked at, one after the other."""
    yield Finding("Python", True, platform.python_version(), essential=True)
    yield from (_module(name, package) for name, package in MODULES.items())
    yield _data_folder(configuration.data_folder)
    looks: tuple[Callable[[], Finding | None], ...] = (
        lambda: _camera(configuration.camera),
        lambda: _lights(configuration),
        _screen,
        _temperature,
        _throttling,
    )
    yield from (finding for look in looks if (finding := look()))


MODULES = {"cv2": "opencv-python-headless", "numpy": "numpy", "pygame": "pygame-ce", "pygame_gui": "pygame_gui"}


def _module(name: str, package: str) -> Finding:
    try:
        module = importlib.import_module(name)
    except (ImportError, OSError) as error:
        return Finding(name, False, f"cannot be loaded ({error})", f"pip install {package}", essential=True)
    version = getattr(module, "__version__", None) or importlib.metadata.version(package)
    if name == "pygame" and not hasattr(module, "IS_CE"):
        advice = "pip uninstall pygame && pip install --force-reinstall pygame-ce"
        return Finding(name, False, f"{version}, not the maintained pygame-ce", advice, essential=True)
    return Finding(name, True, str(version), essential=True)


def _data_folder(folder: Path) -> Finding:
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(b"\0")
        free = shutil.disk_usage(existing).free // 1_000_000
    except OSError as error:
        advice = "make it writable, or name another one as data.folder in the configuration"
        return Finding("data folder", False, f"{folder}: {error.strerror}", advice, essential=True)
    enough = free >= SPACE_MEGABYTES
    advice = "" if enough else f"make room; at least {SPACE_MEGABYTES} MB are wanted"
    return Finding("data folder", enough, f"{folder}, {free} MB free", advice, essential=True)


def _camera(source: str) -> Finding:
    from hardware.camera import CameraError
    from hardware.sources import default_source, open_camera

    try:
        chosen = default_source() if source == "auto" else source
        if chosen == "simulated":
            advice = "" if source == "simulated" else "connect a camera; until then the simulated table stands in"
            return Finding("camera", source == "simulated", "none, the simulated table", advice)
        with open_camera(chosen) as camera:
            frame = camera.read(5.0)
    except CameraError as error:
        return Finding("camera", False, str(error), "the simulated table can be used: --camera simulated")
    if frame is None:
        return Finding("camera", False, f"{chosen} gives no picture")
    return Finding("camera", True, f"{chosen}, {frame.image.shape[1]} x {frame.image.shape[0]}")


def _lights(configuration: Configuration) -> Finding:
    from hardware.lights import open_lights

    lights = configuration.lights
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with open_lights(lights.kind, lights.seats, lights.status, lights.active_high, lights.brightness) as opened:
            name = opened.name
    found = f"{name}: {caught[0].message}" if caught else name
    advice = "on a Raspberry Pi: pip install lgpio, and the user in the group gpio" if caught else ""
    return Finding("lights", not caught, found, advice)


def _screen() -> Finding:
    import pygame

    try:
        pygame.display.init()
        driver, sizes = pygame.display.get_driver(), pygame.display.get_desktop_sizes()
    except pygame.error as error:
        return Finding(
            "screen", False, f"none ({error})", "without a screen: companion watch, companion demo --headless"
        )
    finally:
        pygame.display.quit()
    size = " and ".join(f"{width} x {height}" for width, height in sizes)
    if driver in ("dummy", "offscreen"):
        return Finding("screen", False, f"none (SDL uses {driver})", "connect a screen, or see the README on the Pi's")
    return Finding("screen", True, f"{driver}, {size}")


def _temperature() -> Finding | None:
    try:
        celsius = int(THERMAL.read_text()) / 1000
    except (OSError, ValueError):
        return None
    advice = "" if celsius < HOT else "too hot: it slows down; give it air, or a fan"
    return Finding("temperature", celsius < HOT, f"{celsius:.0f} °C", advice)


def _throttling() -> Finding | None:
    if not shutil.which("vcgencmd"):
        return None
    try:
        answer = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=True)
        bits = int(answer.stdout.partition("=")[2], 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    now = [text for bit, text in THROTTLED.items() if bits & bit]
    before = [f"earlier {text}" for bit, text in THROTTLED.items() if bits & bit << 16 and text not in now]
    advice = "use the Pi's own power supply and a short cable, and give it air" if bits else ""
    return Finding("power", not bits, "; ".join((*now, *before)) or "good", advice)
