"""The panel beside the board: whose turn it is, scores, the last action, the strip of those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pygame import Rect

from companion.games.core import CHANCE, Position
from companion.table.state import Played, TableState
from companion.ui import layout, text
from companion.ui.canvas import LEAST, Canvas
from companion.ui.games import Face, Piece, Tally
from companion.ui.language import Words, marked
from companion.ui.palette import contrast
from companion.ui.parts import draw_piece, draw_symbol, player_colour
from companion.ui.trouble import trouble_text
from companion.vision.observation import Scene
from hardware.camera import CameraError


@dataclass(frozen=True, slots=True)
class Status:
    """What the companion is doing, in a line; `trouble` where people have to do something about it."""

    icon: str
    text: str
    trouble: str = ""


SCENES = {
    Scene.DARK: Status(
        "dark",
        marked("Camera sees nothing"),
        marked("The camera sees nothing. Is it covered, or the lamp off? Until then enter by hand."),
    ),
    Scene.BLURRED: Status(
        "look",
        marked("Picture is blurred"),
        marked("The camera's picture is blurred. Wipe the lens, or focus it. Until then enter by hand."),
    ),
    Scene.LOST: Status(
        "look",
        marked("Board not found"),
        marked(
            "The board is not in the picture. Uncover the corner cards, or move the camera. Until then enter by hand."
        ),
    ),
    Scene.MIRRORED: Status(
        "look",
        marked("Picture is mirrored"),
        marked("The camera's picture is mirrored. Switch that off in the camera. Until then enter by hand."),
    ),
    Scene.MOVING: Status("wait", marked("Hold on")),
    Scene.HAND: Status("hand", marked("Hand away, please")),
}


def status(state: TableState, words: Words) -> Status | None:
    """What the camera is doing; None where there is nothing to say."""
    if state.position.over:
        return None
    if state.paused:
        return Status("pause", words("Paused"), words("The camera does not watch. Go on when you are ready."))
    if state.issue is not None:
        return Status("question", words("Nothing counts yet"))
    known = SCENES.get(state.scene) if state.scene else None
    if state.seen and not (known and known.trouble):
        return Status("look", words("Seen, counts soon"))
    return known and Status(known.icon, words(known.text), words(known.trouble) if known.trouble else "")


def notice(state: TableState, words: Words) -> tuple[str, str] | None:
    """What has to be said over the board, as icon and text; None where nothing."""
    current = status(state, words)
    if current and current.trouble:
        return current.icon, current.trouble
    if state.notice and (state.fault or state.scene is not Scene.MOVING):  # else what was lost may be seen again soon
        return "alert", trouble_text(state.fault or CameraError(), words)
    if state.advice:
        return "alert", words("Please put right what is marked.")
    return None


def last_action(state: TableState, chance: Sequence[bool]) -> Played | None:
    """The last action that a player, not chance, has made; else the last one."""
    players = [played for played, by_chance in zip(state.played, chance, strict=True) if not by_chance]
    return players[-1] if players else (state.played[-1] if state.played else None)


def actor(position: Position[Any]) -> int | None:
    """The player who acts, or for whom chance acts."""
    return position.concerns if position.turn == CHANCE else position.turn


def draw_turn(
    canvas: Canvas, rect: Rect, state: TableState, prompt: str, words: Words, chosen: Piece | None = None
) -> None:
    """Whose turn it is, very large, and under it what is to be done; what has been chosen for it stands beside."""
    player = actor(state.position)
    palette, px = canvas.palette, canvas.px
    canvas.panel(rect, palette.surface)
    if player is None:
        _draw_nobody(canvas, rect, state, prompt, words)
        return
    who = state.players[player]
    stripe = Rect(rect.left, rect.top, px(56), rect.height)
    canvas.panel(stripe, player_colour(canvas, who))
    colour = player_colour(canvas, who)
    sign = max((palette.ground, palette.surface, palette.ink), key=lambda one: contrast(one, colour))
    canvas.shape(who.symbol, stripe.center, 32, sign)
    room = Rect(stripe.right + px(10), rect.top, rect.width - px(56 + 18), rect.height)
    if chosen is not None:
        room.width -= px(54)
        spot = Rect(room.right + px(4), rect.top + px(7), px(50), rect.height - px(14))
        draw_piece(canvas, state.position.game, chosen, spot)
    top, bottom = layout.rows(room, [round(room.height * 0.68), None], 0)
    canvas.line(who.name, top, "big", bold=True, name=True)
    current = status(state, words)
    if current is None:
        canvas.line(prompt, bottom, "small", colour=palette.muted)
        return
    ink = palette.asked if current.trouble else palette.ink
    canvas.shape(current.icon, (bottom.left + px(9), bottom.centery), 18, ink)
    canvas.line(current.text, Rect(bottom.left + px(24), bottom.top, bottom.width - px(24), bottom.height), "small",
                bold=True, colour=ink)  # fmt: skip


def _draw_nobody(canvas: Canvas, rect: Rect, state: TableState, prompt: str, words: Words) -> None:
    over = state.position.over
    canvas.shape("cup" if over else "wait", (rect.left + canvas.px(30), rect.centery), 32, canvas.palette.ink)
    room = Rect(rect.left + canvas.px(60), rect.top, rect.width - canvas.px(68), rect.height)
    canvas.line(words("Game over") if over else prompt, room, "title", bold=True)


def score_height(players: int, room: float) -> float:
    """How high a row of the scores is, in units, in a panel `room` units high."""
    return min(44.0, max(29.0, room * 0.27 / players))


def draw_scores(canvas: Canvas, rect: Rect, state: TableState, face: Face, words: Words) -> None:
    """A row a player: symbol, name, what lies before them, what else they have, score."""
    rows = layout.rows(rect, [None] * len(state.players), 0)
    least = min(row.height for row in rows)
    parts = [_tallies(state, player, face, words) for player in range(len(rows))]
    widest = max(tallies_width(canvas, least, tallies) for tallies in parts)
    names = max(text.width(player.name, canvas.px(text.SIZES["body"])) for player in state.players)
    double = least >= canvas.px(39) and names + widest > rect.width - canvas.px(100)
    for player, row in enumerate(rows):
        _draw_score(canvas, row, state, player, parts[player], double)


def _tallies(state: TableState, player: int, face: Face, words: Words) -> tuple[Tally, ...]:
    """What lies before a player, unless it is shown to choose from, and what else the player has."""
    pieces = () if player == actor(state.position) else face.pieces(state.position, player)
    return (*(Tally(what) for what in pieces), *face.tallies(state.position, player, words))


def _draw_score(
    canvas: Canvas, row: Rect, state: TableState, player: int, tallies: tuple[Tally, ...], double: bool
) -> None:
    """One player's row; with `double` the tallies stand under the name."""
    px, who, now = canvas.px, state.players[player], player == actor(state.position)
    if now:
        canvas.panel(row, canvas.palette.soft, corner=6)
    draw_symbol(canvas, who, (row.left + px(18), row.centery), min(24.0, row.height / canvas.metrics.unit * 0.74))
    score = str(state.position.scores[player]).replace("-", "−")
    wide = max(text.width(str(points), canvas.size("lead"), True) for points in state.position.scores) + px(4)
    figure = Rect(row.right - px(8) - wide, row.top, wide, row.height)
    canvas.line(score, figure, "lead", bold=True, align="right")
    room = Rect(row.left + px(38), row.top, figure.left - row.left - px(44), row.height)
    if tallies and double:
        room, under = layout.rows(room, [None, px(19)], 0)
        under.move_ip(0, -px(2))
        draw_tallies(canvas, under, state, tallies)
    elif tallies:
        width = tallies_width(canvas, row.height, tallies)
        draw_tallies(canvas, Rect(room.right - width, room.top, width, room.height), state, tallies)
        room.width -= width + px(4)
    canvas.line(who.name, room, name=True)


