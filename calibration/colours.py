"""The colours of a set as they really are, learned from two pictures into a set file of one's own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.games.core import Game
from companion.games.looks import Colour, Look, Prism
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture, lattice, on_board
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import UNSURE, Paints, rasterise
from companion.vision.light.palette import SOFT, encoded, linear, measure_light, sample
from companion.vision.scene.sampling import classes

LEAST = 40
"""Points on which a colour has to be seen."""

STEP, MARGIN = 1.5, 1.5
"""Millimetres between the points that are looked at, and around each change of colour."""

FARTHEST = 1.3
"""How far a colour may be from the set file's, on a logarithmic scale, before it is taken for something else."""

ALIKE = 0.12
"""How near two colours may come, on the same scale, before they cannot be told apart."""


class ColoursError(Exception):
    """Pictures that colours cannot be learned from; the message says what to do better. `reason` is a word for it;
    `wanted` and `seen` are colours, where it is about one.
    """

    def __init__(
        self, message: str, reason: str = "", wanted: Colour | None = None, seen: Colour | None = None
    ) -> None:
        super().__init__(message)
        self.reason, self.wanted, self.seen = reason, wanted, seen


@dataclass(frozen=True, slots=True)
class Learned:
    """`colours`: each colour of the set file that was seen, and what it is; `alike`: pairs that look much alike."""

    colours: Mapping[Colour, Colour]
    alike: tuple[tuple[Colour, Colour], ...]


def arrangement(game: Game[Any, Any]) -> dict[str, str]:
    """Pieces to lay out, by site, so that every colour of them shows, with as few pieces as may be."""
    shows = {key: _colours(look) for key, look in game.looks.items()}
    wanted = set[Colour]().union(*shows.values()) - {solid.colour for solid in game.board}
    used: Counter[str] = Counter()
    laid: dict[str, str] = {}
    while wanted:
        most, choice = 0, None
        for site in (site for site in game.sites if site.name not in laid):
            for label in site.labels:
                gain = len(wanted & shows[site.kind, label])
                if gain > most and _free(game, site, label, laid, used):
                    most, choice = gain, (site, label)
        if choice is None:
            break
        site, label = choice
        laid[site.name] = label
        used[label.partition("/")[0]] += 1
        wanted -= shows[site.kind, label]
    return laid


def _free(game: Game[Any, Any], site: SiteSpec, label: str, laid: Mapping[str, str], used: Counter[str]) -> bool:
    """Whether that may be laid there: the set has one left, its place is there, and nothing else is."""
    thing = label.partition("/")[0]
    if label == EMPTY or used[thing] >= game.copies.get(thing, 10**6):
        return False
    if site.upon:  # two would stand in one place
        return not used[thing] and f"{site.upon}:{thing}" not in laid
    if site.on:
        return site.on in laid and site.place(laid[site.on]) is not None
    uppers = {other.name for other in game.sites if other.upon == site.kind}
    return all(laid.get(name) != site.name.partition(":")[2] for name in uppers)


def _colours(look: Look) -> set[Colour]:
    """All colours that a look shows."""
    marks = {mark.colour for solid in look if isinstance(solid, Prism) for mark in solid.marks}
    return {solid.colour for solid in look} | marks


def learn(
    game: Game[Any, Any], empty: tuple[Array, Pose], laid: tuple[Array, Pose], labels: Mapping[str, str]
) -> Learned:
    """The colours of the board in the picture `empty`, and of the pieces that lie at `labels` in the picture `laid`.

    Raises:
        ColoursError: the cards' white is not seen, or a colour is so far off that something else must lie there.
    """
    paints = Paints.of([game.board, *game.looks.values()])
    seen: dict[int, list[Array]] = {}
    _look_at_board(game, paints, *empty, seen)
    for site in game.sites:
        label = labels.get(site.name, EMPTY)
        if label != EMPTY:
            place = site.place(labels[site.on]) if site.on else site.centre
            assert place is not None
            _look_at_piece(game, paints, site._replace(centre=place), label, *laid, seen)
    return _judged(paints, {k: np.concatenate(parts) for k, parts in seen.items()})


