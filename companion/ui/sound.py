"""Sounds and the voice: made at run time, optional, and silent where there is no audio device or no espeak-ng.

Nothing is ever said by sound alone: whatever is heard stands on the screen too.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import pygame
from numpy.typing import NDArray

LOG = logging.getLogger(__name__)

RATE = 22_050
"""Samples a second."""

QUIET_AFTER = 8.0
"""Seconds after which the audio device is given back: keeping it open costs a few percent of a small processor."""

VOLUME = 0.35

Wave = NDArray[np.float64]


def _note(frequency: float, seconds: float, decay: float = 9.0) -> Wave:
    """A struck bar: a tone with two overtones that die away sooner."""
    t = np.arange(round(seconds * RATE)) / RATE
    partials = ((1.0, 1.0, 1.0), (2.76, 0.35, 2.2), (5.4, 0.12, 3.5))
    wave = sum(part * np.sin(2 * np.pi * frequency * ratio * t) * np.exp(-decay * speed * t)
               for ratio, part, speed in partials)  # fmt: skip
    return np.asarray(wave * np.minimum(1.0, t * 400))


def _knock(strength: float, pitch: float) -> Wave:
    """Wood on wood."""
    return strength * _note(pitch, 0.09, 45.0)


def _together(*parts: tuple[float, Wave]) -> Wave:
    """Waves that begin at their times, in seconds."""
    length = max(round(start * RATE) + len(wave) for start, wave in parts)
    whole = np.zeros(length)
    for start, wave in parts:
        first = round(start * RATE)
        whole[first : first + len(wave)] += wave
    return whole


def _dice() -> Wave:
    """Dice that hop less and less."""
    at = (0.0, 0.09, 0.17, 0.29, 0.36, 0.47, 0.55, 0.61, 0.66)
    return _together(*((start, _knock(0.9 - start, 700 + 170 * (k % 3))) for k, start in enumerate(at)))


WAVES: dict[str, Callable[[], Wave]] = {
    "accepted": lambda: _together((0.0, _knock(0.6, 880)), (0.05, _knock(0.4, 1320))),
    "wrong": lambda: _together((0.0, _note(233, 0.35)), (0.18, _note(175, 0.5))),
    "question": lambda: _together((0.0, _note(440, 0.35)), (0.16, _note(587, 0.5))),
    "over": lambda: _together(*((0.14 * k, _note(f, 0.7, 5.0)) for k, f in enumerate((523, 659, 784, 1047)))),
    "dice": _dice,
}
"""Every sound by its name."""


@cache
def samples(name: str) -> bytes:
    """The sound as 16-bit samples, mono."""
    wave = WAVES[name]()
    loud: NDArray[np.int16] = (wave / np.abs(wave).max() * VOLUME * 32_767).astype("<i2")
    return loud.tobytes()


class Sounds:
    """Plays sounds while `on`; the audio device is opened when it is needed."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self._played = 0.0
        self._broken = False

    def play(self, name: str) -> None:
        """Plays the sound of that name, without waiting for it."""
        if not self.on or self._broken:
            return
        try:
            if pygame.mixer.get_init() is None:
                with _silent_libraries():
                    pygame.mixer.init(RATE, -16, 1, 512, allowedchanges=0)
            pygame.mixer.Sound(buffer=samples(name)).play()
        except pygame.error as error:
            LOG.info("there is no sound: %s", error)
            self._broken = True
        self._played = time.monotonic()

    def rest(self) -> None:
        """To be called now and then: gives the audio device back when nothing is heard any more."""
        if self._played and time.monotonic() - self._played > QUIET_AFTER:
            self.close()

    def close(self) -> None:
        """Gives the audio device back."""
        self._played = 0.0
        if pygame.mixer.get_init() is not None:
            pygame.mixer.quit()


@contextmanager
def _silent_libraries() -> Iterator[None]:
    """ALSA writes a page to standard error where there is no device; that is no news to anybody."""
    sys.stderr.flush()
    kept = os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nothing)
        os.close(kept)


VOICES = {"en": "en", "de": "de", "fr": "fr"}
"""espeak-ng's voices for our languages."""


@cache
def speaker() -> str | None:
    """Where espeak-ng is; None where it is not installed."""
    return shutil.which("espeak-ng")


class Voice:
    """Says sentences while `on`, one after the other; one that was not yet begun gives way to a newer one."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self._process: subprocess.Popen[bytes] | None = None
        self._next: list[str] | None = None

    def say(self, text: str, language: str) -> None:
        """Says the text, without waiting for it."""
        program = speaker()
        if self.on and program and text:
            self._next = [program, "-v", VOICES[language], "-s", "150", "--", text]
            self.rest()

    def rest(self) -> None:
        """To be called now and then: begins what is to be said next."""
        if self._process is not None and self._process.poll() is None:
            return
        self._process = None
        if self._next is not None:
            command, self._next = self._next, None
            try:
                self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            except OSError as error:
                LOG.info("nothing can be said: %s", error)
                self.on = False

    def close(self) -> None:
        """Falls silent."""
        self._next = None
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
