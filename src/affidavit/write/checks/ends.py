"""Whether a statement goes on to where its clause ends: "I don't eat fish on Mondays" is no "I don't eat fish".

What stands behind the last word that a text takes from a sentence may narrow, condition or turn what it says. It may
be left out only where it is a time that can be placed (which the statement has beside its text), or says nothing.
"""

from collections.abc import Sequence

from affidavit.text.evidence.passages import segments
from affidavit.text.evidence.signs import UNSPACED, denials, has, joints, signs, without
from affidavit.write.checks.evidence import Quote
from affidavit.write.checks.sense import Sense
from affidavit.write.checks.words import Word, content_words, words_of


def is_told_to_its_end(quote: Quote, sentence: Sense, kept: Sequence[Word], text: str) -> bool:
    """Whether nothing that says something is left out behind the last word kept, in its clause and what hangs on it."""
    if UNSPACED.search(sentence.text):
        return True
    parts = segments(sentence.text, joints(sentence.language))
    known = frozenset().union(*(word.stems for word in kept))
    told = frozenset().union(*(word.stems for word in words_of(text, sentence.language)))
    nth, last = _last(sentence, parts, kept, known)
    if nth is None:
        return True
    if _left(quote, sentence, last, parts[nth][1], told):
        return False
    behind = parts[nth + 1 : nth + 2]
    return not any(_hangs_on(sentence, start, end, told) for start, end in behind)


def _last(
    sentence: Sense, parts: Sequence[tuple[int, int]], kept: Sequence[Word], known: frozenset[str]
) -> tuple[int | None, int]:
    """The segment that holds most of the words kept, the last of several, and where the last of them ends there."""
    best: tuple[int, int | None, int] = (0, None, 0)
    for nth, (start, end) in enumerate(parts):
        words = [word for word in words_of(sentence.text[start:end], sentence.language) if word.stems & known]
        count = len({word.text for word in words})
        if count and count >= best[0]:
            best = (count, nth, start + words[-1].end)
    return best[1], best[2]


def _left(quote: Quote, sentence: Sense, start: int, end: int, told: frozenset[str]) -> bool:
    rest = sentence.text[start:end]
    aside = signs("filler", rest, sentence.language)
    aside += [one.at for one in quote.told.dates(rest) if one.start is not None or one.end is not None]
    words = [word for word in content_words(rest, sentence.language) if not word.stems & told]
    return bool(without([(word.start, word.end) for word in words], aside))


def _hangs_on(sentence: Sense, start: int, end: int, told: frozenset[str]) -> bool:
    """Whether a clause without a subject turns or limits the one before it: "but not pork", "except on Mondays"."""
    clause = sentence.text[start:end]
    turns = denials(clause, sentence.language) or has("limit", clause, sentence.language)
    own = has("first", clause, sentence.language) or has("person", clause, sentence.language)
    words = content_words(clause, sentence.language)
    return bool(turns) and not own and any(not word.stems & told for word in words)
