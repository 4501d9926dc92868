"""The house itself: sizes of modules, what may not stand in a file, what is installed."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

LONGEST = 400
# Folders where a checkout may lie directly and which other people's texts name for good reasons.
COMMON = {Path("/", name) for name in ("", "home", "opt", "srv", "src", "tmp", "usr", "usr/local", "var/tmp")}
# In two parts, so that this file does not hold what it looks for.
REGISTRIES = tuple(
    start + end
    for start, end in (
        ("pypi", ".org"),
        ("files.python", "hosted.org"),
        ("registry.npm", "js.org"),
        ("deb.deb", "ian.org"),
        ("index", "-url"),
        ("find-", "links"),
    )
)
# Loaded only where they are used: each costs start-up time, and some reach for a network.
HEAVY = (
    "torch",
    "onnxruntime",
    "tokenizers",
    "keyring",
    "psycopg",
    "typer",
    "rich",
    "pydantic",
    "httpx",
    "httpx2",
    "httpcore2",
    "openai",
    "anthropic",
    "requests",
)


def test_no_module_is_long(root):
    lengths = {
        path.relative_to(root).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in (root / "src").rglob("*.py")
    }
    assert lengths
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_no_file_names_a_place_of_this_machine(root, house_texts):
    places = {root, root.parent, Path.home(), Path(sys.prefix)} - COMMON
    forms = {re.escape(str(place)) for place in places}
    # A place starts a path (it is not the tail of another one) and ends where a name ends.
    pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(forms))})(?![\w-])")
    found = [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in house_texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_no_file_names_a_registry(house_texts):
    # The two scripts that must speak to package tools in their own words.
    spoken = {"scripts/pin.py": ("index" + "-url", "find-" + "links")}
    found = [
        f"{name}: {address}"
        for name, text in house_texts.items()
        for address in REGISTRIES
        if address in text.lower() and address not in spoken.get(name, ())
    ]
    assert found == []


def _needs(root: Path, *extras: str) -> list[str]:
    """The requirements of the package and of some extras, as `pyproject.toml` spells them."""
    build = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    groups = build["project"]["optional-dependencies"] | build["dependency-groups"]
    return build["project"]["dependencies"] + [need for e in extras or tuple(groups) for need in groups[e]]


def _name(need: str) -> str:
    return re.split(r"[<>=~!;\[ ]", need)[0]


def _pins(root: Path, name: str) -> list[str]:
    text = (root / "constraints" / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize(
    "name, extras",
    [
        ("runtime", ("embed",)),
        ("dev", ("documents", "embed", "keyring", "postgres", "openai", "anthropic", "dev")),
    ],
)
def test_every_pin_is_exact_and_hashed_and_covers_the_build_file(root, name, extras):
    pins = _pins(root, name)
    assert [p for p in pins if not re.match(r"^[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}\b", p)] == []
    wanted = {_name(need).lower() for need in (*_needs(root, *extras), "hatchling", "editables")}
    assert wanted <= {_name(pin).lower() for pin in pins}


def test_the_models_of_the_tests_are_pinned_and_come_alone(root):
    pins = _pins(root, "models")
    assert [p for p in pins if not re.match(r"^[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}\b", p)] == []
    build = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert {pin.split()[0] for pin in pins} == set(build["dependency-groups"]["models"])


def test_runtime_pins_are_among_the_dev_pins(root):
    assert set(_pins(root, "runtime")) <= set(_pins(root, "dev"))


def test_dependencies_have_a_lower_and_an_upper_bound(root):
    assert [need for need in _needs(root) if "==" not in need and not (">=" in need and ",<" in need)] == []


def test_every_dependency_has_its_reason(root):
    record = (root / "docs/adr/0010-dependencies.md").read_text(encoding="utf-8")
    assert [need for need in _needs(root) if f"`{_name(need)}`" not in record] == []


def _imported(folder: Path) -> set[str]:
    """The top names of what the files of a folder import from elsewhere, wherever in the file."""
    names: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), path.name)):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - {"affidavit", folder.name}


@pytest.mark.parametrize(
    "folder, extras",
    [("src", ("documents", "embed", "keyring", "postgres", "openai", "anthropic")), ("tests", ())],
)
def test_whatever_is_imported_is_declared(root, folder, extras):
    declared = {_name(need).lower() for need in _needs(root, *extras)}
    owners = packages_distributions()
    undeclared = {
        name: owners.get(name, ["not installed"])
        for name in _imported(root / folder)
        if not declared & {owner.lower() for owner in (*owners.get(name, ()), name.replace("_", "-"))}
    }
    assert undeclared == {}


def test_importing_loads_nothing_heavy_and_starts_nothing():
    probe = (
        "import sys, threading, affidavit\n"
        "loaded = sorted(name for name in sys.argv[1:] if name in sys.modules)\n"
        "print(loaded, threading.active_count())\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", probe, *HEAVY], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.strip() == "[] 1"


def test_the_index_of_decisions_is_complete(root):
    records = sorted(path.name for path in (root / "docs/adr").glob("[0-9]*.md"))
    index = (root / "docs/adr/README.md").read_text(encoding="utf-8")
    assert [name for name in records if f"]({name})" not in index] == []
    assert [int(name[:4]) for name in records] == list(range(1, len(records) + 1))
