"""What each setting may be: from what was given to the value in force, or an error that says what to give.

A check raises `ValueError` with the advice alone, or one of our errors; `config` adds which setting it was, and from
where.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, cast, get_args

from affidavit.core.addresses import is_address
from affidavit.core.limits import check_id
from affidavit.core.model_names import PROVIDERS, Dialect, ModelName, checked_url

EmbedderChoice = Literal["auto", "none", "minilm"]
"""What an embedder may be beside one on a server."""


def no_names() -> Mapping[str, tuple[str, ...]]:
    """Nobody has another name."""
    return MappingProxyType({})


def no_relations() -> Mapping[str, Mapping[str, object]]:
    """No relation beside the built-in ones."""
    return MappingProxyType({})


def _path(value: object) -> Path:
    if not isinstance(value, str | os.PathLike) or not str(value).strip() or "\0" in str(value):
        raise ValueError("give a path")
    try:
        return Path(os.fspath(cast("str", value))).expanduser().absolute()
    except RuntimeError:
        raise ValueError("there is no such user's home folder") from None


def _db(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and is_address(value):
        return value
    return str(_path(value))


def _one_of(*choices: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"use one of {', '.join(choices)}")
        return value

    return check


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("use true or false")  # noqa: TRY004 - `_checked` turns it into a ConfigError
    return value


def _number(least: float, most: float, *, whole: bool) -> Callable[[object], float]:
    def check(value: object) -> float:
        right = type(value) is int or (type(value) is float and not whole)
        if not right or not least <= cast("float", value) <= most:
            raise ValueError(f"use a {'whole ' if whole else ''}number from {least} to {most}")
        return cast("float", value)

    return check


def _names(value: object) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, Mapping) or not all(isinstance(v, list | tuple) for v in value.values()):
        raise ValueError('give a list of names for each user, like {ada = ["Ada", "Ada Lovelace"]}')
    names = {check_id(k, "user"): tuple(check_id(n, "name") for n in v) for k, v in value.items()}
    return MappingProxyType(names)


def _relations(value: object) -> Mapping[str, Mapping[str, object]]:
    if isinstance(value, Mapping) and not value:
        return no_relations()
    from affidavit.text.lang.relations import with_relations  # noqa: PLC0415 - only where there are any

    given = cast("Mapping[str, Mapping[str, object]]", value)
    with_relations(given)
    return MappingProxyType({name: MappingProxyType(dict(fields)) for name, fields in given.items()})


def _read_flag(text: str) -> object:
    return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(
        text.lower(), text
    )


def _read_number(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _read_json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _model(value: object) -> str | None:
    if value is None or value == "none":
        return None
    if not isinstance(value, str):
        raise ValueError("give the name of a model, such as ollama:qwen3, or none")  # noqa: TRY004
    return str(ModelName.of(value))


def _embedder(value: object) -> str:
    if not isinstance(value, str) or value in get_args(EmbedderChoice):
        return _one_of(*get_args(EmbedderChoice))(value)
    if ":" not in value:
        raise ValueError("use one of auto, none, minilm, or PROVIDER:MODEL such as ollama:nomic-embed-text")
    named = ModelName.of(value)
    if named.where.dialect is not Dialect.OPENAI:
        can = ", ".join(name for name, one in PROVIDERS.items() if one.dialect is Dialect.OPENAI)
        raise ValueError(f"{named.provider} has no embedders; use one of {can}")
    return str(named)


def _url(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError("give the address of a server: http://HOST:PORT/v1")  # noqa: TRY004
    return checked_url(value)


def _temperature(value: object) -> float | None:
    return None if value is None else float(_number(0, 2, whole=False)(value))


CHECKS: Final[Mapping[str, Callable[[object], Any]]] = {
    "home": _path,
    "db": _db,
    "user": lambda value: None if value is None else check_id(value, "user"),
    "durability": _one_of("normal", "full"),
    "llm": _model,
    "llm_url": _url,
    "llm_timeout_s": _number(0.1, 3_600, whole=False),
    "llm_tries": _number(1, 20, whole=True),
    "llm_temperature": _temperature,
    "embedder": _embedder,
    "embedder_url": _url,
    "embedder_timeout_s": _number(0.1, 3_600, whole=False),
    "signing": _one_of("local", "later"),
    "key_dir": _path,
    "keyring": _flag,
    "keep_queries": _flag,
    "own_names": _names,
    "own_addresses": _names,
    "index_budget_mb": _number(1, 1_000_000, whole=True),
    "busy_timeout_s": _number(0, 3_600, whole=False),
    "tools": lambda value: None if value is None else _path(value),
    "relations": _relations,
}
"""By the name of the setting."""

DECODERS: Final[Mapping[str, Callable[[str], object]]] = {
    "keyring": _read_flag,
    "keep_queries": _read_flag,
    "own_names": _read_json,
    "own_addresses": _read_json,
    "relations": _read_json,
    "index_budget_mb": _read_number,
    "busy_timeout_s": _read_number,
    "llm_timeout_s": _read_number,
    "llm_tries": _read_number,
    "llm_temperature": _read_number,
    "embedder_timeout_s": _read_number,
}
"""How the text of a variable is read, where it is not the value itself."""
