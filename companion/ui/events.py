"""One kind of input: a finger, a mouse, a key or a button at the table becomes a `Pointer` or a `Key`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import pygame


class Touch(Enum):
    """What a finger does."""

    DOWN = "down"
    MOVE = "move"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Pointer:
    """A finger or the mouse, at a place in pixels."""

    touch: Touch
    pos: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Key:
    """A key, or a button at the table: `name` is `back`, `ok`, `delete`, `left`, `right`, `roll` or empty; `text` is
    what it types, `button` the name of the button's pin.
    """

    name: str
    text: str = ""
    button: str = ""


Input = Pointer | Key

_FINGER = {pygame.FINGERDOWN: Touch.DOWN, pygame.FINGERMOTION: Touch.MOVE, pygame.FINGERUP: Touch.UP}
_MOUSE = {pygame.MOUSEBUTTONDOWN: Touch.DOWN, pygame.MOUSEBUTTONUP: Touch.UP}
_KEYS = {
    pygame.K_ESCAPE: "back",
    pygame.K_RETURN: "ok",
    pygame.K_KP_ENTER: "ok",
    pygame.K_BACKSPACE: "delete",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_SPACE: "roll",
}

BUTTON = pygame.event.custom_type()
"""The event of a button at the table."""


def press(name: str, button: str = "") -> None:
    """A button at the table has been pressed: `roll`, `back` or `ok`; `button` is the name of its pin, where that may
    be another one. May be called from any thread.
    """
    pygame.event.post(pygame.event.Event(BUTTON, name=name, button=button or name))


def understood(event: pygame.event.Event, size: tuple[int, int]) -> Input | None:
    """The input that an event is, None where it is none. Fingers arrive as parts (0 to 1) of the screen `size`.

    A touch that SDL repeats as a mouse event is not counted twice.
    """
    if event.type in _FINGER:
        return Pointer(_FINGER[event.type], (round(event.x * size[0]), round(event.y * size[1])))
    if event.type in _MOUSE and event.button == pygame.BUTTON_LEFT and not getattr(event, "touch", False):
        return Pointer(_MOUSE[event.type], event.pos)
    if event.type == pygame.MOUSEMOTION and event.buttons[0] and not getattr(event, "touch", False):
        return Pointer(Touch.MOVE, event.pos)
    if event.type == pygame.KEYDOWN and event.key in _KEYS:
        return Key(_KEYS[event.key])
    if event.type == BUTTON:
        return Key(event.name, button=event.button)
    if event.type == pygame.TEXTINPUT:
        return Key("", event.text)
    return None
