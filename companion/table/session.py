"""One running game: its position, its record, and what people and the referee do to them."""

from __future__ import annotations

import time as clocks
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Final

from companion.games.core import CHANCE, Action, Game, Position, SetupError
from companion.games.registry import load_game
from companion.referee.decision import Step
from companion.table import rolls
from companion.table.dice import Dice
from companion.table.errors import NothingToUndoError, StoreError, UnknownActionError
from companion.table.record import Ending, Entry, Kind, Record, take
from companion.table.replay import Rules, rules_of, steps
from companion.table.state import By, Played, Player
from companion.table.store import Store

Clock = Callable[[], float]

PAUSED: Final = "pause"
GOING_ON: Final = "go on"


class Session:
    """A running game with its record. Whatever changes it is stored, durably, before the method returns; where storing
    fails, a `StoreError` is raised and the session is as before. For one thread at a time.
    """

    def __init__(self, store: Store, game: Game[Any, Any], record: Record, clock: Clock = clocks.time) -> None:
        """Use `create`, `resume` or `latest_unfinished`."""
        self._store = store
        self._record = record
        self._clock = clock
        self.game: Final = game
        self._entries = list(record.entries)
        self._ending = record.ending
        self._counting = list(record.counting())
        self._positions: list[Position[Any]] = [game.new(len(record.players), record.options)]
        self._played: list[Played] = []
        self._dice: Dice | None = None
        for played, position in steps(game, self._positions[0], self._counting):
            self._played.append(played)
            self._positions.append(position)

    # -- beginning -----------------------------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        store: Store,
        game: Game[Any, Any],
        players: Sequence[Player],
        options: Mapping[str, object] | None = None,
        *,
        set_file: Path | None = None,
        clock: Clock = clocks.time,
    ) -> Session:
        """A new game, stored at once.

        Raises:
            SetupError: players or options that the game does not have, or names that are empty or the same.
            StoreError: it cannot be stored.
        """
        _check_names(players)
        game.new(len(players), options)
        chosen = game.chosen_options(options, len(players))
        source = str(set_file.resolve()) if set_file else None
        record = store.create(game.name, players, chosen, float(clock()), source, game.hidden_draws)
        session = cls(store, game, record, clock)
        if session.position.dice:
            session._commit_dice()
        return session

    @classmethod
    def resume(cls, store: Store, record: str, rules: Rules = load_game, clock: Clock = clocks.time) -> Session:
        """The game as it was when its last entry was stored.

        Raises:
            UnknownRecordError: there is no record of that name.
            DamagedError: the record cannot be read.
            GameError, SetError, RecordTextError: the rules refuse what the record says.
        """
        stored = store.record(record)
        return cls(store, rules_of(stored, rules), stored, clock)

    @classmethod
    def latest_unfinished(cls, store: Store, rules: Rules = load_game, clock: Clock = clocks.time) -> Session | None:
        """The game that was begun last among those neither over nor given up, or None where there is none."""
        name = store.latest_unfinished()
        return None if name is None else cls.resume(store, name, rules, clock)

    # -- what is there -------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The record's name."""
        return self._record.name

    @property
    def players(self) -> tuple[Player, ...]:
        """Who plays, in the order of play."""
        return self._record.players

    @property
    def record(self) -> Record:
        """The record so far."""
        return replace(self._record, entries=tuple(self._entries), ending=self._ending)

    @property
    def position(self) -> Position[Any]:
        """The position now."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position[Any], ...]:
        """The first position, and the position after each action that counts."""
        return tuple(self._positions)

    @property
    def played(self) -> tuple[Played, ...]:
        """The actions that count, after undo and corrections."""
        return tuple(self._played)

    @property
    def ending(self) -> Ending | None:
        """How the game ended; None while it goes on."""
        return self._ending

    @property
    def commitment(self) -> str | None:
        """The hash that binds the dice to their seed, to be shown before the first roll; None without dice."""
        return rolls.commitment_of(self._entries)

    @property
    def seed(self) -> str | None:
        """The seed of the dice, once the game has ended: anybody can check the rolls by it."""
        return rolls.revealed(self._entries)

    @property
    def paused(self) -> bool:
        """Whether the last pause has not ended; playing on ends it."""
        for entry in reversed(self._entries):
            if entry.kind in (Kind.PAUSE, Kind.PLAY):
                return entry.kind is Kind.PAUSE and entry.text == PAUSED
        return False

    # -- what changes it -----------------------------------------------------------------------------------------------

    def apply(
        self,
        actions: Sequence[Action],
        by: By,
        confidence: float | None = None,
        *,
        picture: bytes | None = None,
        time: float | None = None,
    ) -> tuple[Played, ...]:
        """Plays actions one after the other, all or none; they are stored when this returns.

        Args:
            actions: what happened.
            by: who says so.
            confidence: how sure that is, 0 to 1, where that is known.
            picture: JPEG file from which it was read; all the actions share it. Without room for it the actions count
                nevertheless, and their `picture` is None.
            time: seconds of the source.

        Raises:
            IllegalSequenceError: one of them is not legal; `number` is its number in the game.
            StoreError: they cannot be stored.
        """
        return self._play([(action, by, confidence) for action in actions], picture, time)

    def accept(
        self, found: Sequence[Step], *, picture: bytes | None = None, time: float | None = None
    ) -> tuple[Played, ...]:
        """Plays what the referee has accepted; otherwise as `apply`."""
        return self._play([(step.action, By(step.by), step.confidence) for step in found], picture, time)

    def roll(self) -> Played:
        """Throws the dice that chance throws next, and plays what they show.

        Raises:
            ValueError: chance throws no dice now.
            StoreError: it cannot be stored.
        """
        position = self.position
        if not position.dice:
            raise ValueError("no dice are thrown now")
        if self._dice is None:
            self._dice = self._take_up_dice()
        faces = self._dice.roll(*position.dice)
        note = self._entry(Kind.NOTE, who=rolls.ROLL, text=rolls.of_roll(self._dice.rolls[-1]))
        play = self._entry(Kind.PLAY, 1, action=str(position.thrown(faces)), by=By.DICE, confidence=1.0)
        try:
            self._add(note, play)
        except StoreError:
            self._dice = None  # as the record has them, the next time
            raise
        return self._played[-1]

    def undo(self, reason: str = "", *, single: bool = False) -> tuple[Played, ...]:
        """Takes back the last action of a player, with the chance and inferred actions since; or, where `single` is
        asked for or no player has acted, exactly the last action. The actions taken back.

        Raises:
            NothingToUndoError: no action counts.
            StoreError: it cannot be stored.
        """
        if not self._played:
            raise NothingToUndoError("there is no action to take back: the game is at its beginning")
        target = len(self._played) if single else self._last_of_a_player()
        undone = tuple(self._played[target - 1 :])
        self._add(self._entry(Kind.UNDO, target=target, text=reason or None))
        return undone

    def correct(
        self, number: int, action: Action, reason: str = "", *, by: By = By.HAND, confidence: float | None = None
    ) -> Played:
        """Says that the action with that number (from 1) was another one; those after it stay and must be legal.

        Raises:
            IllegalSequenceError: the action with its `number`, this one or a later one, would not be legal.
            UnknownActionError: no action has that number.
            StoreError: it cannot be stored.
        """
        self._check_number(number)
        said: dict[str, Any] = {"action": str(action), "by": by, "confidence": _checked(confidence), "target": number}
        self._add(self._entry(Kind.CORRECT, text=reason or None, **said))
        return self._played[number - 1]

    def rule(self, who: str, text: str, *, back_to: int | None = None, stands: Action | None = None) -> None:
        """Stores a ruling: who ruled, and what and why, together with what it changes.

        Args:
            who: the one who rules.
            text: what is ruled, and the reason.
            back_to: the action with that number (from 1) is taken back, and all after it.
            stands: an action that counts although the rules refuse it.

        Raises:
            IllegalSequenceError: the game could not go on after the action that is to stand.
            UnknownActionError: no action has that number.
            StoreError: it cannot be stored; then nothing has changed.
        """
        entries = [self._entry(Kind.RULING, who=who, text=text)]
        if back_to is not None:
            self._check_number(back_to)
            entries.append(self._entry(Kind.UNDO, 1, target=back_to, text=text))
        if stands is not None:
            entries.append(self._entry(Kind.PLAY, len(entries), action=str(stands), by=By.RULING))
        self._add(*entries)

    def note(self, topic: str, text: str, *, picture: bytes | None = None) -> None:
        """Stores what was shown or asked, with the JPEG file from which it was read: `topic` is `question`, `verdict`,
        or a word of the caller's.
        """
        self._add_pictured([self._entry(Kind.NOTE, who=topic, text=text)], picture)

    def pause(self, on: bool = True) -> None:
        """Stores that the game pauses, or goes on; nothing where that is so already."""
        if on != self.paused:
            self._add(self._entry(Kind.PAUSE, text=PAUSED if on else GOING_ON))

    def give_up(self, reason: str = "") -> None:
        """Ends the game without a result, so that nobody is asked any more to go on with it, unless it has ended.

        Raises:
            StoreError: it cannot be stored.
        """
        if self._ending is not None:
            return
        ending = Ending(float(self._clock()), given_up=True)
        result = self._entry(Kind.RESULT, who="given up", text=reason or None)
        self._commit([result, *self._revealing(1)], ending)

    # -- dice ----------------------------------------------------------------------------------------------------------

    def _take_up_dice(self) -> Dice:
        """The dice of the last commitment; new ones where there is none, or its seed is known to all."""
        seed = self._store.setting(self._seed_setting)
        if seed is None or self.commitment is None or self.seed is not None:
            return self._commit_dice()
        return rolls.dice_of(self._entries, seed)

    def _commit_dice(self) -> Dice:
        """New dice: their seed is stored, their commitment comes into the record."""
        dice = Dice()
        entry = self._entry(Kind.NOTE, who=rolls.COMMITMENT, text=dice.commitment)
        with self._store.writing() as write:
            write.set(self._seed_setting, dice.seed)
            write.add(self.name, [entry])
        self._entries.append(entry)
        return dice

    @property
    def _seed_setting(self) -> str:
        return f"{rolls.SEED} {self.name}"

    def _revealing(self, ahead: int) -> list[Entry]:
        """The entry that reveals the seed, where one was committed that is secret."""
        if self.commitment is None or self.seed is not None:
            return []
        seed = self._store.setting(self._seed_setting)
        return [self._entry(Kind.NOTE, ahead, who=rolls.SEED, text=seed)] if seed is not None else []

    # -- how -----------------------------------------------------------------------------------------------------------

    def _play(
        self, said: Sequence[tuple[Action, By, float | None]], picture: bytes | None, time: float | None
    ) -> tuple[Played, ...]:
        if not said:
            return ()
        if time is not None and not isfinite(time):
            raise ValueError(f"a time of {time} seconds; it is a number")
        seconds = None if time is None else float(time)
        entries = [
            self._entry(Kind.PLAY, ahead, action=str(action), by=by, confidence=_checked(confidence), time=seconds)
            for ahead, (action, by, confidence) in enumerate(said)
        ]
        list(steps(self.game, self.position, entries, len(self._played) + 1))  # refused before anything is written
        self._add_pictured(entries, picture)
        return tuple(self._played[-len(entries) :])

    def _add_pictured(self, entries: Sequence[Entry], picture: bytes | None) -> None:
        """Adds entries that share a picture; one that cannot be kept is left out."""
        path = self._store.pictures.save(self.name, entries[0].number, picture) if picture else None
        try:
            self._add(*(replace(entry, picture=path) for entry in entries))
        except StoreError:
            self._store.pictures.discard(path)
            raise

    def _entry(self, kind: Kind, ahead: int = 0, **said: Any) -> Entry:
        return Entry(len(self._entries) + 1 + ahead, kind, float(self._clock()), **said)

    def _check_number(self, number: int) -> None:
        last = len(self._played)
        if not 1 <= number <= last:
            raise UnknownActionError(f"there is no action {number}; " + (f"the last is {last}" if last else "none yet"))

    def _last_of_a_player(self) -> int:
        """The number of the last action that a player chose; of the last action, where there is none."""
        for played, before in zip(reversed(self._played), reversed(self._positions[:-1]), strict=True):
            if before.turn != CHANCE and played.by is not By.INFERRED:
                return played.number
        return len(self._played)

    def _add(self, *entries: Entry) -> None:
        """Works out what the entries lead to, stores them, and only then lets them count."""
        counting = self._counting
        for entry in entries:
            counting = take(counting, entry)
        same = _common(self._counting, counting)
        since = list(steps(self.game, self._positions[same], counting[same:], same + 1))
        position = since[-1][1] if since else self._positions[same]
        ending = self._ending if counting == self._counting else self._ending_at(position, entries[0].stamp)
        if ending != self._ending and ending is not None:
            number = entries[-1].number + 1
            result = Entry(number, Kind.RESULT, ending.stamp, who="over", text=_result_text(ending))
            entries = (*entries, result, *self._revealing(len(entries) + 1))
        self._commit(entries, ending)
        self._counting = counting
        self._played[same:] = [played for played, _ in since]
        self._positions[same + 1 :] = [after for _, after in since]

    def _ending_at(self, position: Position[Any], stamp: float) -> Ending | None:
        if not position.over:
            return None
        if self._ending and (self._ending.scores, self._ending.winners) == (position.scores, position.winners):
            return self._ending
        return Ending(stamp, position.scores, position.winners)

    def _commit(self, entries: Sequence[Entry], ending: Ending | None) -> None:
        with self._store.writing() as write:
            write.add(self.name, entries)
            if ending != self._ending:
                write.end(self.name, ending)
        self._entries.extend(entries)
        before, self._ending = self._ending, ending
        if ending and ending != before:
            self._store.back_up()


def _common(before: Sequence[Entry], after: Sequence[Entry]) -> int:
    """How many entries at the beginning are the same."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((k for k, (one, other) in pairs if one != other), min(len(before), len(after)))


def _checked(confidence: float | None) -> float | None:
    if confidence is None:
        return None
    if not 0 <= confidence <= 1:
        raise ValueError(f"a confidence of {confidence}; it is a number from 0 to 1")
    return float(confidence)


def _result_text(ending: Ending) -> str:
    scores, winners = (" ".join(map(str, numbers)) for numbers in (ending.scores, ending.winners))
    return f"scores {scores}, winners {winners}"


def _check_names(players: Sequence[Player]) -> None:
    names = [player.name.strip() for player in players]
    if not all(names):
        raise SetupError("a player has no name; each needs one")
    if not all(name.isprintable() for name in names):
        raise SetupError("a player's name has characters that cannot be shown; use letters, digits and signs")
    if len({name.casefold() for name in names}) < len(names):
        raise SetupError("two players have the same name; each needs one of their own")
    if len({player.seat for player in players}) < len(players):
        raise SetupError("two players have the same seat; each needs one of their own")
