"""A simulated table filmed by a simulated camera, and a watcher that looks on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import ClassVar

import cv2
import numpy as np

from companion.games.registry import load_game
from companion.games.sites import EMPTY
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image
from companion.vision.observation import Observation
from companion.vision.readers.reader import Reader
from companion.vision.reading import Reading
from companion.vision.watching.watcher import Watcher
from hardware.camera import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import HandPose, Scene, scene_of

GAME = load_game("triangle")
LABELS = {
    "cell:12": "RRY5/1",
    "cell:11": "GGY4/0",
    "cell:20": "WWW1/0",
    "rack:0.0": "BBR5",
    "rack:0.1": "PPP6",
    "rack:1.2": "GRB3",
    "hole:5": "red",
    "hole:60": "blue",
}
HAND = HandPose(0.0, 10.0, 15.0, 200.0, look=2)
Effect = Callable[[Image], Image]


@cache
def renderer_of(seed: int, difficulty: float) -> Renderer:
    """The renderer of a seed; making one takes long."""
    return Renderer(GAME, Conditions.random(GAME, seed, difficulty, (1280, 720), seats=(0, 1)))


@cache
def the_reader() -> Reader:
    """The one reader of all tests."""
    return Reader(GAME)


class CountingReader:
    """The real reader, with a list of what it was asked for (None: everything), and whether it was given time since to
    align.
    """

    def __init__(self) -> None:
        self._reader = the_reader()
        self.asked: list[set[str] | None] = []
        self.had_time = False

    def read(self, image: Image, pose: Pose, only: Collection[str] | None = None, *, glance: bool = False) -> Reading:
        self.asked.append(None if only is None else set(only))
        self.had_time = False
        return self._reader.read(image, pose, only, glance=glance)

    def align(self, image: Image) -> None:
        self.had_time = True
        self._reader.align(image)

    @property
    def drift(self) -> float | None:
        return self._reader.drift

    @property
    def beside(self) -> Sequence[Pose]:
        return self._reader.beside

    @property
    def astray(self) -> bool:
        return self._reader.astray


class Filming:
    """Shows scenes to a watcher, frame by frame, as a camera of `rate` frames a second would."""

    _pictures: ClassVar[dict[tuple[str, int, int, float], Image]] = {}

    def __init__(self, seed: int = 1, difficulty: float = 0.3, rate: float = 5.0) -> None:
        self._kind = (seed, difficulty)
        self.reader = CountingReader()
        self.watcher = Watcher(GAME, reader=self.reader)
        self.rate, self.time, self.number = rate, 0.0, 0

    def picture(self, scene: Scene) -> Image:
        """The next frame's picture of a scene; the noise differs from frame to frame."""
        noise = self.number % 4
        key = (repr(scene), noise, *self._kind)
        if key not in self._pictures:
            self._pictures[key] = renderer_of(*self._kind).render(scene, noise)
        return self._pictures[key].copy()

    def show(self, scene: Scene, frames: int, effect: Effect | None = None) -> list[Observation]:
        """What the watcher says to that many frames of the scene."""
        return [self.see((effect or np.asarray)(self.picture(scene))) for _ in range(frames)]

    def see(self, image: Image) -> Observation:
        """What the watcher says to the next frame."""
        observation = self.watcher.observe(Frame(image, self.time, self.number))
        self.number += 1
        self.time = self.number / self.rate
        return observation

    def wait(self, seconds: float) -> None:
        """Lets time pass in which no frame comes."""
        self.number += round(seconds * self.rate)
        self.time = self.number / self.rate


def laid(changes: Mapping[str, str] | None = None, base: Mapping[str, str] = LABELS) -> Scene:
    """The usual scene with some sites changed; what stays lies just as it lay."""
    return scene_of(GAME, {**base, **(changes or {})}, seed=4)


def wrong_sites(observation: Observation, scene: Scene) -> dict[str, str]:
    """The visible sites that the observation's reading has wrong."""
    assert observation.reading is not None
    return {
        name: site.label
        for name, site in observation.reading.sites.items()
        if site.visible > 0.5 and site.label != scene.labels.get(name, EMPTY)
    }


def exposed(*gains: float) -> Effect:
    """Another exposure, or (three gains: blue, green, red) white balance."""
    return lambda image: np.clip(image * np.array(gains), 0, 255).astype(np.uint8)


def moved(image: Image, dx: float, dy: float, degrees: float = 0.0) -> Image:
    """The picture of a camera that was turned a little."""
    height, width = image.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    way[:, 2] += (dx, dy)
    how = {"flags": cv2.INTER_CUBIC, "borderMode": cv2.BORDER_REPLICATE}
    return np.asarray(cv2.warpAffine(image, way, (width, height), **how), np.uint8)


def shifted(dx: float, dy: float) -> Effect:
    """The whole picture moved by so many pixels."""
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
    return lambda image: np.asarray(
        cv2.warpAffine(image, move, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
