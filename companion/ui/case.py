"""A case as one page of PDF: position, picture, clauses, what was ruled, and where it stands in the record."""

from __future__ import annotations

import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from companion.table.record import Kind
from companion.table.review import Moment
from companion.table.state import TableState
from companion.ui.drawing import BoardDrawing, Sign, site_labels
from companion.ui.games import face
from companion.ui.language import Words
from companion.ui.moments import moment_text, moment_title
from companion.ui.palette import LIGHT
from companion.ui.text import FONTS

if TYPE_CHECKING:
    from fpdf import FPDF

WIDTH, MARGIN = 210.0, 18.0
"""Of the page, in mm."""

DRAWN = 900
"""Width of the board's drawing in pixels."""

AFTER = 6
"""So many of the rulings that follow are on the page."""


class CaseError(Exception):
    """A case that cannot be written; the message says why."""


def write_case(
    path: Path, state: TableState, moment: Moment, record: Sequence[Moment], picture: Path | None, words: Words
) -> None:
    """Writes the case of a moment of the record as a page of PDF.

    Raises:
        CaseError: the file cannot be written.
    """
    from fpdf import FPDF  # takes a while to load, and is seldom needed

    page = FPDF(format="A4")
    page.set_margin(MARGIN)
    page.set_auto_page_break(False)
    page.add_font("noto", "", FONTS / "NotoSans-Regular.ttf")
    page.add_font("noto", "B", FONTS / "NotoSans-Bold.ttf")
    page.add_page()
    _head(page, state, moment, words)
    _pictures(page, moment, picture)
    for title, text in _paragraphs(state, moment, record, words):
        _paragraph(page, title, text)
    try:
        page.output(str(path))
    except OSError as error:
        reason = words("The file cannot be written: {file}").format(file=path)
        raise CaseError(reason) from error


def _head(page: FPDF, state: TableState, moment: Moment, words: Words) -> None:
    title = words(face(state.position.game.name).title)
    page.set_font("noto", "B", 18)
    page.cell(0, 9, f"{title}: {moment_title(moment, words)}", new_x="LMARGIN", new_y="NEXT")
    page.set_font("noto", "", 10)
    when = time.strftime("%d.%m.%Y %H:%M:%S", time.localtime(moment.entry.stamp))
    number = words("Record {record}, entry {n}").format(record=state.record, n=moment.entry.number)
    names = ", ".join(player.name for player in state.players)
    page.cell(0, 5.5, f"{when} · {number}", new_x="LMARGIN", new_y="NEXT")
    page.cell(0, 5.5, names, new_x="LMARGIN", new_y="NEXT")
    page.ln(3)


def _pictures(page: FPDF, moment: Moment, picture: Path | None) -> None:
    """The position as it was then, and beside it what the camera saw."""
    width, top = (WIDTH - 2 * MARGIN - 6) / 2, page.get_y()
    page.image(_drawn(moment), x=MARGIN, y=top, w=width)
    heights = [width]
    if picture is not None:
        placed = page.image(str(picture), x=MARGIN + width + 6, y=top, w=width, h=width, keep_aspect_ratio=True)
        heights.append(placed.rendered_height)
    page.set_y(top + max(heights) + 4)


def _drawn(moment: Moment) -> BytesIO:
    """The position after the moment, with what it changed and what it is about marked, as PNG."""
    drawing = BoardDrawing(moment.after.game, (DRAWN, DRAWN), rim=LIGHT.line)
    old, new = site_labels(moment.before.view()), site_labels(moment.after.view())
    marked = [Sign(site, LIGHT.accent) for site, label in new.items() if old.get(site) != label]
    marked += [Sign(site, LIGHT.wrong, None, "question") for site in moment.told.get("sites", ()) if drawing.has(site)]
    surface = pygame.Surface(drawing.size)
    surface.fill((255, 255, 255))
    overlay = face(moment.after.game.name).overlay(moment.after, ())
    surface.blit(drawing.picture(moment.after.view(), marked, overlay), (0, 0))
    file = BytesIO()
    pygame.image.save(surface, file, "case.png")
    file.seek(0)
    return file


def _paragraphs(state: TableState, moment: Moment, record: Sequence[Moment], words: Words) -> list[tuple[str, str]]:
    """What stands under the pictures, each with a title."""
    game, shown = state.position.game, face(state.position.game.name)
    found = []
    if moment.entry.kind is not Kind.NOTE or not moment.clauses:  # a verdict says what its clauses say
        found.append((_title(moment, state, words), moment_text(moment, state, shown, words)))
    for name in moment.clauses:
        clause = game.clauses[name]
        notes = [clause.rule.in_language(words.language)]
        if clause.decision:
            notes.append(words("A decision: the rulebook leaves this open."))
        if clause.source:
            notes.append(words("Rulebook: {place}").format(place=clause.source))
        found.append((name, " ".join(notes)))
    later = [one for one in record if one.entry.kind is Kind.RULING and one.entry.number >= moment.entry.number]
    found += [(moment_title(one, words), moment_text(one, state, shown, words)) for one in later[:AFTER]]
    return found


def _title(moment: Moment, state: TableState, words: Words) -> str:
    played = moment.played
    if played is None:
        return moment_title(moment, words)
    who = "" if played.player is None else f"{state.players[played.player].name}: "
    return f"{played.number}. {who}{played.action}"


def _paragraph(page: FPDF, title: str, text: str) -> None:
    page.set_font("noto", "B", 11)
    page.multi_cell(0, 5.5, title, new_x="LMARGIN", new_y="NEXT")
    page.set_font("noto", "", 11)
    page.multi_cell(0, 5.5, text, align="L", new_x="LMARGIN", new_y="NEXT")
    page.ln(2)
