"""How commands say what happens at a table: as JSON lines, or as lines for people."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import click

from companion.table.conductor import Happening


def teller(as_json: bool, names: Sequence[str]) -> Callable[[Happening], None]:
    """Prints each happening as it comes."""
    if as_json:
        return lambda happening: click.echo(json.dumps(happening, ensure_ascii=False))
    return lambda happening: click.echo(in_words(happening, names))


def in_words(happening: Happening, names: Sequence[str]) -> str:
    """A happening as one line."""
    time = happening.get("time")
    when = f"{time:7.1f} s  " if time is not None else " " * 11
    if "notice" in happening:
        return f"{when}- {happening['notice']}{_about(happening)}{_places(happening)}"
    if "action" in happening and "verdict" not in happening:
        return when + _action(happening, names)
    if "result" in happening:
        return _result(happening["result"], names)
    if "demo" in happening:
        return _comparison(happening["demo"])
    if "verdict" in happening:
        return f"{when}! {happening['clause']}: {happening['text']}{_places(happening)}"
    return f"{when}? {happening['question']}{_places(happening)}"


def _action(happening: Happening, names: Sequence[str]) -> str:
    player = happening["player"]
    who = names[player] if player is not None else ""
    points = f"{happening['points']:+d} points" if "points" in happening else ""
    confidence = happening["confidence"]
    sure = f"{happening['by']} {confidence:.3f}" if confidence is not None else happening["by"]
    return f"{happening['action']:<20} {who:<12} {points:<12} {sure}".rstrip()


def _about(happening: Happening) -> str:
    """What a notice is about."""
    actions = happening.get("actions") or [happening[key] for key in ("action",) if key in happening]
    return f": {', '.join(actions)}" if actions else ""


def _places(happening: Happening) -> str:
    return f" [{', '.join(happening['sites'])}]" if happening.get("sites") else ""


def _result(result: Happening, names: Sequence[str]) -> str:
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, result["scores"], strict=True))
    if not result["over"]:
        return f"Not over: {scores}. Record {result['record']}."
    winners = " and ".join(names[player] for player in result["winners"])
    won = f"Won by {winners}" if winners else "Nobody wins"
    return f"Over: {scores}. {won}. Record {result['record']}."


def _comparison(demo: Happening) -> str:
    scores = ", ".join(map(str, demo["scores"]))
    agrees = "The record agrees with what was played" if demo["agrees"] else "The record differs from what was played"
    recorded = f"{demo['recognised']} of {demo['actions']} actions recorded"
    by_hand = demo["put_right_by_hand"]
    if by_hand:
        recorded += f", {by_hand} times put right by hand"
    return f"{agrees}: {recorded}, true scores {scores}."
