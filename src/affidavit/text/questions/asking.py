"""What a question asks for, read from its words without a model: which relation, about whom, when, what kind of value.

The table `lang/questions.toml` spells how people ask; this engine knows no language. A question that no entry fits is
still read: what kind of value it wants, whom it names, and which of its words carry it.

Rules: any text is a question and nothing raises; what is given back of it are slices of the text; letter case decides
nothing but which words may be names.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import language_of
from affidavit.text.frames.owners import Owned, owned
from affidavit.text.lang.tables import can_be
from affidavit.text.lang.templates import Gated, Words
from affidavit.text.lexicon.stopwords import GRAMMAR
from affidavit.text.questions.covering import content_words
from affidavit.text.questions.question_words import NAME, QuestionTable, Wanted, Way, question_tables
from affidavit.text.times.dates import Dated, dates_in
from affidavit.text.view import View, view

_LONGEST: Final = 400
"""Characters of a question that are matched with the entries; a longer one is searched for by its words alone."""
_ENDS: Final = " \t\r\n?？!！.。,，;；:：\"'“”«»¿¡…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A question taken apart.

    `text`: the question, without the times it names. `relation`: what is asked for, by its name in `relations.toml`,
    None where no entry fits. `who`: whom the entry names, empty for the asker. `first`: whether the asker speaks of
    himself, `subject`: as the one who does it. `assistant`: whether what the assistant said is asked for. `object`:
    the value that a yes or no question is about, empty for any. `qualifier`: as in a statement. `about`: words that
    the statement has to hold; `cue`: one of these has to stand in it. `before`: the value before which another held,
    empty for the one that holds; None where it is not asked for. `ever`: whether any time will do; `past`: whether it
    asks of a time that is over, and names none. `dates`: the times it names. `names`: words that may name somebody or
    something. `content`: its words without those that only ask. `owned`: what it is about that somebody has, and
    whose that is.
    """

    text: str
    relation: str | None
    wanted: Wanted
    who: str
    first: bool
    subject: bool
    assistant: bool
    object: str
    qualifier: str
    about: str
    cue: tuple[str, ...]
    before: str | None
    ever: bool
    past: bool
    dates: tuple[Dated, ...]
    names: tuple[str, ...]
    content: str
    owned: Owned
    language: str


def read_question(text: str, *, anchor: int, offset: int | None = None) -> Asking:
    """Take a question apart. `anchor`: the time as of which it is put, in UTC microseconds. Never raises.

    >>> asking = read_question("Where did I live before Lisbon?", anchor=0)
    >>> asking.relation, asking.wanted.value, asking.before
    ('home', 'place', 'Lisbon')
    """
    dates = tuple(dates_in(text, anchor=anchor, offset=offset))
    undated = _without(text, [one.at for one in dates])
    if len(text) <= _LONGEST:
        for code, table in question_tables().items():
            if not can_be(code, undated):
                continue
            found = _Reader(undated, table, dates).fitting()
            if found is not None:
                return found
    return _Reader(undated, _language_of(undated), dates).unfitting()


def _language_of(text: str) -> QuestionTable:
    """The table of the language that the text's small words show; English where they show another, or none."""
    tables = question_tables()
    return tables.get(language_of(plain(text)), tables["en"])


def _without(text: str, stretches: Sequence[tuple[int, int]]) -> str:
    """The text with white space for these stretches, as long as before."""
    out = list(text)
    for start, end in stretches:
        out[start:end] = " " * (end - start)
    return "".join(out)


