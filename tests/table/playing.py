"""Games played at random, for the tests of the table."""

from __future__ import annotations

import random

from companion.games.core import CHANCE
from companion.games.registry import load_game
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store

GAME = load_game("triangle")
PLAYERS = (
    Player("Ada", 0, "red", "circle"),
    Player("Ben", 1, "blue", "square"),
    Player("Cleo", 2, "green", "star"),
    Player("Dan", 3, "yellow", "cross"),
)
JPEG = b"\xff\xd8 a picture \xff\xd9" * 50


class Clock:
    """A clock that tests set; every look at it takes a second."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def begin(store: Store, players: int = 2, clock: Clock | None = None) -> Session:
    return Session.create(store, GAME, PLAYERS[:players], clock=clock or Clock())


def play(session: Session, actions: int | None = None, seed: int = 1, picture: bytes | None = None) -> Session:
    """So many random actions, or all that there are."""
    chance = random.Random(seed)
    while not session.position.over and actions != 0:
        action = chance.choice(sorted(session.position.legal_actions(), key=str))
        session.apply([action], By.CAMERA, 0.97, picture=picture, time=float(len(session.played)))
        actions = None if actions is None else actions - 1
    return session


def play_to_turn(session: Session, placed: int, seed: int = 1) -> Session:
    """Random actions until so many tiles lie and a player is to act."""
    while (
        sum(str(one.action).startswith("place") for one in session.played) < placed or session.position.turn == CHANCE
    ):
        play(session, 1, seed + len(session.played))
    return session
