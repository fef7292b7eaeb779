"""A position of Labyria: what is possible in it, and what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import compress
from operator import or_
from typing import TYPE_CHECKING, Self, TypeVar

from companion.games.bits import bits
from companion.games.core import CHANCE, Event, Judgement, Position, Refusal, Sign, View
from companion.games.labyria import acting, attempts, judging, showing
from companion.games.labyria.actions import Action, Done, Pass
from companion.games.labyria.walking import Attack, Reach, Walker

if TYPE_CHECKING:
    from companion.games.labyria.lanes import Lane
    from companion.games.labyria.rules import Choices, Labyria

VOLUNTARY = ("plus", "minus", "rotate")
"""The symbols that a player may use or leave."""

T = TypeVar("T")
ZEROS_AND_ONES = bytes.maketrans(b"01", b"\0\1")


class LabyriaPosition(Position[Action]):
    """A position of Labyria.

    Fields, edges and corners are bit masks (see `grid`). Figures by player: how many are at `home` in the start corner
    and in the goal (`goals`), and the fields of the others (`afield`). `walls` follows from `squares` and `corners`; in
    setting up `open_edges`, `open_corners` tell what touches an obstacle and `spoilt` which corners cannot be placed.

    Phases: `first roll`, `setup`, `start roll`, `dice`, `turn`, `defend`, `shield`, `evade`, `over`. In a turn
    `movement` is `due`, `walked` or `passed`; `number` is the one to walk, doubled where the symbol says so.
    """

    __slots__ = (
        "_reach", "afield", "attack", "choices", "contenders", "corners", "depot", "game", "goals", "home", "movement",
        "number", "open_corners", "open_edges", "phase", "player", "players", "rolls", "shields", "spoilt", "squares",
        "starter", "stock", "symbol", "used", "walls",
    )  # fmt: skip

    game: Labyria
    players: int
    phase: str

    def __init__(self, game: Labyria, players: int, choices: Choices) -> None:
        self.game, self.players, self.choices = game, players, choices
        self.squares = self.corners = self.walls = 0
        self.open_edges, self.open_corners, self.spoilt = game.first_edges, game.first_corners, 0
        self.stock: tuple[tuple[int, int], ...] = (game.shares(players),) * players  # squares, corners
        self.depot = game.depot
        self.home: tuple[int, ...] = (game.figures,) * players
        self.goals: tuple[int, ...] = (0,) * players
        self.afield: tuple[int, ...] = (0,) * players
        self.phase = "first roll"
        self.contenders = tuple(range(players))  # who rolls in this round
        self.rolls: tuple[int, ...] = ()
        self.player = 0  # whose turn it is, also while the opponent defends
        self.starter = 0  # who placed first
        self.number, self.symbol, self.used, self.movement = 0, "", False, "due"
        self.attack: Attack | None = None
        self.shields = 0  # the edges on which a square stops the attack
        self._reach: Reach | None = None

    # -- what a position tells -----------------------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """Who acts."""
        match self.phase:
            case "setup" | "turn" | "evade":
                return self.player
            case "shield":
                return self.defender
            case "over":
                return None
        return CHANCE

    @property
    def concerns(self) -> int | None:
        """Who rolls."""
        match self.phase:
            case "first roll" | "start roll":
                return self.contenders[len(self.rolls)]
            case "dice":
                return self.player
            case "defend":
                return self.defender
        return None

    @property
    def dice(self) -> tuple[tuple[int | str, ...], ...]:
        """The number die, the symbol die or both."""
        numbers, symbols = self.game.set.dice.numbers, self.game.set.dice.symbols
        match self.phase:
            case "first roll" | "start roll":
                return (numbers,)
            case "dice":
                return (numbers, symbols)
            case "defend":
                return (symbols,)
        return ()

    def thrown(self, faces: Sequence[int | str]) -> Action:
        """The action for what the dice show."""
        if not self.dice:
            raise ValueError("no dice are thrown now")
        word = self.phase if self.phase in ("dice", "defend") else f"roll {self.concerns}"
        return self.game.parse(" ".join((word, *map(str, faces))))

    @property
    def scores(self) -> tuple[int, ...]:
        """The figures in the goal."""
        return self.goals

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has all figures in the goal."""
        return (self.player,) if self.phase == "over" else ()

    @property
    def defender(self) -> int:
        """The player whose figure is attacked."""
        assert self.attack is not None
        return self.owner(self.attack.end)

    def owner(self, cell: int) -> int:
        """Whose figure stands on a field outside start corners and goals; -1 if there is none."""
        return next((player for player in range(self.players) if self.afield[player] & cell), -1)

    @property
    def lane(self) -> Lane:
        """Start, goal and fields of the player whose turn it is."""
        return self.game.lanes[self.players][self.player]

    @property
    def cloaked(self) -> bool:
        """Whether the player's figure walks through obstacles."""
        return self.symbol == "cloak"

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that makes two positions of one game equal."""
        return (
            self.players, self.choices, self.squares, self.corners, self.stock, self.depot, self.home, self.goals,
            self.afield, self.phase, self.contenders, self.rolls, self.player, self.starter, self.number, self.symbol,
            self.used, self.movement, self.attack,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabyriaPosition) and self.game is other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    # -- what is possible ----------------------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Every action possible here."""
        game = self.game
        match self.phase:
            case "turn":
                return self._turn_actions()
            case "dice":
                return list(game.dice)
            case "setup":
                squares, corners = self.placeable(self.player)
                return [*listed(game.squares, squares), *listed(game.corners, corners)]
            case "first roll" | "start roll":
                return list(game.rolls[self.contenders[len(self.rolls)]])
            case "defend":
                return list(game.defences)
            case "shield":
                return [*listed(game.shields, self.shields)]
            case "evade":
                return [*listed(game.evasions, self.evasions())]
        return []

    def _turn_actions(self) -> list[Action]:
        actions: list[Action] = []
        if self.movement == "due":
            for start, ends in self.reach.ends.items():
                actions += listed(self.game.moves_from(start), ends)
            if not actions:
                actions.append(Pass())
        else:
            actions.append(Done())
        if not self.used:
            actions += self._ability_actions()
        return actions

    def _ability_actions(self) -> list[Action]:
        """LAB-TURN-2, -4 and -5: what the symbol lets the player do."""
        game = self.game
        match self.symbol:
            case "plus":
                return [*listed(game.adds, game.grid.every_edge & ~self.walls)] if self.depot else []
            case "minus":
                return [*listed(game.removes, self.squares)]
            case "rotate":
                return [
                    turn
                    for corner in bits(self.corners)
                    for needed, turn in game.turns[corner]
                    if not needed & self.walls
                ]
        return []

    @property
    def ability_left(self) -> bool:
        """Whether the ability can still be used; void ones cannot (judged now)."""
        if self.used or self.symbol not in VOLUNTARY:
            return False
        if self.symbol == "rotate":
            return bool(self._ability_actions())
        return bool(self.depot if self.symbol == "plus" else self.squares)

    def placeable(self, player: int) -> tuple[int, int]:
        """LAB-SETUP-4 to -7: the edges and corners where that player can place an obstacle."""
        squares, corners = self.stock[player]
        return self.open_edges & ~self.walls if squares else 0, self.open_corners & ~self.spoilt if corners else 0

    @property
    def walker(self) -> Walker:
        """Walks as the player's figures make them this turn."""
        return Walker(self.game.grid, 0 if self.cloaked else self.walls)

    @property
    def enemies(self) -> int:
        """The fields of all other players' figures, but for start corners and goals."""
        return reduce(or_, self.afield) & ~self.afield[self.player]

    @property
    def starts(self) -> tuple[int, ...]:
        """The fields (masks) with figures that the player can move."""
        afield = tuple(1 << cell for cell in bits(self.afield[self.player]))
        return (self.lane.start, *afield) if self.home[self.player] else afield

    @property
    def fields(self) -> tuple[int, int]:
        """LAB-MOVE-3, -7 and -8: fields that the player's figures may walk through, and those they may end on."""
        lane = self.lane
        return lane.through & ~self.enemies, lane.ends & ~self.afield[self.player]

    @property
    def reach(self) -> Reach:
        """Where the figures can go with the number, before the movement."""
        if self._reach is None:
            (through, ends), walker, number = self.fields, self.walker, self.number
            found = {start: walker.paths(start, number, through, ends) for start in self.starts}
            again = not any(found.values())
            if again:
                found = {start: walker.walk(start, number, through, ends | start) for start in self.starts}
            self._reach = Reach(found, again)
        return self._reach

    def ends_of(self, start: int) -> tuple[int, bool]:
        """Where the figure there can go, and whether fields may be entered again, without asking for all figures."""
        if self._reach is not None:
            return self._reach.ends[start], self._reach.again
        (through, ends), walker, number = self.fields, self.walker, self.number
        found = walker.paths(start, number, through, ends)
        if found or any(walker.path(other, number, through, ends) for other in self.starts):
            return found, False
        return walker.walk(start, number, through, ends | start), True

    def evasions(self) -> int:
        """LAB-EAT-4: where the attacking figure can go instead of attacking."""
        assert self.attack is not None
        start, walker = self.attack.start, self.walker
        through, ends = self.fields
        ends &= ~self.enemies | self.lane.goal
        ways = walker.paths(start, self.number, through, ends)
        return ways or walker.walk(start, self.number, through, ends | start) or start

    def attack_stands(self, walls: int) -> bool:
        """LAB-EAT-5: whether the attacker still gets to the attacked field between these walls."""
        assert self.attack is not None
        walker, through = Walker(self.game.grid, walls), self.fields[0]
        walks = walker.walk if self.attack.again else walker.path
        return bool(walks(self.attack.start, self.number, through, self.attack.end))

    def find_shields(self) -> int:
        """LAB-EAT-2: the edges on which a square stops the attack; only those of one way of attacking can be."""
        assert self.attack is not None
        (start, end, again), through, grid = self.attack, self.fields[0], self.game.grid
        if self.cloaked or not self.depot or not self.attack_stands(self.walls):
            return 0  # an attack that no way leads to stands by a ruling, whatever is in its way
        walker = self.walker
        way = walker.region(start, self.number, through) | end
        if not again:
            way = walker.path(start, self.number, through, end)
        edges = way & way >> 1 & walker.east | (way & way >> grid.columns & walker.north) << grid.count
        return sum(1 << edge for edge in bits(edges) if not self.attack_stands(self.walls | 1 << edge))

    def explain(self, action: Action) -> Refusal | None:
        """The clause that `action` breaks, or None."""
        return judging.explain(self, action)

    def signs(self, action: Action) -> tuple[Sign, ...]:
        """An obstacle shows on its place, a figure that has moved on its field."""
        return showing.signs(self, action)

    def prospect(self, player: int) -> float:
        """How near the player's figures are to their goal, and how far those of the others."""
        steps = [showing.steps_left(self, other) for other in range(self.players)]
        return -9.0 * steps[player] + 3.0 * (sum(steps) - steps[player]) / (self.players - 1)

    def told(self, action: Action) -> bool:
        """Dice, a figure that comes back to where it stood, and an attack: its figure waits for the defender's roll."""
        return showing.told(self, action)

    def view(self) -> View:
        """Figures, obstacles and the depot."""
        return showing.view(self)

    def judge(self, seen: Mapping[str, str]) -> Judgement | None:
        """What was done against the rules: a figure, square or corner moved or placed as it may not be."""
        return attempts.judge(self, seen)

    # -- acting --------------------------------------------------------------------------------------------------------

    def may_stand(self, action: Action, refusal: Refusal) -> bool:
        """A figure may go wherever it could stand, an obstacle to any free place."""
        return judging.may_stand(self, action, refusal)

    def _after(self, action: Action) -> Self:
        after = self._copy()
        acting.act(after, action)
        return after

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other._reach = None
        return other

    def events(self, action: Action) -> tuple[Event, ...]:
        """What happened to figures (`score`, `attack`, `devour`, …), `turn` and `over`."""
        return showing.events(self, action, self.let_stand(action))


def listed(actions: tuple[T, ...], mask: int) -> compress[T]:
    """The actions whose numbers are set in the mask. `actions` are in descending order, as the digits of a number."""
    return compress(actions, f"{mask:0{len(actions)}b}".encode().translate(ZEROS_AND_ONES))
