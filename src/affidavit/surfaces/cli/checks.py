"""The checks of `affidavit doctor`. None makes or changes anything."""

import os
import platform
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.core.addresses import is_address
from affidavit.core.system_errors import why
from affidavit.errors import AffidavitError, InputError
from affidavit.surfaces.cli import show
from affidavit.surfaces.cli.call import Call, exists, must_exist
from affidavit.surfaces.cli.state import embedder_state

if TYPE_CHECKING:
    from affidavit.config import Config
    from affidavit.memory import Memory

_PACKAGES = (
    "affidavit",
    "cryptography",
    "numpy",
    "PyStemmer",
    "onnxruntime",
    "tokenizers",
    "psycopg",
    "openai",
    "anthropic",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One finding: what was looked at, whether it is in order, what was seen, and what to do."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


def examine(call: Call) -> dict[str, Any]:
    """The settings with their origins, and every check."""
    try:
        config: Config | None = call.config()
        checks: list[Check] = []
    except InputError as error:
        config, checks = None, [Check(name="settings", ok=False, detail=error.what, hint=error.hint)]
    if config is not None:
        for look in (_user, _store, _key, _embedder, _model):
            checks.extend(_guarded(look, config))
    checks += [*_versions(), _stems()]
    settings = [] if config is None else config.describe()
    return {
        "ok": all(check.ok for check in checks),
        "settings": [{"name": name, "value": value, "origin": origin} for name, value, origin in settings],
        "checks": [asdict(check) for check in checks],
    }


def _guarded(look: "Callable[[Config], Iterator[Check]]", config: "Config") -> Iterator[Check]:
    try:
        yield from look(config)
    except AffidavitError as error:
        yield Check(name=look.__name__.strip("_"), ok=False, detail=error.what, hint=error.hint)
    except OSError as error:
        reason, hint = why(error)
        yield Check(name=look.__name__.strip("_"), ok=False, detail=f"{error.filename}: {reason}", hint=hint)


def _user(config: "Config") -> Iterator[Check]:
    if config.user is None:
        yield Check(
            name="user", ok=True, detail="none by default", hint="`affidavit init --user ID` sets one"
        )
    else:
        yield Check(name="user", ok=True, detail=f"{config.user} ({config.origins['user']})")


def _store(config: "Config") -> Iterator[Check]:
    from affidavit.memory import Memory
    from affidavit.store.place import check_place

    if not exists(config):
        if not is_address(config.database):
            check_place(config.database)
        yield Check(
            name="store", ok=True, detail=f"{config.place}: none yet", hint="`affidavit init` makes it"
        )
        return
    must_exist(config)

    memory = Memory(config=config)
    try:
        yield from _opened(memory)
    finally:
        memory._rooms.store.close()


def _opened(memory: "Memory") -> Iterator[Check]:
    seen = memory.admin.inspect()
    only = ", can only be read" if seen.read_only else ""
    detail = f"{seen.path}: {show.size(seen.bytes)}, schema {seen.schema}{only}"
    yield Check(name="store", ok=not seen.read_only, detail=detail, hint=_WRITABLE if seen.read_only else "")
    yield from (Check(**found._asdict()) for found in memory._rooms.store.findings())
    spaces = ", ".join(f"{count:,} {kind}" for kind, count in sorted(seen.spaces.items())) or "none yet"
    yield Check(name="spaces", ok=True, detail=spaces)
    waiting = ", ".join(f"{kind} {count:,}" for kind, count in sorted(seen.waiting.items())) or "nothing"
    yield Check(name="waiting", ok=True, detail=waiting)
    yield _relations(seen.relations, memory._rooms.config.relations, memory._rooms.relations)
    from affidavit.proof.standing import troubles

    for name, error in troubles(memory._rooms.store, memory._rooms.keys):
        yield Check(name=name, ok=False, detail=error.what, hint=error.hint)


def _relations(
    kept: "Mapping[str, int]", set_: "Mapping[str, Mapping[str, object]]", known: "Mapping[str, object]"
) -> Check:
    """What the settings say of relations, and what memories have that the settings do not."""
    changed = [name for name, fields in set_.items() if fields.get("override")]
    own = [name for name in set_ if name not in changed]
    parts = [f"of your own: {', '.join(own)}"] if own else []
    parts += [f"changed: {', '.join(changed)}"] if changed else []
    strange = [
        f"{show.count(number, 'version')} of {show.line(name)}"
        for name, number in kept.items()
        if name not in known
    ]
    parts += [f"{', '.join(strange)}, which the settings do not have"] if strange else []
    return Check(
        name="relations",
        ok=True,
        detail="; ".join(parts) or "the built-in ones",
        hint=_STRANGE if strange else "",
    )


_STRANGE = (
    "what was decided stands; from here on they count as having many values, durable and about the user, "
    "until [relations] of config.toml says otherwise"
)
_WRITABLE = "if it should be written: check the permissions of the file and of its folder, or of the role"


def _key(config: "Config") -> Iterator[Check]:
    folder = config.key_dir
    if os.environ.get("AFFIDAVIT_SIGNING_KEY") is not None:
        yield Check(name="key", ok=True, detail="the signing key is given by AFFIDAVIT_SIGNING_KEY")
    elif not folder.exists():
        hint = "" if exists(config) else "the first write makes one"
        yield Check(name="key", ok=True, detail=f"{folder}: no keys", hint=hint)
    else:
        yield from _key_folder(folder)
    if config.key_dir_is_apart():
        yield Check(name="key apart", ok=True, detail=f"the keys have a folder of their own: {folder}")
    else:
        yield Check(
            name="key apart",
            ok=False,
            detail=f"{folder} lies inside the folder of the store: whoever copies that folder can sign",
            hint="set AFFIDAVIT_KEY_DIR to another folder, and move the keys there",
        )


def _key_folder(folder: Path) -> Iterator[Check]:
    open_to_others = [
        f"{path} ({stat.S_IMODE(path.stat().st_mode):o})"
        for path in (folder, *sorted(folder.glob("*")), *sorted(folder.glob("*/*.key")))
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & _forbidden(path)
    ]
    stores = sum(1 for _ in folder.glob("*/signing.key"))
    if open_to_others:
        hint = "chmod 700 for folders, chmod 600 for keys"
        yield Check(name="key", ok=False, detail=f"others can use {', '.join(open_to_others)}", hint=hint)
    else:
        yield Check(
            name="key",
            ok=True,
            detail=f"{folder}: keys of {show.count(stores, 'store')}, nobody else can use them",
        )


def _forbidden(path: Path) -> int:
    """Folders may be seen, never written by others; keys may be neither."""
    return 0o022 if path.is_dir() else 0o077


def _embedder(config: "Config") -> Iterator[Check]:
    found = embedder_state(config)
    detail, ok = str(found["why"]), bool(found["ok"])
    hint = "" if ok else "pip install 'affidavit[embed]'"
    if found["name"]:
        from affidavit.surfaces.cli.live import ask_embedder

        asked = ask_embedder(config)
        detail, ok, hint = f"{detail}; {asked.detail}", asked.ok, asked.hint
    yield Check(name="embedder", ok=ok, detail=detail, hint=hint)


def _model(config: "Config") -> Iterator[Check]:
    from affidavit.surfaces.cli.live import ask_model

    asked = ask_model(config)
    yield Check(name="model", ok=asked.ok, detail=asked.detail, hint=asked.hint)


def _versions() -> Iterator[Check]:
    import sqlite3

    found = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    for package in _PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    yield Check(name="versions", ok=True, detail=", ".join(found))
    yield Check(name="platform", ok=True, detail=f"{platform.system()} {platform.machine()}, {sys.platform}")


def _stems() -> Check:
    import Stemmer

    languages = Stemmer.algorithms()
    return Check(name="stems", ok=True, detail=f"{len(languages)} languages: {', '.join(languages)}")
