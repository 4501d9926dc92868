"""Whether a candidate's text says what is quoted: the words, what turns and limits them, and whose doing it is."""

import re
from typing import Final

from affidavit.core.memories import USER, Kind
from affidavit.text.evidence.passages import plain, segments
from affidavit.text.evidence.signs import (
    OTHER,
    UNSPACED,
    has,
    joints,
    language_of,
    relation_words,
    signs,
    without,
)
from affidavit.write.checks.draft import Draft
from affidavit.write.checks.ends import is_told_to_its_end
from affidavit.write.checks.relating import read_by_frames, shown_in, tells_of_user
from affidavit.write.checks.sense import Sense, words_between
from affidavit.write.checks.words import Word, blotted, content_words, missing, words_of

_EDGES: Final = re.compile(r"^\W+|\W+$")
_UNNAMED: Final = frozenset({"es", "pt", "it"})
"""Languages whose verbs say by themselves who does it."""
AHEAD: Final = frozenset({"plan", "deadline"})
"""Relations that are about what lies ahead."""


def agrees(draft: Draft) -> bool:
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
        and not _does_as_bidden(draft, mine, sense, kept, sentence)
        and not _is_given_away(draft, mine, sense)
        and _same_subject(draft, mine, sense, kept, sentence)
        and (bool(said.relation) or _nothing_left_out(text, sense, kept))
        and (_is_read(draft) or is_told_to_its_end(quote, Sense(sentence, language), kept, text))
    )


def _is_read(draft: Draft) -> bool:
    """Whether the frames, which understand a clause to its end, read the same in it."""
    said = draft.said
    return any((one.negated, one.ended) == (said.negated, said.ended) for one in read_by_frames(draft))


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
    found = shown_in(draft, sentence)
    ahead = [one for one in found if one[0] <= place]
    for start, end in ahead[-1:] or found[:1]:
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
    return not sense.foretells() or mine.foretells() or draft.said.relation in AHEAD


def _same_subject(draft: Draft, mine: Sense, sense: Sense, kept: list[Word], sentence: str) -> bool:
    """Whoever does it in the quote does it in the text."""
    said = draft.said
    if any(word not in sense.text and not _is_value(word, draft) for word in mine.persons()):
        return False
    place = _place(draft, sense, kept)
    who, end = sense.subject_before(place)
    if said.kind is Kind.INSTRUCTION and draft.quotes[0].instructs:
        return True
    if said.subject != USER:
        named = _names(said.subject, sense.text, sense.language)
        own = said.subject in {one.claimant for one in draft.quotes}
        return own or (named and who != "first")
    if who not in ("first", "mine", ""):
        # "You can call me Sam."
        called = said.relation == "name" and has("addressed", who) and has("mine", sense.text, sense.language)
        told = mine.text.replace(plain(said.object), " ") if said.object else mine.text
        return who in told or called
    if UNSPACED.search(sense.text) or (who == "first" and not said.relation):
        return bool(who) or not _leans_on_another(draft, mine, sense, sentence)
    strange = _strange(draft, mine, Sense(sense.text[end if who == "first" else 0 : place], sense.language))
    strange = strange or (not who and _leans_on_another(draft, mine, sense, sentence))
    if who or tells_of_user(draft, sense.text):
        return not strange
    personal = bool(said.relation) and said.relation not in AHEAD  # a deadline is a thing's
    third = personal and has("third", sense.text[:place], sense.language)
    return not strange and not third and not _is_third(draft, sense)


def _leans_on_another(draft: Draft, mine: Sense, sense: Sense, sentence: str) -> bool:
    """Whether words without a subject have another's before them: "Jack lives here and loves opera"."""
    start = sentence.find(sense.text)
    if start <= 0:
        return False
    ahead = Sense(sentence[:start], sense.language)
    who, end = ahead.subject_before(start)
    if who == "first":
        return False
    if who not in ("mine", ""):
        return who not in mine.text
    return _strange(draft, mine, Sense(ahead.text[end:], sense.language))


