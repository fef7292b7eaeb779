"""Trains the small network that reads one kind of sites from patches, and writes it as ONNX, which OpenCV runs.

    python -m tests.training.train --game labyria --kind edge --data DIR --out companion/vision/networks

With `--start` it goes on from a network, with `--mix` (0 to 1) it is the mean of both in the end: so much of what it
was, so that what it learned from many pictures is not lost for what few others show.

- Triland's outlines: `--empties 0.4`, first `--noise 0.02 --rate 1e-3` and then `--noise 0.015 --rate 8e-4`, twenty
  passes over 2000 pictures, then thirteen more. Then 17 over 830 pictures of the simulated table and, each twice, 108
  path-traced ones, `--rate 6e-4 --mix 0.3`: of 3355 held-back sites 24 are mistaken, before 25, of 409 path-traced ones
  6, before 10.
- Labyria's edges: from a network that knew only the simulated table, 13, 14 and 12 minutes (`--mix` 0.3, 0.2, 0.2) over
  211 of its pictures, at last 200 more with hands, and, each two or three times, 120 path-traced ones with varnished
  pieces: of 12329 sites on other simulated tables 64 are mistaken, before 75, of 2698 held-back path-traced ones 5,
  before 23.
- Labyria's crossings: 42 minutes over 520 pictures of the simulated table and, each twice, 104 path-traced ones: of
  5001 held-back crossings 271 are mistaken by themselves, without the arms around, of 968 path-traced ones 34.
- Triland's messengers (`riders`): `--empties 4`, 34 passes over the pictures of the outlines: of 5565 held-back places
  22 are mistaken, of 651 path-traced ones none.
- The Magic Labyrinth's cells and slots: 7 minutes each over 800 pictures of the simulated table, in half of which lay
  more pieces than the set has: of 1567 held-back cells and 2354 slots none is mistaken, nor any of 1658 and 2492
  path-traced ones, of which they have seen none.
- Fields of boards of one's own (`likes`, `empty`; patches by `tests.training.fields`): `--upright`, 24 minutes over 377
  boards of the simulated table and, each twice, 25 path-traced ones, then 20 over 557 and 51 with `--noise 0.02`, for
  more hides pieces of the board's colour: of 5060 held-back fields 72 are mistaken by likes, of 5424 with the empty
  board 43, of 470 path-traced ones among them one and none.
- What screens before lamps do (`tests.training.patches --screened`), learned from the networks above, with `--mix 0.2`:
  Labyria's edges, 14 minutes over 860 such pictures and 330 others: of 26734 held-back sites 65 are mistaken, before
  146; its crossings, 12 minutes, `--mix 0.6`: of 12045 by themselves 657, before 708; its cells, 9 minutes,
  `--mix 0.3`: of 14851 6, before 8. Triland's outlines, 16 minutes over 800 and 350: of 4801 61, before 84; its
  messengers, 5 minutes, `--mix 0.3`: of 7849 22, before 35. Fields of boards, 11 minutes over 330 and 120: of 4158 by
  likes 61, before 89, of 4182 with the empty board 42, before 96.
- VIA's buildings: 21 minutes over 634 pictures, most with many more buildings than the set has (`--plenty`), half of
  them screened, and 360 in which they stood up to 4.5 mm off their places. Then anew, since patches are cut where a
  tile has its land and buildings stand anywhere on that (`--strewn`): 35 minutes over 510 pictures with `--plenty`, 370
  of them strewn, and 90 without; 65 with, `--empties 6`, 510 strewn ones in which no more stands than in games, 17
  of these minutes with 190 crowded and 40 other ones in which buildings stand a little over the edge of their land. Of
  312 buildings strewn like that over boards that nobody had looked at 1 is mistaken, before 25.
- Labyria's cells once more, 10 minutes, `--mix 0.3`, over the same and, each twice, 490 pictures with more figures than
  the set has, of which several share a corner: of 41 held-back corners with several figures 5 are mistaken, before 11.
- Haze, as where paint mirrors a lamp (`hazed`; shown to 15 of 100 patches ever since), for most of the networks. Of
  held-back patches that are all hazed so many are mistaken now, and were before: Labyria's cells 22 of 10340 (127), its
  edges 69 of 7471 (250), VIA's buildings 122 of 3251 (340), the Magic Labyrinth's cells 1 of 961 (111) and slots none
  of 1436 (208), fields by likes 18 of 1359 (74), with the empty board 11 (70); without haze as many as before, or
  fewer. Minutes: 30 over what they had learned from and, each three times, 1000 pictures with crowds on all corners,
  most of them of one kind (`tests.training.patches --crowded`), of which 0 of 1100 are mistaken, before 14; 11; 8; 14
  over those and 500 new ones; 5; 11; 11; all with `--mix 0.2` at first and `--rate 8e-4`.
- Haze for the other two, 40 minutes each, `--rate 1e-3`. Labyria's crossings, over 1188 pictures and 700 in which
  corners close rings (`tests.training.patches --ringed`, 0.5 and 0.15): of 19126 held-back ones 873 are mistaken by
  themselves, before 1074, all hazed 1317, before 2675. Triland's outlines, `--empties 0.4 --noise 0.02 --mix 0.3`, over
  1150 pictures and 1500 new ones: of 10983 held-back ones 96, before 106, all hazed 437, before 1803.
- Hands of any colour (`hands`; over 12 of 100 patches ever since), for most of the networks: such as nothing else shows
  were read as bare places, most of all where they have the board's colour. Of held-back patches that only a hand shows
  in so many a network was surer than 0.9 of something, before and now: Triland's outlines 730 of 3000 and 0, its
  messengers 3000 and 12, VIA's buildings 317 and 0, Labyria's cells 129 and 0, its edges 25 and 0, the Magic
  Labyrinth's cells 45 of 1555 and 0, its slots 88 of 2318 and 0, Triangle's holes 144 of 3000 and 0. Without hands as
  many are mistaken as before, hazed ones fewer. Minutes: 28, `--rate 1e-3 --mix 0.3`; 8, `--mix 0.15`; 9; 10; 10,
  `--mix 0.4`; 5; 5; 8, over 560 pictures, half with more pegs than the set has, of which 41 of 6792 holes are mistaken
  that are all hazed, before 1534.
- What covers VIA's cells and Triangle's (`--covered`): 9 and 8 minutes over 400 and 260 pictures, VIA's 8 more since
  colours are often strange: before, in two sets of quite other colours than the set file's, 41 and 60 of 147 cells were
  taken to be covered; now 6 and 19 are doubted, as many as without.
- Fields of boards of one's own once more, since they are told finely how far apart what is seen and the empty board
  are, `--upright --noise 0.005`: 26 minutes over 700 boards, some seen at more of a slant than before, and, each
  twice, 56 path-traced ones; 26 more since what stands there is often faint (`fainter`), each path-traced one three
  times, for `empty` the mean of both; 15 more, `--rate 8e-4 --mix 0.35`, over 90 boards with lines through their
  fields as well. Of 2615 fields of 40 path-traced boards 15 are mistaken with the empty board, before 51, of 2357 by
  likes 7, before 57; of 2169 and 1915 fields of 24 boards that nobody had looked at 20 and 19, before 23 and 11.
- Fields of boards of one's own that pieces hide, of which they had learned to say nothing: 14 minutes, `--rate 8e-4
  --mix 0.2`, over 810 boards, 80 of them screened; then 21, `--rate 1e-3 --mix 0.1`, over these and, each twice, 45
  path-traced ones, since they see twice as far around as well, where the feet and the tops of tall pieces are. Of 8663
  held-back fields, hidden ones among them, 102 are mistaken by likes, before 176, of 8901 with the empty board 110,
  before 149; of 1607 and 1643 path-traced ones that nobody had looked at 38 and 7, before 62 and 16.
- Triland's outlines once more, 28 minutes, `--empties 0.4 --noise 0.02 --rate 8e-4 --mix 0.2`, over 1310 pictures of
  the simulated table and, each three times, 300 path-traced ones, in which low dark blocks looked higher: of 2210
  held-back path-traced ones that nobody had looked at 39 are mistaken, before 55, of 3120 others 36, before 40.

Needs torch and onnx, which nothing else here does.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from companion.games.sites import EMPTY
from companion.vision.anyboard.patches import COARSE, NEAR, NEARER, TONES
from companion.vision.anyboard.surface import UNIT
from companion.vision.light.palette import SOFT
from companion.vision.networks.covered import COVERED, THING
from companion.vision.networks.outline import PARTS
from companion.vision.networks.sweep import DARKEST, RANGE
from tests.training.patches import NO_SITE

HELD = 8
"""Every so many pictures one is held back, to choose the temperature and to measure."""

BOARD = "board"
"""What boards of one's own are called, as a game."""

