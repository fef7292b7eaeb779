"""The concepts that every game shares: position, action, clause, refusal, event and view.

A *game* is the rules with a set file. Its *positions* are immutable; an *action* leads from one to the next. Whatever
chance or a hidden hand decides is an action of its own, made by `CHANCE`. A *clause* is one thing that a referee can
point at; a *refusal* says which clause an action breaks, where, and why. The *view* of a position says what a picture
of the table should show: the language between rules and vision.

Actions are immutable, hashable values whose `str` is their notation, one line of text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NamedTuple, Self, TypeVar

from companion.games.clauses import Clauses
from companion.games.looks import Look
from companion.games.sets import Board, GameSet, Marker
from companion.games.sites import SiteSpec

CHANCE: Final = -1
"""The player number of chance: draws, dice, whatever no player decides."""

Action = Hashable
A = TypeVar("A", bound=Action)


class Option(NamedTuple):
    """A choice that organisers make before a game; the first value is the default."""

    name: str
    values: tuple[bool | int | str, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not legal: the most specific clause that it breaks.

    `sites` are the places concerned, `facts` fill the clause's case text (`{cell}`, `{tile}` …), in which `player` and
    `other` are players' numbers; `instead` lists what would be legal, in notation, where that is a short list.
    """

    clause: str
    sites: tuple[str, ...] = ()
    facts: Mapping[str, str | int] = field(default_factory=dict)
    instead: tuple[str, ...] = ()


class GameError(ValueError):
    """What a rules engine refuses; the message is one sentence for people."""


class NotationError(GameError):
    """A text that is not the notation of any action of the game."""


