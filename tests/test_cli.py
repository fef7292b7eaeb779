import errno
import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path

import pytest

from companion import failures, main
from companion.arguments import names_of
from companion.games.registry import GAMES
from companion.table.session import Session
from companion.table.state import By, Player
from companion.table.store import Store
from tests.hardware.test_files import write_film

ROOT = Path(__file__).parents[1]
COMMANDS = sorted(main.cli.commands)


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    """A user without any files yet."""
    for name in ("COMPANION_CONFIG", "COMPANION_DATA"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)  # what the program changes is put back
    handlers = list(logging.getLogger().handlers)
    yield tmp_path
    logging.getLogger().handlers[:] = handlers


@pytest.fixture
def run(capfd):
    """Runs a command as `companion` does: its exit status, standard output and standard error."""

    def run(*arguments):
        status = main.main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return run


def one_sentence(err):
    """The only line of standard error, which begins with the program's name."""
    assert err.count("\n") == 1, err
    assert err.startswith("companion: ")
    return err


@pytest.fixture
def record(home):
    """A short record of a game of Ada and Ben, in the user's data folder."""
    from companion.games.registry import load_game

    game = load_game("triangle")
    with Store(home / "data" / "companion") as store:
        players = (Player("Ada", 0, "red", "circle"), Player("Ben", 1, "blue", "square"))
        session = Session.create(store, game, players)
        actions = ["draw 0 RRR6", "draw 1 RRY5", "draw 0 BBB6", "draw 0 GGG6", "draw 0 YYY6"]
        actions += ["draw 1 RRP5", "draw 1 BBR5", "draw 1 BBP5", "place RRR6 0 0"]
        session.apply([game.parse(action) for action in actions], By.HAND)
        return session.name


# -- help --------------------------------------------------------------------------------------------------------------


def test_help_lists_every_command_and_every_exit_status(run):
    status, out, _ = run("--help")
    assert status == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in out] == []
    assert [str(code) for code in failures.STATUSES if not re.search(rf"^ +{code}  \S", out, re.MULTILINE)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    status, out, _ = run(command, "--help")
    assert status == 0
    assert out.startswith(f"Usage: companion {command}")


def test_the_readme_tells_the_same_commands_and_exit_statuses():
    readme = (ROOT / "README.md").read_text()
    for code, text in failures.STATUSES.items():
        assert f"| {code} | {text} |" in readme
    assert [name for name in COMMANDS if not re.search(rf"`(companion )?{name}\b", readme)] == []


def test_the_version_is_the_packages(run):
    assert run("--version")[:2] == (0, "companion, version 0.1.0\n")


def test_help_imports_nothing_heavy():
    code = "import sys; from companion.main import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = {name.split(".")[0] for name in done.stderr.split()}
    assert modules & {"cv2", "numpy", "pygame", "pygame_gui", "msgspec", "gpiozero", "sqlite3"} == set()


# -- what goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("demo", "chess", "--headless"),
        ("watch", "film.mp4", "--game", "chess"),
        ("referee", "chess"),
        ("play", "chess"),
    ],
)
def test_an_unknown_game_is_answered_with_the_games_there_are(run, arguments):
    status, out, err = run(*arguments)
    assert (status, out) == (failures.BAD_INPUT, "")
    assert f"there is no game 'chess'; the games are: {', '.join(GAMES)}" in one_sentence(err)


@pytest.mark.parametrize("names", ["Ada", "1", "Ada,Ben,Cem,Dag,Eve", "5"])
@pytest.mark.parametrize("arguments", [("demo", "triangle", "--headless"), ("watch", "film.mp4", "--game", "triangle")])
def test_one_player_or_five_are_too_few_or_too_many(run, home, arguments, names):
    status, out, err = run(*arguments, "--players", names)
    assert (status, out) == (failures.BAD_INPUT, "")
    assert re.search("2 to 4", one_sentence(err))
    assert not list(home.rglob("*.db"))


def test_players_are_named_or_counted():
    assert names_of("Ada, Ben") == ("Ada", "Ben")
    assert names_of("3") == ("Player 1", "Player 2", "Player 3")
    assert names_of(None) is None


