"""Check `statement`: a true quote does not make a true statement.

What a candidate says has to agree with what is quoted: the same subject, denied or not, liked or not, over or not;
every word that says something comes from the quote, its sentence, or belongs to the relation that the quote shows.
A text that does not agree is never stored: where the quote is sound the quote itself is, without a triple.

Rules:
1. What the frames read in the same words needs no other proof.
2. A word that turns, limits or weakens the quote is not left out, and none that sharpens it is added.
3. Of a language that no table knows only the quote itself is taken.
"""

import re
from dataclasses import replace
from typing import Final

from affidavit.core.candidates import Certainty, Check
from affidavit.core.memories import USER, Kind
from affidavit.text.passages import plain
from affidavit.text.quotes import fold, stands
from affidavit.text.signs import OTHER, UNSPACED, denials, has, relation_words, signs, without
from affidavit.write.checks.draft import Draft, Refusal, refuse
from affidavit.write.checks.evidence import Quote
from affidavit.write.checks.sense import Sense, words_between
from affidavit.write.checks.words import Word, blotted, content_words, missing, words_of

_EDGES: Final = re.compile(r"^\W+|\W+$")
_ATTITUDES: Final = {"like": 1, "dislike": -1, "favorite": 1}
_AHEAD: Final = frozenset({"plan", "deadline"})


def check_statement(draft: Draft) -> Refusal | None:
    """Let the draft say no more and nothing else than its quotes."""
    if _confirmed(draft):
        draft.confirmed = True
        return None
    said, quote = draft.said, draft.quotes[0]
    if said.kind is Kind.INSTRUCTION and _is_once(quote):
        hint = 'an instruction is remembered when it stands for later too ("always", "from now on")'
        return refuse(Check.STATEMENT, "only_once", hint, quote)
    if said.relation and not _shows(draft):
        draft.drop_triple()
    if not _agrees(draft):
        draft.keep_quote()
    elif draft.said.relation and not _flags_agree(draft):
        draft.drop_triple()
    return None


def _confirmed(draft: Draft) -> bool:
    """Whether the frames read the same statement in the quote."""
    said = draft.said
    if len(draft.quotes) != 1 or said.certainty is not Certainty.ASSERTED:
        return False
    quote = draft.quotes[0]
    about_user = said.subject == USER and quote.is_own and quote.claimant is None
    if quote.is_foreign or not (about_user or said.subject == quote.claimant):
        return False
    for one in quote.told.read:
        same = (one.relation, one.object, one.qualifier, one.negated, one.ended, str(one.certainty))
        mine = (
            said.relation,
            said.object,
            said.qualifier or "",
            said.negated,
            said.ended,
            str(said.certainty),
        )
        text = plain(one.text) if about_user else quote.passage.quote
        if same == mine and quote.start <= one.start and one.end <= quote.end and plain(said.text) == text:
            return True
    return False


def _is_once(quote: Quote) -> bool:
    text, language = quote.passage.text, quote.language
    return has("once", text, language) and not has("standing", text, language)


def _shows(draft: Draft) -> bool:
    """Whether the quote shows the relation and holds its value, which no word before it gives another sense."""
    said, quote = draft.said, draft.quotes[0]
    assert said.relation is not None
    if len(draft.quotes) > 1 or said.object is None or not stands(fold(quote.text), said.object):
        return False
    if said.qualifier and not stands(fold(quote.text), said.qualifier):
        return False
    sentence, language = quote.passage.text, quote.language
    if not _shown(said.relation, said.subject, sentence, language):
        return False
    place = sentence.find(plain(said.object))
    if said.relation == "instruction" or place < 0:
        return place >= 0
    near = [word.text for word in words_of(sentence[max(0, place - 24) : place], language)][-2:]
    denied = relation_words(said.relation, "denied", language)
    return denied.search(" ".join(near)) is None


def _shown(relation: str, subject: str, sentence: str, language: str) -> list[tuple[int, int]]:
    """Where words stand that show a relation."""
    found = [one.span() for one in relation_words(relation, "shown", language).finditer(sentence)]
    if subject != USER:
        found += [one.span() for one in relation_words(relation, "third", language).finditer(sentence)]
        if not found and relation in _ATTITUDES:
            found += signs("like", sentence, language) + signs("dislike", sentence, language)
    return found


