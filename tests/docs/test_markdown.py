"""What the Markdown files promise: links lead somewhere, examples run.

Blocks marked ```python and ```sh run as written, top to bottom, all blocks of one file in one empty folder, which
is the home folder too. Python blocks share their names; one with `>>>` prompts is checked against the output it
shows. A shell block stops at the first command that fails; a ```text block right after it is what it prints on
stdout, with `...` for what differs from run to run. A block marked `no-run` is only compiled.
"""

import ast
import doctest
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
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


@dataclass(frozen=True)
class _Example:
    """A block of code: where its first line stands, and what it prints, where the page says so."""

    line: int
    language: str
    runs: bool
    code: str
    prints: str | None = None


_LANGUAGES = {"python": "python", "py": "python", "pycon": "python", "sh": "sh", "bash": "sh", "shell": "sh"}


def _examples(path: Path) -> list[_Example]:
    """The Python and shell blocks of a page."""
    fences = [token for token in _tokens(path) if token.type == "fence" and token.map is not None]
    blocks = []
    for token, after in pairwise([*fences, None]):
        words = token.info.split() if token is not None else []
        if token is None or not words or words[0] not in _LANGUAGES:
            continue
        first, end = token.map or (0, 0)
        assert words[1:] in ([], ["no-run"]), f"{path.name}:{first + 2}: unknown mark {words[1:]}"
        language = _LANGUAGES[words[0]]
        prints = None
        if language == "sh" and after is not None and after.info == "text" and after.map:
            prints = after.content if after.map[0] <= end + 1 else None
        blocks.append(_Example(first + 2, language, not words[1:], token.content, prints))
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


def _run_shell(example: _Example, where: str) -> None:
    """In the current folder, with the commands of this interpreter first on the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        ["sh", "-eu", "-c", example.code],
        env=os.environ | {"PATH": path, "PYTHONWARNINGS": "error"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    told = f"{where}:{example.line}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    assert done.returncode == 0, told
    if example.prints is not None:
        fits = doctest.OutputChecker().check_output(example.prints, done.stdout, doctest.ELLIPSIS)
        assert fits, f"{told}\nthe page says:\n{example.prints}"


def _run_all(path: Path, where: str) -> None:
    names: dict[str, object] = {"__name__": "__example__"}
    for example in _examples(path):
        if example.language == "sh" and example.runs:
            _run_shell(example, where)
        elif example.language == "sh":
            subprocess.run(["sh", "-n", "-c", example.code], check=True, timeout=60)
        elif example.runs:
            _run(example.code, where, example.line, names)
        elif ">>>" not in example.code:
            ast.parse(example.code, f"{where} from line {example.line}")


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
    _run_all(markdown, markdown.relative_to(root).as_posix())


def test_what_make_and_pip_are_told_is_there(markdown, root):
    """Set-up commands are not run here; what they name must exist."""
    code = "\n".join(
        token.content
        for outer in _tokens(markdown)
        for token in (outer, *(outer.children or ()))
        if token.type in ("code_inline", "code_block", "fence")
    )
    targets = set(re.findall(r"(?m)^([a-z]+):", (root / "Makefile").read_text(encoding="utf-8")))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(re.findall(r"pip install [\"'](?:\.|affidavit)\[([a-z]+)\]", code))
    assert set(re.findall(r"\bmake ([a-z]+)", code)) <= targets
    assert extras <= set(project["optional-dependencies"])


def test_the_readme_shows_no_command_that_is_not_run(root):
    """But for those that set up a checkout or an environment."""
    blocks = [token for token in _tokens(root / "README.md") if token.type in ("code_block", "fence")]
    marked = [token for token in blocks if token.info]
    rest = "".join(token.content for token in blocks if not token.info)
    assert {token.info for token in marked} == {"python", "sh"}
    assert [line for line in rest.splitlines() if not line.startswith(("make ", "pip install "))] == []


class TestTheRunnerItself:
    """A runner that let wrong examples pass would be worse than none."""

    def _file(self, folder: Path, text: str) -> Path:
        path = folder / "page.md"
        path.write_text(text, encoding="utf-8")
        return path

    def test_blocks_share_names_and_are_numbered(self, tmp_path):
        page = self._file(tmp_path, "# T\n\n```python\na = 1\n```\n\n```python\nassert a == 1\n```\n")
        names: dict[str, object] = {}
        for example in _examples(page):
            _run(example.code, "page.md", example.line, names)
        assert [example.line for example in _examples(page)] == [4, 8]

    def test_wrong_examples_fail(self, tmp_path):
        page = self._file(tmp_path, "```python\n>>> 1 + 1\n3\n```\n")
        [example] = _examples(page)
        assert example.runs
        with pytest.raises(AssertionError, match="Expected"):
            _run(example.code, "page.md", example.line, {})
        with pytest.raises(NameError):
            _run("missing_name", "page.md", 1, {})

    def test_no_run_is_not_run(self, tmp_path):
        page = self._file(tmp_path, "```python no-run\nraise SystemExit\n```\n\n```sh no-run\nexit 1\n```\n")
        _run_all(page, "page.md")
        assert [example.runs for example in _examples(page)] == [False, False]

    def test_shell_and_python_share_a_folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        shell = "```sh\necho one > made\n```\n"
        python = "```python\nfrom pathlib import Path\n\nassert Path('made').read_text() == 'one\\n'\n```\n"
        page = self._file(tmp_path, f"{shell}\n{python}")
        _run_all(page, "page.md")

    def test_a_failing_command_fails_wherever_it_stands(self, tmp_path):
        with pytest.raises(AssertionError, match="exit code 1"):
            _run_all(self._file(tmp_path, "```sh\nfalse\ntrue\n```\n"), "page.md")

    def test_what_a_page_says_is_printed_must_be(self, tmp_path):
        right = "```sh\necho a 1 b\n```\n\n```text\na ... b\n```\n"
        _run_all(self._file(tmp_path, right), "page.md")
        with pytest.raises(AssertionError, match="the page says"):
            _run_all(self._file(tmp_path, right.replace("a ... b", "a 2 b")), "page.md")

    def test_links_and_headings(self, tmp_path):
        page = self._file(
            tmp_path, "## The `add` verb, twice\n\n[a](other.md#x) ![b](pic.png) <https://h.example>\n"
        )
        assert _links(page) == ["other.md#x", "pic.png"]
        assert _anchors(page) == {"the-add-verb-twice"}
