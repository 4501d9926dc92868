"""Who does it to whom, between the speaker and somebody who is named: "I owe Bob" does not answer what Bob owes me."""

import re
from collections.abc import Sequence
from typing import Final

from affidavit.text.evidence.passages import plain
from affidavit.text.questions.question_words import QuestionTable, question_tables

_DOES: Final = "does"
_BEARS: Final = "bears"


def is_turned(question: str, text: str, names: Sequence[str], language: str) -> bool:
    """Whether in one of them the speaker does it, and in the other one it is done to him by one of these names.

    >>> is_turned("How much does Bob owe me?", "I owe Bob 50 euros", ["bob"], "en")
    True
    >>> is_turned("How much do I owe Bob?", "I owe Bob 50 euros", ["bob"], "en")
    False
    """
    table = question_tables()[language]
    asked, told = (_part(plain(one), names, table) for one in (question, text))
    return bool(asked and told) and asked != told


def _part(said: str, names: Sequence[str], table: QuestionTable) -> str | None:
    """What the speaker has to do with it; None where it can't be told."""
    if not any(name in said for name in names):
        return None
    if not table.spaced:
        # Only the order tells.
        me = re.search(table.asker, said)
        place = min(said.index(name) for name in names if name in said)
        return None if me is None else _DOES if me.start() < place else _BEARS
    does, bears = table.does.search(said), table.bears.search(said)
    if not table.tells_subject:
        return _BEARS if bears else _DOES
    return None if bool(does) == bool(bears) else _DOES if does else _BEARS
