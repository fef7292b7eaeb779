"""Weights of what fields are judged by (`occupancy.features`), from `python -m tests.benchmarks.occupancy --fit`.

A logistic regression on pictures of the simulated table with seeds below 100000: without and with a picture of the
empty board.
"""

WEIGHTS = {
    False: (-1.57, 0.37, 0.50, 1.29, -2.04, -0.14, 2.07, -0.23, 0.09, 0.78, -0.56, -0.08, 0.17, 0.06, 0.08, 0.15),
    True: (-2.27, 0.60, 0.59, 1.40, -1.69, -0.47, 2.82, -0.31, -0.09, 0.91, -1.03, -0.42, -0.07, 0.06, 0.40, 0.19),
}
