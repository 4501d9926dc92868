"""Whether a sentence says what it rests on, and nothing else. Pure; whoever wrote the sentence is not believed.

What it rests on are statements, each in one wording or several (a memory's text, its quotes). Rules:

1. A sentence is carried if it is one of these wordings word for word, mark for mark, in their order. Of that it may
   change three things: whose voice it is ("I", "my" → "you", "your", "the user", one of his names; never "I"), the verb
   that goes with it, and words for a time, which it names in full ("next Friday" → "2026-06-05").
2. Of several statements it is carried if it says all of them, one behind the other, with a comma or "and" between. One
   that is worded in the third person may leave its subject out behind another of that subject.
3. So nothing is left out, added, moved, merged or turned: no denial, doubt, limit, name, number or link. Where that is
   too strict for a true sentence it costs the wording: who asked tells the quote instead.
4. Of a language without a table only the wording itself is carried, as far as its voice is the same.
5. What asks, what can't be seen, and times that hang on when they were said are never carried.

The question plays no part: a word of it is no evidence.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any, Final, NamedTuple

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import language_of
from affidavit.text.lang.tables import package_table
from affidavit.text.sentences import asks
from affidavit.text.times.dates import dates_in

LONGEST: Final = 1_000
"""Characters of a sentence that are looked at; a longer one is not carried."""
_MOST: Final = 4
"""Statements that one sentence may say."""
_NEAR: Final = 4
"""Words behind the subject among which its verb is looked for."""
_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN: Final = re.compile(
    rf"\x1f[^\x1f]*\x1f|[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:[-.,:/@+&_][^\W{_UNSPACED}]+)*|[^\w\s]"
)
_MARKS: Final = str.maketrans(dict.fromkeys("’‘ʼ", "'") | dict.fromkeys("“”", '"'))
_ENDS: Final = ".!。！… "
_PARTS: Final = re.compile(r"n't\b|'(?:m|re|ve|ll)\b", re.IGNORECASE)
_SHORT: Final = {"'m": " am", "'re": " are", "'ve": " have", "'ll": " will", "n't": " not"}
_WHOLE: Final = (("can't", "can not"), ("won't", "will not"), ("cannot", "can not"))
_USER, _OWN, _HEARER = "\x00user", "\x00own", "\x00hearer"
_BETWEEN: Final = frozenset({",", ";", "，", "；"})
_UNSAID: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


class Fault(StrEnum):
    """Why a sentence is not carried."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    HIDDEN = "hidden"
    ASKS = "asks"
    RELATIVE_TIME = "relative_time"
    OTHER_WORDS = "other_words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One way in which a statement is known. `own`: the user's own words, in which "I" is he; else in the third person.

    `said_at` (UTC microseconds) and `offset` (minutes east of UTC) place the times in it; None: those that hang on it
    can't be placed.
    """

    text: str
    own: bool = False
    said_at: int | None = None
    offset: int | None = None


Statement = Sequence[Wording]
"""One statement: any of its wordings says all of it."""


class _Word(NamedTuple):
    """A word, mark, date or person.

    `loose`: its first letter may be large only because a sentence begins there. `third`: the user in the third person.
    """

    text: str
    loose: bool
    third: bool = False


def carried(
    sentence: str,
    statements: Sequence[Statement],
    names: Iterable[str] = (),
    *,
    to_user: bool = True,
    beside: Wording | None = None,
) -> Fault | None:
    """Why a sentence does not say exactly these statements; None if it does.

    `names`: those of the user himself; `to_user`: it is said to him, and may call him "you". `beside`: it is kept with
    this wording, so that its times are meant from when that was said.

    >>> home = [Wording(text="The user lives in Lisbon."), Wording(text="I live in Lisbon now", own=True)]
    >>> carried("You live in Lisbon.", [home]), carried("Priya lives in Lisbon", [home], ["Priya"])
    (None, None)
    >>> carried("You don't live in Lisbon.", [home]), carried("Lisbon", [home])
    (<Fault.OTHER_WORDS: 'other_words'>, <Fault.OTHER_WORDS: 'other_words'>)
    """
    fault = _unfit(sentence)
    if fault is not None and not (fault is Fault.RELATIVE_TIME and beside is not None):
        return fault
    if not 1 <= len(statements) <= _MOST:
        return Fault.OTHER_WORDS
    voice = _voice(language_of(plain(sentence)))
    known = tuple([_known(one, voice) for one in statement] for statement in statements)
    mine = Wording(text=sentence) if beside is None else replace(beside, text=sentence, own=False)
    for those in ((), tuple(names)):
        if _Saying(_told(mine, voice, those, to_user=to_user), voice).says(known):
            return None
    return Fault.OTHER_WORDS


def in_first_person(sentence: str) -> Iterator[str]:
    """What is told of "the user" as he would say it himself: with each form that its verb may have then.

    >>> [one for one in in_first_person("The user no longer lives in Oslo") if "live " in one]
    ['I no longer live in Oslo']
    """
    language = language_of(plain(sentence))
    raw: Mapping[str, Any] = package_table("telling").get(language, {})
    voice, who = _voice(language), "|".join(map(re.escape, raw.get("third", ())))
    if not who or len(sentence) > LONGEST:
        return
    if voice.my:
        sentence = re.sub(rf"\b(?:{who})['’]s\b", voice.my[0][0], sentence, flags=re.IGNORECASE)
    whole = who if re.search(f"[{_UNSPACED}]", who) else rf"(?<!\w)(?:{who})(?!\w)"
    subject = re.search(whole, sentence, re.IGNORECASE)
    said = sentence if subject is None else _put(sentence, subject.span(), raw["first"][0].capitalize())
    yield said
    start = 0 if subject is None else subject.start()
    for word in [*re.finditer(r"\w+", said[start:])][1 : _NEAR + 1]:
        verb = word[0].casefold()
        for form in (*voice.verbs.get(verb, ()), *(verb.removesuffix(ending) for ending in voice.ending)):
            if form and form != verb:
                yield _put(said, (start + word.start(), start + word.end()), form)


def _put(text: str, at: tuple[int, int], word: str) -> str:
    return f"{text[: at[0]]}{word}{text[at[1] :]}"


def _unfit(sentence: str) -> Fault | None:
    if not sentence.strip(_ENDS):
        return Fault.EMPTY
    if len(sentence) > LONGEST:
        return Fault.TOO_LONG
    if any(unicodedata.category(char) in _UNSAID for char in sentence):
        return Fault.HIDDEN
    if asks(sentence):
        return Fault.ASKS
    if any(one.resolved or one.start is one.end is None for one in dates_in(sentence, anchor=0, offset=None)):
        return Fault.RELATIVE_TIME
    return None


class _Voice(NamedTuple):
    """The words of one language for persons, each as its parts, and the forms of verbs."""

    first: tuple[tuple[str, ...], ...]
    second: tuple[tuple[str, ...], ...]
    third: tuple[tuple[str, ...], ...]
    my: tuple[tuple[str, ...], ...]
    your: tuple[tuple[str, ...], ...]
    joined: frozenset[str]
    verbs: Mapping[str, frozenset[str]]
    ending: tuple[str, ...]
    between: frozenset[str]
    on: re.Pattern[str]

    @property
    def spoken(self) -> tuple[tuple[str, ...], ...]:
        """The forms for the user that are not the third person."""
        return (*self.first, *self.second)


@cache
def _voice(language: str) -> _Voice:
    raw: Mapping[str, Any] = package_table("telling").get(language, {})

    def parts(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(_TOKEN.findall(word)) for word in raw.get(name, ()))

    own = raw.get("own") or [[], []]
    return _Voice(
        first=parts("first"),
        second=parts("second"),
        third=parts("third"),
        my=tuple((word,) for word in own[0]),
        your=tuple((word,) for word in own[1]),
        joined=frozenset(raw.get("joined", ())),
        verbs={form: frozenset(forms) for forms in raw.get("verbs", ()) for form in forms},
        ending=tuple(raw.get("ending", ())),
        between=frozenset(raw.get("between", ())),
        on=re.compile(rf"\b(?:{'|'.join(raw.get('on', ())) or '(?!)'})\s+\Z", re.IGNORECASE),
    )


def _told(one: Wording, voice: _Voice, names: tuple[str, ...], *, to_user: bool) -> list[_Word]:
    """The words of a sentence; "I" is nobody whom a wording knows."""
    called = [tuple(part.casefold() for part in _TOKEN.findall(name)) for name in names]
    spoken, your = (voice.second, voice.your) if to_user else ((), ())
    return _words(one, {_USER: (*spoken, *voice.third, *called), _OWN: your}, voice)


def _known(one: Wording, voice: _Voice) -> list[_Word]:
    """The words of what is known: in the user's own words he is "I", and "you" is whom he spoke to."""
    if not one.own:
        return _words(one, {_USER: voice.third}, voice)
    people = {_USER: voice.first, _OWN: voice.my, _HEARER: (*voice.second, *voice.your)}
    return _words(one, people, voice)


