"""The tables of `lang/`: what a language's words are, read and compiled at first use.

A table is package data, which is code: it is read through the import system (`pkgutil`), once in a process, and
no caller can choose the file.
"""

import pkgutil
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

from affidavit.text.lang.templates import ANYTHING, Pattern, Templates

LANGUAGES: Final = ("en", "es", "zh")
"""Languages that have a table."""

_BEYOND_ASCII: Final = frozenset({"zh"})
"""Languages of which every word and every template holds a character that is not ASCII."""
_STATES: Final = frozenset({"now", "begun", "future", "past", "ended", "dropped", "negated"})
_FIRST: Final = {"ended": 0, "dropped": 1, "negated": 2}
_SLOTS: Final = {
    "object": ANYTHING,
    "any": ANYTHING,
    "qualifier": r"[^\n]{1,40}?",
    # The number of an account; a sum of money; a number by which something is known; an address for mail.
    "account": (
        r"(?:[a-z]{2}[0-9]{2}(?:(?:[ -]?[a-z0-9]{4}){3,7}(?:[ -]?[a-z0-9]{1,3})?"
        r"|(?:[ -]?[a-z0-9]{4}){2}[ -]?[a-z0-9]{3})|[0-9](?:[ -]?[0-9]){5,29})(?![a-z0-9])"
    ),
    "figure": r"(?:[€$£¥] ?)?\d{1,3}(?:[.,']?\d{3})*(?:[.,]\d{1,2})?(?: ?[€$£¥])?",
    "code": r"(?=[!-~]{0,30}[0-9])[+#(]?[a-z0-9][a-z0-9./()-]{0,30}(?: \+?[0-9(][a-z0-9./()-]{0,15}){0,6}",
    "mail": r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}",
}


def can_be(code: str, text: str) -> bool:
    """Whether words of a language may stand in a text; where they can't its table need not be read."""
    return code not in _BEYOND_ASCII or not text.isascii()


