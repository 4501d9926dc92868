"""Tables of the documents that list what the code knows: they say the same, no more and no less."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Literal, get_args, get_origin

from affidavit import Config
from affidavit import __all__ as public_names
from affidavit.config import OTHER_VARIABLES, PREFIX, SETTINGS
from affidavit.config_values import EmbedderChoice
from affidavit.index.conditions import Operator
from affidavit.read.fields import FIELDS
from affidavit.surfaces.importers import jsonl

SETTINGS_HEADER = "| setting | environment | default | meaning |"


def _table(root: Path, page: str, header: str) -> list[list[str]]:
    """The rows of the table under this header, each a list of cells."""
    lines = (root / "docs" / page).read_text(encoding="utf-8").splitlines()
    rows = []
    for line in lines[lines.index(header) + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    assert rows
    return rows


def _code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_setting_has_its_row_with_variable_and_default(root):
    rows = _table(root, "configuration.md", SETTINGS_HEADER)
    named = {_code(name)[0]: (_code(variable)[0], default) for name, variable, default, _ in rows}
    assert list(named) == list(SETTINGS)
    assert [variable for variable, _ in named.values()] == [f"{PREFIX}{name.upper()}" for name in SETTINGS]
    shown = {name: value for name, value, _ in Config.load(environ={}).describe()}
    home = str(Path.home() / ".affidavit")
    for name, (_, default) in named.items():
        if name == "home":
            assert (default, shown[name]) == ("`~/.affidavit`", home)
        elif name == "db":
            assert (default, shown[name]) == ("`memory.db` in `home`", str(Path(home, "memory.db")))
        elif name in {"user", "tools", "llm"}:
            assert (default, shown[name]) == ("not set", "")
        elif name in {"llm_url", "llm_temperature", "embedder_url"}:
            assert (_code(default), shown[name]) == ([], "")
        elif name == "key_dir":
            assert shown[name].endswith(_code(default)[0])
        else:
            assert _code(default) == [shown[name]]


def test_every_choice_of_a_setting_is_named(root):
    rows = {_code(row[0])[0]: row[3] for row in _table(root, "configuration.md", SETTINGS_HEADER)}
    choices = {f.name: set(get_args(f.type)) for f in fields(Config) if get_origin(f.type) is Literal}
    choices["embedder"] = set(get_args(EmbedderChoice))
    assert {"durability", "embedder", "signing"} <= set(choices)
    assert {name for name, own in choices.items() if not own <= set(_code(rows[name]))} == set()


def test_every_variable_that_is_no_setting_is_named(root):
    text = (root / "docs/configuration.md").read_text(encoding="utf-8")
    assert {name for name in OTHER_VARIABLES if f"`{name}`" not in text} == set()


def test_every_field_of_a_filter_has_its_row_with_type_and_values(root):
    rows = _table(root, "filters.md", "| field | type | what it is |")
    named = {_code(name)[0]: (kind, set(_code(what))) for name, kind, what in rows}
    assert named.pop("metadata.KEY")[0] == "any JSON"
    assert list(named) == list(FIELDS)
    assert {name: kind for name, (kind, _) in named.items()} == {n: str(f.type) for n, f in FIELDS.items()}
    for name, field in FIELDS.items():
        if field.choices and name != "derived_from":
            assert named[name][1] == set(field.choices)
    assert FIELDS["derived_from"].choices == FIELDS["author"].choices


def test_every_operator_has_its_row(root):
    rows = _table(root, "filters.md", "| operator | holds when | for |")
    assert [name for row in rows for name in _code(row[0])] == [
        "eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "icontains", "*",
    ]  # fmt: skip
    assert {name for row in rows for name in _code(row[0])} == set(Operator)


def test_every_field_of_a_line_has_its_row(root):
    rows = _table(root, "import.md", "| field | required | what it holds |")
    assert sorted(_code(row[0])[0] for row in rows) == sorted(jsonl.FIELDS)


def test_every_public_name_has_its_row(root):
    rows = _table(root, "python.md", "| name | what it is |")
    assert [_code(row[0])[0] for row in rows] == list(public_names)