class SetupError(GameError):
    """An impossible number of players, or an unknown option or value."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(message)
        self.clause = clause


class IllegalActionError(GameError):
    """An action that the rules refuse in this position."""

    def __init__(self, action: Action, refusal: Refusal) -> None:
        super().__init__(f"{action}: refused by {refusal.clause}")
        self.action = action
        self.refusal = refusal


class Event(NamedTuple):
    """One thing that an action brought about, as data: `kind` names it, `facts` fill its text.

    Kinds that every game uses: `score` (player, points, arithmetic), `turn` (player), `over` (clause).
    """

    kind: str
    facts: Mapping[str, Any]


class Judgement(NamedTuple):
    """What was attempted at the table, where it is an action of the game, and why the rules refuse it."""

    refusal: Refusal
    action: Action | None = None


class Group(NamedTuple):
    """Sites that hold exactly these labels in any order; those left over are empty (an open hand on a rack)."""

    sites: tuple[str, ...]
    labels: tuple[str, ...]


class Sign(NamedTuple):
    """The label shows on one of the sites."""

    sites: tuple[str, ...]
    label: str


class View(NamedTuple):
    """What a picture of the table shows in a position.

    `sites`: the label each site must have. `groups`: sites whose labels are only known together. `either`: sites that
    must have one of some labels, where the position does not tell which. `kept`: what players
    keep by hand beside the game, such as score counters: one of the labels is right; it is compared and reported, but
    no action depends on it. `leaving`: sites on which something that the position has no more may lie for a while yet.
    A site that occurs nowhere is not decided by the position.
    """

    sites: Mapping[str, str]
    groups: tuple[Group, ...] = ()
    kept: Mapping[str, tuple[str, ...]] = {}
    leaving: frozenset[str] = frozenset()
    either: Mapping[str, tuple[str, ...]] = {}


class Position(ABC, Generic[A]):
    """A position: immutable, hashable and equal to every position with the same game, options and state."""

    __slots__ = ()

    @property
    @abstractmethod
    def game(self) -> Game[Any, A]:
        """The rules that the position belongs to."""

    @property
    @abstractmethod
    def players(self) -> int:
        """How many players take part."""

    @property
    @abstractmethod
    def turn(self) -> int | None:
        """Who acts: a player's number, `CHANCE`, or None when the game is over."""

    @property
    @abstractmethod
    def concerns(self) -> int | None:
        """The player for whom chance acts next, if it acts for one; else None."""

    @property
    @abstractmethod
    def phase(self) -> str:
        """The part of the game, a word of the game's own."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """A number a player, as the game counts."""

    @property
    @abstractmethod
    def winners(self) -> tuple[int, ...]:
        """Who won; empty until the game is over."""

    @property
    def tie_break(self) -> tuple[int, ...]:
        """What decides between equal scores, a number a player, the largest first; zeros where nothing does."""
        return (0,) * self.players

    def prospect(self, player: int) -> float:
        """How well the player seems to stand, for simulated players: more is better, about in points."""
        return float(self.scores[player])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.turn is None

    @abstractmethod
    def legal_actions(self) -> Sequence[A]:
        """Every action possible here, each exactly once, in no promised order."""

    def hidden_action(self) -> A | None:
        """The chance action here whose outcome only one player knows, where play goes on without it; else None.

        Only a game that was made with hidden draws has one; such a game lists it as legal beside the open ones.
        """
        return None

    @abstractmethod
    def explain(self, action: A) -> Refusal | None:
        """The most specific clause that `action` breaks here, or None where it is legal."""

    def play(self, action: A) -> Self:
        """The position after `action`.

        Raises:
            IllegalActionError: the rules refuse the action; it carries the refusal of `explain`.
        """
        refusal = self.explain(action)
        if refusal is not None:
            raise IllegalActionError(action, refusal)
        return self._after(action)

    def let_stand(self, action: A) -> Self:
        """The position after an `action` that the rules may refuse, but that a ruling lets stand.

        Raises:
            IllegalActionError: the game could not go on after it; it carries the refusal of `explain`.
        """
        refusal = self.explain(action)
        if refusal is not None and not self.may_stand(action, refusal):
            raise IllegalActionError(action, refusal)
        return self._after(action)

    @abstractmethod
    def may_stand(self, action: A, refusal: Refusal) -> bool:
        """Whether the game could go on after an `action` that the rules refuse."""

    @abstractmethod
    def _after(self, action: A) -> Self:
        """The position after an action that is legal or may stand."""

    @abstractmethod
    def events(self, action: A) -> tuple[Event, ...]:
        """What an `action` that is legal, or that may stand, brings about here: points and how they come about, whose
        turn it is then.
        """

    def public(self) -> Self:
        """The position as players may know it: without what the companion knows and must not show them."""
        return self

    @abstractmethod
    def view(self) -> View:
        """What a picture of the table shows now."""

    def details(self) -> Mapping[str, tuple[str, ...]]:
        """What a picture shows that no label tells, a site: parts, in any order, of the word that `Game.look` may be
        given behind the label (`C2 RRB`: what a messenger carries).
        """
        return {}

    @property
    def dice(self) -> tuple[tuple[int | str, ...], ...]:
        """The dice that chance throws next, each by its faces; none where chance does something else."""
        return ()

    def thrown(self, faces: Sequence[int | str]) -> A:
        """The action of chance when its `dice` show these faces.

        Raises:
            ValueError: chance throws no dice now.
        """
        raise ValueError("no dice are thrown now")

    def signs(self, action: A) -> tuple[Sign, ...]:
        """What a picture certainly shows right after the legal `action`: a cheap way to rule it out. May be empty."""
        return ()

    def told(self, action: A) -> bool:
        """Whether only people can say that the legal `action` was made: no picture shows what tells it from others.

        A card laid, a colour named, a tile taken, dice. Such actions are entered, never inferred where others are
        possible.
        """
        return False

    @abstractmethod
    def judge(self, seen: Mapping[str, str]) -> Judgement | None:
        """What somebody who made the table look so did against the rules, or None where that cannot be told.

        `seen` holds the sites that differ from the view, with the labels that they show. Asked only when no legal
        sequence of actions leads to what the picture shows.
        """


def may_stand(position: Position[Any], action: Action) -> bool:
    """Whether a ruling could let the action stand: the game could go on after it."""
    refusal = position.explain(action)
    return refusal is None or position.may_stand(action, refusal)


P = TypeVar("P", bound=Position[Any])


class Rest(NamedTuple):
    """What is left of a thing: `site` tells how many lie there, each other site with the label `thing` has one of them;
    `totals`: how many there are in all, and with how many numbers of players.
    """

    site: str
    thing: str
    totals: Mapping[int, int]


class Game(ABC, Generic[P, A]):
    """The rules of one game with its set file: everything that does not change during a game."""

    name: str
    set: GameSet
    clauses: Clauses
    player_counts: range
    options: tuple[Option, ...]
    seat_colours: tuple[str, ...]
    """The colour of the pieces that belong to each seat, by its name in the set file."""
    clockwise: bool = True
    """Whether seats are numbered clockwise, as seen from above."""
    copies: Mapping[str, int] = {}
    """How many the set has of the things that labels name; of those not named, as many as one likes."""
    rest: Rest | None = None
    """What lies where the rest of a thing is kept, once players hold none of it any more."""
    hands: Literal["none", "open", "hidden"] = "none"
    """What players hold of what chance brings: nothing, what lies open on the table, or what nobody else sees."""
    hidden_draws: bool = False
    """Whether chance may act without telling what it brought (`hidden_action`); only where there are hands."""
    laid_stays: bool = False
    """Whether a clause forbids to take back what lies, even before anything has followed."""
    kept_clause: str | None = None
    """The clause about what players keep by hand (`View.kept`, `incidental`)."""
    incidental: frozenset[str] = frozenset()
    """Sites that show what follows from all the others, such as a supply: reported, but no action depends on it."""

    @abstractmethod
    def new(self, players: int, options: Mapping[str, object] | None = None) -> P:
        """The first position.

        Raises:
            SetupError: an impossible number of players, an unknown option or a value that it does not have.
        """

    @abstractmethod
    def parse(self, text: str) -> A:
        """The action that `text` stands for; spelling is exact.

        Raises:
            NotationError: the text stands for no action of this game.
        """

    @property
    def plate(self) -> Board:
        """Shape and size of the board."""
        return self.set.board

    @property
    def marker(self) -> Marker:
        """The corner cards."""
        return self.set.marker

    @property
    @abstractmethod
    def sites(self) -> tuple[SiteSpec, ...]:
        """Every site of the set, with its place in the board frame and its labels."""

    @abstractmethod
    def look(self, kind: str, label: str) -> Look:
        """What lies on a site of that kind with that label, in the site's own frame (mm)."""

    @property
    def looks(self) -> dict[tuple[str, str], Look]:
        """What may lie anywhere, by the kind of site and the label."""
        keys = dict.fromkeys((site.kind, label) for site in self.sites for label in site.labels)
        return {key: self.look(*key) for key in keys}

    @property
    @abstractmethod
    def board(self) -> Look:
        """The empty board in the board frame (mm)."""

    def seats(self, players: int) -> tuple[int, ...]:
        """The seats of the set at which that many players sit, in the order of play."""
        return tuple(range(players))

    def colours_for(self, players: int) -> tuple[str, ...]:
        """The players' colours, by seat, where that many play."""
        return self.seat_colours

    def options_for(self, players: int) -> tuple[Option, ...]:
        """The options with the values that they can have with that many players, the default first."""
        return self.options

    def chosen_options(self, options: Mapping[str, object] | None, players: int) -> dict[str, bool | int | str]:
        """All options with their values for that many players, defaults filled in.

        Raises:
            SetupError: an unknown option or a value that it does not have.
        """
        given = dict(options or {})
        chosen: dict[str, bool | int | str] = {}
        for option in self.options_for(players):
            value = given.pop(option.name, option.values[0])
            match = [v for v in option.values if v == value and type(v) is type(value)]
            if not match:
                allowed = ", ".join(str(v) for v in option.values)
                raise SetupError(f"option {option.name} is {value!r}; it can be: {allowed}", option.clause)
            chosen[option.name] = match[0]
        if given:
            known = ", ".join(option.name for option in self.options) or "none"
            raise SetupError(f"unknown option {min(map(str, given))!r}; the options are: {known}")
        return chosen
