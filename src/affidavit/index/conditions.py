"""One condition of a filter: a field, an operator, an operand; and what it means for one value or a column.

An absent value meets only `eq: None`, `ne`, `nin` and `{"*": False}`. Values of different types are never equal and
never in order: `1` is not `"1"`, `True` is not `1`. On a time field the operand stands for the whole interval it
names: `eq "2024-05"` is any moment of May, `gt` is after May, `gte` from its first moment on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affidavit.core.when import When
from affidavit.index.columns import NO_TIME, Coded

Mask = NDArray[np.bool_]
Column = Coded | NDArray[Any] | Sequence[Any]


class Operator(StrEnum):
    """How a value is compared."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    IN = "in"
    NIN = "nin"
    CONTAINS = "contains"
    ICONTAINS = "icontains"
    PRESENT = "*"


ORDER: Final = frozenset({Operator.GT, Operator.GTE, Operator.LT, Operator.LTE})
WITHIN: Final = frozenset({Operator.CONTAINS, Operator.ICONTAINS})
LISTED: Final = frozenset({Operator.IN, Operator.NIN})


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of a field's values with one operand; on a time field operands are `When`s or None."""

    field: str
    operator: Operator
    operand: Any

    def holds(self, value: Any) -> bool:
        """Whether one value (None: absent) meets the condition; a time is given in UTC microseconds."""
        return _HOLDS[self.operator](value, self.operand)

    def mask(self, column: Column) -> Mask:
        """`holds` for each row of a column."""
        if isinstance(column, Coded):
            met = np.fromiter(map(self.holds, column.values), np.bool_, len(column.values))
            return met[column.codes] if len(met) else np.zeros(0, np.bool_)
        if isinstance(column, np.ndarray):
            values, rows = np.unique(column, return_inverse=True)
            plain = [None if v == NO_TIME else v for v in values.tolist()]
            return np.fromiter(map(self.holds, plain), np.bool_, len(plain))[rows]
        return np.fromiter(map(self.holds, column), np.bool_, len(column))


def _equal(value: Any, operand: Any) -> bool:
    if isinstance(operand, When):
        return value is not None and operand.contains(value)
    if isinstance(value, bool) or isinstance(operand, bool):
        return value is operand
    return bool(value == operand)


def _in(value: Any, operands: Sequence[Any]) -> bool:
    return any(_equal(value, operand) for operand in operands)


def _before(value: Any, operand: Any, *, within: bool) -> bool:
    """Whether a value lies before the operand or, if `within`, before its end or on it."""
    if isinstance(operand, When):
        bound = operand.end if within else operand.start
        # An open end lies behind every time, an open start before every time.
        return value is not None and (within if bound is None else value < bound)
    return _alike(value, operand) and (value < operand or (within and value == operand))


def _after(value: Any, operand: Any, *, within: bool) -> bool:
    """Whether a value lies after the operand or, if `within`, from its start on."""
    if isinstance(operand, When):
        return value is not None and not _before(value, operand, within=not within)
    return _alike(value, operand) and (value > operand or (within and value == operand))


def _alike(value: Any, operand: Any) -> bool:
    """Two texts or two numbers: what has an order."""
    if isinstance(value, bool) or isinstance(operand, bool):
        return False
    return any(isinstance(value, kind) and isinstance(operand, kind) for kind in (str, (int, float)))


def _contains(value: Any, operand: str) -> bool:
    if isinstance(value, list | tuple):
        return any(_equal(member, operand) for member in value)
    return isinstance(value, str) and operand in value


def _icontains(value: Any, operand: str) -> bool:
    wanted = operand.casefold()
    if isinstance(value, list | tuple):
        return any(isinstance(member, str) and member.casefold() == wanted for member in value)
    return isinstance(value, str) and wanted in value.casefold()


_HOLDS: Final[dict[Operator, Callable[[Any, Any], bool]]] = {
    Operator.EQ: _equal,
    Operator.NE: lambda value, operand: not _equal(value, operand),
    Operator.GT: partial(_after, within=False),
    Operator.GTE: partial(_after, within=True),
    Operator.LT: partial(_before, within=False),
    Operator.LTE: partial(_before, within=True),
    Operator.IN: _in,
    Operator.NIN: lambda value, operands: not _in(value, operands),
    Operator.CONTAINS: _contains,
    Operator.ICONTAINS: _icontains,
    Operator.PRESENT: lambda value, operand: (value is not None) is operand,
}
