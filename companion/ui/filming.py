"""Pictures of a record for a film: the board after each action, with the action and the scores in words under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from companion.games.core import Game, Position
from companion.table.state import Played, Player
from companion.ui import text
from companion.ui.drawing import BoardDrawing, Sign
from companion.ui.games import face
from companion.ui.palette import DARK

BOARD = (1280, 672)
CAPTION = 48
"""Height in pixels of the line under the board."""

LETTERS = 26


class Filming:
    """Draws the positions of one record, one after the other; needs no display."""

    def __init__(self, game: Game[Any, Any], players: Sequence[Player]) -> None:
        pygame.font.init()
        self._drawing = BoardDrawing(game, BOARD, loose=True, rim=DARK.line)
        self._names = [player.name for player in players]
        self._symbols = [player.symbol for player in players]
        self._before: Mapping[str, str] = {}

    def draw(self, played: Played | None, position: Position[Any]) -> NDArray[np.uint8]:
        """The picture of a position and the action that led to it: (720, 1280, 3), blue-green-red."""
        view = position.view()
        changed = [site for site, label in view.sites.items() if self._before.get(site, label) != label]
        self._before = view.sites
        surface = pygame.Surface((BOARD[0], BOARD[1] + CAPTION))
        surface.fill(DARK.ground)
        signs = [Sign(site, DARK.accent) for site in changed]
        overlay = face(position.game.name).overlay(position, ())
        surface.blit(self._drawing.picture(view, signs, overlay, self._symbols), (0, 0))
        room = BOARD[0] - CAPTION
        words = text.shortened(self._caption(played, position), LETTERS, False, room)
        surface.blit(text.rendered(words, LETTERS, False, DARK.ink), (CAPTION // 2, BOARD[1]))
        return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1)[:, :, ::-1])

    def _caption(self, played: Played | None, position: Position[Any]) -> str:
        scores = "   ".join(f"{name} {score}" for name, score in zip(self._names, position.scores, strict=True))
        if played is None:
            return scores
        who = "" if played.player is None else f"{self._names[played.player]}: "
        return f"{played.number}.  {who}{played.action}      {scores}"