def _agrees(draft: Draft) -> bool:
    """Whether the text says what is quoted."""
    said, quote = draft.said, draft.quotes[0]
    text, language = plain(said.text), quote.language
    if OTHER in {one.language for one in draft.quotes}:
        return len(draft.quotes) == 1 and _EDGES.sub("", text) == _EDGES.sub("", quote.passage.quote)
    sentence = " . ".join(one.passage.text for one in draft.quotes)
    allowed = relation_words(said.relation, "said", language) if said.relation else None
    if missing(text, f"{sentence} {_speakers(draft)}", language, allowed):
        return False
    kept = _kept(draft, text, sentence, language)
    start = len(quote.passage.before) if len(draft.quotes) == 1 else 0
    end = start + len(quote.passage.quote) if len(draft.quotes) == 1 else len(sentence)
    sense = Sense(sentence, language).part_with(kept, (start, end))
    mine = Sense(text, language)
    return (
        _same_turn(draft, mine, sense)
        and _same_limits(draft, mine, sense, sentence)
        and _same_subject(draft, mine, sense, kept)
        and (bool(said.relation) or _nothing_left_out(text, sense, kept))
    )


def _speakers(draft: Draft) -> str:
    """The names of those who say it, by which a text may call them."""
    return " ".join(plain(name) for quote in draft.quotes for name in quote.names)


def _kept(draft: Draft, text: str, sentence: str, language: str) -> list[Word]:
    """The words of the statement that stand in the sentence: of its value and what shows its relation, or all."""
    said = draft.said
    if not said.relation or not said.object:
        return [word for word in content_words(text, language) if _stands_in(word, sentence, language)]
    value = plain(said.object)
    kept = words_of(value, language)
    place = sentence.find(value)
    shown = [one for one in _shown(said.relation, said.subject, sentence, language) if one[0] <= place]
    for start, end in shown[-1:] or _shown(said.relation, said.subject, sentence, language)[:1]:
        kept += words_of(sentence[start:end], language)
    return kept


def _stands_in(word: Word, sentence: str, language: str) -> bool:
    if UNSPACED.match(word.text):
        return word.text in sentence
    return any(word.stems & other.stems for other in words_of(sentence, language))


def _same_turn(draft: Draft, mine: Sense, sense: Sense) -> bool:
    """Denied, liked, over: the same on both sides."""
    if sense.denied is None or mine.denied is None:
        return False
    over, is_over = mine.ended or mine.is_past, sense.ended or sense.is_past
    value = sense.text.find(plain(draft.said.object)) if draft.said.object else -1
    attitude = sense.attitude(value if value >= 0 else None)
    if attitude or mine.attitude():
        same = attitude == mine.attitude() and attitude in (-1, 1)
        return (
            same
            and (over or not is_over)
            and (not over or is_over or sense.may_have_ended or bool(sense.denied))
        )
    if mine.denied or mine.ended:
        return bool(sense.denied) or sense.may_have_ended
    return not sense.denied and not sense.ended and (mine.is_past == sense.is_past)


def _same_limits(draft: Draft, mine: Sense, sense: Sense, sentence: str) -> bool:
    """Nothing that limits is left out, nothing that sharpens is added."""
    limits = sense.limits()
    if mine.ended or mine.denied:
        limits = frozenset(word for word in limits if not has("ended", word) and not has("left", word))
    known = mine.text
    if any(word not in known for word in limits) or any(word not in sentence for word in mine.amounts()):
        return False
    if sense.wishes() and not mine.wishes():
        return False
    ahead = draft.said.tense == "future" or draft.said.relation in _AHEAD or draft.said.kind is Kind.EVENT
    return not sense.foretells() or mine.foretells() or ahead


