"""Run the long tests (`pytest -m soak`) and add a dated line about them to `docs/soak.md`.

Arguments go to pytest. The line is written whether the tests passed or not; a run of a part of them
(any argument given), or one that could not start, prints its line and writes nothing.
"""

import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "docs" / "soak.md"
HEAD = """\
# Long runs

Each line is one run of `make soak`: long fuzzing, kills at random points, scale. The newest is last.

| when (UTC) | commit | Python | machine | passed | failed | skipped | minutes |
|---|---|---|---|---|---|---|---|
"""


def main(arguments: Sequence[str]) -> int:
    """Run, report, and give back pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.xml")
        # A round of kills takes minutes; only what hangs much longer is worth a dump of its stack.
        patient = ["-o", "faulthandler_timeout=1800"]
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-m",
            "soak",
            *patient,
            f"--junit-xml={results}",
            *arguments,
        ]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if not results.exists():
            print("pytest wrote no results; docs/soak.md is unchanged.", file=sys.stderr)
            return code or 1
        line = row(results)
    if arguments or code not in (0, 1):
        print(line)
        return code
    text = REPORT.read_text(encoding="utf-8") if REPORT.exists() else HEAD
    REPORT.write_text(text + line + "\n", encoding="utf-8")
    print(f"Added to docs/soak.md:\n{line}")
    return code


def row(results: Path) -> str:
    """The table row for one run."""
    # The file is the one pytest wrote a moment ago.
    suites = list(ET.parse(results).getroot().iter("testsuite"))  # noqa: S314
    total, skipped = (sum(int(suite.get(name, 0)) for suite in suites) for name in ("tests", "skipped"))
    failed = sum(int(suite.get(name, 0)) for suite in suites for name in ("failures", "errors"))
    minutes = sum(float(suite.get("time", 0)) for suite in suites) / 60
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    machine = f"{platform.system()} {platform.machine()}"
    cells = (when, commit(), platform.python_version(), machine, total - failed - skipped, failed, skipped)
    return "| " + " | ".join(str(cell) for cell in cells) + f" | {minutes:.1f} |"


def commit() -> str:
    """The checked-out commit, marked when files differ from it."""
    try:
        name = git("rev-parse", "--short=12", "HEAD")
        return name + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def git(*arguments: str) -> str:
    """What git answers, trimmed."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
