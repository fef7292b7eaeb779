"""Training of the small networks that read sites: not part of the test suite."""
