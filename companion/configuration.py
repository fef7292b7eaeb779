"""The configuration: one TOML file, every value with a default, checked where it enters."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta
from platformdirs import user_config_path, user_data_path, user_state_path

VARIABLE = "COMPANION_CONFIG"
"""The environment variable that names another configuration file."""

Pin = Annotated[int, Meta(ge=0, le=27)]
Pins = tuple[Pin, ...]


class ConfigurationError(Exception):
    """A configuration that cannot be used; the message names the file, the key and what would be right."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; unknown keys in it are errors."""


class LightsTable(Table, frozen=True):
    """Where the LEDs are: GPIO numbers (BCM), three of an RGB LED (red, green, blue) or one of a plain LED."""

    kind: Literal["gpio", "screen", "none"] = "gpio"
    seats: tuple[Pins, ...] = ((17, 27, 22), (23, 24, 25), (5, 6, 13), (12, 16, 26))
    status: Pins = (18, 19, 20)
    active_high: bool = True  # False: common anode
    brightness: Annotated[float, Meta(gt=0, le=1)] = 1.0


class ButtonsTable(Table, frozen=True):
    """Where buttons to ground are, GPIO numbers (BCM): to confirm, to roll the dice, to go back."""

    ok: Pin | None = None
    roll: Pin | None = None
    back: Pin | None = None


class ScreenTable(Table, frozen=True):
    """The screen: size of its window in pixels, and how it looks; without a theme the one chosen last."""

    width: Annotated[int, Meta(ge=480, le=3840)] = 800
    height: Annotated[int, Meta(ge=480, le=3840)] = 480
    fullscreen: bool = False
    theme: Literal["light", "dark", "contrast"] | None = None


class DataTable(Table, frozen=True):
    """Where records and pictures are kept (an empty name: the usual folder), and how much the pictures may take."""

    folder: str = ""
    snapshot_megabytes: Annotated[int, Meta(ge=0, le=1_000_000)] = 500


class Configuration(Table, frozen=True):
    """The effective configuration. `camera`: `auto`, or a source as `--camera` takes it. `language`: without one, the
    one chosen last. `sets`: files of sets of one's own, by game.
    """

    camera: str = "auto"
    language: Literal["en", "de", "fr"] | None = None
    lights: LightsTable = LightsTable()
    buttons: ButtonsTable = ButtonsTable()
    screen: ScreenTable = ScreenTable()
    data: DataTable = DataTable()
    sets: dict[str, str] = {}

    def set_file(self, game: str) -> Path | None:
        """The file of the set of one's own for that game, or None for the game's own."""
        return Path(self.sets[game]).expanduser() if game in self.sets else None

    @property
    def data_folder(self) -> Path:
        """Where records and pictures are kept: `data.folder`, else what `COMPANION_DATA` says, else the user's own."""
        named = self.data.folder or os.environ.get("COMPANION_DATA")
        return Path(named).expanduser() if named else user_data_path("companion", False)


def default_file() -> Path:
    """The file that is read where neither `--config` nor the environment names one."""
    return user_config_path("companion", False) / "config.toml"


def state_folder() -> Path:
    """Where the log of errors goes."""
    return user_state_path("companion", False)


def file_in_use(named: Path | None = None) -> Path | None:
    """The file that `load` reads: `named`, else what `COMPANION_CONFIG` names, else the default, if it exists."""
    if named:
        return named
    if os.environ.get(VARIABLE):
        return Path(os.environ[VARIABLE])
    return default_file() if default_file().exists() else None


def load(named: Path | None = None) -> Configuration:
    """The configuration in the file in use, or the defaults where there is none.

    Raises:
        ConfigurationError: a file that was named does not exist or cannot be read, is not TOML, or has a key or value
            that cannot be used.
    """
    path = file_in_use(named)
    if path is None:
        return Configuration()
    try:
        return parse(path.read_bytes(), str(path))
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: there is no such file; without one the defaults hold") from error
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from error


def parse(text: bytes, origin: str) -> Configuration:
    """The configuration in a TOML text; `origin` names it in messages.

    Raises:
        ConfigurationError: the text is not TOML, or has a key or value that cannot be used.
    """
    try:
        configuration = msgspec.toml.decode(text, type=Configuration)
    except msgspec.DecodeError as error:
        raise ConfigurationError(f"{origin}: {_readable(str(error))}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{origin}: is no text in UTF-8; a configuration is TOML") from error
    _check_pins(configuration, origin)
    return configuration


def _readable(message: str) -> str:
    """The message of msgspec with the key as people write it, and with what could stand there."""
    what, at, place = message.partition(" - at `$")
    key = place.rstrip("`").removeprefix(".")
    unknown = re.search("unknown field `(.*)`", what)
    if unknown:
        name = f"{key}.{unknown[1]}" if key else unknown[1]
        return (
            f"{name} is no key of the configuration; the keys there are: {', '.join(_type_of(key).__struct_fields__)}"
        )
    if "enum value" in what:
        return f"{key}: {what[0].lower()}{what[1:]}; it can be: {', '.join(_words(_type_of(key)))}"
    return f"{key}: {what[0].lower()}{what[1:]}" if at else f"is no TOML: {what}"


def _words(kind: Any) -> list[str]:
    """The values of a literal type, also of one that may be left out."""
    return [word for part in get_args(kind) for word in ([part] if isinstance(part, str) else get_args(part))]


def _type_of(key: str) -> Any:
    kind: Any = Configuration
    for name in filter(None, key.split(".")):
        kind = {field.name: field.type for field in msgspec.structs.fields(kind)}[name]
    return kind


def _check_pins(configuration: Configuration, origin: str) -> None:
    """An LED has one pin or three, and each pin has one purpose only."""
    lights = configuration.lights
    for key, pins in _leds(lights):
        if len(pins) not in (1, 3):
            raise ConfigurationError(
                f"{origin}: {key}: has {len(pins)} pins; an RGB LED has three, a plain one has one"
            )
    used: dict[int, str] = {}
    for pin, purpose in _pins(configuration):
        if pin in used:
            where = purpose.partition(" (")[0]
            why = f"pin {pin} ({purpose.partition('(')[2] or 'button)'} is used by {used[pin]} already"
            raise ConfigurationError(f"{origin}: {where}: {why}; each pin drives one LED or button only")
        used[pin] = purpose


def _leds(lights: LightsTable) -> Iterator[tuple[str, Pins]]:
    """The pins of each LED, with its key."""
    yield from ((f"lights.seats[{seat}]", pins) for seat, pins in enumerate(lights.seats))
    yield "lights.status", lights.status


def _pins(configuration: Configuration) -> Iterator[tuple[int, str]]:
    """Every pin with what it is for."""
    lights, buttons = configuration.lights, configuration.buttons
    for key, pins in _leds(lights):
        colours = ("red", "green", "blue") if len(pins) == 3 else ("LED",)
        yield from zip(pins, (f"{key} ({colour})" for colour in colours), strict=False)
    for name in buttons.__struct_fields__:
        if (pin := getattr(buttons, name)) is not None:
            yield pin, f"buttons.{name}"
