"""Push buttons at the table, on GPIO pins to ground."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from hardware.lights import LightsError, LightsWarning, gpio_errors

BOUNCE_SECONDS = 0.03
"""How long a button's contacts may bounce."""


class Buttons:
    """Buttons, each by its name, used as a context manager."""

    def __init__(self, pins: Mapping[str, int], pressed: Callable[[str], None], pin_factory: Any = None) -> None:
        """Takes the pins (BCM numbers). `pressed` is called with the name of a button that was pressed, on a thread of
        gpiozero's.

        Raises:
            LightsError: there is no GPIO here, or a pin cannot be used.
        """
        self._buttons: list[Any] = []
        if not pins:
            return
        with gpio_errors():
            from gpiozero import Button

            try:
                for name, pin in pins.items():
                    button = Button(pin, bounce_time=BOUNCE_SECONDS, pin_factory=pin_factory)
                    self._buttons.append(button)
                    button.when_pressed = lambda name=name: pressed(name)
            except Exception:
                self.close()
                raise

    def close(self) -> None:
        """Gives the pins back; may be called twice."""
        for button in self._buttons:
            button.close()
        self._buttons = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_buttons(pins: Mapping[str, int], pressed: Callable[[str], None]) -> Buttons:
    """The buttons on these pins; none, with a warning, where GPIO cannot be used."""
    try:
        return Buttons(pins, pressed)
    except LightsError as error:
        warnings.warn(f"the buttons cannot be used: {error}", LightsWarning, 2)
        return Buttons({}, pressed)
