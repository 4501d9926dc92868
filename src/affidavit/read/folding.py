"""Memories found through what they quote, and episodes folded into them.

Rules:

1. A memory is found by its own words, and by the words of the question that its quotes hold: then it has as much of the
   episode's score as it quotes of what the question found there.
2. What a superseded version quotes finds the version that holds in its place, where it is more than the old value that
   the question found: "Where do I live?" finds the home of today through that of before.
3. A memory of the relation that the question asks for is found whatever its words are, and goes first.
4. An episode is shown with a memory that quotes it, and not beside it, where nothing is lost by that: all that the
   question found in it, or all of it but grammar, is quoted by memories that are shown, and of what was found in the
   quotes they say all: "I'm vegetarian and allergic to nuts" is not all in "The user's diet: vegetarian".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from affidavit.core.values import Episode
from affidavit.read.asked import asked_for
from affidavit.read.hits import Found, found_in, quotes_of
from affidavit.read.masks import Allowed
from affidavit.read.memories import View
from affidavit.read.plan import Plan
from affidavit.read.question import Question
from affidavit.store.memory_reads import Quoting
from affidavit.store.protocol import Reads
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import relation_words
from affidavit.text.lexicon.stopwords import STOP_WORDS
from affidavit.text.lexicon.terms import query_terms, terms
from affidavit.text.lexicon.words import fold, tokens

_ASKED: Final = 0.5
"""Added to what a memory of the asked relation has: about what a very good match of words has."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a question that carry it; all of them where none does."""

    ids: frozenset[int]
    _seen: dict[str, frozenset[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, question: str) -> "Words":
        """Take a question apart."""
        asked = query_terms(question)
        plain = frozenset(term.id for term in asked if not term.stop)
        return cls(plain or frozenset(term.id for term in asked))

    def within(self, text: str) -> frozenset[int]:
        """Those that a text holds."""
        held = self._seen.get(text)
        if held is None:
            held = self._seen[text] = self.ids.intersection(terms(text).ids)
        return held


class Folding:
    """One space's part of a search."""

    def __init__(self, reads: Reads, view: View, allowed: Allowed, question: Question, plan: Plan) -> None:
        self.reads, self.view, self.allowed = reads, view, allowed
        self.words = Words.of(question.text)
        self.asked = frozenset(asked_for(reads, view, allowed, plan.asking))
        self.objects: dict[str, str] = {}
        self.quotes: list[Quoting] = []
        """The quotes of the episodes that were found last."""

    def of(self, found: Sequence[Found], *, fold_episodes: bool) -> list[Found]:
        """What was found, with the memories behind it; best first."""
        episodes = {one.episode.id: one for one in found if one.episode is not None}
        places = self.allowed.terms.places
        quotes = [one for one in quotes_of(self.reads, self.view, found) if one.version in places]
        self.quotes = quotes
        self._read_objects(quotes)
        found = self._lifted(found, episodes, quotes)
        if fold_episodes:
            found = self._folded(found, quotes)
        return sorted(found, key=lambda one: one.order)

    # -- finding memories through their quotes

    def _read_objects(self, quotes: Iterable[Quoting]) -> None:
        """The values of the versions that do not compete: a question that found no more than them is not about now."""
        old = dict.fromkeys(one.version for one in quotes if not self.allowed.may(self._seq(one.version)))
        stored = self.reads.items(self.view.space_id, list(old))
        self.objects = {version: one.row.object or "" for version, one in stored.items()}

    def _seq(self, version: str) -> int:
        return self.allowed.terms.seqs[self.allowed.terms.places[version]]

    def _lifted(
        self, found: Sequence[Found], episodes: dict[str, Found], quotes: Iterable[Quoting]
    ) -> list[Found]:
        """The memories that quotes lead to get their score from what was found in the episodes."""
        scores: dict[int, float] = {}
        for quote in quotes:
            episode = episodes[quote.episode_id]
            score = episode.score * self._share(episode.episode, quote)
            for seq in self._standing_in(quote.version) if score > 0 else ():
                scores[seq] = max(score, scores.get(seq, 0.0))
        have = {one.seq: one for one in found if one.memory is not None}
        new = found_in(self.reads, self.view, [], (scores.keys() | self.asked) - have.keys())
        for one in (*have.values(), *new):
            more = scores.get(one.seq, 0.0) - one.score
            if more > 0:
                one.parts = {**one.parts, "quoted": more}
                one.score += more
            if one.seq in self.asked:
                one.parts = {**one.parts, "asked": _ASKED}
                one.score += _ASKED
        return [*found, *new]

    def _share(self, episode: Episode | None, quote: Quoting) -> float:
        """How much of what the question found in an episode a quote holds, 0 to 1."""
        assert episode is not None
        text = episode.text[quote.start : quote.end]
        there = self.words.within(episode.text)
        if quote.version in self.objects:
            here = self.words.within(text) - self.words.within(self.objects[quote.version])
            return len(here) / len(there) if there else 0.0
        return len(self.words.within(text)) / len(there) if there else len(text) / max(1, len(episode.text))

    def _standing_in(self, version: str) -> list[int]:
        """The version itself if it competes, else those of its memory that do."""
        versions = [version] if version not in self.objects else self.allowed.terms.siblings(version)
        return [seq for seq in map(self._seq, versions) if self.allowed.may(seq)]

    # -- folding

    def _folded(self, found: Sequence[Found], quotes: Iterable[Quoting]) -> list[Found]:
        shown = {one.memory.version_id: one for one in found if one.memory is not None}
        above: dict[str, list[Quoting]] = {}
        for quote in quotes:
            if quote.version in shown:
                above.setdefault(quote.episode_id, []).append(quote)
        kept = []
        for one in found:
            quoting = above.get(one.episode.id, []) if one.episode is not None else []
            if one.episode is None or not quoting or not self._is_told(one.episode, quoting, shown):
                kept.append(one)
                continue
            best = min((shown[quote.version] for quote in quoting), key=lambda memory: memory.order)
            best.folded.append(one.episode.id)
            if one.score > best.score:
                best.parts = {**best.parts, "quoted": best.parts.get("quoted", 0.0) + one.score - best.score}
                best.score = one.score
        return kept

    def _is_told(self, episode: Episode, quoting: Sequence[Quoting], shown: Mapping[str, Found]) -> bool:
        """Whether memories tell all of an episode that the question found, and quote all of it but grammar."""
        there = self.words.within(episode.text)
        told = frozenset[int]().union(
            *(self._told(episode, quote, shown[quote.version]) for quote in quoting)
        )
        return told >= there and self._is_quoted(episode, quoting)

    def _told(self, episode: Episode, quote: Quoting, shown: Found) -> frozenset[int]:
        """The question's words that a memory says itself, and those of its quote that are but words of its relation."""
        item = shown.memory
        assert item is not None
        words = self.words.within(item.text)
        if item.relation is None:
            return words
        said = plain(episode.text[quote.start : quote.end])
        own = (relation_words(item.relation, what, "en").findall(said) for what in ("shown", "said"))
        return words | self.words.within(" ".join(word for found in own for word in found))

    def _is_quoted(self, episode: Episode, quoting: Sequence[Quoting]) -> bool:
        """Whether these quotes leave out nothing of an episode that the question found, or nothing but grammar."""
        left = list(episode.text)
        for quote in quoting:
            left[quote.start : quote.end] = " " * (quote.end - quote.start)
        there = self.words.within(episode.text)
        quoted = {word for q in quoting for word in self.words.within(episode.text[q.start : q.end])}
        if there and quoted >= there:
            return True
        return all(fold(word) in STOP_WORDS for word in tokens("".join(left)))
