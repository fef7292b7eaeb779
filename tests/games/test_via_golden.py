"""Whole games of VIA as readable text, with what each tile closes and each building brings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.registry import load_game
from tests.games.via_naive import NaiveVia

GAME = load_game("via")
GOLDEN = sorted((Path(__file__).parent / "golden").glob("via_*.txt"))
CLOSES = re.compile(r"([a-g]\d\.\d) \((\d+)\)")
POINTS = re.compile(r"# (\d+) points, now (\d+)")
OTHERWISE = {"land_alike": False, "free_water": True, "start_counts": False}


def test_there_are_golden_games() -> None:
    endings = {re.search("# over (.*)", path.read_text()).group(1) for path in GOLDEN}  # type: ignore[union-attr]
    assert endings >= {"VIA-END-1", "VIA-END-2", "VIA-END-3"}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_replays(path: Path) -> None:
    lines = path.read_text().splitlines()
    told = dict(re.findall("^# (players|options|over|scores|castles|winners) ?(.*)$", "\n".join(lines), re.MULTILINE))
    players, options = int(told["players"]), {name: OTHERWISE[name] for name in told["options"].split()}
    position, naive = GAME.new(players, options), NaiveVia(players, options)
    for line in lines:
        text = line.split("#")[0].strip()
        if not text:
            continue
        action, player = GAME.parse(text), position.player
        assert action in position.legal_actions()
        events = {(e.kind, e.facts.get("part"), e.facts.get("size")) for e in position.events(action)}
        assert {(part, size) for kind, part, size in events if kind == "close"} == {
            (part, int(size)) for part, size in CLOSES.findall(line)
        }
        naive.play(text)
        points = POINTS.search(line)
        assert bool(points) == text.startswith(("house", "castle"))
        before, position = position, position.play(action)
        if points:
            assert position.scores[player] - before.scores[player] == int(points.group(1))
            assert position.scores[player] == naive.scores()[player] == int(points.group(2))
    assert position.explain(GAME.parse("pass")).clause == told["over"]
    assert list(position.scores) == naive.scores() == [int(score) for score in told["scores"].split()]
    assert list(position.tie_break) == [int(size) for size in told["castles"].split()]
    assert list(position.winners) == [int(player) for player in told["winners"].split()]
