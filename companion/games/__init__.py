"""The rules: pure, without clocks, files at play time, random numbers, pictures or hardware."""
