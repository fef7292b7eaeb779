"""The rules of Triangle. Clause ids refer to `clauses.toml` beside this file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Self

from companion.games.clauses import Clauses
from companion.games.core import (
    CHANCE,
    Event,
    Game,
    Group,
    IllegalActionError,
    Judgement,
    NotationError,
    Option,
    Position,
    Refusal,
    SetupError,
    View,
)
from companion.games.looks import Look
from companion.games.sets import Board, Marker
from companion.games.sites import EMPTY, SiteSpec
from companion.games.triangle import looks
from companion.games.triangle.actions import Action, Draw, Pass, Place, Swap
from companion.games.triangle.tileset import JOKER, Cell, Fits, TriangleSet, cells_of, edges

HAND = 4
"""Tiles in a full hand."""


class Triangle(Game["TrianglePosition", Action]):
    """The rules with a set file. `hidden_draws`: accept `draw 2 ?`, a tile that nobody has shown yet."""

    name = "triangle"
    player_counts = range(2, 5)
    options = (Option("teams", (False, True), "TRI-SETUP-1"),)

    def __init__(self, set_file: Path | None = None, *, hidden_draws: bool = False) -> None:
        here = resources.files(__package__)
        with resources.as_file(here / "set.toml") as default:
            self.set = TriangleSet.load(set_file or default)
        self.clauses = Clauses((here / "clauses.toml").read_bytes())
        self.hidden_draws = hidden_draws
        self.cells: tuple[Cell, ...] = cells_of(self.set.grid)
        self.tiles = self.set.tile.tiles
        self.values = tuple(int(tile[3:]) for tile in self.tiles)
        self.index = {tile: k for k, tile in enumerate(self.tiles)}
        self.bonus = tuple(self.set.grid.bonus.get(str(cell), 0) for cell in range(len(self.cells)))
        self.fits = Fits(self.tiles)
        self.colours = tuple(self.set.counter.colours)
        self.places = tuple(
            tuple(tuple(Place(tile, cell, k) for k in range(3)) for tile in self.tiles)
            for cell in range(len(self.cells))
        )
        self.draws = tuple(
            tuple(Draw(player, tile) for tile in self.tiles) for player in range(max(self.player_counts))
        )
        self.swaps = tuple(Swap(tile) for tile in self.tiles)
        self.first_cells = sum(1 << cell for cell, factor in enumerate(self.bonus) if not factor)

    def new(self, players: int, options: Mapping[str, object] | None = None) -> TrianglePosition:
        """The position before the first tile is drawn."""
        if players not in self.player_counts:
            raise SetupError(f"Triangle is for two to four players, not {players}", "TRI-SETUP-1")
        teams = bool(self.chosen_options(options)["teams"])
        if teams and players != 4:
            raise SetupError("teams are for four players", "TRI-SETUP-1")
        return TrianglePosition(self, players, teams)

    def parse(self, text: str) -> Action:
        """The action that `text` stands for."""
        words = text.split(" ")
        match words:
            case ["draw", player, "?"] if self.hidden_draws:
                return Draw(self._number(player, max(self.player_counts), "player"), None)
            case ["draw", player, tile]:
                return self.draws[self._number(player, len(self.draws), "player")][self._tile(tile)]
            case ["place", tile, cell, rotation]:
                return self._parse_place(self._tile(tile), cell, rotation)
            case ["swap", tile]:
                return self.swaps[self._tile(tile)]
            case ["pass"]:
                return Pass()
        raise NotationError(
            f"{text!r} is no action; write `draw PLAYER TILE`, `place TILE CELL ROTATION`, `swap TILE` or `pass`"
        )

    def _parse_place(self, tile: int, cell: str, rotation: str) -> Place:
        place = self.places[self._number(cell, len(self.cells), "cell")][tile][self._number(rotation, 3, "rotation")]
        if place.rotation not in self.fits.rotations[tile]:
            raise NotationError(f"{place.tile} looks the same in every rotation: write rotation 0")
        return place

    def _tile(self, name: str) -> int:
        if name not in self.index:
            raise NotationError(f"there is no tile {name!r}; a tile is three colours and a value, as {self.tiles[0]}")
        return self.index[name]

    @staticmethod
    def _number(text: str, count: int, what: str) -> int:
        if not re.fullmatch("0|[1-9][0-9]?", text) or int(text) >= count:
            raise NotationError(f"{what} {text!r} is none; it can be 0 to {count - 1}")
        return int(text)

    @property
    def plate(self) -> Board:
        """Shape and size of the board."""
        return self.set.board

    @property
    def marker(self) -> Marker:
        """The corner cards."""
        return self.set.marker

    @cached_property
    def sites(self) -> tuple[SiteSpec, ...]:
        """Cells, racks and holes."""
        return looks.sites(self.set, self.cells, self.fits)

    def look(self, kind: str, label: str) -> Look:
        """A tile on a cell or a rack, or a counter on a hole."""
        return looks.look(self.set, kind, label)

    @cached_property
    def board(self) -> Look:
        """The empty board."""
        return looks.board(self.set, self.cells)


class TrianglePosition(Position[Action]):
    """A position of Triangle.

    Tiles and cells are indices, sets of them bit masks. `unseen` are the tiles that lie neither on the board nor in
    a hand that is known; `unknown` counts each player's tiles that nobody has shown, which are among them.
    """

    __slots__ = (
        "_game",
        "_key",
        "_players",
        "board",
        "due",
        "ending",
        "fitting",
        "frontier",
        "hands",
        "need",
        "pegs",
        "phase_",
        "placed",
        "player",
        "starter",
        "teams",
        "totals",
        "unknown",
        "unseen",
    )  # fmt: skip

    def __init__(self, game: Triangle, players: int, teams: bool) -> None:
        cells = len(game.cells)
        self._game = game
        self._players = players
        self.teams = teams
        self.board: tuple[int, ...] = (-1,) * cells  # tile * 3 + rotation, -1 for none
        self.need: tuple[int, ...] = (0,) * cells
        self.frontier = game.first_cells
        self.fitting = (1 << len(game.tiles)) - 1 if game.first_cells else 0
        self.placed = 0
        self.hands: tuple[int, ...] = (0,) * players
        self.unknown: tuple[int, ...] = (0,) * players
        self.unseen = (1 << len(game.tiles)) - 1
        self.totals: tuple[int, ...] = (0,) * players
        self.pegs: tuple[int, ...] = (0,) * players  # the total before the last scoring turn
        self.player = 0
        self.starter = 0  # who drew the highest first tile
        self.due = 1  # tiles that `player` has still to draw
        self.phase_ = "first draw"
        self.ending: str | None = None
        self._key: tuple[object, ...] | None = None

    # -- what a position tells -----------------------------------------------------------------------------------------

    @property
    def game(self) -> Triangle:
        """The rules that the position belongs to."""
        return self._game

    @property
    def players(self) -> int:
        """How many players take part."""
        return self._players

    @property
    def turn(self) -> int | None:
        """Who acts."""
        if self.ending is not None:
            return None
        return CHANCE if self.due else self.player

    @property
    def concerns(self) -> int | None:
        """Who draws next."""
        return self.player if self.due and self.ending is None else None

    @property
    def phase(self) -> str:
        """`first draw`, `deal`, `play`, `draw` or `over`."""
        return self.phase_

    @property
    def scores(self) -> tuple[int, ...]:
        """The points; a team's total for both partners."""
        if self.ending is None:
            return tuple(self._shared(self.totals))
        left = [sum(self.game.values[t] for t in _bits(hand)) for hand in self.hands]
        return tuple(self._shared([total - minus for total, minus in zip(self.totals, left, strict=True)]))

    def _shared(self, numbers: tuple[int, ...] | list[int]) -> Iterator[int]:
        if not self.teams:
            return iter(numbers)
        return (numbers[p] + numbers[(p + 2) % 4] for p in range(4))

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the highest total."""
        if self.ending is None:
            return ()
        scores = self.scores
        return tuple(p for p in range(self.players) if scores[p] == max(scores))

    @property
    def bag(self) -> int:
        """How many tiles the bag holds."""
        return self.unseen.bit_count() - sum(self.unknown)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TrianglePosition) and self._game is other._game and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that makes two positions of one game equal."""
        if self._key is None:
            self._key = (
                self.players, self.teams, self.board, self.hands, self.unknown, self.totals, self.pegs,
                self.player, self.starter, self.due, self.phase_, self.ending,
            )  # fmt: skip
        return self._key

    # -- acting --------------------------------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Every action possible here."""
        if self.ending is not None:
            return []
        if self.due:
            draws = self.game.draws[self.player]
            return [draws[tile] for tile in _bits(self.unseen)]
        actions: list[Action] = list(self._placements())
        if not actions or not self.hands[self.player] & self.fitting:
            actions.append(Pass())
            if self.bag:
                actions.extend(self.game.swaps[tile] for tile in _bits(self.hands[self.player]))
        return actions

    def _placements(self) -> Iterator[Place]:
        able = self._hand(self.player) & self.fitting
        if not able:
            return
        places, by_need, need = self.game.places, self.game.fits.by_need, self.need
        tiles = list(_bits(able))
        for cell in _bits(self.frontier):
            fits, here = by_need[need[cell]], places[cell]
            for tile in tiles:
                for rotation in fits[tile]:
                    yield here[tile][rotation]

    def _hand(self, player: int) -> int:
        """The tiles that the player may hold: the known ones, and all unseen ones where some are not known."""
        return self.hands[player] | (self.unseen if self.unknown[player] else 0)

    def play(self, action: Action) -> Self:
        """The position after `action`."""
        refusal = self.explain(action)
        if refusal is not None:
            raise IllegalActionError(action, refusal)
        after = self._copy()
        match action:
            case Place():
                after._place(action)
                after._after_acting()
            case Draw():
                after._draw(action)
            case Swap():
                tile = after.game.index[action.tile]
                after.hands = _with(after.hands, after.player, after.hands[after.player] & ~(1 << tile))
                after.unseen |= 1 << tile
                after._after_acting()
            case Pass():
                after._end_turn()
        return after

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other._key = None
        return other

    def _place(self, action: Place) -> None:
        game, cell, tile = self.game, action.cell, self.game.index[action.tile]
        points = self.arithmetic(action)[-1]
        partners = (self.player, (self.player + 2) % 4) if self.teams else (self.player,)
        for partner in partners:
            self.pegs = _with(self.pegs, partner, self._team_total(self.player))
        self.totals = _with(self.totals, self.player, self.totals[self.player] + points)
        bit = 1 << tile
        if self.hands[self.player] & bit:
            self.hands = _with(self.hands, self.player, self.hands[self.player] & ~bit)
        else:
            self.unknown = _with(self.unknown, self.player, self.unknown[self.player] - 1)
            self.unseen &= ~bit
        if not self.placed:
            self.frontier = 0
        self.placed |= 1 << cell
        board, need = list(self.board), list(self.need)
        board[cell] = tile * 3 + action.rotation
        colours = edges(action.tile, action.rotation)
        for side, neighbour in game.cells[cell].neighbours:
            if board[neighbour] < 0:
                need[neighbour] += game.fits.code[colours[side]] * game.fits.weights[side]
                self.frontier |= 1 << neighbour
        self.board, self.need = tuple(board), tuple(need)
        self.frontier &= ~self.placed
        self.fitting = 0
        for free in _bits(self.frontier):
            self.fitting |= game.fits.mask_by_need[need[free]]

    def _after_acting(self) -> None:
        if self.bag:
            self.due, self.phase_ = 1, "draw"
        else:
            self._end_turn()

    def _draw(self, action: Draw) -> None:
        player = self.player
        if action.tile is None:
            self.unknown = _with(self.unknown, player, self.unknown[player] + 1)
        else:
            bit = 1 << self.game.index[action.tile]
            self.hands = _with(self.hands, player, self.hands[player] | bit)
            self.unseen &= ~bit
        self.due -= 1
        if self.phase_ == "draw":
            self._end_turn()
        elif not self.due:
            self._deal_on()

    def _deal_on(self) -> None:
        """TRI-SETUP-2 and -3: the next player draws; after the last one the deal or the game begins."""
        self.player += 1
        if self.player == self.players:
            self.player = 0
            if self.phase_ == "deal":
                self._begin()
                return
            self._compare_first_draws()
        self.due = min(1 if self.phase_ == "first draw" else HAND - 1, self.bag)
        if not self.due:
            self._deal_on()

    def _compare_first_draws(self) -> None:
        values = [max((self.game.values[tile] for tile in _bits(hand)), default=0) for hand in self.hands]
        if values.count(max(values)) > 1:
            self.hands = (0,) * self.players
            self.unseen = (1 << len(self.game.tiles)) - 1
        else:
            self.starter, self.phase_ = values.index(max(values)), "deal"

    def _begin(self) -> None:
        self.player, self.due, self.phase_ = self.starter, 0, "play"
        self._judge_end()

    def _end_turn(self) -> None:
        self.player = (self.player + 1) % self.players
        self.due, self.phase_ = 0, "play"
        self._judge_end()

    def _judge_end(self) -> None:
        left = self.unseen
        for hand in self.hands:
            left |= hand
        if not left & self.fitting:
            self.ending = "TRI-END-2" if left and self.bag else "TRI-END-1"
            self.phase_ = "over"

    # -- judging -------------------------------------------------------------------------------------------------------

    def explain(self, action: Action) -> Refusal | None:
        """The clause that `action` breaks, or None."""
        if self.ending is not None:
            return Refusal(self.ending)
        if isinstance(action, Draw):
            return self._explain_draw(action)
        if self.due:
            return self._draw_first()
        if isinstance(action, Place):
            return self._explain_place(action)
        return self._explain_pass(action)

    def _draw_first(self) -> Refusal:
        clause = {"first draw": "TRI-SETUP-2", "deal": "TRI-SETUP-3", "draw": "TRI-DRAW-1"}[self.phase_]
        return Refusal(clause, facts={"player": self.player + 1})

    def _explain_draw(self, action: Draw) -> Refusal | None:
        if not self.due:
            return Refusal("TRI-DRAW-1", facts={"player": action.player + 1})
        if action.player != self.player:
            return self._draw_first()
        if action.tile is None:
            return self._draw_first() if self.phase_ == "first draw" or not self.bag else None
        if not self.unseen >> self.game.index[action.tile] & 1:
            return Refusal("TRI-DRAW-1", facts={"player": self.player + 1})
        return None

    def _explain_place(self, action: Place) -> Refusal | None:
        game, cell = self.game, action.cell
        tile = game.index[action.tile]
        site = (f"cell:{cell}",)
        if not self._hand(self.player) >> tile & 1:
            lies = next((c for c, code in enumerate(self.board) if code >= 0 and code // 3 == tile), None)
            if lies is not None:
                return Refusal("TRI-PLACE-5", (f"cell:{lies}", *site), {"tile": action.tile, "cell": lies})
            return Refusal("TRI-PLACE-4", site, {"tile": action.tile, "player": self.player + 1})
        if not self.frontier >> cell & 1:
            if not self.placed:
                return Refusal("TRI-PLACE-1", site, {"cell": cell, "bonus": game.bonus[cell]})
            return Refusal("TRI-PLACE-2", site, {"cell": cell})
        fitting = game.fits.by_need[self.need[cell]][tile]
        if action.rotation not in fitting:
            return self._explain_colours(action, tuple(str(game.places[cell][tile][k]) for k in fitting))
        return None

    def _explain_colours(self, action: Place, instead: tuple[str, ...]) -> Refusal:
        shown = edges(action.tile, action.rotation)
        for side, neighbour in self.game.cells[action.cell].neighbours:
            if self.board[neighbour] >= 0:
                meets = self._edges_at(neighbour)[side]
                if meets != shown[side] and JOKER not in (meets, shown[side]):
                    facts: dict[str, str | int] = {
                        "tile": action.tile,
                        "mine": shown[side],
                        "theirs": meets,
                        "cell": neighbour,
                    }
                    return Refusal("TRI-PLACE-3", (f"cell:{action.cell}", f"cell:{neighbour}"), facts, instead)
        raise AssertionError("a tile that fits all its neighbours was refused")

    def _edges_at(self, cell: int) -> str:
        tile, rotation = divmod(self.board[cell], 3)
        return edges(self.game.tiles[tile], rotation)

    def _explain_pass(self, action: Pass | Swap) -> Refusal | None:
        hand = self.hands[self.player]
        if hand & self.fitting:
            able = next(self._placements())
            return Refusal("TRI-PASS-1", (f"cell:{able.cell}",), {"tile": able.tile, "cell": able.cell}, (str(able),))
        if isinstance(action, Swap) and not (self.bag and hand >> self.game.index[action.tile] & 1):
            return Refusal("TRI-PASS-2", facts={"tile": action.tile})
        return None

    def judge(self, seen: Mapping[str, str]) -> Judgement | None:
        """What was done against the rules: a tile moved or taken away, one too many, or one where it may not lie."""
        lifted = [int(site[5:]) for site in seen if site.startswith("cell:") and self.board[int(site[5:])] >= 0]
        laid = [
            self.game.places[int(site[5:])][self.game.index[tile]][int(rotation)]
            for site, label in sorted(seen.items())
            if site.startswith("cell:") and label != EMPTY
            for tile, rotation in [label.split("/")]
        ]
        refused = [Judgement(refusal, place) for place in laid if (refusal := self.explain(place))]
        if lifted:
            tile = self.game.tiles[self.board[lifted[0]] // 3]
            sites = tuple(f"cell:{cell}" for cell in lifted) + tuple(f"cell:{place.cell}" for place in laid)
            facts: dict[str, str | int] = {"tile": tile, "cell": lifted[0]}
            return Judgement(Refusal("TRI-PLACE-5", tuple(dict.fromkeys(sites)), facts))
        if refused:
            return refused[0]
        if len(laid) > 1:
            sites = tuple(f"cell:{place.cell}" for place in laid)
            return Judgement(Refusal("TRI-DRAW-1", sites, {"player": self.player + 1}), laid[-1])
        return None

    # -- telling -------------------------------------------------------------------------------------------------------

    def arithmetic(self, place: Place) -> tuple[int, int, int, int]:
        """Value, matching edges, bonus factor and points of a placement (TRI-SCORE-1)."""
        neighbours = self.game.cells[place.cell].neighbours
        matching = sum(1 for _, neighbour in neighbours if self.board[neighbour] >= 0) if self.placed else 1
        value, bonus = self.game.values[self.game.index[place.tile]], self.game.bonus[place.cell] or 1
        return value, matching, bonus, value * matching * bonus

    def events(self, action: Action) -> tuple[Event, ...]:
        """Points, whose turn it is, and the end."""
        after = self.play(action)
        events = []
        if isinstance(action, Place):
            value, matching, bonus, points = self.arithmetic(action)
            facts = {"player": self.player, "value": value, "edges": matching, "bonus": bonus, "points": points}
            events.append(Event("score", facts))
        if after.ending is not None:
            events.append(Event("over", {"clause": after.ending}))
        elif after.phase_ == "play":
            events.append(Event("turn", {"player": after.player}))
        return tuple(events)

    def view(self) -> View:
        """Cells, racks of the players, and the counters on the track."""
        tiles = self.game.tiles
        cells = {
            f"cell:{cell}": EMPTY if code < 0 else f"{tiles[code // 3]}/{code % 3}"
            for cell, code in enumerate(self.board)
        }
        racks = tuple(
            Group(
                tuple(f"rack:{player}.{slot}" for slot in range(self.game.set.rack.slots)),
                tuple(tiles[tile] for tile in _bits(self.hands[player])),
            )
            for player in range(self.players)
            if not self.unknown[player]
        )
        return View(cells, racks, self._counters())

    def _counters(self) -> dict[str, tuple[str, ...]]:
        """TRI-SCORE-5: the holes and the counters they hold, of a stack any."""
        holes = self.game.set.track.holes
        track: dict[str, tuple[str, ...]] = {f"hole:{hole}": (EMPTY,) for hole in range(1, holes + 1)}
        totals = tuple(self._shared(self.totals))
        for player in range(2 if self.teams else self.players):
            for score in {self.pegs[player], totals[player]}:
                if score > 0:
                    site = f"hole:{(score - 1) % holes + 1}"
                    others = tuple(label for label in track[site] if label != EMPTY)
                    track[site] = tuple(dict.fromkeys((*others, self.game.colours[player])))
        return track

    def _team_total(self, player: int) -> int:
        return tuple(self._shared(self.totals))[player]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _with(numbers: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*numbers[:index], value, *numbers[index + 1 :])
