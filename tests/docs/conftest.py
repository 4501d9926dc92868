"""The checkout as the tests about the house see it."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_PASSED_OVER = {".git", ".venv", "__pycache__", "node_modules", "build", "dist"}


def house_files() -> list[Path]:
    """Every file that is committed, or would be: what git ignores is left out.

    Without git (an unpacked source archive) every file that lies in the tree counts.
    """
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        names = [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
        found = [ROOT / name for name in names]
    except (OSError, subprocess.CalledProcessError):
        walked = (path for path in ROOT.rglob("*") if not _PASSED_OVER & set(path.relative_to(ROOT).parts))
        found = [path for path in walked if not path.name.endswith((".pyc", ".db"))]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each Markdown file where a test asks for `markdown`."""
    if "markdown" in metafunc.fixturenames:
        files = [path for path in house_files() if path.suffix == ".md"]
        metafunc.parametrize("markdown", files, ids=[path.relative_to(ROOT).as_posix() for path in files])


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def house_texts() -> dict[str, str]:
    """The text of every text file of the house, by its path from the top."""
    texts = {}
    for path in house_files():
        data = path.read_bytes()
        if b"\0" not in data[:8192]:
            texts[path.relative_to(ROOT).as_posix()] = data.decode("utf-8", errors="replace")
    return texts
