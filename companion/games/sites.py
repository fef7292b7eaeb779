"""Sites: the places where something can be, with their place on the table and the labels they can have."""

from __future__ import annotations

from typing import Final, NamedTuple

EMPTY: Final = "empty"
"""The label of a site where nothing is."""


class SiteSpec(NamedTuple):
    """A site: `name` as in records (`cell:12`), `kind` (`cell`), and where it is.

    `centre` (x, y, z) in mm in the board frame: the origin of the site's own frame, on the surface that things lie on.
    `angle`: how far that frame is turned, degrees clockwise as seen from above. `labels`: what can be there, first what
    it has while nothing is (`empty` as a rule). `size`: diameter in mm of the circle around the site within which
    whatever lies there lies. `loose`: things lie there at any angle and a little off (a hand's tiles on a rack), not
    fitted into a place. `stack`: how many may stand one upon the other; the label then names the upper one. `on`: the
    site whose label says where this one is; `places` then has the centre for each label of it with which this site
    exists (a part of land of a tile, as the tile lies), and `centre` is one of them. `upon`: a kind of sites that the
    label may name (`C2` for `cell:C2`); the thing then stands on top of whatever lies there (a messenger on a block).
    `under`: the same, but the thing lies beneath whatever stands there (a chip under a figure). Sites with either are
    nowhere in themselves: their looks are in the board frame.
    """

    name: str
    kind: str
    centre: tuple[float, float, float]
    angle: float
    labels: tuple[str, ...]
    size: float
    loose: bool = False
    stack: int = 1
    on: str = ""
    places: tuple[tuple[str, tuple[float, float, float]], ...] = ()
    upon: str = ""
    under: str = ""

    @property
    def nothing(self) -> str:
        """The label of the site while nothing is there."""
        return self.labels[0]

    @property
    def roving(self) -> bool:
        """Whether the label says where the thing is."""
        return bool(self.upon or self.under)

    @property
    def on_table(self) -> bool:
        """Whether it is on the table beside the board: nothing leads a hand there, and it does not follow a push."""
        return self.centre[2] < 0

    def place(self, host: str) -> tuple[float, float, float] | None:
        """Where the site is while the one it is on has the label `host`; None where it then does not exist."""
        return dict(self.places).get(host) if self.on else self.centre

    def at(self, host: str) -> SiteSpec:
        """The site where it is while the one it is on has the label `host`; where it is said to be if that is never."""
        return self._replace(centre=self.place(host) or self.centre)
