"""Sets of one's own: the set files in the data folder, and which of them a game is played with."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Final

from companion.games.registry import check_set
from companion.table.store import Store
from companion.table.trouble import explained

USUAL: Final = ""
"""The name of the set that the configuration names, or else the game's own."""


class OwnSets:
    """The sets of one's own. A game's files are called `GAME-NAME.toml`; `usual` is the file that the configuration
    names for a game, if it does.
    """

    def __init__(self, store: Store, usual: Callable[[str], Path | None] = lambda game: None) -> None:
        self._store, self._usual = store, usual
        self._folder = store.folder / "sets"

    def names(self, game: str) -> tuple[str, ...]:
        """The sets of a game to choose from, the usual one first, then the newest."""
        files = sorted(self._folder.glob(f"{game}-*.toml"), reverse=True)
        return (USUAL, *(file.stem.removeprefix(f"{game}-") for file in files))

    def chosen(self, game: str) -> str:
        """The set that new games are played with."""
        name = self._store.setting(f"set {game}")
        return name if isinstance(name, str) and name in self.names(game) else USUAL

    def choose(self, game: str, name: str) -> None:
        """New games are played with that set.

        Raises:
            StoreError: that cannot be stored.
        """
        self._store.set_setting(f"set {game}", name)

    def file(self, game: str) -> Path | None:
        """The file of the chosen set, or None for the game's own."""
        name = self.chosen(game)
        return self._usual(game) if name == USUAL else self._path(game, name)

    def text(self, game: str) -> str:
        """The text of the chosen set's file."""
        file = self.file(game) or resources.files(f"companion.games.{game}") / "set.toml"
        return file.read_text("utf-8")

    def add(self, game: str, name: str, text: str) -> Path:
        """Keeps a set file under that name, whole or not at all, once it can be used.

        Raises:
            SetError: it cannot be used.
            StoreError: it cannot be written.
        """
        path = self._path(game, name)
        part = path.with_suffix(".part")
        with explained(self._folder):
            self._folder.mkdir(exist_ok=True)
            try:
                with part.open("w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                check_set(game, part)
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        return path

    def _path(self, game: str, name: str) -> Path:
        return self._folder / f"{game}-{name}.toml"
