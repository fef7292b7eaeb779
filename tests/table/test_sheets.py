"""Tables of results, and the command that prints them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.games.registry import load_game
from companion.main import cli
from companion.table.seating import seated
from companion.table.session import Session
from companion.table.sheets import csv_text, table_text
from companion.table.state import By
from companion.table.store import Store


def test_a_table_has_aligned_columns() -> None:
    assert table_text(["player", "points"], [["Ada", 7], ["Benedikt", 120]]) == (
        "player    points\nAda            7\nBenedikt     120\n"
    )


def test_csv_quotes_what_needs_it() -> None:
    assert csv_text(["player", "points"], [["Ada, the first", 7]]) == 'player,points\n"Ada, the first",7\n'


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two games of Triangle to their end."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    game, names = load_game("triangle"), []
    with Store(tmp_path) as store:
        for seed in (1, 2):
            rng = random.Random(seed)
            session = Session.create(store, game, seated(game, ["Ada", "Ben"]))
            while not session.position.over:
                session.apply([rng.choice(session.position.legal_actions())], By.HAND)
            names.append(session.name)
    return names


def test_sheets_of_recorded_games(records: list[str]) -> None:
    for kind in ("match", "series"):
        done = CliRunner().invoke(cli, ["sheet", kind, *records], standalone_mode=False)
        assert done.exception is None
        assert "Ada" in done.output
        assert len(done.output.splitlines()) == 3
    done = CliRunner().invoke(cli, ["sheet", "best", "--period", "year", "--csv"], standalone_mode=False)
    assert len(done.output.splitlines()) == 5
    assert records[0] in done.output
