"""Addresses of databases: what is one, which we know, and how one is shown."""

import re
from typing import Final

_PASSWORD: Final = re.compile(r"(?<=://)([^/@:]*):[^/@]*@|password=[^\s&]+")


def is_address(text: str) -> bool:
    """Whether a store's place is an address and no path."""
    return "://" in text or text == ":memory:"


def is_postgresql(text: str) -> bool:
    """Whether an address is one of a PostgreSQL database."""
    return text.startswith(("postgresql://", "postgres://"))


def without_password(text: str) -> str:
    """An address, or a message with one in it, without the password.

    >>> without_password("postgresql://ana:secret@db/affidavit?password=secret&sslmode=require")
    'postgresql://ana@db/affidavit?password=…&sslmode=require'
    """
    return _PASSWORD.sub(_hidden, text)


def _hidden(found: re.Match[str]) -> str:
    if found[1] is None:
        return "password=…"
    return f"{found[1]}@" if found[1] else ""
