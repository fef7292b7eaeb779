"""A record played through again, step by step: by sessions that resume, by `companion replay`, and as a film."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.games.core import CHANCE, Action, Game, IllegalActionError, NotationError, Position
from companion.games.registry import load_game
from companion.table.errors import IllegalSequenceError, RecordTextError
from companion.table.record import Entry, Record
from companion.table.state import By, Played

Rules = Callable[[str, Path | None, bool], Game[Any, Any]]
"""How the rules of a record's game are found: from its name, its own set file where it has one, and whether draws may
stay hidden."""


def rules_of(record: Record, rules: Rules = load_game) -> Game[Any, Any]:
    """The rules that the record was played by.

    Raises:
        UnknownGameError: no game has that name.
        SetError: the record's set file cannot be used.
    """
    return rules(record.game, Path(record.set_file) if record.set_file else None, record.hidden_draws)


def replay(record: Record, rules: Rules = load_game) -> Iterator[tuple[Played, Position[Any]]]:
    """Every action that counts, with the position after it.

    Raises:
        IllegalSequenceError: the rules refuse one of the actions.
        RecordTextError: an action is no notation of the game.
        SetupError: the players or options do not suit the game.
    """
    game = rules_of(record, rules)
    return steps(game, game.new(len(record.players), record.options), record.counting())


def steps(
    game: Game[Any, Any], position: Position[Any], entries: Iterable[Entry], first: int = 1
) -> Iterator[tuple[Played, Position[Any]]]:
    """The entries' actions played from `position` on, the first of them with the number `first`."""
    for number, entry in enumerate(entries, start=first):
        action = _parsed(game, number, entry.action or "")
        try:
            after = position.let_stand(action) if entry.by is By.RULING else position.play(action)
        except IllegalActionError as error:
            raise IllegalSequenceError(number, action, error.refusal) from error
        yield played_as(number, entry, action, position), after
        position = after


def played_as(number: int, entry: Entry, action: Action, position: Position[Any]) -> Played:
    """The entry as an action that counts, played in `position`."""
    return Played(
        number=number,
        action=action,
        player=position.concerns if position.turn == CHANCE else position.turn,
        by=entry.by or By.HAND,
        confidence=entry.confidence,
        events=position.events(action),
        time=entry.time,
        stamp=entry.stamp,
        picture=entry.picture,
    )


def _parsed(game: Game[Any, Any], number: int, text: str) -> Action:
    try:
        return game.parse(text)  # type: ignore[no-any-return]
    except NotationError as error:
        raise RecordTextError(f"action {number}: {error}") from error
