"""`companion check`: what works here, and what to do about what does not."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import platform
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion import configuration as configurations
from companion import failures
from companion.commands import machine
from companion.commands.finding import Finding
from companion.configuration import Configuration

if TYPE_CHECKING:
    from hardware.camera import Image

DIM, DAZZLED = 20.0, 235.0
"""Mean brightness (0 to 255) of a picture beyond which hardly anything can be seen in it."""

GPIO_ADVICE = "on a Raspberry Pi: pip install lgpio, and the user in the group gpio"
NARROW = 900
"""Pixels of width below which small digits cannot be read."""


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
    yield Finding("Companion", True, importlib.metadata.version("companion"))
    yield Finding("Python", True, platform.python_version(), essential=True)
    yield from (_module(name, package) for name, package in MODULES.items())
    folder = configuration.data_folder
    looks: tuple[Callable[[], Finding | None], ...] = (
        machine.machine,
        lambda: machine.data_folder(folder),
        lambda: machine.disks(folder),
        machine.clock,
        machine.temperature,
        machine.power,
        lambda: _camera(configuration.camera),
        lambda: _calibration(configuration),
        lambda: _sets(configuration),
        lambda: _lights(configuration),
        lambda: _buttons(configuration),
        _screen,
        _fonts,
        machine.sound,
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


def _camera(source: str) -> Finding:
    from hardware.camera import CameraError
    from hardware.sources import open_camera, source_named

    try:
        chosen = source_named(source)
        if chosen == "simulated":
            advice = "" if source == "simulated" else "connect a camera; until then the simulated table stands in"
            return Finding("camera", source == "simulated", "none, the simulated table", advice)
        with open_camera(chosen) as camera:
            frame = camera.read(5.0)
    except CameraError as error:
        return Finding("camera", False, str(error), "the simulated table can be used: --camera simulated")
    if frame is None:
        return Finding("camera", False, f"{chosen} gives no picture", "name another film or folder")
    return _picture(f"{chosen}, {frame.image.shape[1]} x {frame.image.shape[0]}", frame.image)


def _picture(found: str, image: Image) -> Finding:
    """Whether anything can be seen in the camera's picture."""
    level = float(image.mean())
    if not DIM <= level <= DAZZLED:
        how = "dark" if level < DIM else "white"
        return Finding("camera", False, f"{found}, but its picture is {how}", "lens cover, light, a lamp in its eye?")
    advice = "" if image.shape[1] >= NARROW else "larger pictures are read better"
    return Finding("camera", not advice, found, advice)


def _calibration(configuration: Configuration) -> Finding:
    """What was calibrated, and when; it works without."""
    from calibration.board import Nudge
    from calibration.leds import LedOrder
    from calibration.store import FOLDER, Calibrations, LensRecord

    kinds: dict[str, type[msgspec.Struct]] = {"lens": LensRecord, "board": Nudge, "leds": LedOrder}
    kept, folder, found = Calibrations(configuration.data_folder), configuration.data_folder / FOLDER, []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for file in sorted(folder.glob("*.json")):
            changed = file.stat().st_mtime
            if kept.load(file.stem, kinds.get(file.stem.partition("-")[0], msgspec.Struct)) is not None:
                days = max(0, int((time.time() - changed) / 86_400))
                found.append(f"{file.stem} {days} days ago" if days else f"{file.stem} today")
    if caught:
        return Finding("calibration", False, str(caught[0].message), "companion calibrate")
    return Finding("calibration", True, ", ".join(found) or "none; the makers' figures are used")


def _sets(configuration: Configuration) -> Finding:
    """Whether the sets of one's own can be used."""
    from companion.games.core import GameError
    from companion.games.registry import load_game
    from companion.games.sets import SetError

    for game in configuration.sets:
        try:
            load_game(game, configuration.set_file(game))
        except (GameError, SetError) as error:
            return Finding(
                "sets", False, str(error), f"companion set check {game} FILE, or take it out of the configuration"
            )
    return Finding("sets", True, ", ".join(configuration.sets.values()) or "the games' own")


def _lights(configuration: Configuration) -> Finding:
    from hardware.lights import open_lights

    lights = configuration.lights
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with open_lights(lights.kind, lights.seats, lights.status, lights.active_high, lights.brightness) as opened:
            name = opened.name
    found = f"{name}: {caught[0].message}" if caught else name
    return Finding("lights", not caught, found, GPIO_ADVICE if caught else "")


def _buttons(configuration: Configuration) -> Finding:
    from hardware.buttons import open_buttons

    pins = {name: pin for name, pin in msgspec.structs.asdict(configuration.buttons).items() if pin is not None}
    found = ", ".join(f"{name} at {pin}" for name, pin in pins.items()) or "none"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        open_buttons(pins, lambda name: None).close()
    if caught:
        return Finding("buttons", False, f"{found}: {caught[0].message}", GPIO_ADVICE)
    return Finding("buttons", True, found)


def _fonts() -> Finding:
    try:
        from companion.ui.text import FONTS, font

        pygame = importlib.import_module("pygame")
        pygame.font.init()
        font(20).render("Ä", True, (0, 0, 0))
    except (ImportError, OSError, NotImplementedError) as error:
        return Finding(
            "fonts", False, f"cannot be loaded ({error})", "pip install --force-reinstall pygame_gui", essential=True
        )
    return Finding("fonts", True, str(FONTS), essential=True)


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
