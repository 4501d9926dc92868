"""What episodes say to a question, sentence by sentence: which one may answer it, if any. Pure.

Rules:

1. A sentence that asks, supposes, doubts or plays a role supports nothing; nor does one that memories say no longer
   holds.
2. It has to hold the names that the question names, and to speak of whom the question is about: of its speaker, where
   the asker asks about himself and said it.
3. It has to cover most of the question's words, its episode a little more; so much that it would not by chance; and
   clearly more than any other sentence. How much was measured (`bench/answers.py`).
4. Where the question asks for one value of a known kind, that has to stand in the sentence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from affidavit.answer.about import About, is_whose
from affidavit.core.authority import Authority, Role
from affidavit.core.values import Episode
from affidavit.text.evidence.endings import void_time
from affidavit.text.evidence.likeness import same_form
from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import denials, is_inverted, language_of
from affidavit.text.frames.owners import only_owns
from affidavit.text.frames.playing import Announced, announced, is_played
from affidavit.text.lang.tables import table
from affidavit.text.lexicon.words import fold, tokens
from affidavit.text.questions.asking import Asking
from affidavit.text.questions.covering import Cover, Text, Weights, holds_all, text_of
from affidavit.text.questions.question_words import (
    Wanted,
    is_first_person,
    is_second_person,
    kindred,
    named,
    supposes,
)
from affidavit.text.sentences import asks, stretches
from affidavit.text.spans import SpanKind
from affidavit.text.times.dates import Dated, dates_in
from affidavit.text.view import view
from affidavit.text.whose.turns import speaker_of_line

SENTENCE: Final = 0.6
"""The share of the question's words that a sentence has to cover."""
EPISODE: Final = 0.75
"""The share that what its episode tells has to cover."""
BEYOND_CHANCE: Final = 1.5
"""How much heavier (in nats) the covered words have to be than one sentence of the space would cover by chance."""
MARGIN: Final = 0.5
"""How much heavier than in any other sentence."""
MOST_OF_ONE: Final = 2_000
"""Sentences of one episode that are looked at: of more, those that hold most of what is asked about."""
_REPLY: Final = 14
"""Words of a reply that lives from the question before it."""

_VALUED: Final = {Wanted.PLACE, Wanted.PERSON}
"""What a sentence that denies is no answer to: where she does not live."""
_NOT_OWN: Final = {SpanKind.THIRD_PARTY, SpanKind.ECHO}


