"""Before any test module loads NumPy: as in the program, it gets no threads of its own."""

import companion  # noqa: F401 - it sees to that
