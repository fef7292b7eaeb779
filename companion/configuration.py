"""The configuration: one TOML file, every value with a default, checked where it enters."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta
from platformdirs import user_config_path, user_data_path, user_state_path

VARIABLE = "COMPANION_CONFIG"
"""The environment variable that names another configuration file."""

Pin = Annotated[int, Meta(ge=0, le=27)]
Pins = tuple[Pin, Pin, Pin]


class ConfigurationError(Exception):
    """A configuration that cannot be used; the message names the file, the key and what would be right."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; unknown keys in it are errors."""


class LightsTable(Table, frozen=True):
    """Where the LEDs are: `pins` of a LED are its red, green and blue GPIO numbers (BCM)."""

    kind: Literal["gpio", "screen", "none"] = "gpio"
    seats: tuple[Pins, ...] = ((17, 27, 22), (23, 24, 25), (5, 6, 13), (12, 16, 26))
    status: Pins = (18, 19, 20)
    active_high: bool = True  # False: common anode
    brightness: Annotated[float, Meta(gt=0, le=1)] = 1.0


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
    one chosen last.
    """

    camera: str = "auto"
    language: Literal["en", "de", "fr"] | None = None
    lights: LightsTable = LightsTable()
    screen: ScreenTable = ScreenTable()
    data: DataTable = DataTable()

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
    _check_pins(configuration.lights, origin)
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


def _check_pins(lights: LightsTable, origin: str) -> None:
    """Each pin drives one colour of one LED only."""
    used: dict[int, str] = {}
    leds = {f"lights.seats[{seat}]": pins for seat, pins in enumerate(lights.seats)} | {"lights.status": lights.status}
    for key, pins in leds.items():
        for pin, colour in zip(pins, ("red", "green", "blue"), strict=True):
            if pin in used:
                why = f"pin {pin} ({colour}) is used by {used[pin]} already; each pin drives one LED only"
                raise ConfigurationError(f"{origin}: {key}: {why}")
            used[pin] = f"{key} ({colour})"
