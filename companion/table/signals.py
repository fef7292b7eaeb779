"""What the lights say of the table: a function of the state, so that lights follow states and not code paths.

| state | the seat to act | status |
| --- | --- | --- |
| somebody's turn | the player's colour | dark |
| a hand over the board, or something moves | the player's colour | dim white |
| an illegal action | blinks red | blinks red |
| a question | pulses amber | pulses amber |
| no board to be seen, no light, or a blurred or mirrored picture | the player's colour | magenta |
| paused | the player's colour, dim | dark |
| the game is over | the winners' seats pulse green | dark |
"""

from __future__ import annotations

from companion.games.core import CHANCE
from companion.referee.decision import Refuses
from companion.table.state import TableState
from companion.vision.observation import Scene
from hardware.lights import DARK, Colour, Pattern, Signal, Signals

ILLEGAL = Signal((255, 0, 0), Pattern.BLINK)
QUESTION = Signal((255, 110, 0), Pattern.PULSE)
WON = Signal((0, 255, 0), Pattern.PULSE)
BLIND = Signal((255, 0, 255))
HANDS_AWAY = Signal((60, 60, 60))

COLOURS: dict[str, Colour] = {
    "red": (255, 0, 0),
    "blue": (0, 40, 255),
    "green": (0, 255, 0),
    "yellow": (255, 180, 0),
    "orange": (255, 80, 0),
    "purple": (150, 0, 255),
    "light": (255, 200, 140),
    "dark": (90, 50, 20),
}
"""The players' colours as a LED shows them."""

DIMMED = 8
"""A paused player's light has this part of its brightness."""


def signals(state: TableState) -> Signals:
    """The lights of a state."""
    if state.position.over:
        return _at_seats(state, state.position.winners, WON)
    actor = _actor(state)
    if state.paused:
        return _at_seats(state, actor, _dimmed(_colour(state, actor)))
    if state.scene in (Scene.DARK, Scene.BLURRED, Scene.LOST, Scene.MIRRORED):
        return _at_seats(state, actor, _colour(state, actor), BLIND)
    if state.issue is not None:
        signal = ILLEGAL if isinstance(state.issue, Refuses) else QUESTION
        return _at_seats(state, actor, signal, signal)
    status = HANDS_AWAY if state.scene in (Scene.MOVING, Scene.HAND) else DARK
    return _at_seats(state, actor, _colour(state, actor), status)


def _actor(state: TableState) -> tuple[int, ...]:
    """The player to act, or for whom chance acts; nobody where chance acts for none."""
    turn = state.position.turn
    player = state.position.concerns if turn == CHANCE else turn
    return () if player is None else (player,)


def _colour(state: TableState, players: tuple[int, ...]) -> Signal:
    return Signal(COLOURS.get(state.players[players[0]].colour, (255, 255, 255))) if players else DARK


def _dimmed(signal: Signal) -> Signal:
    red, green, blue = signal.colour
    return Signal((red // DIMMED, green // DIMMED, blue // DIMMED))


def _at_seats(state: TableState, players: tuple[int, ...], signal: Signal, status: Signal = DARK) -> Signals:
    lit = {state.players[player].seat for player in players}
    seats = max((player.seat for player in state.players), default=-1) + 1
    return Signals(tuple(signal if seat in lit else DARK for seat in range(seats)), status)
