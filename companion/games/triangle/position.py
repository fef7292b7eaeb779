"""A position of Triangle: what is possible in it, what follows, and what the table then shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Self

from companion.games.bits import bits
from companion.games.core import CHANCE, Event, Group, Judgement, Position, Refusal, Sign, View
from companion.games.sites import EMPTY
from companion.games.triangle import judging
from companion.games.triangle.actions import Action, Draw, Pass, Place, Swap
from companion.games.triangle.tileset import edges

if TYPE_CHECKING:
    from companion.games.triangle.rules import Triangle

HAND = 4
"""Tiles in a full hand."""


class TrianglePosition(Position[Action]):
    """A position of Triangle.

    Tiles and cells are indices, sets of them bit masks. `unseen` are the tiles that lie neither on the board nor in
    a hand that is known; `unknown` counts each player's tiles that nobody has shown, which are among them. `need`,
    `frontier` and `fitting` follow from the board: what each empty cell asks for (see `Fits`), the cells where a tile
    may go, and the tiles that fit one of them.

    Phases: `first draw`, `deal`, `play`, `draw`, `show` (hidden tiles are shown at the end), `over`.
    """

    __slots__ = (
        "again", "board", "due", "ending", "fitting", "frontier", "game", "hands", "need", "pegs", "phase", "player",
        "players", "starter", "teams", "totals", "unknown", "unseen",
    )  # fmt: skip

    game: Triangle
    players: int
    phase: str

    def __init__(self, game: Triangle, players: int, teams: bool) -> None:
        every_tile = (1 << len(game.tiles)) - 1
        self.game = game
        self.players = players
        self.teams = teams
        self.board: tuple[int, ...] = (-1,) * len(game.cells)  # tile * 3 + rotation, -1 for none
        self.need: tuple[int, ...] = (0,) * len(game.cells)
        self.frontier = game.first_cells
        self.fitting = every_tile if game.first_cells else 0
        self.hands: tuple[int, ...] = (0,) * players
        self.unknown: tuple[int, ...] = (0,) * players
        self.unseen = every_tile
        self.totals: tuple[int, ...] = (0,) * players
        self.pegs: tuple[int, ...] = (0,) * players  # the player's or team's total before the last scoring turn
        self.player = 0
        self.again = False  # whether the first draw is repeated after a tie
        self.starter = 0  # who drew the highest first tile
        self.due = 1  # tiles that `player` has still to draw
        self.phase = "first draw"
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
        """The points; a team's total for both partners."""
        if self.ending is None:
            return self._shared(self.totals)
        return self._shared(tuple(self.totals[player] - self.left_over(player) for player in range(self.players)))

    def left_over(self, player: int) -> int:
        """The sum of the values in that player's hand (TRI-SCORE-3)."""
        return sum(self.game.values[tile] for tile in bits(self.hands[player]))

    def _shared(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """TRI-SCORE-4: partners, who sit opposite, add their numbers."""
        if not self.teams:
            return numbers
        return tuple(numbers[player] + numbers[(player + 2) % 4] for player in range(4))

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the highest total."""
        if self.ending is None:
            return ()
        scores = self.scores
        return tuple(player for player in range(self.players) if scores[player] == max(scores))

    @property
    def bag(self) -> int:
        """How many tiles the bag holds."""
        return self.unseen.bit_count() - sum(self.unknown)

    @property
    def first(self) -> bool:
        """Whether no tile lies on the board."""
        return self.frontier == self.game.first_cells and max(self.board) < 0

    def may_hold(self, player: int) -> int:
        """The tiles that the player may have: those known, and all unseen ones where some are not known."""
        return self.hands[player] | (self.unseen if self.unknown[player] else 0)

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that makes two positions of one game equal."""
        return (
            self.players, self.teams, self.board, self.hands, self.unknown, self.totals, self.pegs,
            self.player, self.again, self.starter, self.due, self.phase,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TrianglePosition) and self.game is other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    # -- what is possible ----------------------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Every action possible here."""
        if self.ending is not None:
            return []
        game, player = self.game, self.player
        if self.due:
            draws: list[Action] = [game.draws[player][tile] for tile in bits(self.unseen)]
            if self.may_hide:
                draws.append(Draw(player, None))
            return draws
        actions: list[Action] = list(self.placements())
        if not self.hands[player] & self.fitting:
            actions.append(Pass())
            if self.bag:
                actions.extend(game.swaps[tile] for tile in bits(self.may_hold(player) & ~self.fitting))
        return actions

    @property
    def may_hide(self) -> bool:
        """Whether the tile drawn next may stay hidden; the first one counts, and at the end everything is shown."""
        return self.game.hidden_draws and self.phase in ("deal", "draw")

    def hidden_action(self) -> Draw | None:
        """The draw of a tile that nobody has shown yet."""
        return Draw(self.player, None) if self.due and self.may_hide else None

    def placements(self) -> Iterator[Place]:
        """Every placement possible here, when a player is to act."""
        tiles = list(bits(self.may_hold(self.player) & self.fitting))
        if not tiles:
            return
        places, by_need, need = self.game.places, self.game.fits.by_need, self.need
        for cell in bits(self.frontier):
            fits, here = by_need[need[cell]], places[cell]
            for tile in tiles:
                for rotation in fits[tile]:
                    yield here[tile][rotation]

    def explain(self, action: Action) -> Refusal | None:
        """The clause that `action` breaks, or None."""
        return judging.explain(self, action)

    def signs(self, action: Action) -> tuple[Sign, ...]:
        """A placed tile shows on its cell, a drawn one on the player's rack."""
        if isinstance(action, Place):
            return (Sign((f"cell:{action.cell}",), f"{action.tile}/{action.rotation}"),)
        if isinstance(action, Draw) and action.tile is not None:
            return (Sign(rack_sites(action.player), action.tile),)
        return ()

    def judge(self, seen: Mapping[str, str]) -> Judgement | None:
        """What was done against the rules: a tile moved or taken away, one too many, or one where it may not lie."""
        return judging.judge(self, seen)

    # -- acting --------------------------------------------------------------------------------------------------------

    def may_stand(self, action: Action, refusal: Refusal) -> bool:
        """The player's tile may lie on any empty field, and counts by what matches."""
        return judging.may_stand(refusal)

    def _after(self, action: Action) -> Self:
        after = self._copy()
        match action:
            case Draw():
                after._draw(action)
            case Place():
                after._place(action)
                after._draw_or_end_turn()
            case Swap():
                tile = self.game.index[action.tile]
                after._take(tile)
                after.unseen |= 1 << tile
                after._draw_or_end_turn()
            case Pass():
                after._end_turn()
        return after

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def _take(self, tile: int) -> None:
        """The player gives the tile away, from the known ones or from those that nobody has shown."""
        player, bit = self.player, 1 << tile
        if self.hands[player] & bit:
            self.hands = _with(self.hands, player, self.hands[player] & ~bit)
        else:
            self.unknown = _with(self.unknown, player, self.unknown[player] - 1)
            self.unseen &= ~bit

    def _place(self, action: Place) -> None:
        player, tile = self.player, self.game.index[action.tile]
        points, before = self.arithmetic(action)[-1], self._shared(self.totals)[player]
        for partner in (player, (player + 2) % 4) if self.teams else (player,):
            self.pegs = _with(self.pegs, partner, before)
        self.totals = _with(self.totals, player, self.totals[player] + points)
        self._take(tile)
        self._lay(tile, action.cell, action.rotation)

    def _lay(self, tile: int, cell: int, rotation: int) -> None:
        fits, board, need = self.game.fits, list(self.board), list(self.need)
        frontier = 0 if self.first else self.frontier
        board[cell] = tile * 3 + rotation
        colours = edges(self.game.tiles[tile], rotation)
        for side, neighbour in self.game.cells[cell].neighbours:
            if board[neighbour] < 0:
                need[neighbour] += fits.code[colours[side]] * fits.weights[side]
                frontier |= 1 << neighbour
        self.board, self.need, self.frontier = tuple(board), tuple(need), frontier & ~(1 << cell)
        self.fitting = 0
        for free in bits(self.frontier):
            self.fitting |= fits.mask_by_need[need[free]]

    def _draw_or_end_turn(self) -> None:
        if self.bag:
            self.due, self.phase = 1, "draw"
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        self.player = (self.player + 1) % self.players
        self.due, self.phase = 0, "play"
        self._judge_end()

    def _judge_end(self) -> None:
        """TRI-END-1 and -2; before the hands are counted, tiles that nobody has shown are shown."""
        left = self.unseen
        for hand in self.hands:
            left |= hand
        if left & self.fitting:
            return
        if any(self.unknown):
            self.player = next(player for player in range(self.players) if self.unknown[player])
            self.due, self.phase = self.unknown[self.player], "show"
        else:
            self.ending, self.phase = "TRI-END-2" if self.bag else "TRI-END-1", "over"

    def _draw(self, action: Draw) -> None:
        player = self.player
        if action.tile is None:
            self.unknown = _with(self.unknown, player, self.unknown[player] + 1)
        else:
            bit = 1 << self.game.index[action.tile]
            self.hands = _with(self.hands, player, self.hands[player] | bit)
            self.unseen &= ~bit
        if self.phase == "show":
            self.unknown = _with(self.unknown, player, self.unknown[player] - 1)
        self.due -= 1
        if not self.due:
            self._after_last_draw()

    def _after_last_draw(self) -> None:
        if self.phase == "draw":
            self._end_turn()
        elif self.phase == "show":
            self._judge_end()
        else:
            self._deal_on()

    def _deal_on(self) -> None:
        """TRI-SETUP-2 and -3: the next player draws; after the last one the deal or the game begins."""
        self.player += 1
        if self.player == self.players:
            if self.phase == "deal":
                self._begin()
                return
            self.player = 0
            self._compare_first_draws()
        self.due = 1 if self.phase == "first draw" else min(HAND - 1, self.bag)
        if not self.due:
            self._deal_on()

    def _compare_first_draws(self) -> None:
        values = [self.left_over(player) for player in range(self.players)]
        if values.count(max(values)) > 1:
            self.hands, self.again = (0,) * self.players, True
            self.unseen = (1 << len(self.game.tiles)) - 1
        else:
            self.starter, self.again, self.phase = values.index(max(values)), False, "deal"

    def _begin(self) -> None:
        self.player, self.phase = self.starter, "play"
        self._judge_end()

    # -- telling -------------------------------------------------------------------------------------------------------

    def arithmetic(self, place: Place) -> tuple[int, int, int, int]:
        """Value, matching edges, bonus factor and points of a placement (TRI-SCORE-1 and -2)."""
        neighbours = self.game.cells[place.cell].neighbours
        matching = 1 if self.first else sum(1 for _, neighbour in neighbours if self.board[neighbour] >= 0)
        if place.rotation not in self.game.fits.by_need[self.need[place.cell]][self.game.index[place.tile]]:
            matching -= len(judging.mismatches(self, place))  # it stands by a ruling
        value, bonus = self.game.values[self.game.index[place.tile]], self.game.bonus[place.cell] or 1
        return value, matching, bonus, value * matching * bonus

    def events(self, action: Action) -> tuple[Event, ...]:
        """`score`, `deduct` (what a player loses at the end), `turn` and `over`."""
        after = self.let_stand(action)
        events = []
        if isinstance(action, Place):
            value, matching, bonus, points = self.arithmetic(action)
            facts = {"player": self.player, "value": value, "edges": matching, "bonus": bonus, "points": points}
            events.append(Event("score", facts))
        if after.ending is not None:
            left = ((player, after.left_over(player)) for player in range(self.players))
            events.extend(Event("deduct", {"player": player, "points": points}) for player, points in left if points)
            events.append(Event("over", {"clause": after.ending}))
        elif after.phase == "play":
            events.append(Event("turn", {"player": after.player}))
        return tuple(events)

    def view(self) -> View:
        """Cells, racks of the players whose hands are known, and the counters on the track.

        After a tie in the first draw the old tiles leave the racks, one after the other.
        """
        tiles = self.game.tiles
        cells = {
            f"cell:{cell}": EMPTY if code < 0 else f"{tiles[code // 3]}/{code % 3}"
            for cell, code in enumerate(self.board)
        }
        racks = tuple(
            Group(
                rack_sites(player),
                tuple(tiles[tile] for tile in bits(self.hands[player])),
            )
            for player in range(self.players)
            if not self.unknown[player]
        )
        undrawn = (player for player in range(self.players) if self.again and not self.hands[player])
        leaving = frozenset(site for player in undrawn for site in rack_sites(player))
        return View(cells, racks, self._counters(), leaving)

    def _counters(self) -> dict[str, tuple[str, ...]]:
        """TRI-SCORE-5: the holes and the counters that they hold, of a stack any."""
        holes = self.game.set.track.holes
        stacks: dict[int, list[str]] = {hole: [] for hole in range(1, holes + 1)}
        totals = self._shared(self.totals)
        for player in range(2 if self.teams else self.players):
            for score in {self.pegs[player], totals[player]}:
                if score > 0:
                    stacks[(score - 1) % holes + 1].append(self.game.seat_colours[player])
        return {f"hole:{hole}": tuple(dict.fromkeys(stack)) or (EMPTY,) for hole, stack in stacks.items()}


@cache
def rack_sites(player: int) -> tuple[str, ...]:
    """The sites of the player's open hand."""
    return tuple(f"rack:{player}.{slot}" for slot in range(HAND))


def _with(numbers: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*numbers[:index], value, *numbers[index + 1 :])
