"""What the vision says of one frame: the word of `companion.vision` to `companion.referee`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.vision.geometry.pose import Pose
from companion.vision.reading import Reading


class Scene(Enum):
    """What the table looks like as a whole."""

    DARK = "dark"  # the camera shows nothing usable: covered, switched off, overexposed
    BLURRED = "blurred"  # the board is found, but the picture is too blurred to be read
    LOST = "lost"  # no board is found where one is needed
    MIRRORED = "mirrored"  # the cards of the board are seen as in a mirror
    MOVING = "moving"  # something moves, or has moved a moment ago
    HAND = "hand"  # still, but a hand or another thing lies over the board or its surroundings
    STILL = "still"  # still and free


@dataclass(frozen=True, slots=True)
class Observation:
    """One frame, understood. `time` in seconds, of the frame.

    `reading`: what the sites show; given when the scene is `STILL` or `HAND` (with the covered sites not visible), and
    the very same object again as long as nothing has changed since it was read; None beside a hand that has been there
    from the first picture. `since`: the time from which the scene has shown just this. `board_moved`: the board or the
    camera was found in another place than before. `pose`: where the board is, as far as that is known.
    `drift`: how far the set's colours are from the set file, brightness aside (natural logarithm), where that was seen.
    """

    time: float
    scene: Scene
    since: float
    reading: Reading | None = None
    board_moved: bool = False
    pose: Pose | None = None
    drift: float | None = None
