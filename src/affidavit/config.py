"""Settings: argument > environment `AFFIDAVIT_*` > `config.toml` in the home folder > default.

Each value remembers where it came from, for `affidavit doctor`. Nothing is guessed: an unknown setting, an
empty variable or a value of the wrong type is a `ConfigError` that names the place and what is near.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from affidavit.config_file import as_toml, parse, read, replace, with_setting
from affidavit.config_values import CHECKS, DECODERS, no_names, no_relations
from affidavit.core.addresses import is_address, without_password
from affidavit.errors import ConfigError, IdError

PREFIX = "AFFIDAVIT_"
FILE_NAME = "config.toml"
OTHER_VARIABLES = frozenset({"AFFIDAVIT_SIGNING_KEY", "AFFIDAVIT_LLM_KEY", "AFFIDAVIT_EMBEDDER_KEY"})
"""Variables of ours that are no settings: a secret is used where it is needed and never shown."""

Durability = Literal["normal", "full"]
Signing = Literal["local", "later"]


def _default_key_dir() -> Path:
    from platformdirs import user_data_path  # noqa: PLC0415 - importing the settings must stay light

    return user_data_path("affidavit", appauthor=False) / "keys"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings. Raises `ConfigError` for a value of the wrong type or without meaning."""

    home: Path = field(default_factory=lambda: Path.home() / ".affidavit")
    """Our folder: the default store and `config.toml`."""
    db: str | None = None
    """The store: a path or an address; None: `memory.db` in the home folder."""
    user: str | None = None
    """Whose memory it is when a command does not say."""
    durability: Durability = "normal"
    """`normal` survives a killed process, `full` a power failure as well."""
    llm: str | None = None
    """The language model, `PROVIDER:MODEL`; None: none, and nothing of one is imported or reached."""
    llm_url: str | None = None
    """Where it is asked, if not where its provider usually is."""
    llm_timeout_s: float = 60.0
    """Seconds that one try may take in all."""
    llm_tries: int = 3
    """How often it is asked while it is busy."""
    llm_temperature: float | None = None
    """How freely it may word; sent only if set, since some models take none."""
    embedder: str = "auto"
    """`auto`: MiniLM if it is installed, else none; `minilm`, `none`, or `PROVIDER:MODEL` on a server."""
    embedder_url: str | None = None
    """Where that one is asked, if not where its provider usually is."""
    embedder_timeout_s: float = 10.0
    """Seconds that one try may take; a search waits for it, then goes by words."""
    signing: Signing = "local"
    """`later`: this process holds no key; heads stay unsigned until one that holds it seals."""
    key_dir: Path = field(default_factory=_default_key_dir)
    """The folder of the signing key, apart from the store."""
    keyring: bool = False
    """Whether new signing keys go into the system's keyring (extra `keyring`), not into a file."""
    keep_queries: bool = False
    """Whether traces keep the words of a question."""
    own_names: Mapping[str, tuple[str, ...]] = field(default_factory=no_names)
    """Names by which a user is also known, by user id."""
    own_addresses: Mapping[str, tuple[str, ...]] = field(default_factory=no_names)
    """Addresses from which a user sends mail, by user id: imported mail sent from them is his own word."""
    index_budget_mb: int = 256
    """Megabytes of memory that the space indexes may hold together."""
    busy_timeout_s: float = 30.0
    """Seconds to wait for another process that writes."""
    tools: Path | None = None
    """The registry of tools (TOML or JSON): which of their arguments are protected."""
    relations: Mapping[str, Mapping[str, object]] = field(default_factory=no_relations)
    """Relations by name that are added to the built-in ones, or change them (`override`)."""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where each value came from."""

    def __post_init__(self) -> None:
        for name in SETTINGS:
            origin = self.origins.get(name, "argument")
            object.__setattr__(self, name, _checked(name, getattr(self, name), origin))
        origins = {name: self.origins.get(name, "default") for name in SETTINGS}
        object.__setattr__(self, "origins", MappingProxyType(origins))

    @classmethod
    def load(cls, *, environ: Mapping[str, str] | None = None, **arguments: object) -> "Config":
        """The settings in force. An argument of None is not given; `environ` stands in for the real one."""
        every = os.environ if environ is None else environ
        variables = {name: text for name, text in every.items() if name.startswith(PREFIX)}
        given = {name: (value, "argument") for name, value in arguments.items() if value is not None}
        for name in arguments:
            _known(name, "argument")
        layers = [given, _from_environment(variables)]
        home, home_origin = _first(layers, "home") or (cls().home, "default")
        home = _checked("home", home, home_origin)
        layers.append(_from_file(home / FILE_NAME))
        found = {name: hit for name in SETTINGS if (hit := _first(layers, name)) is not None}
        values: dict[str, Any] = {name: value for name, (value, _) in found.items()}
        values["home"] = home
        values.setdefault("db", str(home / "memory.db"))
        return cls(**values, origins={name: origin for name, (_, origin) in found.items()})

    @property
    def database(self) -> str:
        """The store in force: `db`, or `memory.db` in the home folder."""
        return str(self.home / "memory.db") if self.db is None else self.db

    @property
    def place(self) -> str:
        """The store in force as it may be shown: an address without its password."""
        return without_password(self.database) if is_address(self.database) else self.database

    def key_dir_is_apart(self, db: str | None = None) -> bool:
        """Whether the keys lie outside the folder of the store (by default ours).

        Whoever copies or gives away the folder would take the key with it, and signatures would show nothing. The
        user's home folder, and what it lies in, is nobody's folder of a store: there the keys need one of their own.
        """
        place = self.database if db is None else db
        if is_address(place):
            return True
        folder = Path(os.path.realpath(place)).parent
        keys = Path(os.path.realpath(self.key_dir))
        if Path(os.path.realpath(Path.home())).is_relative_to(folder):
            return keys != folder
        return not keys.is_relative_to(folder)

    def describe(self) -> list[tuple[str, str, str]]:
        """Each setting as (name, value, origin)."""
        return [(name, _as_text(self._shown(name)), self.origins[name]) for name in SETTINGS]

    def _shown(self, name: str) -> object:
        return self.place if name == "db" else getattr(self, name)


def save_user_setting(home: Path, key: str, value: object) -> None:
    """Write one setting to `config.toml`, leaving every other line and comment as it is.

    The file is replaced whole or not at all. Raises `ConfigError` if the value has no meaning, or if the
    file is written in a way that one line can't change (a value over several lines, a table).
    """
    path = Path(os.path.realpath(home / FILE_NAME))
    if key == "home":
        raise ConfigError("the home folder can't be set in its own file", hint="set AFFIDAVIT_HOME")
    _known(key, str(path))
    checked = _checked(key, value, "value")
    plain = _as_plain(value if checked is None else checked)
    text = read(path) or ""
    before = parse(text, path)
    changed = with_setting(text, key, as_toml(plain))
    try:
        after = parse(changed, path)
    except ConfigError:
        after = {}
    if after != {**before, key: plain}:
        raise ConfigError(
            f"{path} sets {key} over several lines", hint=f"edit it by hand: {key} = {as_toml(plain)}"
        )
    replace(path, changed)


def _first(layers: list[dict[str, tuple[object, str]]], name: str) -> tuple[Any, str] | None:
    return next((layer[name] for layer in layers if name in layer), None)


def _known(name: str, origin: str, known: tuple[str, ...] = ()) -> None:
    """Refuse a setting that we don't have, naming the nearest that we do."""
    if name in (known := known or SETTINGS):
        return
    from difflib import get_close_matches  # noqa: PLC0415 - only for a mistake

    near = get_close_matches(name.lower(), known, n=1) or get_close_matches(name.upper(), known, n=1)
    hint = f"the nearest is {near[0]!r}" if near else f"there are {', '.join(known)}"
    raise ConfigError(f"{origin}: there is no setting {name!r}", hint=hint)


