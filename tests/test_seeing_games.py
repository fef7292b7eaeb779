"""Whole chains, frames in and record out: a film with its text beside it, and the beginning of a simulated game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.watch import follow
from companion.games.registry import load_game
from companion.main import cli
from companion.table.conductor import Conductor, Happening
from companion.table.rehearsal import Rehearsal
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.store import Store
from companion.vision.watching.watcher import Watcher
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedCamera, SimulatedTable

FOOTAGE = Path(__file__).parents[2] / "shared" / "footage"


@pytest.mark.skipif(not FOOTAGE.is_dir(), reason="the film lies beside the project")
def test_a_film_of_a_game_becomes_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    film = str(FOOTAGE / "triangle_game.mp4")
    arguments = ["watch", film, "--game", "triangle", "--players", "Ada,Ben", "--json"]
    done = CliRunner().invoke(cli, arguments, standalone_mode=False)
    told = [json.loads(line) for line in done.output.splitlines()]
    actions = [one["action"] for one in told if "action" in one and "verdict" not in one]
    assert actions == (FOOTAGE / "triangle_game.txt").read_text().splitlines()
    assert not [one for one in told if "verdict" in one or "question" in one]
    result = told[-1]["result"]
    assert (result["scores"], result["winners"], result["over"]) == ([120, 94], [0], True)


def test_a_simulated_game_is_recorded_as_it_is_played(tmp_path: Path) -> None:
    game = load_game("triangle")
    players = seated(game, ["Ada", "Ben"])
    rehearsal = Rehearsal(game, 2, seed=1, limit=12)
    table = SimulatedTable(game, rehearsal.steps(), 1, 0.1)
    conditions = Conditions.random(game, 1, 0.3, (1280, 720), [0, 1])
    told: list[Happening] = []
    with Store(tmp_path) as store, SimulatedCamera(table, conditions, 3.0) as camera:
        session = Session.create(store, game, players)
        follow(camera, Conductor(session, Watcher(game), tell=told.append))
        assert [str(one.action) for one in session.played] == [str(action) for action in rehearsal.actions]
        assert session.position == rehearsal.position
    assert not [one for one in told if "verdict" in one or "question" in one]
