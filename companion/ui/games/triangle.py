"""Triangle on the screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.core import CHANCE, Action, Event, Position
from companion.games.registry import load_game
from companion.games.triangle import Triangle, TrianglePosition
from companion.games.triangle.actions import Draw, Pass, Place, Swap
from companion.table.state import Played
from companion.ui.games import Face, Pegs, Piece, Site, Step, Word, sampled
from companion.ui.language import Words, marked

TIMES, MINUS = "×", "−"


class TriangleFace(Face):
    """What Triangle brings for the screens."""

    title = marked("Triangle")
    summary = marked("Match the edges, multiply the points")

    def steps(self, action: Action) -> tuple[Step, ...]:
        """Tile, field, rotation; the tile drawn; swap and the tile; pass."""
        match action:
            case Place(tile, cell, rotation):
                return Piece("rack", tile), Site(f"cell:{cell}"), Piece("cell", f"{tile}/{rotation}")
            case Draw(_, tile):
                return (Piece("rack", tile) if tile else Word("hidden"),)
            case Swap(tile):
                return Word("swap"), Piece("rack", tile)
        return (Word("pass"),)

    def prompt(self, position: Position[Any], chosen: Sequence[Step], words: Words) -> str:
        """What to tap next."""
        if position.turn == CHANCE:
            return words("Which tile was drawn?")
        if not chosen:
            return words("Place a tile") if _can_place(position) else words("No tile fits: swap one, or pass")
        if chosen[0] == Word("swap"):
            return words("Which tile goes into the bag?")
        return words("Tap a lit field") if len(chosen) == 1 else words("How does it lie?")

    def word(self, key: str, words: Words) -> str:
        """The words on buttons."""
        return {"swap": words("Swap a tile"), "pass": words("Pass"), "hidden": words("Not seen yet")}[key]

    def icon(self, key: str) -> str | None:
        """The icons on buttons."""
        return {"swap": "swap", "pass": "skip"}.get(key)

    def attempt(self, position: Position[Any], chosen: Sequence[Step], site: str) -> Action | None:
        """The chosen tile on that field, as it was taken."""
        match list(chosen):
            case [Piece(_, tile)] if site.startswith("cell:"):
                return Place(tile, int(site.removeprefix("cell:")), 0)
        return None

    def pieces(self, position: Position[Any], player: int) -> tuple[Piece, ...]:
        """The open hand."""
        prefix = f"rack:{player}."
        hands = (group.labels for group in position.view().groups if group.sites[0].startswith(prefix))
        return tuple(Piece("rack", tile) for tile in next(hands, ()))

    def shown(self, action: Action, words: Words) -> tuple[Piece | None, str]:
        """The tile, and what became of it."""
        match action:
            case Place(tile, _, rotation):
                return Piece("cell", f"{tile}/{rotation}"), words("placed")
            case Draw(_, tile):
                return (Piece("rack", tile) if tile else None), words("drawn")
            case Swap(tile):
                return Piece("rack", tile), words("swapped")
            case Pass():
                return None, words("passed")
        return None, str(action)

    def minor(self, action: Action) -> bool:
        """Tiles drawn."""
        return isinstance(action, Draw)

    def telling(self, played: Played, game: Any, names: Sequence[str], words: Words) -> str:
        """`5 x 2 edges x bonus 3 = 30`; a bonus of 1 is left out."""
        scored = next((event for event in played.events if event.kind == "score"), None)
        return self._arithmetic(scored, words) if scored else ""

    def gain(self, event: Event) -> int | None:
        """The points of a placement."""
        return int(event.facts["points"])

    @staticmethod
    def _arithmetic(event: Event, words: Words) -> str:
        facts = event.facts
        factors = [str(facts["value"]), words.plural("{n} edge", "{n} edges", facts["edges"])]
        if facts["bonus"] > 1:
            factors.append(words("bonus {n}").format(n=facts["bonus"]))
        return f" {TIMES} ".join(factors) + f" = {facts['points']}"

    def breakdown(self, position: Position[Any], words: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Points of the board, and the deduction for tiles left in hand."""
        here = _of(position)
        left = tuple(-here.left_over(player) for player in range(here.players))
        return (words("On the board"), tuple(here.totals)), (words("Left in hand"), left)

    def pegs(self, position: Position[Any]) -> tuple[Pegs, ...]:
        """A player's counters, or a team's."""
        here = _of(position)
        sides = [(0, 2), (1, 3)] if here.teams else [(player,) for player in range(here.players)]
        return tuple(Pegs(side, here.pegs[side[0]], sum(here.totals[player] for player in side)) for side in sides)

    def option(self, name: str, words: Words) -> tuple[str, str]:
        """The one option."""
        return words("Two teams"), words("Those who sit opposite each other add their points and win together.")

    def sample(self) -> Position[Any]:
        """A game on its way, always the same one."""
        return sampled(_game().new(2), 44)


def _game() -> Triangle:
    game = load_game("triangle")
    assert isinstance(game, Triangle)
    return game


def _of(position: Position[Any]) -> TrianglePosition:
    assert isinstance(position, TrianglePosition)
    return position


def _can_place(position: Position[Any]) -> bool:
    return any(isinstance(action, Place) for action in position.legal_actions())


FACE = TriangleFace()
