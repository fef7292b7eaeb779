"""What labels say about pieces: which things a label names, and what a site shows once one is taken or put there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from companion.games.sites import EMPTY, SiteSpec


def plain(label: str) -> str:
    """A label without the word about looks behind it (`C2 RRB`)."""
    return label.partition(" ")[0]


def base(label: str) -> str:
    """What a piece is, however it is turned."""
    return plain(label).partition("/")[0]


def things(spec: SiteSpec, label: str) -> Counter[str]:
    """The things that a label of the site names: `red*2+yellow` names three; a number, so many that have no name."""
    label = plain(label)
    if label in (EMPTY, spec.nothing):
        return Counter()
    if spec.nothing == "0":
        return Counter({"": int(label)})
    if not shared(spec):
        return Counter({label: 1})
    parts = (part.partition("*") for part in label.split("+"))
    return Counter({name: int(count or 1) for name, _, count in parts})


def shared(spec: SiteSpec) -> bool:
    """Whether one label of the site may name several things that stand there side by side."""
    return _shared(spec.labels)


@cache
def _shared(labels: tuple[str, ...]) -> bool:
    return labels[0] == "0" or any("*" in label or "+" in label for label in labels)


def together(spec: SiteSpec, named: Counter[str]) -> str:
    """The label of the site that names these things; one that it does not have where no label does."""
    for label in spec.labels:
        if things(spec, label) == +named:
            return label
    return "+".join(name if count == 1 else f"{name}*{count}" for name, count in sorted((+named).items()))


def taken(spec: SiteSpec, stack: Sequence[str], label: str) -> tuple[int, str | None]:
    """What changes when a hand takes `label` from a stack of labels: which of them, and what it is then (None: gone).

    Of a stack the piece of that name is taken, else the upper one.
    """
    if shared(spec):
        left = things(spec, stack[-1])
        name = label if label in left else next(iter(left))
        rest = together(spec, left - Counter({name: 1}))
        return len(stack) - 1, None if rest == spec.nothing else rest
    same = [k for k, other in enumerate(stack) if base(other) == base(label)]
    return (same[-1] if same else len(stack) - 1), None


def put(spec: SiteSpec, stack: Sequence[str], label: str) -> tuple[int, str]:
    """What changes when a hand puts `label` there: which number of the stack then has which label."""
    if not shared(spec):
        return len(stack), label
    more = Counter({"": 1}) if spec.nothing == "0" else things(spec, label)
    return 0, together(spec, (things(spec, stack[0]) if stack else Counter()) + more)
