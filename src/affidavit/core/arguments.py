"""Which arguments of a tool are protected, and the values that stand in them. Pure.

Rules:

1. What the registry says of an argument counts, for all that lies inside it; else its name does, wherever it stands.
   A plural, or another spelling, of a protected name is protected as that is.
2. An argument protected by its name stays so unless the registry says `false`.
3. Inside a protected argument every text and number is a value to be traced, and so is a key that is no plain name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, NamedTuple

from affidavit.core.limits import check_id, shown
from affidavit.errors import ConfigError


class ArgumentKind(StrEnum):
    """What a protected argument holds."""

    RECIPIENT = "recipient"
    ACCOUNT = "account"
    AMOUNT = "amount"
    ADDRESS = "address"
    CREDENTIAL = "credential"
    VALUE = "value"


_NAMES: Final[Mapping[ArgumentKind, str]] = {
    ArgumentKind.CREDENTIAL: "password passphrase secret credential credentials token pin otp api_key access_key"
    " private_key secret_key",
    ArgumentKind.ACCOUNT: "account iban bic swift wallet card routing sort_code account_number",
    ArgumentKind.AMOUNT: "amount sum total price cost fee tip limit_price",
    ArgumentKind.ADDRESS: "address url uri link endpoint webhook host domain email mail phone street zip postcode"
    " destination location",
    ArgumentKind.RECIPIENT: "recipient recipients to cc bcc payee beneficiary receiver addressee owner invitee invitees"
    " attendee attendees",
}
_BY_NAME: Final = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_-]{1,40}\d?")
_EXAMPLE: Final = 'for example {"pay": {"to": "recipient", "amount": "amount", "note": False}}'


class Tool(NamedTuple):
    """A registered tool: what is said of its arguments, by name or path; None: not protected, whatever its name."""

    name: str
    arguments: Mapping[str, ArgumentKind | None]


class Leaf(NamedTuple):
    """One value inside a protected argument, and where it stands: `to`, `payment.items[0].iban`."""

    path: str
    kind: ArgumentKind
    value: str | float | bool


def kind_by_name(name: str) -> ArgumentKind | None:
    """What an argument of this name holds, if that is to be protected.

    >>> kind_by_name("toAddress"), kind_by_name("note")
    (<ArgumentKind.ADDRESS: 'address'>, None)
    """
    forms = [_forms(word.lower()) for word in _WORD.findall(name)]
    pairs = [f"{one}_{other}" for ones, others in pairwise(forms) for one in ones for other in others]
    words = [form for one in forms for form in one]
    found = [_BY_NAME[word] for word in (*pairs, *words) if word in _BY_NAME]
    return min(found, key=list(_NAMES).index, default=None)


def _forms(word: str) -> list[str]:
    """A word, and what it may be the plural of."""
    found = [word, word.removesuffix("s")]
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        found.append(word.removesuffix("es"))
    if word.endswith("ies"):
        found.append(word.removesuffix("ies") + "y")
    return found


def _said_of_alike(key: str, said: Mapping[str, ArgumentKind | None]) -> ArgumentKind | None:
    """What is said of a protected name of which this is a plural, a singular or another spelling."""
    alike = _bare_forms(key)
    return next((kind for name, kind in said.items() if kind is not None and alike & _bare_forms(name)), None)


def _bare_forms(name: str) -> frozenset[str]:
    return frozenset(_forms("".join(char for char in name.casefold() if char.isalnum())))


def protected_leaves(arguments: Mapping[str, Any], tool: Tool | None) -> list[Leaf]:
    """Every value of a call that must be traced."""
    return [leaf for leaf in _all_inside(arguments, tool) if not _is_empty(leaf.value)]


def gives_protected(arguments: Mapping[str, Any], tool: Tool | None) -> bool:
    """Whether a call gives a protected argument, be it an empty one."""
    return next(_all_inside(arguments, tool), None) is not None


def _all_inside(arguments: Mapping[str, Any], tool: Tool | None) -> Iterator[Leaf]:
    return _inside(arguments, "", None, {} if tool is None else tool.arguments)


def _is_empty(value: object) -> bool:
    return value is None or value == ""


def _inside(
    value: Any,
    path: str,
    kind: ArgumentKind | None,
    said: Mapping[str, ArgumentKind | None],
    *,
    named: bool = True,
) -> Iterator[Leaf]:
    """The leaves below a value; `kind` is what it is said to be, `named` whether names inside it still count."""
    if kind is not None and isinstance(value, Mapping | Sequence) and not value:
        yield Leaf(path, kind, "")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            below = f"{path}.{key}" if path else str(key)
            plain = re.sub(r"\[\d+\]", "", below)
            own, counts = kind, named
            if plain in said or key in said:
                own = said[plain] if plain in said else said[key]
                counts = own is not None
            elif named:
                own = kind_by_name(key) or _said_of_alike(key, said) or kind
            if own is not None and path and not _PLAIN_KEY.fullmatch(key):
                yield Leaf(f"{path}.?", own, key)
            yield from _inside(inner, below, own, said, named=counts)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place, inner in enumerate(value):
            yield from _inside(inner, f"{path}[{place}]", kind, said, named=named)
    elif kind is not None and value != "":
        yield Leaf(path, kind, "" if value is None else value)


def tools_of(registry: object, where: str = "tools") -> dict[str, Tool]:
    """The registry of tools from a mapping. Raises `ConfigError`, naming the place.

    >>> tools_of({"pay": {"to": "recipient", "note": False}})["pay"].arguments["note"] is None
    True
    """
    if not isinstance(registry, Mapping):
        raise ConfigError(f"{where} is a {type(registry).__name__}, not a mapping", hint=_EXAMPLE)
    found = {}
    for name, arguments in registry.items():
        tool = check_id(name, f"a tool in {where}")
        if not isinstance(arguments, Mapping):
            raise ConfigError(f"{where}: {tool} is {shown(arguments)}, not a mapping", hint=_EXAMPLE)
        found[tool] = Tool(tool, {str(key): _kind(where, tool, key, said) for key, said in arguments.items()})
    return found


def _kind(where: str, tool: str, argument: object, said: object) -> ArgumentKind | None:
    if not isinstance(argument, str) or not argument:
        raise ConfigError(f"{where}: {tool} has an argument {shown(argument)}", hint="name it with a text")
    if said is False:
        return None
    if said is True:
        return kind_by_name(argument) or ArgumentKind.VALUE
    if isinstance(said, str) and said in set(ArgumentKind):
        return ArgumentKind(said)
    choices = ", ".join(ArgumentKind)
    raise ConfigError(
        f"{where}: {tool}.{argument} is {shown(said)}", hint=f"use one of {choices}, or true or false"
    )
