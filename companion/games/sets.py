"""Set files: the sizes, colours and places of a physical set, checked where they enter.

Lengths are millimetres, angles degrees, colours sRGB triples under neutral light. Board frame: origin at the centre of
the playing grid, x to the right, y away from the reader, z up, z = 0 at the surface of the board's fields; the table is
at z = -thickness.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self, TypeVar

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


class Faces(Part, frozen=True):
    """What is printed on tiles, where it is otherwise than the rest of the file has it: for each tile a square picture
    with sides of `side` mm around its middle, row by row from the top, as it lies unturned. A letter (0 to 9, a to z)
    is the number of one of the `colours`, a dot is nothing.
    """

    side: Length
    colours: Annotated[tuple[Colour, ...], Meta(min_length=1, max_length=36)]
    tiles: dict[str, tuple[Annotated[str, Meta(pattern="^[0-9a-z.]+$")], ...]]

    def problems(self, names: Collection[str]) -> Iterator[str]:
        """What is wrong with them, for tiles of these names."""
        for name, rows in self.tiles.items():
            if name not in names:
                known = ", ".join(names) or "none"
                yield f"faces.tiles has {name}; the tiles of this game are: {known}"
            elif any(len(row) != len(rows) for row in rows):
                yield f"faces.tiles has rows of another length in {name}: {len(rows)} rows need {len(rows)} letters"
            elif any(int(letter, 36) >= len(self.colours) for row in rows for letter in row if letter != "."):
                yield f"faces.tiles names a colour in {name} that is not there; there are {len(self.colours)}"


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
    except msgspec.ValidationError as error:
        raise refusal(path, str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SetError(f"{path}: {error}") from error


class GameSet(Part, frozen=True, kw_only=True):
    """What the set file of every game holds."""

    name: str
    board: Board
    marker: Marker
    faces: Faces | None = None

    tile_turn: ClassVar[float] = 0.0
    """Degrees clockwise by which a tile is turned for each rotation that its label (`TILE/ROTATION`) counts."""

    @property
    def tile_names(self) -> tuple[str, ...]:
        """The tiles whose faces may be pictures."""
        return ()

    @classmethod
    def load(cls, path: Path) -> Self:
        """The set file at `path`.

        Raises:
            SetError: the file cannot be used.
        """
        loaded = load_set(path, cls)
        faces = loaded.faces.problems(loaded.tile_names) if loaded.faces else ()
        for problem in (*faces, *loaded._problems()):
            raise refusal(path, problem)
        return loaded

    def _problems(self) -> Iterable[str]:
        """What makes the set impossible, a sentence each, with the key that is concerned."""
        return ()


def refusal(path: Path, problem: str) -> SetError:
    """The error about a set file that has a problem, with the line; `problem` begins with the key concerned
    (`tile.kinds[3] has …`), or ends with it as msgspec has it.
    """
    key = re.search(r"at `\$\.([^`]+)`|^([a-z_]+(?:\.[a-z_]+|\[\d+\])*)", problem)
    line = line_of(path.read_text(encoding="utf-8", errors="replace"), key[1] or key[2]) if key else None
    return SetError(f"{path}: line {line}: {problem}" if line else f"{path}: {problem}")


def line_of(text: str, key: str) -> int | None:
    """The line (from 1) of a TOML text where a key stands (`tile.kinds[3].count`), or the innermost table of it that
    does; None where none does.
    """
    wanted = key
    while wanted:
        for number, name in _keys(text):
            if name == wanted:
                return number
        wanted = wanted[: max(wanted.rfind("."), wanted.rfind("["), 0)]
    return None


def _keys(text: str) -> Iterator[tuple[int, str]]:
    """The keys and table headers of a TOML text as it is usually written, each with its line."""
    table, counts = "", Counter[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[(\[?)([\w.]+)\]", line):
            table = header[2]
            if header[1]:
                counts[table] += 1
                table = f"{table}[{counts[table] - 1}]"
            yield number, table
        elif assignment := re.match(r"\s*([\w.]+)\s*=", line):
            yield number, f"{table}.{assignment[1]}" if table else assignment[1]
