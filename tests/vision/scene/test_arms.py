"""Arms: what reaches over a site from another one, and what those who look there tell of that one."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.light.palette import Light
from companion.vision.networks.learned import witnesses
from companion.vision.scene.arms import arms_over
from hardware.simulated.renderer import render
from hardware.simulated.scene import scene_of
from hardware.simulated.truth import truth
from tests.benchmarks.pictures import true_pose
from tests.vision.readers.test_standing_told import CORNERS, EASY, LABELS, LABYRIA, SPECS

EDGES = [site for site in LABYRIA.sites if site.kind == "edge"]


@pytest.mark.parametrize(
    ("label", "edges"),
    [
        ("NE", {"edge:e6-f6", "edge:f5-f6"}),
        ("SE", {"edge:e5-f5", "edge:f5-f6"}),
        ("SW", {"edge:e5-f5", "edge:e5-e6"}),
        ("NW", {"edge:e6-f6", "edge:e5-e6"}),
        ("empty", set()),
    ],
)
def test_a_corner_has_its_arms_over_two_edges(label: str, edges: set[str]) -> None:
    (site,) = (site for site in LABYRIA.sites if site.name == "crossing:e5")
    over = arms_over(LABYRIA, site, EDGES)[site.labels.index(label)]
    assert {EDGES[k].name for k in np.flatnonzero(over)} == edges


def test_corners_are_told_by_their_arms() -> None:
    scene = scene_of(LABYRIA, LABELS, 1)
    shot, shown = render(LABYRIA, scene, EASY), truth(LABYRIA, scene, EASY)
    (witness,) = (one for one in witnesses(LABYRIA) if one.sites[0].kind == "edge")
    palette = type("Lit", (), {"light": Light.nominal().over(shot)})()
    which = [k for k, site in enumerate(witness.sites) if site.kind == "crossing"]
    told = witness.read(shot, palette, witness.plan(true_pose(shot, shown)), np.array(which))
    said = {witness.sites[k].name: one for k, one in zip(which, told, strict=True)}
    armed = np.zeros(len(EDGES), bool)
    for name, label in CORNERS.items():
        spec = SPECS[f"crossing:{name}"]
        armed |= arms_over(LABYRIA, spec, EDGES)[spec.labels.index(label)]
        assert said[spec.name].label == label
    for name, one in said.items():
        if not (arms_over(LABYRIA, SPECS[name], EDGES) & armed).any():
            assert one.label == "empty"


def test_only_what_has_arms_wherever_it_stands_is_told_by_them() -> None:
    """Large piles in the start corners reach over an edge too: a wall there was taken for five figures."""
    (witness,) = (one for one in witnesses(LABYRIA) if one.sites[0].kind == "edge")
    corner = SPECS["cell:a1"]
    assert arms_over(LABYRIA, corner, EDGES).any()
    assert {site.kind for site in witness.sites} == {"edge", "crossing"}
