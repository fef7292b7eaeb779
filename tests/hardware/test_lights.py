import threading
import time
import warnings

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.lights import (
    BLINK_SECONDS,
    DARK,
    PULSE_SECONDS,
    GpioLights,
    LightsError,
    LightsWarning,
    NoLights,
    Pattern,
    ScreenLights,
    Signal,
    Signals,
    open_lights,
)

SEATS = ((17, 27, 22), (23, 24, 25))
STATUS = (18, 19, 20)
RED = Signal((255, 0, 0))
ORANGE = Signal((255, 51, 0))


@pytest.fixture
def factory():
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


def values(factory, pins):
    return tuple(factory.pin(pin).state for pin in pins)


def states(factory, pin):
    """The values that a pin has had, one after the other."""
    return [change.state for change in factory.pin(pin).states]


def test_a_steady_signal_sets_the_three_pins_of_its_seat_only(factory):
    with GpioLights(SEATS, STATUS, pin_factory=factory) as lights:
        lights.show(Signals((DARK, ORANGE), RED))
        assert values(factory, SEATS[0]) == (0, 0, 0)
        assert values(factory, SEATS[1]) == pytest.approx((1.0, 0.2, 0))
        assert values(factory, STATUS) == (1, 0, 0)
        lights.show(Signals())
        assert values(factory, SEATS[1]) == values(factory, STATUS) == (0, 0, 0)


def test_common_anodes_are_driven_low_and_brightness_dims(factory):
    with GpioLights(SEATS, STATUS, active_high=False, brightness=0.5, pin_factory=factory) as lights:
        assert values(factory, STATUS) == (1, 1, 1)
        lights.show(Signals(status=RED))
        assert values(factory, STATUS) == (0.5, 1, 1)


def test_blinking_goes_on_and_off_and_ends_with_the_next_signal(factory, monkeypatch):
    monkeypatch.setattr("hardware.lights.BLINK_SECONDS", 0.02)
    with GpioLights(SEATS, STATUS, pin_factory=factory) as lights:
        factory.pin(18).clear_states()
        lights.show(Signals(status=Signal((255, 0, 0), Pattern.BLINK)))
        deadline = time.monotonic() + 5
        while len(states(factory, 18)) < 6 and time.monotonic() < deadline:
            time.sleep(0.01)
        lights.show(Signals())
        seen = states(factory, 18)
        assert seen[1:6] == [1, 0, 1, 0, 1]
        time.sleep(0.1)
        assert states(factory, 18) == seen
        assert factory.pin(18).state == 0


def test_pulsing_fades(factory, monkeypatch):
    monkeypatch.setattr("hardware.lights.PULSE_SECONDS", 0.2)
    with GpioLights(SEATS, STATUS, pin_factory=factory) as lights:
        lights.show(Signals((Signal((0, 255, 0), Pattern.PULSE),)))
        time.sleep(0.35)
    seen = states(factory, 27)
    assert len({state for state in seen if 0 < state < 1}) >= 3
    assert max(seen) == 1


def test_a_light_whose_signal_stays_goes_on_undisturbed(factory):
    blinking = Signal((255, 0, 0), Pattern.BLINK)
    with GpioLights(SEATS, STATUS, pin_factory=factory) as lights:
        lights.show(Signals((RED, DARK), blinking))
        time.sleep(0.05)
        factory.pin(18).clear_states()
        factory.pin(17).clear_states()
        for colour in (RED, DARK, RED):
            lights.show(Signals((RED, colour), blinking))
        assert len(states(factory, 18)) == len(states(factory, 17)) == 1
        assert factory.pin(17).state == 1


def test_more_seats_than_leds_and_fewer_are_both_fine(factory):
    with GpioLights(SEATS, STATUS, pin_factory=factory) as lights:
        lights.show(Signals((RED, RED, RED, RED)))
        assert values(factory, SEATS[1]) == (1, 0, 0)
        lights.show(Signals((RED,)))
        assert values(factory, SEATS[0]) == (1, 0, 0)
        assert values(factory, SEATS[1]) == (0, 0, 0)


