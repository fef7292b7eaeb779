"""What the referee says of a picture: five kinds of decision, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.core import Action, Judgement


@dataclass(frozen=True, slots=True)
class Step:
    """One action that happened. `by`: `camera` where it was seen, `hand` where people entered it, `inferred` where it
    only follows.
    """

    action: Action
    confidence: float
    by: str


@dataclass(frozen=True, slots=True)
class Agrees:
    """The table shows the position. `advice`: sites kept by hand that should be put right, with the labels wanted."""

    advice: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Accepts:
    """Actions happened, one after the other, and the picture leaves no doubt which.

    `agrees`: the table shows the position already, and the action follows from the rules alone.
    """

    steps: tuple[Step, ...]
    agrees: bool = False


@dataclass(frozen=True, slots=True)
class Refuses:
    """What lies on the table breaks a clause. `sites` differ from the position."""

    judgement: Judgement
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asks:
    """The referee cannot know. `key` names the question in the catalogues, `choices` are lists of actions that would
    explain the picture (may be empty), `sites` the places it is about. `said`: how much of what people have entered
    each choice contains, or nothing, where what they have entered explains nothing yet.
    """

    key: str
    sites: tuple[str, ...]
    choices: tuple[tuple[Action, ...], ...] = ()
    said: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Waits:
    """Nothing to say yet: something moves, is covered, or may still change.

    `reason` is one word; `seen` are the actions that will be accepted if the table stays as it is.
    """

    reason: str
    seen: tuple[Action, ...] = ()


Decision = Agrees | Accepts | Refuses | Asks | Waits
