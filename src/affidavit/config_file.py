"""The settings file: read, changed in one line, written whole. `config` says what may stand in it."""

import json
import os
from pathlib import Path
from typing import Any

from affidavit.core.system_errors import why
from affidavit.errors import ConfigError


def read(path: Path) -> str | None:
    """The text of the file; None where there is none. Raises `ConfigError` where it can't be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        hint = "make it a file that you may read, or set AFFIDAVIT_HOME to another folder"
        raise ConfigError(f"{path} can't be read: {why(error)[0]}", hint=hint) from None
    except ValueError:
        raise ConfigError(f"{path} can't be read: it is not UTF-8 text", hint="save it as UTF-8") from None


def parse(text: str, path: Path) -> dict[str, Any]:
    """What the file says. Raises `ConfigError` for what is not TOML."""
    if not text.strip():
        return {}
    import tomllib  # noqa: PLC0415 - only when there is a file

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}", hint="correct it, or remove it") from None


def with_setting(text: str, key: str, value: str) -> str:
    """The text with the line of `key` replaced, or a new one before the first table."""
    import re  # noqa: PLC0415 - only here

    lines = text.splitlines(keepends=True)
    top = next((i for i, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    for i, line in enumerate(lines[:top]):
        match = re.match(rf"(\s*{re.escape(key)}\s*=\s*)(.*?)(\r?\n)?\Z", line)
        if match is not None:
            lines[i] = f"{match[1]}{value}{_comment_of(match[2])}{match[3] or ''}"
            return "".join(lines)
    if top and not lines[top - 1].endswith("\n"):
        lines[top - 1] += "\n"
    lines.insert(top, f"{key} = {value}\n")
    return "".join(lines)


def _comment_of(rest: str) -> str:
    """What follows the value on its line: a `#` inside a string begins no comment."""
    import tomllib  # noqa: PLC0415 - only here

    for at in (i for i, character in enumerate(rest) if character == "#"):
        try:
            tomllib.loads(f"x = {rest[:at]}")
        except tomllib.TOMLDecodeError:
            continue
        return rest[len(rest[:at].rstrip()) :]
    return ""


def replace(path: Path, text: str) -> None:
    """Write the file whole or not at all. Raises `ConfigError` where that can't be."""
    import tempfile  # noqa: PLC0415 - only here

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".config-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                Path(temporary).chmod(path.stat().st_mode & 0o777)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        reason, hint = why(error)
        raise ConfigError(f"{path} can't be written: {reason}", hint=hint) from None


def as_toml(value: object) -> str:
    """A plain value as TOML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_toml(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
