"""What can go wrong with the record and where it is kept. Each message is a sentence that says what would be right."""

from __future__ import annotations

from companion.games.core import Action, GameError, IllegalActionError, Refusal


class StoreError(Exception):
    """The store cannot do what was asked; nothing that it has confirmed is lost."""


class FolderError(StoreError):
    """The data folder cannot be made, read or written."""


class DiskFullError(StoreError):
    """There is no space left."""


class LockedError(StoreError):
    """Another program holds the database for longer than we wait."""


class DamagedError(StoreError):
    """The database, or one record in it, is damaged."""


class ForeignDatabaseError(StoreError):
    """The file is the database of another program."""


class NewerSchemaError(StoreError):
    """A later version of this program has written the database."""


class ConflictError(StoreError):
    """Somebody else has gone on with the record, or has exchanged the database, since we looked."""


class UnknownRecordError(StoreError):
    """There is no record of that name."""


class RecordTextError(ValueError):
    """A text that is not a record; the message names the place in it and what would be right."""


class MatchError(ValueError):
    """Games that do not make a match or a cup; the message says why."""


class NothingToUndoError(GameError):
    """No action has been played that could be taken back."""


class UnknownActionError(GameError):
    """No action has that number."""


class IllegalSequenceError(IllegalActionError):
    """A list of actions that breaks a rule at the action `number` (from 1)."""

    def __init__(self, number: int, action: Action, refusal: Refusal) -> None:
        super().__init__(action, refusal)
        self.number = number
        self.args = (f"action {number} ({action}) would not be legal: refused by {refusal.clause}",)


class BackupError(StoreError):
    """A backup that cannot be made or used."""
