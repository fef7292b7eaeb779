"""Companion stands beside real board games: it watches, knows the rules, keeps the score and the record."""

import os

# One vision thread is all there is: more threads for small matrices only wait for each other. Must be said before numpy
# is imported for the first time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
