import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from affidavit.config import SETTINGS, Config, save_user_setting
from affidavit.errors import ConfigError


def load(folder: Path, environ: dict[str, str] | None = None, **arguments: object) -> Config:
    return Config.load(environ={"AFFIDAVIT_HOME": str(folder), **(environ or {})}, **arguments)


def write(home: Path, text: str) -> Path:
    path = home / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_with_nothing_every_value_is_the_default(tmp_path):
    config = Config.load(environ={})
    assert config.home == Path.home() / ".affidavit"
    assert config.db == str(Path.home() / ".affidavit" / "memory.db")
    assert (config.durability, config.embedder, config.signing, config.user) == (
        "normal",
        "auto",
        "local",
        None,
    )
    assert config.key_dir.name == "keys"
    assert config.keep_queries is False
    assert set(config.origins) == set(SETTINGS)
    assert set(config.origins.values()) == {"default"}
    assert not (tmp_path / "config.toml").exists()


def test_argument_then_environment_then_file_then_default(tmp_path):
    path = write(tmp_path, 'durability = "full"\nuser = "file"\nsigning = "later"\n')
    config = load(
        tmp_path, {"AFFIDAVIT_USER": "variable", "AFFIDAVIT_SIGNING": "local"}, user="argument", db=None
    )
    assert (config.user, config.signing, config.durability, config.embedder) == (
        "argument",
        "local",
        "full",
        "auto",
    )
    assert config.origins["user"] == "argument"
    assert config.origins["signing"] == "environment AFFIDAVIT_SIGNING"
    assert config.origins["durability"] == f"file {path}"
    assert config.origins["embedder"] == "default"
    assert config.origins["home"] == "environment AFFIDAVIT_HOME"
    assert config.db == str(tmp_path / "memory.db")


def test_variables_are_read_by_the_type_of_their_setting(tmp_path):
    config = load(
        tmp_path,
        {
            "AFFIDAVIT_KEEP_QUERIES": "TRUE",
            "AFFIDAVIT_INDEX_BUDGET_MB": "64",
            "AFFIDAVIT_BUSY_TIMEOUT_S": "2.5",
            "AFFIDAVIT_OWN_NAMES": '{"ada": ["Ada", "Countess"]}',
            "AFFIDAVIT_KEY_DIR": str(tmp_path / "elsewhere"),
            "AFFIDAVIT_DB": "postgresql://host/memory",
            "AFFIDAVIT_USER": "1815",
            "AFFIDAVIT_SIGNING_KEY": "secret",
            "AFFIDAVITS": "not ours",
        },
    )
    assert config.keep_queries is True
    assert (config.index_budget_mb, config.busy_timeout_s, config.user) == (64, 2.5, "1815")
    assert config.own_names == {"ada": ("Ada", "Countess")}
    assert (config.key_dir, config.db) == (tmp_path / "elsewhere", "postgresql://host/memory")
    assert "secret" not in repr(config) + repr(config.describe())


def test_paths_in_the_file_start_at_the_file(tmp_path):
    write(tmp_path, 'db = "sub/m.db"\nkey_dir = "~/keys-of-mine"\n')
    config = load(tmp_path)
    assert config.db == str(tmp_path / "sub" / "m.db")
    assert config.key_dir == Path.home() / "keys-of-mine"


@pytest.mark.parametrize(
    "environ,near",
    [
        ({"AFFIDAVIT_USR": "ada"}, "AFFIDAVIT_USER"),
        ({"AFFIDAVIT_KEYDIR": "x"}, "AFFIDAVIT_KEY_DIR"),
        ({"AFFIDAVIT_SIGNINGKEY": "x"}, "AFFIDAVIT_SIGNING_KEY"),
    ],
)
def test_an_unknown_variable_names_the_nearest(tmp_path, environ, near):
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, environ)
    assert near in caught.value.hint


def test_an_unknown_key_or_argument_names_the_nearest(tmp_path):
    with pytest.raises(ConfigError, match="busy_timeout_s"):
        load(tmp_path, busy_timeout=3)
    with pytest.raises(ConfigError, match="durability"):
        load(tmp_path, durabilty=None)
    path = write(tmp_path, 'embeder = "none"\n')
    with pytest.raises(ConfigError, match="'embedder'") as caught:
        load(tmp_path)
    assert str(path) in caught.value.what


