"""The words of questions and answers in each language: `lang/questions.toml`, read and compiled at first use."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from affidavit.text.evidence.likeness import same_form
from affidavit.text.lang.tables import LANGUAGES, package_table
from affidavit.text.lang.templates import ANYTHING, Gated, Matchable, Pattern, Templates
from affidavit.text.lexicon.stopwords import GRAMMAR
from affidavit.text.view import folded, view

_SLOTS: Final = {
    "object": ANYTHING,
    "about": ANYTHING,
    "value": ANYTHING,
    "qualifier": r"[^\n]{1,40}?",
}
_UNCASED: Final = r"\W\d_\u3000-\u9fff\uac00-\ud7a3"
NAME: Final = re.compile(rf"[^{_UNCASED}]+(?:[-'’.][^{_UNCASED}]+)*")
_NEAR: Final = 20
"""Characters between "my" and the word for somebody: "my little sister"."""
_SPACED: Final = re.compile(r"[ \t]+")
_JOINED: Final = re.compile(r"\.?[ \t]+")
_POSSESSIVE: Final = re.compile(r"'s name is\s+")


_Make: TypeAlias = Callable[[Sequence[str]], re.Pattern[str]]


class Wanted(StrEnum):
    """The kind of value that is asked for."""

    PLACE = "place"
    DATE = "date"
    PERSON = "person"
    NUMBER = "number"
    THING = "thing"
    TRUTH = "truth"
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class Speech:
    """The words of answers in one language.

    `claims`: how to tell what somebody said, by his part in the talk; `stale`: what may have changed since.
    """

    unknown: str
    yes: str
    no: str
    conflict: str
    joined: str
    stale: str
    claims: Mapping[str, str]


class Way(NamedTuple):
    """One way to ask for a relation: the kind of value, words of which the statement holds one."""

    relation: str
    wanted: Wanted
    cue: tuple[str, ...]


class QuestionTable:
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
    def ways(self) -> Matchable[Way]:
        """Every way, in the table's order."""
        return Matchable((Pattern(self._templates, say), way) for way, says in self._ways() for say in says)

    def _ways(self) -> Iterator[tuple[Way, Sequence[str]]]:
        for one in self._raw["ask"]:
            wanted = Wanted.TRUTH if one.get("polar") else Wanted(one["wanted"])
            yield Way(one["relation"], wanted, tuple(one.get("cue", ()))), one["say"]

    @cached_property
    def lead(self) -> Gated:
        """What stands before a question."""
        return self._gated("lead", self._templates.repeated)

    @cached_property
    def tail(self) -> Gated:
        """What stands behind one."""
        return self._gated("tail", self._last)

    @cached_property
    def before(self) -> Gated:
        """What says "before X" at the end."""
        return self._gated("before", self._last)

    @cached_property
    def before_first(self) -> Gated:
        """What says "before X" at the beginning."""
        return self._gated("before_first", self._templates.repeated)

    @cached_property
    def before_lead(self) -> Gated:
        """What stands before X itself: "I moved to"."""
        return self._gated("before_lead", self._templates.repeated)

    @cached_property
    def earlier(self) -> Gated:
        """That what held before is asked for."""
        edge = r"(?=\W*\Z)" if self.spaced else ""

        def made(_: object) -> re.Pattern[str]:
            return re.compile(rf"(?:{self._found('earlier').pattern}){edge}|{self._found('former').pattern}")

        return self._gated_by([*self._raw["earlier"], *self._raw["former"]], made)

    @cached_property
    def ever(self) -> Gated:
        """That any time will do."""
        return self._gated("ever")

    @cached_property
    def past(self) -> Gated:
        """That any time that is over will do, where none is named."""
        return self._gated("past")

    @cached_property
    def over(self) -> Gated:
        """That a value is asked for which holds no more, where no time is named."""
        return self._gated("over")

    @cached_property
    def anything(self) -> Gated:
        """A value that is any value."""
        return self._gated("anything")

    @cached_property
    def first(self) -> Gated:
        """Words for the speaker."""
        return self._gated("first")

    @cached_property
    def subject(self) -> Gated:
        """Words for the speaker as the one who does it."""
        return self._gated("subject")

    @cached_property
    def does(self) -> re.Pattern[str]:
        """Words for the speaker where he can only be who does it."""
        return self._found("does")

    @cached_property
    def bears(self) -> re.Pattern[str]:
        """Words for the speaker as to whom it is done."""
        return self._found("bears")

    @cached_property
    def second(self) -> re.Pattern[str]:
        """Words for whom one speaks to."""
        return self._found("second")

    @cached_property
    def suppose(self) -> re.Pattern[str]:
        """Words that make a sentence no statement of what is so."""
        return self._found("suppose")

    @cached_property
    def assistant(self) -> Gated:
        """That what the assistant said is asked for."""
        return self._gated("assistant")

    @cached_property
    def others(self) -> re.Pattern[str]:
        """Words for what is somebody else's."""
        return self._found("others")

    @cached_property
    def of(self) -> re.Pattern[str]:
        """The word before whom something belongs to."""
        return self._found("of")

    @cached_property
    def kind_of(self) -> re.Pattern[str]:
        """The word before what tells of which kind a thing is: "fiesta de cumpleaños"."""
        return self._found("kind_of")

    @cached_property
    def states(self) -> re.Pattern[str]:
        """Verbs behind what a sentence tells something of."""
        return self._found("states")

    @cached_property
    def times(self) -> re.Pattern[str]:
        """Times that something may be of: "today's exam"."""
        return self._found("times")

    @cached_property
    def near(self) -> re.Pattern[str]:
        """What may stand between "my" and whom it is about, all of it."""
        return re.compile(rf"\s*(?:(?:{self._found('near').pattern})\s*)*")

    @cached_property
    def titles(self) -> re.Pattern[str]:
        """Words before a name that are none."""
        return self._found("titles")

    @cached_property
    def peoples(self) -> re.Pattern[str]:
        """Words with a capital that are no names of people."""
        return self._found("peoples")

    @property
    def people(self) -> tuple[str, ...]:
        """Words for people, and for those who are spoken of."""
        return (*self._raw["words"]["kin"], *self._raw["people"], *self._raw["others"])

    @property
    def asker(self) -> str:
        """An expression for the asker."""
        return "|".join(map(re.escape, self._raw["asker"]))

    def word(self, text: str) -> str:
        """An expression for a word as it stands."""
        plain = re.escape(folded(text))
        return rf"(?<![\w-]){plain}(?![\w-])" if self.spaced else plain

    @property
    def tells_subject(self) -> bool:
        """Whether a sentence has a word for its subject."""
        return bool(self._raw["subject"])

    @cached_property
    def filler(self) -> Gated:
        """Words that ask nothing, wherever they stand."""
        return self._gated("filler")

    @cached_property
    def mine(self) -> re.Pattern[str]:
        """Words for what is the speaker's."""
        return self._found("mine")

    @cached_property
    def is_called(self) -> re.Pattern[str]:
        """What stands between somebody and his name."""
        return self._found("is_called")

    @cached_property
    def wanted(self) -> tuple[tuple[Wanted, Gated], ...]:
        """The words for each kind of value."""
        wanted = self._raw["wanted"]
        kinds = [(Wanted(name), entries) for name, entries in wanted.items() if name != "polar"]
        return tuple((kind, self._gated_by(entries, self._templates.anywhere)) for kind, entries in kinds)

    @cached_property
    def polar(self) -> Gated:
        """The words that begin a yes or no question."""
        return self._gated_by(self._raw["wanted"]["polar"], self._templates.anywhere)

    @cached_property
    def speech(self) -> Speech:
        """The words of answers."""
        return Speech(**self._raw["say"])

    def _found(self, name: str) -> re.Pattern[str]:
        return self._templates.anywhere(self._raw[name])

    def _last(self, templates: Sequence[str]) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._templates.anywhere(templates).pattern})\Z")

    def _gated(self, name: str, make: _Make | None = None) -> Gated:
        return self._gated_by(self._raw[name], make or self._templates.anywhere)

    def _gated_by(self, templates: Sequence[str], make: _Make) -> Gated:
        return Gated(self._templates.keys_of_any(templates), lambda: make(templates))


