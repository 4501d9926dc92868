"""A model's reply as candidates. Nothing of it is believed, and one bad statement costs none of the others."""

from collections.abc import Mapping
from typing import Any, Final

from affidavit.core.candidates import Candidate
from affidavit.core.memories import USER, Kind, Part
from affidavit.core.values import EpisodeRow
from affidavit.core.when import Basis, When
from affidavit.providers.consulting import UnusableReply
from affidavit.text.evidence.passages import plain, sentence_around
from affidavit.text.evidence.quotes import fold
from affidavit.text.evidence.signs import language_of
from affidavit.text.frames.statement import Certainty
from affidavit.text.loose_json import items_in
from affidavit.text.times.dates import Dated, dates_in, written
from affidavit.write.extract_prompt import Shown

NAME: Final = "model-1"
"""Name and version of how a model is asked and its reply is read; stamped on every memory found so."""
LIST: Final = "statements"
_USER: Final = frozenset({"", "user", "the user", "i", "me", "myself", "speaker"})
_NONE: Final = frozenset({"", "none", "null", "n/a"})
_NO: Final = frozenset({"", "0", "false", "no", "none", "null"})
_AHEAD: Final = frozenset({"plan", "deadline"})
_BACK: Final = str.maketrans({"‹": "<", "›": ">", "⏎": " "})
_UNKNOWN: Final = "unknown"
_LONGEST: Final = 4_000


class Reading:
    """Reads the replies to one question. `items` are the statements of the best reply so far, also of one cut off."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.lost = 0

    def read(self, text: str) -> None:
        """Take the statements in. Raises `UnusableReply` for a reply without any, or that was cut off."""
        found = items_in(text, LIST)
        if found is None:
            raise UnusableReply(f'there is no JSON object with a list "{LIST}" in it')
        items = [one for one in found.items if isinstance(one, dict | str) and one]
        if len(items) >= len(self.items):
            self.items, self.lost = items, found.lost + len(found.items) - len(items)
        if found.cut:
            raise UnusableReply("it ends in the middle of the JSON")
        if self.lost and not items:
            raise UnusableReply("no statement in it is an object with the fields that were asked for")


def candidate(item: Any, names: Mapping[str, Shown], *, model: str, prompt: str) -> Candidate:
    """What a model proposes, as a candidate; whatever it says is left for the checks to judge."""
    said: Mapping[str, Any] = item if isinstance(item, dict) else {"text": item}
    shown = names.get(_text(said.get("message")))
    row = None if shown is None else shown.row
    quote = _text(said.get("quote")) or _text(said.get("text"))
    quote = quote if row is None else _as_it_stands(quote, row)
    relation = _text(said.get("relation"))
    kind = _text(said.get("kind")) or Kind.FACT
    subject = _text(said.get("subject"))
    when = None if row is None else _when(said, quote, row)
    event = kind == Kind.EVENT
    known = relation.lower() not in _NONE
    return Candidate(
        text=_text(said.get("text")) or quote,
        kind=kind,  # type: ignore[arg-type]  # the checks look whether it is one
        parts=(Part(_UNKNOWN if row is None else row.id, quote=quote),),
        subject=USER if subject.lower() in _USER else subject,
        relation=relation if known else None,
        object=_text(said.get("value")) or None,
        qualifier=_text(said.get("qualifier")) or None,
        certainty=_text(said.get("certainty")) or Certainty.ASSERTED,  # type: ignore[arg-type]  # as above
        negated=_flag(said.get("negated")),
        ended=_flag(said.get("ended")),
        tense="future" if relation in _AHEAD else "now",
        begins=when if known and not event else None,
        occurred=when if event else None,
        extractor=NAME,
        model=model,
        prompt=prompt,
        language=language_of(plain(quote[:_LONGEST])),
    )


def _text(value: Any) -> str:
    """A field as text; numbers are taken as they are written."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _flag(value: Any) -> bool:
    return value if isinstance(value, bool) else _text(value).lower() not in _NO


def _as_it_stands(quote: str, row: EpisodeRow) -> str:
    """The quote without the marks by which the message was made inert, where those are not its own."""
    back = quote.translate(_BACK)
    return quote if back == quote or fold(quote).text in fold(row.text).text else back


def _when(said: Mapping[str, Any], quote: str, row: EpisodeRow) -> When | None:
    """When it begins or happens: a time that our own table reads in the words, never one of the model's making.

    The day or the words that the model gives only say which; words that can't be placed keep no time.
    """
    words, day = _text(said.get("date_words")), _text(said.get("date"))
    if not (words or day) or len(quote) > _LONGEST:
        return None
    place = row.text.find(quote)
    around = quote if place < 0 else row.text[slice(*sentence_around(row.text, place, place + len(quote)))]
    for text in dict.fromkeys((quote, around)):
        one = _meant(_dates(text, row), words, day, row.occurred_offset or 0)
        if one is not None:
            basis = Basis.RESOLVED if one.resolved else Basis.STATED
            return When(start=one.start, end=one.end, text=one.text, basis=basis, offset=row.occurred_offset)
    return When.unknown(words) if words and len(words) <= _LONGEST else None


def _dates(text: str, row: EpisodeRow) -> list[Dated]:
    anchor = row.recorded_at if row.occurred_start is None else row.occurred_start
    found = dates_in(text, anchor=anchor, offset=row.occurred_offset)
    return [one for one in found if row.occurred_start is not None or not one.resolved]


def _meant(found: list[Dated], words: str, day: str, offset: int) -> Dated | None:
    by_day = [one for one in found if day and written(one, offset) == day]
    by_words = [one for one in found if words and (words in one.text or one.text in words)]
    return next(iter([*by_day, *by_words, *(found if len(found) == 1 else ())]), None)
