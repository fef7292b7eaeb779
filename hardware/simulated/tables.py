"""Table tops, made by formulas: linear light at any place of the table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.colours import Light, linear
from hardware.simulated.lens import Lens

TEXTURE = 1024
"""Side of a texture, pixels."""
SPAN = 1600.0
"""Side of a texture on the table, mm."""


def table_top(kind: str, seed: int, lens: Lens, z: float) -> Light:
    """The table's linear colour (height, width, 3) in every pixel of the picture."""
    random = np.random.default_rng([seed, 2])
    texture = make(kind, random)
    return _spread(texture, lens, z, random.uniform(0, 2 * np.pi))


def board_grain(seed: int, strength: float, lens: Lens) -> Light:
    """The grain of a wooden board: a factor (height, width, 1) on its colour in every pixel."""
    random = np.random.default_rng([seed, 11])
    lines = clouds(random, (200, 8), 3) + 0.4 * clouds(random, (500, 30), 1)
    angle = float(random.choice([0.0, np.pi / 2])) + random.normal(0, 0.03)
    return _spread(1 + strength * lines, lens, 0.0, angle)[..., None]


def _spread(texture: Light, lens: Lens, z: float, angle: float) -> Light:
    """A texture laid on the plane at height `z`, turned by `angle` (radians), as the picture shows it."""
    step = 8
    grid = np.stack(np.meshgrid(np.arange(0, lens.width + step, step), np.arange(0, lens.height + step, step)), -1)
    c, s = np.cos(angle), np.sin(angle)
    places = lens.unproject(grid.astype(float), z) @ np.array([[c, -s], [s, c]])
    uv = (places * (TEXTURE / SPAN) + TEXTURE / 2).astype(np.float32)
    size = (grid.shape[1] * step, grid.shape[0] * step)
    shift = np.array([[1, 0, (step - 1) / 2], [0, 1, (step - 1) / 2]])  # resize puts samples at cell centres
    fine = cv2.warpAffine(
        cv2.resize(uv, size),
        shift,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    fine = fine[: lens.height, : lens.width]
    return cv2.remap(texture, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def make(kind: str, random: np.random.Generator) -> Light:
    """A texture (TEXTURE, TEXTURE, 3) of that kind."""
    if "wood" in kind or kind == "planks":
        return _wood(kind, random)
    if kind in ("striped", "checked", "cloth"):
        return _cloth(kind, random)
    return _plain(kind, random)


def clouds(random: np.random.Generator, cells: tuple[int, int], octaves: int = 4) -> NDArray[np.float32]:
    """Smooth noise (TEXTURE, TEXTURE), about -1 to 1; `cells` is how many lumps it has (down, across)."""
    total = np.zeros((TEXTURE, TEXTURE), np.float32)
    for k in range(octaves):
        rows, columns = (min(TEXTURE, n << k) for n in cells)
        small = random.uniform(-1, 1, (rows, columns)).astype(np.float32)
        total += cv2.resize(small, (TEXTURE, TEXTURE), interpolation=cv2.INTER_CUBIC) / 2**k
    return total / 1.2


def _mixed(light: Light, dark: Light, amount: NDArray[np.float32]) -> Light:
    return dark + (light - dark) * np.clip(amount, 0, 1)[..., None]


def _wood(kind: str, random: np.random.Generator) -> Light:
    base = {
        "light wood": (214, 176, 128),
        "wood": (170, 120, 72),
        "planks": (186, 150, 108),
        "dark wood": (88, 55, 38),
    }[kind]
    tone = np.clip(np.array(base) * random.uniform(0.82, 1.15) + random.normal(0, 8, 3), 5, 245)
    warp = clouds(random, (3, 2), 3)
    rings = np.linspace(0, random.uniform(14, 40), TEXTURE, dtype=np.float32)[:, None] + warp * random.uniform(1.5, 4)
    grain = 0.5 + 0.5 * np.sin(rings * 2 * np.pi * 0.5) * 0.6 + 0.25 * clouds(random, (160, 4), 3)
    pores = clouds(random, (500, 24), 1)
    amount = grain * 0.75 + pores * 0.18 + 0.12
    if kind == "planks":
        amount = amount + np.repeat(random.uniform(-0.35, 0.35, 8), TEXTURE // 8)[:, None].astype(np.float32)
        gaps = (np.arange(TEXTURE) % (TEXTURE // 8) < 2)[:, None]
        amount = np.where(gaps, -0.6, amount)
    dark = linear(tone * random.uniform(0.62, 0.82))
    return np.maximum(dark * 0.3, dark + (linear(tone) - dark) * np.clip(amount, -1.2, 1.4)[..., None]).astype(
        np.float32
    )


def _cloth(kind: str, random: np.random.Generator) -> Light:
    first, second = (_dye(random), _dye(random))
    amount = np.zeros((TEXTURE, TEXTURE), np.float32)
    if kind == "striped":
        edges = np.cumsum(random.uniform(8, 60, 200)).astype(int)
        line = (np.searchsorted(edges, np.arange(TEXTURE)) % 2).astype(np.float32)
        amount += line[:, None]
    elif kind == "checked":
        pitch = int(random.integers(24, 90))
        line = (np.arange(TEXTURE) // pitch % 2).astype(np.float32)
        amount += (line[:, None] + line[None]) / 2
    else:
        amount += 0.15 * clouds(random, (6, 6), 4)
    weave = clouds(random, (512, 64), 1) + clouds(random, (64, 512), 1)
    return _mixed(first, second, amount) * (1 + 0.07 * weave + 0.05 * clouds(random, (3, 3), 3))[..., None]


def _dye(random: np.random.Generator) -> Light:
    """The colour of a cloth: any hue, rarely a glaring one."""
    grey, strength = random.uniform(45, 215), random.beta(1.6, 2.2)
    hue = random.uniform(-1, 1, 3)
    return linear(np.clip(grey + (hue - hue.mean()) * 110 * strength, 12, 240).tolist())


def _plain(kind: str, random: np.random.Generator) -> Light:
    grey = {"white": 225, "dark": 48, "stone": 140, "laminate": 170}[kind]
    tone = linear(np.clip(grey * random.uniform(0.85, 1.1) + random.normal(0, 7, 3), 5, 250))
    field = 1 + 0.04 * clouds(random, (4, 4), 5)
    if kind == "stone":
        speck = random.uniform(0, 1, (TEXTURE, TEXTURE)).astype(np.float32)
        field = field * (0.85 + 0.3 * cv2.GaussianBlur(speck, (0, 0), 0.8)) * (1 + 0.22 * clouds(random, (20, 20), 5))
    if kind == "laminate":
        field = field * (1 + 0.1 * clouds(random, (120, 6), 3))
    result: Light = (tone * np.clip(field, 0.1, 3)[..., None]).astype(np.float32)
    return result
