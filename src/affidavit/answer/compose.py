"""From what was found to an answer: its text, its citations, and the claims beside it. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from affidavit.answer.findings import Finding, Says
from affidavit.answer.results import Citation, Claim
from affidavit.answer.talk import Line
from affidavit.core.authority import Authority, Role
from affidavit.core.memories import Kind
from affidavit.core.values import Episode
from affidavit.core.when import Basis, When
from affidavit.read.memories import MemoryItem, Quote
from affidavit.text.evidence.endings import denies_value, void_time
from affidavit.text.evidence.likeness import same_form
from affidavit.text.questions.asking import Asking
from affidavit.text.questions.question_words import Speech, Wanted
from affidavit.text.times.dates import Dated, written

_SPACE: Final = re.compile(r"\s+")


class Draft(NamedTuple):
    """An answer before its last check: `values` are what it asserts, each to stand in one of the quotes."""

    text: str
    values: tuple[str, ...]
    citations: tuple[Citation, ...]


def of_memories(
    finding: Finding, asking: Asking, episodes: Mapping[str, Episode], speech: Speech
) -> Draft | None:
    """What memories say, marked where one may be out of date. None where one of them has no quote to show."""
    draft = _of_memories(finding, asking, episodes, speech)
    return None if draft is None else marked(draft, speech)


def marked(draft: Draft, speech: Speech) -> Draft:
    """A draft that says so where what it rests on may be out of date."""
    stale = any(one.stale for one in draft.citations)
    return draft._replace(text=speech.stale.format(text=draft.text)) if stale else draft


def _of_memories(
    finding: Finding, asking: Asking, episodes: Mapping[str, Episode], speech: Speech
) -> Draft | None:
    cited = [(item, cite(item, episodes)) for item in finding.items]
    citations = tuple(citation for _, citation in cited if citation is not None)
    if len(citations) < len(cited):
        return None
    first = citations[0]
    if finding.says is not Says.CONFLICT and finding.items[0].authority is Authority.ATTESTED:
        return _as_said(first, finding.items[0].claimant, citations, speech)
    if finding.says is Says.YES or finding.says is Says.NO:
        word = speech.yes if finding.says is Says.YES else speech.no
        return Draft(f"{word}: “{first.quote}”", (first.quote,), citations)
    if finding.says is Says.QUOTE:
        quotes = tuple(citation.quote for citation in citations)
        return Draft(speech.joined.join(quotes), quotes, citations)
    shown = finding.items if asking.before is None else finding.items[:1]
    pairs = [_value(item, asking, citation) for item, citation in zip(shown, citations, strict=False)]
    text = speech.joined.join(told for told, _ in pairs)
    values = tuple(value for _, value in pairs)
    if finding.says is Says.CONFLICT:
        text = f"{speech.conflict}: {text}"
    return Draft(text, values, citations)


def _value(item: MemoryItem, asking: Asking, citation: Citation) -> tuple[str, str]:
    """What is asked of a memory: how it is told, and the words of it that have to stand in the quote."""
    when = item.occurred
    if asking.wanted is Wanted.DATE and item.kind is Kind.EVENT and when is not None and when.text:
        words = _within(when.text, citation.quote)
        start = citation.quote.find(words)
        words = "" if void_time(citation.quote, start, start + len(words)) else words
        return (_dated(when, words), words) if words else (citation.quote, citation.quote)
    words = "" if item.negated else _within(item.object or "", citation.quote)
    if asking.wanted is Wanted.PLACE and _is_of_another(asking.cue, words, citation.quote):
        words = ""
    return (words, words) if words else (citation.quote, citation.quote)


def _is_of_another(cue: Sequence[str], words: str, quote: str) -> bool:
    """Whether a value stands before the word by which it is asked for: "born in Rome and grew up in Bari"."""
    said = quote.casefold()
    at = min((said.find(one) for one in cue if one in said), default=0)
    return 0 <= said.find(words.casefold()) < at


def _dated(when: When, words: str) -> str:
    """The words of a time, with the date they came to where they name none: "next Friday (2026-06-05)"."""
    if when.basis is not Basis.RESOLVED:
        return words
    date = written(Dated(when.start, when.end, words, (0, 0), True), when.offset or 0)
    return words if date == words else f"{words} ({date})"


def _within(words: str, quote: str) -> str:
    """The words as they stand in the quote, empty where they don't, or are denied there."""
    if not words:
        return ""
    pattern = r"\s+".join(map(re.escape, words.split()))
    found = re.search(pattern, quote, re.IGNORECASE)
    return found[0] if found and not denies_value(quote, found.start()) else ""


