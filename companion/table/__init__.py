"""The running game: session, record, undo, corrections, results."""
