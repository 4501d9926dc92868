"""Whose a thing is, in a sentence: "my phone", "my sister's phone", "el teléfono de mi hermana", "我姐姐的电话".

What somebody else has answers no question about what the asker has, nor the other way round. The words come from
`lang/questions.toml`; this engine knows two ways to write: with spaces and without.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import UNSPACED, WORD, signs, stems
from affidavit.text.lexicon.stopwords import ENGLISH, GRAMMAR
from affidavit.text.lexicon.words import fold
from affidavit.text.questions.question_words import QuestionTable, kindred, question_tables

_ASIDE: Final = 4
"""Words between a possessor and his thing: "my very first phone number"."""
_BETWEEN: Final = re.compile(r"[ -]+")
_OWNS: Final = re.compile(r"'s? +(\w+)")
MINE: Final = ""
"""The owner who speaks."""


class Owned(NamedTuple):
    """What a question is about, and whose it is: `MINE`, a word for somebody, None where it doesn't say."""

    things: tuple[str, ...]
    owner: str | None


def owned(question: str, words: Sequence[str], language: str) -> Owned:
    """What of these words of a question is had by somebody, and by whom.

    >>> owned("What is my sister's phone number?", ["sister", "phone", "number"], "en")
    Owned(things=('phone', 'number'), owner='sister')
    """
    table = question_tables()[language]
    said = ((word, owner) for word in words for owner in owners(question, [word], language))
    # "Her" means whoever the question names otherwise.
    found = {word: owner for word, owner in said if not table.others.fullmatch(owner)}
    others = [owner for owner in found.values() if owner != MINE]
    owner = others[0] if others else MINE if found else None
    things = tuple(word for word in words if word in found and found[word] == owner)
    return Owned(things or tuple(words), owner)


def is_of(text: str, asked: Owned, language: str, *, exact: bool = True) -> bool:
    """Whether a sentence may speak of the thing that is asked about: not of the like of somebody else.

    `exact`: of the speaker's only where it says so, or he is who it is about.

    >>> mine = Owned(("birthday",), MINE)
    >>> is_of("My wife's birthday is on 3 May", mine, "en"), is_of("My birthday is on 3 May", mine, "en")
    (False, True)
    """
    if asked.owner is None:
        return True
    if _names_another(text, asked.things, language):
        return False
    found = set(owners(text, asked.things, language))
    if asked.owner == MINE:
        return MINE in found if found else not exact or _speaks_of_self(text, language)
    names = _alike(asked.owner, language)
    said = plain(text)
    held = any(_is_one_of(word, names, language) for word in WORD.findall(said)) or (
        not question_tables()[language].spaced and any(name in said for name in names)
    )
    return held and (not found or found != {MINE})


def owners(text: str, things: Sequence[str], language: str) -> Iterator[str]:
    """Whose these things are, each time the text says it."""
    table, said = question_tables()[language], plain(text)
    if table.spaced:
        yield from _spaced(said, text, things, table)
    else:
        yield from _unspaced(said, things, table)


def only_owns(text: str, name: str, language: str) -> bool:
    """Whether a name stands in a text only as whose something is: "Ana's dog lives in Porto" says not where she does.

    >>> only_owns("Ana's dog lives in Porto", "ana", "en"), only_owns("Ana's in Porto", "ana", "en")
    (True, False)
    """
    table, said = question_tables()[language], plain(text)
    found = list(re.finditer(table.word(name), said))
    if not table.spaced:
        return bool(found) and all(said[one.end() : one.end() + 1] == "的" for one in found)
    return bool(found) and all(_is_owner(said, *one.span(), table) for one in found)


def _is_owner(said: str, start: int, end: int, table: QuestionTable) -> bool:
    before, behind = WORD.findall(said[:start]), _OWNS.match(said, end)
    if behind is not None and behind[1] not in GRAMMAR:
        return True
    # "El perro de Ana"; but "lejos de Ana" is no thing of hers.
    return len(before) > 1 and table.of.fullmatch(before[-1]) is not None and before[-2] not in GRAMMAR


def _names_another(text: str, things: Sequence[str], language: str) -> bool:
    """Whether what a text says of these things it says of something called by them: "my birthday party is …"."""
    table, said = question_tables()[language], plain(text)
    if not table.spaced:
        ends = [one.end() for thing in things for one in re.finditer(re.escape(plain(thing)), said)]
        return bool(ends) and all(_goes_on(said, end, table) for end in ends)
    words, wanted = WORD.findall(said), frozenset(things)
    named = [at for at, word in enumerate(words) if _is_one_of(word, wanted, language)]
    names = {plain(found[0]) for found in WORD.finditer(text) if found[0][0].isupper()}
    return bool(named) and all(_is_part(words, at, set(named), names, table) for at in named)


