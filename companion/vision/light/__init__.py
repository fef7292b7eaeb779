"""Colours under the light of one picture: how well a pixel fits each paint, and what lamps and shadows do to it."""
