"""The door: what goes wrong becomes one sentence on standard error and an exit status, never a traceback."""

from __future__ import annotations

import errno
import os
import sys
import time
import traceback
import warnings

SUCCESS = 0
FAILED = 1
BAD_INPUT = 2
NO_BOARD = 3
STORAGE = 4
UNEXPECTED = 70
INTERRUPTED = 130

STATUSES = {
    SUCCESS: "success",
    FAILED: "the job failed: a question stayed open, a film broke off, a camera was lost",
    BAD_INPUT: "bad input: an unknown game or option, a file that is not what it should be, a wrong configuration",
    NO_BOARD: "no board in the picture",
    STORAGE: "the record cannot be stored or read: disk full, folder not writable, database torn",
    UNEXPECTED: "an error of the program itself; the log that the message names tells more",
    INTERRUPTED: "interrupted from the keyboard",
}
"""The exit statuses, and what they mean."""

FAMILIES = {
    "companion.configuration.ConfigurationError": BAD_INPUT,
    "companion.games.core.GameError": BAD_INPUT,
    "companion.games.sets.SetError": BAD_INPUT,
    "companion.table.errors.RecordTextError": BAD_INPUT,
    "companion.table.errors.UnknownRecordError": BAD_INPUT,
    "companion.table.errors.StoreError": STORAGE,
    "companion.table.film.FilmError": FAILED,
    "companion.vision.board.NoBoardError": NO_BOARD,
    "companion.vision.look.NotAPictureError": BAD_INPUT,
    "hardware.camera.SourceError": BAD_INPUT,
    "hardware.camera.CameraError": FAILED,
    "hardware.lights.LightsError": FAILED,
}
"""Our exceptions by full name, so that none of their modules is imported for it, and the status of each."""


def status_of(error: BaseException) -> int | None:
    """The exit status of one of our exceptions, or None where it is none of ours."""
    for kind in type(error).__mro__:
        status = FAMILIES.get(f"{kind.__module__}.{kind.__qualname__}")
        if status is not None:
            return status
    return STORAGE if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EROFS) else None


def report(error: BaseException) -> int:
    """Says on standard error what went wrong; the exit status."""
    if isinstance(error, BrokenPipeError):
        return _leave_quietly()
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    status = status_of(error)
    if status is not None:
        _say(str(error))
        return status
    _say(f"an unexpected error ({type(error).__name__}: {error}); {_log(error)}")
    return UNEXPECTED


def say_warnings() -> None:
    """From now on says warnings as errors are said, in one sentence each."""
    warnings.showwarning = lambda message, *place: _say(str(message))


def _say(message: str) -> None:
    print(f"companion: {' '.join(message.split())}", file=sys.stderr)


def _leave_quietly() -> int:
    """Whoever read our output is gone: nothing more can be said, not even when Python flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


def _log(error: BaseException) -> str:
    from companion.configuration import state_folder

    path = state_folder() / "errors.log"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as log:
            log.write(time.strftime("--- %Y-%m-%d %H:%M:%S\n"))
            log.writelines(traceback.format_exception(error))
    except OSError as trouble:
        return f"the log {path} could not be written: {trouble.strerror}"
    return f"please report it with the log {path}"
