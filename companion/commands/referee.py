"""`companion referee`: the rules as JSON Lines."""

from __future__ import annotations

import sys

from companion import failures
from companion.games.registry import load_game
from companion.referee.protocol import serve


def run(game: str) -> int:
    """Serves the protocol until `quit` or the end of the input; the exit status."""
    serve(load_game(game), sys.stdin.buffer, sys.stdout.buffer)
    return failures.SUCCESS
