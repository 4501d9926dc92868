"""Filters: from a caller's conditions to a mask over rows, made before anything is scored.

    {"role": "user"}                                        equal
    {"occurred_at": {"gte": "2024-05", "lt": "2024-07"}}    every operator must hold
    {"AND": [..]}, {"OR": [..]}                             of such mappings; a bare list is an AND
    {"NOT": {..}}, {"NOT": [..]}                            none of them holds
    {"session": "*"}, {"session": {"*": False}}             the field is present, is absent

Operators: eq, ne, gt, gte, lt, lte, in, nin, contains, icontains, *. What each means for a value stands in
`affidavit.index.conditions`. An unknown field or operator or a value of the wrong type is a `FilterError`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np

from affidavit.core.limits import NESTING
from affidavit.core.when import When
from affidavit.errors import DateError, FilterError
from affidavit.index.conditions import LISTED, ORDER, WITHIN, Column, Condition, Mask, Operator

#: Given a field's name, its values, one for each row of the index; None (in time arrays `NO_TIME`) is absent.
Columns = Callable[[str], Column]

_METADATA: Final = "metadata."
_MOST: Final = 1_000  # conditions and listed values in one filter


class FieldType(StrEnum):
    """What a field holds, and so what it may be compared with."""

    TEXT = "text"
    NUMBER = "number"
    TIME = "time"
    BOOL = "true or false"
    TEXTS = "list of texts"
    ANY = "any JSON"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field that can be filtered on; `choices` are all the values it can have, where they are few."""

    type: FieldType
    choices: frozenset[str] = frozenset()


_ANY: Final = Field(type=FieldType.ANY)


@dataclass(frozen=True, slots=True)
class Filter:
    """Compiled conditions joined by `join`: AND, OR, or NOT (none holds)."""

    join: str
    members: tuple["Filter | Condition", ...]

    @property
    def fields(self) -> frozenset[str]:
        """The names of the columns that `mask` will ask for."""
        own = {m.field for m in self.members if isinstance(m, Condition)}
        return frozenset(own.union(*(m.fields for m in self.members if isinstance(m, Filter))))

    def mask(self, columns: Columns, size: int) -> Mask:
        """True for each of the `size` rows that meet the conditions."""
        met = np.full(size, self.join == "AND", np.bool_)
        for member in self.members:
            own = (
                member.mask(columns(member.field))
                if isinstance(member, Condition)
                else member.mask(columns, size)
            )
            met = met & own if self.join == "AND" else met | own
        return ~met if self.join == "NOT" else met


def compile_filters(filters: object, fields: Mapping[str, Field]) -> Filter:
    """Check a caller's conditions against the known `fields` (and `metadata.*`) and make them ready to use.

    Raises `FilterError` for an unknown field or operator, a value of the wrong type, or too much of it.
    """
    compiled = _group("AND", filters, fields, 1)
    if _count(compiled) > _MOST:
        raise FilterError(f"the filter has more than {_MOST} conditions", hint="use `in`, or ask in parts")
    return compiled


def _count(node: Filter | Condition) -> int:
    return sum(map(_count, node.members)) if isinstance(node, Filter) else 1


def _group(join: str, filters: object, fields: Mapping[str, Field], depth: int) -> Filter:
    if depth > NESTING:
        raise FilterError(f"the filter is nested deeper than {NESTING} levels", hint="flatten it")
    if isinstance(filters, list | tuple):
        return Filter(join, tuple(_group("AND", each, fields, depth + 1) for each in filters))
    if not isinstance(filters, Mapping):
        raise FilterError(
            f"a filter is {type(filters).__name__}, not conditions",
            hint='give a mapping like {"role": "user"} or a list of them',
        )
    members: list[Filter | Condition] = []
    for name, value in filters.items():
        if name in ("AND", "OR", "NOT"):
            members.append(_joined(name, value, fields, depth))
        else:
            members += _conditions(name, value, fields)
    return Filter("AND", tuple(members)) if join == "AND" else Filter(join, (Filter("AND", tuple(members)),))


def _joined(name: str, value: object, fields: Mapping[str, Field], depth: int) -> Filter:
    if name != "NOT" and not isinstance(value, list | tuple):
        raise FilterError(f"{name} takes a list of conditions", hint=f'write {{"{name}": [{{…}}, {{…}}]}}')
    if not value:
        raise FilterError(f"{name} is given nothing to join", hint="leave it out, or name a condition")
    return _group(name, value, fields, depth + 1)


