"""Whole games as readable text, with the points of every placement."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.registry import load_game
from tests.games.triangle_naive import NaiveTriangle

GAME = load_game("triangle")
GOLDEN = sorted((Path(__file__).parent / "golden").glob("triangle_*.txt"))
FILMED = Path(__file__).parents[3] / "shared" / "footage" / "triangle_game.txt"
POINTS = re.compile(r"# \w+: (\d+) × (\d+) × (\d+) = (\d+), now (\d+)")


def test_there_are_golden_games() -> None:
    assert len(GOLDEN) == 2


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_replays(path: Path) -> None:
    lines = path.read_text().splitlines()
    told = dict(line[2:].split(" ", 1) for line in lines if re.match("# (players|teams|over|scores|winners) ", line))
    players, teams = int(told["players"]), told["teams"] == "yes"
    position, naive = GAME.new(players, {"teams": teams}), NaiveTriangle(players, teams)
    for line in lines:
        text = line.split("#")[0].strip()
        if not text:
            continue
        action, player = GAME.parse(text), position.turn
        assert action in position.legal_actions()
        score = [event.facts for event in position.events(action) if event.kind == "score"]
        points = POINTS.search(line)
        assert bool(score) == bool(points) == text.startswith("place")
        naive.play(text)
        if points:
            value, edges, bonus, gained, total = map(int, points.groups())
            assert score == [{"player": player, "value": value, "edges": edges, "bonus": bonus, "points": gained}]
            assert naive.pegged(score[0]["player"]) == total
        position = position.play(action)
    assert position.explain(GAME.parse("pass")).clause == told["over"]
    assert list(position.scores) == naive.scores() == [int(score) for score in told["scores"].split()]
    assert list(position.winners) == [int(player) for player in told["winners"].split()]


def test_the_filmed_game_ends_120_to_94() -> None:
    if not FILMED.exists():
        pytest.skip("the filmed game is not on this machine")
    position = GAME.new(2)
    for text in FILMED.read_text().split("\n"):
        if text:
            assert text in map(str, position.legal_actions())
            position = position.play(GAME.parse(text))
    assert position.over
    assert (position.scores, position.winners) == ((120, 94), (0,))
