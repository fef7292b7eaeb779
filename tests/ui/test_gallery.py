"""Every screen in every language, size and theme: nothing clipped, nothing overlaps, everything can be hit and read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame
import pytest
from pygame import Rect

from companion.ui import gallery, gallery_calibration, gallery_games
from companion.ui.canvas import Canvas
from companion.ui.checks import faults
from companion.ui.language import LANGUAGES
from companion.ui.palette import PALETTES, contrast
from companion.ui.preferences import CHOICES, Preferences
from tests.ui.conftest import Program

EVERY = tuple(LANGUAGES)
SAMPLES = (
    ((800, 480), EVERY, "light", {}),
    ((1280, 720), EVERY, "dark", {}),
    ((720, 1280), EVERY, "contrast", {}),
    ((800, 480), ("de",), "contrast", {"text": "150", "hand": "left"}),
    ((1280, 720), ("fr",), "light", {"text": "125", "hand": "left"}),
    ((720, 1280), ("de",), "dark", {"text": "150"}),
)
"""Every language in every size; themes, sizes of text and hands in turn."""


@pytest.mark.parametrize(("size", "languages", "theme", "preferences"), SAMPLES)
def test_no_screen_has_a_fault(
    size: tuple[int, int], languages: tuple[str, ...], theme: str, preferences: dict[str, str]
) -> None:
    count, wrong = 0, []
    for language in languages:
        for shot in gallery.shots([size], [language], [theme], sampled(size, language), **preferences):
            count += 1
            wrong += [(shot.language, shot.theme, shot.name, fault) for fault in shot.faults]
    assert wrong == []
    assert count > 50 * len(languages)


def sampled(size: tuple[int, int], language: str) -> Callable[[str], bool]:
    """The moments of games and calibrations come in each size and in each language, but not in each language of each
    size.
    """
    games = moments()
    turn = gallery.SIZES.index(size) + EVERY.index(language)
    chosen = {name for k, name in enumerate(games) if (k + turn) % len(EVERY) == 0}
    return lambda name: name not in games or name in chosen


def moments() -> list[str]:
    return [*gallery_games.scenes(None), *gallery_calibration.scenes()]  # type: ignore[arg-type]


def test_every_moment_of_a_game_is_sampled_in_each_size_and_in_each_language() -> None:
    games = moments()
    assert len(games) > 60
    for name in games:
        assert all(any(sampled(size, language)(name) for language in EVERY) for size in gallery.SIZES)
        assert all(any(sampled(size, language)(name) for size in gallery.SIZES) for language in EVERY)


def test_every_theme_and_preference_is_sampled() -> None:
    assert {theme for _, _, theme, _ in SAMPLES} == set(PALETTES)
    for name in ("text", "hand"):
        chosen = {preferences.get(name, getattr(Preferences(), name)) for _, _, _, preferences in SAMPLES}
        assert chosen == set(CHOICES[name])


def test_the_pictures_are_written(tmp_path: Path) -> None:
    written = gallery.render(tmp_path, [(800, 480)], ["de"], ["dark"], only=lambda name: name == "table-2")
    assert [file.relative_to(tmp_path).as_posix() for file, _ in written] == ["800x480/de-dark/table-2.png"]
    assert pygame.image.load(written[0][0]).get_size() == (800, 480)


def test_the_checks_find_what_is_wrong(program: Program) -> None:
    finger = program()
    screen, app = finger.app.screen, finger.app
    canvas = Canvas(app.surface, app.metrics, app.palette)
    canvas.notes = []
    app.surface.fill(app.palette.ground)
    canvas.line("far too long for so little room", Rect(10, 10, 60, 30))
    canvas.line("pale", Rect(10, 60, 200, 30), colour=(225, 225, 220))
    canvas.line("one over", Rect(300, 100, 200, 30))
    canvas.line("the other", Rect(310, 104, 200, 30))
    canvas.line("Bartholomäus von und zu", Rect(10, 200, 90, 30), name=True)
    screen.button(Rect(500, 300, 30, 60), "small", lambda: None)
    screen.button(Rect(510, 320, 80, 60), "over it", lambda: None)
    screen.button(Rect(760, 420, 80, 80), "outside", lambda: None)
    found = " / ".join(faults(screen, canvas.notes))
    for complaint in (
        "text is clipped: 'far too long",
        "contrast of 'pale' is",
        "texts overlap: 'one over' and 'the other'",
        "text is cut by an ellipsis: 'Bartholo",
        "target 'small' is 30x60",
        "buttons overlap: 'small' and 'over it'",
        "button 'outside' is not wholly on the screen",
    ):
        assert complaint in found


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_players_colours_stay_apart_for_colour_blind_eyes() -> None:
    """Deuteranopia and protanopia leave about two axes: yellow to blue, and light to dark."""
    for palette in PALETTES.values():
        seen = {name: _as_seen(colour) for name, colour in palette.players.items() if name in NAMES}
        for one in NAMES:
            for other in NAMES:
                if one < other:
                    distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
                    assert distance > 24, (palette.name, one, other, distance)


NAMES = ("red", "blue", "green", "yellow")


def _as_seen(colour: tuple[int, int, int]) -> tuple[float, float]:
    red, green, blue = colour
    light = 0.21 * red + 0.72 * green + 0.07 * blue
    return light, 0.6 * (blue - (red + green) / 2)
