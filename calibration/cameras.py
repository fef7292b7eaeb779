"""The lens of a camera: as it was calibrated, else as its maker has it."""

from __future__ import annotations

from pathlib import Path

from calibration.store import Calibrations
from companion.vision.geometry.lens import Lens
from hardware.camera import CameraError
from hardware.picamera import pi_cameras
from hardware.sources import camera_name, source_named

SIZE = (1536, 864)

VIEWS = {
    "imx708": 66.0,  # Camera Module 3
    "imx708_wide": 102.0,  # Camera Module 3 Wide
    "imx219": 62.2,  # Camera Module 2
    "ov5647": 53.5,  # Camera Module 1
    "imx477": 59.0,  # HQ Camera with its 6 mm lens
}
"""Horizontal field of view in degrees by sensor, from the makers' data sheets."""


def lens_of(source: str, data_folder: Path) -> Lens | None:
    """The lens of the camera that a source names (as `--camera` takes it), or None where nothing is known of it."""
    name = source_named(source)
    camera = camera_name(name)
    kept = Calibrations(data_folder).lens(camera) if camera else None
    return kept or (_of_the_pi() if camera == "picamera" else None)


def _of_the_pi() -> Lens | None:
    try:
        models = [model.removesuffix("_noir") for _, model in pi_cameras()]
    except CameraError:
        return None
    view = VIEWS.get(models[0]) if models else None
    return Lens.nominal(SIZE, view) if view else None
