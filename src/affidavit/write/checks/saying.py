"""Whether a text says what is quoted: all of its sentence, in its words and order, and nothing else.

A model words what it read as it likes, and nobody can tell by rules whether other words mean the same. So a text is
kept only where it *equals* what was said, but for whose voice it is (`affidavit.text.evidence.carried`); else the quote
itself is kept. And a triple stands for a text only where it is all that the text says of its speaker.
"""

import re
from collections.abc import Iterator
from typing import Final

from affidavit.text.evidence.carried import Wording, carried
from affidavit.text.evidence.passages import plain, sentence_around
from affidavit.text.evidence.signs import UNSPACED, has, relation_words, signs, without
from affidavit.write.checks.draft import Draft
from affidavit.write.checks.evidence import Quote
from affidavit.write.checks.words import blotted, content_words, words_of

AHEAD: Final = frozenset({"plan", "deadline"})
"""Relations that are about what lies ahead."""
_EDGES: Final = " \t\n,;:-–—*>#\"'“”‘’"


def says_the_same(draft: Draft) -> bool:
    """Whether the text is what the sentences of its quotes say."""
    quote = draft.quotes[0]
    beside = Wording(text="", said_at=_known_at(quote), offset=quote.told.row.occurred_offset)
    statements = [list(_wordings(one)) for one in draft.quotes]
    names = [name for one in draft.quotes if one.is_own for name in one.names]
    return carried(draft.said.text, statements, names, to_user=False, beside=beside) is None


def says_no_more(draft: Draft) -> bool:
    """Whether relation, value and qualifier are all that the sentence says, of the one who speaks.

    "The police think I live in Rome" and "I live in Rome in winter" say more than that the user lives in Rome.
    """
    said, quote = draft.said, draft.quotes[0]
    if len(draft.quotes) > 1:
        return False
    language = quote.language
    text = plain(sentence_of(quote)).strip(_EDGES)
    who = ("first", "mine") if quote.is_own else ("first", "mine", "user")
    first = [one for name in who for one in signs(name, text, language)]
    fillers = signs("filler", text, language)
    start = next((begin for begin, _ in sorted(first)), None)
    if start is None or content_words_left(text[:start], language, signs("correct", text, language)):
        return False
    values = [plain(value) for value in (said.object, said.qualifier) if value]
    told = frozenset().union(*(word.stems for value in values for word in words_of(value, language)))
    relation = said.relation or ""
    shown = [one.span() for one in relation_words(relation, "shown", language).finditer(text)]
    shown += [one.span() for one in relation_words(relation, "said", language).finditer(text)]
    dates = [one.at for one in quote.told.dates(text) if one.start is not None or one.end is not None]
    ended = signs("ended", text, language) + signs("left", text, language) if said.ended else []
    aside = [*fillers, *first, *shown, *dates, *ended, *signs("correct", text, language)]
    if UNSPACED.search(text):
        aside += [
            *signs("free", text, language),
            *(one.span() for value in values for one in _places(value, text)),
        ]
        return not any(map(str.isalnum, blotted(text, aside)))
    return not [word for word in content_words_left(text, language, aside) if not word & told]


def _places(value: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(re.escape(value), text)


def content_words_left(text: str, language: str, aside: list[tuple[int, int]]) -> list[frozenset[str]]:
    """The stems of each word that says something, but for those in some stretches."""
    words = content_words(text, language)
    fillers = signs("filler", text, language)
    return [word.stems for word in words if without([(word.start, word.end)], [*aside, *fillers])]


def sentence_of(quote: Quote) -> str:
    """The sentence that a quote stands in; of what a tool or another gives as a value in marks, all of the value."""
    text = quote.told.row.text
    if not quote.is_own and text[: quote.start].endswith('"') and text.startswith('"', quote.end):
        return quote.text
    first, last = sentence_around(text, quote.start, quote.end)
    return text[first:last]


def _known_at(quote: Quote) -> int | None:
    return quote.told.row.occurred_start


def _wordings(quote: Quote) -> Iterator[Wording]:
    """The sentence of a quote, and it without what is said before it and means nothing: "By the way, …"."""
    sentence = sentence_of(quote).strip(_EDGES)
    offset = quote.told.row.occurred_offset
    yield Wording(text=sentence, own=quote.is_own, said_at=_known_at(quote), offset=offset)
    bare = _without_lead(sentence, quote.language)
    if bare != sentence:
        yield Wording(text=bare, own=quote.is_own, said_at=_known_at(quote), offset=offset)


def _without_lead(sentence: str, language: str) -> str:
    """The sentence without words before a comma that say nothing."""
    lead, mark, rest = sentence.partition(",")
    aside = plain(lead).strip()
    empty = not content_words_left(f"{aside} ", language, [])
    own = has("first", aside, language) or has("mine", aside, language) or has("negation", aside, language)
    return (
        rest.strip()
        if mark and rest.strip() and empty and not own and len(lead) < len(sentence) // 2
        else sentence
    )
