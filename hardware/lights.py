"""Lights: one RGB LED a seat and one for the status, on GPIO pins, or drawn on the screen, or none."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from types import TracebackType
from typing import Any, NamedTuple, Self

Colour = tuple[int, int, int]
Pins = tuple[int, ...]
"""The pins of an RGB LED, red, green and blue, or the one of a plain LED."""

BLINK_SECONDS = 0.4
"""How long a blinking light is on, and off."""

PULSE_SECONDS = 0.8
"""How long a pulsing light takes from dark to bright, and back."""


class Pattern(Enum):
    """What a light does."""

    STEADY = "steady"
    BLINK = "blink"
    PULSE = "pulse"


class Signal(NamedTuple):
    """One light: its colour (sRGB, 0 to 255) and what it does."""

    colour: Colour = (0, 0, 0)
    pattern: Pattern = Pattern.STEADY

    def at(self, time: float) -> Colour:
        """The colour at a moment (seconds), for lights that are drawn."""
        red, green, blue = self.colour
        part = self._part(time)
        return round(red * part), round(green * part), round(blue * part)

    def _part(self, time: float) -> float:
        if self.pattern is Pattern.BLINK:
            return float(time % (2 * BLINK_SECONDS) < BLINK_SECONDS)
        if self.pattern is Pattern.PULSE:
            return 1.0 - abs(time / PULSE_SECONDS % 2.0 - 1.0)
        return 1.0


DARK = Signal()


class Signals(NamedTuple):
    """All lights: one a seat, by seat, and the status."""

    seats: tuple[Signal, ...] = ()
    status: Signal = DARK


class LightsError(Exception):
    """The lights cannot be used; the message says why."""


class LightsWarning(UserWarning):
    """Other lights than those asked for are used; the message says why."""


class Lights(ABC):
    """Lights that show signals, used as a context manager. Seats without a light of their own show nothing."""

    name: str = "lights"

    def __init__(self) -> None:
        self.signals = Signals()

    def show(self, signals: Signals) -> None:
        """Shows `signals` from now on. A light whose signal stays the same goes on undisturbed."""
        if signals != self.signals:
            self._change(signals)
            self.signals = signals

    @abstractmethod
    def _change(self, signals: Signals) -> None:
        """Makes the lights show `signals`; `self.signals` still holds those before."""

    def close(self) -> None:
        """Puts the lights out and gives their pins back; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class NoLights(Lights):
    """No lights at all."""

    name = "none"

    def _change(self, signals: Signals) -> None:
        pass


class ScreenLights(Lights):
    """Lights for the screen to draw: it asks for `signals`, and for the colour of each at a time."""

    name = "screen"

    def _change(self, signals: Signals) -> None:
        pass


class GpioLights(Lights):
    """LEDs on GPIO pins (BCM numbers), each through a resistor: RGB LEDs, or plain ones, which show how bright only.

    `active_high` is False for LEDs with a common anode. `brightness` (0 to 1) dims them all. `pin_factory` is what
    gpiozero picks where it is None. Blinking and pulsing are gpiozero's.
    """

    name = "gpio"

    def __init__(
        self,
        seats: Sequence[Pins],
        status: Pins,
        active_high: bool = True,
        brightness: float = 1.0,
        pin_factory: Any = None,
    ) -> None:
        """Takes the pins.

        Raises:
            LightsError: there is no GPIO here, a pin cannot be used, or it is used twice.
        """
        super().__init__()
        self._brightness = brightness
        self._leds: list[Any] = []
        with gpio_errors():
            from gpiozero import PWMLED, RGBLED

            try:
                for pins in (*seats, status):
                    kind = PWMLED if len(pins) == 1 else RGBLED
                    self._leds.append(kind(*pins, active_high=active_high, pin_factory=pin_factory))
            except Exception:
                self.close()
                raise

    def _change(self, signals: Signals) -> None:
        """Sets the LEDs that change. Lights are never worth a game: if the GPIO fails it goes on without them."""
        try:
            with gpio_errors():
                self._set_changed(signals)
        except LightsError as error:
            warnings.warn(f"the lights are given up, since GPIO has failed: {error}", LightsWarning, 2)
            self._leds = []

    def _set_changed(self, signals: Signals) -> None:
        if not self._leds:
            return
        *seats, status = self._leds
        before = dict(zip(seats, self.signals.seats, strict=False)) | {status: self.signals.status}
        wanted = dict(zip(seats, signals.seats, strict=False)) | {status: signals.status}
        for led in self._leds:
            signal = wanted.get(led, DARK)
            if signal != before.get(led, DARK):
                self._set(led, signal)

    def _set(self, led: Any, signal: Signal) -> None:
        red, green, blue = (channel / 255 * self._brightness for channel in signal.colour)
        rgb = hasattr(led, "color")
        shown = {"on_color": (red, green, blue)} if rgb else {}  # a plain LED blinks at full brightness
        if signal.pattern is Pattern.BLINK:
            led.blink(BLINK_SECONDS, BLINK_SECONDS, **shown)
        elif signal.pattern is Pattern.PULSE:
            led.pulse(PULSE_SECONDS, PULSE_SECONDS, **shown)
        else:
            led.value = (red, green, blue) if rgb else max(red, green, blue)

    def close(self) -> None:
        """Puts the LEDs out and gives the pins back."""
        for led in self._leds:
            led.close()
        self._leds = []


@contextmanager
def gpio_errors() -> Iterator[None]:
    """What gpiozero and the pin libraries below it raise and warn, as one `LightsError`."""
    with warnings.catch_warnings(record=True) as tried:
        warnings.simplefilter("always")
        try:
            yield
        except Exception as error:  # the libraries below gpiozero raise what they like
            reasons = "; ".join(dict.fromkeys(str(warning.message) for warning in tried))
            what = str(error) or type(error).__name__
            raise LightsError(f"{what} ({reasons})" if reasons else what) from error


def open_lights(
    kind: str, seats: Sequence[Pins], status: Pins, active_high: bool = True, brightness: float = 1.0
) -> Lights:
    """The lights of that kind, `gpio`, `screen` or `none`. Where there is no GPIO the screen stands in, with a warning.

    Raises:
        LightsError: there is no such kind.
    """
    if kind == "screen":
        return ScreenLights()
    if kind == "none":
        return NoLights()
    if kind != "gpio":
        raise LightsError(f"there are no lights {kind!r}; it can be: gpio, screen, none")
    try:
        return GpioLights(seats, status, active_high, brightness)
    except LightsError as error:
        warnings.warn(f"the lights are drawn on the screen, since GPIO cannot be used: {error}", LightsWarning, 2)
        return ScreenLights()
