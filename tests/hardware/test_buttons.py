"""Buttons at the table, on mock pins."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.buttons import BOUNCE_SECONDS, Buttons, open_buttons
from hardware.lights import LightsError, LightsWarning


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()


def test_a_pressed_button_says_its_name_once(factory: MockFactory) -> None:
    pressed: list[str] = []
    with Buttons({"roll": 4, "ok": 14}, pressed.append, factory):
        factory.pin(4).drive_low()
        time.sleep(2 * BOUNCE_SECONDS)
        factory.pin(4).drive_high()
        time.sleep(2 * BOUNCE_SECONDS)
        factory.pin(14).drive_low()
        time.sleep(2 * BOUNCE_SECONDS)
        assert pressed == ["roll", "ok"]


def test_pins_are_given_back(factory: MockFactory) -> None:
    with Buttons({"roll": 4}, print, factory):
        pass
    with Buttons({"back": 4}, print, factory):
        pass


def test_without_gpio_there_are_no_buttons_and_a_word_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise LightsError("no pins")

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", staticmethod(broken))
    with pytest.warns(LightsWarning, match="the buttons cannot be used: no pins"):
        open_buttons({"roll": 4}, print).close()


def test_without_pins_nothing_is_asked_of_gpio() -> None:
    Buttons({}, print).close()
