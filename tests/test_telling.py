"""What happens at a table in words."""

from __future__ import annotations

from typing import Any

import pytest

from companion.commands.telling import in_words

NAMES = ("Ada", "Ben")


@pytest.mark.parametrize(
    ("happening", "words"),
    [
        (
            {"action": "step a1", "player": 1, "time": 2.0, "confidence": 0.99, "by": "camera", "points": 3},
            "    2.0 s  step a1              Ben          +3 points    camera 0.990",
        ),
        (
            {"notice": "not possible now", "action": "call red a1-b1", "time": 12.5},
            "- not possible now: call red a1-b1",
        ),
        ({"notice": "corrected", "number": 2, "action": "step a2"}, "- corrected: step a2"),
        ({"notice": "taken back", "actions": ["step a2", "step a3"], "time": 1.0}, "- taken back: step a2, step a3"),
        ({"notice": "settled", "time": None}, "- settled"),
        ({"notice": "put right", "clause": "X-1", "sites": ["pin:0"], "wanted": ("a",), "time": 1.0}, "[pin:0]"),
        ({"question": "What happened here?", "sites": ["cell:1"], "time": 1.0}, "? What happened here? [cell:1]"),
        (
            {"verdict": "illegal", "clause": "X-1", "sites": [], "text": "No.", "action": "step a1", "time": 1.0},
            "! X-1: No.",
        ),
        (
            {"result": {"over": True, "scores": [3, 4], "winners": [1], "record": "r"}},
            "Over: Ada 3, Ben 4. Won by Ben. Record r.",
        ),
        (
            {"result": {"over": True, "scores": [3, 3], "winners": [], "record": "r"}},
            "Over: Ada 3, Ben 3. Nobody wins. Record r.",
        ),
    ],
)
def test_all_that_may_happen_is_one_line(happening: dict[str, Any], words: str) -> None:
    said = in_words(happening, NAMES)
    assert said.endswith(words) or said == words
    assert "\n" not in said