def _does_as_bidden(draft: Draft, mine: Sense, sense: Sense, kept: list[Word], sentence: str) -> bool:
    """Whether the text may have the user do what he asks for: "Use metric units" is no "The user uses metric units".

    An order has no subject, nor has a note in haste ("Moved to Oslo"): what may be an order is one.
    """
    language = sense.language
    acts = draft.said.subject == USER and draft.said.relation in (None, "instruction") and _user_acts(mine)
    if not acts or mine.wishes() or sense.subject_before(_place(draft, sense, kept))[0]:
        return False
    start = max(sentence.find(sense.text), 0)
    if Sense(sentence[:start], language).subject_before(start)[0]:
        return False
    unsure = language_of(mine.text) != language  # "Call me Sam" might be Spanish
    if unsure or draft.quotes[0].instructs or UNSPACED.search(sense.text):
        return True
    known = words_of(sense.text, language)
    forms = {word.text for word in known}
    stems = frozenset().union(*(word.stems for word in known))
    told = words_of(blotted(mine.text, signs("user", mine.text, language)), language)
    denied = sense.denied and has("negation", sense.text, language)
    bent = any(
        word.text not in forms
        and (word.stems & stems or (denied and has("negation", f" {word.text} ", language)))
        for word in told
    )
    # An order looks like "I do" in English, and like "he does" in Spanish.
    return not bent if language in _UNNAMED else bent


def _is_given_away(draft: Draft, mine: Sense, sense: Sense) -> bool:
    """Whether the text makes something the user's that is nobody's in the quote: "meat is fine", "the user's meat"."""
    language = sense.language
    own = [mine.text[start:end] for start, end in signs("user", mine.text, mine.language)]
    owned = any(word.endswith(("'s", "的")) or word.startswith(("del ", "des ")) for word in own)
    return (
        owned
        and draft.said.relation is None
        and not has("mine", sense.text, language)
        and not has("first", sense.text, language)
    )


def _user_acts(mine: Sense) -> bool:
    """Whether a text begins with the user, not with something of his."""
    found = next((end for start, end in signs("user", mine.text, mine.language) if not start), 0)
    return found > 0 and not mine.text[:found].endswith(("'s", "的"))


def _strange(draft: Draft, mine: Sense, ahead: Sense) -> bool:
    """Whether a word that the text leaves out stands between the subject and what it does: "I applied for a job"."""
    language = ahead.language
    known = frozenset().union(*(word.stems for word in words_of(mine.text, language)))
    aside = signs("filler", ahead.text, language)
    if draft.said.relation:
        aside += shown_in(draft, ahead.text)
    words = content_words(ahead.text, language)
    return any(not word.stems & known and bool(without([(word.start, word.end)], aside)) for word in words)


def _place(draft: Draft, sense: Sense, kept: list[Word]) -> int:
    """Where the word stands that says what the subject does."""
    said = draft.said
    if said.relation:
        value = sense.text.find(plain(said.object or ""))
        shown = shown_in(draft, sense.text)
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
        return not words_between(sense, kept) and _in_order(kept, sense)
    mine = blotted(text, signs("user", text, sense.language))
    both = []
    for one in (mine, sense.text):
        aside = signs("filler", one, sense.language) + signs("free", one, sense.language)
        both.append(re.sub(r"[\W_]+", "", blotted(one, aside)))
    return bool(both[0]) and both[1].startswith(both[0])


def _in_order(kept: list[Word], sense: Sense) -> bool:
    """Whether words that are put together from several segments stand there in the same order."""
    if len(segments(sense.text, joints(sense.language))) < 2:
        return True
    words, last = words_of(sense.text, sense.language), 0
    for word in kept:
        found = next((one for one in words if one.start >= last and one.stems & word.stems), None)
        if found is None:
            return False
        last = found.end
    return True