def test_where_nothing_is_near_every_setting_is_named(tmp_path):
    write(tmp_path, 'language = "de"\n')
    with pytest.raises(ConfigError) as caught:
        load(tmp_path)
    assert "own_names, " in caught.value.hint
    assert "nearest" not in caught.value.hint
    write(tmp_path, 'Embedder = "none"\n')
    with pytest.raises(ConfigError, match="the nearest is 'embedder'"):
        load(tmp_path)


@pytest.mark.parametrize(
    "name,value",
    [
        ("durability", "none"),
        ("durability", True),
        ("embedder", "minilm2"),
        ("signing", ""),
        ("home", ""),
        ("home", 5),
        ("key_dir", "a\0b"),
        ("db", 7),
        ("user", " "),
        ("user", "x" * 257),
        ("keep_queries", "true"),
        ("keep_queries", 1),
        ("own_names", ["Ada"]),
        ("own_names", {"ada": "Ada"}),
        ("own_names", {"ada": [""]}),
        ("index_budget_mb", 0),
        ("index_budget_mb", 1.5),
        ("index_budget_mb", True),
        ("busy_timeout_s", -1),
        ("busy_timeout_s", float("nan")),
        ("busy_timeout_s", "5"),
    ],
)
def test_a_wrong_value_is_refused_wherever_it_is_given(tmp_path, name, value):
    with pytest.raises(ConfigError, match=name):
        load(tmp_path, **{name: value})
    with pytest.raises(ConfigError, match=name):
        Config(**{name: value})


@pytest.mark.parametrize(
    "environ",
    [
        {"AFFIDAVIT_USER": ""},
        {"AFFIDAVIT_DB": " "},
        {"AFFIDAVIT_KEEP_QUERIES": "perhaps"},
        {"AFFIDAVIT_INDEX_BUDGET_MB": "many"},
        {"AFFIDAVIT_INDEX_BUDGET_MB": "1.5"},
        {"AFFIDAVIT_BUSY_TIMEOUT_S": "nan"},
        {"AFFIDAVIT_OWN_NAMES": "Ada"},
        {"AFFIDAVIT_DURABILITY": "FULL"},
    ],
)
def test_a_wrong_variable_is_named(tmp_path, environ):
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, environ)
    assert next(iter(environ)) in caught.value.what


@pytest.mark.parametrize(
    "text", ["user = ", 'home = "/elsewhere"', "durability = 3", "[user]\na = 1", "user = 2026-03-10"]
)
def test_a_wrong_file_is_named(tmp_path, text):
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load(tmp_path)
    assert str(path) in caught.value.what


def test_a_file_that_is_not_text_is_named(tmp_path):
    (tmp_path / "config.toml").write_bytes(b"user = '\xff'")
    with pytest.raises(ConfigError, match="can't be read"):
        load(tmp_path)
    (tmp_path / "config.toml").unlink()
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(ConfigError, match="can't be read"):
        load(tmp_path)


def test_the_key_lies_apart_from_the_store(tmp_path):
    assert load(tmp_path / "home", key_dir=tmp_path / "keys").key_dir_is_apart()
    beside = load(tmp_path, key_dir=tmp_path / "keys")
    assert not beside.key_dir_is_apart()
    assert beside.key_dir_is_apart(str(tmp_path / "data" / "m.db"))
    assert beside.key_dir_is_apart("postgresql://host/memory")
    (tmp_path / "link").symlink_to(tmp_path)
    assert not load(tmp_path, key_dir=tmp_path / "link" / "keys").key_dir_is_apart()


@pytest.mark.parametrize("folder", ["", ".."])
def test_the_home_folder_is_no_folder_of_the_store(tmp_path, monkeypatch, folder):
    """All that a user has lies below it: a store there is not given away with its folder."""
    home = tmp_path / "ada"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    keys = home / ".local" / "share" / "affidavit" / "keys"
    place = home / folder / "m.db"
    assert load(tmp_path, db=str(place), key_dir=keys).key_dir_is_apart()
    assert not load(tmp_path, db=str(place), key_dir=place.parent).key_dir_is_apart()
    assert not load(tmp_path, db=str(keys.parent / "m.db"), key_dir=keys).key_dir_is_apart()