@cache
def question_tables() -> dict[str, QuestionTable]:
    """Every table, by language."""
    raw = package_table("questions")
    return {code: QuestionTable(code, raw[code]) for code in LANGUAGES}


def speech(language: str) -> Speech:
    """The words of answers in a language; in English where it has none."""
    known = question_tables()
    return known.get(language, known["en"]).speech


@cache
def kindred(language: str) -> tuple[frozenset[str], ...]:
    """Groups of words for relatives that mean the same."""
    return tuple(frozenset(map(same_form, group)) for group in package_table("questions")[language]["kin"])


def narrower(kind: str, language: str) -> tuple[str, ...]:
    """Words for what is of a kind, by a narrower name: sons and daughters are children."""
    form = same_form(kind)
    groups = package_table("questions")[language]["wider"]
    return tuple(word for kinds, words in groups if form in map(same_form, kinds) for word in words)


def is_first_person(text: str, language: str, *, subject: bool) -> bool:
    """Whether a text has words for its speaker; `subject`: such as say that he is the one who does it.

    True in a language that says so by the form of the verb.
    """
    table = question_tables()[language]
    words = (table.subject if subject else table.first).regex
    return not table.tells_subject or words.search(view(text).text) is not None


def is_second_person(text: str, language: str) -> bool:
    """Whether a text has words for whom it speaks to."""
    return question_tables()[language].second.search(view(text).text) is not None


