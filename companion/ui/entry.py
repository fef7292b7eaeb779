"""Entering an action by hand, step by step, from the list of legal ones."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.core import Action
from companion.ui.games import Face, Piece, Site, Step, Word


class Entry:
    """An action on its way: the steps chosen so far, and the actions that still begin so."""

    def __init__(self, face: Face, actions: Sequence[Action]) -> None:
        self._ways = [(face.steps(action), action) for action in actions]
        self.chosen: tuple[Step, ...] = ()

    @property
    def options(self) -> tuple[Step, ...]:
        """What can be chosen next, each once."""
        done = len(self.chosen)
        return tuple(dict.fromkeys(steps[done] for steps, _ in self._open() if len(steps) > done))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The options that are pieces."""
        return tuple(option for option in self.options if isinstance(option, Piece))

    @property
    def sites(self) -> tuple[str, ...]:
        """The options that are places on the board."""
        return tuple(option.name for option in self.options if isinstance(option, Site))

    @property
    def words(self) -> tuple[Word, ...]:
        """The options that are words."""
        return tuple(option for option in self.options if isinstance(option, Word))

    def choose(self, step: Step) -> Action | None:
        """Takes one of the options, and the steps after it that leave no choice; the action, once it is complete."""
        self.chosen = (*self.chosen, step)
        while len(self.options) == 1:
            self.chosen = (*self.chosen, self.options[0])
        ways = self._open()
        return ways[0][1] if len(ways) == 1 and ways[0][0] == self.chosen else None

    def keep(self, site: str) -> bool:
        """Leaves only actions that touch the site; whether there are any (otherwise nothing changes)."""
        ways = [(steps, action) for steps, action in self._ways if Site(site) in steps]
        if ways:
            self._ways = ways
        return bool(ways)

    def _open(self) -> list[tuple[tuple[Step, ...], Action]]:
        done = len(self.chosen)
        return [(steps, action) for steps, action in self._ways if steps[:done] == self.chosen]
