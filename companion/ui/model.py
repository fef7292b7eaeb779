"""What the screens need of the rest of the program: the running table, and the library of games and people.

The screens hold nothing of their own: they draw `state()` and call these commands. A command that the rules refuse
raises `IllegalActionError`; any other refusal is a `ValueError` or a `StoreError` whose message is one sentence for
people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.games.core import Action, Position
from companion.table.state import Played, Player, TableState
from hardware.camera import Image

if TYPE_CHECKING:
    from calibration.bench import Bench, Work
    from companion.table.dice import Roll
    from companion.table.own_sets import OwnSets
    from companion.table.record import Record
    from companion.table.results import Period, Result, Statistics
    from companion.table.store import Summary
    from companion.table.workshop import Workshop


class TableModel(Protocol):
    """The running table. Safe to use from the screens' thread while others work; nothing here waits for a camera."""

    @property
    def version(self) -> int:
        """A number that changes whenever the state does."""

    def state(self) -> TableState:
        """The table now: an immutable snapshot, cheap to get."""

    def before(self, number: int) -> Position[Any]:
        """The position in which the action with that number (`Played.number`) was played."""

    def cut_out(self, sites: Sequence[str]) -> Image | None:
        """What the camera saw of those sites when the open issue came up, from above: (height, width, 3),
        blue-green-red; None where no picture shows it.
        """

    def enter(self, action: Action) -> None:
        """Records an action entered by hand.

        Raises:
            IllegalActionError: the rules refuse it.
        """

    def roll(self) -> Played:
        """Throws the companion's own dice, those that chance throws next, and records what they show.

        Raises:
            ValueError: no dice are thrown now.
            StoreError: it cannot be stored.
        """

    def rolls(self) -> Sequence[Roll]:
        """All rolls of the companion's dice since their commitment, those taken back too."""

    def undo(self) -> None:
        """Takes the last action back (an entry of the record of its own).

        Raises:
            ValueError: there is none.
        """

    def correct(self, number: int, action: Action) -> None:
        """Replaces the action with that number; those after it stay.

        Raises:
            IllegalActionError: the rules refuse it, or one of those after it.
        """

    def answer(self, choice: int | None) -> None:
        """Settles the open issue: with one of its `choices`, or, by None, because the table was put right by hand.

        After None the table has to agree with the record before anything else is accepted from the camera.
        """

    def rule(self, who: str, text: str, *, back_to: int | None = None, stands: Action | None = None) -> None:
        """Enters a ruling; `back_to` takes that action and all after it back, `stands` counts against the rules.

        Raises:
            IllegalActionError: the game could not go on after the action that is to stand.
        """

    def give_up(self) -> None:
        """Ends the game without a result: nobody is asked any more to go on with it."""

    def trust(self) -> None:
        """Says that the record is right: what the picture shows otherwise is not believed until it changes."""

    def look_again(self) -> None:
        """Drops what was concluded from the picture and reads the table afresh."""

    def pause(self) -> None:
        """Stops watching until `resume`."""

    def resume(self) -> None:
        """Watches again."""

    def finish(self) -> None:
        """Leaves the table and frees its camera; the record stays, and is resumed from there if it is not over."""


class Library(Protocol):
    """Games played, people and settings. `sets` are the sets of one's own, `workshop` is where the table is calibrated,
    None where it cannot be.
    """

    @property
    def sets(self) -> OwnSets:
        """The sets of one's own, and which of them new games are played with."""

    @property
    def workshop(self) -> Workshop | None:
        """Where calibrations are kept."""

    def bench(self, work: Work, game: str | None = None) -> Bench | None:
        """Shows the camera's pictures to `work`, on a thread of its own, at a simulated table those of the game's
        board; None where nothing can be calibrated.
        """

    def recent(self) -> Sequence[Summary]:
        """The newest games, newest first."""

    def names(self) -> Sequence[str]:
        """Names of people who have played, the last ones first."""

    def best(self, game: str, period: Period) -> Sequence[Result]:
        """The best scores of this week, month or year, best first."""

    def new_game(self, game: str, players: Sequence[Player], options: Mapping[str, object]) -> TableModel:
        """Begins a game.

        Raises:
            SetupError: an impossible number of players, or an option that the game does not have.
        """

    def open_game(self, record: str, *, watch: bool = True) -> TableModel:
        """Goes on with a game where it was, or shows one that is over; without `watch` no camera looks on.

        Raises:
            StoreError: there is no such record, or it cannot be read.
        """

    def record(self, name: str) -> Record:
        """Everything that is on record of a game.

        Raises:
            StoreError: there is no such record, or it cannot be read.
        """

    def picture(self, name: str | None) -> Path | None:
        """The file of a picture that an entry of a record names; None where there is none any more."""

    def case_file(self, name: str) -> Path:
        """Where a case of that name is written to."""

    def games(self, first: int, count: int) -> Sequence[Summary]:
        """So many games on record from the one with the number `first` (from 0) on, the newest first."""

    def statistics(self, name: str, game: str | None = None) -> Statistics:
        """What somebody has reached so far, in one game or in all."""

    def recognise(self, on: bool) -> None:
        """Begins to look which game lies on the table, or ends it. Waits for nobody."""

    @property
    def recognised(self) -> str | None:
        """The game whose corner cards are seen; None where none is looked for or seen."""

    def setting(self, name: str) -> str | None:
        """A setting of the screens (`language`, `theme`, `sound`), None where it was never chosen."""

    def set_setting(self, name: str, value: str) -> None:
        """Keeps a setting."""
