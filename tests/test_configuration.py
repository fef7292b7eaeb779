import tomllib
from pathlib import Path

import pytest

from companion import configuration
from companion.configuration import Configuration, ConfigurationError, load, parse

ROOT = Path(__file__).parents[1]


@pytest.fixture
def home(monkeypatch, tmp_path):
    """A user without any configuration."""
    monkeypatch.delenv("COMPANION_CONFIG", raising=False)
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_without_a_file_the_defaults_hold(home):
    assert load() == Configuration()
    assert configuration.file_in_use() is None
    assert load().data_folder == home / "share" / "companion"


def test_named_file_then_environment_then_default_file(home, monkeypatch):
    default = write(home / "config" / "companion" / "config.toml", 'camera = "webcam:1"')
    assert load().camera == "webcam:1"
    other = write(home / "other.toml", 'camera = "webcam:2"')
    monkeypatch.setenv("COMPANION_CONFIG", str(other))
    assert load().camera == "webcam:2"
    named = write(home / "named.toml", 'camera = "webcam:3"')
    assert load(named).camera == "webcam:3"
    assert configuration.file_in_use(named) == named
    assert configuration.file_in_use() == other
    assert default.exists()


def test_the_data_folder_comes_from_the_file_or_the_environment(home, monkeypatch):
    monkeypatch.setenv("COMPANION_DATA", str(home / "kept"))
    assert load().data_folder == home / "kept"
    assert parse(b'[data]\nfolder = "~/games"', "c").data_folder == Path("~/games").expanduser()


def test_values_that_are_given_replace_the_defaults_and_the_others_stay():
    made = parse(b'language = "de"\n[lights]\nactive_high = false\n[screen]\nwidth = 1280', "c")
    assert made.language == "de"
    assert made.lights.active_high is False
    assert made.lights.seats == Configuration().lights.seats
    assert (made.screen.width, made.screen.height) == (1280, 480)


def test_the_readme_shows_the_defaults():
    block = (ROOT / "README.md").read_text().split("```toml\n")[1].split("```")[0]
    shown = tomllib.loads(block)
    assert parse(block.encode(), "README.md") == Configuration()
    for table in ("lights", "screen", "data"):
        kind = type(getattr(Configuration(), table))
        left_out = set(kind.__struct_fields__) - set(shown[table])
        assert all(f"# {name} = " in block for name in left_out), left_out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("camera = 3", ["camera: expected `str`, got `int`"]),
        ("cammera = 'webcam:0'", ["cammera is no key", "camera, language, lights, buttons, screen, data"]),
        ("[screen]\nwidht = 800", ["screen.widht is no key", "width, height, fullscreen, theme"]),
        ("[screen]\nwidth = 'wide'", ["screen.width: expected `int`, got `str`"]),
        ("[screen]\nwidth = 20", ["screen.width: expected `int` >= 480"]),
        ("[screen]\nfullscreen = 1", ["screen.fullscreen: expected `bool`, got `int`"]),
        ("[screen]\ntheme = 'pink'", ["screen.theme", "'pink'", "light, dark"]),
        ("language = 'it'", ["language", "'it'", "en, de, fr"]),
        ("lights = 3", ["lights: expected `object`, got `int`"]),
        ("[lights]\nkind = 'candles'", ["lights.kind", "'candles'", "gpio, screen, none"]),
        ("[lights]\nbrightness = 2.0", ["lights.brightness: expected `float` <= 1.0"]),
        ("[lights]\nstatus = [18, 19]", ["lights.status: has 2 pins; an RGB LED has three, a plain one has one"]),
        ("[lights]\nstatus = [18, 19, 40]", ["lights.status[2]: expected `int` <= 27"]),
        ("[lights]\nseats = [[2, 3, 4], [5, 6, 2]]", ["lights.seats[1]: pin 2 (blue)", "lights.seats[0] (red)"]),
        ("[lights]\nstatus = [18, 18, 19]", ["lights.status: pin 18 (green)", "lights.status (red)", "one LED"]),
        ("[lights]\nstatus = [17, 19, 20]", ["lights.status: pin 17 (red)", "lights.seats[0] (red)"]),
        ("[buttons]\nroll = 18", ["buttons.roll: pin 18 (button)", "lights.status (red)", "one LED or button"]),
        ("[data]\nsnapshot_megabytes = -1", ["data.snapshot_megabytes: expected `int` >= 0"]),
        ("camera = ", ["is no TOML"]),
        ("[screen]\nwidth = 1\nwidth = 2", ["is no TOML"]),
    ],
)
def test_what_is_wrong_is_named_with_file_key_and_what_would_be_right(text, words):
    with pytest.raises(ConfigurationError) as caught:
        parse(text.encode(), "here.toml")
    message = str(caught.value)
    assert message.startswith("here.toml: ")
    assert [word for word in words if word not in message] == [], message
    assert "\n" not in message


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(ConfigurationError, match=r"c\.toml: is no text in UTF-8"):
        parse(b"camera = '\xff\xfe'", "c.toml")


def test_a_named_file_that_is_missing_or_unreadable_is_an_error(home):
    with pytest.raises(ConfigurationError, match=r"none\.toml: there is no such file"):
        load(home / "none.toml")
    with pytest.raises(ConfigurationError, match="Is a directory"):
        load(home)
