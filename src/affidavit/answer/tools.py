"""The registry of tools from a file: TOML or JSON, one table for each tool."""

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from affidavit.core.arguments import Tool, tools_of
from affidavit.core.system_errors import explained
from affidavit.errors import ConfigError

_HINT = "write TOML (.toml) or JSON (.json); what is read from another format can be handed in as a mapping"


def load_tools(
    tools: "Mapping[str, Mapping[str, object]] | str | os.PathLike[str] | None",
) -> dict[str, Tool]:
    """The registry from a mapping, or from a file. Raises `ConfigError`."""
    if tools is None:
        return {}
    if not isinstance(tools, str | os.PathLike):
        return tools_of(tools)
    path = Path(tools).expanduser()
    reader = {".toml": tomllib.loads, ".json": json.loads}.get(path.suffix.lower())
    if reader is None:
        raise ConfigError(f"the registry of tools {path} is of no known format", hint=_HINT)
    with explained(ConfigError, f"the registry of tools {path} can't be read"):
        text = path.read_bytes()
    try:
        read = reader(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"the registry of tools {path} can't be read: {error}", hint=_HINT) from None
    return tools_of(read, str(path))