MIRROR = {"x": str.maketrans("EW", "WE"), "y": str.maketrans("NS", "SN")}
BATCH = 256

HAZY = 0.15
"""How many patches are shown as if a lamp were mirrored there."""

HANDED, OFTEN = 0.12, 0.4
"""How many patches are shown with a hand over them, or a part of them, besides those that have one; and how many to a
network that is to tell such."""

STRANGE = 4.0
"""How many times as far as colours typically are from a set file's they often are for a network that is to tell hands:
a set of one's own may have any, and all that looks strange must not be a hand.
"""

UNKNOWN, PARTLY = (0.3, 0.8), (0.15, 0.5)
"""From which hidden part on of a site a network has to doubt what is there, and from which on it knows nothing; and the
same for one that is to tell hands. What hides so much may be a piece on a site as well as a hand.
"""

FAINT, FAINTEST, GRAINY = 0.3, 0.06, 0.03
"""How many patches of boards of one's own are shown as if what stands there had nearly the board's colour; the least
part of the difference that is left then; and most of the noise that is added, of half the range.
"""

UP_TO = torch.from_numpy(TONES).float()
"""Differences of tones that are 1 in the planes of boards of one's own."""

MIDST = -1.3
"""The usual brightness (logarithm) of boards of one's own, 0 being white."""

