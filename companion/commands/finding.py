"""What `companion check` finds: one part, whether it is right, and what would help."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One part: whether it can be used as it is, what was found, and what would help. Without an `essential` part
    nothing works.
    """

    part: str
    ok: bool
    found: str
    advice: str = ""
    essential: bool = False
