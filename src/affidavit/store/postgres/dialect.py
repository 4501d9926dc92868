"""From the statements of `affidavit.store.sql` to PostgreSQL's, and which space each is about.

What differs is little, as the rules for portable SQL want it: the marks for values, hints to SQLite's planner, the
length of a text in bytes, and `LIKE`, which SQLite answers without letter case for ASCII.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

_MARK: Final = re.compile(r"'(?:[^']|'')*'|\?(\d+)?|%")
_INDEXED: Final = re.compile(r" INDEXED BY \w+")
_FIRST: Final = re.compile(r" CROSS JOIN (\w+(?: \w+)?) USING")
_BYTES: Final = re.compile(r"CAST\((\w+) AS BLOB\)")
_LIKE: Final = re.compile(r"\bLIKE\b")
_OF_SPACE: Final = re.compile(r"\bspace_id = \?(\d+)?")
_INTO: Final = re.compile(r"\s*INSERT INTO \w+ \(space_id\b[^)]*\)\s+(?:VALUES \(|SELECT )\?(\d+)?")


class Statement(NamedTuple):
    """A statement as PostgreSQL takes it."""

    sql: str
    order: tuple[int, ...] | None
    """Which of the values each mark takes; None where each takes the next one."""
    space: int | None
    """Which of the values is the space that the statement is about; None where it is about none."""

    def values(self, given: Sequence[Any]) -> Sequence[Any]:
        """The values in the order of the marks."""
        return given if self.order is None else [given[one] for one in self.order]


@lru_cache(maxsize=2048)
def statement(sql: str) -> Statement:
    """One of our statements for PostgreSQL.

    >>> statement("SELECT seq FROM episode WHERE space_id = ?1 AND id = ?2")
    Statement(sql='SELECT seq FROM episode WHERE space_id = %s AND id = %s', order=(0, 1), space=0)
    """
    order: list[int] = []
    places: dict[int, int] = {}

    def marked(found: re.Match[str]) -> str:
        text = found[0]
        if text[0] == "'":
            return text.replace("%", "%%")
        if text == "%":
            return "%%"
        order.append(int(found[1]) - 1 if found[1] else len(order))
        places[found.start()] = order[-1]
        return "%s"

    plain = _BYTES.sub(r"convert_to(\1, 'UTF8')", _FIRST.sub(r" JOIN \1 USING", _INDEXED.sub("", sql)))
    plain = _LIKE.sub("ILIKE", plain)
    about = _INTO.match(plain) or _OF_SPACE.search(plain)
    mark = None if about is None else plain.index("?", about.start())
    if about is not None and plain[about.start() : about.end()].count("?") > 1:
        mark = plain.rindex("?", about.start(), about.end())
    text = _MARK.sub(marked, plain)
    same = order == list(range(len(order)))
    return Statement(text, tuple(order) if not same or "?1" in plain else None, places.get(mark or -1))
