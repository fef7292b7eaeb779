"""Lenses, poses and points: where things of the board are in a picture."""
