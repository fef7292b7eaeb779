"""For every clause of Labyria a position in which it decides."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.games.labyria import Labyria
from tests.games.labyria_openings import (
    AGAIN,
    ATTACK,
    BARRED,
    BEGUN,
    CORNERS,
    DEAD_END,
    GAME,
    LOCKED,
    OUT,
    PLAYING,
    after,
    boards,
    clause,
)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Labyria]:
    return boards(tmp_path_factory)


@pytest.mark.parametrize(
    ("broken", "board", "actions", "refused", "legal"),
    [
        ("LAB-SETUP-2", "corners", BEGUN, "square c3-d3", "corner c3 SE"),
        ("LAB-SETUP-3", "usual", [], "roll 1 3", "roll 0 3"),
        ("LAB-SETUP-3", "usual", BEGUN[:1], "roll 0 3", "roll 1 3"),
        ("LAB-SETUP-3", "usual", [], "dice 3 plus", "roll 0 6"),
        ("LAB-SETUP-4", "usual", BEGUN, "square d4-e4", "square e5-f5"),
        ("LAB-SETUP-4", "usual", BEGUN, "corner e6 SW", "corner e5 SW"),
        ("LAB-SETUP-5", "usual", BEGUN, "move a1 a2", "square e6-f6"),
        ("LAB-SETUP-5", "6", [*PLAYING, "dice 2 plus"], "square a1-a2", "add a1-a2"),
        ("LAB-SETUP-5", "6", [*PLAYING, "dice 2 plus"], "corner c3 NE", "move a1 c1"),
        ("LAB-SETUP-6", "usual", [*BEGUN, "square e5-f5"], "square e3-f3", "square e4-f4"),
        ("LAB-SETUP-6", "usual", [*BEGUN, "corner e5 NE"], "corner c5 NE", "corner d5 NE"),
        ("LAB-SETUP-6", "usual", [*BEGUN, "square e5-f5"], "corner g5 NE", "corner f5 SW"),
        ("LAB-SETUP-7", "usual", [*BEGUN, "corner e5 NE"], "square e6-f6", "square e5-f5"),
        ("LAB-SETUP-7", "usual", [*BEGUN, "corner e5 NE"], "corner e5 SW", "square e5-e6"),
        ("LAB-SETUP-7", "usual", [*BEGUN, "square e5-f5"], "corner e5 SW", "corner e5 NW"),
        ("LAB-SETUP-7", "6", [*DEAD_END, "dice 1 plus"], "add a1-a2", "add a2-a3"),
        ("LAB-START-1", "6", BEGUN, "roll 1 3", "roll 0 3"),
        ("LAB-START-1", "6", BEGUN, "dice 1 plus", "roll 0 1"),
        ("LAB-START-1", "6", [*PLAYING, "dice 2 plus"], "roll 0 3", "move a1 c1"),
        ("LAB-TURN-1", "6", PLAYING, "move a1 a2", "dice 1 skip"),
        ("LAB-TURN-1", "6", [*PLAYING, "dice 2 plus"], "dice 2 plus", "move a1 b2"),
        ("LAB-TURN-1", "6", [*PLAYING, "dice 2 plus", "move a1 c1"], "move a1 b2", "done"),
        ("LAB-TURN-1", "6", [*PLAYING, "dice 2 plus"], "move f6 f4", "move a1 a3"),
        ("LAB-TURN-2", "6", [*PLAYING, "dice 2 cloak"], "add a1-a2", "move a1 a3"),
        ("LAB-TURN-2", "6", [*DEAD_END, "dice 1 minus"], "remove a3-a4", "remove a1-a2"),
        ("LAB-TURN-2", "corners", [*CORNERS, *BEGUN, "dice 2 rotate"], "turn a1 NE", "turn c3 SE"),
        ("LAB-TURN-2", "corners", [*CORNERS, *BEGUN, "dice 2 rotate"], "turn c3 NE", "turn b3 NW"),
        ("LAB-TURN-2", "corners", [*CORNERS, *BEGUN, "dice 2 minus"], "remove c4-d4", "move a1 c1"),
        ("LAB-TURN-3", "6", [*PLAYING, "dice 2 plus", "add d4-d5"], "add d3-d4", "move a1 c1"),
        ("LAB-TURN-5", "corners", [*CORNERS, *BEGUN, "dice 2 rotate"], "turn c3 NW", "turn c3 SE"),
        ("LAB-TURN-5", "corners", [*CORNERS, *BEGUN, "dice 2 rotate"], "turn c3 SW", "turn d3 SE"),
        ("LAB-TURN-6", "6", [*PLAYING, "dice 2 plus"], "pass", "move a1 b2"),
        ("LAB-TURN-6", "6", [*PLAYING, "dice 2 plus"], "done", "add a1-a2"),
        ("LAB-TURN-6", "6", [*PLAYING, "dice 2 plus", "move a1 c1"], "pass", "done"),
        ("LAB-TURN-6", "6", [*LOCKED, "dice 2 minus"], "done", "pass"),
        ("LAB-TURN-6", "6", [*LOCKED, "dice 2 minus", "pass"], "move a1 b2", "remove a1-b1"),
        ("LAB-TURN-6", "6", [*LOCKED, "dice 2 minus", "remove a1-b1"], "pass", "move a1 b2"),
        ("LAB-MOVE-1", "6", [*PLAYING, "dice 1 plus", "add a1-b1"], "move a1 b1", "move a1 a2"),
        ("LAB-MOVE-1", "6", [*PLAYING, "dice 1 plus"], "move a1 b2", "move a1 b1"),
        ("LAB-MOVE-1", "6", [*LOCKED, "dice 2 minus"], "move a1 b2", "pass"),
        ("LAB-MOVE-2", "6", [*PLAYING, "dice 3 plus"], "move a1 c1", "move a1 d1"),
        ("LAB-MOVE-2", "6", [*PLAYING, "dice 3 plus"], "move a1 e1", "move a1 b3"),
        ("LAB-MOVE-2", "6", [*PLAYING, "dice 3 plus"], "move a1 b2", "move a1 a2"),
        ("LAB-MOVE-3", "6", [*OUT, "dice 1 plus"], "move a1 b1", "move a1 a2"),
        ("LAB-MOVE-3", "4", BARRED, "move d4 d2", "pass"),
        ("LAB-MOVE-4", "6", [*PLAYING, "dice 2 plus"], "move a1 a1", "move a1 c1"),
        ("LAB-MOVE-5", "6", [*DEAD_END, "dice 3 minus"], "move a1 b1", "move c5 c2"),
        ("LAB-MOVE-8", "6", [*PLAYING, "dice 4 double"], "move a1 f6", "move a1 e5"),
        ("LAB-EAT-1", "4", ATTACK, "evade c2", "defend cloak"),
        ("LAB-EAT-1", "6", [*PLAYING, "dice 2 plus"], "defend plus", "move a1 b2"),
        ("LAB-EAT-2", "4", [*ATTACK, "defend plus"], "shield a1-a2", "shield d2-d3"),
        ("LAB-EAT-2", "4", [*ATTACK, "defend plus"], "evade c2", "shield d3-d4"),
        ("LAB-EAT-2", "6", [*PLAYING, "dice 2 plus"], "shield a1-a2", "add a1-a2"),
        ("LAB-EAT-4", "4", [*ATTACK, "defend cloak"], "evade d1", "evade c2"),
        ("LAB-EAT-4", "4", [*ATTACK, "defend cloak"], "done", "evade b3"),
        ("LAB-EAT-4", "4", [*ATTACK, "defend cloak"], "evade d4", "evade a4"),
        ("LAB-EAT-4", "6", [*PLAYING, "dice 2 plus"], "evade c1", "move a1 c1"),
        ("LAB-EAT-5", "2", [*AGAIN, "defend plus"], "shield a1-b1", "shield a2-b2"),
    ],
)
def test_the_clause_decides(
    games: Mapping[str, Labyria], broken: str, board: str, actions: list[str], refused: str, legal: str
) -> None:
    position = after(games[board], actions)
    assert clause(position, refused) == broken
    assert clause(position, legal) is None
    listed = [str(action) for action in position.legal_actions()]
    assert refused not in listed
    assert legal in listed
    assert clause(position, refused) == broken  # also when the moves are known
    assert clause(position, legal) is None


def test_no_clause_is_missing_here() -> None:
    here = Path(__file__)
    text = (here.read_text() + here.with_name("test_labyria_course.py").read_text()).lower()
    for clause_id in GAME.clauses:
        part, number = clause_id.lower().split("-")[1:]
        assert clause_id.lower() in text or f"def test_{part}_{number}_" in text or f"_and_{number}_" in text
