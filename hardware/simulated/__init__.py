"""The simulated table: scenes of any game, drawn as a camera would see them, and people who play on it."""
