"""Every screen in every size, language, theme, size of text and hand, checked: `python -m tests.benchmarks.gallery`.

The normal suite samples these. The exit status is 1 where a check finds a fault.
"""

from __future__ import annotations

import sys
from itertools import product

from companion.ui.gallery import SIZES, shots
from companion.ui.preferences import CHOICES


def main() -> int:
    """Prints each fault once, with where it was found."""
    count, wrong = 0, 0
    for hand, text, size in product(CHOICES["hand"], CHOICES["text"], SIZES):
        for shot in shots([size], text=text, hand=hand):
            count += 1
            for fault in shot.faults:
                wrong += 1
                print(f"{size[0]}x{size[1]} {shot.language} {shot.theme} {text} % {hand}: {shot.name}: {fault}")
        print(f"{size[0]}x{size[1]} {text} % {hand}: {count} pictures, {wrong} faults so far", file=sys.stderr)
    print(f"{count} pictures, {wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
