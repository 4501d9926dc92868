"""What verify says: a level, how much was covered, and problems with codes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from affidavit.core.jsonable import Result
from affidavit.errors import StoreError

_MOST = 20
"""How many problems of one code are told for one space; the rest are counted."""


class Code(StrEnum):
    """What kind of thing is wrong."""

    LEAF_MISMATCH = "LEAF_MISMATCH"
    """An entry's bytes are not an entry in the format's own form."""
    GAP = "GAP"
    """A number is missing, doubled or out of order in a log or among the seals."""
    ROOT_MISMATCH = "ROOT_MISMATCH"
    """A head's size, root or peaks are not those of its entries."""
    SIG_INVALID = "SIG_INVALID"
    """A signature is missing where one belongs, or does not fit."""
    KEY_UNKNOWN = "KEY_UNKNOWN"
    """Signed, but by no key that is trusted here."""
    TRUNCATED = "TRUNCATED"
    """The tail of a log or of the seals is gone."""
    ROLLED_BACK = "ROLLED_BACK"
    """The store is older than one that was sealed, or seen, before."""
    FORK = "FORK"
    """Another history than one that was sealed, listed or seen before."""
    SPACE_MISSING = "SPACE_MISSING"
    """A space that the directory lists is not there."""
    CONTENT_MISMATCH = "CONTENT_MISMATCH"
    """Stored content, or its blind, does not give the commitment of its entry."""
    LABEL_MISMATCH = "LABEL_MISMATCH"
    """A clear field of a row differs from its entry, or is higher than its source allows."""
    UNLOGGED_ROW = "UNLOGGED_ROW"
    """A row that no living entry tells of."""
    ORPHAN_ENTRY = "ORPHAN_ENTRY"
    """An entry whose row is gone, or that can't follow the ones before it."""
    DERIVED_STALE = "DERIVED_STALE"
    """What is derived from content is not what the content gives."""
    QUOTE_MISMATCH = "QUOTE_MISMATCH"
    """A quote that does not stand where its support says."""
    DB_CORRUPT = "DB_CORRUPT"
    """The database can't be read, or its schema is another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem(Result):
    """One thing that is wrong: what kind, where (`space/table/number`), and what was found."""

    code: Code
    where: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyResult(Result):
    """What was checked, and what does not fit.

    `level`: 0 broken (there are problems), 1 self-consistent, 2 signed by keys that are trusted here (in a store
    that signs only at a seal: up to the last seal). `size` counts the entries of all logs, `spaces` the spaces.
    `root` is the directory's, in hexadecimal. `unsealed` counts what no signature covers yet: entries after the
    last signed head of their log, and directory leaves still to come. `marks` is what a later, incremental
    `verify(since=marks)` starts from; it is empty where there are problems.
    """

    level: int
    size: int
    spaces: int
    root: str
    unsealed: int
    problems: tuple[Problem, ...] = ()
    marks: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-ready values, with `ok`."""
        return {"ok": self.ok, **Result.to_dict(self)}


class Findings:
    """Collects problems; of many alike it keeps the first ones and counts the rest."""

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._counts: Counter[tuple[Code, str]] = Counter()

    def add(self, code: Code, where: str, detail: str) -> None:
        """Note a problem; `where` starts with the space, or the table, it is about."""
        group = (code, where.partition("/")[0])
        self._counts[group] += 1
        if self._counts[group] <= _MOST:
            self._found.append(Problem(code=code, where=_plain(where), detail=_plain(detail)))

    def all(self) -> tuple[Problem, ...]:
        """Everything that was found."""
        rest = (
            Problem(code=code, where=_plain(where), detail=f"and {count - _MOST:,} more of this kind")
            for (code, where), count in self._counts.items()
            if count > _MOST
        )
        return (*self._found, *rest)

    def __bool__(self) -> bool:
        return bool(self._found)


def _plain(text: str) -> str:
    """Text that can be shown and sent, whatever stood in the database."""
    return text.encode("utf-8", "backslashreplace").decode()


def damaged_result(error: StoreError) -> VerifyResult:
    """The result for a store that could not even be opened."""
    problem = Problem(code=Code.DB_CORRUPT, where="file", detail=_plain(error.what))
    return VerifyResult(level=0, size=0, spaces=0, root="", unsealed=0, problems=(problem,))
