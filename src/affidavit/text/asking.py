"""What a question asks for, read from its words without a model: which relation, about whom, when, what kind of value.

The table `lang/questions.toml` spells how people ask; this engine knows no language. A question that no entry fits is
still read: what kind of value it wants, whom it names, and which of its words carry it.

Rules: any text is a question and nothing raises; what is given back of it are slices of the text; letter case decides
nothing but which words may be names.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from affidavit.text.dates import Dated, dates_in
from affidavit.text.likeness import same_form
from affidavit.text.stopwords import ENGLISH, STOP_WORDS
from affidavit.text.tables import LANGUAGES, package_table
from affidavit.text.templates import ANYTHING, Pattern, Templates, Words
from affidavit.text.view import View, folded, view

__all__ = ["Asking", "Speech", "Wanted", "is_first_person", "is_second_person", "kindred", "named", "read_question", "speech"]

_LONGEST: Final = 400
"""Characters of a question that are matched with the entries; a longer one is searched for by its words alone."""
_ENDS: Final = " \t\r\n?？!！.。,，;；:：\"'“”«»¿¡…"
_SLOTS: Final = {
    "object": ANYTHING,
    "about": ANYTHING,
    "value": ANYTHING,
    "qualifier": r"[^\n]{1,40}?",
}
_UNCASED: Final = r"\W\d_\u3000-\u9fff\uac00-\ud7a3"
_NAME: Final = re.compile(rf"[^{_UNCASED}]+(?:[-'’.][^{_UNCASED}]+)*")
_NEAR: Final = 20
"""Characters between "my" and the word for somebody: "my little sister"."""
_POSSESSIVE: Final = re.compile(r"'s name is\s+")
_GRAMMAR: Final = ENGLISH.union(*STOP_WORDS.values())


class Wanted(StrEnum):
    """The kind of value that is asked for."""

    PLACE = "place"
    DATE = "date"
    PERSON = "person"
    NUMBER = "number"
    THING = "thing"
    TRUTH = "truth"
    """Yes or no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A question taken apart.

    `relation`: what is asked for, by its name in `relations.toml`, None where no entry fits. `who`: whom the entry
    names, empty for the asker. `first`: whether the asker speaks of himself, `subject`: as the one who does it.
    `assistant`: whether what the assistant said is asked for. `object`: the value that a yes or no question is about,
    empty for any. `qualifier`: as in a statement. `about`: words that the statement has to hold;
    `cue`: one of these has to stand in it. `before`: the value before which another held, empty for the one that
    holds; None where it is not asked for. `ever`: whether any time will do. `dates`: the times it names.
    `names`: words that may name somebody or something. `content`: its words without those that only ask.
    """

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
    dates: tuple[Dated, ...]
    names: tuple[str, ...]
    content: str
    language: str


@dataclass(frozen=True, slots=True)
class Speech:
    """The words of answers in one language. `claims`: how to tell what somebody said, by his part in the talk."""

    unknown: str
    yes: str
    no: str
    conflict: str
    joined: str
    claims: Mapping[str, str]


class _Way(NamedTuple):
    relation: str
    wanted: Wanted
    cue: tuple[str, ...]
    patterns: tuple[Pattern, ...]


class _Table:
    """One language's ways to ask."""

    def __init__(self, code: str, raw: Mapping[str, Any]) -> None:
        self.code = code
        self.spaced: bool = raw["spaced"]
        self._raw = raw
        asker = Templates({}, {}, spaced=self.spaced).anywhere(raw["asker"]).pattern
        slots = {**_SLOTS, "who": rf"(?!{asker}){ANYTHING}"}
        if not self.spaced:
            slots["value"] = slots["who"]  # what held before the asker is not asked for
        self._templates = Templates(raw["words"], slots, spaced=self.spaced)

    @cached_property
    def ways(self) -> tuple[_Way, ...]:
        """Every way, in the table's order."""
        return tuple(
            _Way(
                one["relation"],
                Wanted.TRUTH if one.get("polar") else Wanted(one["wanted"]),
                tuple(one.get("cue", ())),
                tuple(Pattern(self._templates, say) for say in one["say"]),
            )
            for one in self._raw["ask"]
        )

    @cached_property
    def lead(self) -> re.Pattern[str]:
        return self._templates.repeated(self._raw["lead"])

    @cached_property
    def tail(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._found('tail').pattern})\Z")

    @cached_property
    def before(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._found('before').pattern})\Z")

    @cached_property
    def before_first(self) -> re.Pattern[str]:
        return self._templates.repeated(self._raw["before_first"])

    @cached_property
    def before_lead(self) -> re.Pattern[str]:
        return self._templates.repeated(self._raw["before_lead"])

    @cached_property
    def earlier(self) -> re.Pattern[str]:
        edge = r"(?=\W*\Z)" if self.spaced else ""
        return re.compile(rf"(?:{self._found('earlier').pattern}){edge}|{self._found('former').pattern}")

    @cached_property
    def ever(self) -> re.Pattern[str]:
        return self._found("ever")

    @cached_property
    def anything(self) -> re.Pattern[str]:
        return self._found("anything")

    @cached_property
    def first(self) -> re.Pattern[str]:
        return self._found("first")

    @cached_property
    def subject(self) -> re.Pattern[str]:
        return self._found("subject")

    @cached_property
    def second(self) -> re.Pattern[str]:
        return self._found("second")

    @cached_property
    def assistant(self) -> re.Pattern[str]:
        return self._found("assistant")

    def word(self, text: str) -> str:
        """An expression for a word as it stands."""
        plain = re.escape(folded(text))
        return rf"(?<!\w){plain}(?!\w)" if self.spaced else plain

    @property
    def tells_subject(self) -> bool:
        """Whether a sentence has a word for its subject."""
        return bool(self._raw["subject"])

    @cached_property
    def filler(self) -> re.Pattern[str]:
        return self._found("filler")

    @cached_property
    def mine(self) -> re.Pattern[str]:
        return self._found("mine")

    @cached_property
    def is_called(self) -> re.Pattern[str]:
        return self._found("is_called")

    @cached_property
    def wanted(self) -> tuple[tuple[Wanted, re.Pattern[str]], ...]:
        wanted = self._raw["wanted"]
        kinds = [(Wanted(name), entries) for name, entries in wanted.items() if name != "polar"]
        return tuple((kind, self._templates.anywhere(entries)) for kind, entries in kinds)

    @cached_property
    def polar(self) -> re.Pattern[str]:
        return self._templates.anywhere(self._raw["wanted"]["polar"])

    @cached_property
    def speech(self) -> Speech:
        return Speech(**self._raw["say"])

    def _found(self, name: str) -> re.Pattern[str]:
        return self._templates.anywhere(self._raw[name])