def _tally_side(canvas: Canvas, height: int) -> int:
    return min(canvas.px(19), height - 2)


def tallies_width(canvas: Canvas, height: int, tallies: Sequence[Tally]) -> int:
    """How wide tallies are in a row of that height, in pixels."""
    size = canvas.px(text.SIZES["small"])
    side = _tally_side(canvas, height)
    return sum(side + (text.width(one.text, size, True) + canvas.px(6) if one.text else 1) for one in tallies)


def draw_tallies(canvas: Canvas, rect: Rect, state: TableState, tallies: Sequence[Tally]) -> None:
    """Small pictures, each with a number behind it."""
    side, left, size = _tally_side(canvas, rect.height), rect.left, canvas.px(text.SIZES["small"])
    for one in tallies:
        spot = Rect(left, rect.centery - side // 2, side, side)
        draw_piece(canvas, state.position.game, one.piece, spot)
        left += side + 1
        if one.text:
            width = text.width(one.text, size, True) + 2
            canvas.line(one.text, Rect(left + canvas.px(2), rect.top, width, rect.height), "small", bold=True)
            left += width + canvas.px(4) - 3


def draw_last(canvas: Canvas, rect: Rect, played: Played, state: TableState, face: Face, words: Words) -> None:
    """The last action: its picture, who made it, what it brought about and how points come about."""
    px, palette = canvas.px, canvas.palette
    canvas.panel(rect, palette.surface)
    inner = rect.inflate(-px(16), -px(8))
    what, word = face.shown(played.action, words)
    if what is not None:
        side = min(px(44), inner.height)
        draw_piece(canvas, state.position.game, what, Rect(inner.left, inner.centery - side // 2, side, side))
        inner = Rect(inner.left + side + px(10), inner.top, inner.width - side - px(10), inner.height)
    name = f"{state.players[played.player].name}: {word}" if played.player is not None else word
    names = [player.name for player in state.players]
    telling = face.telling(played, state.position.game, names, words)
    if not telling:
        canvas.paragraph(name, inner, "body", middle=True)
        return
    gain = gained(face, played)
    if gain is None:
        canvas.paragraph(telling, inner, "body", middle=True)
        return
    top, bottom = layout.rows(inner, [None, None], 0)
    points = Rect(top.right - px(54), top.top, px(54), top.height)
    if text.width(telling, px(LEAST), True) > bottom.width:  # no room for anything beside so much
        canvas.paragraph(telling, inner, "body", middle=True)
        return
    canvas.line(name, Rect(top.left, top.top, top.width - px(58), top.height), "small", colour=palette.muted, name=True)
    canvas.line(gain, points, "lead", bold=True, colour=palette.good, align="right")
    canvas.line(telling, bottom, "body", bold=True)


def gained(face: Face, played: Played) -> str | None:
    """The points that an action brought, with a sign; None where none are counted."""
    gains = [face.gain(event) for event in played.events if event.kind == "score"]
    points = [gain for gain in gains if gain is not None]
    return f"+{sum(points)}".replace("+-", "−") if points else None


def draw_strip(
    canvas: Canvas, rect: Rect, played: Sequence[Played], state: TableState, face: Face, words: Words
) -> None:
    """Recent actions, the newest first, as many as there is room for."""
    px, step = canvas.px, canvas.px(30)
    for k, one in enumerate(list(reversed(played))[: max(0, rect.height // step)]):
        row = Rect(rect.left + px(8), rect.top + k * step, rect.width - px(16), step)
        draw_action(canvas, row, one, state, face, words)


def draw_action(canvas: Canvas, row: Rect, one: Played, state: TableState, face: Face, words: Words) -> None:
    """One action in a row: symbol, picture, word, points."""
    px, muted = canvas.px, canvas.palette.muted
    if one.player is not None:
        draw_symbol(canvas, state.players[one.player], (row.left + px(10), row.centery), 18)
    what, word = face.shown(one.action, words)
    side = min(px(24), row.height - 2)
    if what is not None:
        draw_piece(canvas, state.position.game, what, Rect(row.left + px(28), row.centery - side // 2, side, side))
    left = row.left + px(28) + side + px(8)
    gain = gained(face, one)
    canvas.line(word, Rect(left, row.top, row.right - left - (px(52) if gain else 0), row.height), "small",
                colour=muted)  # fmt: skip
    if gain is not None:
        points = Rect(row.right - px(52), row.top, px(52), row.height)
        canvas.line(gain, points, "body", bold=True, align="right")
