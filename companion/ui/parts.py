"""Parts that several screens show: boards, pieces, players."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pygame
from pygame import Rect

from companion.games.core import Game
from companion.games.looks import Colour
from companion.games.sites import SiteSpec
from companion.table.state import Player
from companion.ui.canvas import Canvas
from companion.ui.drawing import BoardDrawing, Zoom, piece
from companion.ui.games import Piece


@lru_cache(maxsize=8)
def board_drawing(
    game: Game[Any, Any],
    size: tuple[int, int],
    rim: Colour,
    spots: tuple[SiteSpec, ...] = (),
    zoom: Zoom | None = None,
) -> BoardDrawing:
    """The drawing of a board at a size, kept for the next time."""
    return BoardDrawing(game, size, rim=rim, spots=spots, zoom=zoom)


@lru_cache(maxsize=256)
def piece_picture(game: Game[Any, Any], kind: str, label: str, pixels: int, rim: Colour) -> pygame.Surface:
    """The picture of a piece, kept for the next time."""
    return piece(game, kind, label, pixels, rim=rim)


def draw_piece(canvas: Canvas, game: Game[Any, Any], what: Piece, rect: Rect, dim: bool = False) -> None:
    """A piece in the middle of a rectangle, as large as it fits."""
    pixels = min(rect.size)
    picture = piece_picture(game, what.kind, what.label, pixels, canvas.palette.line)
    if dim:
        picture = picture.copy()
        picture.fill((90, 90, 90, 90), special_flags=pygame.BLEND_RGBA_MULT)
    canvas.picture(picture, (rect.centerx - pixels // 2, rect.centery - pixels // 2))


def draw_symbol(canvas: Canvas, player: Player, centre: tuple[float, float], units: float) -> None:
    """A player's symbol in the player's colour, with a dark or light line that sets it off."""
    canvas.shape(player.symbol, centre, units, canvas.palette.ink)
    canvas.shape(player.symbol, centre, units * 0.82, player_colour(canvas, player))


def player_colour(canvas: Canvas, player: Player) -> Colour:
    """The player's colour in the palette."""
    return canvas.palette.players.get(player.colour, canvas.palette.muted)
