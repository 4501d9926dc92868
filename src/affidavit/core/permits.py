"""Permits: what a tool may do without asking. Pure.

Rules:

1. A permit is for one tool, from its granting until its end, and covers a call that meets every limit.
2. A limit is about every argument of its name, at any depth and however it is spelled, and about every protected one
   of the same kind: a limit on `account` is not stepped round by an `iban`. A call without it is not covered.
3. An upper limit alone is one from zero up: what is negative is not covered by it.
4. What is no number is not covered by a limit of numbers.
5. A permit with a limit says nothing of a protected argument that the limit doesn't name: a value there that no memory
   lets pass is not covered. A permit without a limit is for the tool whatever its arguments hold.
"""

import json
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from affidavit.core.arguments import ArgumentKind, Leaf
from affidavit.core.gates import PermitRow
from affidavit.core.jsonable import Result
from affidavit.core.limits import check_nesting, check_size, shown
from affidavit.core.values import json_text
from affidavit.core.when import rfc3339
from affidavit.errors import InputError

LIMIT_BYTES: Final = 16 * 1024
_ORDER: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "lt": operator.lt,
    "lte": operator.le,
    "gt": operator.gt,
    "gte": operator.ge,
}
_PLACE: Final = re.compile(r"\[\d+\]")
_HINT: Final = 'give conditions by argument, such as {"amount": {"lte": 50}, "to": {"in": ["Ana"]}}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit(Result):
    """A tool may act for a user without asking, within a limit and a time (RFC 3339). `ended_at`: it counts no more."""

    id: str
    tool: str
    limit: Mapping[str, Mapping[str, Any]] | None
    until: str | None
    granted_at: str
    ended_at: str | None = None

    @classmethod
    def of(cls, row: PermitRow) -> "Permit":
        """A stored permit."""
        return cls(
            id=row.id,
            tool=row.tool,
            limit=None if row.limits is None else json.loads(row.limits),
            until=None if row.until is None else rfc3339(row.until),
            granted_at=rfc3339(row.granted_at),
            ended_at=None if row.ended_at is None else rfc3339(row.ended_at),
        )


def limit_text(limit: object) -> str | None:
    """A limit as it is stored. Raises `InputError` for what is none."""
    if limit is None:
        return None
    if not isinstance(limit, Mapping) or not limit:
        raise InputError(f"the limit is {shown(limit)}", hint=_HINT)
    check_nesting(dict(limit), "the limit")
    for name, conditions in limit.items():
        if not name or not isinstance(conditions, Mapping) or not conditions:
            raise InputError(f"the limit of {shown(name)} is {shown(conditions)}", hint=_HINT)
        for op, value in conditions.items():
            if not _is_condition(op, value):
                hint = "use eq, in (a list), or lt, lte, gt, gte with a number"
                raise InputError(f"the limit of {name} has {shown(op)}: {shown(value)}", hint=hint)
    text = json_text(limit)
    check_size(len(text.encode("utf-8", "surrogatepass")), LIMIT_BYTES, "the limit", "give fewer conditions")
    return text


def _is_condition(op: str, value: object) -> bool:
    if op in _ORDER:
        return not isinstance(value, str) and _number(value) is not None
    plain = isinstance(value, str | int | float)
    return plain if op == "eq" else op == "in" and isinstance(value, list | tuple) and len(value) > 0


def covers(
    row: PermitRow,
    tool: str | None,
    arguments: Mapping[str, Any],
    leaves: Sequence[Leaf],
    now: int,
    *,
    unproven: Collection[str],
) -> bool:
    """Whether a permit covers a call at an instant (UTC microseconds).

    `leaves`: its protected values; `unproven`: the paths of those that no memory lets pass.
    """
    if row.tool != tool or row.ended_at is not None or (row.until is not None and row.until <= now):
        return False
    limits: Mapping[str, Mapping[str, Any]] = {} if row.limits is None else json.loads(row.limits)
    for name, conditions in limits.items():
        given = list(_named(arguments, _spelled(name)))
        kinds = {leaf.kind for leaf in leaves if _name_of(leaf) == _spelled(name)} - {ArgumentKind.VALUE}
        alike = [leaf.value for leaf in leaves if leaf.kind in kinds or _name_of(leaf) == _spelled(name)]
        if not given or not all(_meets(value, conditions) for value in (*given, *alike)):
            return False
    named = set(map(_spelled, limits))
    return not limits or all(_name_of(leaf) in named for leaf in leaves if leaf.path in unproven)


def _spelled(name: str) -> str:
    """A name without what makes no difference: "toAddress", "to_address"."""
    return "".join(char for char in name.casefold() if char.isalnum())


def _name_of(leaf: Leaf) -> str:
    return _spelled(_PLACE.sub("", leaf.path).rpartition(".")[2])


def _named(value: Any, name: str) -> Iterator[Any]:
    """Every argument of this name, at any depth."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if _spelled(key) == name:
                yield inner
            yield from _named(inner, name)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from _named(inner, name)


def _meets(value: object, conditions: Mapping[str, Any]) -> bool:
    upper_only = {"lt", "lte"} & conditions.keys() and not {"gt", "gte"} & conditions.keys()
    number = _number(value)
    if upper_only and (number is None or number < 0):
        return False
    return all(_holds(value, number, op, wanted) for op, wanted in conditions.items())


def _holds(value: object, number: Decimal | None, op: str, wanted: Any) -> bool:
    if op in _ORDER:
        bound = _number(wanted)
        return number is not None and bound is not None and _ORDER[op](number, bound)
    choices = wanted if op == "in" else [wanted]
    return any(type(value) is type(choice) and value == choice for choice in choices) or (
        number is not None and not isinstance(value, str) and number in map(_number, choices)
    )


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
