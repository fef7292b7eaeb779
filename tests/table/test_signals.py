import random
from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.games.core import CHANCE, Judgement, Refusal
from companion.games.registry import load_game
from companion.referee.decision import Asks, Refuses
from companion.table.signals import BLIND, COLOURS, DIMMED, HANDS_AWAY, ILLEGAL, QUESTION, WON, signals
from companion.table.state import Player, TableState
from companion.vision.observation import Scene
from hardware.lights import DARK, GpioLights, Signal, Signals

GAME = load_game("triangle")
PLAYERS = (Player("Ada", 0, "red", "circle"), Player("Ben", 2, "green", "square"))
REFUSES = Refuses(Judgement(Refusal("TRI-PLACE-3")), ("cell:4",))
ASKS = Asks("which", ("cell:4",))
RED, GREEN = Signal(COLOURS["red"]), Signal(COLOURS["green"])


def play_until(stop, seed=3):
    """A position of a random game."""
    position, chooser = GAME.new(2), random.Random(seed)
    while not stop(position):
        position = position.play(chooser.choice(sorted(position.legal_actions(), key=str)))
    return position


def table(position, **more):
    return TableState(PLAYERS, position, (), Scene.STILL, **more)


ADAS_TURN = table(play_until(lambda position: position.turn == 0))
BENS_TURN = table(play_until(lambda position: position.turn == 1))


def test_the_player_to_act_has_the_seat_lit_in_the_players_colour():
    assert signals(ADAS_TURN) == Signals((RED, DARK, DARK))
    assert signals(BENS_TURN) == Signals((DARK, DARK, GREEN))


def test_a_draw_is_the_turn_of_the_player_who_draws():
    draws = table(play_until(lambda position: position.turn == CHANCE and position.concerns == 1))
    assert signals(draws) == Signals((DARK, DARK, GREEN))


def test_an_illegal_action_blinks_red_and_a_question_pulses_amber():
    assert signals(replace(BENS_TURN, issue=REFUSES)) == Signals((DARK, DARK, ILLEGAL), ILLEGAL)
    assert signals(replace(BENS_TURN, issue=ASKS)) == Signals((DARK, DARK, QUESTION), QUESTION)
    assert signals(replace(BENS_TURN, issue=REFUSES, scene=Scene.HAND)).status == ILLEGAL


@pytest.mark.parametrize("scene", [Scene.HAND, Scene.MOVING])
def test_hands_over_the_board_show_dim_white(scene):
    assert signals(replace(ADAS_TURN, scene=scene)) == Signals((RED, DARK, DARK), HANDS_AWAY)


@pytest.mark.parametrize("scene", [Scene.DARK, Scene.BLURRED, Scene.LOST, Scene.MIRRORED])
@pytest.mark.parametrize("issue", [None, ASKS])
def test_a_camera_that_sees_nothing_shows_magenta_before_anything_it_has_asked(scene, issue):
    assert signals(replace(ADAS_TURN, scene=scene, issue=issue)) == Signals((RED, DARK, DARK), BLIND)


def test_without_a_camera_nothing_is_missed():
    assert signals(replace(ADAS_TURN, scene=None)) == Signals((RED, DARK, DARK))


def test_a_paused_table_is_dim():
    red, green, blue = COLOURS["red"]
    dim = Signal((red // DIMMED, green // DIMMED, blue // DIMMED))
    assert signals(replace(ADAS_TURN, paused=True, scene=Scene.DARK, issue=ASKS)) == Signals((dim, DARK, DARK))


def test_the_winners_seats_pulse_green_when_the_game_is_over():
    position = play_until(lambda position: position.over)
    (winner,) = position.winners
    seats = tuple(WON if seat == PLAYERS[winner].seat else DARK for seat in range(3))
    over = table(position)
    assert signals(over) == signals(replace(over, paused=True, scene=Scene.LOST)) == Signals(seats)


def test_every_colour_that_the_game_gives_out_has_a_light_of_its_own():
    given = [COLOURS[colour] for colour in GAME.seat_colours]
    assert len(set(given)) == len(given) == 4


def test_from_the_state_to_the_pins():
    factory = MockFactory(pin_class=MockPWMPin)
    seats, status = ((17, 27, 22), (23, 24, 25), (5, 6, 13)), (18, 19, 20)

    def pins():
        return [tuple(round(factory.pin(pin).state, 3) for pin in led) for led in (*seats, status)]

    with GpioLights(seats, status, pin_factory=factory) as lights:
        lights.show(signals(BENS_TURN))
        assert pins() == [(0, 0, 0), (0, 0, 0), (0, 1, 0), (0, 0, 0)]
        lights.show(signals(replace(BENS_TURN, scene=Scene.LOST)))
        assert pins() == [(0, 0, 0), (0, 0, 0), (0, 1, 0), (1, 0, 1)]
        lights.show(signals(replace(ADAS_TURN, scene=Scene.HAND)))
        assert pins() == [(1, 0, 0), (0, 0, 0), (0, 0, 0), (0.235, 0.235, 0.235)]
