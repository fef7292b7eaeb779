"""The rules of Magic Triland with a set file. Clause ids refer to `clauses.toml` beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from companion.games.clauses import Clauses
from companion.games.core import Game, Option, SetupError
from companion.games.looks import Look
from companion.games.magic_triland import looks, notation
from companion.games.magic_triland.actions import Action, Block, Go, Offer, Trade
from companion.games.magic_triland.items import KIND, KINDS
from companion.games.magic_triland.landscape import LEVEL, Landscape
from companion.games.magic_triland.landset import BROADSIDES, HOMES, SHADES, TrilandSet, cells_of, shore_cells
from companion.games.magic_triland.position import TrilandPosition
from companion.games.sites import SiteSpec


class Variant(NamedTuple):
    """What the variants differ in (TLD-SETUP-1 to -5). `rings`: how many each messenger begins with."""

    name: str
    players: int
    master: bool
    rings: int

    @property
    def duel(self) -> bool:
        """Whether two play, light against dark."""
        return self.players == 2


VARIANTS = (
    Variant("basic", 3, False, 3),
    Variant("master", 3, True, 4),
    Variant("basic-duel", 2, False, 3),
    Variant("master-duel", 2, True, 4),
)
TURNS = (200, 100, 300)
"""After how many turns a game is drawn (TLD-END-4)."""


class MagicTriland(Game[TrilandPosition, Action]):
    """The rules with a set file.

    `hidden_draws`: `pull 1 ?` is an action too, a card that nobody shows. It may then be any that the player on the
    right had, until the cards laid tell it.
    """

    name = "magic_triland"
    set: TrilandSet
    hands = "hidden"
    player_counts = range(2, 4)
    seat_colours = HOMES
    clockwise = False
    options = (
        Option("variant", tuple(variant.name for variant in VARIANTS), "TLD-SETUP-1"),
        Option("cards", ("tactical", "chance"), "TLD-CARD-2"),
        Option("turns", TURNS, "TLD-END-4"),
    )

    def __init__(self, set_file: Path | None = None, *, hidden_draws: bool = False) -> None:
        here = resources.files(__package__)
        with resources.as_file(here / "set.toml") as default:
            self.set = TrilandSet.load(set_file or default)
        self.clauses = Clauses((here / "clauses.toml").read_bytes())
        self.hidden_draws = hidden_draws
        self.copies = {str(k + 1): self.set.block.count_per_height for k in range(self.set.block.heights)}
        self.cells = cells_of(self.set.grid)
        self.cell_number = {cell.name: number for number, cell in enumerate(self.cells)}
        self.home_cells = tuple(self.cell_number[name] for name in self.set.home_cells)
        self.shores = self.set.shores
        self.shore_cells = shore_cells(self.set, self.cells)
        self.opposite = tuple(  # for each home the kind of pearl of the broadside that does not touch it
            next(KIND[shore] for shore, ends in zip(BROADSIDES, self.shores, strict=True) if home not in ends)
            for home in HOMES
        )
        self.values = self.set.cards.values
        self.deck = (self.set.cards.per_value_per_player,) * len(self.values)
        self.messengers = tuple(f"{shade}-{home}" for home in HOMES for shade in SHADES)
        self.landscape = lru_cache(maxsize=64)(self._landscape)
        self._make_actions()

    def _make_actions(self) -> None:
        """Actions of which there are few, once, so that positions need not make them anew."""
        heights = range(self.set.block.heights + 1)
        self.blocks = tuple(tuple(Block(height, cell.name) for cell in self.cells) for height in heights)
        self.trades = tuple(tuple(Trade(give, take) for take in KINDS) for give in KINDS)
        ends = (*LEVEL, *(cell.name for cell in self.cells))
        costs = range(2 * max(*self.values, len(BROADSIDES)) + 1)
        self.goes = {
            who: tuple(tuple(Go(who, end, cost) for end in ends) for cost in costs) for who in (*SHADES, *HOMES)
        }
        self.offers = tuple(Offer(item) for item in KINDS)

    def _landscape(self, heights: tuple[int, ...]) -> Landscape:
        return Landscape(self.cells, heights, self.home_cells, self.shore_cells)

    def colours_for(self, players: int) -> tuple[str, ...]:
        """Blue, yellow and red; light and dark in the duels."""
        return self.seat_colours if players > len(SHADES) else SHADES

    def options_for(self, players: int) -> tuple[Option, ...]:
        """The options with the variants for that many players."""
        fitting = tuple(variant.name for variant in VARIANTS if variant.players == players)
        first = self.options[0]
        return (first._replace(values=fitting or first.values), *self.options[1:])

    def new(self, players: int, options: Mapping[str, object] | None = None) -> TrilandPosition:
        """The position before the first block is set."""
        if players not in self.player_counts:
            raise SetupError(f"Magic Triland is for 2 or 3 players, not {players}", "TLD-SETUP-1")
        chosen = self.chosen_options(options, players)
        variant = next(variant for variant in VARIANTS if variant.name == chosen["variant"])
        chance = chosen["cards"] == "chance"
        if chance and variant.master:
            raise SetupError(f"cards by chance are for basic and basic-duel, not for {variant.name}", "TLD-CARD-2")
        return TrilandPosition(self, variant, chance, int(chosen["turns"]))

    def parse(self, text: str) -> Action:
        """The action that `text` stands for."""
        return notation.parse(self, text)

    @cached_property
    def sites(self) -> tuple[SiteSpec, ...]:
        """Cells and messengers."""
        return looks.sites(self.set, self.cells, self.messengers)

    def look(self, kind: str, label: str) -> Look:
        """A block on a cell, or a messenger where its label says (in the board frame)."""
        return looks.look(self.set, self.cells, kind, label)

    @cached_property
    def board(self) -> Look:
        """The empty board."""
        return looks.board(self.set, self.cells)
