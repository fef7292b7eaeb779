"""Cameras by name, as people write them on a command line or in the configuration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.camera import Camera, CameraError, SourceError

FORMS = (
    "simulated, picamera, webcam:0, video:FILE, pictures:FOLDER, or the name of a film or folder; "
    "picamera:2304x1296 for larger pictures"
)
PI_SIZES = {"1536x864": (1536, 864), "2304x1296": (2304, 1296)}
"""Sizes of the Pi camera's pictures; the first is the usual one."""

Simulated = Callable[[], Camera]
"""Makes the simulated table's camera; it needs a game, which only the caller knows."""


def open_camera(source: str, simulated: Simulated | None = None) -> Camera:
    """The camera that `source` names.

    Raises:
        SourceError: the source names no camera, film or folder of pictures; the message lists what could be written.
        CameraError: the camera cannot be opened.
    """
    kind, rest = parse_source(source)
    if kind == "auto":
        return default_camera(simulated)
    if kind == "simulated":
        return _simulated(simulated)
    if kind == "picamera":
        from hardware.picamera import PiCamera

        return PiCamera(PI_SIZES[rest]) if rest else PiCamera()
    if kind == "webcam":
        from hardware.webcam import Webcam

        return Webcam(int(rest))
    return _file(Path(rest), folder=kind == "pictures")


def parse_source(source: str) -> tuple[str, str]:
    """The kind of a source (auto, simulated, picamera, webcam, video, pictures), and its size, number or path.

    Raises:
        SourceError: the source names no camera, film or folder of pictures; the message lists what could be written.
    """
    word, colon, rest = source.partition(":")
    if source in ("auto", "simulated", "picamera"):
        return source, ""
    if word == "picamera" and rest in PI_SIZES:
        return word, rest
    if word == "webcam" and (not colon or rest.isdecimal()):
        return word, rest or "0"
    if word in ("video", "pictures") and rest:
        return word, rest
    if source and Path(source).exists():
        return "pictures" if Path(source).is_dir() else "video", source
    raise SourceError(f"there is no camera, film or folder {source!r}; it can be: {FORMS}")


def camera_name(source: str) -> str | None:
    """What a real camera is called, however it is asked for: `picamera`, `webcam:0`; None for other sources.

    Raises:
        SourceError: as `parse_source`.
    """
    kind, rest = parse_source(source)
    return {"picamera": kind, "webcam": f"{kind}:{rest}"}.get(kind)


def default_camera(simulated: Simulated | None = None) -> Camera:
    """The Pi's camera if there is one, else the first webcam, else the simulated table.

    Raises:
        CameraError: there is none, and no simulated table to stand in.
    """
    return open_camera(default_source(), simulated)


def source_named(source: str) -> str:
    """The source, or in place of `auto` the one that is there."""
    return default_source() if source == "auto" else source


def default_source() -> str:
    """The name of the camera that `default_camera` opens."""
    from hardware.picamera import pi_cameras
    from hardware.webcam import webcams

    try:
        if pi_cameras():
            return "picamera"
    except CameraError:  # no Picamera2 here, so no Pi camera either
        pass
    return next((f"webcam:{number}" for number in webcams()), "simulated")


def _simulated(simulated: Simulated | None) -> Camera:
    if simulated is None:
        raise SourceError("the simulated camera needs a game on its table; `companion demo GAME` plays one")
    return simulated()


def _file(path: Path, folder: bool) -> Camera:
    from hardware.files import PictureFolder, VideoFile

    return PictureFolder(path) if folder else VideoFile(path)
