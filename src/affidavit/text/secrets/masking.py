"""Secrets are masked before anything else sees the text: no hash, index, log, model or row ever holds one.

What counts is told by shape (`shapes`, `hashlike`), by a keyword before it (`words`) and by
the check sum of payment cards (`cards`). Masking is idempotent: `[secret:<label>]` is opaque to every rule.
"""

import re

from affidavit.text.secrets import cards, hashlike, shapes, words
from affidavit.text.spans import Span, SpanKind, bounded

LABELS = ("api_key", "token", "jwt", "authorization", "password", "pin", "card", "private_key", "secret")
_MASK = re.compile(rf"\[secret:({'|'.join(LABELS)})\]")
_OPENING = "[secret:"
_MANY_DIGITS = re.compile(r"\d(?:[^\d\n]{0,3}\d){11}")
# A second pass finds what the first one laid bare (a value whose neighbour was masked); more is never needed
# for text that people write.
_PASSES = 6

Edit = tuple[int, int, str]


def mask(text: str) -> tuple[str, tuple[Span, ...]]:
    """Every secret becomes `[secret:<label>]`; the spans cover those marks in the returned text.

    A mark that already stood in the text counts as masked too, so that masking twice changes nothing.

    >>> mask("remember my password is hunter2")[0]
    'remember my password is [secret:password]'
    """
    text, _ = mask_edits(text)
    return text, mask_spans(text)


def mask_spans(text: str) -> tuple[Span, ...]:
    """The marks that stand in a text."""
    if _OPENING not in text:
        return ()
    marks = [(mark.start(), mark.end(), mark[1]) for mark in _MASK.finditer(text)]
    return bounded(SpanKind.MASKED, marks)


def mask_edits(text: str) -> tuple[str, list[list[Edit]]]:
    """The masked text and, pass by pass, what was replaced: `(start, end, replacement)` in that pass's input."""
    passes: list[list[Edit]] = []
    for _ in range(_PASSES):
        found = _find(text)
        if not found:
            break
        edits = [(start, end, f"[secret:{label}]") for start, end, label in found]
        passes.append(edits)
        text = _apply(text, edits)
    return text, passes


def moved(places: list[int], passes: list[list[Edit]]) -> list[int | None]:
    """Where characters of the first input (sorted) stand after all passes; None for what was masked away."""
    now: list[int | None] = list(places)
    for edits in passes:
        index = shift = 0
        for number, place in enumerate(now):
            if place is None:
                continue
            while index < len(edits) and edits[index][1] <= place:
                shift += len(edits[index][2]) - (edits[index][1] - edits[index][0])
                index += 1
            inside = index < len(edits) and edits[index][0] <= place
            now[number] = None if inside else place + shift
    return now


def _find(text: str) -> list[Edit]:
    low = text.lower()
    found: list[Edit] = []
    if words.has_hint(low):
        found.extend(words.find_words(text, low if len(low) == len(text) else words.lowered(text)))
    if shapes.has_hint(text):
        found.extend(shapes.find_shapes(text))
    if len(text) >= hashlike.SHORTEST:
        found.extend(hashlike.find_hashlike(text))
    if len(text) > 11 and _MANY_DIGITS.search(text) is not None:
        found.extend(cards.find_cards(text))
    return _merged(text, found) if found else found


def _merged(text: str, found: list[Edit]) -> list[Edit]:
    """Sorted and free of overlaps; marks that stand in the text are never touched.

    A text with more than `MOST` secrets is a dump: from there on all of it is masked as one.
    """
    marks = [(mark.start(), mark.end()) for mark in _MASK.finditer(text)] if _OPENING in text else []
    merged: list[Edit] = []
    for start, end, label in sorted(found, key=lambda edit: (edit[0], -edit[1])):
        if merged and start < merged[-1][1]:
            first, last, kept = merged[-1]
            merged[-1] = (first, max(last, end), label if end - start > last - first else kept)
        else:
            merged.append((start, end, label))
    if len(merged) > words.MOST:
        start, _, label = merged[words.MOST]
        merged[words.MOST :] = [(start, merged[-1][1], label)]
        marks = [mark for mark in marks if mark[1] <= start]
    return _outside(merged, marks) if marks else merged


def _outside(edits: list[Edit], marks: list[tuple[int, int]]) -> list[Edit]:
    """Cut the marks out of the edits; both are sorted."""
    kept: list[Edit] = []
    index = 0
    for start, end, label in edits:
        while index < len(marks) and marks[index][1] <= start:
            index += 1
        place, at = start, index
        while at < len(marks) and marks[at][0] < end:
            if marks[at][0] > place:
                kept.append((place, marks[at][0], label))
            place = max(place, marks[at][1])
            at += 1
        if place < end:
            kept.append((place, end, label))
    return kept


def _apply(text: str, edits: list[Edit]) -> str:
    parts: list[str] = []
    place = 0
    for start, end, replacement in edits:
        parts.append(text[place:start])
        parts.append(replacement)
        place = end
    parts.append(text[place:])
    return "".join(parts)
