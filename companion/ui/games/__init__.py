"""How people meet each game on the screens: which taps make an action, and what is said about it.

A game's actions are entered step by step: a `Site` of the board, a `Piece` shown as a picture, or a `Word` on a button.
`Face` is what a game brings for that; everything else on the screens is the same for all games.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from companion.games.core import CHANCE, Action, Event, Position
from companion.games.looks import Colour, Point
from companion.games.registry import GAMES
from companion.games.sites import SiteSpec
from companion.table.state import Played
from companion.ui.language import Words


@dataclass(frozen=True, slots=True)
class Site:
    """A place on the board, to be tapped there."""

    name: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Something shown as a picture: what lies on a site of that kind with that label, or one of `emblems`."""

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


@dataclass(frozen=True, slots=True)
class Tally:
    """Something that a player has beside the score: a picture, and how much of it."""

    piece: Piece
    text: str = ""


@dataclass(frozen=True, slots=True)
class Extra:
    """A picture on the board beside what its sites show: middle and width in mm in the board frame."""

    at: Point
    piece: Piece
    size: float


@dataclass(frozen=True, slots=True)
class Tint:
    """Ground of the board that is set off: convex areas in the board frame, with others cut out of them again."""

    colour: Colour
    areas: tuple[tuple[Point, ...], ...]
    cut: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Overlay:
    """What a game draws over its board: tinted ground, pictures, and the sites that are then not drawn themselves.

    `labels` are drawn instead of those of the view; `owners` are the players whose things stand on a site.
    """

    tints: tuple[Tint, ...] = ()
    extras: tuple[Extra, ...] = ()
    hidden: frozenset[str] = frozenset()
    labels: tuple[tuple[str, str], ...] = ()
    owners: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Shelf:
    """A row of things that lie large over the board while something is decided about them.

    `steps` go with `pieces`: the step that touching each one is, None for what is only shown.
    """

    title: str
    player: int
    pieces: tuple[Piece, ...]
    steps: tuple[Step | None, ...]


class Face(ABC):
    """What a game brings for the screens."""

    title: str
    summary: str

    # -- entering ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def steps(self, action: Action) -> tuple[Step, ...]:
        """The taps that make the action."""

    def ways(self, position: Position[Any], action: Action) -> tuple[tuple[Step, ...], ...]:
        """Every order of taps that makes the action in this position."""
        return (self.steps(action),)

    def offered(self, position: Position[Any]) -> Sequence[Action]:
        """The actions that can be entered; also such as the rules refuse, where the
        legal ones would tell too much.

        What is hidden is not offered beside what is open: people choose that by a word of its own.
        """
        return position.legal_actions()

    def spots(self, game: Any) -> tuple[SiteSpec, ...]:
        """Places on the board that can be tapped without being sites."""
        return ()

    def also(self, position: Position[Any], site: str) -> tuple[str, ...]:
        """All places that mean the site when they are tapped, itself first."""
        return (site,)

    @abstractmethod
    def prompt(self, position: Position[Any], chosen: Sequence[Step], words: Words) -> str:
        """What to tap next, in a few words."""

    @abstractmethod
    def word(self, key: str, words: Words) -> str:
        """The text of a `Word`."""

    def icon(self, key: str) -> str | None:
        """The icon of a `Word`, one of `shapes`."""
        return None

    def caption(self, piece: Piece, words: Words) -> str:
        """What stands beside a piece on its button, where the picture alone does not say it."""
        return ""

    def attempt(self, position: Position[Any], chosen: Sequence[Step], site: str) -> Action | None:
        """The illegal action that a tap on that site stands for, so that the rules can say why; None where none."""
        return None

    def private(self, position: Position[Any]) -> frozenset[str]:
        """The kinds of pieces that are now for the eyes of the one who acts only."""
        return frozenset()

    def secret(self, action: Action) -> bool:
        """Whether the action must not be looked up in the record while the game goes on."""
        return False

    # -- showing -------------------------------------------------------------------------------------------------------

    def pieces(self, position: Position[Any], player: int) -> tuple[Piece, ...]:
        """What lies openly before a player, to be chosen from in turn."""
        return ()

    def tallies(self, position: Position[Any], player: int, words: Words) -> tuple[Tally, ...]:
        """What a player has beside the score, for all to see."""
        return ()

    def note(self, position: Position[Any], words: Words) -> str:
        """What else everybody likes to know, in a line."""
        return ""

    def overlay(self, position: Position[Any], chosen: Sequence[Step]) -> Overlay:
        """What is drawn over the board."""
        return Overlay()

    def way(self, position: Position[Any], action: Action) -> tuple[str, ...]:
        """The sites over which something goes step by step with the action, the first and the last among them."""
        return ()

    def desk(self, position: Position[Any], words: Words) -> tuple[Shelf, ...]:
        """What lies large over the board, to be decided about; empty where nothing does."""
        return ()

    def divided(self, position: Position[Any], parts: Sequence[Sequence[Piece]]) -> Action | None:
        """The action of dividing the desk's things so between its shelves; None where they are not divided."""
        return None

    @abstractmethod
    def shown(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """An action as a picture and a word or two."""

    def asked(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """An action as one of several that may have happened: told apart from the others, also where it is secret."""
        return self.shown(action, words)

    def minor(self, action: Action) -> bool:
        """Whether the action is passed over where the last ones are told, as long as there are others."""
        return False

    def telling(self, played: Played, game: Any, names: Sequence[str], words: Words) -> str:
        """What an action brought about, and how points come about; empty where there is nothing to tell."""
        events = (event for event in played.events if event.kind not in ("turn", "over"))
        texts = (game.clauses.event_text(event, words.language, names) for event in events)
        return " ".join(text for text in texts if text)

    def meaning(self, action: Action, after: Position[Any], words: Words) -> tuple[str, ...]:
        """What dice that were thrown allow, line by line; `after` is the position then."""
        return ()

    def gain(self, event: Event) -> int | None:
        """The points that a `score` event adds, where they are counted one by one."""
        return None

    @abstractmethod
    def breakdown(self, position: Position[Any], words: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The parts that final scores are made of, each with a number a player."""

    def pegs(self, position: Position[Any]) -> tuple[Pegs, ...]:
        """The counters on the score track; empty where the game has none."""
        return ()

    # -- before the game -----------------------------------------------------------------------------------------------

    @abstractmethod
    def option(self, name: str, words: Words) -> tuple[str, str]:
        """An option's name and its explanation in plain words."""

    def value(self, name: str, value: object, words: Words) -> str:
        """A value of an option, in a word or two."""
        return (words("Yes") if value else words("No")) if isinstance(value, bool) else str(value)

    @abstractmethod
    def sample(self) -> Position[Any]:
        """A position for the game's picture."""


def sampled(position: Position[Any], count: int, stride: int = 7) -> Position[Any]:
    """A position so many actions later, always the same one; for samples."""
    for k in range(count):
        actions = position.legal_actions()
        if not actions:
            break
        position = position.play(actions[(stride * k + 3) % len(actions)])
    return position


def acting(position: Position[Any]) -> int | None:
    """The player who acts, or for whom chance acts."""
    return position.concerns if position.turn == CHANCE else position.turn


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
