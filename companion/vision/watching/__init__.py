"""From frames to readings: what moved, what is covered, what has to be read again."""