def test_a_text_file_is_no_film(run, home):
    (home / "notes.txt").write_text("It was a dark and stormy night.\n" * 30)
    status, out, err = run("watch", home / "notes.txt", "--game", "triangle")
    assert (status, out) == (failures.BAD_INPUT, "")
    assert "notes.txt: is a text file; a film" in one_sentence(err)


@pytest.mark.parametrize("source", ["telescope", "webcam:x", "video:"])
def test_an_unknown_camera_is_answered_with_the_cameras_there_are(run, source):
    status, _, err = run("watch", source, "--game", "triangle")
    assert status == failures.BAD_INPUT
    assert "simulated, picamera, webcam:0, video:FILE, pictures:FOLDER" in one_sentence(err)


def test_a_film_that_was_cut_off_gives_its_result_and_then_the_error(run, home):
    film = write_film(home / "film.avi", "MJPG")
    os.truncate(film, film.stat().st_size // 2)
    status, out, err = run("watch", film, "--game", "triangle", "--players", "Ada,Ben", "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert status == failures.FAILED
    assert "of 30 frames could be read" in one_sentence(err)
    assert told[-1]["result"]["over"] is False
    assert run("replay", told[-1]["result"]["record"])[0] == 0


def test_an_empty_folder_holds_no_pictures(run, home):
    status, _, err = run("watch", f"pictures:{home}", "--game", "triangle")
    assert status == failures.BAD_INPUT
    assert "holds no pictures" in one_sentence(err)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[screen]\nwidth = 'wide'", "screen.width: expected `int`"),
        ("colour = 1", "colour is no key"),
        ("[", "is no TOML"),
    ],
)
@pytest.mark.parametrize("command", [("check",), ("games",), ("watch", "film.mp4"), ()])
def test_a_wrong_configuration_names_the_file_and_the_key(run, home, command, text, words):
    file = home / "wrong.toml"
    file.write_text(text)
    status, out, err = run("--config", file, *command)
    assert (status, out) == (failures.BAD_INPUT, "")
    assert f"{file}: " in one_sentence(err)
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("dance",), "No such command 'dance'"),
        (("watch",), "Missing argument 'SOURCE'"),
        (("demo", "triangle", "--speed", "0"), "--speed"),
        (("demo", "triangle", "--seed", "x"), "'x' is not a valid integer"),
        (("play", "--lights", "candles"), "'gpio', 'screen', 'none'"),
    ],
)
def test_wrong_usage_says_what_is_wrong(run, arguments, words):
    status, out, err = run(*arguments)
    assert (status, out) == (failures.BAD_INPUT, "")
    assert words in err


@pytest.mark.parametrize("command", ["replay", "export"])
def test_an_unknown_record_sends_people_to_the_list(run, command):
    status, _, err = run(command, "20200101-000000")
    assert status == failures.BAD_INPUT
    assert "companion games" in one_sentence(err)


def test_a_file_that_is_no_record_says_what_one_looks_like(run):
    status, _, err = run("replay", ROOT / "LICENSE")
    assert status == failures.BAD_INPUT
    assert "LICENSE: " in one_sentence(err)


def test_a_data_folder_that_is_a_file_is_a_storage_error(run, home):
    (home / "data").mkdir()
    (home / "data" / "companion").write_text("in the way")
    status, _, err = run("games")
    assert status == failures.STORAGE
    assert str(home / "data" / "companion") in one_sentence(err)


def test_a_torn_database_is_put_aside_with_a_word_and_the_list_still_comes(run, home, record):
    database = home / "data" / "companion" / "companion.db"
    database.write_bytes(b"torn" * 4096)
    status, out, err = run("games")
    assert status == failures.SUCCESS
    assert "triangle" in out
    assert "was damaged" in err
    assert "The damaged database is kept as" in err
    assert all(line.startswith("companion: ") for line in err.splitlines())


def test_a_text_file_is_no_picture(run):
    status, out, err = run("look", ROOT / "LICENSE")
    assert (status, out) == (failures.BAD_INPUT, "")
    assert "LICENSE: this is no picture" in one_sentence(err)


