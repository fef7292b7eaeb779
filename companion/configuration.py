"""The configuration: one TOML file, every value with a default, checked where it enters."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

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
    """The screen: size in pixels, and how it looks and sounds."""

    width: Annotated[int, Meta(ge=480, le=3840)] = 800
    height: Annotated[int, Meta(ge=480, le=3840)] = 480
    fullscreen: bool = False
    theme: Literal["light", "dark"] = "dark"
    sound: bool = True


class DataTable(Table, frozen=True):
    """Where records and pictures are kept; an empty folder name stands for the user's data folder."""

    folder: str = ""
    snapshot_megabytes: Annotated[int, Meta(ge=0, le=1_000_000)] = 500


class Configuration(Table, frozen=True):
    """The effective configuration. `camera`: `auto`, or a source as `--camera` takes it."""

    camera: str = "auto"
    language: Literal["en", "de", "fr"] = "en"
    lights: LightsTable = LightsTable()
    screen: ScreenTable = ScreenTable()
    data: DataTable = DataTable()

    @property
    def data_folder(self) -> Path:
        """Where records and pictures are kept."""
        return Path(self.data.folder).expanduser() if self.data.folder else user_data_path("companion", False)


def default_file() -> Path:
    """The file that is read where neither `--config` nor the environment names one."""
    return user_config_path("companion", False) / "config.toml"


def state_folder() -> Path:
    """Where the log of errors goes."""
    return user_state_path("companion", False)


def load(file: Path | None = None) -> Configuration:
    """The configuration in `file`, in the file that `COMPANION_CONFIG` names, or in the default file, if there is one.

    Raises:
        ConfigurationError: a file that was named does not exist or cannot be read, is not TOML, or has a key or value
            that cannot be used.
    """
    named = file or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    path = named or default_file()
    try:
        text = path.read_bytes()
    except FileNotFoundError as error:
        if named is None:
            return Configuration()
        raise ConfigurationError(f"{path}: there is no such file; without one the defaults hold") from error
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from error
    return parse(text, str(path))


def parse(text: bytes, origin: str) -> Configuration:
    """The configuration in a TOML text; `origin` names it in messages.

    Raises:
        ConfigurationError: the text is not TOML, or has a key or value that cannot be used.
    """
    try:
        configuration = msgspec.toml.decode(text, type=Configuration)
    except msgspec.DecodeError as error:
        raise ConfigurationError(f"{origin}: {_readable(error)}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{origin}: not a text file in UTF-8; a configuration is TOML") from error
    return configuration


def _readable(error: msgspec.DecodeError) -> str:
    return str(error)
