"""What must hold of a memory, judged without any of the project's own checks or tables: small and blunt on purpose.

It knows three languages by a few words each. Where it can't tell it says nothing.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from affidavit import Answer
from affidavit.core.authority import Authority
from affidavit.read.memories import MemoryItem

_DENIED = re.compile(
    r"\b(?:not|no|never|nobody|nothing|cannot|without|nunca|tampoco|jamás|nadie)\b|n['’]t\b|[不没未别]|從未",
    re.IGNORECASE,
)
_LIKED = re.compile(
    r"\b(?:lov(?:e|es|ed|ing)|likes?|enjoys?|prefers?|gusta|encanta|prefiere)\b|喜欢|爱吃|偏爱", re.IGNORECASE
)
_DISLIKED = re.compile(r"\b(?:hat(?:e|es|ed)|dislikes?|loathes?|detests?|odia|detesta)\b|讨厌", re.IGNORECASE)
_DOUBTED = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|i think|i guess|not sure|quizás?|tal vez|creo que|a lo mejor)\b"
    r"|也许|可能|大概|好像|我觉得|说不定",
    re.IGNORECASE,
)
_VALUE = re.compile(r"[\w.+-]+@[\w.-]+|https?://\S+|[\w-]*\d[\w.,:/-]*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_JOINED = re.compile(r"[,;:.!?—，。；：！？]|\b(?:and|but|or|y|e|pero|o)\b|\s-\s", re.IGNORECASE)
_AT_MOST = {"user": Authority.AUTHORIZED, "assistant": Authority.ATTESTED, "system": Authority.AUTHORIZED}


def faults(one: MemoryItem, episodes: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What is wrong with a memory; `episodes`: `text` and the `message` that was told, by id."""
    for quote in one.evidence:
        if episodes[quote.episode_id]["text"][quote.start : quote.end] != quote.text:
            yield "a quote that does not stand in its episode"
        if one.authority.rank > at_most(episodes[quote.episode_id]["message"]).rank:
            yield f"more authority than {quote.episode_id} has"
    said = " … ".join(quote.text for quote in one.evidence)
    for text in (one.text, one.object or "", one.qualifier or ""):
        beyond = [value for value in _beyond(text, said) if not _follows(value, one, said)]
        if beyond:
            yield f"a value that nobody said: {beyond}"
    if "“" in one.text:
        return  # it is told as said, and the words are the quote's
    if one.object is not None and _plain(one.object) not in _plain(said):
        yield f"a value that is not in its quote: {one.object!r}"
    if _DOUBTED.search(said) and not _DOUBTED.search(one.text):
        yield "less doubt than its quote"
    yield from _turned(one.text, said)


def answer_faults(
    answer: Answer, episodes: Mapping[str, Mapping[str, Any]], opened: Collection[str]
) -> Iterator[str]:
    """What is wrong with an answer."""
    if answer.abstained:
        return
    if not answer.citations:
        yield "no citation"
    for one in answer.citations:
        if episodes[one.episode_id]["text"][one.start : one.end] != one.quote:
            yield "a citation that does not stand in its episode"
        if not {one.id, one.episode_id} <= set(opened):
            yield "a citation that was not opened"
        if one.authority.rank > at_most(episodes[one.episode_id]["message"]).rank:
            yield "a citation with more authority than its episode has"
    said = " … ".join(one.quote for one in answer.citations)
    days = {one.said_at.local_text()[:10] for one in answer.citations if one.said_at.is_known}
    beyond = [
        value for value in _beyond(answer.text, said) if value not in days and not _named_in_part(value, said)
    ]
    if beyond:
        yield f"a value that is not in what it cites: {beyond}"


def _beyond(text: str, said: str) -> list[str]:
    """The values of a text that stand nowhere in what was said."""
    low = said.casefold()
    values = [value.strip(".,:/-").casefold() for value in _VALUE.findall(text)]
    return [value for value in values if not re.search(rf"(?<!\d){re.escape(value)}(?!\d)", low)]


def _follows(value: str, one: MemoryItem, said: str) -> bool:
    """Whether it is a day in full that the words name in part, or the day of the memory's own time."""
    when = [
        time.local_text()[:10] for time in (one.occurred, one.valid) if time is not None and time.is_known
    ]
    return (_DAY.fullmatch(value) is not None and value in when) or _named_in_part(value, said)


def _named_in_part(value: str, said: str) -> bool:
    return _DAY.fullmatch(value) is not None and not _beyond(value[-2:].lstrip("0"), said)


def _turned(text: str, said: str) -> Iterator[str]:
    if _DENIED.search(text) and not _DENIED.search(said):
        yield "a denial that its quote has not"
    if _DENIED.search(said) and not _DENIED.search(text) and not _JOINED.search(said.strip(" .!,;")):
        yield "without the denial of its quote"
    for words, name in ((_LIKED, "a liking"), (_DISLIKED, "a dislike")):
        if words.search(text) and not words.search(said):
            other = _DISLIKED if words is _LIKED else _LIKED
            if other.search(said):
                yield f"{name} instead of its opposite"


def at_most(message: Mapping[str, Any]) -> Authority:
    """The most that what a message says may be relied on."""
    foreign = "third_party" in (message.get("derived_from"), message.get("author"))
    if foreign or (message["role"] == "user" and message.get("name", "priya") != "priya"):
        return Authority.UNENDORSED
    return _AT_MOST.get(message["role"], Authority.UNENDORSED)


def same(one: str, other: str) -> bool:
    """Whether two texts are the same but for case, space and marks."""
    return _plain(one) == _plain(other)


def stored_as(text: str, those: Sequence[MemoryItem]) -> list[MemoryItem]:
    """The memories that say just this, in these words."""
    return [one for one in those if same(one.text, text)]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
