"""Labyria on the screens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from companion.games.core import Action, Position
from companion.games.labyria import Labyria
from companion.games.labyria.actions import (
    Add,
    Corner,
    Defend,
    Dice,
    Done,
    Evade,
    Move,
    Pass,
    Remove,
    Roll,
    Shield,
    Square,
    Turn,
)
from companion.games.labyria.grid import ARMS
from companion.games.labyria.position import LabyriaPosition
from companion.games.labyria.showing import figures, way
from companion.games.registry import load_game
from companion.ui.games import Face, Overlay, Piece, Site, Step, Tally, Word, sampled
from companion.ui.language import Words, marked

ON_EDGES = {"square": Square, "plus": Add, "minus": Remove}
"""The actions on edges by the words that begin them."""

ON_CROSSINGS = {"corner": Corner, "rotate": Turn}
"""The same for crossings."""


class LabyriaFace(Face):
    """What Labyria brings for the screens."""

    title = marked("Labyria")
    summary = marked("Through the labyrinth to the other corner")

    # -- entering ------------------------------------------------------------------------------------------------------

    def steps(self, action: Action) -> tuple[Step, ...]:
        """Faces of dice; what is set, where and how; a figure and where it ends; a word."""
        match action:
            case Roll(_, number):
                return (Piece("die", str(number)),)
            case Dice(number, symbol):
                return Piece("die", str(number)), Piece("die", symbol)
            case Defend(symbol):
                return (Piece("die", symbol),)
            case Square(edge) | Add(edge) | Remove(edge):
                word = next(word for word, kind in ON_EDGES.items() if isinstance(action, kind))
                return Word(word), Site(f"edge:{edge}")
            case Corner(crossing, arms) | Turn(crossing, arms):
                word = next(word for word, kind in ON_CROSSINGS.items() if isinstance(action, kind))
                return Word(word), Site(f"crossing:{crossing}"), Piece("crossing", arms)
            case Move(start, end):
                return Site(f"cell:{start}"), Site(f"cell:{end}")
            case Shield(edge):
                return (Site(f"edge:{edge}"),)
            case Evade(end):
                return (Site(f"cell:{end}"),)
        return (Word("pass" if isinstance(action, Pass) else "done"),)

    def prompt(self, position: Position[Any], chosen: Sequence[Step], words: Words) -> str:
        """What to tap next."""
        here = _of(position)
        match here.phase:
            case "first roll":
                return words("Roll: the highest sets first")
            case "start roll":
                return words("Roll: the highest begins")
            case "dice":
                return words("Roll both dice")
            case "defend":
                return words("Attacked! Roll a symbol")
            case "shield":
                return words("Stop the attack with a square")
            case "evade":
                return words("Go to another field")
        match list(chosen):
            case [Word("square" | "plus")]:
                return words("Tap a groove")
            case [Word("minus")]:
                return words("Tap a square")
            case [Word("corner")]:
                return words("Tap a crossing")
            case [Word("rotate")]:
                return words("Tap a corner")
            case [Word(), Site()]:
                return words("Which way?")
            case [Site()]:
                return words("Where does it end?")
        return words("Set a square or a corner") if here.phase == "setup" else _turn_prompt(here, words)

    def word(self, key: str, words: Words) -> str:
        """The words on buttons."""
        return {
            "square": words("Square"),
            "corner": words("Corner"),
            "plus": words("Set a square"),
            "minus": words("Remove a square"),
            "rotate": words("Turn a corner"),
            "pass": words("Pass"),
            "done": words("End the turn"),
        }[key]

    def icon(self, key: str) -> str | None:
        """The icons on buttons."""
        return {"square": "plate", "rotate": "turn", "pass": "skip", "done": "check"}.get(key, key)

    def attempt(self, position: Position[Any], chosen: Sequence[Step], site: str) -> Action | None:
        """An obstacle or a figure there, as it was meant."""
        kind, _, name = site.partition(":")
        match list(chosen):
            case [Word(word)] if kind == "edge" and word in ON_EDGES:
                return ON_EDGES[word](name)
            case [Word(word)] if kind == "crossing" and word in ON_CROSSINGS:
                return ON_CROSSINGS[word](name, ARMS[0])
            case [Site(start)] if kind == "cell":
                return Move(start.partition(":")[2], name)
            case [] if position.phase == "shield" and kind == "edge":
                return Shield(name)
            case [] if position.phase == "evade" and kind == "cell":
                return Evade(name)
        return None

    def way(self, position: Position[Any], action: Action) -> tuple[str, ...]:
        """The fields that a figure goes over."""
        return tuple(f"cell:{cell}" for cell in way(_of(position), action))  # type: ignore[arg-type]

    # -- showing -------------------------------------------------------------------------------------------------------

    def tallies(self, position: Position[Any], player: int, words: Words) -> tuple[Tally, ...]:
        """Squares and corners still to be set."""
        here = _of(position)
        if here.phase not in ("first roll", "setup"):
            return ()
        squares, corners = here.stock[player]
        return (
            Tally(Piece("shape", "plate"), str(squares)),
            Tally(Piece("shape", "corner"), str(corners)),
        )

    def note(self, position: Position[Any], words: Words) -> str:
        """The depot; figures home are the score."""
        return words.plural("{n} square in the depot", "{n} squares in the depot", _of(position).depot)

    def overlay(self, position: Position[Any], chosen: Sequence[Step]) -> Overlay:
        """Whose figures stand where, but for corners that two share. The depot lies beside the board, and is told."""
        here = _of(position)
        player_of = {seat: player for player, seat in enumerate(here.game.seats(here.players))}
        owners = [
            (f"cell:{here.game.grid.cells[cell]}", player_of[next(iter(counts))])
            for cell, counts in figures(here).items()
            if len(counts) == 1
        ]
        return Overlay(hidden=frozenset({"depot"}), owners=tuple(owners))

    def shown(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """What was thrown, set or moved."""
        match action:
            case Roll(_, number):
                return Piece("die", str(number)), words("rolled")
            case Dice(number, symbol) if number:
                return Piece("die", str(number)), _symbol(symbol, words)
            case Defend(symbol):
                return Piece("die", symbol), words("defends with: {symbol}").format(symbol=_symbol(symbol, words))
            case Square() | Add() | Shield():
                return Piece("shape", "plate"), words("set a square")
            case Remove():
                return Piece("shape", "minus"), words("removed a square")
            case Corner(_, arms):
                return Piece("crossing", arms), words("set a corner")
            case Turn(_, arms):
                return Piece("crossing", arms), words("turned a corner")
            case Move(start, end):
                return Piece("shape", "hand"), words("{start} to {end}").format(start=start, end=end)
            case Evade(end):
                return Piece("shape", "hand"), words("goes to {place} instead").format(place=end)
        passed = isinstance(action, Pass)
        return Piece("shape", "skip"), words("passed") if passed else words("ended the turn")

    def minor(self, action: Action) -> bool:
        """The end of a turn."""
        return isinstance(action, Done)

    def meaning(self, action: Action, after: Position[Any], words: Words) -> tuple[str, ...]:
        """What the faces allow."""
        here = _of(after)
        match action:
            case Roll():
                return (words("The highest number sets the first obstacle, or takes the first turn."),)
            case Dice(_, "skip"):
                return (words("Skip: the turn is lost."),)
            case Dice(_, symbol):
                walk = words.plural("Walk {n} field with one figure.", "Walk {n} fields with one figure.", here.number)
                return (walk, _allowed(here, symbol, words))
        return ()

    def breakdown(self, position: Position[Any], words: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Figures alone."""
        return ((words("Figures home"), position.scores),)

    # -- before the game -----------------------------------------------------------------------------------------------

    def option(self, name: str, words: Words) -> tuple[str, str]:
        """The options."""
        return {
            "ties": (words("Who rolls again"), words("What happens when two roll the same highest number.")),
            "start": (words("Who begins"), words("Whether everybody rolls again once the labyrinth is built.")),
            "reversal": (words("Turning the tables"), words("The symbol by which the attacker is devoured instead.")),
        }[name]

    def value(self, name: str, value: object, words: Words) -> str:
        """What can be chosen."""
        named = {
            "tied": words("Only those who tie"),
            "all": words("Everybody"),
            "roll": words("A new roll"),
            "first": words("Who set first"),
        }
        return named.get(str(value)) or _symbol(str(value), words)

    def sample(self) -> Position[Any]:
        """A game on its way, always the same one."""
        return self._sample

    @cached_property
    def _sample(self) -> Position[Any]:
        return sampled(_default().new(2), 170, 11)


def _turn_prompt(position: LabyriaPosition, words: Words) -> str:
    if position.movement != "due":
        return words("Symbol, or end of turn")
    if not any(isinstance(action, Move) for action in position.legal_actions()):
        return words("No figure can move")
    return words("Walk {n}: tap a figure").format(n=position.number)


def _symbol(symbol: str, words: Words) -> str:
    return _default().clauses.word(symbol, words.language)


def _allowed(position: LabyriaPosition, symbol: str, words: Words) -> str:
    """What a symbol allows, and whether there is anything to do with it."""
    if symbol == "plus" and not position.depot:
        return words("Plus: a square from the depot, but the depot is empty.")
    return {
        "plus": words("Plus: you may set a square from the depot."),
        "minus": words("Minus: you may put a square from the board into the depot."),
        "rotate": words("Rotate: you may turn a corner."),
        "double": words("Double: the number counts twice."),
        "cloak": words("Cloak: the figure walks through obstacles."),
    }[symbol]


def _default() -> Labyria:
    game = load_game("labyria")
    assert isinstance(game, Labyria)
    return game


def _of(position: Position[Any]) -> LabyriaPosition:
    assert isinstance(position, LabyriaPosition)
    return position


FACE = LabyriaFace()
