"""Sounds and the voice: what is heard of a change at the table, and silence where there is nothing to hear it with."""

from __future__ import annotations

import stat
import sys
import time
from pathlib import Path

import numpy as np
import pygame
import pytest

from companion.games.core import CHANCE
from companion.referee.decision import Asks
from companion.ui import sound
from companion.ui.sound import RATE, WAVES, Sounds, Voice, samples
from companion.vision.observation import Scene
from tests.ui.conftest import Program
from tests.ui.games import played
from tests.ui.memory import MemoryLibrary
from tests.ui.test_table import at_table


@pytest.mark.parametrize("name", list(WAVES))
def test_sounds_are_short_and_neither_silent_nor_clipped(name: str) -> None:
    wave = np.frombuffer(samples(name), "<i2").astype(float) / 32_768
    assert 0.05 < len(wave) / RATE < 1.6
    assert 0.3 < np.abs(wave).max() < 0.5
    assert np.abs(wave[-RATE // 100 :]).max() < 0.05  # it has died away, so that it does not click


def test_what_counts_and_what_is_asked_can_be_heard(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(Sounds, "play", lambda self, name: heard.append(name) if self.on else None)
    library = MemoryLibrary(["Ada", "Ben"])
    finger, table = at_table(program, library)
    assert heard == []
    while table.state().position.turn != CHANCE:
        table.enter(table.state().position.legal_actions()[0])
    finger.settle()
    assert heard == ["accepted"]
    table.change(scene=Scene.STILL, issue=Asks("differs", ("cell:3",)))
    finger.settle()
    assert heard == ["accepted", "question"]
    finger.app.prefer(sound="off")
    table.change(issue=None)
    table.change(issue=Asks("differs", ("cell:4",)))
    finger.settle()
    assert heard == ["accepted", "question"]


def test_the_audio_device_is_given_back_when_nothing_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.init()
    sounds = Sounds(True)
    sounds.play("accepted")
    assert pygame.mixer.get_init() is not None
    monkeypatch.setattr(sound, "QUIET_AFTER", 0.0)
    sounds.rest()
    assert pygame.mixer.get_init() is None


def test_without_an_audio_device_there_is_silence_and_no_word(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "alsa")
    monkeypatch.setenv("AUDIODEV", "nothing-there")
    sounds = Sounds(True)
    for _ in range(3):
        sounds.play("wrong")
    sounds.close()
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def espeak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in espeak-ng's place that writes down what it is to say."""
    said = tmp_path / "said"
    program = tmp_path / "espeak-ng"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(said)!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    sound.speaker.cache_clear()
    yield said  # type: ignore[misc]
    sound.speaker.cache_clear()


def spoken(said: Path, voice: Voice, lines: int) -> list[str]:
    end = time.monotonic() + 10
    while not said.exists() or len(said.read_text().splitlines()) < lines:
        assert time.monotonic() < end
        voice.rest()
        time.sleep(0.01)
    return said.read_text().splitlines()


def test_whose_turn_it_is_is_said_in_the_language_of_the_screens(program: Program, espeak: Path) -> None:
    library = MemoryLibrary()
    library.settings["speech"] = "on"
    table = played(library, actions=26)
    finger = program(library, model=table, language="de")
    before = table.state().position.turn
    while table.state().position.turn in (before, CHANCE):
        table.enter(table.state().position.legal_actions()[0])
    finger.settle()
    name = table.players[table.state().position.turn or 0].name
    (line,) = spoken(espeak, finger.app.voice, 1)
    assert line.startswith("-v de ")
    assert line.endswith(f"-- {name}, du bist dran")


def test_what_was_not_yet_said_gives_way_to_what_is_newer(espeak: Path) -> None:
    voice = Voice(True)
    voice.say("one", "en")
    voice.say("two", "en")
    voice.say("three", "en")
    lines = spoken(espeak, voice, 2)
    assert [line.split()[-1] for line in lines] == ["one", "three"]
    voice.close()


def test_without_espeak_spoken_turns_cannot_be_chosen(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sound.speaker.cache_clear()
    finger = program(MemoryLibrary())
    finger.tap("Settings")
    assert finger.reads("espeak-ng is missing")
    assert [button.label for button in finger.buttons()].count("On") == 1  # that of the sounds
    Voice(True).say("nothing happens", "en")
    sound.speaker.cache_clear()


def test_preferences_are_kept_and_hold_at_once(program: Program) -> None:
    library = MemoryLibrary()
    finger = program(library)
    finger.tap("Settings")
    for label in ("High contrast", "150 %", "Left hand"):
        finger.tap(label)
    assert library.settings | {"theme": "contrast", "text": "150", "hand": "left"} == library.settings
    assert finger.app.surface.get_at((2, 2))[:3] == (0, 0, 0)
    again = program(library, model=played(library), theme=None)
    screen = again.app.screen
    assert screen.panel_rect.right < screen.board_rect.left  # type: ignore[attr-defined]
    assert again.app.metrics.text == 1.5
    library.settings["text"] = "400"  # by another version of the program
    assert program(library).app.metrics.text == 1.0


def test_large_texts_are_larger(program: Program) -> None:
    sizes = []
    for text in ("100", "150"):
        library = MemoryLibrary()
        library.settings["text"] = text
        finger = program(library, size=(1280, 720))
        finger.tap("Settings")
        finger.tap("About")
        notes: list = []  # type: ignore[type-arg]
        finger.app.notes = notes
        finger.app.redraw()
        finger.settle()
        sizes.append(next(note.ink.width for note in notes if note.text == "Version"))
    assert 1.3 < sizes[1] / sizes[0] < 1.55
