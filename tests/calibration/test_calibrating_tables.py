"""Board, colours and lights of one table."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.board import Nudge, fit_board
from calibration.colours import ColoursError, arrangement, learn, recoloured
from calibration.leds import LedOrder, LedsError, ask_leds, in_order
from calibration.store import Calibrations
from companion.games.registry import GAMES, load_game
from companion.main import main
from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose
from companion.vision.locating.board import NoBoardError, locate
from hardware.lights import NoLights, Signals
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import Scene, scene_of

GAME = load_game("triangle")
SIZE = (1280, 720)


def taken(labels: dict[str, str], covered: tuple[int, ...] = ()) -> Array:
    conditions = Conditions.random(GAME, 5, 0.2, SIZE)
    scene = scene_of(GAME, labels)
    return Renderer(GAME, conditions).render(Scene(scene.pieces, covered=covered))


def located(image: Array) -> tuple[Array, Pose]:
    return image, locate(image, GAME, Lens.nominal(SIZE))


def test_the_board_is_measured_in_pixels_and_millimetres() -> None:
    fit = fit_board(taken({}), GAME, Lens.nominal(SIZE), Nudge())
    assert fit.millimetres < 1.0
    assert 450 < fit.height < 1050
    assert 0 <= fit.tilt < 40


def test_a_covered_card_is_named() -> None:
    with pytest.raises(NoBoardError, match="the cards 1 are not seen"):
        fit_board(taken({}, covered=(1,)), GAME, Lens.nominal(SIZE), Nudge())


def test_a_nudge_moves_the_sites() -> None:
    image = taken({})
    plain = fit_board(image, GAME, Lens.nominal(SIZE), Nudge()).pose
    moved = fit_board(image, GAME, Lens.nominal(SIZE), Nudge(3.0, -2.0, 90.0 / 30)).pose
    a = np.radians(3.0)
    point = np.array([[40.0, 10.0, 0.0]])
    turned = [40 * np.cos(a) + 10 * np.sin(a) + 3.0, -40 * np.sin(a) + 10 * np.cos(a) - 2.0, 0.0]
    assert np.allclose(moved.project(point), plain.project(np.array([turned])), atol=1e-6)


@pytest.mark.parametrize("text", ["1,2", "a,b,c", "100,0,0", "nan,0,0"])
def test_impossible_nudges_are_refused(text: str) -> None:
    with pytest.raises(NoBoardError, match="nudge"):
        Nudge.parse(text)


@pytest.mark.parametrize("name", GAMES)
def test_the_arrangement_shows_what_the_set_has(name: str) -> None:
    game = load_game(name)
    sites, laid = {site.name: site for site in game.sites}, arrangement(game)
    assert laid
    for site, label in laid.items():
        assert label in sites[site].labels
        if sites[site].on:
            assert sites[site].place(laid[sites[site].on]) is not None
    shown = {solid.colour for site, label in laid.items() for solid in game.look(sites[site].kind, label)}
    every = {solid.colour for site in game.sites for label in site.labels for solid in game.look(site.kind, label)}
    assert shown == every


def test_colours_are_learned_and_written_into_a_set_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, labels in (("empty", {}), ("laid", arrangement(GAME))):
        cv2.imwrite(str(tmp_path / f"{name}.png"), taken(labels))
    out = tmp_path / "mine.toml"
    pictures = [str(tmp_path / "empty.png"), str(tmp_path / "laid.png")]
    assert main(["calibrate", "colours", "triangle", *pictures, "--out", str(out)]) == 0
    own, first = load_game("triangle", out), load_game("triangle")
    assert own.set.tile.colours != first.set.tile.colours
    for letter, colour in first.set.tile.colours.items():
        assert np.abs(np.array(own.set.tile.colours[letter]) - np.array(colour)).max() < 60
    assert "name it as sets.triangle" in capsys.readouterr().out


def test_other_things_than_shown_are_refused() -> None:
    empty, labels = located(taken({})), arrangement(GAME)
    with pytest.raises(ColoursError, match="do the pieces lie as shown"):
        learn(GAME, empty, empty, labels)


def test_only_colours_are_exchanged_in_a_set_file() -> None:
    text = "a = [1, 2, 3]  # as printed\nids = [1, 2, 3, 4]\nb = [[1.0, 2.0, 3.0]]\n"
    assert recoloured(text, {(1, 2, 3): (9, 8, 7)}) == text.replace("a = [1, 2, 3]", "a = [9, 8, 7]")


def test_leds_are_put_in_order() -> None:
    glowing: list[Signals] = []

    class Seen(NoLights):
        def _change(self, signals: Signals) -> None:
            glowing.append(signals)

    answers = iter(["2", "1", "status"])
    order = ask_leds(Seen(), 2, lambda led: next(answers))
    assert order == LedOrder((1, 0), 2)
    assert [sum(signal.colour != (0, 0, 0) for signal in (*s.seats, s.status)) for s in glowing] == [1, 1, 1, 0]
    assert in_order([(1,), (2,)], (3,), order) == (((2,), (1,)), (3,))
    assert in_order([(1,), (2,), (4,)], (3,), order) == (((1,), (2,), (4,)), (3,))


@pytest.mark.parametrize("answers", [["1", "1", "status"], ["", "2", "status"], ["3", "1", "2"]])
def test_answers_that_make_no_order_are_refused(answers: list[str]) -> None:
    given = iter(answers)
    with pytest.raises(LedsError):
        ask_leds(NoLights(), 2, lambda led: next(given))


def test_the_board_command_keeps_a_nudge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    cv2.imwrite(str(tmp_path / "p.png"), taken({}))
    over = tmp_path / "over.png"
    arguments = ["calibrate", "board", "triangle", str(tmp_path / "p.png"), "--json"]
    assert main([*arguments, "--nudge", "1,0.5,-1", "--overlay", str(over)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cards"] == [0, 1, 2]
    assert told["nudge"] == [1, 0.5, -1]
    assert Calibrations(tmp_path).load("board-triangle", Nudge) == Nudge(1, 0.5, -1)
    assert cv2.imread(str(over)).shape == (SIZE[1], SIZE[0], 3)
    assert main(["calibrate", "board", "triangle", str(tmp_path / "p.png"), "--nudge", "50,0,0"]) == 3
