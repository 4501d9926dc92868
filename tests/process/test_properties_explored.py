"""The properties once more, with examples nobody has seen: other ones at each run."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 6


@pytest.mark.soak
@pytest.mark.parametrize("nth", range(ROUNDS))
def test_the_properties_hold_for_other_examples(nth: int) -> None:
    explore = ["-q", "-n", "auto", "-m", "hypothesis and not soak", "--hypothesis-profile=explore"]
    # One test of these takes minutes, and a look into a thread that runs has crashed the process.
    explore += ["-o", "faulthandler_timeout=0"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *explore], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