class Stretch(NamedTuple):
    """A part of an episode's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A sentence that says something to the question: how far it may be relied on, what it covers.

    `value` is where the value asked for stands in the episode, if one of a known kind is. `asked` is the turn before it
    that it replies to, where it needs that to be understood. `stale`: it may have changed since it was said.
    """

    episode: Episode
    at: Stretch
    authority: Authority
    cover: Cover
    told: Cover
    value: Stretch | None = None
    asked: "Line | None" = None
    stale: bool = False

    @property
    def text(self) -> str:
        """The sentence."""
        return self.episode.text[self.at.start : self.at.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A question as sentences are measured against it.

    `closed`: stretches of episodes that hold no longer; `stale`: those that memories say may be out of date. What was
    said before `fresh_from` (UTC microseconds) may be, too.
    """

    asking: Asking
    about: About
    weights: Weights
    closed: Mapping[str, Sequence[Stretch]]
    stale: Mapping[str, Sequence[Stretch]]
    fresh_from: int | None = None

    def lines(self, episode: Episode) -> Iterator[Line]:
        """The sentences of an episode that speak of whom the question is about."""
        if not self._may_speak(episode):
            return
        told = [one for one in _sentences(episode) if not self._asks(_text(episode, one))]
        whole = self.weights.cover(text_of(" ".join(_text(episode, one) for one in told)))
        plays = announced(episode.text)
        for at in self._likeliest(episode, told):
            text = _text(episode, at)
            if self._is_open(episode, at) and not self._doubts(episode, at, plays):
                seen = text_of(text)
                authority = _authority(episode, at)
                if self._names(seen, episode) and self._speaks_of(text, episode, authority):
                    cover, value = self.weights.cover(seen), self._value(episode, at)
                    yield Line(
                        episode=episode, at=at, authority=authority, cover=cover, told=whole, value=value,
                        stale=self._is_stale(episode, at),
                    )  # fmt: skip

    def _likeliest(self, episode: Episode, told: Sequence[Stretch]) -> Sequence[Stretch]:
        """Of very many sentences those that hold most of what is asked about, in their order."""
        if len(told) <= MOST_OF_ONE:
            return told
        shares = [self.weights.cover(text_of(_text(episode, one))).share for one in told]
        best = sorted(range(len(told)), key=lambda place: -shares[place])[:MOST_OF_ONE]
        return [told[place] for place in sorted(best)]

    def _is_stale(self, episode: Episode, at: Stretch) -> bool:
        said = episode.occurred.start or episode.recorded_at
        old = self.fresh_from is not None and said < self.fresh_from
        return old or any(_meet(at, one) for one in self.stale.get(episode.id, ()))

    def _asks(self, text: str) -> bool:
        """Whether a sentence is a question, by its mark or because it begins as one."""
        return asks(text) or is_inverted(plain(text), self.asking.language)

    def told(self, episode: Episode, after: int = 0) -> Iterator[Line]:
        """What an episode says behind a place, whatever it is about, sentence by sentence."""
        if not self._may_speak(episode):
            return
        for start, end in _sentences(episode):
            first = max(start, after)
            first += len(episode.text[first:end]) - len(episode.text[first:end].lstrip(" ,;"))
            at = Stretch(first, end)
            if first < end and not asks(_text(episode, at)) and self._is_open(episode, at):
                cover = self.weights.cover(text_of(_text(episode, at)))
                yield Line(episode=episode, at=at, authority=_authority(episode, at), cover=cover, told=cover)

    def reply(self, before: Episode, episode: Episode) -> Line | None:
        """The first sentence of an episode as a reply to what was asked in the one before it."""
        asked = [one for one in _sentences(before) if asks(_text(before, one))]
        told = next(_sentences(episode), None)
        apart = self._may_speak(episode) and not _same_speaker(before, episode)
        if not apart or not asked or told is None or not self._replies(episode, told):
            return None
        question, answer = asked[-1], told
        text = _text(episode, answer)
        both = text_of(f"{_text(before, question)} {text}")
        authority = _authority(episode, answer)
        addressed = self.about.asker and authority > Authority.UNENDORSED
        if not addressed or not self._names(both, episode):
            return None
        cover = self.weights.cover(both)
        lead = Line(
            episode=before, at=question, authority=_authority(before, question), cover=cover, told=cover
        )
        stale = self._is_stale(episode, answer)
        return Line(
            episode=episode, at=answer, authority=authority, cover=cover, told=cover, asked=lead, stale=stale
        )

    def _replies(self, episode: Episode, at: Stretch) -> bool:
        text = _text(episode, at)
        short = len(tokens(text)) <= _REPLY and not asks(text)
        return short and self._is_open(episode, at) and not self._doubts(episode, at, announced(episode.text))

    def _may_speak(self, episode: Episode) -> bool:
        """The assistant's words answer what was asked about them, and nothing about the user."""
        return episode.source.role is not Role.ASSISTANT or self.asking.assistant

    def _is_open(self, episode: Episode, at: Stretch) -> bool:
        return not any(_meet(at, one) for one in self.closed.get(episode.id, ()))

    def _doubts(self, episode: Episode, at: Stretch, plays: Announced) -> bool:
        """Whether a sentence supposes, reports, doubts or plays a role; "May" in a date is no doubt."""
        text = _text(episode, at)
        if is_played(episode.text, at.start, at.end, plays):
            return True
        dates = [one.at for one in self._dates(episode, at)]
        seen, words = view(text, dates).text, table(self.asking.language)
        if self._name(text) is not None:
            return words.rest.search(seen) is not None
        if self.asking.relation is None or self.asking.who:
            # Told as it stands; what frames would refuse is mostly refused for being no fact about the user.
            return words.hedge.search(seen) is not None or supposes(text, self.asking.language)
        return words.refuse.search(seen) is not None or words.hedge.search(seen) is not None

    def _dates(self, episode: Episode, at: Stretch) -> list[Dated]:
        anchor = episode.recorded_at if episode.occurred.start is None else episode.occurred.start
        return dates_in(_text(episode, at), anchor=anchor, offset=episode.occurred.offset)

    def _name(self, text: str) -> tuple[int, int] | None:
        """Where the name stands that is asked for."""
        asking = self.asking
        if asking.wanted is not Wanted.PERSON or not asking.qualifier:
            return None
        return named(text, _kinds(asking), asking.language)

    def _names(self, seen: Text, episode: Episode) -> bool:
        speaker = {fold(token) for token in tokens(episode.source.speaker or "")}
        return all(seen.holds(word) or word.text in speaker for word in self.about.must)

    def _speaks_of(self, text: str, episode: Episode, authority: Authority) -> bool:
        language, asking = self.asking.language, self.asking
        names = [word.text for word in self.about.must]
        if any(only_owns(text, one, language) and not only_owns(asking.text, one, language) for one in names):
            return False
        if asking.assistant or (asking.relation is not None and not asking.first and not asking.who):
            return True
        if self.about.asker and (authority is Authority.UNENDORSED or episode.source.role is not Role.USER):
            # Others speak of the user by name, or to him.
            named_here = any(fold(token) in self.about.own for token in tokens(text))
            return named_here or is_second_person(text, language)
        if self.about.asker:
            turn = speaker_of_line(text)
            its = turn is None or self.about.own.issuperset(map(fold, tokens(turn)))
            mine = its and is_first_person(text, language, subject=asking.subject)
            return mine and is_whose(asking, self.about, text, episode.source.speaker)
        if asking.first and not is_whose(asking, self.about, text, episode.source.speaker):
            return False
        if asking.who and not asking.first:
            self_said = same_form(episode.source.speaker or "") == same_form(asking.who)
            return self_said or language != "en" or not is_first_person(text, language, subject=True)
        return True

    def _value(self, episode: Episode, at: Stretch) -> Stretch | None:
        """Where the value stands that is asked for, as far as its kind can be told."""
        found = self._name(_text(episode, at))
        if self.asking.wanted is Wanted.DATE:
            dates = self._dates(episode, at)
            placed = [one for one in dates if one.start is not None or one.end is not None]
            held = [one.at for one in placed if not void_time(_text(episode, at), *one.at)]
            # Of several times, whose each is cannot be told: the sentence is told whole.
            found = held[0] if held and (len(placed) == 1 or not self.about.must) else None
        return None if found is None else Stretch(at.start + found[0], at.start + found[1])

    def _is_about(self, text: str) -> bool:
        """Whether a sentence is about what the question names, all of it."""
        asking = self.asking
        words = asking.about or asking.qualifier or asking.content
        return holds_all(text, words, exact=asking.language == "es") and (
            not asking.cue or any(holds_all(text, cue) for cue in asking.cue)
        )

    def suffices(self, line: Line) -> bool:
        """Whether a sentence may answer, were it the only one."""
        asking = self.asking
        if asking.before is not None or (asking.wanted in _VALUED and _denies(line.text)):
            return False
        if asking.relation is not None and self.about.asker:
            # What frames know is answered from what they took, but for values that can be told by their form.
            if asking.wanted is Wanted.PERSON:
                return line.value is not None
            if asking.wanted is not Wanted.DATE or line.value is None:
                return False
            return self._is_about(line.text)
        enough = self.weights.chance + BEYOND_CHANCE
        return line.cover.share >= SENTENCE and line.told.share >= EPISODE and line.cover.weight >= enough


def best_of(talk: Talk, lines: Iterable[Line]) -> Line | None:
    """The one sentence that answers, if one does, among those that may be relied on."""
    found = [one for one in lines if one.authority > Authority.UNENDORSED]
    good = sorted((one for one in found if talk.suffices(one)), key=_better)
    if not good:
        return None
    best = good[0]
    form = same_form(best.text)
    rivals = [one for one in found if one.episode.id != best.episode.id and same_form(one.text) != form]
    close = any(one.cover.weight > best.cover.weight - MARGIN for one in rivals)
    return None if close and best.value is None else best


def claims_of(talk: Talk, lines: Iterable[Line]) -> list[Line]:
    """The sentences that would answer if whoever said them could be believed."""
    found = [one for one in lines if one.authority is Authority.UNENDORSED and talk.suffices(one)]
    return sorted(found, key=_better)[:3]


def _better(line: Line) -> tuple[float, float, int]:
    return -line.cover.weight, -line.told.weight, -line.episode.seq


def _kinds(asking: Asking) -> list[str]:
    mine = same_form(asking.qualifier)
    return [
        mine,
        *sorted(word for group in kindred(asking.language) if mine in group for word in group - {mine}),
    ]


def _sentences(episode: Episode) -> Iterator[Stretch]:
    for start, end in stretches(episode.text):
        text = episode.text[start:end]
        first = start + len(text) - len(text.lstrip())
        last = first + len(text.strip())
        if first < last:
            yield Stretch(first, last)


def _text(episode: Episode, at: Stretch) -> str:
    return episode.text[at.start : at.end]


def _authority(episode: Episode, at: Stretch) -> Authority:
    foreign = any(
        span.kind in _NOT_OWN and _meet(at, Stretch(span.start, span.end)) for span in episode.spans
    )
    return Authority.UNENDORSED if foreign else episode.authority


def _denies(text: str) -> bool:
    said = plain(text)
    return bool(denials(said, language_of(said)))


def _meet(one: Stretch, other: Stretch) -> bool:
    return one.start < other.end and other.start < one.end


def _same_speaker(one: Episode, other: Episode) -> bool:
    return (one.source.role, one.source.speaker) == (other.source.role, other.source.speaker)
