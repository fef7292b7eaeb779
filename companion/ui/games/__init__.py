"""How people meet each game on the screens: which taps make an action, and what is said about it.

A game's actions are entered step by step: a `Site` of the board, a `Piece` shown as a picture, or a `Word` on a button.
`Face` is what a game has to bring for that; everything else on the screens is the same for all games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from companion.games.core import Action, Event, Position
from companion.games.registry import GAMES
from companion.ui.language import Words


@dataclass(frozen=True, slots=True)
class Site:
    """A place on the board, to be tapped there."""

    name: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Something shown as a picture: what lies on a site of that kind with that label."""

    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class Word:
    """A button with a text, by its key."""

    key: str


Step = Site | Piece | Word


@dataclass(frozen=True, slots=True)
class Pegs:
    """The two counters of a player, or of a team: the score before and after the last scoring turn, 0 for none."""

    players: tuple[int, ...]
    before: int
    now: int


class Face(Protocol):
    """What a game brings for the screens."""

    title: str
    summary: str

    def steps(self, action: Action) -> tuple[Step, ...]:
        """The taps that make the action."""

    def prompt(self, position: Position[Any], chosen: Sequence[Step], words: Words) -> str:
        """What to tap next, in a few words."""

    def word(self, key: str, words: Words) -> str:
        """The text of a `Word`."""

    def attempt(self, position: Position[Any], chosen: Sequence[Step], site: str) -> Action | None:
        """The illegal action that a tap on that site stands for, so that the rules can say why; None where none."""

    def pieces(self, position: Position[Any], player: int) -> tuple[Piece, ...]:
        """What lies openly before a player."""

    def shown(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """An action as a picture and a word or two."""

    def arithmetic(self, event: Event, words: Words) -> str:
        """How the points of a `score` event come about: `5 x 2 edges x bonus 3 = 30`."""

    def breakdown(self, position: Position[Any], words: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The parts that final scores are made of, each with a number a player."""

    def pegs(self, position: Position[Any]) -> tuple[Pegs, ...]:
        """The counters on the score track; empty where the game has none."""

    def option(self, name: str, words: Words) -> tuple[str, str]:
        """An option's name and its explanation in plain words."""

    def sample(self) -> Position[Any]:
        """A position for the game's picture."""


@cache
def playable() -> tuple[str, ...]:
    """The games that have a face, so that they can be played on the screens."""
    return tuple(name for name in GAMES if find_spec(f"{__name__}.{name}") is not None)


@cache
def face(game: str) -> Face:
    """The face of the game of that name."""
    module = import_module(f"companion.ui.games.{game}")
    made: Face = module.FACE
    return made