def _from_environment(variables: Mapping[str, str]) -> dict[str, tuple[object, str]]:
    names = {PREFIX + name.upper(): name for name in SETTINGS}
    values: dict[str, tuple[object, str]] = {}
    for variable, text in variables.items():
        if variable in OTHER_VARIABLES:
            continue
        _known(variable, "environment", (*names, *sorted(OTHER_VARIABLES)))
        if not text.strip():
            raise ConfigError(
                f"the environment variable {variable} is empty", hint="unset it or give it a value"
            )
        name = names[variable]
        values[name] = (DECODERS.get(name, str)(text), f"environment {variable}")
    return values


def _from_file(path: Path) -> dict[str, tuple[object, str]]:
    text = read(path)
    if text is None:
        return {}
    values: dict[str, tuple[object, str]] = {}
    for name, value in parse(text, path).items():
        _known(name, str(path))
        if name == "home":
            what = f"{path} sets home, the folder that it lies in"
            raise ConfigError(what, hint="set AFFIDAVIT_HOME instead")
        values[name] = (_from_here(path.parent, name, value), f"file {path}")
    return values


def _from_here(folder: Path, name: str, value: object) -> object:
    """A path in the file means the same from wherever the program is started."""
    is_path = (
        name in ("db", "key_dir", "tools") and isinstance(value, str) and value and not is_address(value)
    )
    if not is_path or str(value).startswith("~"):
        return value
    return str(folder / str(value))


def _as_plain(value: object) -> object:
    """The value as TOML and JSON know it."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {k: _as_plain(v) for k, v in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _as_text(value: object) -> str:
    plain = _as_plain(value)
    return plain if isinstance(plain, str) else "" if plain is None else json.dumps(plain, ensure_ascii=False)


def _checked(name: str, value: object, origin: str) -> Any:
    try:
        return CHECKS[name](value)
    except ConfigError as error:
        raise ConfigError(f"{error.what}; set in {name} ({origin})", hint=error.hint) from None
    except (ValueError, IdError) as error:
        why = error.what if isinstance(error, IdError) else str(error)
        raise ConfigError(f"{name} ({origin}) is {value!r}, which has no meaning", hint=why) from None


SETTINGS = tuple(f.name for f in fields(Config) if f.name != "origins")
"""The names of all settings."""