@cache
def package_table(name: str) -> Mapping[str, Any]:
    """The table `lang/<name>.toml` as it is written; not to be changed."""
    data = pkgutil.get_data(__package__, f"{name}.toml")
    assert data is not None
    return tomllib.loads(data.decode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the value of a frame may look like. The lists are compiled; one that is not given matches nothing."""

    words: int = 6  # at most
    least: int = 1  # characters, where there are no spaces
    proper: bool = False  # a name: written with a capital where the writer uses capitals
    cased: bool = False  # a name that is only known by its capital
    plain: bool = False  # no capitals inside words, no abbreviations, no digits: TypeScript is no place
    date: bool = False  # the value is a date
    digits: bool = False  # the value is a number
    series: bool = False  # it may be several: "nuts, shellfish and soy"
    alone: bool = False  # nothing stands round it in its sentence but a time, or what was understood
    quoted: bool = False  # it may hold quotation marks, or stand in them
    cut: re.Pattern[str]  # words that end it
    first: re.Pattern[str]  # it may not begin with these
    never: re.Pattern[str]  # it may not hold these
    whole: re.Pattern[str]  # it may not be one of these
    after: re.Pattern[str]  # these may not stand behind it
    joins: re.Pattern[str]  # small words inside a name
    known: re.Pattern[str]  # whole values that need no capital
    hanging: re.Pattern[
        str
    ]  # with one word behind these, before a comma, it is not all: "a safe, quiet place"
    qualifier: re.Pattern[str]  # what the value is of may not hold these


_LISTS: Final = ("cut", "first", "never", "whole", "after", "joins", "known", "hanging", "qualifier")


@dataclass(frozen=True, slots=True)
class Way:
    """One way to say a frame's relation: templates, the state they say, the shape of the value."""

    frame: str
    relation: str
    state: str  # now | begun | future | past | ended | dropped (a plan given up) | negated
    shape: Shape
    dated: bool  # taken only with a date that can be placed
    timed: bool  # a time beside it is its own
    lasting: bool  # not taken with a time that ends: "I don't eat meat on Fridays"
    open: bool  # anything may stand behind it
    opens: bool  # only at the beginning of a sentence, or behind another of its kind
    greeted: bool  # only behind a greeting: "Hi, I'm Sam"
    other: bool  # it is about somebody else: what follows is too
    ends: str  # a relation of which it ends every value too: "I'm retired" ends the work
    marked: bool  # only with a date, or with words like "after all"
    whole: bool  # it names no value and is about every one: "I got fired"
    text: Mapping[str, str]  # texts of its own, by state
    patterns: tuple[Pattern, ...]


class Table:
    """One language. Everything in it is compiled when it is first needed."""

    def __init__(self, code: str, raw: Mapping[str, Any]) -> None:
        self.code = code
        self.raw = raw
        self.spaced: bool = raw["spaced"]
        self.words: Mapping[str, Sequence[str]] = {**_common(), **raw["words"]}
        self.templates = self._templates(self.words)

    def _templates(self, words: Mapping[str, Sequence[str]]) -> Templates:
        slots = {
            **_SLOTS,
            "grown": r"(?:1[3-9]|[2-9]\d)",
            "number": self.raw["clauses"].get("number", r"\d{1,3}"),
        }
        return Templates(words, slots, spaced=self.spaced)

    def _found(self, section: str, name: str) -> re.Pattern[str]:
        entries: Sequence[str] = self.raw[section].get(name, ())
        return self.templates.anywhere(entries)

    @cached_property
    def gate(self) -> re.Pattern[str]:
        """Words without which no frame can match."""
        return self._found("clauses", "gate")

    @cached_property
    def split(self) -> re.Pattern[str]:
        """What ends a clause."""
        breaks = self.templates.anywhere(self.raw["clauses"]["split"]).pattern
        joins = self.templates.anywhere(self.raw["clauses"]["join"]).pattern
        begins = self.templates.anywhere(self.raw["clauses"]["begin"]).pattern
        return re.compile(f"{breaks}|{joins}(?={begins})")

    @cached_property
    def carry(self) -> re.Pattern[str]:
        """Words that belong to what follows even where a comma parts them: "from now on, …"."""
        words = self.templates.anywhere(self.raw["clauses"].get("carry", ())).pattern
        return re.compile(rf"({words})([,，])(?=\s|\w)")

    @cached_property
    def greeting(self) -> re.Pattern[str]:
        """Words of greeting."""
        return self._found("clauses", "greeting")

    @cached_property
    def series(self) -> re.Pattern[str]:
        """Words before the last one of several."""
        return self._found("clauses", "series")

    @cached_property
    def before(self) -> re.Pattern[str]:
        """Small words before a value: "in", "at"."""
        return self._found("clauses", "before")

    @cached_property
    def not_yet(self) -> re.Pattern[str]:
        """Words by which a plan is put off, not given up."""
        return self._found("clauses", "not_yet")

    @cached_property
    def some_day(self) -> re.Pattern[str]:
        """A time to come that can't be placed."""
        return self._found("clauses", "some_day")

    @cached_property
    def owned(self) -> re.Pattern[str]:
        """Words with a genitive that name nobody: "doctor's appointment"."""
        return self._found("clauses", "owned")

    @cached_property
    def ago_lasts(self) -> bool:
        """Whether a past time beside the present is when it began: "vivo en Quito hace dos años"."""
        return bool(self.raw["date"].get("ago_lasts", False))

    @cached_property
    def after_all(self) -> re.Pattern[str]:
        """Words that show that something was planned before: "after all", "any more"."""
        return self._found("clauses", "after_all")

    @cached_property
    def beside(self) -> re.Pattern[str]:
        """Words that say that a value stands beside others: "also", "too"."""
        return self._found("clauses", "beside")

    @cached_property
    def partly(self) -> re.Pattern[str]:
        """Words by which a denial denies but a part: "not only", "not always"."""
        return self._found("clauses", "partly")

    @cached_property
    def reason(self) -> re.Pattern[str]:
        """What may stand behind what is denied without narrowing it: "because …"."""
        return self._found("clauses", "reason")

    @cached_property
    def begin(self) -> re.Pattern[str]:
        """Words with which a clause begins."""
        return self._found("clauses", "begin")

    @cached_property
    def answer(self) -> re.Pattern[str]:
        """A word that answers, alone before a comma; "sí," is no "si"."""
        return self._found("clauses", "answer")

    @cached_property
    def lead(self) -> re.Pattern[str]:
        """Words passed over at the beginning of a clause."""
        return self.templates.repeated([*self.raw["clauses"]["lead"], *self.raw["clauses"]["correct"]])

    @cached_property
    def correct(self) -> re.Pattern[str]:
        """Words that mark a correction."""
        return self._found("clauses", "correct")

    @cached_property
    def denial(self) -> re.Pattern[str]:
        """A clause that denies what the one before corrects: ", not Lisbon"."""
        return self._found("clauses", "denial")

    @cached_property
    def tail(self) -> re.Pattern[str]:
        """Words passed over at the end of a clause."""
        words = self.templates.anywhere([*self.raw["clauses"]["tail"], *self.raw["clauses"]["ended"]])
        return re.compile(rf"(?:{words.pattern})\Z")

    @cached_property
    def ended(self) -> re.Pattern[str]:
        """Words like "any more" behind a negation: it held before."""
        return self._found("clauses", "ended")

    @cached_property
    def abbreviation(self) -> re.Pattern[str]:
        """A word whose full stop does not end a sentence, at the end."""
        words = "|".join(map(re.escape, self.raw["clauses"].get("abbreviation", ("etc",))))
        # A single consonant is somebody's initial.
        return re.compile(rf"(?<!\w)(?:{words}|[b-df-hj-np-tv-xz])\.\Z")

    @cached_property
    def asks(self) -> re.Pattern[str]:
        """Words that begin a question."""
        return self._found("refuse", "question")

    @cached_property
    def led(self) -> re.Pattern[str]:
        """Words before a statement by which it is another's: "he's like, …"."""
        return self._found("refuse", "led")

    @cached_property
    def refuse(self) -> re.Pattern[str]:
        """Words that make a sentence no statement: hypothesis, report, wish, sarcasm, one time only."""
        return self._found("refuse", "sentence")

    @cached_property
    def hedge(self) -> re.Pattern[str]:
        """Words that make a statement unsure."""
        return self._found("refuse", "hedge")

    @cached_property
    def undone(self) -> re.Pattern[str]:
        """A clause that is nothing but this takes back what stands before it: "(joke)", "it isn't"."""
        return self._found("undo", "whole")

    @cached_property
    def undoing(self) -> re.Pattern[str]:
        """Words that undo a change or a plan before them: "but came back", "it was cancelled"."""
        return self._found("undo", "change")

    @cached_property
    def aside(self) -> re.Pattern[str]:
        """What begins like those words and replaces nothing: "sorry for the delay"."""
        return self._found("undo", "aside")

    @cached_property
    def instead(self) -> re.Pattern[str]:
        """Words behind which a value alone replaces the one before: "I mean Bari"."""
        return self._found("undo", "instead")

    @cached_property
    def message(self) -> re.Pattern[str]:
        """Words that say that a whole message is not talk about the speaker."""
        return self._found("refuse", "message")

    @cached_property
    def rest(self) -> re.Pattern[str]:
        """Words that say so of everything behind them."""
        return self._found("refuse", "rest")

    @cached_property
    def labels(self) -> re.Pattern[str]:
        """What may stand before a colon when the speaker's own words follow."""
        words = self.templates.anywhere(self.raw["refuse"]["own_label"]).pattern
        return re.compile(rf"[\W_]*+{words}\W*+\Z")

    @cached_property
    def shapes(self) -> dict[str, Shape]:
        """The shapes by name."""
        return {name: self._shape(raw) for name, raw in self.raw["shape"].items()}

    def _shape(self, raw: Mapping[str, Any]) -> Shape:
        lists = {key: self.templates.anywhere(raw.get(key, ())) for key in _LISTS}
        return Shape(**{**raw, **lists})

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """Every way of every frame, in the table's order."""
        return self._ways(self.templates)

    @cached_property
    def follow(self) -> tuple[Way, ...]:
        """The ways as they are said behind another one, without the subject: "I live here and work there"."""
        if "follow" not in self.raw:
            return ()
        return self._ways(self._templates({**self.words, **self.raw["follow"]}))

    def _ways(self, templates: Templates) -> tuple[Way, ...]:
        ways = [self._way(frame, way, templates) for frame in self.raw["frame"] for way in frame["way"]]
        # "Ya no vivo en" holds "no vivo en", and a slot could swallow a "not": what denies is looked for first.
        return tuple(sorted(ways, key=lambda way: _FIRST.get(way.state, len(_FIRST))))

    def _way(self, frame: Mapping[str, Any], way: Mapping[str, Any], templates: Templates) -> Way:
        state = way.get("state", "now")
        if state not in _STATES:
            raise ValueError(f"frame {frame['id']!r} has a way with the unknown state {state!r}")
        return Way(
            frame["id"],
            way.get("relation", frame["id"]),
            state,
            self.shapes[way.get("shape", frame.get("shape"))],
            way.get("dated", False),
            way.get("timed", True),
            way.get("lasting", frame.get("lasting", False)),
            way.get("open", False),
            frame.get("opens", False),
            way.get("greeted", False),
            way.get("other", False),
            way.get("ends", ""),
            way.get("marked", False),
            way.get("whole", False),
            way.get("text", {}),
            tuple(Pattern(templates, template) for template in way["say"]),
        )

    def sentence(self, way: Way, state: str) -> str | None:
        """The template of a memory's text; None if the table has none for that state."""
        texts: Mapping[str, str] = way.text or self.raw["text"].get(way.relation, {})
        return texts.get("now" if state == "begun" else state)

    def ending(self, relation: str) -> str | None:
        """The template of a memory's text that says that every value of a relation has ended."""
        texts: Mapping[str, str] = self.raw["text"].get(relation, {})
        return texts.get("whole")


@cache
def _common() -> Mapping[str, Sequence[str]]:
    """Lists for the templates of every language."""
    words: Mapping[str, Sequence[str]] = package_table("common")["words"]
    return words


@cache
def table(code: str) -> Table:
    """The table of a language in `LANGUAGES`."""
    return Table(code, package_table(code))


def tables() -> tuple[Table, ...]:
    """All tables."""
    return tuple(table(code) for code in LANGUAGES)
