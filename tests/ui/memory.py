"""A table and a library in memory, on the real rules: what the screens need, without camera, thread or disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.games.core import CHANCE, Action, Position
from companion.games.registry import table_game
from companion.referee.decision import Asks, Refuses
from companion.table.dice import Dice, Roll
from companion.table.errors import FolderError
from companion.table.record import Ending, Entry, Kind, Record
from companion.table.results import Period, Result, Statistics
from companion.table.state import By, Played, Player, TableState
from companion.table.store import Summary


class MemoryTable:
    """A game in memory. Tests set `issue`, `scene` and so on with `change`, as the vision would."""

    def __init__(
        self, name: str, game: str, players: Sequence[Player], options: Mapping[str, object], rules: Any = table_game
    ) -> None:
        self.name, self.game, self.options = name, game, dict(options)
        self.players = tuple(players)
        self.version = 0
        self.finished = False
        self.seen_picture: Any = None
        self.told: list[str] = []
        self.actions: list[Action] = []
        self.dice = Dice(f"{7:064x}")
        self.by: dict[int, By] = {}
        self._shown: dict[str, Any] = {}
        self._played: list[Played] = []
        self._positions: list[Position[Any]] = [rules(game).new(len(players), options)]
        self._read()

    def _read(self) -> None:
        same = 0
        while same < min(len(self._played), len(self.actions)) and self._played[same].action == self.actions[same]:
            same += 1
        del self._played[same:]
        for number, action in enumerate(self.actions[same:], start=same + 1):
            before = self._positions[number - 1]
            player = before.concerns if before.turn == CHANCE else before.turn
            events = before.events(action)
            by = self.by.get(number - 1, By.HAND)
            self._played.append(Played(number, action, player, by, None, events, None, 1.7e9 + number, None))
        self._state = TableState(self.players, self._positions[-1], tuple(self._played), record=self.name)
        self._state = replace(self._state, **self._shown)
        self.version += 1

    def change(self, **shown: Any) -> None:
        self._shown.update(shown)
        self._read()

    def state(self) -> TableState:
        return self._state

    def cut_out(self, sites: Sequence[str]) -> Any:
        """Tests set `seen_picture`, as the camera would."""
        return self.seen_picture if self._state.issue is not None else None

    def before(self, number: int) -> Position[Any]:
        return self._positions[number - 1]

    def _replay(self, actions: Sequence[Action]) -> None:
        positions = self._positions[:1]
        for action in actions:
            positions.append(positions[-1].play(action))
        self.actions, self._positions = list(actions), positions
        self._read()

    def enter(self, action: Action) -> None:
        self._positions.append(self._positions[-1].play(action))
        self.actions.append(action)
        self._read()

    def roll(self) -> Played:
        position = self._state.position
        if not position.dice:
            raise ValueError("no dice are thrown now")
        self.by[len(self.actions)] = By.DICE
        self.enter(position.thrown(self.dice.roll(*position.dice)))
        return self._played[-1]

    def rolls(self) -> Sequence[Roll]:
        return tuple(self.dice.rolls)

    def undo(self) -> None:
        if not self.actions:
            raise ValueError("there is no action to take back")
        self._replay(self.actions[:-1])

    def correct(self, number: int, action: Action) -> None:
        self._replay([*self.actions[: number - 1], action, *self.actions[number:]])

    def answer(self, choice: int | None) -> None:
        self.told.append(f"answer {choice}")
        issue: Refuses | Asks | None = self._state.issue
        self._shown["issue"] = None
        if choice is not None and isinstance(issue, Asks):
            self._replay([*self.actions, *issue.choices[choice]])
        self._read()

    def rule(self, who: str, text: str, *, back_to: int | None = None, stands: Action | None = None) -> None:
        self.told.append(f"ruling by {who}: {text}")
        if back_to is not None:
            self._replay(self.actions[: back_to - 1])
        if stands is not None:
            self._positions.append(self._positions[-1].let_stand(stands))
            self.actions.append(stands)
        self.change(issue=None)

    def give_up(self) -> None:
        self.told.append("given up")

    def trust(self) -> None:
        self.told.append("trust")
        self.change(issue=None)

    def look_again(self) -> None:
        self.told.append("look again")
        self.change(issue=None)

    def pause(self) -> None:
        self.change(paused=True)

    def resume(self) -> None:
        self.change(paused=False)

    def finish(self) -> None:
        self.finished = True


class UsualSets:
    """No sets of one's own."""

    def names(self, game: str) -> tuple[str, ...]:
        return ("",)

    def chosen(self, game: str) -> str:
        return ""

    def file(self, game: str) -> Path | None:
        return None


class MemoryLibrary:
    """Games, people and settings in memory."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = list(names)
        self.tables: list[MemoryTable] = []
        self.settings: dict[str, str] = {}
        self.recognised: str | None = None
        self.recognising = False
        self.folder: Path | None = None
        self.sets: Any = UsualSets()
        self.workshop = None

    def recent(self) -> Sequence[Summary]:
        return [self._summary(table) for table in reversed(self.tables)]

    @staticmethod
    def _summary(table: MemoryTable) -> Summary:
        position = table.state().position
        ending = Ending(1.7e9, position.scores, position.winners) if position.over else None
        return Summary(
            table.name, table.game, table.players, 1.7e9, 1.7e9 + len(table.actions), len(table.actions), ending
        )

    def names(self) -> Sequence[str]:
        return self._names

    def best(self, game: str, period: Period) -> Sequence[Result]:
        results = [
            Result(table.name, game, 1.7e9, k, player.name, position.scores[k], k in position.winners)
            for table in self.tables
            for position in [table.state().position]
            for k, player in enumerate(table.players)
            if position.over and table.game == game
        ]
        return sorted(results, key=lambda result: -result.score)

    def new_game(self, game: str, players: Sequence[Player], options: Mapping[str, object]) -> MemoryTable:
        table = MemoryTable(f"game-{len(self.tables) + 1}", game, players, options)
        self.tables.append(table)
        return table

    def open_game(self, record: str, *, watch: bool = True) -> MemoryTable:
        return next(table for table in self.tables if table.name == record)

    def record(self, name: str) -> Record:
        table = self.open_game(name)
        entries = [
            Entry(number, Kind.PLAY, 1.7e9 + number, str(action), By.HAND)
            for number, action in enumerate(table.actions, start=1)
        ]
        return Record(name, table.game, table.players, 1.7e9, table.options, entries=tuple(entries))

    def picture(self, name: str | None) -> Path | None:
        return None

    def case_file(self, name: str) -> Path:
        if self.folder is None:
            raise FolderError("there is no folder")
        return self.folder / f"{name}.pdf"

    def games(self, first: int, count: int) -> Sequence[Summary]:
        return self.recent()[first : first + count]

    def statistics(self, name: str, game: str | None = None) -> Statistics:
        found = [one for one in self.best(game or "triangle", "year") if one.name == name]
        scores = [one.score for one in found]
        mean = sum(scores) / len(scores) if scores else None
        return Statistics(len(found), sum(one.won for one in found), mean, max(scores, default=None))

    def bench(self, work: Any, game: str | None = None) -> Any:
        return None

    def recognise(self, on: bool) -> None:
        self.recognising = on

    def setting(self, name: str) -> str | None:
        return self.settings.get(name)

    def set_setting(self, name: str, value: str) -> None:
        self.settings[name] = value
