"""What is told again of what was remembered before: no new evidence. The rules: `affidavit.text.whose.echoes`.

One more holds for assistants, who are shown what is remembered: what an assistant states that a version says which was
remembered before he spoke is no support of it, and no memory of its own, however he words it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from affidavit.core.authority import Role
from affidavit.core.candidates import Admitted
from affidavit.core.memories import USER
from affidavit.store.protocol import Reads, Stored, View
from affidavit.text.evidence.likeness import match_key, same_form
from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Statement
from affidavit.text.spans import Found, Span, SpanKind, bounded
from affidavit.text.whose.echoes import is_rendered, pieces, repeats
from affidavit.text.whose.worded import as_told_back
from affidavit.write.checks import Context
from affidavit.write.checks.evidence import Told

_CLAUSE: Final = re.compile(r"[,;:，；：]\s*")


def echoes(reads: Reads, space_id: str, context: Context) -> Mapping[str, tuple[Span, ...]]:
    """The stretches of these episodes that repeat what was remembered before them."""
    told = [Told(stored, context) for stored in context.episodes.values()]
    lines = {one.row.id: pieces(one.row.text) for one in told}
    keys = list({line.key for found in lines.values() for line in found})
    remembered: dict[int, list[tuple[int, str]]] = {}
    for seq, row in reads.matching(space_id, keys) if keys else ():
        remembered.setdefault(row.match_key, []).append((seq, row.text))
    return {
        one.row.id: spans
        for one in told
        if (spans := _spans([line[:3] for line in lines[one.row.id] if _is_echo(one, line, remembered)]))
    }


def _is_echo(
    told: Told, line: tuple[int, int, str, int], remembered: Mapping[int, Sequence[tuple[int, str]]]
) -> bool:
    start, end, words, key = line
    if is_rendered(words):
        return True
    own = told.is_own and not told.marked(start, end, SpanKind.THIRD_PARTY)
    return any(seq < told.seq and repeats(words, text, own=own) for seq, text in remembered.get(key, ()))


def _spans(found: Sequence[tuple[int, int, str]]) -> tuple[Span, ...]:
    """A sentence that lies in a line which is an echo is part of it."""
    kept: list[Found] = []
    for start, end, _ in sorted(found, key=lambda one: (one[0], -one[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, "repeated"))
    return bounded(SpanKind.ECHO, kept)


def without_retold(admitted: Sequence[Admitted], view: View, living: Mapping[str, Stored]) -> list[Admitted]:
    """Without what assistants tell again."""
    return [one for one in admitted if not _is_retold(one, view, living)]


def _is_retold(one: Admitted, view: View, living: Mapping[str, Stored]) -> bool:
    said = [living[part.source] for part in one.parts if part.source in living]
    if not said or any(stored.row.role != Role.ASSISTANT for stored in said):
        return False
    before = min(stored.seq for stored in said)
    found = one.candidate
    if found.relation is not None:
        its = _said(found.object, found.qualifier, negated=found.negated)
        return _is_known(view, before, found.subject, found.relation, its)
    keys = [match_key(one.text), *(match_key(part.quote) for part in one.parts if part.quote)]
    if any(seq < before for seq, _ in view.matching(view.space_id, keys)):
        return True
    return any(
        _is_known(view, before, USER, read.relation, _said(read.value, read.qualifier, negated=read.negated))
        for read in _told_back(one, said[0].row.recorded_at)
    )


def _told_back(one: Admitted, at: int) -> Iterator[Statement]:
    """What the user would state if he said of himself what is told him, all of it or a clause of it."""
    for part in one.parts:
        words = as_told_back(part.quote or "")
        for text in dict.fromkeys((words, *_CLAUSE.split(words))):
            yield from statements_in(text, anchor=at, offset=None)


def _said(value: str | None, qualifier: str | None, *, negated: bool) -> tuple[str, str, bool]:
    return same_form(value or ""), same_form(qualifier or ""), negated


def _is_known(view: View, before: int, subject: str, relation: str, said: tuple[str, str, bool]) -> bool:
    """Whether a version that was remembered before says the same."""
    return any(
        seq < before and _said(row.object, row.qualifier, negated=bool(row.negated)) == said
        for seq, row in view.related(view.space_id, subject, [relation])
    )