def supposes(text: str, language: str) -> bool:
    """Whether a text says what might be, and not what is."""
    return question_tables()[language].suppose.search(view(text).text) is not None


def named(text: str, kinds: Collection[str], language: str) -> tuple[int, int] | None:
    """Where the name of somebody of these kinds stands: of "my sister Ana" or "my sister is called Ana" where Ana does.

    >>> start, end = named("my sister Ana moved", ["sister"], "en")
    >>> "my sister Ana moved"[start:end]
    'Ana'
    """
    table, seen = question_tables()[language], view(text)
    for mine in table.mine.finditer(seen.text):
        for kind in kinds:
            word = re.compile(table.word(kind))
            found = word.search(seen.text, mine.end(), mine.end() + _NEAR + len(kind))
            if found is None or not table.near.fullmatch(seen.text, mine.end(), found.start()):
                continue
            end = _passed(seen.text, found.end(), table)
            name = _name_at(text, seen.places[end], table) if end < len(seen.text) else None
            if name is not None:
                return name
    return None


def _name_at(text: str, start: int, table: QuestionTable) -> tuple[int, int] | None:
    """The whole name that begins there, with its title; not "Italian", and not "Ana" of "Ana's"."""
    end, last = start, ""
    while (found := NAME.match(text, end)) is not None and found[0][0].isupper():
        last = found[0].casefold()
        if last in GRAMMAR or last.endswith(("'s", "’s")):
            return None
        titled = table.titles.fullmatch(last) is not None
        end = found.end()
        behind = _JOINED.match(text, end) if titled else _SPACED.match(text, end)
        if behind is None or NAME.match(text, behind.end()) is None or not text[behind.end()].isupper():
            break
        end = behind.end()
    if not last or table.titles.fullmatch(last) or table.peoples.fullmatch(last):
        return None
    return start, end


def _passed(text: str, at: int, table: QuestionTable) -> int:
    """Behind white space, and behind words such as "is called"."""
    at += len(text[at:]) - len(text[at:].lstrip())
    called = table.is_called.match(text, at)
    if called is None:
        called = _POSSESSIVE.match(text, at)
    return at if called is None else called.end()
