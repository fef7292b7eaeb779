"""Somebody who plays by touch alone: takes actions of the rules, and finds on the screen what to touch for them."""

from __future__ import annotations

import random
from collections.abc import Callable

from pygame import Rect

from companion.games.core import Action, Position
from companion.ui.emblems import ITEMS
from companion.ui.games import Piece, Site, Step, Word, acting
from companion.ui.screens.desk import Desk
from companion.ui.screens.dice import TUMBLE, DiceScreen
from companion.ui.screens.private import PrivateScreen
from companion.ui.screens.table import TableScreen
from tests.ui.finger import Finger

Choose = Callable[[Position, list[Action]], Action]  # type: ignore[type-arg]


def table_of(finger: Finger) -> TableScreen:
    screen = finger.app.screen
    assert isinstance(screen, TableScreen), screen.name
    return screen


def play_action(finger: Finger, action: Action) -> None:
    """Touches whatever enters the action."""
    screen = table_of(finger)
    if isinstance(screen.desk, Desk) and screen.picking and screen.desk.dividing:
        divide(finger, screen, action)
        return
    position = screen.state.position
    ways = screen.face.ways(position, action)
    assert screen.entry is not None
    way = next(way for way in ways if way[: len(screen.entry.chosen)] == screen.entry.chosen)
    number = len(screen.state.played)
    while len(screen.model.state().played) == number and screen.refused is None:
        done = len(screen.entry.chosen)
        assert screen.entry.chosen == way[:done], (action, screen.entry.chosen)
        touch(finger, screen, way[done])


def touch(finger: Finger, screen: TableScreen, step: Step) -> None:
    """Touches a step where it is on the screen; opens the hidden hand, and closes in on crowded places."""
    words = screen.app.words
    match step:
        case Site(name):
            before = screen.zoom
            tap_place(finger, screen, name)
            for _ in range(4):
                if screen.zoom is None or screen.zoom == before:
                    break
                before = screen.zoom
                tap_place(finger, screen, name)
        case Word(key):
            finger.tap(screen.face.word(key, words))
        case Piece() if screen.desk.shelves and screen.picking:
            finger.at(*on_desk(screen.desk, step).center)
        case Piece():
            if isinstance(finger.app.screen, PrivateScreen):
                pass
            elif screen.hidden:
                finger.tap(
                    words("{name} looks alone").format(
                        name=screen.state.players[acting(screen.state.position) or 0].name
                    )
                )
                private = finger.app.screen
                assert isinstance(private, PrivateScreen)
                finger.tap(words("I am {name}: show").format(name=private.player.name))
            finger.tap(step.label)


def on_desk(desk: Desk, step: Step) -> Rect:
    """Where the thing lies that is the step."""
    return next(
        place
        for shelf, places in zip(desk.shelves, desk.places, strict=True)
        for place, one in zip(places, shelf.steps, strict=True)
        if one == step
    )


def tap_place(finger: Finger, screen: TableScreen, site: str) -> None:
    finger.at(*screen.spot(site))


def divide(finger: Finger, screen: TableScreen, action: Action) -> None:
    """Moves things from shelf to shelf until they lie as the action says."""
    for _ in range(40):
        if screen.face.divided(screen.state.position, screen.desk.parts) == action:
            finger.tap(screen.app.words("Divide it so"))
            return
        wanted = wanted_parts(action)
        number, k = next(
            (number, k)
            for number, part in enumerate(screen.desk.parts)
            for k, what in enumerate(part)
            if [one.label for one in part].count(what.label) > wanted[number].count(what.label)
        )
        finger.at(*screen.desk.places[number][k].center)
    raise AssertionError(f"{action} cannot be reached")


def wanted_parts(action: Action) -> list[list[str]]:
    """The things on each shelf, from the notation `share RRB/Y`."""
    return [[ITEMS[letter] for letter in part] for part in str(action).split(" ")[1].split("/")]


def roll(finger: Finger) -> None:
    """Rolls the companion's dice, waits until they rest, and goes on to the table."""
    finger.tap("Roll")
    screen = finger.app.screen
    assert isinstance(screen, DiceScreen)
    while isinstance(finger.app.screen, DiceScreen):
        screen._started -= TUMBLE  # nobody waits in tests
        finger.settle()
        finger.at(*finger.app.screen.buttons[-1].rect.center)


def play_on(finger: Finger, choose: Choose, most: int = 5_000) -> int:
    """Plays until the result comes up, or so many actions are made; how many there were."""
    for count in range(most):
        if finger.screen != "table":
            return count
        screen = table_of(finger)
        position = screen.state.position
        if screen.waiting and position.dice:
            roll(finger)
        else:
            play_action(finger, choose(position, sorted(screen.face.offered(position), key=str)))
    return most


def at_random(seed: int) -> Choose:
    choice = random.Random(seed)
    return lambda position, actions: choice.choice([a for a in actions if position.explain(a) is None])
