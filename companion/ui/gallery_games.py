"""What the gallery shows of each game: real games, played to moments worth a picture."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from companion.games.core import Action, Game, IllegalActionError, Position
from companion.games.registry import load_game, table_game
from companion.table.library import Library
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.state import By, TableState
from companion.table.store import Store
from companion.ui.games import Piece, Step, Word
from companion.ui.model import TableModel
from companion.ui.screen import Screen
from companion.ui.screens.correct import CorrectScreen
from companion.ui.screens.dice import TUMBLE, DiceScreen
from companion.ui.screens.private import PrivateScreen
from companion.ui.screens.result import ResultScreen
from companion.ui.screens.rolls import RollsScreen
from companion.ui.screens.table import TableScreen

if TYPE_CHECKING:
    from companion.ui.app import App

MOST = 900
"""A game that is not at its moment after so many actions is begun anew with other chances."""

Until = Callable[[Any], bool]


@dataclass(frozen=True)
class Moment:
    """A moment of a game: `until` is true of its position; `told` where every draw is told."""

    game: str
    players: int
    until: Until
    least: int = 0
    seed: int = 1
    options: Mapping[str, object] | None = None
    told: bool = False


class Moments:
    """The moments of all games, each played once when it is first asked for."""

    def __init__(self, store: Store, library: Library, names: Sequence[str]) -> None:
        self._store, self._library, self._names = store, library, names
        self._models: dict[str, TableModel] = {}

    def table(self, name: str) -> TableModel:
        """The table at that moment."""
        if name not in self._models:
            self._models[name] = self._played(name)
        return self._models[name]

    def _played(self, name: str) -> TableModel:
        moment = MOMENTS[name]
        game = _game(moment)
        people = seated(game, self._names[: moment.players])
        session = Session.create(self._store, game, people, moment.options)
        session.apply(_way_to(name), By.HAND)
        return self._library.open_game(session.name, watch=False)


def _game(moment: Moment) -> Game[Any, Any]:
    return load_game(moment.game) if moment.told else table_game(moment.game)


@cache
def _way_to(name: str) -> list[Action]:
    """Actions that lead to the moment of that name."""
    moment = MOMENTS[name]
    ways = (_way(_game(moment), moment, seed) for seed in range(moment.seed, moment.seed + 40))
    return next(way for way in ways if way is not None)


def _way(game: Game[Any, Any], moment: Moment, seed: int) -> list[Action] | None:
    """Actions that lead to the moment, if they do with these chances."""
    position, choice = game.new(moment.players, moment.options), random.Random(seed)
    actions: list[Action] = []
    while len(actions) < moment.least or not moment.until(position):
        if position.over or len(actions) == MOST:
            return None
        actions.append(position.hidden_action() or choice.choice(sorted(position.legal_actions(), key=str)))
        position = position.play(actions[-1])
    return actions


def _building(position: Any) -> bool:
    return position.phase == "play" and not position.due and bool(position.building_actions())


def _hand(position: Any) -> bool:
    return position.phase == "play" and not position.due and len(position.hands[position.player]) == 2


def _movable(position: Any) -> bool:
    return bool(position.phase == "turn" and position.movement == "due" and position.symbol == "rotate")


MOMENTS: Mapping[str, Moment] = {
    "via-start": Moment("via", 4, lambda p: p.phase == "start", 4),
    "via-turn": Moment("via", 4, lambda p: p.phase == "play" and not p.due and p.laid == 0, 40),
    "via-build": Moment("via", 3, _building, 30),
    "via-told": Moment("via", 4, _hand, 40, told=True),
    "via-over": Moment("via", 4, lambda p: p.over),
    "labyria-setup": Moment("labyria", 4, lambda p: p.phase == "setup", 30),
    "labyria-dice": Moment("labyria", 4, lambda p: p.phase == "dice", 130),
    "labyria-rolled": Moment("labyria", 4, lambda p: p.phase == "dice", 130, seed=2),
    "labyria-turn": Moment("labyria", 2, _movable, 130),
    "labyria-moved": Moment("labyria", 2, lambda p: p.phase == "turn" and p.movement == "walked" and p.number > 4, 90),
    "labyria-defend": Moment("labyria", 4, lambda p: p.phase == "defend", 90),
    "labyria-evade": Moment("labyria", 4, lambda p: p.phase == "evade", 90),
    "triland-blocks": Moment("magic_triland", 3, lambda p: p.phase == "landscape", 20),
    "triland-cards": Moment("magic_triland", 3, lambda p: p.phase == "cards", 70),
    "triland-go": Moment("magic_triland", 3, lambda p: p.phase == "go" and len(p.legal_actions()) > 8, 80),
    "triland-trade": Moment("magic_triland", 3, lambda p: p.phase == "trade", 90),
    "triland-offer": Moment("magic_triland", 3, lambda p: p.phase == "offer" and p.offered >= 0, 90),
    "triland-share": Moment("magic_triland", 2, lambda p: p.phase == "share", 90, options={"variant": "master-duel"}),
    "triland-pearl": Moment("magic_triland", 3, lambda p: p.phase == "pearl", 60),
    "triland-over": Moment("magic_triland", 2, lambda p: p.over, options={"turns": 100}),
    "labyrinth-symbol": Moment("magic_labyrinth", 4, lambda p: p.phase == "symbol"),
    "labyrinth-turn": Moment("magic_labyrinth", 4, lambda p: p.phase == "turn", 60),
    "labyrinth-reveal": Moment("magic_labyrinth", 4, lambda p: p.phase == "reveal", 60),
    "labyrinth-insert": Moment(
        "magic_labyrinth", 3, lambda p: p.phase == "insert" and sum(map(bool, p.outside)) > 2, 30
    ),
}
"""The moments by name."""


def scenes(moments: Moments) -> dict[str, Callable[[App], Screen]]:
    """The screens of the games by name."""

    def table(name: str, *steps: Step | int) -> Callable[[App], Screen]:
        """The table after these steps; a number chooses one of the options."""

        def make(app: App) -> TableScreen:
            screen = TableScreen(app, moments.table(name))
            app.screen = screen
            for step in steps:
                assert screen.entry is not None
                screen.choose(screen.entry.options[step] if isinstance(step, int) else step)
            return screen

        return make

    def closer(app: App) -> Screen:
        """A crowded part of the board, shown larger."""
        screen = table("labyria-setup", Word("square"))(app)
        assert isinstance(screen, TableScreen)
        screen.lay_out()
        x, y = screen.spot(next(iter(screen.lit())))
        screen.touched((x - screen.board_rect.left, y - screen.board_rect.top))
        return screen

    def own_dice(app: App) -> Screen:
        screen = TableScreen(app, moments.table("labyria-dice"))
        screen.drawing_open = True
        return screen

    def companions_dice(app: App) -> Screen:
        screen = TableScreen(app, moments.table("labyria-dice"))
        screen.drawing_open = False
        return screen

    def rolled(app: App) -> Screen:
        screen = DiceScreen(app, _Rolling(moments.table("labyria-rolled")))
        screen.hurry(TUMBLE)
        return screen

    def rolls(app: App) -> Screen:
        _Rolling(moments.table("labyria-rolled")).roll()
        return RollsScreen(app, moments.table("labyria-rolled"))

    def private(opened: bool) -> Callable[[App], Screen]:
        def make(app: App) -> Screen:
            screen = table("via-told")(app)
            assert isinstance(screen, TableScreen)
            if screen.entry is not None and Word("lay") in screen.entry.options:
                screen.choose(Word("lay"))
            hand = PrivateScreen(app, screen)
            hand.open = opened
            return hand

        return make

    def refused(app: App) -> Screen:
        screen = TableScreen(app, moments.table("labyria-turn"))
        position: Position[Any] = screen.position()
        move = next(action for action in position.legal_actions() if str(action).startswith("move"))
        start = str(move).split(" ")[1]
        try:
            position.play(position.game.parse(f"move {start} {start}"))
        except IllegalActionError as error:
            screen.refuse(error)
        return screen

    return {
        "via-start": table("via-start"),
        "via-turn": table("via-turn"),
        "via-tile": table("via-turn", Word("lay")),
        "via-field": table("via-turn", Word("lay"), 0),
        "via-build": table("via-build"),
        "via-land": table("via-build", 0),
        "via-hidden": private(False),
        "via-hand": private(True),
        "via-correct": lambda app: CorrectScreen(app, moments.table("via-build")),
        "via-result": lambda app: ResultScreen(app, moments.table("via-over")),
        "labyria-setup": table("labyria-setup"),
        "labyria-groove": table("labyria-setup", Word("square")),
        "labyria-closer": closer,
        "labyria-crossing": table("labyria-setup", Word("corner")),
        "labyria-arms": table("labyria-setup", Word("corner"), 0),
        "labyria-roll": companions_dice,
        "labyria-own-dice": own_dice,
        "labyria-dice": rolled,
        "labyria-rolls": rolls,
        "labyria-turn": table("labyria-turn"),
        "labyria-moved": table("labyria-moved"),
        "labyria-move": table("labyria-turn", 0),
        "labyria-refused": refused,
        "labyria-defend": table("labyria-defend"),
        "labyria-evade": table("labyria-evade"),
        "labyria-correct": lambda app: CorrectScreen(app, moments.table("labyria-turn")),
        "triland-blocks": table("triland-blocks"),
        "triland-cell": table("triland-blocks", 0),
        "triland-cards": table("triland-cards"),
        "triland-second-card": table("triland-cards", 0),
        "triland-go": table("triland-go"),
        "triland-where": table("triland-go", 0),
        "triland-trade": table("triland-trade"),
        "triland-offer": table("triland-offer"),
        "triland-share": table("triland-share"),
        "triland-pearl": table("triland-pearl"),
        "triland-correct": lambda app: CorrectScreen(app, moments.table("triland-go")),
        "triland-result": lambda app: ResultScreen(app, moments.table("triland-over")),
        "labyrinth-symbol": table("labyrinth-symbol"),
        "labyrinth-call": table("labyrinth-turn"),
        "labyrinth-pull": table("labyrinth-turn", Piece("wall", "red")),
        "labyrinth-reveal": table("labyrinth-reveal"),
        "labyrinth-insert": table("labyrinth-insert"),
        "labyrinth-slot": table("labyrinth-insert", 0),
        "labyrinth-correct": lambda app: CorrectScreen(app, moments.table("labyrinth-turn")),
    }


class _Rolling:
    """A table whose dice are thrown once, and show the same in each picture."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._thrown = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def state(self) -> TableState:
        """The real state; before the roll the position in which it was thrown."""
        state = self._model.state()
        if self._thrown or not self._model.rolls():
            return state
        return replace(state, position=self._model.before(state.played[-1].number))

    def roll(self) -> Any:
        """The last roll on record; the first time the dice are thrown."""
        if not self._model.rolls():
            self._model.roll()
        self._thrown = True
        return self._model.state().played[-1]