def _look_at_board(
    game: Game[Any, Any], paints: Paints, image: Array, pose: Pose, seen: dict[int, list[Array]]
) -> None:
    raster = rasterise(game.board, paints).eroded(MARGIN)
    rows, columns = np.indices(raster.values.shape)[:, ::6, ::6]
    points = np.column_stack([columns.ravel(), rows.ravel()]) * 0.25 + np.array(raster.origin)
    _collect(game, paints, image, pose, np.column_stack([points, np.zeros(len(points))]), raster.at(points), seen)


def _look_at_piece(
    game: Game[Any, Any],
    paints: Paints,
    site: SiteSpec,
    label: str,
    image: Array,
    pose: Pose,
    seen: dict[int, list[Array]],
) -> None:
    look = game.look(site.kind, label)
    flat = [solid for solid in look if isinstance(solid, Prism)]
    top = max((solid.z1 for solid in flat), default=0.0)
    points = lattice(site.size / 2, STEP)
    shown = classes(tuple(solid for solid in flat if solid.z1 == top), points, paints, MARGIN)
    places = on_board(site, points)
    _collect(
        game, paints, image, pose, np.column_stack([places, np.full(len(places), site.centre[2] + top)]), shown, seen
    )


def _collect(
    game: Game[Any, Any],
    paints: Paints,
    image: Array,
    pose: Pose,
    points: Array,
    shown: Array,
    seen: dict[int, list[Array]],
) -> None:
    light = measure_light(image, pose, game.marker, -game.plate.thickness)
    if light is None:
        raise ColoursError(
            "the white of the corner cards is not seen, by which colours are judged; lay the cards out", "white"
        )
    known = (shown < UNSURE) & (shown < len(paints.colours))
    at = pose.project(points[known])
    inside = in_picture(at, pose.lens.size)
    values = light.reflectance(linear(sample(image, at[inside])))
    for number in np.unique(shown[known][inside]).tolist():
        seen.setdefault(number, []).append(values[shown[known][inside] == number])


def _judged(paints: Paints, seen: Mapping[int, Array]) -> Learned:
    learned: dict[Colour, Colour] = {}
    means: dict[Colour, Array] = {}
    for number, values in sorted(seen.items()):
        if len(values) < LEAST:
            continue
        colour, value = paints.colours[number], np.clip(np.median(values, axis=0), 0, 1)
        nominal = linear(np.array(colour[::-1], np.float64))
        if np.abs(np.log((value + SOFT) / (nominal + SOFT))).max() > FARTHEST:
            raise ColoursError(
                f"where the colour {list(colour)} should be, {list(srgb(value))} is seen; do the pieces lie as shown, "
                "in even light, without glare and hands?",
                "other",
                colour,
                srgb(value),
            )
        learned[colour], means[colour] = srgb(value), np.log(value + SOFT)
    if not learned:
        raise ColoursError("no colour was seen; is the whole board in the picture?", "nothing")
    pairs = [(a, b) for a in means for b in means if a < b and np.linalg.norm(means[a] - means[b]) < ALIKE]
    return Learned(learned, tuple(pairs))


def srgb(value: Array) -> Colour:
    """Linear blue-green-red (0 to 1) as an sRGB triple."""
    blue, green, red = (int(channel) for channel in np.rint(encoded(value)))
    return red, green, blue


def recoloured(text: str, colours: Mapping[Colour, Colour]) -> str:
    """The text of a set file with other colours; everything else, comments too, stays as it is."""

    def exchanged(found: re.Match[str]) -> str:
        colour = colours.get((int(found[1]), int(found[2]), int(found[3])))
        return f"[{colour[0]}, {colour[1]}, {colour[2]}]" if colour else found[0]

    return re.sub(r"\[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]", exchanged, text)
