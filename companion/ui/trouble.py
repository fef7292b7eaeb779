"""What went wrong, in the language of the screens: one sentence that says what would be right."""

from __future__ import annotations

from companion.games.core import IllegalActionError, SetupError
from companion.table import errors
from companion.ui.case import CaseError
from companion.ui.language import Words, marked
from hardware.camera import CameraError

TEXTS: tuple[tuple[type[Exception], str], ...] = (
    (errors.DiskFullError, marked("The disk is full. Make room there and go on; nothing recorded is lost.")),
    (errors.LockedError, marked("Another program holds the records. Close it, or wait and try again.")),
    (errors.ConflictError, marked("Another program has gone on with this game. Leave it, and open it again.")),
    (errors.FolderError, marked("The folder of the records is locked. Make it writable, or choose another one.")),
    (errors.UnknownRecordError, marked("This game is not on record any more.")),
    (errors.DamagedError, marked("The records are damaged. Start the program again to save what can be read.")),
    (errors.NewerSchemaError, marked("The records were written by a later version of this program. Install that one.")),
    (errors.ForeignDatabaseError, marked("The file of the records belongs to another program. Choose another folder.")),
    (errors.StoreError, marked("The records cannot be used. Check the disk or the card, and start the program again.")),
    (errors.RecordTextError, marked("The record of this game cannot be read.")),
    (errors.NothingToUndoError, marked("There is nothing to take back: the game is at its beginning.")),
    (errors.UnknownActionError, marked("This action is not in the record any more.")),
    (IllegalActionError, marked("The rules do not allow this.")),
    (SetupError, marked("So many players, or these options, do not go together.")),
)
"""Kinds of errors, special ones first, with what is said of each."""


CAMERA: tuple[tuple[str, str], ...] = (
    ("no camera is connected", marked("No camera is connected. Check its cable with the power off.")),
    ("cannot be opened", marked("The camera cannot be opened. Does another program use it? It is tried again.")),
    ("gives no picture", marked("The camera gives no picture. Check its cable; it is being opened again.")),
    ("cannot be read", marked("The film or the pictures cannot be read.")),
    ("", marked("The camera does not work. It is tried again; until then enter by hand.")),
)
"""What cameras' messages contain, with what is said then; the first that fits."""


def trouble_text(error: Exception, words: Words) -> str:
    """The error in a sentence; of one that is not expected, its own message."""
    if isinstance(error, CaseError):
        return str(error)
    if isinstance(error, CameraError):
        return words(next(text for part, text in CAMERA if part in str(error)))
    for kind, text in TEXTS:
        if isinstance(error, kind):
            return words(text)
    return words("Something unexpected went wrong: {reason}").format(reason=str(error) or type(error).__name__)
