"""Lens, board, colours and lights. Defaults work without it."""
