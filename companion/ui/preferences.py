"""What people prefer: language, theme, size of texts, hand, sounds, spoken turns; kept in the library's settings."""

from __future__ import annotations

import logging
from dataclasses import dataclass, fields

from companion.table.errors import StoreError
from companion.ui.language import LANGUAGES
from companion.ui.model import Library
from companion.ui.palette import PALETTES

LOG = logging.getLogger(__name__)

CHOICES: dict[str, tuple[str, ...]] = {
    "language": tuple(LANGUAGES),
    "theme": tuple(PALETTES),
    "text": ("100", "125", "150"),
    "hand": ("right", "left"),
    "sound": ("on", "off"),
    "speech": ("on", "off"),
}
"""The values of each preference."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """One of the `CHOICES` each. `text`: size of texts in percent; `hand`: the one that touches."""

    language: str = "en"
    theme: str = "light"
    text: str = "100"
    hand: str = "right"
    sound: str = "on"
    speech: str = "off"


def read(library: Library, **defaults: str | None) -> Preferences:
    """What was chosen last, else the given defaults, else the usual ones; values that we do not know do not count."""
    chosen: dict[str, str] = {}
    for name in (field.name for field in fields(Preferences)):
        candidates = (library.setting(name), defaults.get(name))
        known = [value for value in candidates if value in CHOICES[name]]
        if known and known[0] is not None:
            chosen[name] = known[0]
    return Preferences(**chosen)


def keep(library: Library, changes: dict[str, str]) -> None:
    """Keeps what was chosen for the next time; where that cannot be stored it holds until the program ends."""
    try:
        for name, value in changes.items():
            library.set_setting(name, value)
    except StoreError as error:
        LOG.warning("a setting could not be kept: %s", error)
