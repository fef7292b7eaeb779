"""The door: what goes wrong becomes one sentence on standard error and an exit status, never a traceback."""

from __future__ import annotations

import errno
import logging
import os
import sys
import threading
import time
import traceback
import warnings
from pathlib import Path

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
    "calibration.charts.ChartError": BAD_INPUT,
    "calibration.colours.ColoursError": BAD_INPUT,
    "calibration.leds.LedsError": BAD_INPUT,
    "calibration.printing.PaperError": BAD_INPUT,
    "calibration.store.CalibrationError": STORAGE,
    "companion.configuration.ConfigurationError": BAD_INPUT,
    "companion.games.core.GameError": BAD_INPUT,
    "companion.games.sets.SetError": BAD_INPUT,
    "companion.table.errors.MatchError": BAD_INPUT,
    "companion.table.errors.RecordTextError": BAD_INPUT,
    "companion.table.errors.UnknownRecordError": BAD_INPUT,
    "companion.table.errors.StoreError": STORAGE,
    "companion.table.film.FilmError": FAILED,
    "companion.vision.anyboard.pose.CornersError": BAD_INPUT,
    "companion.vision.locating.board.NoBoardError": NO_BOARD,
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


class _ErrorLog(logging.Handler):
    """Keeps what modules log, tracebacks too, away from people's eyes."""

    def emit(self, record: logging.LogRecord) -> None:
        _write_log(self.format(record))


_ERROR_LOG = _ErrorLog(logging.WARNING)


def guard() -> None:
    """From now on warnings are said as errors are, and tracebacks, also those of threads, go to the log alone."""
    warnings.showwarning = lambda message, *place: _say(str(message))
    logging.getLogger().addHandler(_ERROR_LOG)
    threading.excepthook = lambda thread: report(thread.exc_value) if thread.exc_value else None


def _say(message: str) -> None:
    print(f"companion: {' '.join(message.split())}", file=sys.stderr)


def _leave_quietly() -> int:
    """Whoever read our output is gone: nothing more can be said, not even when Python flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


def _log(error: BaseException) -> str:
    path, trouble = _write_log("".join(traceback.format_exception(error)))
    return f"the log {path} could not be written: {trouble}" if trouble else f"please report it with the log {path}"


def _write_log(text: str) -> tuple[Path, str]:
    """Adds to the log; where it is, and what went wrong, if anything did."""
    from companion.configuration import state_folder

    path = state_folder() / "errors.log"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as log:
            log.write(time.strftime("--- %Y-%m-%d %H:%M:%S\n") + text.rstrip() + "\n")
    except OSError as error:
        return path, error.strerror or str(error)
    return path, ""