def _conditions(name: object, value: object, fields: Mapping[str, Field]) -> list[Condition]:
    field = _field(name, fields)
    name = str(name)
    if isinstance(value, str) and value == "*":
        return [Condition(name, Operator.PRESENT, True)]
    if isinstance(value, Mapping):
        if not value:
            raise FilterError(f"{name} is compared with nothing", hint=_OPERATORS)
        return [_condition(name, field, operator, operand) for operator, operand in value.items()]
    if isinstance(value, list | tuple):
        instead = '"contains": "…"' if field.type is FieldType.TEXTS else '"in": […]'
        raise FilterError(f"{name} is compared with a list", hint=f'write {{"{name}": {{{instead}}}}}')
    return [_condition(name, field, Operator.EQ, value)]


def _field(name: object, fields: Mapping[str, Field]) -> Field:
    if isinstance(name, str):
        if name in fields:
            return fields[name]
        if name.startswith(_METADATA) and len(name) > len(_METADATA):
            return _ANY
    known = ", ".join(sorted(fields))
    raise FilterError(
        f"there is no field {name!r} to filter on", hint=f"known are {known} and metadata.<key>"
    )


_OPERATORS: Final = "operators are " + ", ".join(Operator)


def _condition(name: str, field: Field, operator: object, operand: object) -> Condition:
    if operator not in set(Operator):
        raise FilterError(f"there is no operator {operator!r} (on {name})", hint=_OPERATORS)
    operator = Operator(str(operator))
    if operator is Operator.PRESENT:
        if not isinstance(operand, bool):
            raise FilterError(f'"*" on {name} takes True or False', hint="True: present; False: absent")
        return Condition(name, operator, operand)
    if operator in LISTED:
        if not isinstance(operand, list | tuple | set | frozenset) or len(operand) > _MOST:
            raise FilterError(
                f"{operator} on {name} takes a list of at most {_MOST} values", hint=f"got {operand!r:.80}"
            )
        return Condition(name, operator, tuple(_operand(name, field, operator, each) for each in operand))
    return Condition(name, operator, _operand(name, field, operator, operand))


def _operand(name: str, field: Field, operator: Operator, value: object) -> Any:
    """The value in the form the column is compared in; raises `FilterError` when it can't be."""
    if value is None and operator not in ORDER | WITHIN:
        return None
    if field.type is FieldType.TEXTS and operator not in WITHIN:
        raise FilterError(
            f"{name} is a list: {operator} compares it with one value and is never met",
            hint=f'write {{"{name}": {{"contains": "…"}}}}',
        )
    if operator in WITHIN:
        fits = field.type in (FieldType.TEXT, FieldType.TEXTS, FieldType.ANY) and isinstance(value, str)
    elif field.type is FieldType.TIME:
        return _time(name, value)
    elif operator in ORDER:
        fits = field.type in (FieldType.NUMBER, FieldType.ANY) and _is_ordered(value, field.type)
    else:
        fits = _FITS[field.type](value)
    if not fits:
        raise FilterError(
            f"{name} ({field.type}) can't be compared with {value!r:.80} by {operator}", hint=_EXPECTED
        )
    if field.choices and operator not in WITHIN and value not in field.choices:
        choices = ", ".join(sorted(field.choices))
        raise FilterError(f"{name} is never {value!r:.80}", hint=f"it is one of {choices}")
    return value


_EXPECTED: Final = (
    "give a value of the field's own type; gt, gte, lt, lte need numbers or times; contains needs text"
)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value  # noqa: PLR0124


def _is_ordered(value: object, type_: FieldType) -> bool:
    return _is_number(value) or (type_ is FieldType.ANY and isinstance(value, str))


_FITS: Final[Mapping[FieldType, Callable[[object], bool]]] = {
    FieldType.TEXT: lambda value: isinstance(value, str),
    FieldType.NUMBER: _is_number,
    FieldType.BOOL: lambda value: isinstance(value, bool),
    FieldType.ANY: lambda value: isinstance(value, str | bool) or _is_number(value),
}


def _time(name: str, value: object) -> When:
    try:
        return When.parse(value)
    except DateError as error:
        raise FilterError(f"{name} is a time: {error.what}", hint=error.hint) from None