@cache
def _tables() -> dict[str, _Table]:
    raw = package_table("questions")
    return {code: _Table(code, raw[code]) for code in LANGUAGES}


def speech(language: str) -> Speech:
    """The words of answers in a language; in English where it has none."""
    known = _tables()
    return known.get(language, known["en"]).speech


@cache
def kindred(language: str) -> tuple[frozenset[str], ...]:
    """Groups of words for relatives that mean the same."""
    return tuple(frozenset(map(same_form, group)) for group in package_table("questions")[language]["kin"])


def is_first_person(text: str, language: str, *, subject: bool) -> bool:
    """Whether a text has words for its speaker; `subject`: such as say that he is the one who does it.

    True in a language that says so by the form of the verb.
    """
    table = _tables()[language]
    words = table.subject if subject else table.first
    return not table.tells_subject or words.search(view(text).text) is not None


def is_second_person(text: str, language: str) -> bool:
    """Whether a text has words for whom it speaks to."""
    return _tables()[language].second.search(view(text).text) is not None


def named(text: str, kinds: Collection[str], language: str) -> tuple[int, int] | None:
    """Where the name of somebody of these kinds stands: of "my sister Ana" or "my sister is called Ana" where Ana does.

    >>> start, end = named("my sister Ana moved", ["sister"], "en")
    >>> "my sister Ana moved"[start:end]
    'Ana'
    """
    table, seen = _tables()[language], view(text)
    for mine in table.mine.finditer(seen.text):
        for kind in kinds:
            word = re.compile(table.word(kind))
            found = word.search(seen.text, mine.end(), mine.end() + _NEAR + len(kind))
            if found is None:
                continue
            end = _passed(seen.text, found.end(), table)
            name = _NAME.match(text, seen.places[end]) if end < len(seen.text) else None
            if name is not None and name[0][0].isupper() and name[0].casefold() not in _GRAMMAR:
                return name.span()
    return None


