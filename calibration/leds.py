"""Which LED glows where, and which button is which: asked once, and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from hardware.lights import Lights, Signal, Signals

WHITE = Signal((255, 255, 255))
STATUS = "status"


class LedsError(Exception):
    """Answers that make no order of the lights; the message says which."""


class LedOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For each seat the number of the LED, as configured, that stands before it; `status` likewise.

    The status LED has the number after those of the seats.
    """

    seats: tuple[int, ...]
    status: int


def ask_leds(lights: Lights, count: int, ask: Callable[[int], str]) -> LedOrder:
    """Lights the LEDs one after the other (`count` at seats, and the status) and asks for each where it glows: a seat,
    counted from 1, `status`, or nothing where none does.

    Raises:
        LedsError: an LED glows nowhere, two in one place, or an answer is no place.
    """
    places: dict[str, int] = {}
    allowed = [*(str(seat + 1) for seat in range(count)), STATUS]
    for led in range(count + 1):
        lights.show(_only(led, count))
        place = ask(led).strip().lower()
        if place not in allowed:
            why = "glows nowhere; check its wires and pins" if not place else f"{place!r} is no place"
            raise LedsError(f"LED {led + 1}: {why}; places are: {', '.join(allowed)}")
        if place in places:
            raise LedsError(f"LED {led + 1} and LED {places[place] + 1} cannot both glow at {place}")
        places[place] = led
    lights.show(Signals())
    return LedOrder(tuple(places[str(seat + 1)] for seat in range(count)), places[STATUS])


def _only(led: int, count: int) -> Signals:
    seats = tuple(WHITE if led == seat else Signal() for seat in range(count))
    return Signals(seats, WHITE if led == count else Signal())


def in_order(
    seats: Sequence[tuple[int, ...]], status: tuple[int, ...], order: LedOrder | None
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """The pins of the seats' LEDs and of the status LED in the order that was found; as configured without one, or
    where the number of LEDs has changed since.
    """
    pins = [*seats, status]
    if order is None or sorted((*order.seats, order.status)) != list(range(len(pins))):
        return tuple(seats), status
    return tuple(pins[led] for led in order.seats), pins[order.status]
