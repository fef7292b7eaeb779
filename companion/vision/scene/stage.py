"""The things that stand on the table: what each of them covers for a camera, and what shows where nothing stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Look, Prism, regular
from companion.games.sites import SiteSpec
from companion.vision.geometry.grid import Grid, distinct
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import on_board
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import NOTHING, UNSURE, Paints, Raster
from companion.vision.light.palette import Palette
from companion.vision.light.surfaces import UP, Surface
from companion.vision.light.tones import Tones
from companion.vision.scene.clashes import feet_of, find_clashes
from companion.vision.scene.crowd import Crowd, CrowdPlan, plan_crowd
from companion.vision.scene.explanation import State
from companion.vision.scene.sampling import height
from companion.vision.scene.seen import Seen
from companion.vision.scene.silhouettes import RIM, Draughtsman, Patch, Shape, area_of, around_site, touching

PLAY, LEEWAY, SPREAD_OUT = 0.6, 0.3, 0.06
"""How far off its place a thing may stand, in mm, and that part of the room around it more; on the table, which leads
nobody's hand, that part of the size of the site."""

ASIDE = 0.28
"""How far from its place, as a part of the way to the next one, what stands on the table is looked for as well."""

AROUND = 4.0
"""Millimetres around a site that have to be explained, too."""

LYING_ASIDE = 14.0
"""How far, in mm, from its place something may lie that lies beside a board that was pushed."""

COARSEST, FINEST = 1.2, 0.2
"""Distance between the points of the picture that are looked at: in mm at most, and as a part of the thinnest thing."""


@dataclass(slots=True)
class StagePlan:
    """What depends on the pose only: the grid, the rows of evidence (points,) of what shows where nothing stands.

    By site: its states; what there is to know of a crowd; how many points off its place things may stand (`plays`);
    the points around it, all that things may cover (`reach`), those that they surely cover and the height that hides
    these (`areas`), the part of them that the picture shows (`inside`), and which sites hide each other (`touches`).
    `tones`: how surfaces look in the light that `palette` knows; `typical`: by how much labels differ then, by kind;
    `seen`: what was seen of each point when the sites there were looked at last. `dazzling`: the sites on which things
    mirror a lamp; `searched`: how many things there were when that was asked.
    `laid`: by its `id`, each pose that what lies beside the board was planned for, with what there then is of that and
    which sites hide each other.
    """

    grid: Grid
    ground: Array
    states: list[tuple[State, ...]]
    crowds: dict[int, CrowdPlan]
    plays: dict[int, int]
    around: list[Array]
    reach: list[Array]
    areas: list[tuple[Array, Array]]
    inside: Array
    touches: list[frozenset[int]]
    tones: Tones | None = None
    typical: dict[str, float] = field(default_factory=dict)
    palette: Palette | None = field(default=None)
    seen: Seen | None = None
    dazzling: frozenset[int] = frozenset()
    searched: int = 0
    laid: dict[int, tuple[Pose, list[tuple[Any, ...]], list[frozenset[int]]]] = field(default_factory=dict)
    _sizes: dict[int, float] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Any, ...]:
        """What there is of each site."""
        return self.states, self.around, self.reach, self.areas, self.inside

    def forget_size(self, number: int) -> None:
        """What stands on a site covers other points now."""
        self._sizes.pop(number, None)

    def size(self, number: int) -> float:
        """How many points a single thing on a site covers, typically: infinitely many where nothing can stand."""
        if number not in self._sizes:
            things = self.crowds[number].things if number in self.crowds else self.states[number][1:]
            typical = float(np.median([len(thing.at) for thing in things])) if things else np.inf
            self._sizes[number] = max(1.0, typical)
        return self._sizes[number]


_STAGES: WeakKeyDictionary[Game[Any, Any], Stage] = WeakKeyDictionary()