def _passed(text: str, at: int, table: _Table) -> int:
    """Behind white space, and behind words such as "is called"."""
    at += len(text[at:]) - len(text[at:].lstrip())
    called = table.is_called.match(text, at)
    if called is None:
        called = _POSSESSIVE.match(text, at)
    return at if called is None else called.end()


def read_question(text: str, *, anchor: int, offset: int | None = None) -> Asking:
    """Take a question apart. `anchor`: the time as of which it is put, in UTC microseconds. Never raises.

    >>> asking = read_question("Where did I live before Lisbon?", anchor=0)
    >>> asking.relation, asking.wanted.value, asking.before
    ('home', 'place', 'Lisbon')
    """
    dates = tuple(dates_in(text, anchor=anchor, offset=offset))
    undated = _without(text, [one.at for one in dates])
    if len(text) <= _LONGEST:
        for reader in [_Reader(undated, table, dates) for table in _tables().values()]:
            found = reader.fitting()
            if found is not None:
                return found
    return _Reader(undated, _language_of(undated), dates).unfitting()


def _language_of(text: str) -> _Table:
    """The table whose question words come first in the text."""
    seen, tables = view(text).text, _tables()
    if any("\u3400" <= char <= "\u9fff" for char in seen):
        return tables["zh"]

    def many(table: _Table) -> int:
        return sum(pattern.search(seen) is not None for _, pattern in table.wanted) + 2 * (
            table.first.search(seen) is not None
        )

    return max((tables["en"], tables["es"]), key=many)


def _without(text: str, stretches: Sequence[tuple[int, int]]) -> str:
    """The text with white space for these stretches, as long as before."""
    out = list(text)
    for start, end in stretches:
        out[start:end] = " " * (end - start)
    return "".join(out)


