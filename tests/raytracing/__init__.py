"""The same tables as the simulated ones, drawn by a path tracer: light that goes from thing to thing, soft shadows,
real gloss, edges that are broken. What was tuned on the simulated table alone can be tried here.

Needs mitsuba and mapbox_earcut, which nothing else does.
"""
