"""A position of VIA: what is possible in it, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Self

from companion.games.bits import bits
from companion.games.core import CHANCE, Event, Judgement, Position, Refusal, Sign, View
from companion.games.via import judging, showing
from companion.games.via.actions import END, PASS, TAKE, TAKE_TWO, Action, Build, Draw, Lay, Word
from companion.games.via.ground import Fields, Ground, indices
from companion.games.via.tileset import BUILDINGS, CASTLE, DEALT, FULL, HOUSES, LAYS, PIECES, RESERVE, SPARE

if TYPE_CHECKING:
    from companion.games.via.rules import Via


class Building(NamedTuple):
    """A house or castle. `land`: the half-sides of its property, as a bit mask (see `ground`)."""

    player: int
    castle: bool
    land: int


class Options(NamedTuple):
    """What organisers chose."""

    land_alike: bool
    free_water: bool
    start_counts: bool


class ViaPosition(Position[Action]):
    """A position of VIA.

    Kinds of tiles are numbers in the order of the set file, a hand the sorted numbers of its tiles. `unseen` counts the
    tiles of each kind that lie neither on the board nor in a hand that is known; `unknown` counts each player's tiles
    that nobody has shown, which are among them. `closed` are the properties that the last tile closed and that may be
    built on now, `early` those of the starting round, `ending` the clause that ended the game.

    Phases: `start`, `deal`, `play`, `draw`, `over`.
    """

    __slots__ = (
        "buildings", "built", "castles", "closed", "due", "early", "ending", "fields", "game", "ground", "hands",
        "houses", "laid", "options", "passes", "phase", "player", "players", "unknown", "unseen",
    )  # fmt: skip

    game: Via
    players: int
    phase: str

    def __init__(self, game: Via, players: int, options: Options, fields: Fields) -> None:
        unseen = [kind.count for kind in game.kinds]
        unseen[game.start], unseen[game.water] = 0, unseen[game.water] - players
        self.game, self.players, self.options, self.fields = game, players, options, fields
        self.ground: Ground = fields.empty
        self.unseen: tuple[int, ...] = tuple(unseen)
        self.unknown: tuple[int, ...] = (0,) * players
        self.hands: tuple[tuple[int, ...], ...] = ((),) * players
        self.houses: tuple[int, ...] = (HOUSES[players],) * players  # left to build, without the reserve
        self.castles: tuple[bool, ...] = (True,) * players  # left to build
        self.buildings: tuple[Building, ...] = ()
        self.closed: tuple[int, ...] = ()
        self.early = 0  # the half-sides of what was closed in the starting round
        self.player = 0
        self.laid = 0  # tiles laid in this turn, or in the starting round by all
        self.built = 0  # buildings of this turn
        self.due = 0  # tiles that `player` has still to draw
        self.passes = 0  # in a row
        self.phase = "start"
        self.ending: str | None = None

    # -- what a position tells -----------------------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """Who acts."""
        if self.ending is not None:
            return None
        return CHANCE if self.due else self.player

    @property
    def concerns(self) -> int | None:
        """Who draws next."""
        return self.player if self.due else None

    @property
    def scores(self) -> tuple[int, ...]:
        """The points so far (VIA-SCORE-1)."""
        points = [0] * self.players
        for building in self.buildings:
            points[building.player] += self.ground.size(building.land)
        return tuple(points)

    @property
    def tie_break(self) -> tuple[int, ...]:
        """The size of each player's castle property; none counts 0 (VIA-SCORE-2)."""
        sizes = {building.player: self.ground.size(building.land) for building in self.buildings if building.castle}
        return tuple(sizes.get(player, 0) for player in range(self.players))

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the most points, of those with as many the largest castle property."""
        if self.ending is None:
            return ()
        ranks = list(zip(self.scores, self.tie_break, strict=True))
        return tuple(player for player, rank in enumerate(ranks) if rank == max(ranks))

    @property
    def stock(self) -> int:
        """How many tiles the stock holds."""
        return sum(self.unseen) - sum(self.unknown)

    @property
    def opening(self) -> int:
        """The kind of tile that is laid next in the starting round."""
        return self.game.start if self.laid < self.game.kinds[self.game.start].count else self.game.water

    def held(self, player: int) -> int:
        """How many tiles the player has in hand."""
        return len(self.hands[player]) + self.unknown[player]

    @property
    def known(self) -> int:
        """The tiles that the player to act is known to have, as they can lie."""
        lies, mask = self.game.lies_of_kind, 0
        for kind in self.hands[self.player]:
            mask |= lies[kind]
        return mask

    @property
    def possible(self) -> int:
        """The tiles that the player to act may have, as they can lie: the known ones, with hidden ones all unseen."""
        mask = self.known
        if self.unknown[self.player]:
            for lies, count in zip(self.game.lies_of_kind, self.unseen, strict=True):
                mask |= lies if count else 0
        return mask

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that makes two positions of one game equal."""
        return (
            self.players, self.options, self.ground.tiles, self.hands, self.unknown, self.unseen, self.buildings,
            self.houses, self.closed, self.early, self.player, self.laid, self.built, self.due, self.passes,
            self.phase, self.ending,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ViaPosition) and self.game is other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    # -- what is possible ----------------------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Every action possible here."""
        if self.ending is not None:
            return []
        if self.due:
            draws: list[Action] = [
                draw for draw, count in zip(self.game.draws[self.player], self.unseen, strict=True) if count
            ]
            hidden = self.hidden_action()
            return draws if hidden is None else [*draws, hidden]
        if self.phase == "start":
            lies = indices(self.game.lies_of_kind[self.opening])
            return [self.game.lays[cell][lie] for cell in bits(self.ground.free) for lie in lies]
        return [*self.lays(self.possible), *self.building_actions(), *self.other_actions()]

    def hidden_action(self) -> Draw | None:
        """The draw of a tile that nobody shows, where the game has hidden draws and a tile is due."""
        return Draw(self.player, None) if self.due and self.game.hidden_draws else None

    def lays(self, tiles: int) -> list[Action]:
        """Where the player could lay one of these tiles (a mask of lies) in this turn."""
        found: list[Action] = []
        if self.laid == LAYS or not tiles:
            return found
        ground, rows, fits = self.ground, self.game.lays, self.ground.fits
        for cell in bits(ground.ends):
            fitting = fits[cell] & tiles
            if fitting:
                row = rows[cell]
                found += [row[lie] for lie in indices(fitting)]
        water = self.game.water_lie
        if tiles >> water & 1:
            found += [rows[cell][water] for cell in bits(self.shore)]
        return found

    @property
    def shore(self) -> int:
        """The fields on which a water tile may be laid (VIA-LAY-5)."""
        return self.ground.free if self.options.free_water else self.ground.land

    def building_actions(self) -> list[Action]:
        """The buildings that the player may build now."""
        found: list[Action] = []
        for land in self.closed:
            part = self.game.parts[self.half_of(land)]
            found.extend(
                Build(piece, part) for piece in PIECES if self.unbuildable(land, castle=piece == CASTLE) is None
            )
        return found

    def unbuildable(self, land: int, *, castle: bool) -> Refusal | None:
        """The clause that keeps the player from building on a property that was just closed, or None."""
        player = self.player
        if self.built == BUILDINGS:
            return Refusal("VIA-BUILD-2", facts={"why": "two built"})
        if not (self.castles[player] if castle else self.houses[player]):
            return Refusal("VIA-SETUP-1", facts={"why": "no castle" if castle else "no house"})
        rivals = [
            self.ground.size(building.land)
            for building in self.buildings
            if building.player == player and building.castle != castle
        ]
        size, limit = self.ground.size(land), max(rivals, default=-1)
        if castle and size <= limit:
            return Refusal("VIA-BUILD-4", facts={"why": "castle too small", "size": size, "limit": limit})
        if not castle and rivals and size >= limit:
            return Refusal("VIA-BUILD-4", facts={"why": "house too large", "size": size, "limit": limit})
        return None

    @staticmethod
    def half_of(land: int) -> int:
        """The half-side that a property is named by: the lowest one of its first part."""
        return (land & -land).bit_length() - 1

    def other_actions(self) -> list[Word]:
        """Taking, ending and passing, where a turn allows them."""
        if self.laid:
            return [TAKE] if self.laid < LAYS and self.stock else [END]
        held, stock = self.held(self.player), self.stock
        if held < FULL and stock:
            return [TAKE] if held or stock == 1 else [TAKE, TAKE_TWO]
        return [] if self.lays(self.known) else [PASS]

    def explain(self, action: Action) -> Refusal | None:
        """The clause that `action` breaks, or None."""
        return judging.explain(self, action)

    def signs(self, action: Action) -> tuple[Sign, ...]:
        """A tile shows on its field, a building somewhere on its property."""
        return showing.signs(self, action)

    def told(self, action: Action) -> bool:
        """What was drawn, that something is taken, and passing; that a turn has ended after two tiles follows from the
        next one, if there is one.
        """
        if isinstance(action, Draw):
            return action.kind is not None
        if action == END:
            return self.laid < LAYS or self.ground.free.bit_count() <= SPARE
        return isinstance(action, Word)

    def judge(self, seen: Mapping[str, str]) -> Judgement | None:
        """What was done against the rules, where tiles or buildings have come to the table."""
        return judging.judge(self, seen)

    def events(self, action: Action) -> tuple[Event, ...]:
        """`close`, `score`, `reserve`, `turn`, `tie` and `over`."""
        return showing.events(self, action)

    def view(self) -> View:
        """Tiles and buildings; a building stands anywhere on its property."""
        return showing.view(self)

    # -- acting --------------------------------------------------------------------------------------------------------

    def may_stand(self, action: Action, refusal: Refusal) -> bool:
        """Tiles may lie on any free field, buildings stand on any closed property."""
        return judging.may_stand(self, action, refusal)

    def _after(self, action: Action) -> Self:
        after = self._copy()
        match action:
            case Lay():
                after._lay(action)
            case Draw():
                after._draw(action)
            case Build(piece, part):
                after._build(self.game.half[part], castle=piece == CASTLE)
            case Word():
                after._turn_to(action)
        return after

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def _lay(self, action: Lay) -> None:
        cell, lie = self.game.cell[action.cell], self.game.lie[action.kind, action.rotation]
        if self.phase != "start":
            self._take_from_hand(self.game.lies[lie].number)
        self.ground, self.closed = self.ground.lay(self.fields, cell, lie)
        self.laid += 1
        if self.phase == "start":
            self._begun()
        else:
            self._built_up()

    def _turn_to(self, action: Word) -> None:
        if action == PASS:
            self._pass()
        elif action == END:
            self._end_turn(0)
        else:
            self.due, self.phase, self.closed = 1 if action == TAKE else 2, "draw", ()

    def _take_from_hand(self, kind: int) -> None:
        """The player gives the tile away, from the known ones or from those that nobody has shown."""
        player, hand = self.player, list(self.hands[self.player])
        if kind in hand:
            hand.remove(kind)
            self.hands = (*self.hands[:player], tuple(hand), *self.hands[player + 1 :])
        else:
            self.unknown = changed(self.unknown, player, -1)
            self.unseen = changed(self.unseen, kind, -1)

    def _begun(self) -> None:
        """VIA-SETUP-3 and -4: the starting round goes on, or the deal begins."""
        for land in self.closed:
            self.early |= land
        self.closed, self.player = (), (self.player + 1) % self.players
        if self.laid == self.game.kinds[self.game.start].count + self.players:
            self.laid, self.player, self.phase = 0, -1, "deal"
            self._deal_on()

    def _deal_on(self) -> None:
        """The next player draws; after the last one, or with an empty stock, the first turn begins."""
        self.player += 1
        self.due = min(DEALT, self.stock)
        if self.player == self.players or not self.due:
            self.player, self.due, self.phase = 0, 0, "play"

    def _draw(self, action: Draw) -> None:
        player = self.player
        if action.kind is None:
            self.unknown = changed(self.unknown, player, 1)
        else:
            kind = self.game.number[action.kind]
            hand = tuple(sorted((*self.hands[player], kind)))
            self.hands = (*self.hands[:player], hand, *self.hands[player + 1 :])
            self.unseen = changed(self.unseen, kind, -1)
        self.due -= 1
        if not self.due:
            if self.phase == "deal":
                self._deal_on()
            else:
                self._end_turn(0)

    def _build(self, half: int, *, castle: bool) -> None:
        player = self.player
        closed = next((land for land in self.closed if land >> half & 1), 0)
        land = closed or self.ground.property_at(self.fields, half)
        before = sum(building.player == player for building in self.buildings)  # the castle is not among them yet
        self.closed = tuple(other for other in self.closed if other != land)
        self.buildings = tuple(sorted((*self.buildings, Building(player, castle, land))))
        self.built += 1
        if castle:
            self.castles = (*self.castles[:player], False, *self.castles[player + 1 :])
            self.houses = changed(self.houses, player, self.reward(before))
        else:
            self.houses = changed(self.houses, player, -1)
        if not any(self.houses) and not any(self.castles):
            self._over("VIA-END-3")
        else:
            self._built_up()

    @staticmethod
    def reward(houses: int) -> int:
        """VIA-BUILD-5: the houses that come from the reserve with a castle, after so many houses."""
        return RESERVE if houses <= 2 else RESERVE - 1

    def _built_up(self) -> None:
        """After two tiles the turn is over once nothing more can be built."""
        if self.laid == LAYS and not self.building_actions():
            self._end_turn(0)

    def _pass(self) -> None:
        if self.held(self.player) == FULL:
            self._over("VIA-END-2")
        else:
            self._end_turn(self.passes + 1)

    def _end_turn(self, passes: int) -> None:
        """VIA-END-1 and -4, or else the next player's turn; `passes`: how many there now are in a row."""
        self.passes, self.laid, self.built, self.closed = passes, 0, 0, ()
        if self.ground.free.bit_count() <= SPARE:
            self._over("VIA-END-1")
        elif passes == self.players:
            self._over("VIA-END-4")
        else:
            self.player, self.phase = (self.player + 1) % self.players, "play"

    def _over(self, clause: str) -> None:
        self.ending, self.phase, self.closed = clause, "over", ()


def changed(numbers: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    """The numbers with one of them larger by `by`."""
    return (*numbers[:index], numbers[index] + by, *numbers[index + 1 :])
