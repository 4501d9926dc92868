"""Terms: what a text is found by.

A row stores the ids of its terms, never the words: a word list would keep what was erased. A term id is the
first 32 bits of a BLAKE2b hash of a form of `affidavit.text.lexicon.words`. The stored bytes are a function of the text
and of `FORMAT` alone, so that verify can recompute them; whoever changes an analysis changes `FORMAT`.

    byte 0      format, 1
    byte 1      how much of the text asks, in 255ths (see `Terms.asking`)
    bytes 2-5   length of the text in words, unsigned, little endian
    then        n ids, unsigned 32 bits, little endian, rising
    then        n counts, unsigned 16 bits, little endian, saturating
"""

import hashlib
import struct
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any, Final, NamedTuple, Self

from affidavit.text.lexicon.stopwords import ENGLISH, MARKERS, STOP_WORDS
from affidavit.text.lexicon.words import Kind, Script, analyse, fold, script_of, stem, tokens
from affidavit.text.sentences import asks, sentences

#: Version of the analysis and of the stored form: the first byte of stored terms.
FORMAT: Final = 1
HEADER_BYTES: Final = 6
ENTRY_BYTES: Final = 6

_MOST = 65_535
_ENGLISH_ONLY: Final = frozenset({(), ("english",)})
_CACHED_TOKENS = 200_000
_CACHED_CHARS = 24  # longer tokens are rarely met twice

_ONES: Final = (1,) * 256
_SHORT: Final = 12  # words of a question that does nothing but ask

_WEIGHTS: Final = {Kind.WORD: 1.0, Kind.WHOLE: 1.0, Kind.PART: 0.8, Kind.GRAM: 1.0, Kind.SINGLE: 0.35}
_SECOND_WEIGHT = 0.7


@dataclass(frozen=True, slots=True)
class Terms:
    """Term ids of one text (rising, unique), how often each occurs (at most 65,535), and its length in words.

    `asking` is the share of the words that stand in short questions, in 255ths. "Where did you go?" asks and does
    not tell; "I want it small, so how can I keep it small?" tells as well, which is why only short ones count.
    """

    ids: tuple[int, ...]
    counts: tuple[int, ...]
    length: int
    asking: int = 0

    def to_bytes(self) -> bytes:
        """The stored form; see the module's docstring."""
        n = len(self.ids)
        return struct.pack(f"<BBI{n}I{n}H", FORMAT, self.asking, self.length, *self.ids, *self.counts)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the stored form. Raises `ValueError` for bytes that `to_bytes` can't have written."""
        n, rest = divmod(len(data) - HEADER_BYTES, ENTRY_BYTES)
        if n < 0 or rest or data[0] != FORMAT:
            raise ValueError("these bytes are not stored terms of format 1")
        _, asking, length, *numbers = struct.unpack(f"<BBI{n}I{n}H", data)
        ids, counts = tuple(numbers[:n]), tuple(numbers[n:])
        if any(a >= b for a, b in pairwise(ids)) or 0 in counts:
            raise ValueError("stored terms are out of order or counted zero times")
        return cls(ids, counts, length, asking)


class QueryTerm(NamedTuple):
    """One term of a question: its id, its weight, the plain word it came from, and whether that is only grammar.

    `folded` is the word without accents. `guess` says that the question does not show its language: `elsewhere(word)`
    then gives the ids the word would have in other languages, for a space that does not know `id`.
    """

    id: int
    weight: float
    word: str
    folded: str
    stop: bool
    guess: bool = False


def term_id(term: str) -> int:
    """The 32-bit id of a form."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "little")


class _Entry(NamedTuple):
    ids: tuple[int, ...]
    length: int
    votes: tuple[str, ...]  # languages this word is a sign of


_ids_of: Callable[[Any], tuple[int, ...]] = itemgetter(0)
_length_of: Callable[[Any], int] = itemgetter(1)
_votes_of: Callable[[Any], tuple[str, ...]] = itemgetter(2)
_cache: dict[str, _Entry] = {}
_asked: dict[tuple[str, str | None], "tuple[QueryTerm, ...]"] = {}
_elsewhere: dict[str, tuple[int, ...]] = {}
_filling = threading.Lock()


def clear_cache() -> None:
    """Forget the words met so far; for erasure, which leaves none behind in memory either."""
    with _filling:
        for cached in (_cache, _asked, _elsewhere):
            cached.clear()


def _keep(cached: dict[Any, Any], key: Any, word: str, value: Any) -> None:
    if len(word) <= _CACHED_CHARS:
        with _filling:
            if len(cached) >= _CACHED_TOKENS:
                cached.clear()
            cached[key] = value


def _entry(token: str) -> _Entry:
    analysed = analyse(token)
    entry = _Entry(tuple(term_id(f.term) for f in analysed.forms), analysed.length, _votes(analysed.plain))
    _keep(_cache, token, token, entry)
    return entry


@cache
def _markers() -> dict[str, tuple[str, ...]]:
    """Word -> the languages it is a sign of."""
    found: dict[str, list[str]] = {word: ["english"] for word in ENGLISH}
    for language, words in MARKERS.items():
        for word in words:
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}


def _votes(plain: str) -> tuple[str, ...]:
    return _markers().get(plain, ())


def _language(votes: Counter[str]) -> str | None:
    """The language other than English that a text shows, or None. Ties go to English, then by the alphabet."""
    english = votes.pop("english", 0)
    if not votes:
        return None
    count, language = min((-n, name) for name, n in votes.items())
    return language if -count > english else None


def _seconds(words: list[str], language: str) -> list[int]:
    """Ids of the words' stems in `language`, where they differ from the English one."""
    out = []
    for token in words:
        if script_of(token) is Script.LATIN and token.isalpha():
            second = fold(stem(language, token.casefold()))
            first = analyse(token).forms[0].term
            if second != first:
                out.append(term_id(second))
    return out