def test_closing_puts_out_and_gives_the_pins_back(factory):
    before = threading.active_count()
    lights = GpioLights(SEATS, STATUS, pin_factory=factory)
    lights.show(Signals((RED,), Signal((255, 255, 255), Pattern.BLINK)))
    lights.close()
    lights.close()
    assert threading.active_count() == before
    with GpioLights(SEATS, STATUS, pin_factory=factory) as again:
        again.show(Signals((RED,)))
        assert values(factory, SEATS[0]) == (1, 0, 0)


def test_a_pin_used_twice_is_refused_and_none_is_kept(factory):
    with pytest.raises(LightsError, match="GPIO17"):
        GpioLights((SEATS[0], SEATS[0]), STATUS, pin_factory=factory)
    GpioLights(SEATS, STATUS, pin_factory=factory).close()


def test_pins_without_pwm_are_an_error_with_its_reason():
    with pytest.raises(LightsError, match="PWM"):
        GpioLights(SEATS, STATUS, pin_factory=MockFactory())


def test_without_gpio_the_screen_stands_in_with_a_warning(monkeypatch):
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    with pytest.warns(LightsWarning, match=r"drawn on the screen.*lgpio") as caught:
        lights = open_lights("gpio", SEATS, STATUS)
    assert isinstance(lights, ScreenLights)
    assert len(caught) == 1


def test_lights_by_name(factory, monkeypatch):
    monkeypatch.setattr(Device, "pin_factory", factory)
    with open_lights("gpio", SEATS, STATUS) as lights:
        assert isinstance(lights, GpioLights)
    assert isinstance(open_lights("screen", SEATS, STATUS), ScreenLights)
    assert isinstance(open_lights("none", SEATS, STATUS), NoLights)
    with pytest.raises(LightsError, match="gpio, screen, none"):
        open_lights("candles", SEATS, STATUS)


def test_screen_lights_keep_what_is_to_be_drawn():
    lights = ScreenLights()
    lights.show(Signals((RED,), ORANGE))
    assert lights.signals == Signals((RED,), ORANGE)


def test_drawn_lights_blink_and_pulse_like_real_ones():
    blinking = Signal((200, 100, 0), Pattern.BLINK)
    assert [blinking.at(BLINK_SECONDS * step) for step in (0.5, 1.5, 2.5)] == [(200, 100, 0), (0, 0, 0), (200, 100, 0)]
    pulsing = Signal((200, 100, 0), Pattern.PULSE)
    shown = [pulsing.at(PULSE_SECONDS * step) for step in (0, 0.5, 1, 1.5, 2)]
    assert shown == [(0, 0, 0), (100, 50, 0), (200, 100, 0), (100, 50, 0), (0, 0, 0)]
    assert RED.at(123.4) == (255, 0, 0)


def test_gpio_that_fails_later_ends_the_lights_with_one_warning_and_not_the_game(factory, monkeypatch):
    with GpioLights(SEATS, STATUS, pin_factory=factory) as lights:
        monkeypatch.setattr(MockPWMPin, "_set_state", lambda pin, value: (_ for _ in ()).throw(OSError("GPIO gone")))
        with pytest.warns(LightsWarning, match="given up.*GPIO gone"):
            lights.show(Signals(status=RED))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lights.show(Signals())
        monkeypatch.undo()


def test_plain_leds_show_how_bright_and_blink(factory):
    with GpioLights(((17,), (23, 24, 25)), (18,), pin_factory=factory) as lights:
        lights.show(Signals((Signal((255, 51, 0)), RED), Signal((51, 0, 51))))
        assert factory.pin(17).state == 1
        assert values(factory, (23, 24, 25)) == (1, 0, 0)
        assert factory.pin(18).state == pytest.approx(0.2)
        lights.show(Signals((Signal((255, 0, 0), Pattern.BLINK), RED)))
        time.sleep(0.1)
        assert factory.pin(17).state == 1
        assert factory.pin(18).state == 0
