"""Cameras, lights, buttons and the simulated table: each real part with a stand-in."""
