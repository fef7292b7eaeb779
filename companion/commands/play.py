"""`companion play`: the touchscreen program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from calibration.leds import ButtonOrder, LedOrder, in_order
from calibration.store import Calibrations
from companion import failures
from companion.commands.options import parse_options
from companion.commands.records import DEMO, open_store
from companion.commands.simulation import Simulation, following_camera
from companion.commands.watching import watcher_of
from companion.configuration import Configuration
from companion.games.registry import load_game
from companion.table.library import Library
from companion.table.looking import Watching
from companion.table.own_sets import OwnSets
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.tapping import Tapping
from companion.table.workshop import Workshop
from companion.ui import app
from companion.ui.events import press
from companion.vitals import Vitals
from hardware.buttons import open_buttons
from hardware.camera import Camera
from hardware.lights import open_lights
from hardware.sources import open_camera, parse_source, source_named


def run(
    game: str | None,
    source: str | None,
    lights: str | None,
    names: Sequence[str] | None,
    options: Sequence[str],
    configuration: Configuration,
    seed: int | None = None,
    speed: float = 1.0,
) -> int:
    """Opens the program; the exit status. It begins at the table of a new game where `game` is given with `names`, or
    with the `seed` and `speed` of simulated players.
    """
    chosen = source or configuration.camera
    parse_source(chosen)  # a wrong word is said before anything is opened
    rules = None if game is None else load_game(game, configuration.set_file(game))
    pins, buttons = configuration.lights, msgspec.structs.asdict(configuration.buttons)
    order = Calibrations(configuration.data_folder).load("leds", LedOrder)
    seats, status = in_order(pins.seats, pins.status, order)
    screen = configuration.screen
    with (
        open_store(configuration, "" if seed is None else DEMO) as store,
        open_lights(lights or pins.kind, seats, status, pins.active_high, pins.brightness) as opened,
        open_buttons({name: pin for name, pin in buttons.items() if pin is not None}, _pressed(configuration)),
    ):
        vitals = Vitals.of_service()
        watching = _watching(chosen, configuration, seed, speed)
        library = Library(
            store,
            watching,
            lambda: open_camera(chosen),
            set_file=configuration.set_file,
            vitals=vitals,
            workshop=partial(_workshop, configuration, chosen, len(seats)),
        )
        model = None
        if rules is not None and (names is not None or seed is not None):
            players = seated(rules, names)
            model = library.new_game(rules.name, players, parse_options(rules, len(players), options))
        app.run(
            library,
            size=None if screen.fullscreen else (screen.width, screen.height),
            fullscreen=screen.fullscreen,
            language=configuration.language,
            theme=screen.theme,
            model=model,
            lights=opened,
            vitals=vitals,
        )
        library.close()
    return failures.SUCCESS


def _pressed(configuration: Configuration) -> Callable[[str], None]:
    """Takes what a button is pressed for from the calibration; without one the name of its pin says it."""
    order = Calibrations(configuration.data_folder).load("buttons", ButtonOrder) or ButtonOrder({})
    return lambda name: press(order.meaning(name), name)


def _workshop(configuration: Configuration, source: str, seats: int, sets: OwnSets) -> Workshop:
    """Where this table is calibrated."""

    def camera(game: str | None) -> Camera:
        if game is None:
            return open_camera(source)
        first = load_game(game, sets.file(game)).new(min(load_game(game).player_counts))
        return open_camera(source, lambda: following_camera(lambda: first))

    name = source_named(source)
    buttons = [key for key, pin in msgspec.structs.asdict(configuration.buttons).items() if pin is not None]
    return Workshop(configuration.data_folder, name, camera, sets, seats=seats, buttons=buttons)


def _watching(
    source: str, configuration: Configuration, seed: int | None, speed: float
) -> Callable[[Session], Watching]:
    """What watches a session. On a simulated table simulated players go on with the game, where they have a seed, and
    tap what no picture tells; otherwise it shows what people enter.
    """

    def watch(session: Session) -> Watching:
        playing: list[tuple[Camera, Tapping]] = []

        def simulated() -> Camera:
            if seed is None:
                return following_camera(lambda: session.position)
            simulation = Simulation(session.position, seed, speed=speed, live=True)
            table = simulation.camera.table
            tapping = Tapping(simulation.rehearsal, table, len(session.played), attentive=True)
            playing[:] = [(simulation.camera, tapping)]
            return simulation.camera

        def people(camera: Camera) -> Tapping | None:
            return next((tapping for opened, tapping in playing if opened is camera), None)

        return Watching(watcher_of(session.game, source, configuration), lambda: open_camera(source, simulated), people)

    return watch