class _Reader:
    """One question, one language. Offsets are those of the view, in which what was read is white space."""

    def __init__(self, text: str, table: _Table, dates: tuple[Dated, ...]) -> None:
        self._seen: View = view(text)
        self._table = table
        self._dates = dates
        self._text = self._seen.text
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
        for way in self._table.ways:
            for pattern in way.patterns:
                if words.may_match(pattern.keys):
                    match = pattern.regex.fullmatch(self._text, self._start, self._end)
                    if match is not None:
                        return self._fitted(way, match)
        return None

    def _shorten(self) -> None:
        """Leave out what stands round the question: words before it and behind it, "before X", "previous"."""
        lead = self._table.lead.match(self._text, self._start, self._end)
        if lead is not None and lead.end() < self._end:
            self._start, self._end = self._trimmed(lead.end(), self._end)
        value = self._table.before_first.match(self._text, self._start, self._end)
        if value is not None and value.end() < self._end:
            self._start, self._end = self._trimmed(value.end(), self._end)
        else:
            value = self._cut(self._table.before)
        if value is not None:
            self._before = self._value(value)
        while found := self._table.earlier.search(self._text, self._start, self._end):
            self._before = self._before or ""
            self._blot(*found.span())
        while self._cut(self._table.tail):
            pass

    def _cut(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.search(self._text, self._start, self._end)
        if found is None or found.start() <= self._start:
            return None
        self._start, self._end = self._trimmed(self._start, found.start())
        return found

    def _value(self, found: re.Match[str]) -> str:
        start, end = found.span("value")
        lead = self._table.before_lead.match(self._text, start, end)
        return self._words(lead.end() if lead is not None and lead.end() < end else start, end)

    def _blot(self, start: int, end: int) -> None:
        self._text = self._text[:start] + " " * (end - start) + self._text[end:]
        self._start, self._end = self._trimmed(self._start, self._end)

    def _words(self, start: int, end: int) -> str:
        start, end = self._trimmed(start, end)
        if start >= end:
            return ""
        first, last = self._seen.back(start, end)
        return self._seen.source[first:last]

    def _slot(self, match: re.Match[str], name: str) -> str:
        if match.groupdict().get(name) is None:
            return ""
        return self._words(*match.span(name))

    def _fitted(self, way: _Way, match: re.Match[str]) -> Asking:
        named = self._slot(match, "object")
        anything = named and self._table.anything.fullmatch(view(named).text)
        return self._asking(
            relation=way.relation,
            wanted=way.wanted,
            who=self._slot(match, "who"),
            object="" if anything else named,
            qualifier=self._slot(match, "qualifier"),
            about=self._slot(match, "about"),
            cue=way.cue,
        )

    def unfitting(self) -> Asking:
        """What can be said of a question that no entry fits."""
        lead = self._table.lead.match(self._text, self._start, self._end)
        start = lead.end() if lead is not None and lead.end() < self._end else self._start
        wanted = Wanted.TRUTH if self._table.polar.match(self._text, start, self._end) else self._kind()
        return self._asking(relation=None, wanted=wanted)

    def _kind(self) -> Wanted:
        """The kind whose words come first."""
        found = [(match.start(), -match.end(), kind) for kind, match in self._asked()]
        return min(found)[2] if found else Wanted.THING

    def _asked(self) -> Iterator[tuple[Wanted, re.Match[str]]]:
        for kind, pattern in self._table.wanted:
            match = pattern.search(self._seen.text)
            if match is not None:
                yield kind, match

    def _asking(
        self,
        *,
        relation: str | None,
        wanted: Wanted,
        who: str = "",
        object: str = "",
        qualifier: str = "",
        about: str = "",
        cue: tuple[str, ...] = (),
    ) -> Asking:
        return Asking(
            relation=relation,
            wanted=wanted,
            who=who,
            first=self._table.first.search(self._seen.text) is not None,
            subject=self._table.subject.search(self._seen.text) is not None,
            assistant=self._table.assistant.search(self._seen.text) is not None,
            object=object,
            qualifier=qualifier,
            about=about,
            cue=cue,
            before=self._before,
            ever=self._table.ever.search(self._seen.text) is not None,
            dates=self._dates,
            names=tuple(_names(self._seen.source)),
            content=self._content(),
            language=self._table.code,
        )

    def _content(self) -> str:
        """The question without what only asks: lead words, and the words that say what kind of value is wanted."""
        text = self._seen.source
        lead = self._table.lead.match(self._seen.text, self._start if self._start == 0 else 0)
        gone = [lead.span()] if lead is not None else []
        gone += [match.span() for _, match in self._asked()]
        text = _without(text, [self._seen.back(*span) for span in gone if span[0] < span[1]])
        return self._table.filler.sub("", text)


def _names(text: str) -> Iterator[str]:
    """Words that may be names: written with a capital, and no grammar. The first word has one anyway."""
    seen: set[str] = set()
    for match in _NAME.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("’s")
        plain = word.casefold()
        if not text[: match.start()].strip(_ENDS) and word == match[0]:
            continue
        if word[:1].isupper() and len(word) > 1 and plain not in _GRAMMAR and plain not in seen:
            seen.add(plain)
            yield word
