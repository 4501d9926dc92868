"""`docs/cli.md` says what the commands say; each command explains itself."""

import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from affidavit.surfaces.cli.app import app
from affidavit.surfaces.cli.reference import page

ROOT = Path(__file__).resolve().parents[3]


def _commands(command, path=()):
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
        return
    for name, child in children.items():
        yield from _commands(child, (*path, name))


ALL = dict(_commands(get_command(app)))


def test_the_page_is_what_the_commands_say():
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == page(), "run: python scripts/cli_page.py"


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_has_words_options_and_an_example_that_parses(path):
    command = ALL[path]
    assert command.help
    assert len(command.help.partition("\n")[0]) < 110
    assert all(getattr(one, "help", None) for one in command.params)
    spelled = {option for one in command.params for option in one.opts}
    assert {"--db", "--user", "--agent", "--team", "-o", "--output", "--debug"} <= spelled
    examples = command.epilog.partition("Example:\n")[2].splitlines()
    assert examples
    for example in examples:
        words = shlex.split(example.split(" < ")[0])
        assert words[: len(path) + 1] == ["affidavit", *path]
        command.make_context(" ".join(path), words[len(path) + 1 :])


def test_no_command_of_a_later_step_is_there():
    assert {path[0] for path in ALL} == {
        "init", "add", "import", "search", "recall", "ask", "history", "why", "check-action", "verify", "forget",
        "doctor", "demo", "rejections", "memory", "sources", "conflicts", "admin", "keys",
    }  # fmt: skip
