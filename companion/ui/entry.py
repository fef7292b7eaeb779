"""Entering an action by hand, step by step, from the list of those that are offered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.games.core import Action, Position
from companion.ui.games import Face, Piece, Site, Step, Word


class Entry:
    """An action on its way: the steps chosen so far, and the actions that still begin so.

    With `onward` the first steps are taken too where they leave no choice. A hidden hand's piece is never taken so:
    that would show it.
    """

    def __init__(self, face: Face, position: Position[Any], actions: Sequence[Action], *, onward: bool = False) -> None:
        self._private = face.private(position)
        self._kept = False
        self._ways = [(steps, action) for action in actions for steps in face.ways(position, action)]
        self.chosen: tuple[Step, ...] = ()
        if onward:
            self.chosen = self._onward(())
        self._first = self.chosen

    @property
    def begun(self) -> bool:
        """Whether something has been chosen that can be taken back."""
        return self.chosen != self._first

    @property
    def hidden(self) -> bool:
        """Whether a piece of a hidden hand is to be chosen now."""
        return any(self._hidden(option) for option in self.options)

    @property
    def options(self) -> tuple[Step, ...]:
        """What can be chosen next, each once."""
        return self._next(self.chosen)

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
        """Takes one of the options, and the steps after it that leave no choice; the action, once it is complete.

        A place on the board is always touched, unless `keep` has said already where it is.
        """
        self.chosen = (*self.chosen, step)
        while len(self.options) == 1 and self._forced(self.options[0]):
            self.chosen = (*self.chosen, self.options[0])
        done = {action for steps, action in self._open(self.chosen) if steps == self.chosen}
        return next(iter(done)) if len(done) == 1 and not self.options else None

    def keep(self, sites: Iterable[str]) -> bool:
        """Leaves only actions that touch one of the sites; whether there are any (otherwise nothing changes)."""
        wanted = {Site(site) for site in sites}
        ways = [(steps, action) for steps, action in self._ways if wanted & set(steps)]
        if ways:
            self._ways, self._kept = ways, True
        return bool(ways)

    def matching(self, actions: Sequence[Action], face: Face, position: Position[Any]) -> list[Action]:
        """Those of other actions that begin as what has been chosen."""
        done = len(self.chosen)
        return [a for a in actions if any(way[:done] == self.chosen for way in face.ways(position, a))]

    def _next(self, chosen: tuple[Step, ...]) -> tuple[Step, ...]:
        done = len(chosen)
        return tuple(dict.fromkeys(steps[done] for steps, _ in self._open(chosen) if len(steps) > done))

    def _onward(self, chosen: tuple[Step, ...]) -> tuple[Step, ...]:
        """The first steps that leave no choice, as long as others follow them."""
        options = self._next(chosen)
        while len(options) == 1 and self._next((*chosen, options[0])) and self._forced(options[0]):
            chosen = (*chosen, options[0])
            options = self._next(chosen)
        return chosen

    def _forced(self, option: Step) -> bool:
        return not self._hidden(option) and (self._kept or not isinstance(option, Site))

    def _hidden(self, option: Step) -> bool:
        """Whether the option is a piece of a hidden hand."""
        return isinstance(option, Piece) and option.kind in self._private

    def _open(self, chosen: tuple[Step, ...]) -> list[tuple[tuple[Step, ...], Action]]:
        done = len(chosen)
        return [(steps, action) for steps, action in self._ways if steps[:done] == chosen]
