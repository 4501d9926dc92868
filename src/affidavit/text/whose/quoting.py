"""Which parts of a user's message are somebody else's words: quotes, code, pasted and forwarded mail.

In doubt a part counts as third party: the worst that follows is that the user has to say it once more, while
the other error would let a stranger speak with the user's authority.
"""

import re
from collections.abc import Iterator, Sequence

from affidavit.text.spans import MANY, MAX_SPANS, Found, Span, SpanKind, bounded
from affidavit.text.whose.introduced import introduced
from affidavit.text.whose.labels import labelled, quotations
from affidavit.text.whose.mail import mail_parts, may_be_mail

# A line starts after a real line ending, or after a character that some programs show as one; it ends
# only at a real one, so that a quote can't be left by a character that merely looks like a line break.
_START = "(?<![^\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029])"
_INDENT = "[ \t\u00a0\u200b\ufeff]*+"
_ITEM = r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?+"
_LINE = "[^\r\n]*+"
_QUOTE = "(?:>|＞|»|&gt;|&#62;)"
_BLOCK = re.compile(f"{_START}{_INDENT}{_ITEM}{_INDENT}(?:({_QUOTE}){_LINE}|(`{{3,}}+|~{{3,}}+)({_LINE}))")
_QUOTED = re.compile(f"(?:(?:\r\n|\r|\n){_INDENT}{_QUOTE}{_LINE})++")
_TICKS = re.compile(r"`{3,}+")
_ROWS = re.compile(f"(?:{_START}{_INDENT}\\|[^\r\n|]*+\\|{_LINE}(?:\r\n|\r|\n|$))++")
_TAG = re.compile(r"<(/?)(?:blockquote|pre|code)\b[^<>\n]{0,200}>", re.IGNORECASE)


def third_party_spans(text: str, *, known: Sequence[Span] = (), letter: bool = False) -> tuple[Span, ...]:
    r"""Stretches of a user's message that are not the user's own words, sorted and without overlaps.

    The label says which rule: `quote`, `code`, `html`, `table`, `mail_header`, `forwarded`, `reply`, `introduced`,
    `label`, `signed`, `quotation` or `letter`; past ten thousand stretches the rest of the message is one, labelled
    `many`. `known`: what is marked already (what we rendered, what a tool said), which introduces nothing. `letter`:
    the message is a letter, so that its form does not make it somebody else's.

    >>> [(s.start, s.end, s.label) for s in third_party_spans("see\n> I owe you\nthat is wrong")]
    [(4, 15, 'quote')]
    """
    found: list[Found] = []
    if ">" in text or "```" in text or "~~~" in text or "＞" in text or "&" in text or "»" in text:
        found.extend(_limited(text, _blocks(text)))
        if "```" in text:
            found.extend(_limited(text, _inline_code(text)))
        if "<" in text:
            found.extend(_limited(text, _html(text)))
    if "|" in text:
        found.extend(_limited(text, ((rows.start(), rows.end(), "table") for rows in _ROWS.finditer(text))))
    if may_be_mail(text):
        found.extend(_limited(text, mail_parts(text, _flat(found))))
    marked = [(span.start, span.end, span.label) for span in known]
    found.extend(_limited(text, labelled(text, _flat([*found, *marked]))))
    found.extend(_limited(text, quotations(text)))
    found.extend(introduced(text, _flat([*found, *marked]), letter=letter))
    return bounded(SpanKind.THIRD_PARTY, _flat(found)) if found else ()


def quoted_blocks(text: str) -> list[Found]:
    """Quoted lines and code fences, sorted and without overlaps."""
    return _flat(list(_limited(text, _blocks(text))))


def _limited(text: str, found: Iterator[Found]) -> Iterator[Found]:
    """A message with thousands of quotes is no longer somebody's own: the rest of it counts as quoted."""
    for number, one in enumerate(found):
        if number == MAX_SPANS:
            yield one[0], len(text), MANY
            return
        yield one


def _blocks(text: str) -> Iterator[Found]:
    """Quoted lines and code fences."""
    place = 0
    while (block := _BLOCK.search(text, place)) is not None:
        place = block.end()
        if block[1] is not None:
            more = _QUOTED.match(text, place)
            place = more.end() if more is not None else place
            yield block.start(), place, "quote"
        elif not (block[2][0] == "`" and "`" in block[3]):
            place = _fence_end(text, place, block[2])
            yield block.start(), place, "code"


def _fence_end(text: str, place: int, mark: str) -> int:
    """The end of the line that closes a fence, or of the text."""
    while (block := _BLOCK.search(text, place)) is not None:
        place = block.end()
        if block[2] is not None and block[2].startswith(mark) and not block[3].strip(" \t"):
            return place
    return len(text)


def _inline_code(text: str) -> Iterator[Found]:
    """Chat style: ```code``` within a line or across lines, when it is closed by as many backticks."""
    opened: dict[int, int] = {}
    for ticks in _TICKS.finditer(text):
        length = ticks.end() - ticks.start()
        begin = opened.pop(length, None)
        if begin is None:
            opened[length] = ticks.start()
        else:
            opened.clear()
            yield begin, ticks.end(), "code"


def _html(text: str) -> Iterator[Found]:
    """`<blockquote>`, `<pre>` and `<code>` up to the closing tag, or to the end."""
    depth = begin = 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            begin = begin if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield begin, tag.end(), "html"
    if depth:
        yield begin, len(text), "html"


def _flat(found: list[Found]) -> list[Found]:
    """Sorted and without overlaps: a part that reaches into the one before it is joined to it."""
    flat: list[Found] = []
    for start, end, label in sorted(found, key=lambda one: (one[0], -one[1])):
        if start >= end:
            continue
        if flat and start < flat[-1][1]:
            flat[-1] = (flat[-1][0], max(flat[-1][1], end), flat[-1][2])
        else:
            flat.append((start, end, label))
    return flat
