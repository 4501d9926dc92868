"""What the Markdown files promise: links lead somewhere, examples run.

A block marked ```python runs, top to bottom, all blocks of one file in one namespace, in an empty home folder
with `AFFIDAVIT_HOME` inside it. A block with `>>>` prompts is checked against the output it shows.
A block marked ```python no-run is only compiled.
"""

import ast
import doctest
import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

_ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def _tokens(path: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))


def _links(path: Path) -> list[str]:
    inline = [child for token in _tokens(path) for child in token.children or ()]
    found = [str(token.attrs.get("href") or token.attrs.get("src") or "") for token in inline]
    return [unquote(link) for link in found if link and not _ELSEWHERE.match(link)]


def _anchors(path: Path) -> set[str]:
    tokens = _tokens(path)
    titles = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    anchors: set[str] = set()
    seen: list[str] = []
    for title in titles:
        plain = re.sub(r"[`*]|\]\([^)]*\)|\[", "", title).strip().lower()
        slug = re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", plain))
        same = seen.count(slug)
        seen.append(slug)
        anchors.add(f"{slug}-{same}" if same else slug)
    return anchors


def _examples(path: Path) -> list[tuple[int, bool, str]]:
    """(first line, whether it runs, code) of each Python block."""
    blocks = []
    for token in _tokens(path):
        words = token.info.split()
        if token.type == "fence" and words and words[0] in ("python", "py", "pycon"):
            line = token.map[0] + 2 if token.map else 0
            assert words[1:] in ([], ["no-run"]), f"{path.name}:{line}: unknown mark {words[1:]}"
            blocks.append((line, not words[1:], token.content))
    return blocks


def _run(code: str, where: str, line: int, names: dict[str, object]) -> None:
    if ">>>" in code:
        test = doctest.DocTestParser().get_doctest(code, names, where, where, line - 1)
        report: list[str] = []
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        runner.run(test, out=report.append, clear_globs=False)
        names.update(test.globs)
        assert runner.summarize(verbose=False).failed == 0, "".join(report)
        return
    tree = ast.parse(code, where)
    ast.increment_lineno(tree, line - 1)
    exec(compile(tree, where, "exec"), names)


def test_relative_links_lead_somewhere(markdown, root):
    dead = []
    for link in _links(markdown):
        name, _, anchor = link.partition("#")
        target = (markdown.parent / name).resolve() if name else markdown
        if not target.exists() or not target.is_relative_to(root):
            dead.append(link)
        elif anchor and target.suffix == ".md" and anchor not in _anchors(target):
            dead.append(f"{link} (no such heading)")
    assert dead == []


def test_examples_run(markdown, root, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AFFIDAVIT_HOME", str(tmp_path / "affidavit"))
    monkeypatch.chdir(tmp_path)
    where = markdown.relative_to(root).as_posix()
    names: dict[str, object] = {"__name__": "__example__"}
    for line, runs, code in _examples(markdown):
        if runs:
            _run(code, where, line, names)
        elif ">>>" not in code:
            ast.parse(code, f"{where} from line {line}")


class TestTheRunnerItself:
    """A runner that let wrong examples pass would be worse than none."""

    def _file(self, folder: Path, text: str) -> Path:
        path = folder / "page.md"
        path.write_text(text, encoding="utf-8")
        return path

    def test_blocks_share_names_and_are_numbered(self, tmp_path):
        page = self._file(tmp_path, "# T\n\n```python\na = 1\n```\n\n```python\nassert a == 1\n```\n")
        names: dict[str, object] = {}
        for line, _, code in _examples(page):
            _run(code, "page.md", line, names)
        assert [line for line, _, _ in _examples(page)] == [4, 8]

    def test_wrong_examples_fail(self, tmp_path):
        page = self._file(tmp_path, "```python\n>>> 1 + 1\n3\n```\n")
        [(line, runs, code)] = _examples(page)
        assert runs
        with pytest.raises(AssertionError, match="Expected"):
            _run(code, "page.md", line, {})
        with pytest.raises(NameError):
            _run("missing_name", "page.md", 1, {})

    def test_no_run_is_not_run(self, tmp_path):
        [(_, runs, _)] = _examples(self._file(tmp_path, "```python no-run\nraise SystemExit\n```\n"))
        assert not runs

    def test_links_and_headings(self, tmp_path):
        page = self._file(
            tmp_path, "## The `add` verb, twice\n\n[a](other.md#x) ![b](pic.png) <https://h.example>\n"
        )
        assert _links(page) == ["other.md#x", "pic.png"]
        assert _anchors(page) == {"the-add-verb-twice"}
