"""Reads one picture: for each site the likelihood of each label.

Each kind of site is read in the way that its pieces ask for: flat ones fitted into their places, loose ones, tall ones.
All of them ask one palette how well a pixel fits a paint, and all sum up what the picture says for each label.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Look, Prism
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.evidence import SURE, unsure, without
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import Paints, Raster, rasterise
from companion.vision.light.glare import Glare, GlareFinder, burnt_out, evenly_darker
from companion.vision.light.illumination import IlluminationFinder
from companion.vision.light.palette import Light, Palette, TableTop, averaged, measure_light, sample
from companion.vision.locating.poses import MOVED
from companion.vision.networks.covered import CoverNetwork
from companion.vision.networks.learned import DIMLY, agreed, told_together, with_own_faces, witnesses
from companion.vision.readers.bare import BareGround
from companion.vision.readers.bare_table import BareTable
from companion.vision.readers.flat import FlatKind
from companion.vision.readers.laden import LadenKind
from companion.vision.readers.loose import ROUGH, LooseKind, roughness
from companion.vision.readers.standing import StandingKind
from companion.vision.readers.supply import with_rest, with_supply
from companion.vision.readers.tall import TallKind
from companion.vision.readers.terraces import TerraceKind
from companion.vision.reading import Reading, SiteReading, Told
from companion.vision.scene.sampling import height

TALL = 0.4
"""From this height, in diameters of the site, a piece is tall: it hides what is behind it."""

LOW = 0.1
"""Up to this height, in diameters of the site, pieces of one outline that are fitted into their places are flat."""

GROWN = 1.5
"""From so many times as many pieces on as when the plans were made exact by them, that is done again."""

TABLE_STEP, TABLE_SMOOTH = 10.0, 2.0
"""Millimetres between points at which the table top is looked at, and over which it is smoothed to tell its colours."""

Kind = FlatKind | LadenKind | LooseKind | StandingKind | TallKind | TerraceKind


class Reader:
    """Reads pictures of one game. Keeps what depends only on the pose and on the light until these change."""

    def __init__(self, game: Game[Any, Any]) -> None:
        """Prepares the reading."""
        self._game = game
        self._loose = frozenset(site.name for site in game.sites if site.loose)
        shown = game.looks
        self._outlines = {key: _outline(look) for key, look in shown.items() if look}
        self._heights = {key: height(look) for key, look in shown.items()}
        self._paints = Paints.of([game.board, *shown.values()])
        board = rasterise(game.board, self._paints)
        self._kinds: list[Kind] = []
        standing = [site for site in game.sites if self._stands(site)]
        if standing:
            self._kinds.append(StandingKind(game, standing, self._paints, board))
        done = {site.kind for site in game.sites if site.upon}
        for host in dict.fromkeys(site.upon for site in game.sites if site.upon):
            hosts = [site for site in game.sites if site.kind == host]
            riders = [site for site in game.sites if site.upon == host]
            self._kinds.append(TerraceKind(game, hosts, riders, self._paints, board))
            done.add(host)
        flat = (site for site in game.sites if not site.on and site.kind not in done and not self._stands(site))
        for kind in dict.fromkeys(site.kind for site in flat):
            sites = [site for site in game.sites if site.kind == kind]
            top = max(self._heights[kind, label] for site in sites for label in site.labels)
            self._kinds.append(self._reader_of(sites, top, board))
        self._witnesses = witnesses(game)
        self._table = self._bare_table()
        self._grounds: list[BareGround | CoverNetwork | BareTable] = [*self._bare_grounds(board), *self._bare_tables()]
        self._glare = GlareFinder(game, self._paints, board)
        self._veil: Glare | None = None
        self._sheen = 0.0
        self._illumination = self._illumination_finder(board)
        self._pose: Pose | None = None
        self._plans: list[Any] = []
        self._views: list[Any] = []
        self._palette: Palette | None = None
        self._told: dict[str, Told] = {}
        self._aligned_by = 0  # how many tiles lay there when the plans were made exact by them

    def _stands(self, site: SiteSpec) -> bool:
        """Whether things of different outlines, or tall ones, stand on the site, and nothing upon these."""
        others = self._game.sites
        if site.loose or site.stack > 1 or site.on or site.upon:
            return False
        if any(other.on == site.name or other.upon == site.kind for other in others):
            return False
        keys = [(site.kind, label) for label in site.labels]
        outlines = {self._outlines[key] for key in keys if key in self._outlines}
        return len(outlines) > 1 or max(self._heights[key] for key in keys) > LOW * site.size

    def _heard(self) -> set[str]:
        """The kinds of sites on which networks look: these have learned what hands look like."""
        return {site.kind for witness in self._witnesses for site in witness.sites}

    def _bare_grounds(self, board: Raster) -> list[BareGround | CoverNetwork]:
        """What tells whether flat pieces that no network reads are covered: a network, or where that does not know a
        set's pieces, what bare places have in common.
        """
        heard = self._heard()
        flat = [kind.host if isinstance(kind, LadenKind) else kind for kind in self._kinds]
        sites = [kind.sites for kind in flat if isinstance(kind, FlatKind) and kind.sites[0].kind not in heard]
        strange, grounds = with_own_faces(self._game), list[BareGround | CoverNetwork]()
        for some in sites:
            learned = CoverNetwork(self._game, some)
            if learned.fits and some[0].kind not in strange:
                grounds.append(learned)
            elif (alike := BareGround(some, self._paints, board)).tells:
                grounds.append(alike)
        return grounds

    def _bare_tables(self) -> list[BareTable]:
        """The places of standing things beside the board on which no network looks."""
        heard = self._heard()
        standing = [kind for kind in self._kinds if isinstance(kind, StandingKind)]
        beside = [[s for s in kind.sites if s.on_table and s.kind not in heard] for kind in standing]
        return [BareTable(self._game, sites, self._table) for sites in beside if sites]

    def _illumination_finder(self, board: Raster) -> IlluminationFinder | None:
        """What evens the light over the board, if that tells the light."""
        finder = IlluminationFinder(self._paints, board)
        return finder if finder.tells else None

    def _reader_of(self, sites: Sequence[SiteSpec], top: float, board: Any) -> Kind:
        if sites[0].loose:
            return LooseKind(self._game, sites, self._paints)
        hosts = {site.name for site in sites}
        riders = [site for site in self._game.sites if site.on in hosts]
        if riders:
            return LadenKind(self._game, sites, riders, self._paints, board)
        if top > TALL * sites[0].size:
            return TallKind(self._game, sites, self._paints, board)
        return FlatKind(self._game, sites, self._paints, board)

    def read(self, image: Array, pose: Pose, only: Collection[str] | None = None, *, glance: bool = False) -> Reading:
        """What `image` (height, width, 3; blue-green-red) shows on the sites named in `only`, else on all.

        Sites outside the picture have `visible` = 0. The picture has the size that the pose's lens says. At a `glance`,
        networks are believed, up to a point, where they surely see something, or rather what was there: whoever wants
        to be surer looks again.
        """
        shot, (clear, image) = image, self._settle(image, pose, glance)
        assert self._palette is not None
        sites: dict[str, SiteReading] = {}
        told = {} if only is None else {name: said for name, said in self._told.items() if name not in only}
        self._told = told  # around what is read now, others have nothing new to tell

        def hear(names: Collection[str], pose: Pose | None = None) -> dict[str, Told]:
            self._hear(image, set(names) if pose else set(names) - told.keys(), told, pose)
            return told

        for kind, plan in zip(self._kinds, self._plans, strict=True):
            which = np.array([k for k, site in enumerate(kind.sites) if only is None or site.name in only], np.intp)
            if not len(which):
                continue
            names = [kind.sites[k].name for k in which]
            if isinstance(kind, LadenKind | StandingKind | TerraceKind):  # these count what they hear themselves
                readings, others = kind.read(image, self._palette, plan, which, hear, glance), {}
            else:
                readings, others = kind.read(image, self._palette, plan, which), hear(names)
            own = zip(names, readings, strict=True)
            sites |= {name: agreed(one, others[name], least=DIMLY) if name in others else one for name, one in own}
        if clear is not shot:
            asked = [site for site in self._game.sites if site.name in sites and not site.roving]
            burnt = burnt_out(shot, clear, pose, asked)
            sites |= {asked[k].name: unsure(sites[asked[k].name]) for k in np.flatnonzero(burnt)}
        for ground in self._grounds:  # light that is evened over a hand may give it the board's colour
            view = shot if isinstance(ground, CoverNetwork) else image
            sites |= ground.doubted(view, self._palette, pose, sites)
        sites = sites if only is not None else self._doubted(sites)
        return Reading({name: unsure(site) for name, site in sites.items()} if pose.blurred else sites)

    def align(self, image: Array) -> None:
        """Takes a picture that shows what was read last, before the next one is read: where many pieces have come
        since the plans were made exact by them, that is done again, and all pieces are looked at so.
        """
        if self._pose is None or self._tiles < max(1.0, GROWN * self._aligned_by):
            return
        _, image = self._settle(image, self._pose, glance=True)
        assert self._palette is not None
        before = self._plans
        self._align(image, self._palette)
        for kind, plan, old in zip(self._kinds, self._plans, before, strict=True):
            if isinstance(kind, LadenKind) and plan is not old:
                kind.look_around(image, self._palette, plan)

    @property
    def drift(self) -> float | None:
        """How far the set's colours are from the set file in the light of the last picture; see `Palette.drift`."""
        return self._palette.drift if self._palette is not None else None

    @property
    def beside(self) -> Sequence[Pose]:
        """The poses that what lies beside the board may have, the likeliest first; none where nothing stands there."""
        standing = (kind for kind in self._kinds if isinstance(kind, StandingKind))
        return next((tuple(kind.beside) for kind in standing if kind.beside), ())

    @property
    def astray(self) -> bool:
        """Whether what was read last stands off its places, as if the board lay elsewhere than the pose says."""
        return any(isinstance(kind, LadenKind | TerraceKind) and kind.astray for kind in self._kinds)

    def _hear(self, image: Array, names: Collection[str], told: dict[str, Told], pose: Pose | None = None) -> None:
        """Adds what the networks say of some sites to what they have told, from now on as they look at a `pose`."""
        assert self._palette is not None
        own: dict[str, Told] = {}
        arms: dict[str, Told] = {}
        for number, witness in enumerate(self._witnesses):
            which = [k for k, site in enumerate(witness.sites) if site.name in names]
            if which:
                if pose is not None:
                    self._views[number] = witness.plan(pose)
                view = self._views[number]
                readings = witness.read(image, self._palette, view, np.array(which), self._lying)
                for k, said in zip(which, readings, strict=True):
                    (own if witness.looks_at(k) else arms)[witness.sites[k].name] = said
        both = {name: told_together(own[name], arms[name]) for name in own.keys() & arms.keys()}
        told.update(own | arms | both)

    def _doubted(self, sites: dict[str, SiteReading]) -> dict[str, SiteReading]:
        """The sites, without trust in those that together show more of a thing than the set has: glare looks alike.
        Of piles that look alike, that is likelier which holds what the other sites leave.

        Of what the set has several of, the sites that show it least give way.
        """
        several = {thing: count for thing, count in self._game.copies.items() if count > 1}
        for kind in dict.fromkeys(site.kind for site in self._game.sites if several.keys() & set(site.labels)):
            names = [site.name for site in self._game.sites if site.kind == kind]
            sites = with_supply(sites, several, names)
        shown: dict[str, list[str]] = {}
        for name, site in sites.items():
            thing = site.label.partition("/")[0]
            if self._game.copies.get(thing) == 1:
                shown.setdefault(thing, []).append(name)
        told = dict(sites)
        if self._game.rest is not None:
            told[self._game.rest.site] = with_rest(sites, self._game.rest)
        for names in shown.values():
            told |= self._told_apart({name: sites[name] for name in names})
        return told

    def _told_apart(self, sites: dict[str, SiteReading]) -> dict[str, SiteReading]:
        """Sites that show the same thing, of which there is one: where one shows it surely, it lies nowhere else, and a
        place where things lie loose is then rather bare; else all that plainly show it are doubtful. Where none does,
        but several places do dimly, each is rather bare too.
        """
        plain = {name for name, site in sites.items() if site.visible >= 0.5 and site.confidence > 0.5}
        sure = {name for name in plain if sites[name].confidence >= SURE}
        if len(sure) == 1:
            return self._unnamed({name: site for name, site in sites.items() if name not in sure})
        if not plain and len(sites) > 1:
            return self._unnamed({name: site for name, site in sites.items() if name in self._loose})
        return {name: unsure(sites[name]) for name in plain} if len(plain) > 1 else {}

    def _unnamed(self, sites: dict[str, SiteReading]) -> dict[str, SiteReading]:
        """The sites, which do not show what they seem to show."""
        rather = {name: EMPTY if name in self._loose else None for name in sites}
        return {name: without(site, site.label, rather[name]) for name, site in sites.items()}

    def _settle(self, image: Array, pose: Pose, glance: bool) -> tuple[Array, Array]:
        """Gets ready for the pose and the light of a picture; gives the picture in even light, without glare over
        the board: where networks tell enough at a `glance`, that which was there at the last close look; and the same
        without what varnished pieces mirror everywhere.
        """
        moved = pose is not self._pose
        carried = moved and self._may_be_carried(pose)
        if moved:
            self._pose = pose
            self._plans = [kind.plan(pose) for kind in self._kinds]
            self._views = [witness.plan(pose) for witness in self._witnesses]
        light = measure_light(image, pose, self._game.marker, -self._game.plate.thickness)
        here = (light or Light.nominal()).over(image)
        afresh = self._veil is None or moved or not (glance and self._witnesses)
        if self._veil is None or afresh:
            self._veil = self._glare.measure(image, pose, here)
        image = self._veil.taken_off(image, pose, here)
        if self._illumination is not None:
            image = self._illumination.measure(image, pose, here).evened(image, pose)
        if afresh:
            terraces = [kind for kind in self._kinds if isinstance(kind, TerraceKind)]
            self._sheen = max((kind.sheen(image) for kind in terraces), default=0.0)
        clear, image = image, evenly_darker(image, self._sheen) if self._sheen else image
        if self._palette is None or carried or (light is not None and light.differs(self._palette.light)):
            palette = Palette(self._paints, here, self._table_top(image, pose))
            at, numbers = self._sure_points(image, palette)
            self._palette = palette.fitted(numbers, sample(image, at)) if len(at) else palette
            moved = True
        if moved:
            self._told = {}
        if moved:
            self._align(image, self._palette)
        return clear, image

    def _may_be_carried(self, pose: Pose) -> bool:
        """Whether the board was moved, since the last pose, and may lie on another table top now."""
        marker, z = self._game.marker, -self._game.plate.thickness
        return self._pose is not None and pose.distance_from(self._pose, marker, z) > MOVED

    def _align(self, image: Array, palette: Palette) -> None:
        """Makes the plans exact by the pieces that lie on the board."""
        pairs = zip(self._kinds, self._plans, strict=True)
        self._plans = [k.aligned(image, palette, plan) if isinstance(k, LadenKind) else plan for k, plan in pairs]
        self._aligned_by = self._tiles

    @property
    def _lying(self) -> dict[str, str]:
        """The labels, as they were read last, of the sites of tiles, which have parts on which things stand."""
        laden = (kind for kind in self._kinds if isinstance(kind, LadenKind))
        return {name: label for kind in laden for name, label in kind.lying.items()}

    @property
    def _tiles(self) -> int:
        """How many tiles lie there, as far as was read."""
        return sum(label != EMPTY for label in self._lying.values())

    def _sure_points(self, image: Array, palette: Palette) -> tuple[Array, Array]:
        """Pixels (n, 2) whose paint is beyond doubt, and the numbers (n,) of the paints."""
        found = []
        for kind, plan in zip(self._kinds, self._plans, strict=True):
            if isinstance(kind, FlatKind | LadenKind | TerraceKind):
                found.append(kind.sure(image, palette, plan))
        at, numbers = [np.empty((0, 2))], [np.empty(0, np.intp)]
        return np.concatenate([*at, *(at for at, _ in found)]), np.concatenate([*numbers, *(n for _, n in found)])

    def _table_top(self, image: Array, pose: Pose) -> TableTop:
        """What shows of the bare table, as far as one can know."""
        at, scale = pose.project(self._table), pose.scale(np.zeros(3))
        at = at[in_picture(at, pose.lens.size)]
        smooth = averaged(image, at, max(2, round(TABLE_SMOOTH * scale)))
        return TableTop(sample(image, at), smooth, roughness(image, at, ROUGH * scale))

    def _bare_table(self) -> Array:
        """Points (n, 3) of the table top that are bare, as far as one can know: beside the board, the cards and the
        sites.
        """
        game, z = self._game, -self._game.plate.thickness
        places = np.array([site.centre[:2] for site in game.sites] + list(game.marker.centres))
        low, high = places.min(axis=0) - 40, places.max(axis=0) + 40
        x, y = np.meshgrid(np.arange(low[0], high[0], TABLE_STEP), np.arange(low[1], high[1], TABLE_STEP))
        points = np.column_stack([x.ravel(), y.ravel()])
        plate = np.concatenate([np.array(solid.footprint) for solid in game.board if isinstance(solid, Prism)])
        hull = cv2.convexHull(plate.astype(np.float32))
        free = np.array([cv2.pointPolygonTest(hull, (float(u), float(v)), True) < -25 for u, v in points])
        for site in game.sites:
            free &= np.hypot(*(points - site.centre[:2]).T) > site.size / 2
        for centre in game.marker.centres:
            free &= np.abs(points - centre).max(axis=1) > game.marker.size / 2 + game.marker.quiet + 8
        return np.column_stack([points[free], np.full(int(free.sum()), z)])


def _outline(look: Look) -> frozenset[tuple[float, float]]:
    """The corners of a look seen from above."""
    prisms = (solid for solid in look if isinstance(solid, Prism))
    return frozenset((round(x, 1), round(y, 1)) for solid in prisms for x, y in solid.footprint)
