"""What is heard of a change at the table: a sound, and a sentence for those who do not look."""

from __future__ import annotations

from companion.games.core import CHANCE
from companion.referee.decision import Refuses
from companion.table.state import By, TableState
from companion.ui.language import Words
from companion.ui.result_words import headline
from companion.ui.sound import Sounds, Voice


class Announcer:
    """Follows a table by ear."""

    def __init__(self, sounds: Sounds, voice: Voice) -> None:
        self._sounds, self._voice = sounds, voice
        self._state: TableState | None = None
        self._called: int | None = None  # the player who was called last

    def forget(self) -> None:
        """Another table, or none."""
        self._state = self._called = None

    def follow(self, state: TableState, words: Words) -> None:
        """Tells by ear what has changed since the last time; the first time nothing has."""
        before, self._state = self._state, state
        if before is None:
            self._called = state.position.turn
            return
        sound = sound_of(before, state)
        if sound is not None:
            self._sounds.play(sound)
        self._voice.say(self._sentence(before, state, words), words.language)

    def _sentence(self, before: TableState, after: TableState, words: Words) -> str:
        if after.issue is not None and after.issue != before.issue:
            return words("Not allowed") if isinstance(after.issue, Refuses) else words("A question")
        if after.position.over:
            return "" if before.position.over else headline(after, words)
        turn = after.position.turn
        if turn is None or turn in (CHANCE, self._called):
            return ""
        self._called = turn
        return words("{name}, it is your turn").format(name=after.players[turn].name)


def sound_of(before: TableState, after: TableState) -> str | None:
    """The sound of a change, None where there is nothing to be heard."""
    if after.issue is not None and after.issue != before.issue:
        return "wrong" if isinstance(after.issue, Refuses) else "question"
    if after.position.over and not before.position.over:
        return "over"
    if len(after.played) <= len(before.played):
        return None
    return "dice" if after.played[-1].by is By.DICE else "accepted"
