"""Records as text, for people, and as JSON, for programs; and back.

A text begins with headers, `[Name value]` or `[Name key value]`, the values as in JSON; then one action a line in
notation. What follows a `;` is a comment: points, and where the action came from.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from companion.games.core import Game, GameError, Position
from companion.games.registry import load_game
from companion.games.sets import SetError
from companion.table.errors import RecordTextError
from companion.table.record import Entry, Kind, Record
from companion.table.replay import Rules, replay, rules_of
from companion.table.state import By, Played, Player

_HEADER: Final = re.compile(r"\[(\w+)(?: (\w+))? (\S.*)\]")
_SINGLE: Final = {
    "Game": "game",
    "Record": "record",
    "Date": "date",
    "Set": "set",
    "Scores": "scores",
    "HiddenDraws": "hidden_draws",
    "Rulings": "rulings",
}
_MANY: Final = {"Player": "name", "Seat": "seat", "Colour": "colour", "Symbol": "symbol"}


class PlayerPart(msgspec.Struct, forbid_unknown_fields=True):
    """A player in a file."""

    name: str
    seat: Annotated[int, msgspec.Meta(ge=0)]
    colour: str = ""
    symbol: str = ""


class Detail(msgspec.Struct, forbid_unknown_fields=True):
    """What is known of an action beside its notation."""

    stamp: float
    by: By
    confidence: float | None = None
    time: float | None = None
    picture: str | None = None


class RecordFile(msgspec.Struct, forbid_unknown_fields=True):
    """A record as JSON holds it: what the referee protocol tells, and more. `scores`: after the last action;
    `rulings`: the numbers of the actions that stand by a ruling.
    """

    game: str
    date: str
    players: int
    names: list[PlayerPart]
    actions: list[str]
    options: dict[str, bool | int | str] = {}
    record: str = ""
    set: str | None = None
    hidden_draws: bool = False
    rulings: list[int] = []
    details: list[Detail] | None = None
    scores: list[int] | None = None


def export_text(record: Record, rules: Rules = load_game) -> str:
    """The record's actions that count, with headers and comments, as text.

    Raises:
        GameError, SetError, RecordTextError, DamagedError: the record cannot be played through.
    """
    played = list(replay(record, rules))
    position = played[-1][1] if played else _first(rules_of(record, rules), record)
    lines = [f"[{head} {json.dumps(value, ensure_ascii=False)}]" for head, value in _headers(record, position)]
    width = max((len(str(one.action)) for one, _ in played), default=0)
    actions = [f"{one.action!s:{width}} ; {_comment(record, one, after)}" for one, after in played]
    return "\n".join([*lines, "", *actions, ""])


def export_json(record: Record, rules: Rules = load_game) -> str:
    """The same as JSON, with where each action came from.

    Raises:
        As `export_text`.
    """
    played = list(replay(record, rules))
    position = played[-1][1] if played else _first(rules_of(record, rules), record)
    content = RecordFile(
        game=record.game,
        date=_date(record.started),
        players=len(record.players),
        names=[PlayerPart(player.name, player.seat, player.colour, player.symbol) for player in record.players],
        actions=[str(one.action) for one, _ in played],
        options=dict(record.options),
        record=record.name,
        set=record.set_file,
        hidden_draws=record.hidden_draws,
        rulings=_ruled(record),
        details=[Detail(one.stamp, one.by, one.confidence, one.time, one.picture) for one, _ in played],
        scores=list(position.scores),
    )
    return msgspec.json.format(msgspec.json.encode(content)).decode()


def import_text(text: str, rules: Rules = load_game) -> Record:
    """The record that `export_text` has written, or that somebody has typed: actions played by hand on that date.

    Raises:
        RecordTextError: the text is no record, one of its actions is not legal, or its scores are not what they give.
    """
    headers: dict[str, Any] = {"names": {}, "options": {}}
    actions: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        words = " ".join(line.split(";")[0].split()) if not line.startswith("[") else line.strip()
        if words.startswith("["):
            _take_header(headers, words, number)
        elif words:
            actions.append(words)
    names = [headers["names"][seat] for seat in sorted(headers["names"])]
    return _to_record({**headers, "names": names, "players": len(names), "actions": actions}, rules)


def import_json(text: str | bytes, rules: Rules = load_game) -> Record:
    """The record that `export_json` has written.

    Raises:
        RecordTextError: as `import_text`.
    """
    try:
        content = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise RecordTextError(f"not JSON: {error}") from error
    return _to_record(content, rules)


def read_record(path: Path, rules: Rules = load_game) -> Record:
    """The record in a file, as text or as JSON.

    Raises:
        RecordTextError: the file cannot be read, or as `import_text`.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return import_json(text, rules) if text.lstrip().startswith("{") else import_text(text, rules)
    except OSError as error:
        raise RecordTextError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RecordTextError(f"{path}: not a text in UTF-8; a record is what `companion export` writes") from error
    except RecordTextError as error:
        raise RecordTextError(f"{path}: {error}") from error


