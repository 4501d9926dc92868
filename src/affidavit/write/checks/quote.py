"""Check `quote`: each quote stands in an episode that may be cited, in whole words, and carries the statement.

Rules:
1. Nothing about a quote is believed but its words; they are looked for in the episode that is named.
2. If they do not stand there and do stand in another episode that may be cited, that one is meant: of several, the one
   that may be relied on the least.
3. A near match only says where to look: what is judged and stored are the words that stand there.
"""

from collections.abc import Mapping
from typing import Final

from affidavit.core.candidates import Check
from affidavit.core.memories import Part
from affidavit.text.evidence.quotes import Found, has_hidden, locate
from affidavit.text.evidence.signs import UNSPACED, WORD, signs, without
from affidavit.text.spans import SpanKind
from affidavit.write.checks.draft import LONGEST_TEXT, Draft, Refusal, refuse
from affidavit.write.checks.evidence import Quote, Told
from affidavit.write.checks.words import blotted, content_words

_LEAST_WORDS: Final = 2
_LEAST_LEFT: Final = 2
_LEAST_UNSPACED: Final = 3  # characters of a script written without spaces


def check_quote(draft: Draft, told: Mapping[str, Told]) -> Refusal | None:
    """Find every quote of the draft."""
    for part in draft.said.parts:
        quote = _located(part, told)
        if quote is None:
            hint = "quote the words as they stand in one of the messages that were given"
            if part.source in told:
                return Refusal(Check.QUOTE, "quote_not_found", hint, part.source)
            return Refusal(Check.QUOTE, "unknown_episode", hint)
        if has_hidden(quote.text):
            return refuse(Check.QUOTE, "hidden_text", "quote words that a reader can see", quote)
        if quote.is_own and len(quote.sentence) > LONGEST_TEXT:
            hint = "a sentence this long says more than can be looked through; quote another one"
            return refuse(Check.QUOTE, "sentence_too_long", hint, quote)
        if _is_short(quote):
            hint = 'quote the whole words that say it, not a single word or an answer like "ok"'
            return refuse(Check.QUOTE, "quote_too_short", hint, quote)
        if quote.part not in [other.part for other in draft.quotes]:
            draft.quotes.append(quote)
    wanted = len(content_words(draft.said.text, draft.quotes[0].language))
    carried = sum(len(content_words(quote.passage.quote, quote.language)) for quote in draft.quotes)
    if wanted > 2 * max(1, carried) + 2:
        hint = "quote all the words that say it, or say no more than the quote"
        return refuse(Check.QUOTE, "quote_too_short", hint, draft.quotes[0])
    return None


def _located(part: Part, told: Mapping[str, Told]) -> Quote | None:
    assert part.quote is not None
    named = told.get(part.source)
    if named is not None:
        found = locate(named.folded, part.quote, start=part.start, end=part.end)
        if found:
            return Quote(named, *_preferred(named, found)[:2])
    others = []
    for other in told.values():
        if other is not named:
            places = locate(other.folded, part.quote, near=False)
            others += [Quote(other, found.start, found.end) for found in places[:1]]
    return min(others, key=lambda quote: (quote.authority.rank, quote.told.seq), default=None)


def _preferred(told: Told, found: list[Found]) -> Found:
    """The first place that holds the speaker's own words, if one does."""
    for one in found:
        if not told.marked(one.start, one.end, SpanKind.THIRD_PARTY, SpanKind.ECHO):
            return one
    return found[0]


def _is_short(quote: Quote) -> bool:
    words = quote.passage.quote
    aside = signs("filler", words, quote.language) + signs("free", words, quote.language)
    if UNSPACED.search(words):
        left = sum(char.isalnum() for char in blotted(words, aside))
        return left < _LEAST_LEFT or sum(char.isalnum() for char in words) < _LEAST_UNSPACED
    said = [found.span() for found in WORD.finditer(words)]
    return len(said) < _LEAST_WORDS or not without(said, aside)
