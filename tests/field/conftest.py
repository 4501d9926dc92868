"""What the erasure cases share: every file we ever wrote, and a text that stands nowhere else."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest


@pytest.fixture
def left_on_disk(tmp_path: Path) -> Callable[[Iterable[str]], dict[str, list[str]]]:
    """The canaries that still stand in any file, or file name, under this test's folder."""

    def look(canaries: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for file in sorted(tmp_path.rglob("*")):
            data = file.read_bytes() if file.is_file() else b""
            for canary in canaries:
                forms = {canary.encode(), canary.encode("utf-16-le"), ascii(canary)[1:-1].encode()}
                if canary in file.name or any(form in data for form in forms):
                    found.setdefault(canary, []).append(file.name)
        return found

    return look