def _words(one: Wording, people: Mapping[str, Iterable[tuple[str, ...]]], voice: _Voice) -> list[_Word]:
    parts = _TOKEN.findall(_spelled_out(_dated(one, voice).translate(_MARKS)).strip(_ENDS))
    folded = [part.casefold() for part in parts]
    known = sorted(((form, who) for who, forms in people.items() for form in forms if form), key=_longest)
    words: list[_Word] = []
    at = 0
    while at < len(parts):
        form, who = next(
            ((f, w) for f, w in known if tuple(folded[at : at + len(f)]) == f), ((parts[at],), parts[at])
        )
        start, at = at, at + len(form)
        if who == _USER and folded[at : at + 2] == ["'", "s"]:
            who, at = _OWN, at + 2
        words.append(_Word(who, start == 0, who == _USER and form not in voice.spoken))
    return words


def _longest(one: tuple[tuple[str, ...], str]) -> tuple[int, str]:
    return -len(one[0]), one[1]


def _dated(one: Wording, voice: _Voice) -> str:
    """Its text with every time that can be placed in place of its words, and of "on" before them."""
    text = one.text.replace("\x1f", " ")
    pieces, done = [], 0
    for time in dates_in(text, anchor=one.said_at or 0, offset=one.offset):
        placed = one.said_at is not None or not time.resolved
        if placed and (time.start is not None or time.end is not None):
            pieces += [voice.on.sub("", text[done : time.at[0]]), f" \x1f{time.start} {time.end}\x1f "]
            done = time.at[1]
    return "".join([*pieces, text[done:]])