def _goes_on(said: str, end: int, table: QuestionTable) -> bool:
    """Whether a word that is written without spaces goes on behind a place: "生日派对"."""
    return UNSPACED.match(said, end) is not None and table.states.match(said, end) is None


def _is_part(words: Sequence[str], at: int, named: set[int], names: set[str], table: QuestionTable) -> bool:
    """Whether a word tells of what kind the noun beside it is: "birthday party is", "fiesta de cumpleaños"."""
    if at + 1 in named:
        return _is_part(words, at + 1, named, names, table)
    behind = words[at + 1 : at + 3]
    # Of "my dog Rex is" Rex is no other thing.
    if len(behind) == 2 and behind[0] not in GRAMMAR | names and table.states.fullmatch(behind[1]):
        return True
    before = words[max(0, at - 2) : at]
    led = table.kind_of.fullmatch(before[-1]) if len(before) == 2 else None
    return led is not None and before[0] not in GRAMMAR and at - 2 not in named


def _alike(word: str, language: str) -> frozenset[str]:
    groups = [group for group in kindred(language) if word in group]
    return frozenset({word}).union(*groups)


def _is_one_of(word: str, names: frozenset[str], language: str) -> bool:
    forms = _forms(word, language)
    return any(not forms.isdisjoint(_forms(name, language)) for name in names)


def _forms(word: str, language: str) -> frozenset[str]:
    """The forms by which words are compared, without their accents; none for what is no word."""
    bare = fold(word).removesuffix("'s").strip("'")
    return stems(bare, language) if bare.removesuffix("'s") else frozenset()


def _speaks_of_self(text: str, language: str) -> bool:
    """Whether the speaker is who does something in it; where the verb says that, whether nobody else is named."""
    table, said = question_tables()[language], plain(text)
    if not table.spaced:
        return re.search(rf"(?:{table.asker})(?!们?的?(?:{_people(table)}))", said) is not None
    if table.tells_subject:
        return table.subject.regex.search(said) is not None
    return not signs("person", said, language)


# -- written with spaces


def _spaced(said: str, text: str, things: Sequence[str], table: QuestionTable) -> Iterator[str]:
    words = [(found[0], *found.span()) for found in WORD.finditer(said)]
    names = {plain(found[0]) for found in WORD.finditer(text) if found[0][0].isupper()}
    wanted = frozenset(things)
    for at, (word, _, _) in enumerate(words):
        if word.endswith("'s") or not _is_one_of(word, wanted, table.code):
            continue
        owner = _before(said, words, at, table)
        owner = _behind(said, words, at, names, table) if owner is None else owner
        if owner is not None:
            yield owner


def _before(said: str, words: Sequence[tuple[str, int, int]], at: int, table: QuestionTable) -> str | None:
    for place in range(at - 1, max(-1, at - 1 - _ASIDE), -1):
        word, _, end = words[place]
        if not _BETWEEN.fullmatch(said, end, words[place + 1][1]):
            return None
        if table.mine.fullmatch(word):
            return MINE
        if table.others.fullmatch(word):
            return word
        if word.endswith("'s") and not table.times.fullmatch(word.removesuffix("'s")):
            return None if word.removesuffix("'s") in ENGLISH else word.removesuffix("'s")
        if word in GRAMMAR:
            return None
    return None


def _behind(
    said: str, words: Sequence[tuple[str, int, int]], at: int, names: set[str], table: QuestionTable
) -> str | None:
    """Who stands behind "of": somebody, by name, by what he is, or as somebody's."""
    if at + 1 >= len(words) or not table.of.fullmatch(words[at + 1][0]):
        return None
    somebodys = False
    for word, _, _ in words[at + 2 : at + 2 + _ASIDE]:
        if table.mine.fullmatch(word) or table.others.fullmatch(word):
            somebodys = True
        elif word not in GRAMMAR:
            person = any(start == 0 for start, _ in signs("person", word, table.code))
            return word if somebodys or person or word in names else None
    return None


# -- written without


def _unspaced(said: str, things: Sequence[str], table: QuestionTable) -> Iterator[str]:
    people, me = _people(table), table.asker
    for thing in things:
        for found in re.finditer(re.escape(plain(thing)), said):
            before = said[: found.start()]
            other = re.search(rf"({people})的?\Z", before)
            named = re.search(r"([\u4e00-\u9fff]{1,3})的\Z", before)
            if other is not None:
                yield other[1]
            elif re.search(rf"(?:{me})们?(?:自己)?的?\Z|(?:{me})们?的[^，。,\s]{{0,4}}\Z", before):
                yield MINE
            elif named is not None and not table.times.search(named[1]):
                yield named[1]


def _people(table: QuestionTable) -> str:
    kin = [word for word in table.people if UNSPACED.match(word)]
    return "|".join(sorted(map(re.escape, kin), key=len, reverse=True))