def _as_said(citation: Citation, who: str | None, citations: tuple[Citation, ...], speech: Speech) -> Draft:
    """What is attested, told with who said it."""
    told = _told(citation.role, who or citation.said_by, citation.quote, speech)
    return Draft(told, (citation.quote,), citations)


def _told(role: Role, who: str | None, quote: str, speech: Speech) -> str:
    """Somebody's words as his."""
    form = str(role) if who is not None and str(role) in speech.claims else "person"
    if role is Role.ASSISTANT:
        form = "assistant"
    elif who is None:
        form = "nobody"
    return speech.claims[form].format(who=who, quote=f"“{quote}”")


def of_line(line: Line, asking: Asking, speech: Speech) -> Draft:
    """What a sentence says: the value asked for where one can be told, else all of it; marked where it may be old."""
    return marked(_of_line(line, asking, speech), speech)


def _of_line(line: Line, asking: Asking, speech: Speech) -> Draft:
    citations = tuple(cite_line(one) for one in (line, line.asked) if one is not None)
    if line.authority is Authority.ATTESTED:
        return _as_said(citations[0], None, citations, speech)
    text = line.text
    relation = asking.relation is not None
    if line.value is not None and relation:
        text = line.episode.text[line.value.start : line.value.end]
    return Draft(text, (text,), citations)


def cite(item: MemoryItem, episodes: Mapping[str, Episode]) -> Citation | None:
    """The quote that a memory is best shown by: one with all of its authority, the last of them."""
    quotes = [one for one in item.evidence if one.episode_id in episodes]
    best = [one for one in quotes if one.authority >= item.authority] or quotes
    if not best:
        return None
    return replace(_citation(item.version_id, best[-1], episodes[best[-1].episode_id]), stale=item.stale)


def _citation(id_: str, quote: Quote, episode: Episode) -> Citation:
    return Citation(
        id=id_,
        quote=quote.text,
        episode_id=quote.episode_id,
        start=quote.start,
        end=quote.end,
        authority=quote.authority,
        role=episode.source.role,
        said_by=episode.source.speaker,
        said_at=said_at(episode),
    )


def cite_line(line: Line) -> Citation:
    """A sentence as a citation."""
    quote = Quote(
        episode_id=line.episode.id,
        start=line.at.start,
        end=line.at.end,
        text=line.text,
        authority=line.authority,
    )
    return replace(_citation(line.episode.id, quote, line.episode), stale=line.stale)


def said_at(episode: Episode) -> When:
    """When an episode was said; of its recording if nobody knows."""
    return episode.occurred if episode.occurred.is_known else When.at(episode.recorded_at, Basis.INFERRED)


def claim_of_memory(item: MemoryItem, episodes: Mapping[str, Episode], speech: Speech) -> Claim | None:
    """What somebody claims, told as his."""
    citation = cite(item, episodes)
    if citation is None:
        return None
    episode = episodes[citation.episode_id]
    who = item.claimant or episode.source.speaker or episode.source.name
    return _claim(citation, episode, who, item.authority, speech)


def claim_of_line(line: Line, speech: Speech) -> Claim:
    """What a sentence of somebody else says, told as his."""
    source = line.episode.source
    own = line.episode.authority is line.authority
    return _claim(
        cite_line(line),
        line.episode,
        (source.speaker or source.name) if own else None,
        line.authority,
        speech,
    )


def _claim(
    citation: Citation, episode: Episode, who: str | None, authority: Authority, speech: Speech
) -> Claim:
    role = episode.source.role
    return Claim(
        id=citation.id,
        text=_told(role, who, citation.quote, speech),
        claimant=who,
        quote=citation.quote,
        episode_id=citation.episode_id,
        start=citation.start,
        end=citation.end,
        authority=authority,
        role=role,
        said_at=citation.said_at,
    )


def stands(draft: Draft, opened: Mapping[str, Episode]) -> bool:
    """The last check: every quote stands where it says in an opened episode, every value in one of the quotes.

    A date that words came to stands where the words do.
    """
    if not draft.citations or not draft.values:
        return False
    for one in draft.citations:
        episode = opened.get(one.episode_id)
        if episode is None or episode.text[one.start : one.end] != one.quote or not one.quote:
            return False
    quotes = [_plain(one.quote) for one in draft.citations]
    return all(any(_plain(value) in quote for quote in quotes) for value in draft.values)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).casefold().strip()


def without_cited(claims: Iterable[Claim], citations: Sequence[Citation]) -> tuple[Claim, ...]:
    """Each claim once, without what is cited."""
    cited = {(one.episode_id, one.start) for one in citations}
    found: dict[tuple[str, str], Claim] = {}
    for one in claims:
        if (one.episode_id, one.start) not in cited:
            found.setdefault((one.episode_id, same_form(one.quote)), one)
    return tuple(found.values())