class Stage:
    """All sites of a game on which things stand. `surfaces`: of these and, first, the `printed` ones of the board; the
    rows of evidence are theirs, then the table's, then anything's. `growing`: names of sites whose labels each say
    all that the one before says, and more. `clashes`: what cannot stand side by side, see `find_clashes`. `beside`: the
    numbers of the sites on the table beside the board. `crowds`: what may stand together, by the name of the site.
    `level`: which rows of evidence (n,) are those of level tops of things.
    """

    def __init__(self, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints, board: Raster) -> None:
        self.sites = tuple(sites)
        self._paints = paints
        self._board, self._plate = board.eroded(0.7), game.board
        self._looks = {(site.kind, label): game.look(site.kind, label) for site in sites for label in site.labels}
        self._shapes: dict[tuple[str, str, float], Shape] = {}
        for site in sites:
            for label in site.labels:
                key = (site.kind, label, site.angle)
                if key not in self._shapes:
                    self._shapes[key] = Shape(self._looks[site.kind, label], site.angle, paints)
        self.surfaces, self._on_ground = self._all_surfaces()
        level = [k >= self.printed and surface.facing == UP for k, surface in enumerate(self.surfaces)]
        self.level = np.array([*level, False, False])  # neither the table nor anything else
        self._spacing = min(COARSEST, FINEST * min(_thinnest(look) for look in self._looks.values() if look))
        self.growing = {site.name for site in sites if self._grows(site)}
        alike = {(site.kind, site.labels, site.size): site for site in sites}
        found = {
            key: Crowd.of([self._looks[one.kind, label] for label in one.labels], one) for key, one in alike.items()
        }
        crowds = {site.name: found[site.kind, site.labels, site.size] for site in sites}
        self.crowds = {name: crowd for name, crowd in crowds.items() if crowd is not None}
        self.clashes = find_clashes(self.sites, self._looks, self.crowds)
        self.beside = [number for number, site in enumerate(self.sites) if site.on_table]

    @classmethod
    def of(cls, game: Game[Any, Any], sites: Sequence[SiteSpec], paints: Paints, board: Raster) -> Stage:
        """The stage of a game, always with the same sites, made once: the next game of a match begins at once."""
        if game not in _STAGES:
            _STAGES[game] = cls(game, sites, paints, board)
        return _STAGES[game]

    def _all_surfaces(self) -> tuple[tuple[Surface, ...], Array]:
        """Every surface of the things and of the board, and the row (paints,) of each paint on the board."""
        things = [surface for shape in self._shapes.values() for surface in shape.surfaces]
        paints = self._paints
        count = len(paints.colours)
        shown = [int(k) for k in np.unique(self._board.values) if k < UNSURE]
        board = [
            Surface(k) if k < count else Surface(paints.prints[k - count][0], UP, (paints.prints[k - count][1],))
            for k in shown
        ]
        plain = [Surface(mark) for surface in (*things, *board) for mark in surface.marks]
        surfaces = tuple(dict.fromkeys((*board, *plain, *things)))
        self.printed = len(dict.fromkeys(board))  # surfaces of the board come first
        rows = np.full(256, len(surfaces) + 1)  # of anything
        for number, surface in zip(shown, board, strict=True):
            rows[number] = surfaces.index(surface)
        rows[NOTHING] = len(surfaces)  # of the table
        return surfaces, rows

    def _grows(self, site: SiteSpec) -> bool:
        """Whether each label says that there is all that the one before says, and more."""
        looks = [self._looks[site.kind, label] for label in site.labels]
        return len(looks) > 2 and all(
            len(less) < len(more) and less == more[: len(less)] for less, more in pairwise(looks)
        )

    def level_points(self, state: State, plan: StagePlan) -> Array:
        """Which points (n,) of a state show the top of a thing."""
        level: Array = self.level[state.evidence // len(plan.ground)]
        return level

    def plan(self, pose: Pose, beside: Pose) -> StagePlan:
        """Which points of the picture each thing covers for the camera, if what lies beside the board has the pose
        `beside`.
        """
        grid = Grid.over(pose, self._corners(), self._spacing)
        draughtsman = Draughtsman(pose, grid)
        count = len(self.sites)
        plays = {number: round(self._play(site) * grid.scale) for number, site in enumerate(self.sites)}
        none = np.empty(0, np.intp)
        plan = StagePlan(
            grid,
            self._ground(grid, draughtsman),
            [()] * count,
            {},
            plays,
            [none] * count,
            [none] * count,
            [(none, none)] * count,
            np.zeros(count),
            [],
        )
        self._place(plan, [number for number in range(count) if number not in self.beside], draughtsman)
        self.lay_beside(plan, beside)
        return plan

    def lay_beside(self, plan: StagePlan, pose: Pose) -> None:
        """Plans what lies beside the board for another pose of its frame; for each pose only once."""
        if id(pose) not in plan.laid:
            if self.beside:
                self._place(plan, self.beside, Draughtsman(pose, plan.grid.under(pose)))
            parts = [tuple(part[number] for part in plan.parts) for number in self.beside]
            plan.laid[id(pose)] = pose, parts, touching(plan.reach, plan.grid)
        _, parts, plan.touches = plan.laid[id(pose)]
        for number, own in zip(self.beside, parts, strict=True):
            plan.forget_size(number)
            for part, value in zip(plan.parts, own, strict=True):
                part[number] = value

    def _place(self, plan: StagePlan, which: Sequence[int], draughtsman: Draughtsman) -> None:
        """Plans the sites with these numbers."""
        rows, columns = draughtsman.grid.shape
        count = rows * columns
        for number in which:
            site, aside = self.sites[number], list[tuple[int, Patch]]()
            if site.name in self.crowds:
                patches, plan.crowds[number] = self._plan_crowd(self.crowds[site.name], draughtsman, site, count)
            else:
                patches = self._patches(draughtsman, site)
                moved = (enumerate(self._patches(draughtsman, place)) for place in self._aside(site))
                aside = [(k, patch) for some in moved for k, patch in some if patch is not None]
                shown = (*enumerate(patches), *aside)
                plan.states[number] = tuple(self._state(k, site, patch, count) for k, patch in shown)
            drawn = list({id(patch): patch for patch in patches if patch is not None}.values())
            plan.areas[number] = area_of(drawn)
            covered = [patch.at for patch in (*drawn, *(patch for _, patch in aside))]
            covered += [plan.crowds[number].points] if number in plan.crowds else []
            reach = plan.reach[number] = distinct(np.concatenate(covered))
            plan.inside[number] = sum(len(patch.at) for patch in drawn) / max(1, sum(patch.whole for patch in drawn))
            radius = site.size / 2 + AROUND
            plan.around[number] = around_site(draughtsman.pose, plan.grid, site, radius, reach)

    def _aside(self, site: SiteSpec) -> list[SiteSpec]:
        """The same site a little farther from the one beside it on the table, and a little nearer: nothing there leads
        anybody's hand. A pile is where it is.
        """
        others = [self.sites[number] for number in self.beside if self.sites[number].name != site.name]
        if not site.on_table or site.name in self.growing or not others:
            return []
        ways = np.subtract([other.centre for other in others], site.centre)
        nearest = ways[np.linalg.norm(ways, axis=1).argmin()]
        return [site._replace(centre=tuple((np.array(site.centre) + by * nearest).tolist())) for by in (-ASIDE, ASIDE)]

    def _play(self, site: SiteSpec) -> float:
        """How far off its place, in mm, things on a site may stand."""
        if site.on_table:
            return SPREAD_OUT * site.size
        radius, size = 0.0, site.size
        for label in site.labels:
            for foot, _, _ in feet_of(site, self._looks[site.kind, label]):
                middle = foot.mean(axis=0) if site.roving else np.array(site.centre[:2])
                radius = max(radius, float(np.hypot(*(foot - middle).T).max()))
        if site.roving:
            size = next((host.size for host in self.sites if host.kind == (site.under or site.upon)), 0.0)
        room = size / 2 - radius
        return PLAY + LEEWAY * max(0.0, room)

    def _plan_crowd(
        self, crowd: Crowd, draughtsman: Draughtsman, site: SiteSpec, count: int
    ) -> tuple[list[Patch | None], CrowdPlan]:
        """What a single thing in the middle covers, and where all may stand."""
        shapes = [Shape(kind, site.angle, self._paints) for kind in crowd.kinds]
        patch = draughtsman.draw(crowd.kinds[0], shapes[0], site, site.centre)
        things = [self._state_of(0, shape, patch, count) for shape in shapes]
        return [None, patch], plan_crowd(crowd, patch, things, draughtsman, site)

    def _corners(self) -> Array:
        """Points (n, 3) around everything that may stand somewhere."""
        corners = list[Array]()
        for number, site in enumerate(self.sites):
            top = max(height(self._looks[site.kind, label]) for label in site.labels)
            margin = LYING_ASIDE if number in self.beside else 2.0
            ring = on_board(site, np.array(regular(8, site.size / 2 + margin)))
            corners.extend(np.column_stack([ring, np.full(8, site.centre[2] + z)]) for z in (0.0, top))
        return np.concatenate(corners)

    def _patches(self, draughtsman: Draughtsman, site: SiteSpec) -> list[Patch | None]:
        """What each label covers; looks of one shape cover the same."""
        looks = [self._looks[site.kind, label] for label in site.labels]
        shapes = [self._shapes[site.kind, label, site.angle] for label in site.labels]
        if site.name in self.growing:
            return [None, *draughtsman.draw_growing(looks[1:], shapes[1:], site, site.centre)]
        known: dict[object, Patch | None] = {}
        for look, shape in zip(looks, shapes, strict=True):
            if shape.key not in known:
                known[shape.key] = draughtsman.draw(look, shape, site, site.centre) if look else None
        return [known[shape.key] for shape in shapes]

    def _state(self, number: int, site: SiteSpec, patch: Patch | None, count: int) -> State:
        if patch is None:
            none = np.empty(0, np.int64)
            return State(number, none, none.astype(np.float32), none)
        return self._state_of(number, self._shapes[site.kind, site.labels[number], site.angle], patch, count)

    def _state_of(self, number: int, shape: Shape, patch: Patch, count: int) -> State:
        """What a patch shows, on a grid of so many points."""
        row = np.full(256, len(self.surfaces) + 1)
        row[: len(shape.surfaces)] = [self.surfaces.index(surface) for surface in shape.surfaces]
        row[RIM] = len(self.surfaces) + 1
        return State(number, patch.at, patch.z, row[patch.slot] * count + patch.at)

    def _ground(self, grid: Grid, draughtsman: Draughtsman) -> Array:
        """The rows of evidence (points,) of what shows where nothing stands."""
        points = grid.ground.reshape(-1, 2)
        ground = self._on_ground[self._board.at(points)]
        around = SiteSpec("", "", (0.0, 0.0, 0.0), 0.0, (), 0.0)
        plate = tuple(solid._replace(marks=()) for solid in self._plate if isinstance(solid, Prism))
        patch = draughtsman.draw(plate, Shape(plate, 0.0, self._paints), around, around.centre)
        side = patch.at[ground[patch.at] == len(self.surfaces)]
        ground[side] = len(self.surfaces) + 1  # the plate's sides and rim
        return ground


def _thinnest(look: Look) -> float:
    """The smallest width, in mm, of what a look is made of."""
    outlines = [np.array(solid.footprint, np.float32) for solid in look if isinstance(solid, Prism)]
    return min(min(cv2.minAreaRect(outline)[1]) for outline in outlines)