@pytest.mark.parametrize("game", [(), ("--game", "triangle")])
def test_a_picture_without_a_board_says_so_in_json(run, home, game):
    import cv2
    import numpy as np

    cv2.imwrite(str(home / "grey.png"), np.full((720, 1280, 3), 128, np.uint8))
    status, out, err = run("look", home / "grey.png", *game)
    told = json.loads(out)
    assert (status, err) == (failures.NO_BOARD, "")
    assert told["error"] == "no board"
    assert told["text"]


# -- the door ----------------------------------------------------------------------------------------------------------


def test_every_family_of_errors_is_where_the_table_says():
    for name in failures.FAMILIES:
        module, _, kind = name.rpartition(".")
        family = getattr(import_module(module), kind)
        assert issubclass(family, Exception)
        assert f"{family.__module__}.{family.__qualname__}" == name


def explode(monkeypatch, error):
    def games(as_json, configuration):
        raise error

    monkeypatch.setattr("companion.commands.games.run", games)


def test_an_unexpected_error_is_one_sentence_with_the_traceback_in_a_log(run, home, monkeypatch):
    explode(monkeypatch, ZeroDivisionError("no\nidea"))
    status, out, err = run("games")
    assert (status, out) == (failures.UNEXPECTED, "")
    log = home / "state" / "companion" / "errors.log"
    assert f"ZeroDivisionError: no idea); please report it with the log {log}" in one_sentence(err)
    assert "Traceback" in log.read_text()


def test_an_unexpected_error_where_no_log_can_be_written_is_still_said(run, home, monkeypatch):
    (home / "state").write_text("in the way")
    explode(monkeypatch, ZeroDivisionError("no idea"))
    status, _, err = run("games")
    assert status == failures.UNEXPECTED
    assert "could not be written" in one_sentence(err)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_full_disk_and_a_read_only_one_are_storage_errors(run, monkeypatch, code):
    explode(monkeypatch, OSError(code, os.strerror(code), "/somewhere"))
    status, _, err = run("games")
    assert status == failures.STORAGE
    assert os.strerror(code) in one_sentence(err)


def test_ctrl_c_is_quiet(run, monkeypatch):
    explode(monkeypatch, KeyboardInterrupt())
    status, out, err = run("games")
    assert (status, out + err.strip()) == (failures.INTERRUPTED, "")


def test_a_warning_is_one_sentence_too(run, monkeypatch):
    import warnings

    from hardware.lights import LightsWarning

    def games(as_json, configuration):
        warnings.warn("no GPIO here", LightsWarning, stacklevel=2)
        return 0

    monkeypatch.setattr("companion.commands.games.run", games)
    assert run("games") == (0, "", "companion: no GPIO here\n")


def test_what_modules_log_and_threads_raise_is_no_traceback_either(run, home, monkeypatch):
    def games(as_json, configuration):
        try:
            raise ZeroDivisionError("logged")
        except ZeroDivisionError:
            logging.getLogger("companion.somewhere").exception("it went wrong")
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
        return 0

    monkeypatch.setattr("companion.commands.games.run", games)
    status, _, err = run("games")
    assert status == 0
    assert "ZeroDivisionError: division by zero); please report it" in one_sentence(err)
    log = (home / "state" / "companion" / "errors.log").read_text()
    assert "it went wrong" in log
    assert log.count("Traceback") == 2


# -- as a process of its own -------------------------------------------------------------------------------------------