# -- out ---------------------------------------------------------------------------------------------------------------


def _headers(record: Record, position: Position[Any]) -> list[tuple[str, Any]]:
    heads: list[tuple[str, Any]] = [
        ("Game", record.game),
        ("Record", record.name),
        ("Date", _date(record.started)),
        *([("Set", record.set_file)] if record.set_file else []),
        *([("HiddenDraws", True)] if record.hidden_draws else []),
        *([("Rulings", rulings)] if (rulings := _ruled(record)) else []),
        *((f"Option {name}", value) for name, value in record.options.items()),
    ]
    for number, player in enumerate(record.players):
        heads += [(f"Player {number}", player.name), (f"Seat {number}", player.seat)]
        heads += [(f"Colour {number}", player.colour), (f"Symbol {number}", player.symbol)]
    return [*heads, ("Scores", list(position.scores))]


def _comment(record: Record, played: Played, after: Position[Any]) -> str:
    """Points and the total they lead to; who says so, how sure, and when."""

    def total(player: int) -> str:
        return "" if after.over else f" = {after.scores[player]}"  # the last scores count more than points

    points = [
        f"{record.players[player].name} {event.facts['points']:+d}{total(player)}"
        for event in played.events
        if event.kind == "score"
        for player in [event.facts["player"]]
    ]
    sure = [] if played.confidence is None else [f"{played.confidence:.3f}"]
    when = [] if played.time is None else [f"{played.time:.1f} s"]
    return ", ".join([*points, " ".join([played.by.value, *sure, *when])])


def _ruled(record: Record) -> list[int]:
    return [number for number, entry in enumerate(record.counting(), start=1) if entry.by is By.RULING]


def _date(stamp: float) -> str:
    return datetime.fromtimestamp(stamp).astimezone().isoformat(" ")


def _first(game: Game[Any, Any], record: Record) -> Position[Any]:
    first: Position[Any] = game.new(len(record.players), record.options)
    return first


# -- in ----------------------------------------------------------------------------------------------------------------


def _take_header(headers: dict[str, Any], line: str, number: int) -> None:
    match = _HEADER.fullmatch(line)
    try:
        name, key, value = match[1], match[2], json.loads(match[3])  # type: ignore[index]
        if key is None:
            headers[_SINGLE[name]] = value
        elif name == "Option":
            headers["options"][key] = value
        else:
            headers["names"].setdefault(int(key), {})[_MANY[name]] = value
    except (TypeError, KeyError, ValueError) as error:
        raise RecordTextError(
            f'line {number}: {line!r} is no header; they look like [Game "triangle"], [Option teams false], '
            '[Player 0 "Ada"], [Seat 0 0]'
        ) from error


def _to_record(content: object, rules: Rules) -> Record:
    """The record in a decoded file, once all that it says is checked."""
    try:
        file = msgspec.convert(content, RecordFile)
        started = datetime.fromisoformat(file.date).timestamp()
    except (msgspec.ValidationError, ValueError, OverflowError, OSError) as error:
        raise RecordTextError(f"{error}; compare with what `companion export` writes") from error
    if file.players != len(file.names) or (file.details is not None and len(file.details) != len(file.actions)):
        raise RecordTextError("a record has as many names as players, and as many details as actions")
    record = Record(
        name=file.record,
        game=file.game,
        players=tuple(Player(part.name, part.seat, part.colour, part.symbol) for part in file.names),
        started=started,
        options=file.options,
        set_file=file.set,
        hidden_draws=file.hidden_draws,
        entries=_entries(file, started),
    )
    _check(record, file.scores, rules)
    return record


def _entries(file: RecordFile, started: float) -> tuple[Entry, ...]:
    details = file.details or [
        Detail(started, By.RULING if number in file.rulings else By.HAND) for number in range(1, len(file.actions) + 1)
    ]
    return tuple(
        Entry(number, Kind.PLAY, one.stamp, action, one.by, one.confidence, one.time, one.picture)
        for number, (action, one) in enumerate(zip(file.actions, details, strict=True), start=1)
    )


def _check(record: Record, scores: list[int] | None, rules: Rules) -> None:
    try:
        position = _first(rules_of(record, rules), record)
        for _, position in replay(record, rules):  # noqa: B007 - the last one is wanted
            pass
    except (GameError, SetError) as error:
        raise RecordTextError(str(error)) from error
    if scores is not None and tuple(scores) != position.scores:
        raise RecordTextError(f"the scores are said to be {scores}, but the actions give {list(position.scores)}")