def _same_subject(draft: Draft, mine: Sense, sense: Sense, kept: list[Word]) -> bool:
    """Whoever does it in the quote does it in the text."""
    said = draft.said
    if any(word not in sense.text and not _is_value(word, draft) for word in mine.persons()):
        return False
    if said.kind is Kind.INSTRUCTION:
        return True
    place = _place(draft, sense, kept)
    who, end = sense.subject_before(place)
    if said.subject != USER:
        named = _names(said.subject, sense.text, sense.language)
        own = said.subject in {one.claimant for one in draft.quotes}
        return own or (named and who != "first")
    if who not in ("first", "mine", ""):
        # "You can call me Sam."
        called = said.relation == "name" and has("addressed", who) and has("mine", sense.text, sense.language)
        return who in mine.text or called
    if UNSPACED.search(sense.text) or (who == "first" and not said.relation):
        return True
    strange = _strange(draft, mine, Sense(sense.text[end if who == "first" else 0 : place], sense.language))
    return not strange and (who != "" or not _is_third(draft, sense))


def _strange(draft: Draft, mine: Sense, ahead: Sense) -> bool:
    """Whether a word that the text leaves out stands between the subject and what it does: "I applied for a job"."""
    language = ahead.language
    known = frozenset().union(*(word.stems for word in words_of(mine.text, language)))
    aside = signs("filler", ahead.text, language)
    if draft.said.relation:
        aside += _shown(draft.said.relation, draft.said.subject, ahead.text, language)
    words = content_words(ahead.text, language)
    return any(not word.stems & known and bool(without([(word.start, word.end)], aside)) for word in words)


def _place(draft: Draft, sense: Sense, kept: list[Word]) -> int:
    """Where the word stands that says what the subject does."""
    said = draft.said
    if said.relation:
        value = sense.text.find(plain(said.object or ""))
        shown = _shown(said.relation, said.subject, sense.text, sense.language)
        ahead = [start for start, _ in shown if start <= value]
        return max(ahead, default=min((start for start, _ in shown), default=0))
    places = [sense.text.find(word.text) for word in kept]
    for word in words_of(sense.text, sense.language):
        if any(word.stems & one.stems for one in kept):
            return word.start
    return min((place for place in places if place >= 0), default=0)


def _is_third(draft: Draft, sense: Sense) -> bool:
    relation = draft.said.relation
    return (
        bool(relation)
        and relation_words(str(relation), "third", sense.language).search(sense.text) is not None
    )


def _is_value(word: str, draft: Draft) -> bool:
    return word in plain(draft.said.object or "") or word in plain(draft.said.qualifier or "")


def _names(subject: str, text: str, language: str) -> bool:
    names = words_of(plain(subject), language)
    known = frozenset().union(*(word.stems for word in words_of(text, language)))
    return bool(names) and all(word.stems & known or word.text in text for word in names)


def _nothing_left_out(text: str, sense: Sense, kept: list[Word]) -> bool:
    """Whether no word that says something was dropped on the way to the last one kept."""
    if not UNSPACED.search(sense.text):
        return not words_between(sense, kept)
    mine = blotted(text, signs("user", text, sense.language))
    both = []
    for one in (mine, sense.text):
        aside = signs("filler", one, sense.language) + signs("free", one, sense.language)
        both.append(re.sub(r"[\W_]+", "", blotted(one, aside)))
    return bool(both[0]) and both[1].startswith(both[0])


def _flags_agree(draft: Draft) -> bool:
    """Whether the triple says what the text says."""
    said, language = draft.said, draft.quotes[0].language
    text, value = plain(said.text), plain(said.object or "")
    place = text.find(value)
    around = blotted(text, [(place, place + len(value))] if place >= 0 else [])
    sense = Sense(around, language)
    wanted = _ATTITUDES.get(said.relation or "")
    if wanted is not None:
        attitude = sense.attitude()
        return attitude == (-wanted if said.negated else wanted) and said.ended == (
            sense.ended or sense.is_past
        )
    denied = bool(denials(around, language))
    return denied == said.negated and said.ended == (sense.ended or sense.is_past)


def dated_kind(draft: Draft) -> None:
    """The kind of what is kept as its quote: an instruction, preference or event only if the words are one."""
    text, language = draft.quotes[0].passage.text, draft.quotes[0].language
    kind = draft.said.kind
    sense = Sense(text, language)
    fits = {
        Kind.INSTRUCTION: has("standing", text, language) or has("order", text, language),
        Kind.PREFERENCE: bool(sense.attitude()),
        Kind.EVENT: draft.said.occurred is not None,
    }
    if not fits.get(kind, True):
        draft.said = replace(draft.said, kind=Kind.FACT)
