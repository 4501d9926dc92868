"""Marked stretches of a stored text: what was masked or replaced, and which words are not the speaker's own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from affidavit.errors import InputError

# A hostile text could ask for a million spans; past this many of one kind the rest become one wide span.
MAX_SPANS = 10_000
MANY = "many"

Found: TypeAlias = tuple[int, int, str]
"""A stretch that a rule found in a text: start, end, label."""


class SpanKind(StrEnum):
    """Why a stretch of text is marked."""

    MASKED = "masked"  # a secret stood here
    REPLACED = "replaced"  # characters that can't be stored stood here
    THIRD_PARTY = "third_party"  # quoted, pasted or forwarded: not the speaker's own words
    ECHO = "echo"  # context that we rendered, come back


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch `[start, end)` of the stored text, in code points; `label` says which rule or form.

    >>> Span(SpanKind.MASKED, 3, 9, "token").to_list()
    ['masked', 3, 9, 'token']
    """

    kind: SpanKind
    start: int
    end: int
    label: str = ""

    def to_list(self) -> list[str | int]:
        """The span as a JSON-ready list `[kind, start, end, label]`."""
        return [self.kind.value, self.start, self.end, self.label]

    @classmethod
    def from_list(cls, value: Sequence[object]) -> "Span":
        """Read what `to_list` wrote; anything else is an `InputError`."""
        match value:
            case [str(kind), int(start), int(end), str(label)] if 0 <= start <= end and kind in _KINDS:
                return cls(SpanKind(kind), start, end, label)
        raise InputError(f"{value!r} is not a span", hint="a span is [kind, start, end, label]")


_KINDS = frozenset(kind.value for kind in SpanKind)


def ordered(spans: Iterable[Span]) -> tuple[Span, ...]:
    """By start, then end, kind and label; repeated spans once."""
    return tuple(sorted(set(spans), key=lambda span: (span.start, span.end, span.kind, span.label)))


def bounded(kind: SpanKind, found: Sequence[Found]) -> tuple[Span, ...]:
    """Spans of one kind from sorted `(start, end, label)`; past `MAX_SPANS` the rest is one span labelled `many`."""
    if len(found) <= MAX_SPANS:
        return tuple(Span(kind, start, end, label) for start, end, label in found)
    kept = [Span(kind, start, end, label) for start, end, label in found[: MAX_SPANS - 1]]
    return (*kept, Span(kind, found[MAX_SPANS - 1][0], found[-1][1], MANY))


def within(spans: Iterable[Span], start: int, end: int) -> tuple[Span, ...]:
    """The parts of the spans that lie in `[start, end)`, with offsets counted from `start` (for a chunk)."""
    return tuple(
        Span(span.kind, max(span.start, start) - start, min(span.end, end) - start, span.label)
        for span in spans
        if span.start < end and span.end > start
    )
