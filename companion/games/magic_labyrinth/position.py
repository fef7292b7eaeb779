"""A position of the Magic Labyrinth: what is possible in it, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from companion.games.bits import bits
from companion.games.core import CHANCE, Event, Judgement, Position, Refusal, Sign, View
from companion.games.magic_labyrinth import acting, attempts, judging, showing
from companion.games.magic_labyrinth.actions import Action, Call, Early, Step
from companion.games.magic_labyrinth.boardset import TARGETS
from companion.games.magic_labyrinth.grid import NOWHERE

if TYPE_CHECKING:
    from companion.games.magic_labyrinth.rules import Choices, MagicLabyrinth


class MagicLabyrinthPosition(Position[Action]):
    """A position of the Magic Labyrinth.

    Fields, slots, colours and symbols are numbers, sets of them bit masks (see `grid`). `walls`: the slots that hold
    a wall; `known`: by colour, the slots whose wall is known to be of it, which no player is shown. `tray`: the colours
    of the walls pulled in this turn, in that order; `outside`: by colour, how many of them are not back yet.

    While a wall is pulled but not turned over, `pulled` is its slot and `named` the colour named, NOWHERE if none was;
    `jumped` is the figure's field that a jump goes over, once its first wall was called right. `ended`: the clause that
    ended the turn, while a symbol is drawn or walls go back.

    Phases: `symbol`, `turn`, `jump`, `reveal`, `insert`, `over`.
    """

    __slots__ = (
        "chip", "choices", "ended", "figures", "game", "jumped", "known", "named", "occupied", "outside", "phase",
        "player", "players", "pulled", "symbol", "taken", "tray", "undrawn", "walls",
    )  # fmt: skip

    game: MagicLabyrinth
    players: int
    phase: str

    def __init__(self, game: MagicLabyrinth, players: int, choices: Choices) -> None:
        self.game, self.players, self.choices = game, players, choices
        self.figures: tuple[int, ...] = tuple(game.corners[seat] for seat in game.seats(players))
        self.occupied = sum(1 << field for field in self.figures)  # follows from `figures`
        self.walls = game.grid.every_slot
        self.known: tuple[int, ...] = (0,) * len(game.colours)
        self.tray: tuple[int, ...] = ()
        self.outside: tuple[int, ...] = (0,) * len(game.colours)
        self.pulled, self.named, self.jumped = NOWHERE, NOWHERE, NOWHERE
        self.undrawn = (1 << len(game.symbols)) - 1
        self.symbol, self.chip = NOWHERE, NOWHERE
        self.taken: tuple[int, ...] = (0,) * players  # the symbols that each player has
        self.player = 0
        self.phase = "symbol"
        self.ended = ""

    # -- what a position tells -----------------------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """Who acts."""
        match self.phase:
            case "symbol" | "reveal":
                return CHANCE
            case "over":
                return None
        return self.player

    @property
    def concerns(self) -> int | None:
        """Whose wall is turned over."""
        return self.player if self.phase == "reveal" else None

    @property
    def scores(self) -> tuple[int, ...]:
        """The symbols that each player has."""
        return tuple(symbols.bit_count() for symbols in self.taken)

    @property
    def target(self) -> int:
        """How many symbols win."""
        return TARGETS[self.players]

    @property
    def winners(self) -> tuple[int, ...]:
        """Who was first to have enough symbols."""
        return (self.player,) if self.phase == "over" else ()

    def details(self) -> dict[str, tuple[str, ...]]:
        """Which symbol the chip shows."""
        return {} if self.symbol == NOWHERE else {showing.CHIP: (self.game.symbols[self.symbol],)}

    def prospect(self, player: int) -> float:
        """Symbols, how near the figure is to the chip, and whether the player is on turn."""
        columns, on_turn = self.game.grid.columns, self.player == player and self.phase in ("turn", "jump")
        (row, column), (chip_row, chip_column) = (divmod(max(f, 0), columns) for f in (self.figures[player], self.chip))
        away = abs(row - chip_row) + abs(column - chip_column) if self.chip != NOWHERE else 0
        return 200.0 * self.scores[player] - 30.0 * away + 30.0 * on_turn

    @property
    def remembered(self) -> dict[str, str]:
        """The colours of walls in their slots that are known: for the referee, not for the players."""
        return {
            self.game.grid.slots[slot]: colour
            for colour, slots in zip(self.game.colours, self.known, strict=True)
            for slot in bits(slots & self.walls)
        }

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that makes two positions of one game equal."""
        return (
            self.players, self.choices, self.figures, self.walls, self.known, self.tray, self.outside, self.pulled,
            self.named, self.jumped, self.undrawn, self.symbol, self.chip, self.taken, self.player, self.phase,
            self.ended,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MagicLabyrinthPosition) and self.game is other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    # -- what is possible ----------------------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Every action possible here."""
        game = self.game
        match self.phase:
            case "turn" | "jump":
                pulls, steps = self.ways()
                actions: list[Action] = [action for slot in pulls for action in game.pulls[slot]]
                actions += steps
                if self.may_end(pulls, steps):
                    actions.append(game.done)
                return actions
            case "reveal":
                return [game.reveals[colour] for colour in self.possible_colours()]
            case "insert":
                return self._insertions()
            case "symbol":
                return [game.draws[symbol] for symbol in bits(self.undrawn)]
        return []

    def _insertions(self) -> list[Action]:
        """MAG-WALL-1: each colour that is outside into each empty slot."""
        free = tuple(bits(self.game.grid.every_slot & ~self.walls))
        colours = (inserts for inserts, count in zip(self.game.inserts, self.outside, strict=True) if count)
        return [inserts[slot] for inserts in colours for slot in free]

    def ways(self) -> tuple[list[int], list[Step]]:
        """The slots whose walls can be pulled, and the steps through open ones (MAG-TURN-1, -4, MAG-JUMP-1, -2)."""
        walls, occupied, game = self.walls, self.occupied, self.game
        pulls, steps = [], []
        for way in game.grid.around[self.figures[self.player]]:
            if self.phase == "jump" and way.field != self.jumped:
                continue
            if not way.there & occupied:
                if way.wall & walls:
                    pulls.append(way.slot)
                else:
                    steps.append(game.steps[way.field])
                continue
            landings = [on for on in way.onward if not on.there & occupied]
            if way.wall & walls:
                if landings:
                    pulls.append(way.slot)
                continue
            for on in landings:
                if on.wall & walls:
                    pulls.append(on.slot)
                else:
                    steps.append(game.steps[on.field] if self.phase == "jump" else game.jumps[way.field, on.field])
        return pulls, steps

    def may_end(self, pulls: list[int], steps: list[Step]) -> bool:
        """MAG-TURN-5: nothing else is possible, or the option allows to stop after a wall was pulled."""
        if self.phase != "turn":
            return False
        return (not pulls and not steps) or (self.choices.may_stop and bool(self.tray))

    def possible_colours(self) -> list[int]:
        """The colours that the pulled wall can have."""
        wall = 1 << self.pulled
        for colour, slots in enumerate(self.known):
            if slots & wall:
                return [colour]
        each = self.game.each_colour
        counts = zip(self.known, self.outside, strict=True)
        return [colour for colour, (slots, count) in enumerate(counts) if slots.bit_count() + count < each]

    def explain(self, action: Action) -> Refusal | None:
        """The clause that `action` breaks, or None."""
        return judging.explain(self, action)

    def signs(self, action: Action) -> tuple[Sign, ...]:
        """A slot that is empty or filled, a wall in the tray, a figure or chip on its field."""
        return showing.signs(self, action)

    def public(self) -> Self:
        """Without the colours of walls that stand in their slots."""
        after = self._copy()
        after.known = (0,) * len(self.known)
        return after

    def told(self, action: Action) -> bool:
        """The colour that was named, or that none was."""
        return isinstance(action, Call | Early)

    def view(self) -> View:
        """Slots, figures, the chip and the tray."""
        return showing.view(self)

    def judge(self, seen: Mapping[str, str]) -> Judgement | None:
        """What was done against the rules: a figure, wall or chip moved as it may not be."""
        return attempts.judge(self, seen)

    # -- acting --------------------------------------------------------------------------------------------------------

    def may_stand(self, action: Action, refusal: Refusal) -> bool:
        """A figure may go to any free field, a wall be pulled anywhere, a turn end."""
        return judging.may_stand(self, action, refusal)

    def _after(self, action: Action) -> Self:
        after = self._copy()
        acting.act(after, action)
        return after

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def events(self, action: Action) -> tuple[Event, ...]:
        """What happened: `right`, `wrong`, `symbol`, `score`, `turn`, `over` …."""
        return showing.events(self, action, self.let_stand(action))
