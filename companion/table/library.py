"""The library: games played, people, settings, and the way to a running table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from calibration.bench import Bench, Work
from companion.games.registry import table_game
from companion.table.conductor import Conductor
from companion.table.looking import Looking, Watching
from companion.table.own_sets import OwnSets
from companion.table.recognising import Recognising
from companion.table.record import Record
from companion.table.results import Period, Result, Statistics, best_scores, statistics
from companion.table.session import Session
from companion.table.state import Player
from companion.table.store import Store, Summary
from companion.table.trouble import explained
from companion.table.workshop import Workshop
from companion.vitals import Vitals
from hardware.camera import Camera

CASES = "cases"
"""The part of the data folder for cases that were exported."""

RECENT = 20
"""How many games the library shows."""


class OpenTable(Conductor):
    """A running game with its camera on a thread of its own, where it has one."""

    def __init__(
        self,
        session: Session,
        watching: Watching | None,
        vitals: Vitals | None = None,
    ) -> None:
        super().__init__(session, watching.eye if watching else None)
        self._looking = Looking(self, watching.camera, vitals, watching.people) if watching else None
        if self._looking is not None:
            self._looking.start()

    def finish(self) -> None:
        """Leaves the table and frees its camera; the record stays."""
        if self._looking is not None:
            self._looking.stop()


class Library:
    """Everything on record, and new games. `watching` says what watches a session, None for nothing; `camera`
    opens the camera while there is no game yet, to see which one lies on the table.
    """

    def __init__(
        self,
        store: Store,
        watching: Callable[[Session], Watching | None] = lambda session: None,
        camera: Callable[[], Camera] | None = None,
        *,
        set_file: Callable[[str], Path | None] = lambda game: None,
        vitals: Vitals | None = None,
        workshop: Callable[[OwnSets], Workshop] | None = None,
    ) -> None:
        """`set_file`: the file of a set of one's own for a game, if the configuration names one. `vitals` gets signs of
        life of the loops that watch a table. `workshop` makes the place where the table is calibrated, if it can be.
        """
        self._store = store
        self._watching = watching
        self._camera = camera
        self.sets = OwnSets(store, set_file)
        self.workshop = workshop(self.sets) if workshop is not None else None
        self._bench: Bench | None = None
        self._vitals = vitals
        self._recognising: Recognising | None = None

    def recognise(self, on: bool) -> None:
        """Begins to look which game lies on the table, or ends it."""
        if self._recognising is not None and not on:
            self._recognising.stop()
        elif on and self._camera is not None and (self._recognising is None or not self._recognising.wanted):
            self._recognising = Recognising(self._after_others(self._camera))
            self._recognising.start()

    @property
    def recognised(self) -> str | None:
        """The game whose corner cards are seen; None where none is looked for or seen."""
        looking = self._recognising
        return looking.game if looking is not None and looking.wanted else None

    def _after_others(self, open_camera: Callable[[], Camera]) -> Callable[[], Camera]:
        """Opens the camera when whoever has it now, to look for a game or to calibrate, has given it back."""
        free = self._freed()

        def opened() -> Camera:
            free()
            return open_camera()

        return opened

    def bench(self, work: Work, game: str | None = None) -> Bench | None:
        """Shows the camera's pictures to `work`, at a simulated table those of the game's board; None where nothing can
        be calibrated.
        """
        if self.workshop is None:
            return None
        self.recognise(False)
        self._bench = self.workshop.bench(work, game, self._freed())
        self._bench.start()
        return self._bench

    def _freed(self) -> Callable[[], None]:
        """Waits until those who have the camera now have given it back."""
        users = [user for user in (self._recognising, self._bench) if user is not None]

        def wait() -> None:
            for user in users:
                user.ended()

        return wait

    def close(self) -> None:
        """Frees the camera, whoever has it."""
        self.recognise(False)
        self._freed()()

    def recent(self) -> Sequence[Summary]:
        """The newest games, newest first."""
        return self._store.records(RECENT)

    def names(self) -> Sequence[str]:
        """Names of people who have played, the last ones first."""
        return self._store.players()

    def best(self, game: str, period: Period) -> Sequence[Result]:
        """The best scores of this week, month or year, best first."""
        return best_scores(self._store, game, period)

    def new_game(self, game: str, players: Sequence[Player], options: Mapping[str, object]) -> OpenTable:
        """Begins a game.

        Raises:
            SetupError: an impossible number of players, or an option that the game does not have.
            SetError: the file of the set of one's own cannot be used.
            StoreError: it cannot be stored.
        """
        file = self.sets.file(game)
        return self._opened(Session.create(self._store, table_game(game, file), players, options, set_file=file))

    def open_game(self, record: str, *, watch: bool = True) -> OpenTable:
        """Goes on with a game where it was, or shows one that is over; without `watch` no camera looks on.

        Raises:
            StoreError: there is no such record, or it cannot be read.
        """
        return self._opened(Session.resume(self._store, record), watch)

    def record(self, name: str) -> Record:
        """Everything that is on record of a game.

        Raises:
            StoreError: there is no such record, or it cannot be read.
        """
        return self._store.record(name)

    def picture(self, name: str | None) -> Path | None:
        """The file of a picture that an entry of a record names; None where there is none any more."""
        return self._store.pictures.path(name)

    def case_file(self, name: str) -> Path:
        """Where a case of that name is written to.

        Raises:
            StoreError: nothing can be written there.
        """
        folder = self._store.folder / CASES
        with explained(folder):
            folder.mkdir(exist_ok=True)
        return folder / f"{name}.pdf"

    def games(self, first: int, count: int) -> Sequence[Summary]:
        """So many games on record from the one with the number `first` (from 0) on, the newest first."""
        return self._store.records(first + count)[first:]

    def statistics(self, name: str, game: str | None = None) -> Statistics:
        """What somebody has reached so far, in one game or in all."""
        return statistics(self._store, name, game)

    def setting(self, name: str) -> str | None:
        """A setting of the screens, None where it was never chosen."""
        value = self._store.setting(name)
        return value if isinstance(value, str) else None

    def set_setting(self, name: str, value: str) -> None:
        """Keeps a setting."""
        self._store.set_setting(name, value)

    def _opened(self, session: Session, watch: bool = True) -> OpenTable:
        watching = self._watching(session) if watch and not session.position.over else None
        if not watching:
            return OpenTable(session, None)
        self.recognise(False)
        eye, camera, people = watching
        return OpenTable(session, Watching(eye, self._after_others(camera), people), self._vitals)