def _spelled_out(text: str) -> str:
    """The text without its short forms: "I'm" is "I am"."""
    for short, whole in _WHOLE:
        text = re.sub(rf"\b{short}\b", whole, text, flags=re.IGNORECASE)
    return _PARTS.sub(lambda found: _SHORT[found[0].lower()], text)


# -- comparing


class _Saying(NamedTuple):
    """A sentence that may say several statements, one behind the other."""

    words: Sequence[_Word]
    voice: _Voice

    def says(self, left: tuple[Sequence[Sequence[_Word]], ...], at: int = 0) -> bool:
        """Whether the words from a place on are these statements, in any order."""
        for place, wordings in enumerate(left):
            rest = (*left[:place], *left[place + 1 :])
            for end in {end for wording in wordings for end in self._ends(wording, at)}:
                if end == len(self.words) and not rest:
                    return True
                if rest and any(self.says(rest, end + gap) for gap in self._gaps(end)):
                    return True
        return False

    def _ends(self, wording: Sequence[_Word], at: int) -> Iterator[int]:
        """Where a wording ends that begins at a place."""
        if _same(self.words[at : at + len(wording)], wording, self.voice):
            yield at + len(wording)
        rest = wording[1:]
        behind = bool(at and rest) and wording[0].third and self.words[0].third
        if behind and _same(self.words[at : at + len(rest)], rest, None):
            yield at + len(rest)

    def _gaps(self, at: int) -> Iterator[int]:
        """How many words stand between two statements at a place."""
        marks = [word.text.casefold() for word in self.words[at : at + 2]]
        if marks and (marks[0] in self.voice.joined or marks[0] in _BETWEEN):
            yield 1
        if len(marks) == 2 and marks[0] == "," and marks[1] in self.voice.joined:
            yield 2


def _same(mine: Sequence[_Word], wording: Sequence[_Word], voice: _Voice | None) -> bool:
    """Whether these are the same words; with `voice` the verb behind the user may have the form of another person."""
    if len(mine) != len(wording):
        return False
    behind = False
    for one, other in zip(mine, wording, strict=True):
        same = one.text == other.text or (
            (one.loose or other.loose) and one.text.casefold() == other.text.casefold()
        )
        if not same and not (behind and voice is not None and _is_form(one.text, other.text, voice)):
            return False
        behind = one.text == _USER or (behind and voice is not None and one.text in voice.between)
    return True


def _is_form(one: str, other: str, voice: _Voice) -> bool:
    """Whether two words are one verb in the forms for two persons."""
    if one in voice.verbs.get(other, ()):
        return True
    return any(one + ending == other or other + ending == one for ending in voice.ending)
