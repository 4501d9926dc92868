"""The examples in docstrings run."""

import doctest
import importlib
from pathlib import Path

import pytest

import affidavit

_TOP = Path(affidavit.__file__).parent
_MODULES = sorted(
    ".".join(("affidavit", *path.relative_to(_TOP).with_suffix("").parts)).removesuffix(".__init__")
    for path in _TOP.rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", _MODULES)
def test_docstring_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AFFIDAVIT_HOME", str(tmp_path / "affidavit"))
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert result.failed == 0