def terms(text: str) -> Terms:
    """The terms of a text to be stored. Takes any text, also an empty one."""
    ids, counts, length, asking = _collect(text)
    return Terms(tuple(ids), tuple(counts), length, asking)


def stored_terms(text: str) -> bytes:
    """`terms(text).to_bytes()`, for those who want it of very many texts."""
    ids, counts, length, asking = _collect(text)
    n = len(ids)
    return struct.pack(f"<BBI{n}I{n}H", FORMAT, asking, length, *ids, *counts)


def _collect(text: str) -> tuple[list[int], Sequence[int], int, int]:
    """Ids, their counts, length, and how much asks. Loops are left to the interpreter: verify has many texts."""
    words = tokens(text)
    entries = list(map(_cache.get, words))
    if None in entries:
        entries = [entry or _entry(token) for entry, token in zip(entries, words, strict=True)]
    ids: list[int] = list(chain.from_iterable(map(_ids_of, entries)))
    length: int = sum(map(_length_of, entries))
    if not _ENGLISH_ONLY.issuperset(map(_votes_of, entries)):
        language = _language(Counter(chain.from_iterable(map(_votes_of, entries))))
        ids += _seconds(words, language) if language else []
    unique = sorted(set(ids))
    counts = _ONES[: len(unique)] if len(unique) == len(ids) <= len(_ONES) else _counts(unique, ids)
    asking = _asking(text, length) if length and asks(text) else 0
    return unique, counts, min(length, 0xFFFFFFFF), asking


def _counts(unique: list[int], ids: list[int]) -> list[int]:
    counted = dict.fromkeys(unique, 0)
    for one in ids:
        counted[one] += 1
    return [min(count, _MOST) for count in counted.values()] if len(ids) > _MOST else list(counted.values())


def _asking(text: str, length: int) -> int:
    """The share of the words that stand in short questions, in 255ths."""
    asked = 0
    for sentence in sentences(text):
        if asks(sentence):
            words = sum((_cache.get(token) or _entry(token)).length for token in tokens(sentence))
            asked += words if words <= _SHORT else 0
    return min(255, round(255 * asked / length))


def query_terms(text: str) -> list[QueryTerm]:
    """The terms of a question in order of first mention, each once, with weights. Takes any text."""
    words = tokens(text)
    language = _language(
        Counter(chain.from_iterable((_cache.get(one) or _entry(one)).votes for one in words))
    )
    found: dict[int, QueryTerm] = {}
    for token in words:
        for term in _asked.get((token, language)) or _asked_with(token, language):
            known = found.get(term.id)
            if known is None or known.weight < term.weight:
                found[term.id] = term
    return list(found.values())


def _asked_with(token: str, language: str | None) -> tuple[QueryTerm, ...]:
    """The terms of one word of a question in this language."""
    forms, _, plain = analyse(token)
    folded = fold(plain)
    stop = plain in (ENGLISH if language is None else STOP_WORDS[language])
    out = [QueryTerm(term_id(f.term), _WEIGHTS[f.kind], plain, folded, stop) for f in forms]
    if script_of(token) is Script.LATIN and token.isalpha():
        if language is None:
            out[0] = out[0]._replace(guess=True)
        else:
            second = term_id(fold(stem(language, plain)))
            if second != out[0].id:
                out.append(QueryTerm(second, _SECOND_WEIGHT, plain, folded, stop))
    _keep(_asked, (token, language), token, tuple(out))
    return tuple(out)


def elsewhere(word: str) -> tuple[int, ...]:
    """The ids a lower-case word would have, were it of another language than English; each once."""
    found = _elsewhere.get(word)
    if found is None:
        stems = (fold(stem(language, word)) for language in sorted(STOP_WORDS))
        found = tuple(dict.fromkeys(map(term_id, stems)))
        _keep(_elsewhere, word, word, found)
    return found
