"""The referee protocol, line by line."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.registry import load_game
from companion.games.triangle import Triangle
from companion.games.triangle.actions import Action
from companion.referee.protocol import Desk, serve
from tests.games.triangle_naive import NaiveTriangle

GAME = load_game("triangle")
OPENING = ["draw 0 RRR6", "draw 1 GGY4", "draw 0 BBB6", "draw 0 RRB4", "draw 0 BPR2"]
OPENING += ["draw 1 PPP6", "draw 1 YYP4", "draw 1 GGP4"]


def talk(*requests: object) -> list[dict[str, Any]]:
    """The answers to requests: bytes as they are, everything else as JSON."""
    lines = [request if isinstance(request, bytes) else json.dumps(request).encode() for request in requests]
    out = io.BytesIO()
    serve(GAME, [line + b"\n" for line in lines], out)
    text = out.getvalue()
    assert text == b"" or text.endswith(b"\n")
    return [json.loads(line) for line in text.splitlines()]


def new(players: int = 2, **options: object) -> dict[str, object]:
    return {"do": "new", "players": players, "options": options}


def play(action: str) -> dict[str, str]:
    return {"do": "play", "action": action}


OPENED = [new(), {"do": "load", "actions": OPENING}]


def test_new_answers_the_position() -> None:
    assert talk(new(3)) == [
        {
            "game": "triangle", "turn": "chance", "for": 0, "phase": "first draw", "scores": [0, 0, 0],
            "over": False, "winners": [], "legal_count": 36,
        }
    ]  # fmt: skip
    assert talk({"do": "new", "players": 3}) == talk(new(3))


def test_play_answers_the_position_with_events() -> None:
    *_, opened, placed, drawn = talk(*OPENED, play("place RRR6 6 0"), play("draw 0 YYY6"))
    assert (opened["turn"], opened["phase"], "for" in opened, "events" in opened) == (0, "play", False, False)
    assert (placed["turn"], placed["for"], placed["scores"]) == ("chance", 0, [6, 0])
    points = {"kind": "score", "player": 0, "value": 6, "edges": 1, "bonus": 1, "points": 6}
    assert [{k: v for k, v in event.items() if k != "text"} for event in placed["events"]] == [points]
    assert placed["events"][0]["text"] == "Player 0: 6 × 1 × 1 = 6."
    assert drawn["turn"] == 1
    assert drawn["legal_count"] == 5  # pass, or swap one of four


def test_legal_is_sorted_by_code_point() -> None:
    legal = talk(*OPENED, {"do": "legal"})[-1]["legal"]
    assert legal == sorted(legal)
    assert legal.index("place BBB6 12 0") < legal.index("place BBB6 3 0")
    assert len(set(legal)) == len(legal) == talk(*OPENED)[-1]["legal_count"]


def test_undo_takes_back_one_action_at_a_time() -> None:
    answers = talk(new(), *map(play, OPENING), *[{"do": "undo"}] * (len(OPENING) + 1), {"do": "record"})
    played, undone = answers[: len(OPENING)], answers[len(OPENING) + 1 : -2]
    for before, after in zip(played, reversed(undone), strict=True):
        before.pop("events", None)
        assert after == before
    assert (answers[-2]["error"], answers[-2]["clause"]) == ("bad request", None)
    assert answers[-1]["actions"] == []


def test_load_begins_afresh_from_the_last_new() -> None:
    first = [*OPENED, play("place RRR6 6 0")]
    *_, again, record = talk(*first, {"do": "load", "actions": OPENING[:3]}, {"do": "record"})
    assert again == talk(new(), {"do": "load", "actions": OPENING[:3]})[-1]
    assert record == {"players": 2, "options": {"teams": False}, "actions": OPENING[:3]}
    assert talk(*first, {"do": "load", "actions": []})[-1] == talk(new())[0]


@pytest.mark.parametrize(
    ("actions", "error", "clause"),
    [
        ([*OPENING, "place RRR6 2 0"], "illegal", "TRI-PLACE-1"),
        ([OPENING[1], *OPENING], "illegal", "TRI-SETUP-2"),
        ([*OPENING, "nonsense"], "bad request", None),
        ([*OPENING, "place RRR6 6 1"], "bad request", None),
    ],
)
def test_a_load_that_is_refused_changes_nothing(actions: list[str], error: str, clause: str | None) -> None:
    start = [*OPENED, play("place RRR6 6 0")]
    refused, record = talk(*start, {"do": "load", "actions": actions}, {"do": "record"})[-2:]
    assert (refused["error"], refused["clause"]) == (error, clause)
    assert record["actions"] == [*OPENING, "place RRR6 6 0"]


def test_explain_tells_the_clause_and_changes_nothing() -> None:
    asked = [{"do": "explain", "action": text} for text in ("place RRR6 2 0", "place RRR6 3 0", "pass")]
    *_, bonus, legal, passing, position = talk(*OPENED, *asked, {"do": "load", "actions": OPENING})
    assert (bonus["legal"], bonus["clause"]) == (False, "TRI-PLACE-1")
    assert "bonus 3" in bonus["text"]
    assert (legal["legal"], legal["clause"]) == (True, None)
    assert (passing["legal"], passing["clause"]) == (False, "TRI-PASS-1")
    assert position == talk(*OPENED)[-1]


def test_record_holds_players_options_and_actions() -> None:
    *_, record = talk(new(4, teams=True), play("draw 0 RRR6"), {"do": "record"})
    assert record == {"players": 4, "options": {"teams": True}, "actions": ["draw 0 RRR6"]}


def test_quit_ends_without_an_answer() -> None:
    assert talk({"do": "quit"}, new()) == []
    assert len(talk(new(), {"do": "quit"}, {"do": "legal"})) == 1
    assert len(talk(new())) == 1  # so does the end of the input


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "legal"}, {"do": "undo"}, {"do": "record"}, {"do": "load", "actions": []}, play("pass"),
        {"do": "explain", "action": "pass"},
    ],
)  # fmt: skip
def test_without_a_game(request_: dict[str, object]) -> None:
    for answers in (talk(request_), talk(new(7), request_)[1:]):
        assert (answers[0]["error"], answers[0]["clause"]) == ("no game", None)


BAD = [
    b"", b" ", b"\xff\xfe", b"{", b"nonsense", b"null", b"3", b"[]", b'"legal"', b"{}", b"\xef\xbb\xbf{}",
    b'{"do": null}', b'{"do": 3}', b'{"do": ["legal"]}', b'{"do": "Legal"}', b'{"do": "legal "}', b'{"do": "jump"}',
    b'{"do": "legal"} x', b'{"do": "legal"}\x00', b'{"do": "legal", "extra": 1}', b'{"do": NaN}', b"NaN",
    b'{"do": "legal", "x": ' + b"[" * 100_000, b"[" * 100_000, b'{"x": ' * 100_000,
    b'{"do": "' + b"x" * 2_000_000 + b'"}', b"9" * 5_000,
    b'{"do": "new"}', b'{"do": "new", "players": true}', b'{"do": "new", "players": "2"}',
    b'{"do": "new", "players": 3.0}', b'{"do": "new", "players": 2.5}', b'{"do": "new", "players": null}',
    b'{"do": "new", "players": [2]}', b'{"do": "new", "players": 1}', b'{"do": "new", "players": 5}',
    b'{"do": "new", "players": -2}', b'{"do": "new", "players": 1e999}', b'{"do": "new", "players": NaN}',
    b'{"do": "new", "players": 99999999999999999999999}', b'{"do": "new", "players": ' + b"9" * 5_000 + b"}",
    b'{"do": "new", "players": 2, "options": null}', b'{"do": "new", "players": 2, "options": []}',
    b'{"do": "new", "players": 2, "options": {"speed": 1}}', b'{"do": "new", "players": 2, "options": {"": false}}',
    *(b'{"do": "new", "players": 4, "options": {"teams": %s}}' % value for value in (b"1", b'"yes"', b"null", b"{}")),
    b'{"do": "new", "players": 2, "options": {"teams": true}}', b'{"do": "new", "players": 2, "option": {}}',
    b'{"do": "new", "players": 2, "options": {"teams": 1e999}}',
    b'{"do": "play"}', b'{"do": "play", "action": 3}', b'{"do": "play", "action": null}',
    b'{"do": "play", "action": ["pass"]}', b'{"do": "play", "action": ""}', b'{"do": "play", "action": "\xff"}',
    b'{"do": "play", "action": "\\ud800"}', b'{"do": "play", "action": "draw 0 \\ud83d\\ude00"}',
    b'{"do": "play", "action": "pass\\u0000"}', b'{"do": "play", "action": "pass "}',
    b'{"do": "play", "action": "place RRR6 6 1"}', b'{"do": "play", "action": "place RRR6  6 0"}',
    b'{"do": "play", "action": "place RRR6 06 0"}', b'{"do": "play", "action": "draw 1 ?"}',
    b'{"do": "explain"}', b'{"do": "explain", "action": "castle"}', b'{"do": "explain", "action": 1}',
    b'{"do": "load"}', b'{"do": "load", "actions": "pass"}', b'{"do": "load", "actions": [1]}',
    b'{"do": "load", "actions": [null]}', b'{"do": "load", "actions": {}}', b'{"do": "load", "actions": [["pass"]]}',
]  # fmt: skip


@pytest.mark.parametrize("line", BAD, ids=lambda line: repr(line[:40]))
def test_a_bad_request_is_answered_and_changes_nothing(line: bytes) -> None:
    *_, before, answer, after, legal = talk(*OPENED, {"do": "record"}, line, {"do": "record"}, {"do": "legal"})
    assert answer["error"] == "bad request"
    assert set(answer) == {"error", "clause", "text"}
    assert answer["text"]
    assert after == before
    assert legal == talk(*OPENED, {"do": "legal"})[-1]


def test_an_illegal_action_is_refused_with_its_clause() -> None:
    *_, refused, legal = talk(*OPENED, play("place PPP6 6 0"), {"do": "legal"})
    assert (refused["error"], refused["clause"]) == ("illegal", "TRI-PLACE-4")
    assert "Player 0 does not hold PPP6" in refused["text"]
    assert legal == talk(*OPENED, {"do": "legal"})[-1]


def test_a_setup_error_names_its_clause() -> None:
    assert talk(new(2, teams=True))[0]["clause"] == "TRI-SETUP-1"
    assert talk(new(5))[0]["clause"] == "TRI-SETUP-1"


class Lenient(Triangle):
    """Takes what people type: the protocol must not."""

    def parse(self, text: str) -> Action:
        return super().parse(" ".join(text.split()))


def test_only_the_exact_spelling_is_accepted() -> None:
    desk = Desk(Lenient())
    desk.answer(b'{"do": "new", "players": 2}')
    for text in ("draw  0 RRR6", " draw 0 RRR6", "draw 0 RRR6\\n"):
        answer = desk.answer(f'{{"do": "play", "action": "{text}"}}'.encode())
        assert answer is not None
        assert answer["error"] == "bad request"
        assert "'draw 0 RRR6'" in str(answer["text"])
    assert "events" in (desk.answer(b'{"do": "play", "action": "draw 0 RRR6"}') or {})


@pytest.mark.parametrize(("players", "teams"), [(2, False), (3, False), (4, True)])
def test_a_whole_game_through_the_protocol(players: int, teams: bool) -> None:
    desk, naive, chance = Desk(GAME), NaiveTriangle(players, teams), random.Random(players)

    def ask(**request: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(json.dumps(desk.answer(json.dumps(request).encode())))
        return answer

    position = ask(do="new", players=players, options={"teams": teams})
    while not naive.over:
        legal = ask(do="legal")["legal"]
        assert legal == sorted(naive.legal())
        assert position["legal_count"] == len(legal)
        assert position["turn"] == (naive.player if naive.phase == "play" else "chance")
        assert position.get("for") == (None if naive.phase == "play" else naive.player)
        action = chance.choice(legal)
        naive.play(action)
        position = ask(do="play", action=action)
        assert position["scores"] == naive.scores()
    best = max(naive.scores())
    assert position["winners"] == [p for p, score in enumerate(naive.scores()) if score == best]
    assert (position["turn"], position["over"], position["legal_count"]) == (None, True, 0)
    assert "for" not in position
    assert ask(do="legal") == {"legal": []}
    assert ask(do="play", action="pass")["clause"].startswith("TRI-END")
    del position["events"]
    assert ask(do="load", actions=ask(do="record")["actions"]) == position


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.sampled_from([*OPENING, "pass", "place RRR6 6 0", "swap RRB4", "draw 0 WWW1"]) | st.text(max_size=12)
REQUESTS = st.fixed_dictionaries(
    {"do": st.sampled_from(["new", "legal", "play", "undo", "load", "record", "explain"]) | JSON},
    optional={
        "players": st.integers(-1, 6) | JSON,
        "options": st.dictionaries(st.just("teams"), st.booleans() | JSON, max_size=1) | JSON,
        "action": TEXTS | JSON,
        "actions": st.lists(TEXTS, max_size=4) | JSON,
    },
)
LINES = st.binary(max_size=40) | REQUESTS.map(lambda request: json.dumps(request).encode())


@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=12))
def test_nothing_sent_ends_the_loop_or_changes_the_position_unless_it_succeeds(lines: list[bytes]) -> None:
    desk = Desk(GAME)
    desk.answer(b'{"do": "new", "players": 2}')
    for line in lines:
        before = desk.answer(b'{"do": "record"}')
        answer = desk.answer(line)
        assert answer is not None
        json.dumps(answer).encode()
        if "error" in answer:
            assert answer["error"] in ("illegal", "bad request")
            assert answer["text"]
            assert desk.answer(b'{"do": "record"}') == before


def test_the_command_answers_each_line_at_once() -> None:
    command = [sys.executable, "-m", "companion.main", "referee", "triangle"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        answers = []
        for line in (b'{"do": "new", "players": 2}', b"\xff", b'{"do": "play", "action": "draw 0 RRR6"}'):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.write(b'{"do": "quit"}\n')
        process.stdin.flush()
        assert process.stdout.read() == process.stderr.read() == b""
    assert process.returncode == 0
    assert [answer.get("error", answer.get("legal_count")) for answer in answers] == [36, "bad request", 35]
