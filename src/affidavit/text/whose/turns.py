"""Turns of a conversation that was pasted into a text: who has the word in a line. Pure."""

import re
from typing import Final

from affidavit.text.evidence.passages import plain
from affidavit.text.lang.tables import tables

_TURN: Final = re.compile(
    r"[>\s*•-]{0,8}(\[?\(?\d[\d:.,/\-TZ apm]{3,30}[\])]?[,\s-]{0,3})?"
    r"([^\W\d_][\w.'’-]{0,30}(?:\s[^\W\d_][\w.'’-]{0,30}){0,2})\s?[:：]"
)
_SELF: Final = frozenset({"me", "i"})


def speaker_of_line(line: str) -> str | None:
    """Who has the word in a line, in plain letters, by the name before its colon; None where nobody else has.

    A name has a capital letter, or follows a time. "Update:" and the like are no names.

    >>> speaker_of_line("[10:03] deniz: I live in Oslo"), speaker_of_line("Update: I live in Oslo")
    ('deniz', None)
    """
    turn = _TURN.match(line)
    if turn is None or (turn[1] is None and any(word[0].islower() for word in turn[2].split())):
        return None
    name = plain(turn[2])
    own = name in _SELF or any(table.labels.search(name) for table in tables())
    return None if own else name
