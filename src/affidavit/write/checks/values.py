"""Check `values`: numbers, codes, dates, amounts, e-mails, urls and accounts of a statement stand in its quote.

What follows from a date in the quote stands there too. Compared exactly: another digit is another account.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from affidavit.core.authority import Authority, Role
from affidavit.core.candidates import Check, Slot
from affidavit.core.when import MINUTE, When
from affidavit.errors import DateError
from affidavit.text.evidence.quotes import fold, stands
from affidavit.text.evidence.signs import number_words
from affidavit.text.evidence.slots import evidence_of, slots_of, values_of
from affidavit.text.lexicon.stopwords import ENGLISH
from affidavit.write.checks.draft import Draft, Refusal, refuse
from affidavit.write.checks.evidence import Quote, Told

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_SLOTS: Final = 20


def check_values(draft: Draft) -> Refusal | None:
    """Refuse a value that nobody said; keep only times that follow from the quote."""
    quote = draft.quotes[0]
    draft.said = replace(
        draft.said, begins=_placed(draft.said.begins, quote), occurred=_placed(draft.said.occurred, quote)
    )
    said = draft.said
    if draft.confirmed:
        return None
    known = frozenset().union(
        *(evidence_of(one.text) | number_words(one.passage.quote) for one in draft.quotes)
    )
    for when in (said.begins, said.occurred):
        known |= _written(when)
    for text in (said.text, said.object or "", said.qualifier or ""):
        if values_of(text) - known:
            hint = "quote the words in which the number, date, code or address stands, exactly as it stands there"
            return refuse(Check.VALUES, "value_not_in_quote", hint, quote)
    return None


def _placed(when: When | None, quote: Quote) -> When | None:
    """The time, if the words of the quote's sentence say it; without its place where only the words do."""
    if when is None:
        return None
    start, end = quote.around
    read = [one.time for one in quote.told.read if one.start < quote.end and one.end > quote.start]
    inside, around = quote.told.times(quote.start, quote.end), quote.told.times(start, end)
    # A time outside the quote is about it where it is the only one of the sentence.
    for time in [*read, *inside, *(around if len(around) == 1 else ())]:
        if time is not None and (time.start, time.end) == (when.start, when.end):
            return when
    if not when.text or not stands(fold(quote.told.row.text[start:end]), when.text):
        return None
    return when if _is_stated(when) else When.unknown(when.text)


def _is_stated(when: When) -> bool:
    """Whether the words are a date in full, and the time is that date."""
    try:
        stated = When.parse(when.text)
    except DateError:
        return False
    return (stated.start, stated.end) == (when.start, when.end)


def _written(when: When | None) -> frozenset[str]:
    """The values by which a text may write a time."""
    if when is None:
        return frozenset()
    found: set[str] = set()
    for us in (when.start, when.end):
        if us is None:
            continue
        local = us + (when.offset or 0) * MINUTE
        for one in (local, local - 1):
            try:
                at = _EPOCH + timedelta(microseconds=one)
            except OverflowError:
                continue
            found |= {at.date().isoformat(), f"{at:%Y-%m}", f"{at.year:04d}", f"{at:%H:%M}", str(at.day)}
            found |= {f"{at.day:02d}", f"{at.year}年{at.month}月{at.day}日"}
    return frozenset(found)


def slots(draft: Draft, text: str, told: Sequence[Told]) -> tuple[Slot, ...]:
    """The values of a text, each with the part that supplied it: of several, the one that may be relied on most.

    What an assistant says that somebody less trusted said before was supplied by him.
    """
    found: dict[tuple[str, str], Slot] = {}
    for source in (draft.said.object or "", text):
        for name, value in _named(source, draft.quotes[0].told, sentence=source is text):
            suppliers = [quote for quote in draft.quotes if _holds(quote.text, value)]
            if (name, value) in found or not suppliers:
                continue
            best = max(suppliers, key=lambda quote: quote.authority.rank)
            authority, episode = supplied(best, value, told)
            found[name, value] = Slot(name=name, value=value, source=episode, authority=authority)
    return tuple(found.values())[:_MOST_SLOTS]


def _named(source: str, told: Told, *, sentence: bool) -> list[tuple[str, str]]:
    """The values of a text that make slots: what each is, and itself."""
    dates = [one.at for one in told.dates(source)]
    found = [("date", source[start:end]) for start, end in dates]
    for one in slots_of(source):
        value = source[one.start : one.end]
        dated = any(one.start < end and one.end > start for start, end in dates)
        if one.name == "name":
            dated = dated or not _is_name(value, one.start, sentence=sentence)
        if one.name != "number" and not dated:
            found.append((one.name, value))
    return found


def _is_name(value: str, start: int, *, sentence: bool) -> bool:
    """Whether a word with a capital is a name, and not the first of a sentence."""
    return value[0].isupper() and value.casefold() not in ENGLISH and (start > 0 or not sentence)


def _holds(text: str, value: str) -> bool:
    return value in text or stands(fold(text), value)


def supplied(quote: Quote, value: str, told: Sequence[Told]) -> tuple[Authority, str]:
    """How far a value in a quote may be relied on, and the episode that supplied it."""
    own = (quote.authority, quote.told.row.id)
    if quote.told.role is not Role.ASSISTANT or not any(char.isdigit() or char == "@" for char in value):
        return own
    before = [one for one in told if one.seq < quote.told.seq and _holds_value(one, value)]
    lowest = min(before, key=lambda one: (one.authority.rank, one.seq), default=None)
    if lowest is None or lowest.authority >= quote.authority:
        return own
    return lowest.authority, lowest.row.id


def _holds_value(told: Told, value: str) -> bool:
    return value in told.row.text or stands(told.folded, value)
