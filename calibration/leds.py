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


class ButtonOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each button does: by the name under which its pin is configured, what it is pressed for."""

    meanings: dict[str, str]

    def meaning(self, name: str) -> str:
        """What the button of that name is pressed for."""
        return self.meanings.get(name, name)


class Asking:
    """Lights one LED after the other (`count` at seats, and the status), and takes in where each glows.

    `led` is the one that glows now, None when all have been; `places` are those already known, with their LEDs.
    """

    def __init__(self, lights: Lights, count: int) -> None:
        self.count, self._lights = count, lights
        self.places: dict[str, int] = {}
        self.led: int | None = 0
        lights.show(_only(0, count))

    @property
    def allowed(self) -> tuple[str, ...]:
        """The places that there are: a seat, counted from 1, or `status`."""
        return (*(str(seat + 1) for seat in range(self.count)), STATUS)

    def answer(self, place: str) -> None:
        """The LED glows there; the next one follows.

        Raises:
            LedsError: that is no place, or another LED glows there.
        """
        assert self.led is not None
        if place not in self.allowed:
            why = "glows nowhere; check its wires and pins" if not place else f"{place!r} is no place"
            raise LedsError(f"LED {self.led + 1}: {why}; places are: {', '.join(self.allowed)}")
        if place in self.places:
            raise LedsError(f"LED {self.led + 1} and LED {self.places[place] + 1} cannot both glow at {place}")
        self.places[place] = self.led
        self.led = self.led + 1 if self.led < self.count else None
        self._lights.show(Signals() if self.led is None else _only(self.led, self.count))

    def close(self) -> None:
        """Puts the lights out."""
        self._lights.show(Signals())

    @property
    def order(self) -> LedOrder:
        """What was found, once all LEDs have glowed."""
        return LedOrder(tuple(self.places[str(seat + 1)] for seat in range(self.count)), self.places[STATUS])


def ask_leds(lights: Lights, count: int, ask: Callable[[int], str]) -> LedOrder:
    """Lights the LEDs one after the other (`count` at seats, and the status) and asks for each where it glows: a seat,
    counted from 1, `status`, or nothing where none does.

    Raises:
        LedsError: an LED glows nowhere, two in one place, or an answer is no place.
    """
    asking = Asking(lights, count)
    while asking.led is not None:
        asking.answer(ask(asking.led).strip().lower())
    return asking.order


def _only(led: int, count: int) -> Signals:
    seats = tuple(WHITE if led == seat else Signal() for seat in range(count))
    return Signals(seats, WHITE if led == count else Signal())


def composed(before: LedOrder | None, found: LedOrder) -> LedOrder:
    """The order that was found while the LEDs were in the order `before`, by the LEDs as configured."""
    if before is None or len(before.seats) != len(found.seats):
        return found
    leds = (*before.seats, before.status)
    return LedOrder(tuple(leds[led] for led in found.seats), leds[found.status])


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
