"""The referee protocol: the rules of any game as JSON Lines, one request a line, one answer a line.

Requests are checked strictly: a field that no request has, a number where a text belongs (`true` and `3.0` are not
numbers of players), or a text that is not the exact notation of an action is a bad request, so that a misspelt wish
is never silently ignored. `options` may be left out. Where a name stands twice in an object, the last one counts. An
empty line is a bad request too: every line has its answer. Nothing but `quit` and the end of the input ends the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO, TypeAlias

import msgspec

from companion.games.core import (
    CHANCE,
    Action,
    Event,
    Game,
    GameError,
    IllegalActionError,
    NotationError,
    Position,
    Refusal,
    SetupError,
)

Answer: TypeAlias = dict[str, object]


class _Request(msgspec.Struct, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """A request; `do` is the name of its class in small letters."""


class New(_Request):
    """Begin a game."""

    players: int
    options: dict[str, bool | int | str] = {}


class Legal(_Request):
    """List the legal actions."""


class Play(_Request):
    """Play one action."""

    action: str


class Undo(_Request):
    """Take the last action back."""


class Load(_Request):
    """Play a list of actions afresh."""

    actions: list[str]


class Record(_Request):
    """Give the record."""


class Explain(_Request):
    """Say whether an action is legal, and why not."""

    action: str


class Quit(_Request):
    """End."""


Request = New | Legal | Play | Undo | Load | Record | Explain | Quit
REQUESTS = "new, legal, play, undo, load, record, explain, quit"


class BadRequestError(Exception):
    """A request that cannot be understood or answered; the message says why."""


class NoGameError(Exception):
    """A request that needs a game before one was begun."""


def serve(game: Game[Any, Any], lines_in: Iterable[bytes], out: BinaryIO) -> None:
    """Answers each line of `lines_in` (UTF-8) with one line on `out`, flushed, until `quit` or the end of the input.

    Raises:
        OSError: the input or the output is gone.
    """
    desk = Desk(game)
    for line in lines_in:
        answer = desk.answer(line)
        if answer is None:
            return
        out.write(msgspec.json.encode(answer) + b"\n")
        out.flush()


class Desk:
    """One client's game: the positions from the first one to the present one, and the actions between them."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._decoder: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
        self._players = 0
        self._options: Mapping[str, bool | int | str] = {}
        self._positions: list[Position[Any]] = []
        self._actions: list[Action] = []

    def answer(self, line: bytes) -> Answer | None:
        """The answer to one line, or None to `quit`. A line that is refused changes nothing."""
        try:
            return self._do(self._decoder.decode(line))
        except IllegalActionError as error:
            return _error("illegal", f"{error.action}: {self._text(error.refusal)}", error.refusal.clause)
        except SetupError as error:
            return _error("bad request", str(error), error.clause)
        except (BadRequestError, GameError) as error:
            return _error("bad request", str(error))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return _error("bad request", f'{error}; a request is {{"do": "…"}} with one of: {REQUESTS}')
        except RecursionError:
            return _error("bad request", "lists or objects are nested too deeply")
        except NoGameError:
            return _error("no game", 'no game has begun; ask for one first: {"do": "new", "players": 2}')

    def _do(self, request: Request) -> Answer | None:
        if not self._positions and not isinstance(request, New | Quit):
            raise NoGameError
        match request:
            case New():
                return self._new(request)
            case Legal():
                return {"legal": sorted(map(str, self._position.legal_actions()))}
            case Play():
                return self._play(request.action)
            case Undo():
                return self._undo()
            case Load():
                return self._load(request.actions)
            case Record():
                return self._record()
            case Explain():
                return self._explain(request.action)
            case Quit():
                return None

    @property
    def _position(self) -> Position[Any]:
        return self._positions[-1]

    def _new(self, request: New) -> Answer:
        options = self._game.chosen_options(request.options, request.players)
        self._positions = [self._game.new(request.players, options)]
        self._players, self._options, self._actions = request.players, options, []
        return self._describe()

    def _play(self, text: str) -> Answer:
        position, action = self._position, self._parse(text)
        after = position.play(action)
        events = [self._event(event) for event in position.events(action)]
        self._positions.append(after)
        self._actions.append(action)
        return {**self._describe(), "events": events}

    def _undo(self) -> Answer:
        if not self._actions:
            raise BadRequestError("nothing to undo: no action has been played")
        self._positions.pop()
        self._actions.pop()
        return self._describe()

    def _load(self, texts: list[str]) -> Answer:
        actions = [self._parse(text) for text in texts]
        positions = self._positions[:1]
        for action in actions:
            positions.append(positions[-1].play(action))
        self._positions, self._actions = positions, actions
        return self._describe()

    def _record(self) -> Answer:
        return {"players": self._players, "options": self._options, "actions": [str(a) for a in self._actions]}

    def _explain(self, text: str) -> Answer:
        position, action = self._position, self._parse(text)
        refusal = position.explain(action)
        if refusal is None:
            return {"legal": True, "clause": None, "text": f"{action} is legal."}
        return {"legal": False, "clause": refusal.clause, "text": self._text(refusal)}

    def _parse(self, text: str) -> Action:
        action: Action = self._game.parse(text)
        if str(action) != text:
            raise NotationError(f"{text!r} has to be written {str(action)!r}")
        return action

    def _describe(self) -> Answer:
        position = self._position
        description: Answer = {
            "game": self._game.name,
            "turn": "chance" if position.turn == CHANCE else position.turn,
            "phase": position.phase,
            "scores": position.scores,
            "over": position.over,
            "winners": position.winners,
            "legal_count": len(position.legal_actions()),
        }
        if position.turn == CHANCE and position.concerns is not None:
            description["for"] = position.concerns
        return description

    @property
    def _names(self) -> list[str]:
        """The players as the protocol numbers them, from 0."""
        return [f"Player {player}" for player in range(self._players)]

    def _text(self, refusal: Refusal) -> str:
        return self._game.clauses.text(refusal, names=self._names)

    def _event(self, event: Event) -> Answer:
        return {"kind": event.kind, **event.facts, "text": self._game.clauses.event_text(event, names=self._names)}


def _error(error: str, text: str, clause: str | None = None) -> Answer:
    return {"error": error, "clause": clause, "text": text}
