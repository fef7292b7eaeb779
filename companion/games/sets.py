"""Set files: the sizes, colours and places of a physical set, checked where they enter.

Lengths are millimetres, angles degrees, colours sRGB triples under neutral light. Board frame: origin at the centre of
the playing grid, x to the right, y away from the reader, z up, z = 0 at the surface of the board's fields; the table is
at z = -thickness.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

Length = Annotated[float, Meta(gt=0)]
Channel = Annotated[int, Meta(ge=0, le=255)]
Colour = tuple[Channel, Channel, Channel]
Place = tuple[float, float]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a set file; unknown names in it are errors."""


class Board(Part, frozen=True):
    """The board's plate."""

    shape: Literal["triangle", "square"]
    side: Length
    thickness: Length
    colour: Colour
    corner_radius: float = 0.0


class Marker(Part, frozen=True):
    """The corner cards: ArUco markers of DICT_4X4_50 on white cards, on the table, top edge towards +y."""

    ids: tuple[int, ...]
    size: Length
    quiet: Length
    centres: tuple[Place, ...]


class SetError(ValueError):
    """A set file that cannot be used; the message names the file, the place in it and what would be right."""


T = TypeVar("T", bound=Part)


def load_set(path: Path, kind: type[T]) -> T:
    """The set file at `path` as a `kind`.

    Raises:
        SetError: the file cannot be read, is not TOML, or does not hold what the set needs.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise SetError(f"{path}: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SetError(f"{path}: {error}") from error
