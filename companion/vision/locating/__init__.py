"""Where the board is: found by its cards and its own contours, kept, and found anew when something was moved."""
