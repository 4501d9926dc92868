"""Whether a text says what is quoted: all of its sentence, in its words and order, and nothing else.

A model words what it read as it likes, and nobody can tell by rules whether other words mean the same. So a text is
kept only where it *equals* what was said, but for whose voice it is (`affidavit.text.evidence.carried`); else the quote
itself is kept.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from affidavit.text.evidence.carried import Wording, carried
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import UNSPACED, has, signs, without
from affidavit.write.checks.draft import Draft
from affidavit.write.checks.evidence import Quote
from affidavit.write.checks.words import blotted, content_words

_EDGES: Final = " \t\n,;:-–—*>#\"'“”‘’"

_Spans = Sequence[tuple[int, int]]


def says_the_same(draft: Draft) -> bool:
    """Whether the text is what the sentences of its quotes say."""
    statements = [list(_wordings(one)) for one in draft.quotes]
    names = [name for one in draft.quotes if one.is_own for name in one.names]
    beside = _worded(draft.quotes[0], "")
    return carried(draft.said.text, statements, names, to_user=False, beside=beside) is None


def _is_said(text: str, language: str, aside: _Spans) -> bool:
    """Whether a plain text says anything, some stretches and what may always be left out aside."""
    aside = [*aside, *signs("filler", text, language)]
    if UNSPACED.search(text):
        return any(map(str.isalnum, blotted(text, [*aside, *signs("free", text, language)])))
    return bool(without([(word.start, word.end) for word in content_words(text, language)], aside))


def _wordings(quote: Quote) -> Iterator[Wording]:
    """The sentence of a quote, and it without what is said before it and means nothing: "By the way, …"."""
    sentence = quote.sentence.strip(_EDGES)
    yield _worded(quote, sentence)
    lead, mark, rest = sentence.partition(",")
    if mark and rest.strip() and _means_nothing(plain(lead).strip(), quote.language):
        yield _worded(quote, rest.strip())


def _worded(quote: Quote, text: str) -> Wording:
    row = quote.told.row
    return Wording(text=text, own=quote.is_own, said_at=row.occurred_start, offset=row.occurred_offset)


def _means_nothing(lead: str, language: str) -> bool:
    telling = any(has(name, lead, language) for name in ("first", "mine", "negation"))
    return not telling and not _is_said(lead, language, [])
