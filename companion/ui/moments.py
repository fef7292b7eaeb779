"""Moments of a record in words: what kind of entry it is, and what it says."""

from __future__ import annotations

from companion.games.core import Refusal
from companion.table.record import Kind
from companion.table.review import Moment
from companion.table.state import TableState
from companion.ui.games import Face
from companion.ui.language import Words


def moment_title(moment: Moment, words: Words) -> str:
    """What kind of entry it is."""
    entry = moment.entry
    if entry.kind is Kind.NOTE:
        return words("Not allowed") if entry.who == "verdict" else words("A question")
    return {
        Kind.PLAY: words("An action"),
        Kind.UNDO: words("Taken back"),
        Kind.CORRECT: words("Corrected"),
        Kind.RULING: words("A ruling"),
        Kind.PAUSE: words("Paused") if entry.text == "pause" else words("Gone on"),
        Kind.RESULT: words("Result"),
    }[entry.kind]


def moment_text(moment: Moment, state: TableState, face: Face, words: Words) -> str:
    """What it says: the clause, the reason, how points come about."""
    entry, game = moment.entry, moment.after.game
    names = [player.name for player in state.players]
    if entry.kind is Kind.NOTE:
        told = moment.told
        clause = str(told.get("clause"))
        if clause in game.clauses:
            return f"{clause}: {game.clauses.text(Refusal(clause), words.language, names)}"
        return words(str(told["question"])) if "question" in told else ""
    if entry.kind is Kind.RULING:
        return f"{entry.who}: {entry.text}"
    if entry.kind is Kind.UNDO:
        return entry.text or words("From action {n} on").format(n=entry.target)
    if moment.played is not None:
        return face.telling(moment.played, game, names, words) or str(moment.played.action)
    return entry.text or ""
