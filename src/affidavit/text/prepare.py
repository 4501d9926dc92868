"""What happens to a text before it is stored: clean, mask, and mark what is not the speaker's own.

The only module of this room that the write path calls for contents and metadata.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, Union

from affidavit.errors import LimitError
from affidavit.text.clean import clean
from affidavit.text.secrets.fields import masked_field
from affidavit.text.secrets.masking import mask_edits, mask_spans, moved
from affidavit.text.spans import Found, Span, SpanKind, bounded, ordered
from affidavit.text.whose.quoting import third_party_spans
from affidavit.text.whose.watermark import echo_spans

JSON: TypeAlias = Union[bool, int, float, str, "list[JSON]", "dict[str, JSON]", None]

# Deeper values can't come from a caller (the limit table is stricter); this only keeps recursion safe.
_DEEPEST = 200


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text as it is stored, and its marked stretches, sorted by start."""

    text: str
    spans: tuple[Span, ...]


def prepare(
    text: str, *, user_message: bool, letter: bool = False, borrowed: Sequence[Found] = ()
) -> Prepared:
    """Clean and mask a text, and mark third-party parts (of a message that somebody speaks himself) and echoes.

    `letter`: it is one, so that a greeting and a signature in it are its writer's own. `borrowed` are stretches known
    to be somebody else's words, as sorted `(start, end, label)` in `text`. Never raises on any `str`.
    Spans are offsets in the returned text; those of different kinds may overlap. Preparing a prepared text leaves
    it as it is. A document is prepared whole, before it is cut into chunks (`affidavit.text.spans.within` gives a
    chunk its share of the spans).

    >>> prepare("my password is hunter2", user_message=True).text
    'my password is [secret:password]'
    """
    text, replaced = clean(text)
    text, passes = mask_edits(text)
    spans = list(_kept(replaced, passes)) if replaced and passes else list(replaced)
    spans.extend(mask_spans(text))
    echoes = echo_spans(text)
    known = bounded(
        SpanKind.THIRD_PARTY, [(*_carried(one[:2], passes), one[2]) for one in borrowed] if borrowed else ()
    )
    if user_message:
        spans.extend(third_party_spans(text, known=(*echoes, *known), letter=letter))
    spans.extend(known)
    spans.extend(echoes)
    return Prepared(text, ordered(spans) if len(spans) > 1 else tuple(spans))


def _kept(spans: tuple[Span, ...], passes: list[list[tuple[int, int, str]]]) -> list[Span]:
    """Where replaced characters stand after masking; those inside a masked secret are gone with it."""
    starts = moved([span.start for span in spans], passes)
    ends = moved([span.end - 1 for span in spans], passes)
    kept: list[Span] = []
    for span, start, end in zip(spans, starts, ends, strict=True):
        if start is not None and end is not None and end >= start:
            kept.append(Span(span.kind, start, end + 1, span.label))
    return kept


def _carried(stretch: tuple[int, int], passes: list[list[tuple[int, int, str]]]) -> tuple[int, int]:
    """Where a stretch stands after masking: a secret that reaches into it belongs to it."""
    start, end = stretch
    for edits in passes:
        first, last = start, end
        shift = 0
        for begin, stop, replacement in edits:
            grown = shift + len(replacement) - (stop - begin)
            if stop <= start:
                first = start + grown
            elif begin < start:
                first = begin + shift
            if begin < end:
                last = (stop if stop > end else end) + grown
            shift = grown
        start, end = first, last
    return start, end


def mask_value(value: JSON) -> JSON:
    """A copy of nested JSON in which every string, keys too, is cleaned and masked; the input is not changed.

    A key such as `password` says that its value is a secret, whatever the value looks like. Two keys that
    would become the same get a number. Nesting past 200 levels is a `LimitError`.
    """
    return _masked(value, 0)


def _masked(value: JSON, depth: int) -> JSON:
    if depth > _DEEPEST:
        raise LimitError(f"a value is nested deeper than {_DEEPEST} levels", hint="flatten it")
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, list | tuple):
        return [_masked(one, depth + 1) for one in value]
    if isinstance(value, dict):
        copy: dict[str, JSON] = {}
        for key, one in value.items():
            hidden = masked_field(key, one) if isinstance(key, str) else None
            copy[_free(copy, _plain(key) if isinstance(key, str) else key)] = (
                hidden if hidden is not None else _masked(one, depth + 1)
            )
        return copy
    return value


def _plain(text: str) -> str:
    return mask_edits(clean(text)[0])[0]


def _free(taken: dict[str, JSON], key: str) -> str:
    name, number = key, 2
    while name in taken:
        name, number = f"{key}#{number}", number + 1
    return name