def start(*arguments, **options):
    command = [sys.executable, "-m", "companion.main", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_a_reader_that_leaves_early_is_no_error_to_speak_of():
    with start("referee", "triangle", stdin=subprocess.PIPE) as process:
        process.stdout.close()
        process.stdin.write('{"do": "new", "players": 2}\n' * 5)
        process.stdin.close()
        assert process.stderr.read() == ""
        assert process.wait(20) == failures.FAILED


def heed_interrupts():
    """A shell that runs the tests in the background has them ignore interrupts, and what they start, too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_real_interrupt_is_quiet():
    with start("referee", "triangle", stdin=subprocess.PIPE, preexec_fn=heed_interrupts) as process:
        process.stdin.write('{"do": "new", "players": 2}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["game"] == "triangle"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out + err.strip()) == (failures.INTERRUPTED, "")


def test_a_real_process_ends_with_the_status_of_its_error():
    with start("referee", "chess") as process:
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (failures.BAD_INPUT, "")
    assert "there is no game 'chess'" in one_sentence(err)


# -- the touchscreen program -------------------------------------------------------------------------------------------


@pytest.fixture
def brief(monkeypatch):
    """The program leaves by itself after a few rounds; what it was opened with."""
    from companion.ui import app

    opened = []

    def run(library, **options):
        opened.append((library, options))
        original(library, **options, max_frames=5)

    original = app.run
    monkeypatch.setattr(app, "run", run)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return opened


def test_play_begins_at_the_table_of_a_game_with_its_players(run, home, brief):
    (home / "my.toml").write_text('language = "fr"\n[screen]\nwidth = 1280\nheight = 720\ntheme = "light"\n')
    arguments = ("--camera", "simulated", "--lights", "screen", "--players", "Ada,Ben")
    assert run("--config", home / "my.toml", "play", "triangle", *arguments) == (0, "", "")
    ((_, options),) = brief
    assert (options["size"], options["language"], options["theme"]) == ((1280, 720), "fr", "light")
    assert [player.name for player in options["model"].state().players] == ["Ada", "Ben"]
    assert options["lights"].name == "screen"
    assert "Ada, Ben: goes on after 0 actions" in run("games")[1]


def test_companion_alone_opens_the_start_screen(run, home, brief):
    (home / "my.toml").write_text('camera = "simulated"\n[lights]\nkind = "none"')
    assert run("--config", home / "my.toml") == (0, "", "")
    ((_, options),) = brief
    assert (options["model"], options["lights"].name) == (None, "none")


def test_demo_with_a_screen_plays_on_the_simulated_table(run, brief):
    status, _, _ = run("demo", "triangle", "--players", "Ada,Ben,Cem", "--seed", "3")
    assert status == 0
    assert len(brief[0][1]["model"].state().players) == 3


def test_without_gpio_a_table_opens_with_a_word_about_lights_and_buttons(run, home, brief, monkeypatch):
    from gpiozero import Device

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setitem(sys.modules, "lgpio", None)
    (home / "my.toml").write_text('[lights]\nkind = "gpio"\n[buttons]\nroll = 4\n')
    status, _, err = run("--config", home / "my.toml", "play", "triangle", "--camera", "simulated", "--players", "A,B")
    assert status == 0
    lights, buttons = err.splitlines()
    assert "the lights are drawn on the screen, since GPIO cannot be used" in lights
    assert "the buttons cannot be used" in buttons
    ((_, options),) = brief
    assert options["lights"].name == "screen"


def test_a_wrong_camera_is_said_before_the_screen_opens(run, home, brief):
    status, _, err = run("play", "--camera", "telescope")
    assert (status, brief) == (failures.BAD_INPUT, [])
    assert "it can be: simulated" in one_sentence(err)


# -- records -----------------------------------------------------------------------------------------------------------


def test_games_lists_what_can_be_played_and_what_is_on_record(run, record):
    _, out, _ = run("games")
    assert "triangle           2 to 4 players" in out
    assert f"{record}    triangle         Ada, Ben: goes on after 9 actions" in out
    status, out, _ = run("games", "--json")
    told = json.loads(out)
    assert status == 0
    assert [game["game"] for game in told["games"]] == list(GAMES)
    teams = {"name": "teams", "values": [False, True], "clause": "TRI-SETUP-1"}
    assert {"game": "triangle", "players": [2, 3, 4], "options": [teams]} in told["games"]
    assert [(one["record"], one["players"], one["over"]) for one in told["records"]] == [
        (record, ["Ada", "Ben"], False)
    ]


def test_the_record_of_a_demo_can_be_replayed_but_is_not_among_the_games(run, home, record):
    (home / "data" / "companion").rename(home / "demo")
    (home / "data" / "companion").mkdir()
    (home / "demo").rename(home / "data" / "companion" / "demo")
    assert "Nothing is on record yet." in run("games")[1]
    assert run("replay", record)[0] == 0
    assert run("replay", "20200101-000000")[0] == failures.BAD_INPUT


def test_games_of_a_new_user_says_that_there_are_none(run):
    assert "Nothing is on record yet." in run("games")[1]


def test_replay_tells_each_action_with_its_points_and_the_result(run, record):
    status, out, _ = run("replay", record, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert len(lines) == 10
    assert lines[8] == {
        "action": "place RRR6 0 0",
        "player": 0,
        "time": None,
        "confidence": None,
        "by": "hand",
        "points": 6,
    }
    assert lines[9] == {"result": {"scores": [6, 0], "winners": [], "over": False, "record": record}}
    assert "place RRR6 0 0       Ada          +6 points" in run("replay", record)[1]


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_exported_can_be_replayed(run, home, record, form):
    status, out, _ = run("export", "--to", home / "out", *form)
    assert status == 0
    file = out.strip()
    assert Path(file).parent == home / "out"
    assert run("replay", file, "--json") == run("replay", record, "--json")


def test_a_folder_that_cannot_be_written_is_a_storage_error(run, home, record):
    (home / "out").write_text("in the way")
    status, _, err = run("export", record, "--to", home / "out")
    assert status == failures.STORAGE
    assert "--to" in one_sentence(err)


def test_a_record_becomes_a_film(run, home, record):
    import cv2

    status, out, _ = run("replay", record, "--film", home / "game.mp4")
    assert status == 0
    film = cv2.VideoCapture(str(home / "game.mp4"))
    assert out == f"{home / 'game.mp4'}: {int(film.get(cv2.CAP_PROP_FRAME_COUNT))} frames\n"
    film.set(cv2.CAP_PROP_POS_FRAMES, 0)
    first = film.read()[1]
    film.set(cv2.CAP_PROP_POS_FRAMES, film.get(cv2.CAP_PROP_FRAME_COUNT) - 1)
    last = film.read()[1]
    assert first.shape == (720, 1280, 3)
    assert cv2.absdiff(first, last).max() > 100  # tiles lie on the racks, and one on the board


# -- check -------------------------------------------------------------------------------------------------------------


def test_check_tells_what_works_and_the_configuration_in_effect(run, home):
    (home / "my.toml").write_text('[lights]\nkind = "screen"\n[screen]\nwidth = 1280\n')
    status, out, _ = run("--config", home / "my.toml", "check", "--json")
    told = json.loads(out)
    assert status == 0
    assert told["usable"] is True
    assert told["configuration"]["screen"]["width"] == 1280
    assert told["configuration"]["data"] == {"folder": "", "snapshot_megabytes": 500}
    parts = {finding["part"]: finding for finding in told["findings"]}
    assert parts["configuration"]["found"] == str(home / "my.toml")
    assert parts["Python"]["found"] == ".".join(map(str, sys.version_info[:3]))
    assert parts["lights"] == {"part": "lights", "ok": True, "found": "screen", "advice": "", "essential": False}
    assert {
        "cv2",
        "numpy",
        "pygame",
        "pygame_gui",
        "fonts",
        "screen",
        "sound",
        "buttons",
        "sets",
        "calibration",
    } <= set(parts)
    assert {"machine", "data folder", "disks", "clock", "camera"} <= set(parts)
    assert all(finding["ok"] or finding["advice"] for finding in told["findings"])


def test_check_leaves_nothing_behind(run, home):
    run("check")
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_check_opens_the_camera_that_is_configured(run, home):
    import cv2
    import numpy as np

    cv2.imwrite(str(home / "1.png"), np.zeros((48, 64, 3), np.uint8))
    (home / "my.toml").write_text(f'camera = "pictures:{home}"\n[lights]\nkind = "none"')
    assert f"pictures:{home}, 64 x 48" in run("--config", home / "my.toml", "check")[1]


def test_check_says_what_cannot_be_used_and_fails(run, home, monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame_gui", None)
    status, out, _ = run("check")
    assert status == failures.FAILED
    assert "->  pygame_gui     cannot be loaded" in out
    assert "pip install pygame_gui" in out
    assert "cannot be used here" in out


def test_check_says_that_the_data_folder_cannot_be_written(run, home, monkeypatch):
    (home / "in-the-way").write_text("")
    monkeypatch.setenv("COMPANION_DATA", str(home / "in-the-way" / "data"))
    status, out, _ = run("check")
    assert status == failures.FAILED
    assert "->  data folder" in out