MIDDLE = 8
"""One in so many rows and columns on each side of a square patch shows what is around the site."""

GRAIN = torch.randn(1 << 24, generator=torch.Generator().manual_seed(2))
"""Noise, drawn once: it takes as long as the rest of the patches' preparation."""


def load(folders: Sequence[Path], kind: str) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray], list[int]]:
    """Patches, labels, hidden parts and seed, picture by picture."""
    patches, labels, hidden, seeds = [], [], [], []
    for path in (path for folder in folders for path in sorted(folder.glob("*.npz"))):
        try:
            with np.load(path) as data:
                patches.append(data[f"{kind}.patches"])
                labels.append(data[f"{kind}.labels"].astype(str))
                hidden.append(data[f"{kind}.hidden"])
        except (OSError, ValueError, KeyError):  # being written just now
            continue
        seeds.append(int(path.stem))
    return patches, labels, hidden, seeds


def network(layers: int, count: int, labels: int, stride: int = 2) -> nn.Module:
    """Three convolutions, the first with a `stride`, and two full layers; the patches' 8-bit values go in as
    they are.
    """
    side = ((count + stride - 1) // stride) // 2 // 2
    return nn.Sequential(
        nn.Conv2d(layers, 24, 3, stride, 1),
        nn.ReLU(),
        nn.Conv2d(24, 40, 3, 1, 1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(40, 64, 3, 1, 1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(64 * side * side, 96),
        nn.ReLU(),
        nn.Linear(96, labels),
    )


class Unrolled(nn.Module):
    """For outlines (`companion.vision.networks.outline`): one network for every plane, for in the plane of the top
    edges look alike whatever its height is, and two full layers for what they say together.
    """

    def __init__(self, layers: int, parts: int, across: int, labels: int) -> None:
        super().__init__()
        self.planes = (layers - 3) // 3
        side = ((parts + 1) // 2) * (((across + 1) // 2 + 1) // 2)
        self.each = nn.Sequential(
            nn.Conv2d(6, 24, 3, 1, 1),
            nn.ReLU(),
            nn.Conv2d(24, 32, 3, (1, 2), 1),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3, 2, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(32 * side, 48),
            nn.ReLU(),
        )
        self.all = nn.Sequential(nn.Linear(48 * self.planes, 96), nn.ReLU(), nn.Linear(96, labels))

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Scores (n, labels) of patches (n, layers, parts, across)."""
        shared = patches[:, -3:]
        planes = torch.cat([torch.cat([patches[:, 3 * k : 3 * k + 3], shared], 1) for k in range(self.planes)], 1)
        features = self.each(planes.reshape(-1, 6, *patches.shape[2:]))
        out: torch.Tensor = self.all(features.reshape(-1, 48 * self.planes))
        return out


class Mirrored(nn.Module):
    """What a network for outlines says of a patch and of the same in a mirror, where blocks are as high: the mean."""

    def __init__(self, inner: nn.Module, parts: int) -> None:
        super().__init__()
        self.inner = inner
        self.register_buffer("turned", torch.arange(parts).flip(0).roll(PARTS))

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Scores (n, labels) of patches (n, layers, parts, across)."""
        other = patches.index_select(2, self.turned)
        other = torch.cat([other[:, :-2], -other[:, -2:-1], other[:, -1:]], 1)
        out: torch.Tensor = (self.inner(patches) + self.inner(other)) / 2
        return out


class Scaled(nn.Module):
    """The network with its input scaled and its output divided by a temperature."""

    def __init__(self, inner: nn.Module, temperature: float) -> None:
        super().__init__()
        self.inner, self.temperature = inner, temperature

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Log likelihoods, up to a constant, of patches (n, layers, count, count) with values 0 to 255."""
        out: torch.Tensor = self.inner(patches / 127.5 - 1.0) / self.temperature
        return out


def haze(count: int, rows: int, columns: int) -> torch.Tensor:
    """Light (count, rows, columns), 1 for what a white card sends back, that paint adds to some patches where it
    mirrors a lamp: everywhere but unevenly, or about some point; now and then some is missing, as where too much was
    taken for glare and taken off.
    """
    down, across = torch.linspace(-1, 1, rows)[:, None], torch.linspace(-1, 1, columns)
    slope, middle = 0.3 * torch.randn(2, count, 1, 1), 1.2 * (2 * torch.rand(2, count, 1, 1) - 1)
    wide = torch.rand(count, 1, 1) + slope[0] * down + slope[1] * across
    size = 0.3 + 1.2 * torch.rand(count, 1, 1)
    about = 1.3 * torch.rand(count, 1, 1) * torch.exp(-((down - middle[0]) ** 2 + (across - middle[1]) ** 2) / size**2)
    light = torch.where(torch.rand(count, 1, 1) < 0.5, wide.clamp(min=0), about)
    light = torch.where(torch.rand(count, 1, 1) < 0.1, -0.1 * light, light)
    return light * (torch.rand(count, 1, 1) < HAZY)


def hazed(colours: torch.Tensor, board: bool) -> torch.Tensor:
    """Colours (n, planes, 3, rows, columns), -1 to 1, some of them hazed; of a `board` of one's own the first plane is
    the picture, in lightness and two tones (`companion.vision.anyboard.patches`), the other the empty board.
    """
    added = haze(len(colours), *colours.shape[-2:])[:, None, None]
    if not board:
        light = torch.exp((colours + 1) / 2 * RANGE + DARKEST) - SOFT
        lit = (torch.log((light + added).clamp(min=-SOFT / 2) + SOFT) - DARKEST) / RANGE * 2 - 1
        return torch.where(added == 0, colours, lit.clamp(max=1))
    seen, scale = colours[:, :1], float(TONES[0])
    light = torch.exp(scale * seen[:, :, :1])
    lit = (light + added).clamp(min=SOFT)
    seen = torch.cat([torch.log(lit) / scale, seen[:, :, 1:] * light / lit], 2)
    return torch.cat([torch.where(added == 0, colours[:, :1], seen), colours[:, 1:]], 1)


def hands(count: int, rows: int, columns: int, around: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Hands or sleeves of any colour over patches, some over a part only: their colours (count, 3, rows, columns;
    blue-green-red, -1 to 1), and what of the patches they cover (count, rows, columns), 0 to 1. `around`: the rows go
    around a block, so that what covers one side covers neighbouring rows.
    """
    down, across = torch.linspace(-1, 1, rows)[:, None], torch.linspace(-1, 1, columns)
    green = torch.empty(count, 1, 1).uniform_(-2.6, -0.5)
    skin = torch.stack([green - torch.rand(count, 1, 1) * 0.6, green, green + 0.15 + torch.rand(count, 1, 1) * 0.65], 1)
    cloth = torch.empty(count, 3, 1, 1).uniform_(-3.2, 0.0)
    colour = torch.where(torch.rand(count, 1, 1, 1) < 0.75, skin, cloth)
    slope, middle = 0.25 * torch.randn(2, count, 1, 1), 1.5 * torch.rand(2, count, 1, 1) - 0.75
    size = 0.2 + torch.rand(count, 1, 1)
    shade = slope[0] * down + slope[1] * across
    shade += 0.3 * torch.randn(count, 1, 1) * torch.exp(-((down - middle[0]) ** 2 + (across - middle[1]) ** 2) / size)
    mottled = functional.interpolate(torch.randn(count, 3, 6, 6), (rows, columns), mode="bilinear")
    rising = 1 + 0.15 * torch.randn(count, 3, 1, 1)
    light = colour + shade[:, None] * rising + 0.06 * torch.rand(count, 1, 1, 1) * mottled
    turn = torch.rand(2, count, 1, 1) * 2 * torch.pi
    if around:
        turned = torch.arange(rows)[:, None] * 2 * torch.pi / rows
        along = torch.cos(turned - turn[0]) + 0.3 * torch.cos(turn[1]) * across
    else:
        along = torch.cos(turn[0]) * across + torch.sin(turn[0]) * down
    wavy = along + 0.15 * functional.interpolate(torch.randn(count, 1, 4, 4), (rows, columns), mode="bicubic")[:, 0]
    start = torch.where(torch.rand(count, 1, 1) < 0.5, -9.0, 2.4 * torch.rand(count, 1, 1) - 1.2)
    return (light - DARKEST) / RANGE * 2 - 1, ((wavy - start) * 8).clamp(0, 1)


def covered(
    colours: torch.Tensor, hidden: torch.Tensor, often: float, around: bool, board: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Colours (n, planes, 3, rows, columns), -1 to 1, so `often` under hands, and how much of the sites is hidden (n,);
    around a block it is all. Of a `board` of one's own hands cover the first plane (see `hazed`).
    """
    over, part = hands(len(colours), *colours.shape[-2:], around)
    part = part * (torch.rand(len(colours), 1, 1) < often)
    shown, edge = part[:, None, None], 0 if around else part.shape[-1] // MIDDLE
    site = part[:, edge : part.shape[1] - edge, edge : part.shape[2] - edge]
    hidden = torch.maximum(hidden, site.mean(dim=(1, 2)))
    if not board:
        return colours * (1 - shown) + over[:, None] * shown, hidden
    blue, green, red = (((over + 1) / 2 * RANGE + DARKEST) - MIDST).unbind(1)
    over = torch.stack([(blue + green + red) / 3, red - green, blue - green], 1) / UP_TO[:, None, None]
    first = colours[:, :1] * (1 - shown) + over[:, None] * shown
    return torch.cat([first, colours[:, 1:]], 1), hidden


def grain(like: torch.Tensor) -> torch.Tensor:
    """Noise of the same shape, with a deviation of 1."""
    return GRAIN[torch.randint(len(GRAIN) - like.numel(), ()) :][: like.numel()].view_as(like)


def fainter(colours: torch.Tensor, apart: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Colours (n, 2, 3, rows, columns) of boards of one's own, and how far `apart` (n, 2, 3, rows, columns) both planes
    are, near and in a wider view, some less than they were, as if all that stands there had nearly the colour of the
    board: no less grainy.
    """
    n = len(apart)
    part = torch.exp(torch.empty(n, 1, 1, 1, 1).uniform_(np.log(FAINTEST), np.log(0.6)))
    part = torch.where(torch.rand(n, 1, 1, 1, 1) < FAINT, part, 1.0)
    faint = part * apart + (1 - part) * GRAINY * torch.rand(n, 1, 1, 1, 1) * grain(apart)
    return torch.stack([colours[:, 0] + faint[:, 0] - apart[:, 0], colours[:, 1]], 1), faint


def told_apart(apart: torch.Tensor, change: torch.Tensor) -> torch.Tensor:
    """How far `apart` (n, 2, 3, rows, columns) both planes are, near and in a wider view, as patches tell it, after the
    near view was changed, in the midst of which the wider one shows the same.
    """
    near, wide = spread(apart[:, 0] + change), spread(apart[:, 1])
    half = near.shape[2] // 2
    first, beside = half // 2 + round(NEARER * UNIT / COARSE) // 2, half // 2
    wide[:, :, first : first + half, beside : beside + half] = functional.avg_pool2d(near, 2)
    return torch.stack([near, wide], 1)


def spread(apart: torch.Tensor) -> torch.Tensor:
    """Differences (..., 3, rows, columns) between two planes of a board as `companion.vision.anyboard.patches.finely`
    spreads them.
    """
    near = (torch.from_numpy(NEAR).float() / UP_TO)[:, None, None]
    return apart / (apart.abs() + near)


def unspread(spread: torch.Tensor) -> torch.Tensor:
    """The differences of which those are `spread`."""
    near = (torch.from_numpy(NEAR).float() / UP_TO)[:, None, None]
    return near * spread / (1 - spread.abs().clamp(max=0.95))


def augmented(
    patches: torch.Tensor, labels: torch.Tensor, hidden: torch.Tensor, swaps: dict[str, torch.Tensor], options: Any
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Patches (n, layers, count, count) as other tables, light and cameras might show them, with their labels and how
    much of them is hidden, and with some of the noise that the options say: it hides what shifts an edge by a part of a
    pixel. What is no wider than a few points is not blurred.
    """
    x = patches.float() / 127.5 - 1.0
    n, planes = len(x), (x.shape[1] - 3) // 3
    square = x.shape[2] == x.shape[3]
    for axis, dim, slope in [each for each in (("x", 3, -3), ("y", 2, -2)) if each[0] in swaps]:
        which = torch.rand(n) < 0.5
        flipped = x[which].flip(dim) if square else x[which].flip(dim).roll(PARTS, dim)
        flipped[:, slope] *= -1
        x[which] = flipped
        labels = torch.where(which, swaps[axis][labels], labels)
    colours = x[:, :-3].reshape(n, planes, 3, *x.shape[2:])
    if options.game == BOARD:
        colours, apart = colours[:, :2], unspread(colours[:, 2:])
    strange = torch.where(torch.rand(n, 1, 1, 1, 1) < 0.6 * options.covered, STRANGE, 1.0)
    mixing = torch.eye(3) + 0.06 * strange[:, 0, 0] * torch.randn(n, 3, 3)
    colours = torch.einsum("ncd,npdhw->npchw", mixing, colours)
    mean = colours.mean(dim=(1, 3, 4), keepdim=True)
    gain = 1 + 0.15 * torch.randn(n, 1, 1, 1, 1)
    colours = (colours - mean) * gain + mean + 0.10 * torch.randn(n, 1, 1, 1, 1)
    colours = colours + 0.05 * strange * torch.randn(n, 1, 3, 1, 1)
    if options.game == BOARD:
        colours, apart = fainter(colours, gain * torch.einsum("ncd,npdhw->npchw", mixing, apart))
        clear = colours
    often = OFTEN if options.covered else HANDED
    colours, hidden = covered(colours, hidden, often, around=not square, board=options.game == BOARD)
    colours = colours + torch.rand(n, 1, 1, 1, 1) * options.noise * grain(colours)
    colours = hazed(colours, options.game == BOARD)
    if options.game == BOARD:
        change = colours - clear
        colours = torch.cat([colours, told_apart(apart, change[:, 0] - change[:, 1])], 1)
    x[:, :-3] = colours.reshape(n, -1, *x.shape[2:])
    if square and torch.rand(()) < 0.5:
        dx, dy = torch.randint(-1, 2, (2,)).tolist()
        x = x.roll((dy, dx), (2, 3))
    if square and not options.fine and torch.rand(()) < 0.3:
        x = torch.cat([functional.avg_pool2d(x[:, :-3], 3, 1, 1, count_include_pad=False), x[:, -3:]], 1)
    return x.clamp(-1.2, 1.2), labels, hidden


def batches(count: int, chance: np.random.Generator) -> Iterator[np.ndarray]:
    """Numbers in random order, in batches."""
    order = chance.permutation(count)
    for first in range(0, count - BATCH // 2, BATCH):
        yield order[first : first + BATCH]


def main() -> None:
    """Trains one network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", required=True)
    parser.add_argument("--kind", required=True)
    parser.add_argument("--data", type=Path, required=True, nargs="+", help="folders; one named twice counts twice")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--covered", action="store_true", help="only whether sites are bare, or covered by a hand")
    parser.add_argument("--fine", action="store_true", help="every point counts: joints of walls are few points wide")
    parser.add_argument("--upright", action="store_true", help="what stands upright in patches does so in a mirror too")
    parser.add_argument("--empties", type=float, default=3.0, help="bare sites for each that holds something")
    parser.add_argument("--noise", type=float, default=0.08, help="most noise that is added, of half the range")
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate at first")
    parser.add_argument("--start", type=Path, help="a network (.onnx) to go on from")
    parser.add_argument("--mix", type=float, default=0.0, help="how much of that it stays")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    patches, texts, hidden, seeds = load(options.data, options.kind)
    if options.covered:
        texts = [np.where(labels == EMPTY, EMPTY, THING) for labels in texts]
        hidden = [np.where((part > PARTLY[0]) & (part < PARTLY[1]), NO_SITE, part) for part in hidden]
    names = sorted({label for text in texts for label in text} | ({COVERED} if options.covered else set()))
    if options.start:  # it cannot learn labels that it does not know
        names = json.loads(options.start.with_suffix(".json").read_text())["labels"]
    square = patches[0].shape[2] == patches[0].shape[3]
    mirrors = "x" if options.upright else "xy" if square else "y"
    swaps = {axis: swap_table(names, MIRROR[axis]) for axis in mirrors}
    held = {k for k, seed in enumerate(seeds) if seed % HELD == 0}
    data = [stacked(patches, texts, hidden, names, chosen) for chosen in (set(range(len(patches))) - held, held)]
    inner, share = fitted(data[0], names, swaps, options)
    if isinstance(inner, Unrolled):
        inner = Mirrored(inner, patches[0].shape[2])
    temperature = chosen_temperature(inner, data[1])
    report(inner, data[1], names, temperature)
    write(options, Scaled(inner, temperature), names, patches[0].shape[1:])
    print(f"{share:.1f} passes over the data")


def swap_table(names: list[str], table: dict[int, int]) -> torch.Tensor:
    """What each label becomes in a mirror: directions change, everything else stays."""
    turned = ["".join(sorted(n.translate(table), key="NSEW".index)) if set(n) <= set("NESW") else n for n in names]
    return torch.tensor([names.index(name) if name in names else k for k, name in enumerate(turned)])


def stacked(
    patches: Any, texts: Any, hidden: Any, names: list[str], chosen: set[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The patches, label numbers and hidden parts of some pictures' sites."""
    number = {name: k for k, name in enumerate(names)}
    which = sorted(chosen)
    labels = [np.array([number.get(text, -1) for text in texts[k]]) for k in which]
    there = [(hidden[k] < NO_SITE) & (label >= 0) for k, label in zip(which, labels, strict=True)]
    return (
        np.concatenate([patches[k][sites] for k, sites in zip(which, there, strict=True)]),
        np.concatenate([label[sites] for label, sites in zip(labels, there, strict=True)]),
        np.concatenate([hidden[k][sites] for k, sites in zip(which, there, strict=True)]),
    )


def fitted(data: Any, names: list[str], swaps: dict[str, torch.Tensor], options: Any) -> tuple[nn.Module, float]:
    """A network trained for so many minutes; and how often it has seen the data."""
    patches, labels, hidden = data
    chance = np.random.default_rng(1)
    bare = names.index("empty") if "empty" in names else -1
    things, nothings = np.flatnonzero(labels != bare), np.flatnonzero(labels == bare)
    square = patches.shape[2] == patches.shape[3]
    stride = 1 if options.fine else 2
    shape = patches.shape[1:]
    model = network(*shape[:2], len(names), stride) if square else Unrolled(*shape, len(names))
    if options.start:
        resume(model, options.start)
    before = copy.deepcopy(model.state_dict())
    under = torch.tensor([float(name == COVERED) if options.covered else 1 / len(names) for name in names])
    least, most = PARTLY if options.covered else UNKNOWN
    optimiser = torch.optim.AdamW(model.parameters(), options.rate, weight_decay=1e-3)
    begun, rounds, end = time.monotonic(), 0, options.minutes * 60
    while (done := (time.monotonic() - begun) / end) < 1:
        fewer = chance.choice(nothings, min(len(nothings), int(options.empties * max(1, len(things)))), replace=False)
        pool = np.concatenate([things, fewer])
        total = seen = 0.0
        for batch in batches(len(pool), chance):
            done = min(1.0, (time.monotonic() - begun) / end)
            for group in optimiser.param_groups:
                group["lr"] = options.rate * 0.5 * (1 + np.cos(np.pi * done)) + 1e-5
            at = np.sort(pool[batch])
            x, y, h = augmented(*(torch.from_numpy(each[at]) for each in (patches, labels, hidden)), swaps, options)
            unknown = ((h - least) / (most - least)).clamp(0, 1)[:, None]
            target = functional.one_hot(y, len(names)).float() * (1 - unknown) + unknown * under
            loss = functional.cross_entropy(model(x), target)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total, seen = total + float(loss) * len(batch), seen + len(batch)
            if done >= 1:
                break
        rounds += 1
        print(f"{rounds}: loss {total / max(1, seen):.4f} of {len(pool)} patches, {done:.0%}", flush=True)
    new = model.state_dict()
    model.load_state_dict({name: torch.lerp(new[name], before[name], options.mix) for name in new})
    return model.eval(), rounds


def resume(model: nn.Module, path: Path) -> None:
    """Gives the model the weights of a network that was written before; planes that it did not see, which come before
    the last three, say nothing at first.
    """
    stored = {each.name: numpy_helper.to_array(each) for each in onnx.load(str(path)).graph.initializer}
    state = model.state_dict()
    for name in state:
        (found,) = (array for known_as, array in stored.items() if known_as.endswith(f"inner.{name}"))
        new, known = state[name].shape, found.shape
        weights = torch.from_numpy(found.copy())
        if new != known:
            nothing = torch.zeros(known[0], new[1] - known[1], *known[2:])
            weights = torch.cat([weights[:, :-3], nothing, weights[:, -3:]], 1)
        state[name] = weights
    model.load_state_dict(state)


@torch.no_grad()
def scores(model: nn.Module, patches: np.ndarray) -> torch.Tensor:
    """What the network says of patches, without a temperature."""
    parts = [torch.from_numpy(patches[k : k + 1024]).float() / 127.5 - 1 for k in range(0, len(patches), 1024)]
    return torch.cat([model(part) for part in parts])


def chosen_temperature(model: nn.Module, data: Any) -> float:
    """The temperature with which held-back patches are most likely; never one that makes the network surer."""
    patches, labels, hidden = data
    free = hidden < 0.15
    out, wanted = scores(model, patches[free]), torch.from_numpy(labels[free])
    return min(
        (1.0, 1.1, 1.2, 1.3, 1.6, 2.0, 2.5, 3.0),
        key=lambda t: float(functional.cross_entropy(out / t, wanted)),
    )


def report(model: nn.Module, data: Any, names: list[str], temperature: float) -> None:
    """What comes out on held-back pictures."""
    patches, labels, hidden = data
    free = hidden < 0.15
    sure, said = torch.softmax(scores(model, patches[free]) / temperature, 1).max(1)
    wrong = said.numpy() != labels[free]
    print(f"held back: {free.sum()} sites, {wrong.sum()} mistakes ({1 - wrong.mean():.4%}), temperature {temperature}")
    sure_mistakes = int((wrong & (sure.numpy() > 0.9)).sum())
    print(f"  sure mistakes {sure_mistakes}, doubtful {float((sure < 0.9).float().mean()):.3%}")
    for k in np.flatnonzero(wrong)[:20]:
        print(f"  {names[labels[free][k]]} read as {names[int(said[k])]} ({float(sure[k]):.3f})")


def write(options: Any, model: nn.Module, names: list[str], shape: tuple[int, ...]) -> None:
    """Writes the network, and its labels beside it."""
    options.out.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    torch.onnx.export(
        model,
        (torch.zeros(1, *shape),),
        buffer,
        input_names=["patches"],
        output_names=["scores"],
        dynamic_axes={"patches": {0: "n"}, "scores": {0: "n"}},
        opset_version=13,
        dynamo=False,
    )
    path = options.out / f"{options.game}-{options.kind}{'-covered' if options.covered else ''}.onnx"
    path.write_bytes(buffer.getvalue())
    path.with_suffix(".json").write_text(json.dumps({"labels": names, "patch": shape[:2]}) + "\n")
    print(f"{path}: {len(buffer.getvalue()) // 1000} kB")


if __name__ == "__main__":
    main()
