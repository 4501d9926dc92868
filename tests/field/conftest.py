"""What the erasure cases share: every file we ever wrote, and a text that stands nowhere else."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from affidavit import Config
from tests.support_stores import kept_bytes


@pytest.fixture
def left_on_disk(config: Config, tmp_path: Path) -> Callable[[Iterable[str]], dict[str, list[str]]]:
    """The canaries that still stand in any file, or file name, under this test's folder, or in a row."""

    def look(canaries: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, data in kept_bytes(config.database, tmp_path):
            for canary in canaries:
                forms = {canary.encode(), canary.encode("utf-16-le"), ascii(canary)[1:-1].encode()}
                if canary in name or any(form in data for form in forms):
                    found.setdefault(canary, []).append(name)
        return found

    return look
