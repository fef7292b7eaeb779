"""Colours that are no longer those of the set file are noticed: late, once, and until they are right again."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

from calibration.colours import recoloured
from companion.games.registry import load_game
from companion.table.drift import LIMIT, STEADY, Drift
from companion.vision.observation import Observation
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import scene_of
from tests.table.test_conductor import Table, ToldEye

LABELS = {"cell:0": "GRB3/0", "cell:12": "RRY5/1", "cell:20": "BBR5/0", "cell:25": "PPP6/0", "cell:30": "YYB5/0"}


def test_a_short_change_is_nothing() -> None:
    drift = Drift()
    assert not drift.see(2 * LIMIT, 0.0)
    assert not drift.see(2 * LIMIT, STEADY - 1)
    assert not drift.see(LIMIT / 2, STEADY)
    assert not drift.see(2 * LIMIT, STEADY + 1)
    assert not drift.noticed


def test_a_steady_change_is_noticed_once_and_forgotten_when_it_is_gone() -> None:
    drift = Drift()
    seen = [drift.see(2 * LIMIT, float(time)) for time in range(0, int(3 * STEADY), 10)]
    assert seen.count(True) == 1
    assert drift.noticed
    assert not drift.see(None, 4 * STEADY)
    assert drift.noticed
    assert drift.see(0.1, 5 * STEADY)
    assert not drift.noticed


class FadedEye(ToldEye):
    """Sees colours that are off."""

    def __init__(self) -> None:
        super().__init__()
        self.drift = 2 * LIMIT

    def observe(self, frame: Frame) -> Observation:
        return replace(super().observe(frame), drift=self.drift)


def test_the_table_tells_of_it_once(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.deal()
    table.conductor._eye = eye = FadedEye()
    table.show()
    eye.labels = table.eye.labels
    told = {"notice": "the colours have changed: calibrate them"}
    table.look(int(STEADY) - 20)
    assert not table.conductor.state().drifted
    table.look(int(STEADY))
    assert table.conductor.state().drifted
    assert [{"notice": one.get("notice")} for one in table.told].count(told) == 1
    eye.drift = 0.1
    table.look()
    assert not table.conductor.state().drifted
    table.store.close()


def drift_of(colours: dict[tuple[int, int, int], tuple[int, int, int]], folder: Path) -> float | None:
    """How far the colours of a table of Triangle are off, with a set painted so, as the usual set's watcher sees it."""
    text = (resources.files("companion.games.triangle") / "set.toml").read_text("utf-8")
    file = folder / f"painted{len(colours)}.toml"
    file.write_text(recoloured(text, colours), "utf-8")
    painted = load_game("triangle", file)
    conditions = Conditions.random(painted, 3, 0.2, (1280, 720)).quick()
    image = Renderer(painted, conditions).render(scene_of(painted, LABELS))
    watcher = Watcher(load_game("triangle"))
    for number in range(4):
        observation = watcher.observe(Frame(image, 0.5 * number, number))
    return observation.drift


def test_pictures_of_other_colours_drift_farther_than_those_of_the_set(tmp_path: Path) -> None:
    usual = drift_of({}, tmp_path)
    colours = load_game("triangle").set.tile.colours  # type: ignore[attr-defined]
    faded = {
        colour: (round(0.5 * r + 60), round(0.5 * g + 60), round(0.5 * b + 60))
        for colour in colours.values()
        for r, g, b in [colour]
    }
    drifted = drift_of(faded, tmp_path)
    assert usual is not None
    assert usual < LIMIT
    assert drifted is not None
    assert drifted > LIMIT