def test_describe_shows_each_value_and_its_origin(tmp_path):
    rows = {
        name: (value, origin) for name, value, origin in load(tmp_path, own_names={"ada": ["Ada"]}).describe()
    }
    assert list(rows) == list(SETTINGS)
    assert rows["db"] == (str(tmp_path / "memory.db"), "default")
    assert rows["own_names"] == ('{"ada": ["Ada"]}', "argument")
    assert rows["keep_queries"] == ("false", "default")
    assert rows["user"] == ("", "default")


def test_a_config_can_not_be_changed():
    config = Config(own_names={"ada": ("Ada",)})
    with pytest.raises(TypeError):
        config.own_names["ben"] = ("Ben",)  # type: ignore[index]
    with pytest.raises(AttributeError):
        config.user = "ben"  # type: ignore[misc]


BEFORE = """# mine
user = "ada"   # who # I am
durability="full"

# the names
[own_names]
ada = ["Ada"]
"""


def test_saving_changes_one_line_and_nothing_else(tmp_path):
    path = write(tmp_path, BEFORE)
    path.chmod(0o640)
    save_user_setting(tmp_path, "user", 'ben "#1"')
    save_user_setting(tmp_path, "index_budget_mb", 64)
    assert path.read_text(encoding="utf-8") == BEFORE.replace('"ada"   #', '"ben \\"#1\\""   #').replace(
        "[own_names]", "index_budget_mb = 64\n[own_names]"
    )
    assert path.stat().st_mode & 0o777 == 0o640
    config = load(tmp_path)
    assert (config.user, config.index_budget_mb, config.durability) == ('ben "#1"', 64, "full")
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


def test_saving_makes_the_folder_and_the_file(tmp_path):
    home = tmp_path / "new" / "home"
    save_user_setting(home, "own_names", {"a da": ["Ada", "十"]})
    save_user_setting(home, "keep_queries", value=True)
    assert load(home).own_names == {"a da": ("Ada", "十")}
    assert load(home).keep_queries is True
    assert home.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ['user = """\nada"""\n', 'own_names = { ada = [\n"Ada"] }\n', BEFORE])
def test_what_one_line_can_not_change_is_left_alone(tmp_path, text):
    path = write(tmp_path, text)
    key, value = ("user", "ben") if text.startswith("user") else ("own_names", {"ben": ["Ben"]})
    with pytest.raises(ConfigError, match="by hand"):
        save_user_setting(tmp_path, key, value)
    assert path.read_text(encoding="utf-8") == text


def test_saving_nonsense_changes_nothing(tmp_path):
    path = write(tmp_path, BEFORE)
    for key, value in (("user", ""), ("usr", "ada"), ("home", "/x"), ("durability", "some")):
        with pytest.raises(ConfigError):
            save_user_setting(tmp_path, key, value)
    assert path.read_text(encoding="utf-8") == BEFORE
    write(tmp_path, "user = ")
    with pytest.raises(ConfigError, match="not TOML"):
        save_user_setting(tmp_path, "user", "ada")


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = write(tmp_path, BEFORE)

    def fail(_: int) -> None:
        raise OSError(28, "no room")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ConfigError, match="can't be written"):
        save_user_setting(tmp_path, "user", "ben")
    assert path.read_text(encoding="utf-8") == BEFORE
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


def test_a_file_that_is_a_link_stays_one(tmp_path):
    (tmp_path / "real").mkdir()
    real = write(tmp_path / "real", 'user = "ada"\n')
    (tmp_path / "config.toml").symlink_to(real)
    save_user_setting(tmp_path, "user", "ben")
    assert (tmp_path / "config.toml").is_symlink()
    assert tomllib.loads(real.read_text(encoding="utf-8")) == {"user": "ben"}


def test_importing_the_settings_is_light():
    heavy = ("platformdirs", "tomllib", "difflib", "tempfile")
    code = f"import sys, affidavit.config; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
