"""A program on SDL's dummy driver, with a library in memory."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from collections.abc import Callable, Iterator
from typing import Any

import pygame
import pytest

from companion.ui import text
from companion.ui.app import App
from tests.ui.finger import Finger
from tests.ui.memory import MemoryLibrary

Program = Callable[..., Finger]


@pytest.fixture
def program() -> Iterator[Program]:
    """Starts the program; options as `App` has them."""
    pygame.display.init()
    pygame.font.init()

    def start(library: MemoryLibrary | None = None, size: tuple[int, int] = (800, 480), **options: Any) -> Finger:
        surface = pygame.display.set_mode(size)
        return Finger(
            App(library or MemoryLibrary(["Ada", "Ben"]), surface, **{"language": "en", "theme": "light", **options})
        )

    yield start
    text.forget()
    pygame.quit()
