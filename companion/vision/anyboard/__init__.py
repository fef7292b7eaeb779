"""Boards without rules: a square grid described by a set file alone, and which of its fields hold something."""
