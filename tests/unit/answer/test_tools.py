"""The registry of tools: a mapping, TOML, JSON; what can't be read says why, at once where it was handed in."""

import json

import pytest

from affidavit import Config, Memory
from affidavit.answer.tools import load_tools
from affidavit.errors import ConfigError

TOML = '# tools\n[pay]\nto = "recipient"\nnote = false\n"payment.iban" = "account"\n\n[open]\n'
READ = {"pay": {"to": "recipient", "note": None, "payment.iban": "account"}, "open": {}}


def shape(tools):
    return {name: dict(tool.arguments) for name, tool in tools.items()}


def test_toml_and_json_and_a_mapping_say_the_same(tmp_path):
    toml, other = tmp_path / "tools.toml", tmp_path / "tools.JSON"
    toml.write_text(TOML, encoding="utf-8")
    plain = {"pay": {"to": "recipient", "note": False, "payment.iban": "account"}, "open": {}}
    other.write_text(json.dumps(plain), encoding="utf-8-sig")
    assert shape(load_tools(toml)) == shape(load_tools(str(other))) == shape(load_tools(plain)) == READ
    assert load_tools(None) == {}


@pytest.mark.parametrize(
    "name,text",
    [
        ("tools.toml", "pay = "), ("tools.toml", "\xff"), ("tools.json", "[1, 2"), ("tools.json", "[" * 100_000),
        ("tools.json", "[]"), ("tools.yaml", "pay: {}"), ("tools", ""), ("tools.toml", "[pay]\nto = 'whoever'"),
    ],
)  # fmt: skip
def test_what_can_t_be_read_names_the_file(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError) as caught:
        load_tools(path)
    assert str(path) in caught.value.what
    assert caught.value.hint


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="can't be read"):
        load_tools(tmp_path / "none.toml")


def test_what_is_handed_in_is_told_at_once(tmp_path):
    with pytest.raises(ConfigError):
        Memory(tmp_path / "m.db", tools={"pay": {"to": "whoever"}})


def test_the_setting_names_a_file_and_an_argument_goes_before_it(tmp_path, monkeypatch):
    (tmp_path / "tools.toml").write_text(TOML, encoding="utf-8")
    monkeypatch.setenv("AFFIDAVIT_TOOLS", str(tmp_path / "tools.toml"))
    config = Config.load(db=str(tmp_path / "m.db"), key_dir=tmp_path / "keys")
    assert config.tools == tmp_path / "tools.toml"
    with Memory(config=config) as memory:
        assert memory.check_action("open", user_id="ana").accepted
    with Memory(config=config, tools={}) as memory:
        assert not memory.check_action("open", user_id="ana").accepted


def test_a_relative_path_in_the_settings_file_starts_there(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text('tools = "tools.toml"\n', encoding="utf-8")
    assert Config.load(environ={"AFFIDAVIT_HOME": str(home)}).tools == home / "tools.toml"


@pytest.mark.parametrize("value", [5, "", True, {}])
def test_a_setting_that_is_no_path_is_refused(value):
    with pytest.raises(ConfigError):
        Config(tools=value)
