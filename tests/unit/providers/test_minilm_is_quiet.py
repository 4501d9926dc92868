"""The embedder's runtime reports to its maker unless told not to: no file of its telemetry, in a fresh home."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from affidavit.providers import minilm


@pytest.mark.skipif(not minilm.is_installed(), reason="the extra `embed` is not installed")
def test_embedding_leaves_no_telemetry_behind(tmp_path: Path) -> None:
    code = "from affidavit.providers.minilm import MiniLM; print(MiniLM().embed(['hello']).shape)"
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [str(path) for path in tmp_path.rglob("*") if path.is_file()] == []
