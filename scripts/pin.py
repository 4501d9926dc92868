"""Write `constraints/*.txt` anew from `pyproject.toml`: newest allowed versions, every file's hash.

Run it with uv on the PATH: `make pin`. The lists hold for CPython 3.11 and newer on Linux, macOS and
Windows, and name no registry. Versions change only when this is run; look at the diff, run `make check`.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What installing the checkout itself takes.
BACKEND = ("hatchling", "editables")
EXTRAS = {
    "dev": ("documents", "embed", "keyring", "postgres", "openai", "anthropic", "dev"),
    "runtime": ("embed",),
}
HEADER = "# Pinned {name} packages with hashes. Written by scripts/pin.py (`make pin`): don't edit.\n"


def main() -> int:
    """Pin the larger list first and hold the smaller one to it."""
    uv = shutil.which("uv")
    if uv is None:
        print("pin.py needs uv on the PATH (pip install uv).", file=sys.stderr)
        return 1
    held: list[str] = []
    for name, extras in EXTRAS.items():
        text = compiled(uv, extras, held)
        if "://" in text:
            print(f"{name}: an address got into the list; nothing written.", file=sys.stderr)
            return 1
        # No machine these lists are for; some say so only where nothing else needs them.
        text = text.replace(" ; sys_platform != 'emscripten'", "")
        held = names_in(text)
        write(name, text)
    write("models", run(uv, ["--group", "models", "--no-deps"]))
    return 0


def write(name: str, text: str) -> None:
    """The list of that name."""
    (ROOT / "constraints" / f"{name}.txt").write_text(HEADER.format(name=name) + text, encoding="utf-8")
    print(f"constraints/{name}.txt: {len(names_in(text))} packages")


def names_in(text: str) -> list[str]:
    """The packages of a list, with their versions."""
    return re.findall(r"^[^\s#]+==[^\\\n]+", text, flags=re.MULTILINE)


def compiled(uv: str, extras: tuple[str, ...], held: list[str]) -> str:
    """The pinned list of the package with some extras, not deviating from what is held."""
    with tempfile.TemporaryDirectory() as folder:
        backend, limits = Path(folder, "backend.in"), Path(folder, "held.txt")
        backend.write_text("\n".join(BACKEND), encoding="utf-8")
        limits.write_text("\n".join(held), encoding="utf-8")
        wanted = ["pyproject.toml", str(backend), "--constraints", str(limits)]
        return run(uv, [*wanted, *(part for extra in extras for part in ("--extra", extra))])


def run(uv: str, wanted: list[str]) -> str:
    """What uv pins of what is wanted."""
    command = [uv, "pip", "compile", *wanted]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes", "--strip-extras"]
    command += ["--no-header", "--no-annotate", "--no-config", "--quiet"]
    command += ["--no-emit-index-url", "--no-emit-find-links"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
