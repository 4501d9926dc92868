"""The stretch of a long text that speaks most of what was asked."""

from itertools import islice
from typing import Final

from affidavit.text.lexicon.terms import query_terms, terms
from affidavit.text.sentences import stretches
from affidavit.text.whose.inert import MORE, inert

_MOST_SENTENCES: Final = 2_000


def shown_text(text: str, most: int, query: str | None = None) -> str:
    """A text made inert; a longer one than `most` code points begins with the sentence nearest to the question.

    >>> shown_text("It rained. We stayed in. The gate code is blue.", 24, "Which gate code?")
    '… The gate code is blue.'
    """
    start = 0 if len(text) <= most or query is None else _nearest(text, query)
    body = inert(text[start : start + 4 * most])
    if start:
        body = f"{MORE} {body}"
    return body + MORE if start + 4 * most < len(text) and len(body) <= most else body


def _nearest(text: str, query: str) -> int:
    """Where the sentence begins that shares most words with the question."""
    wanted = {term.id: term.weight for term in query_terms(query) if not term.stop}
    best, at = 0.0, 0
    for start, end in islice(stretches(text), _MOST_SENTENCES) if wanted else ():
        weight = sum(wanted.get(one, 0) for one in terms(text[start:end]).ids)
        if weight > best:
            best, at = weight, start
    return at
