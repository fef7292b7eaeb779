"""A table watched with the set and everything that was calibrated there."""

from __future__ import annotations

from typing import Any

from calibration.board import Nudge, Nudged
from calibration.cameras import lens_of
from calibration.store import Calibrations
from companion.configuration import Configuration
from companion.games.core import Game
from companion.vision.watching.watcher import Watcher
from hardware.sources import parse_source, source_named


def watcher_of(game: Game[Any, Any], source: str, configuration: Configuration) -> Watcher:
    """Watches a game through the camera that `source` names."""
    name = source_named(source)
    if parse_source(name)[0] == "simulated":  # what was found out at a real table is not so there
        return Watcher(game)
    lens = lens_of(name, configuration.data_folder)
    nudge = Calibrations(configuration.data_folder).load(f"board-{game.name}", Nudge)
    return Watcher(game, lens, locator=Nudged(nudge)) if nudge else Watcher(game, lens)
