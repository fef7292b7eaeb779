"""The Magic Labyrinth on the screens. The colour of a wall that stands in a slot is never shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from companion.games.bits import bits
from companion.games.core import Action, Position
from companion.games.magic_labyrinth import MagicLabyrinth
from companion.games.magic_labyrinth.actions import Call, Done, Draw, Early, Insert, Reveal
from companion.games.magic_labyrinth.actions import Step as Walk
from companion.games.magic_labyrinth.position import MagicLabyrinthPosition
from companion.games.registry import load_game
from companion.ui.games import Face, Overlay, Piece, Site, Step, Tally, Word, sampled
from companion.ui.language import Words, marked


class MagicLabyrinthFace(Face):
    """What the Magic Labyrinth brings for the screens."""

    title = marked("The Magic Labyrinth")
    summary = marked("Remember the colours of the walls")

    # -- entering ------------------------------------------------------------------------------------------------------

    def steps(self, action: Action) -> tuple[Step, ...]:
        """Colour and wall; the field to walk to; the colour revealed; the symbol drawn."""
        match action:
            case Draw(symbol):
                return (self._chip(symbol),)
            case Call(colour, slot) | Insert(colour, slot):
                return Piece("wall", colour), Site(f"slot:{slot}")
            case Early(slot):
                return Word("early"), Site(f"slot:{slot}")
            case Reveal(colour):
                return (Piece("wall", colour),)
            case Walk(end):
                return (Site(f"cell:{end}"),)
        return (Word("done"),)

    def offered(self, position: Position[Any]) -> Sequence[Action]:
        """All colours when a wall is turned over, so that nothing is told of a wall that was seen before."""
        return _game(position).reveals if position.phase == "reveal" else position.legal_actions()

    def prompt(self, position: Position[Any], chosen: Sequence[Step], words: Words) -> str:
        """What to tap next."""
        match position.phase:
            case "symbol":
                return words("Which symbol was drawn?")
            case "reveal":
                return words("Which colour is it?")
            case "insert":
                return words("Into which slot?") if chosen else words("Put the walls back")
        if not chosen:
            return words("On with the jump: call a colour") if position.phase == "jump" else words("Call a colour")
        return words("Which wall was pulled?") if chosen[0] == Word("early") else words("Now pull a wall")

    def word(self, key: str, words: Words) -> str:
        """The words on buttons."""
        return {"early": words("Pulled too early"), "done": words("End the turn")}[key]

    def icon(self, key: str) -> str | None:
        """The icons on buttons."""
        return {"early": "alert", "done": "skip"}[key]

    def caption(self, piece: Piece, words: Words) -> str:
        """The colour's or the symbol's name."""
        return _default().clauses.word(piece.label.split(" ")[-1], words.language).capitalize()

    def attempt(self, position: Position[Any], chosen: Sequence[Step], site: str) -> Action | None:
        """A wall pulled or put back, or a step, as it was taken."""
        kind, _, name = site.partition(":")
        match list(chosen):
            case [Piece(_, colour)] if kind == "slot":
                return Insert(colour, name) if position.phase == "insert" else Call(colour, name)
            case [Word("early")] if kind == "slot":
                return Early(name)
            case [] if kind == "cell" and position.phase in ("turn", "jump"):
                here = _of(position)
                return None if here.game.grid.cell[name] == here.figures[here.player] else Walk(name)
        return None

    def secret(self, action: Action) -> bool:
        """Which colour stands where."""
        return isinstance(action, Insert)

    # -- showing -------------------------------------------------------------------------------------------------------

    def _chip(self, symbol: str) -> Piece:
        return Piece("chip", f"{_default().grid.cells[0]} {symbol}")

    def tallies(self, position: Position[Any], player: int, words: Words) -> tuple[Tally, ...]:
        """The symbols that a player has."""
        here = _of(position)
        return tuple(Tally(self._chip(here.game.symbols[symbol])) for symbol in bits(here.taken[player]))

    def note(self, position: Position[Any], words: Words) -> str:
        """How many symbols win."""
        return words("{n} symbols win").format(n=_of(position).target)

    def overlay(self, position: Position[Any], chosen: Sequence[Step]) -> Overlay:
        """The chip with its symbol, also where it had to go to another field."""
        here = _of(position)
        cells = here.game.grid.cells
        owners = tuple((f"cell:{cells[field]}", player) for player, field in enumerate(here.figures))
        beside = frozenset(f"tray:{k}" for k in range(here.game.set.wall.count))
        if here.phase in ("symbol", "over") or min(here.chip, here.symbol) < 0:
            return Overlay(hidden=beside, owners=owners)
        chip = ("chip", f"{cells[here.chip]} {here.game.symbols[here.symbol]}")
        return Overlay(hidden=beside, labels=(chip,), owners=owners)

    def shown(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """What was called and what it was; of a wall put back nothing."""
        match action:
            case Draw(symbol):
                return self._chip(symbol), words("the next symbol")
            case Call(colour):
                return Piece("wall", colour), words("called")
            case Early():
                return None, words("pulled too early")
            case Reveal(colour):
                return Piece("wall", colour), words("pulled")
            case Walk(end):
                return None, words("to {place}").format(place=end)
            case Insert():
                return None, words("put a wall back")
            case Done():
                return None, words("ended the turn")
        return None, str(action)

    def asked(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """Of a wall put back its colour: that it may be one or the other tells nothing."""
        if isinstance(action, Insert):
            return Piece("wall", action.colour), words("put a wall back")
        return self.shown(action, words)

    def minor(self, action: Action) -> bool:
        """Calls, which the wall answers, and walls put back."""
        return isinstance(action, Call | Early | Insert)

    def breakdown(self, position: Position[Any], words: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Symbols alone."""
        return ((words("Symbols"), position.scores),)

    # -- before the game -----------------------------------------------------------------------------------------------

    def option(self, name: str, words: Words) -> tuple[str, str]:
        """The options."""
        return {
            "must_go": (
                words("Always go through"),
                words("After a right colour the figure goes to the next field, whether its player likes it or not."),
            ),
            "may_stop": (
                words("Stop when you like"),
                words("A turn may be ended after a right colour, without going on."),
            ),
        }[name]

    def sample(self) -> Position[Any]:
        """A game on its way, always the same one."""
        return self._sample

    @cached_property
    def _sample(self) -> Position[Any]:
        return sampled(_default().new(3), 36, 5)


def _default() -> MagicLabyrinth:
    game = load_game("magic_labyrinth")
    assert isinstance(game, MagicLabyrinth)
    return game


def _of(position: Position[Any]) -> MagicLabyrinthPosition:
    assert isinstance(position, MagicLabyrinthPosition)
    return position


def _game(position: Position[Any]) -> MagicLabyrinth:
    return _of(position).game


FACE = MagicLabyrinthFace()