class _Reader:
    """One question, one language. Offsets are those of the view, in which what was read is white space."""

    def __init__(self, text: str, table: QuestionTable, dates: tuple[Dated, ...]) -> None:
        self._seen: View = view(text)
        self._table = table
        self._dates = dates
        self._text = self._seen.text
        self._words = Words(self._text, spaced=table.spaced)
        self._start, self._end = self._trimmed(0, len(self._text))
        self._before: str | None = None

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        end = start + len(self._text[start:end].rstrip(_ENDS))
        return start + len(self._text[start:end]) - len(self._text[start:end].lstrip(_ENDS)), end

    def fitting(self) -> Asking | None:
        """What it asks for by an entry of the table; None where none fits."""
        whole = self._start, self._end
        self._shorten()
        found = self._fit()
        if found is None and self._before is None:
            self._start, self._end = whole
            found = self._fit()
        return found

    def _fit(self) -> Asking | None:
        words = Words(self._text[self._start : self._end], spaced=self._table.spaced)
        for _, pattern, way in self._table.ways.within(words):
            match = pattern.regex.fullmatch(self._text, self._start, self._end)
            if match is not None:
                return self._fitted(way, match)
        return None

    def _shorten(self) -> None:
        """Leave out what stands round the question: words before it and behind it, "before X", "previous"."""
        lead = self._words.pattern(self._table.lead).match(self._text, self._start, self._end)
        if lead is not None and lead.end() < self._end:
            self._start, self._end = self._trimmed(lead.end(), self._end)
        value = self._words.pattern(self._table.before_first).match(self._text, self._start, self._end)
        if value is not None and value.end() < self._end:
            self._start, self._end = self._trimmed(value.end(), self._end)
        else:
            value = self._cut(self._table.before)
        if value is not None:
            self._before = self._value(value)
        while found := self._words.pattern(self._table.earlier).search(self._text, self._start, self._end):
            self._before = self._before or ""
            self._blot(*found.span())
        while self._cut(self._table.tail):
            pass

    def _cut(self, gated: Gated) -> re.Match[str] | None:
        found = self._words.pattern(gated).search(self._text, self._start, self._end)
        if found is None or found.start() <= self._start:
            return None
        self._start, self._end = self._trimmed(self._start, found.start())
        return found

    def _value(self, found: re.Match[str]) -> str:
        start, end = found.span("value")
        lead = self._words.pattern(self._table.before_lead).match(self._text, start, end)
        return self._slice(lead.end() if lead is not None and lead.end() < end else start, end)

    def _blot(self, start: int, end: int) -> None:
        self._text = self._text[:start] + " " * (end - start) + self._text[end:]
        self._start, self._end = self._trimmed(self._start, self._end)

    def _slice(self, start: int, end: int) -> str:
        start, end = self._trimmed(start, end)
        if start >= end:
            return ""
        first, last = self._seen.back(start, end)
        return self._seen.source[first:last]

    def _slot(self, match: re.Match[str], name: str) -> str:
        if match.groupdict().get(name) is None:
            return ""
        return self._slice(*match.span(name))

    def _fitted(self, way: Way, match: re.Match[str]) -> Asking:
        named = self._slot(match, "object")
        anything = named and self._table.anything.regex.fullmatch(view(named).text)
        return self._asking(
            relation=way.relation,
            wanted=way.wanted,
            who=self._slot(match, "who"),
            value="" if anything else named,
            qualifier=self._slot(match, "qualifier"),
            about=self._slot(match, "about"),
            cue=way.cue,
        )

    def unfitting(self) -> Asking:
        """What can be said of a question that no entry fits."""
        lead = self._words.pattern(self._table.lead).match(self._text, self._start, self._end)
        start = lead.end() if lead is not None and lead.end() < self._end else self._start
        polar = self._words.pattern(self._table.polar).match(self._text, start, self._end)
        wanted = Wanted.TRUTH if polar else self._kind()
        return self._asking(relation=None, wanted=wanted)

    def _kind(self) -> Wanted:
        """The kind whose words come first."""
        found = [(match.start(), -match.end(), kind) for kind, match in self._asked()]
        return min(found)[2] if found else Wanted.THING

    def _asked(self) -> Iterator[tuple[Wanted, re.Match[str]]]:
        for kind, gated in self._table.wanted:
            match = self._words.pattern(gated).search(self._seen.text)
            if match is not None:
                yield kind, match

    def _asking(
        self,
        *,
        relation: str | None,
        wanted: Wanted,
        who: str = "",
        value: str = "",
        qualifier: str = "",
        about: str = "",
        cue: tuple[str, ...] = (),
    ) -> Asking:
        content = self._content()
        return Asking(
            text=self._seen.source,
            relation=relation,
            wanted=wanted,
            who=who,
            first=self._words.pattern(self._table.first).search(self._seen.text) is not None,
            subject=self._words.pattern(self._table.subject).search(self._seen.text) is not None,
            assistant=self._words.pattern(self._table.assistant).search(self._seen.text) is not None,
            object=value,
            qualifier=qualifier,
            about=about,
            cue=cue,
            before="" if self._before is None and relation and self._is_over(wanted) else self._before,
            ever=self._words.pattern(self._table.ever).search(self._seen.text) is not None,
            past=not self._dates
            and self._words.pattern(self._table.past).search(self._seen.text) is not None,
            dates=self._dates,
            names=tuple(_names(self._seen.source)),
            content=content,
            owned=owned(self._seen.source, [word.text for word in content_words(content)], self._table.code),
            language=self._table.code,
        )

    def _is_over(self, wanted: Wanted) -> bool:
        """Whether it asks for a value that holds no more: "where did I live?"."""
        asks_value = wanted is not Wanted.TRUTH and not self._dates
        return asks_value and self._words.pattern(self._table.over).search(self._seen.text) is not None

    def _content(self) -> str:
        """The question without what only asks: lead words, and the words that say what kind of value is wanted."""
        text = self._seen.source
        lead = self._words.pattern(self._table.lead).match(
            self._seen.text, self._start if self._start == 0 else 0
        )
        gone = [lead.span()] if lead is not None else []
        gone += [match.span() for _, match in self._asked()]
        text = _without(text, [self._seen.back(*span) for span in gone if span[0] < span[1]])
        return self._words.pattern(self._table.filler).sub(" ", text)


def _names(text: str) -> Iterator[str]:
    """Words that may be names: written with a capital, and no grammar. The first word has one anyway."""
    seen: set[str] = set()
    for match in NAME.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("’s")
        plain = word.casefold()
        if not text[: match.start()].strip(_ENDS) and word == match[0]:
            continue
        if word[:1].isupper() and len(word) > 1 and plain not in GRAMMAR and plain not in seen:
            seen.add(plain)
            yield word
