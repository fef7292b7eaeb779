"""Boards of one's own: set files, corners, which fields hold something, and what cannot be read."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import failures
from companion.games.sets import SetError
from companion.main import main
from companion.vision.anyboard.bending import unbent
from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.fields import compared, disagreement, empty_surface
from companion.vision.anyboard.learned import learned_odds
from companion.vision.anyboard.look import Found, find_board, look_at_board, settled_place, turned
from companion.vision.anyboard.occupancy import View
from companion.vision.anyboard.outline import find_outline
from companion.vision.anyboard.pose import CornersError, check_corners, parse_corners, pose_of
from companion.vision.locating.board import NoBoardError
from tests.benchmarks.boards import INLAID, Shot, shot

CHESS, DRAUGHTS, PRINT = 79, 97, 116
"""Seeds of pictures of such boards."""
BEHIND = ((996002, 3), (996031, 5))
"""Seeds of pictures of chess at a slant, and how many fields tall pieces hide in them. Who looks at a field and little
around it takes all of the first and two of the second to hold what is over them.
"""
INLAID_BOARDS = (989037, 989039)
"""The same of inlaid ones: 7 and 12 fields are mistaken where all of a kind are taken to have one colour."""

SET = """
name = "draughts"
[board]
shape = "square"
side = 420.0
thickness = 12.0
[grid]
columns = 10
rows = 10
pitch = 38.0
"""


@cache
def seen(seed: int, cards: bool = False, style: str | None = None) -> Shot:
    return shot(seed, cards, style)


def written(folder: Path, picture: Shot) -> Path:
    path = folder / "board.toml"
    path.write_text(picture.game.set_file)
    return path


def mistakes(told: dict, picture: Shot, sure: float = 0.0) -> list[str]:
    return [
        name
        for name, site in told["sites"].items()
        if (site["label"] == "occupied") != picture.occupied[name]
        and picture.hidden[name] < 0.5
        and site["confidence"] > sure
    ]


def test_sites_are_named_from_the_lower_left(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(SET)
    board = BoardSet.load(path)
    assert board.fields[:2] == ("cell:a1", "cell:b1")
    assert board.fields[-1] == "cell:j10"
    assert board.centres[0].tolist() == [-171.0, -171.0, 0.0]
    assert board.corners.tolist() == [[-190, -190, 0], [-190, 190, 0], [190, 190, 0], [190, -190, 0]]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("pitch = 38.0", "", "missing required field `pitch`"),
        ("pitch = 38.0", "pich = 38.0", "`grid.pich`; is `pitch` meant"),
        ("columns = 10", 'columns = "ten"', "grid.columns"),
        ("columns = 10", "columns = 0", "grid.columns"),
        ("rows = 10", "rows = 12", "grid.rows times grid.pitch is 456 mm, more than board.side, which is 420 mm"),
        ('"square"', '"triangle"', "board.shape"),
        ("side = 420.0", "side = -1.0", "board.side"),
        ("[board]", "[board", "line 3"),
        (
            "[grid]",
            "[marker]\nids = [1, 1]\nsize = 30.0\nquiet = 5.0\ncentres = [[0, 0], [1, 1]]\n[grid]",
            "marker.ids",
        ),
        ("[grid]", "[markers]\nids = [1]\n[grid]", "`markers`; is `marker` meant"),
    ],
)
def test_bad_set_files_are_explained(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = tmp_path / "board.toml"
    path.write_text(SET.replace(old, new))
    with pytest.raises(SetError) as error:
        BoardSet.load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert told in str(error.value)


def test_what_a_set_file_holds_besides_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text("seats = 2\n" + SET + "groove_colour = [1, 2, 3]\n[pieces]\ncount = 40\n")
    assert BoardSet.load(path).grid.columns == 10


@pytest.mark.parametrize("text", ["", "1,2 3,4 5,6", "1,2 3,4 5,6 7", "a,b 1,2 3,4 5,6", "1,2 3,4 5,6 nan,1"])
def test_corners_are_four_pairs(text: str) -> None:
    with pytest.raises(CornersError, match="four pairs of pixels"):
        parse_corners(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("10,90 90,90 90,10 10,10", "wrong way"),
        ("10,90 90,10 10,10 90,90", "convex"),
        ("10,10 11,10 11,11 10,11", "wrong way|too small"),
        ("10,90 10,89 11,89 11,90", "too small"),
        ("10,90 10,10 900,10 90,90", "far outside"),
    ],
)
def test_impossible_corners_are_explained(text: str, told: str) -> None:
    with pytest.raises(CornersError, match=told):
        check_corners(parse_corners(text), (100, 100))


def test_pose_sees_the_corners_where_they_are(tmp_path: Path) -> None:
    picture = seen(CHESS)
    board = BoardSet.load(written(tmp_path, picture))
    size = (picture.image.shape[1], picture.image.shape[0])
    pose = pose_of(board.corners, picture.corners, size)
    side = np.linalg.norm(picture.corners[0] - picture.corners[1]) / board.grid.rows
    assert np.abs(pose.project(board.corners) - picture.corners).max() < 0.1 * side
    assert pose.camera[2] > 0
    back = turned(turned(pose, 1), 3)
    assert np.allclose(back.project(board.corners), pose.project(board.corners), atol=1e-6)
    quarter = turned(pose, 1).project(board.corners)
    assert np.allclose(quarter, np.roll(pose.project(board.corners), 1, 0), atol=1e-6)


@pytest.mark.parametrize("with_empty", [True, False])
@pytest.mark.parametrize("seed", [CHESS, DRAUGHTS])
def test_fields_are_read(tmp_path: Path, seed: int, with_empty: bool) -> None:
    picture = seen(seed)
    empty = (picture.empty, picture.empty_corners) if with_empty else (None, None)
    told = look_at_board(picture.image, written(tmp_path, picture), picture.corners, *empty)
    assert told["found_by"] == "corners"
    assert told["orientation"] == "known"
    assert len(mistakes(told, picture)) <= 1
    assert mistakes(told, picture, 0.95) == []
    assert 0 < sum(site["label"] == "occupied" for site in told["sites"].values()) < len(told["sites"])


@pytest.mark.parametrize("with_empty", [True, False])
@pytest.mark.parametrize(("seed", "behind"), BEHIND)
def test_a_field_behind_a_tall_piece_is_not_taken_to_hold_it(
    tmp_path: Path, seed: int, behind: int, with_empty: bool
) -> None:
    picture = seen(seed, style="chess")
    empty = (picture.empty, picture.empty_corners) if with_empty else (None, None)
    told = look_at_board(picture.image, written(tmp_path, picture), picture.corners, *empty)
    hidden = [name for name, part in picture.hidden.items() if part > 0.5 and picture.covered[name] < 0.5]
    assert len(hidden) == behind
    read = {name: told["sites"][name] for name in hidden}
    wrong = [site for name, site in read.items() if (site["label"] == "occupied") != picture.occupied[name]]
    assert len(wrong) <= 1
    assert all(site["confidence"] < 0.9 for site in wrong)


@pytest.mark.parametrize("seed", [995500, 995514])
def test_nobody_is_sure_of_what_only_shows_what_nearer_pieces_may_be(tmp_path: Path, seed: int) -> None:
    picture = seen(seed, style="chess")
    told = look_at_board(
        picture.image, written(tmp_path, picture), picture.corners, picture.empty, picture.empty_corners
    )
    hidden = {name: told["sites"][name] for name, part in picture.hidden.items() if part > 0.5}
    wrong = [name for name, site in hidden.items() if (site["label"] == "occupied") != picture.occupied[name]]
    assert len(wrong) > 1
    assert all(hidden[name]["confidence"] < 0.9 for name in wrong)


@pytest.mark.parametrize("with_empty", [True, False])
@pytest.mark.parametrize("seed", [CHESS, DRAUGHTS])
def test_the_network_alone_tells_where_something_stands(tmp_path: Path, seed: int, with_empty: bool) -> None:
    picture = seen(seed)
    board = BoardSet.load(written(tmp_path, picture))
    poses = [
        pose_of(board.corners, corners, (image.shape[1], image.shape[0]))
        for image, corners in ((picture.image, picture.corners), (picture.empty, picture.empty_corners))
    ]
    empty = empty_surface(picture.empty, poses[1], board) if with_empty else None
    found = compared(picture.image, poses[0], board, empty)
    odds = learned_odds(found.evidence, found.expected, View.of(poses[0], board), board, with_empty).ravel()
    stands = np.array([picture.occupied[name] for name in board.fields])
    asked = np.array([picture.hidden[name] < 0.5 for name in board.fields])
    assert ((odds > 0) != stands)[asked].sum() <= 1
    assert (np.abs(odds[asked]) > np.log(9)).mean() > 0.9


@pytest.mark.parametrize("seed", INLAID_BOARDS)
def test_each_field_may_be_a_wood_of_its_own(tmp_path: Path, seed: int) -> None:
    picture = seen(seed, style=INLAID)
    told = look_at_board(picture.image, written(tmp_path, picture), picture.corners)
    assert len(mistakes(told, picture)) <= 2
    assert mistakes(told, picture, 0.9) == []


def test_a_print_without_likes_needs_the_empty_board(tmp_path: Path) -> None:
    picture = seen(PRINT)
    assert picture.game.name == "print"
    path = written(tmp_path, picture)
    told = look_at_board(picture.image, path, picture.corners, picture.empty, picture.empty_corners)
    assert len(mistakes(told, picture)) <= 2
    alone = look_at_board(picture.image, path, picture.corners)
    assert mistakes(alone, picture, 0.9) == []  # nothing is known, and it says so


def test_the_empty_board_settles_how_a_print_lies(tmp_path: Path) -> None:
    picture = seen(PRINT)
    path = written(tmp_path, picture)
    told = look_at_board(picture.image, path, None, picture.empty, picture.empty_corners)
    assert (told["found_by"], told["orientation"]) == ("outline", "known")
    side = np.linalg.norm(picture.corners[0] - picture.corners[1]) / picture.game.rows
    assert np.abs(np.array(told["corners"]) - picture.corners).max() < 0.25 * side
    assert len(mistakes(told, picture)) <= 2


def with_discs(picture: Shot, fields: list[tuple[int, int]], lighter: float) -> np.ndarray:
    """The picture of the empty board with discs on some fields (column, row) that are hardly lighter than it is."""
    columns, rows = picture.game.columns, picture.game.rows
    flat = np.float32([(0, 0), (0, rows), (columns, rows), (columns, 0)])
    way = cv2.getPerspectiveTransform(flat, picture.empty_corners.astype(np.float32))
    gain = np.ones(picture.empty.shape[:2], np.float32)
    turns = np.linspace(0, 2 * np.pi, 60)
    for column, row in fields:
        for radius, part in ((0.38, 1.0), (0.27, 0.6), (0.24, 1.0)):  # a groove runs around
            outline = np.stack([column + 0.5 + radius * np.cos(turns), row + 0.5 + radius * np.sin(turns)], 1)
            at = cv2.perspectiveTransform(outline[None].astype(np.float32), way)
            cv2.fillPoly(gain, [np.rint(at[0]).astype(np.int32)], 1 + lighter * part)
    soft = cv2.GaussianBlur(gain, (0, 0), 0.8)[..., None]
    return np.clip(picture.empty * soft, 0, 255).astype(np.uint8)


def test_pieces_of_nearly_the_boards_colour_are_seen(tmp_path: Path) -> None:
    picture = seen(DRAUGHTS)
    path = written(tmp_path, picture)
    fields = [(2, 2), (4, 4), (7, 7), (5, 1), (1, 7), (8, 4)]
    there = (path, picture.empty_corners, picture.empty, picture.empty_corners)
    told = look_at_board(with_discs(picture, fields, 0.15), *there)
    occupied = {name for name, site in told["sites"].items() if site["label"] == "occupied"}
    assert occupied == {f"cell:{chr(97 + column)}{row + 1}" for column, row in fields}


def bent(image: np.ndarray, corners: np.ndarray, by: float) -> tuple[np.ndarray, np.ndarray]:
    """The picture and the corners in it as a lens shows them that makes the farthest parts so much smaller."""
    height, width = image.shape[:2]
    middle = np.array([width - 1, height - 1]) / 2
    farthest = np.square(middle).sum()
    at = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1) - middle
    source = middle + at * (1 + by * np.square(at).sum(-1, keepdims=True) / farthest) / (1 + by)
    shown = cv2.remap(image, source.astype(np.float32), None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
    found = corners - middle
    for _ in range(30):
        found = (corners - middle) * (1 + by) / (1 + by * np.square(found).sum(1, keepdims=True) / farthest)
    return shown, found + middle


@pytest.mark.parametrize("by", [0.2, 0.3])
@pytest.mark.parametrize("seed", [CHESS, DRAUGHTS])
def test_a_lens_is_told_by_the_lines_that_it_bends(tmp_path: Path, seed: int, by: float) -> None:
    picture = seen(seed)
    board = BoardSet.load(written(tmp_path, picture))
    image, corners = bent(picture.image, picture.corners, by)
    size = (image.shape[1], image.shape[0])
    across, up = board.grid.columns, board.grid.rows
    inner = [(x - across / 2, y - up / 2) for x in range(1, across) for y in range(1, up)]
    places = np.column_stack([np.array(inner) * board.grid.pitch, np.zeros(len(inner))])
    true = bent(picture.image, pose_of(board.corners, picture.corners, size).project(places), by)[1]
    straight = pose_of(board.corners, corners, size)
    off = [
        np.linalg.norm(pose.project(places) - true, axis=1).mean()
        for pose in (straight, unbent(image, straight, board))
    ]
    assert off[1] < 0.5 * off[0]


def test_lines_that_nothing_bends_stay_straight(tmp_path: Path) -> None:
    picture = seen(CHESS)
    board = BoardSet.load(written(tmp_path, picture))
    pose = pose_of(board.corners, picture.corners, (picture.image.shape[1], picture.image.shape[0]))
    assert unbent(picture.image, pose, board) is pose


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 3)])
def test_a_board_may_have_few_fields(tmp_path: Path, columns: int, rows: int) -> None:
    path = tmp_path / "board.toml"
    path.write_text(SET.replace("columns = 10", f"columns = {columns}").replace("rows = 10", f"rows = {rows}"))
    image = np.full((240, 320, 3), 120, np.uint8)
    cv2.rectangle(image, (100, 20), (160, 200), (60, 90, 150), -1)
    told = look_at_board(image, path, np.array([(100.0, 200), (100, 20), (160, 20), (160, 200)]))
    assert len(told["sites"]) == columns * rows


@pytest.mark.parametrize("with_empty", [True, False])
@pytest.mark.parametrize("seed", [CHESS, DRAUGHTS])
def test_fields_are_read_through_a_wide_lens(tmp_path: Path, seed: int, with_empty: bool) -> None:
    picture = seen(seed)
    image, corners = bent(picture.image, picture.corners, 0.3)
    empty = bent(picture.empty, picture.empty_corners, 0.3) if with_empty else (None, None)
    told = look_at_board(image, written(tmp_path, picture), corners, *empty)
    assert len(mistakes(told, picture)) <= 1
    assert mistakes(told, picture, 0.9) == []


def test_nobody_is_sure_where_no_field_looks_like_the_empty_board(tmp_path: Path) -> None:
    picture, other = seen(PRINT, style="print"), seen(PRINT + 1, style="print")
    path = written(tmp_path, picture)
    told = look_at_board(picture.image, path, picture.corners, other.empty, other.empty_corners)
    assert all(site["confidence"] <= 0.7 for site in told["sites"].values())
    told = look_at_board(picture.image, path, picture.corners, picture.empty, picture.empty_corners)
    assert any(site["confidence"] > 0.9 for site in told["sites"].values())


def test_the_empty_board_is_read_as_empty(tmp_path: Path) -> None:
    picture = seen(DRAUGHTS)
    told = look_at_board(picture.empty, written(tmp_path, picture), picture.empty_corners)
    assert {site["label"] for site in told["sites"].values()} == {"empty"}


@pytest.mark.parametrize("with_empty", [False, True])
@pytest.mark.parametrize("value", [0, 255])
def test_nothing_is_sure_where_nothing_is_seen(tmp_path: Path, value: int, with_empty: bool) -> None:
    picture = seen(DRAUGHTS)
    path = written(tmp_path, picture)
    left_half = picture.corners.copy()
    left_half[2:] = (picture.corners[2:] + picture.corners[1::-1]) / 2
    blind = cv2.fillPoly(picture.image.copy(), [left_half.round().astype(np.int32)], (value, value, value))
    empty = (picture.empty, picture.empty_corners) if with_empty else (None, None)
    told = look_at_board(blind, path, picture.corners, *empty)
    columns = {name: name.removeprefix("cell:")[0] for name in told["sites"]}
    assert all(site["confidence"] <= 0.7 for name, site in told["sites"].items() if columns[name] in "abcde")
    sure = 0.0 if with_empty else 0.8
    assert not [name for name in mistakes(told, picture, sure) if columns[name] in "ghij"]


def test_board_is_found_by_its_outline(tmp_path: Path) -> None:
    picture = seen(CHESS)
    path = written(tmp_path, picture)
    told = look_at_board(picture.image, path, overlay=tmp_path / "seen.png")
    assert (told["found_by"], told["place"], told["orientation"]) == ("outline", "known", "ambiguous")
    corners = np.array(told["corners"])
    side = np.linalg.norm(picture.corners[0] - picture.corners[1]) / picture.game.rows
    off = [np.abs(corners - np.roll(picture.corners, -turn, 0)).max() / side for turn in range(4)]
    assert min(off) < 0.25
    below = np.hypot(*(corners - (0, picture.image.shape[0])).T)
    assert int(np.argmin(below)) == 0  # the lower left of the grid is the one nearest to that of the picture
    assert cv2.imread(str(tmp_path / "seen.png")).shape[1] >= picture.image.shape[1]


@pytest.mark.parametrize(
    ("style", "seed"),
    [
        ("scrabble", 699003),  # steep, and crowded
        ("recess", 699001),  # on a striped cloth
        ("dots", 699001),  # without a line
    ],
)
def test_boards_are_found_by_their_outlines(style: str, seed: int, tmp_path: Path) -> None:
    picture = seen(seed, style=style)
    found = find_outline(picture.image, BoardSet.load(written(tmp_path, picture)))
    assert found is not None
    assert found.plain
    assert found.rivals == ()
    corners = found.pose.project(picture.game.corners)
    side = np.linalg.norm(picture.corners[0] - picture.corners[1]) / picture.game.rows
    assert min(np.abs(np.roll(corners, turn, 0) - picture.corners).max() for turn in range(4)) < 0.25 * side


def chequered(count: int, seen_at: np.ndarray) -> np.ndarray:
    """A cloth with `count` squares a side, seen with its corners there (4, 2)."""
    pitch = 40
    plain = np.where(np.indices((count, count)).sum(0) % 2, 60, 200).astype(np.uint8)
    cloth = cv2.cvtColor(np.kron(plain, np.ones((pitch, pitch), np.uint8)), cv2.COLOR_GRAY2BGR)
    side = count * pitch
    there = np.float32([(0, 0), (side, 0), (side, side), (0, side)])
    way = cv2.getPerspectiveTransform(there, seen_at)
    return cv2.warpPerspective(cloth, way, (960, 720), flags=cv2.INTER_AREA, borderValue=(120, 150, 130))


SLANT = np.float32([(210, 90), (800, 130), (850, 640), (120, 600)])
"""Corners (4, 2) of a square that is seen at a slant: upper left, upper right, lower right, lower left."""


@pytest.mark.parametrize(("count", "place", "surest"), [(10, "known", 1.0), (15, "doubtful", 0.7)])
def test_nothing_is_sure_where_a_board_may_lie_elsewhere(tmp_path: Path, count: int, place: str, surest: float) -> None:
    path = tmp_path / "board.toml"
    path.write_text(SET)
    told = look_at_board(chequered(count, SLANT), path)
    assert (told["found_by"], told["place"]) == ("outline", place)
    confidences = [site["confidence"] for site in told["sites"].values()]
    assert max(confidences) <= surest
    assert surest < 1 or min(confidences) > 0.7


@pytest.mark.parametrize("tilt", [0, 35, 58])
def test_a_board_is_found_however_flatly_it_is_looked_at(tmp_path: Path, tilt: float) -> None:
    path = tmp_path / "board.toml"
    path.write_text(SET)
    sine, cosine = np.sin(np.radians(tilt)), np.cos(np.radians(tilt))
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2
    away = 1.35 + corners[:, 1] * sine
    seen_at = np.stack([480 + 750 * corners[:, 0] / away, 360 - 750 * corners[:, 1] * cosine / away], 1)
    told = look_at_board(chequered(10, seen_at.astype(np.float32)), path)
    assert (told["found_by"], told["place"]) == ("outline", "known")
    off = [np.abs(np.roll(told["corners"], turn, 0) - seen_at[[3, 0, 1, 2]]).max() for turn in range(4)]
    assert min(off) < 0.25 * 750 / 1.35 / 10


def test_the_empty_board_tells_where_a_board_lies(tmp_path: Path) -> None:
    picture = seen(CHESS)
    board = BoardSet.load(written(tmp_path, picture))
    true = find_board(picture.image, board, picture.corners).pose
    empty = empty_surface(picture.empty, find_board(picture.empty, board, picture.empty_corners).pose, board)
    aside = true.rotation @ np.array([3 * board.grid.pitch, 0, 0])
    wrong = replace(true, translation=true.translation + aside)
    for first, rival in ((wrong, true), (true, wrong)):
        found = settled_place(empty, picture.image, board, Found(first, "outline", False, (rival,)), settled=True)
        at = found.pose.project(board.corners)
        off = min(np.abs(np.roll(at, turn, 0) - picture.corners).max() for turn in range(4))
        assert off < 0.25 * np.linalg.norm(picture.corners[0] - picture.corners[1]) / board.grid.rows
        assert found.rivals == ()


def test_board_is_found_by_its_cards(tmp_path: Path) -> None:
    picture = seen(DRAUGHTS, cards=True)
    told = look_at_board(picture.image, written(tmp_path, picture))
    assert told["found_by"] == "cards"
    assert told["orientation"] == "known"
    assert len(told["markers"]) >= 3
    side = np.linalg.norm(picture.corners[0] - picture.corners[1]) / picture.game.rows
    assert np.abs(np.array(told["corners"]) - picture.corners).max() < 0.25 * side
    assert len(mistakes(told, picture)) <= 1


def test_no_board(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(SET)
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    for image in (noise, np.full((480, 640, 3), 90, np.uint8)):
        with pytest.raises(NoBoardError, match="no outline of such a board is found"):
            look_at_board(image, path)
    with pytest.raises(NoBoardError, match="picture of the empty board"):
        look_at_board(noise, path, np.array([(50, 400), (60, 50), (500, 40), (520, 410.0)]), noise)


def test_command_tells_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, image = seen(DRAUGHTS), tmp_path / "picture.png"
    path = written(tmp_path, picture)
    cv2.imwrite(str(image), picture.image)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in picture.corners)
    assert main(["look", str(image), "--set", str(path), "--corners", corners]) == failures.SUCCESS
    told = json.loads(capsys.readouterr().out)
    assert told["set"] == "draughts"
    assert set(told["sites"]) == set(picture.occupied)
    assert {label for site in told["sites"].values() for label in site} == {"label", "confidence"}
    for extra in (["--game", "via"], ["--corners", "1,2"], ["--empty-corners", corners], ["--empty", "missing.png"]):
        assert main(["look", str(image), "--set", str(path), *extra]) == failures.BAD_INPUT
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err
    assert main(["look", str(image), "--corners", corners]) == failures.BAD_INPUT
    assert "--set" in capsys.readouterr().err
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), np.full((480, 640, 3), 90, np.uint8))
    assert main(["look", str(grey), "--set", str(path)]) == failures.NO_BOARD
    assert json.loads(capsys.readouterr().out)["error"] == "no board"


def test_a_millimetre_off_makes_no_orientation_worse(tmp_path: Path) -> None:
    picture = seen(CHESS)
    board = BoardSet.load(written(tmp_path, picture))
    size = (picture.empty.shape[1], picture.empty.shape[0])
    side = float(np.linalg.norm(picture.empty_corners[1] - picture.empty_corners[0])) / picture.game.rows
    exact, off = (pose_of(board.corners, picture.empty_corners + by * side, size) for by in (0.0, 0.04))
    surface = empty_surface(picture.empty, exact, board)
    wrong = disagreement(picture.empty, turned(exact, 1), board, surface)
    assert disagreement(picture.empty, off, board, surface) < 0.01 * wrong
