"""A position of Magic Triland: what is possible in it, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from companion.games.core import CHANCE, Event, Judgement, Position, Refusal, Sign, View
from companion.games.magic_triland import endings, judging, listing, telling
from companion.games.magic_triland import items as things
from companion.games.magic_triland.actions import (
    FORFEIT,
    PEARL,
    Action,
    Block,
    Cards,
    Go,
    Offer,
    Pull,
    Share,
    Trade,
    Word,
)
from companion.games.magic_triland.cards import changed, exchanged, left, worlds
from companion.games.magic_triland.energy import Standing, forbidden
from companion.games.magic_triland.items import KIND, KINDS, RINGS, Items
from companion.games.magic_triland.landscape import FIRST_SHORE, FIRST_TERRACE
from companion.games.magic_triland.landset import BROADSIDES, HOMES, SHADES

if TYPE_CHECKING:
    from companion.games.magic_triland.landscape import Landscape
    from companion.games.magic_triland.rules import MagicTriland, Variant

MESSENGERS = range(len(HOMES) * len(SHADES))
"""Light and dark of each home: number 2 * home + shade."""
NOBODY = -1


class TrilandPosition(Position[Action]):
    """A position of Magic Triland.

    Messengers are numbers (home of blue, yellow, red times 2, plus 1 for dark), places those of `Landscape`, items as
    in `items`. `heights` by cell, 0 for none; `blocks` by player and height what is not yet set. `back`: mask of the
    messengers that are home for good. `decks`, `laid`, `pulls`: see `cards`; `pulls` holds what was pulled since the
    cards were taken up, as long as that still matters. `energy` is what the player has still to move, `moved` the
    mask of messengers that have moved in this turn. `arrived` has just ended its move where something is to be decided:
    with `other`, if they meet; `offered` is the kind of thing that the other gives.

    Phases: `landscape`, `pull`, `cards`, `go`, `trade`, `offer`, `share`, `pearl`, `over`.
    """

    __slots__ = ("__dict__", "game", "phase")  # all else in the dictionary, which is copied in one step

    game: MagicTriland
    phase: str

    def __init__(self, game: MagicTriland, variant: Variant, chance: bool, limit: int) -> None:
        share = game.set.block.count_per_height // variant.players
        self.game = game
        self.variant = variant
        self.chance = chance
        self.limit = limit
        self.heights: tuple[int, ...] = (0,) * len(game.cells)
        self.blocks: tuple[tuple[int, ...], ...] = ((0, *(share,) * game.set.block.heights),) * variant.players
        self.land: Landscape | None = None
        self.places: tuple[int, ...] = tuple(messenger // 2 for messenger in MESSENGERS)
        colours = (KIND[HOMES[messenger // 2]] for messenger in MESSENGERS)
        self.items: tuple[Items, ...] = tuple(things.some(kind, variant.rings) for kind in colours)
        self.back = 0
        self.pearls: tuple[int, ...] = (0,) * RINGS + (game.set.pearl.count,) * (len(KINDS) - RINGS)
        self.decks: tuple[tuple[int, ...], ...] = (game.deck,) * variant.players
        self.laid: tuple[tuple[int, ...], ...] = ((0,) * len(game.deck),) * variant.players
        self.pulls: tuple[int, ...] = ()
        self.player = 0
        self.energy = 0
        self.moved = 0
        self.turns = 0
        self.arrived = self.other = self.offered = NOBODY
        self.phase = "landscape"
        self.winner: int | None = None
        self.ending: str | None = None
        self.listed: tuple[Action, ...] | None = None  # the legal actions, once somebody has asked

    # -- what a position tells -----------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """Three, in the duels two."""
        return self.variant.players

    @property
    def turn(self) -> int | None:
        """Who acts."""
        match self.phase:
            case "over":
                return None
            case "pull":
                return CHANCE
            case "trade":
                return self.owner(self.strong)
            case "offer":
                return self.owner(self.offering)
        return self.player

    @property
    def concerns(self) -> int | None:
        """Who pulls a card."""
        return len(self.pulls) if self.phase == "pull" else None

    @property
    def scores(self) -> tuple[int, ...]:
        """TLD-CUP-1: the points of the tournament once the game is over, 0 until then."""
        if self.ending is None:
            return (0,) * self.players
        return endings.scores(self)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who ended the game; nobody where it is drawn."""
        return () if self.winner is None else (self.winner,)

    def owner(self, messenger: int) -> int:
        """The messenger's player."""
        return messenger % 2 if self.variant.duel else messenger // 2

    def name(self, messenger: int) -> str:
        """How its player calls it."""
        return HOMES[messenger // 2] if self.variant.duel else SHADES[messenger % 2]

    def site(self, messenger: int) -> str:
        """The site that says where the messenger stands."""
        return f"piece:{self.game.messengers[messenger]}"

    def called(self, who: str) -> int | None:
        """The player's messenger of that name, if there is one."""
        return next((messenger for messenger in self.own if self.name(messenger) == who), None)

    @property
    def own(self) -> range:
        """The player's messengers."""
        if self.variant.duel:
            return MESSENGERS[self.player :: len(SHADES)]
        return MESSENGERS[len(SHADES) * self.player : len(SHADES) * (self.player + 1)]

    @property
    def movers(self) -> tuple[int, ...]:
        """The player's messengers that can still move in this turn."""
        still = self.moved | self.back
        return tuple([messenger for messenger in self.own if not still >> messenger & 1])

    @property
    def strong(self) -> int:
        """Of a strong and a weak messenger that meet, the strong one (TLD-LAND-2)."""
        assert self.land is not None
        shade = self.land.heights[self.places[self.arrived]] % 2
        return self.arrived if self.arrived % 2 == shade else self.other

    @property
    def offering(self) -> int:
        """The messenger whose player offers something."""
        return self.other if self.offered == NOBODY else self.arrived

    @property
    def joker(self) -> int:
        """What a 0 of the player may count at most (TLD-CARD-3)."""
        if not self.variant.master:
            return 0
        return len({kind for messenger in self.own for kind in things.pearls(self.items[messenger])})

    @property
    def standing(self) -> Standing:
        """Where the messengers stand, for the search."""
        assert self.land is not None
        shores = self.game.shores
        barred = tuple([forbidden(shores, k // 2, carried) for k, carried in enumerate(self.items)])
        return Standing(self.land, self.places, barred)

    def hands(self, player: int) -> tuple[tuple[int, ...], ...]:
        """The cards in hand, by value; several ways where a card was pulled that nobody has shown."""
        if NOBODY not in self.pulls:
            return (left(self.decks[player], self.laid[player]),)
        ways = worlds(self.decks, self.pulls, self.laid)
        return tuple(dict.fromkeys(left(decks[player], self.laid[player]) for decks in ways))

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that makes two positions of one game equal."""
        return (
            self.variant, self.chance, self.limit, self.heights, self.blocks, self.places, self.items, self.back,
            self.decks, self.laid, self.pulls, self.player, self.energy, self.moved, self.turns, self.arrived,
            self.offered, self.phase, self.ending, self.winner,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TrilandPosition) and self.game is other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    # -- what is possible ----------------------------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        """Every action possible here."""
        if self.listed is None:
            self.listed = listing.actions(self)
        return self.listed

    def hidden_action(self) -> Pull | None:
        """A card pulled that nobody shows."""
        return Pull(len(self.pulls), None) if self.phase == "pull" and self.game.hidden_draws else None

    def explain(self, action: Action) -> Refusal | None:
        """The clause that `action` breaks, or None."""
        return judging.explain(self, action)

    def signs(self, action: Action) -> tuple[Sign, ...]:
        """A block shows on its cell, a messenger where it went."""
        return telling.signs(self, action)

    def told(self, action: Action) -> bool:
        """Cards, what is exchanged, whether rings become a pearl, and a move that ends where it began."""
        match action:
            case Pull(_, value):
                return value is not None
            case Go(who, end):
                messenger = self.called(who)
                return (
                    self.land is not None and messenger is not None and self.places[messenger] == self.land.number[end]
                )
        return action != FORFEIT and not isinstance(action, Block)

    def judge(self, seen: Mapping[str, str]) -> Judgement | None:
        """What was done against the rules: a block or a messenger moved, or put where it may not be."""
        return judging.judge(self, seen)

    def events(self, action: Action) -> tuple[Event, ...]:
        """What happens: moves, meetings, exchanges, points, whose turn it is."""
        return telling.events(self, action)

    def view(self) -> View:
        """Cells and messengers; one on a larger terrace may stand on any of its cells."""
        return telling.view(self)

    def details(self) -> dict[str, tuple[str, ...]]:
        """What each messenger carries, a letter a thing."""
        return {self.site(messenger): tuple(things.letters(carried)) for messenger, carried in enumerate(self.items)}

    # -- acting --------------------------------------------------------------------------------------------------------

    def may_stand(self, action: Action, refusal: Refusal) -> bool:
        """Blocks on any free cell, messengers wherever there is room, at any cost."""
        return judging.may_stand(self, action, refusal)

    def _after(self, action: Action) -> Self:
        after = self._copy()
        match action:
            case Block():
                after._set_block(action)
            case Pull():
                after._pull(action)
            case Cards():
                after._lay(action)
            case Go():
                after._go(action)
            case Trade() | Offer() | Share():
                after._exchange(action)
            case Word():
                after._decide(action)
        return after

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        other.game, other.phase = self.game, self.phase
        other.__dict__.update(self.__dict__)
        other.listed = None
        return other

    def _set_block(self, action: Block) -> None:
        cell, player = self.game.cell_number[action.cell], self.player
        self.heights = changed(self.heights, cell, action.height)
        self.blocks = (
            *self.blocks[:player], changed(self.blocks[player], action.height, -1), *self.blocks[player + 1 :]
        )  # fmt: skip
        self.player = (player + 1) % self.players
        if all(self.heights):
            self.land = self.game.landscape(self.heights)
            self.player = 1 if self.variant.duel else 0
            self._take_up()

    def _take_up(self) -> None:
        """TLD-CARD-1 and -2."""
        if NOBODY in self.pulls:
            self.decks = self.laid  # everybody has laid all cards, so they are known now
        self.laid, self.pulls = ((0,) * len(self.game.deck),) * self.players, ()
        self.phase = "pull" if self.chance else "cards"

    def _pull(self, action: Pull) -> None:
        self.pulls = (*self.pulls, NOBODY if action.value is None else self.game.values.index(action.value))
        if len(self.pulls) == self.players:
            self.phase = "cards"
            if NOBODY not in self.pulls:
                self.decks, self.pulls = exchanged(self.decks, self.pulls), ()

    def _lay(self, action: Cards) -> None:
        player, laid = self.player, self.laid[self.player]
        for card in (action.first, action.second):
            laid = changed(laid, self.game.values.index(card.value), 1)
        self.laid = (*self.laid[:player], laid, *self.laid[player + 1 :])
        self.energy, self.moved = action.energy, 0
        self._go_on()

    def _go_on(self) -> None:
        """The move with all that belongs to it is done: the next one, or the next turn."""
        self.arrived = self.other = self.offered = NOBODY
        self.phase = "go"
        if not self.energy:
            self._end_turn()

    def _end_turn(self) -> None:
        self.turns += 1
        self.moved = 0
        self.player = (self.player + 1) % self.players
        if self.turns == self.limit:
            self._end("TLD-END-4", None)
        elif sum(map(sum, self.laid)) == sum(map(sum, self.decks)):
            self._take_up()
        else:
            self.phase = "cards"

    def _go(self, action: Go) -> None:
        assert self.land is not None
        messenger = self.called(action.who)
        assert messenger is not None
        place = self.land.number[action.end]
        there = [k for k, other in enumerate(self.places) if other == place and k != messenger]
        self.places = (*self.places[:messenger], place, *self.places[messenger + 1 :])
        self.moved |= 1 << messenger
        self.energy = max(0, self.energy - action.cost)  # more than that may stand by a ruling
        self.arrived = messenger
        if place < FIRST_SHORE:
            self._come_home(messenger)
        elif place < FIRST_TERRACE:
            self._reach_shore(messenger, place)
        elif there:
            self._meet(messenger, there[0])
        else:
            self._go_on()

    def _come_home(self, messenger: int) -> None:
        """TLD-END-1 to -4."""
        self.back |= 1 << messenger
        ending = endings.won_by(self, messenger)
        if ending is not None:
            self._end(ending, self.owner(messenger))
        elif self.back == (1 << len(MESSENGERS)) - 1:
            self._end("TLD-END-4", None)
        else:
            self._go_on()

    def _end(self, clause: str, winner: int | None) -> None:
        self.ending, self.winner, self.phase = clause, winner, "over"
        self.arrived = NOBODY

    def _reach_shore(self, messenger: int, place: int) -> None:
        """TLD-PEARL-1."""
        owned = things.kinds(self.items[messenger])
        needed = (KIND[home] for home in self.game.shores[place - FIRST_SHORE])
        if self.pearls[self.shore_pearl(place)] and all(kind in owned for kind in needed):
            self.phase = "pearl"
        else:
            self._go_on()

    @staticmethod
    def shore_pearl(place: int) -> int:
        """The kind of pearl of a broadside."""
        return KIND[BROADSIDES[place - FIRST_SHORE]]

    def _meet(self, arrived: int, other: int) -> None:
        self.other = other
        if self.owner(arrived) == self.owner(other):
            self.phase = "share"
        else:
            self.phase = "offer" if arrived % 2 == other % 2 else "trade"

    def _exchange(self, action: Trade | Offer | Share) -> None:
        if isinstance(action, Offer) and self.offered == NOBODY:
            self.offered = KIND[action.item]
            return
        mine, theirs = self.items[self.arrived], self.items[self.other]
        if isinstance(action, Share):
            mine, theirs = things.spelt(action.arriving), things.spelt(action.other)
        else:
            given = self._given(action)
            mine, theirs = mine + given, theirs - given
        items = list(self.items)
        items[self.arrived], items[self.other] = mine, theirs
        self.items = tuple(items)
        self._go_on()

    def _given(self, action: Trade | Offer) -> Items:
        """What the arrived messenger gets, less what it gives."""
        if isinstance(action, Offer):
            return things.some(self.offered) - things.some(KIND[action.item])
        given = things.some(KIND[action.take]) - things.some(KIND[action.give])
        return given if self.strong == self.arrived else -given

    def _decide(self, action: Word) -> None:
        if action == FORFEIT:
            self.energy = 0
        elif action == PEARL:
            place, messenger = self.places[self.arrived], self.arrived
            kind = self.shore_pearl(place)
            rings = sum(things.some(KIND[home]) for home in self.game.shores[place - FIRST_SHORE])
            items = self.items[messenger] + things.some(kind) - rings
            self.items = (*self.items[:messenger], items, *self.items[messenger + 1 :])
            self.pearls = changed(self.pearls, kind, -1)
        self._go_on()
