"""The library: games played, people, settings, and the way to a running table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.core import Game
from companion.games.registry import table_game
from companion.table.conductor import Conductor, Eye
from companion.table.looking import Looking
from companion.table.results import Period, Result, best_scores
from companion.table.session import Session
from companion.table.state import Player
from companion.table.store import Store, Summary
from hardware.camera import Camera

RECENT = 20
"""How many games the library shows."""


class OpenTable(Conductor):
    """A running game with its camera on a thread of its own, where it has one."""

    def __init__(self, session: Session, eye: Eye | None, open_camera: Callable[[], Camera] | None) -> None:
        super().__init__(session, eye)
        self._looking = Looking(self, open_camera) if open_camera is not None else None
        if self._looking is not None:
            self._looking.start()

    def finish(self) -> None:
        """Leaves the table and frees its camera; the record stays."""
        if self._looking is not None:
            self._looking.stop()


class Library:
    """Everything on record, and new games. `watching` gives a session's eye and camera, or None for neither."""

    def __init__(
        self,
        store: Store,
        watching: Callable[[Session], tuple[Eye, Callable[[], Camera]] | None] = lambda session: None,
    ) -> None:
        self._store = store
        self._watching = watching

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
            StoreError: it cannot be stored.
        """
        return self._opened(Session.create(self._store, self._game(game), players, options))

    def open_game(self, record: str) -> OpenTable:
        """Goes on with a game where it was, or shows one that is over.

        Raises:
            StoreError: there is no such record, or it cannot be read.
        """
        return self._opened(Session.resume(self._store, record))

    def setting(self, name: str) -> str | None:
        """A setting of the screens, None where it was never chosen."""
        value = self._store.setting(name)
        return value if isinstance(value, str) else None

    def set_setting(self, name: str, value: str) -> None:
        """Keeps a setting."""
        self._store.set_setting(name, value)

    def _opened(self, session: Session) -> OpenTable:
        watching = None if session.position.over else self._watching(session)
        return OpenTable(session, *watching) if watching else OpenTable(session, None, None)

    @staticmethod
    def _game(name: str) -> Game[Any, Any]:
        return table_game(name)
