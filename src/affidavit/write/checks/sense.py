"""What a quote says about a statement: who is its subject, whether it denies, likes, ended, limits."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from affidavit.text.evidence.passages import segments
from affidavit.text.evidence.signs import attitudes, denials, has, is_concord, joints, signs, without
from affidavit.write.checks.words import Word, content_words, words_of

_AHEAD: Final = frozenset({"en", "es", "pt", "it", "zh"})
"""Languages in which a denial stands before what it denies."""
_LEAD: Final = ("no,", "no.", "nope", "nein,", "non,", "não,", "不，", "不,", "不是，")


class Sense:
    """A plain sentence, or the part of it that a statement's words stand in."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self.language = text, language

    def part_with(self, words: Sequence[Word], quoted: tuple[int, int]) -> "Sense":
        """The segments that hold the words: one that holds them all if there is one, else all that hold some."""
        parts = [
            one
            for one in segments(self.text, joints(self.language))
            if one[1] > quoted[0] and one[0] < quoted[1]
        ]
        holding: list[tuple[int, int, int]] = []
        for start, end in parts:
            inside = self.text[start:end]
            known = frozenset().union(*(word.stems for word in words_of(inside, self.language)))
            held = sum(bool(word.stems & known) or word.text in inside for word in words)
            holding.append((held, start, end))
        most = max((held for held, _, _ in holding), default=0)
        if not most:
            return self
        if most == len(words):
            whole = [one for one in holding if one[0] == most]
            chosen = whole if len(whole) == 1 else holding
        else:
            chosen = [one for one in holding if one[0]]
        return Sense(" , ".join(self.text[start:end] for _, start, end in chosen), self.language)

    @cached_property
    def denied(self) -> bool | None:
        """Whether it is a denial; None where one denial stands in another."""
        text = self.text.lstrip()
        for lead in _LEAD:
            text = text.removeprefix(lead)
        count = len(denials(text, self.language))
        return bool(count) if count < 2 or is_concord(self.language) else None

    @cached_property
    def ended(self) -> bool:
        """Whether it says that something holds no more."""
        return has("ended", self.text, self.language)

    @cached_property
    def may_have_ended(self) -> bool:
        """Whether it may say so."""
        return self.ended or has("left", self.text, self.language)

    @cached_property
    def is_past(self) -> bool:
        """Whether it tells what was: "I lived", not "I have lived"."""
        for start, _ in signs("past", self.text, self.language):
            near = words_of(self.text[max(0, start - 16) : start], self.language)[-2:]
            if not any(has("perfect", f" {word.text} ", self.language) for word in near):
                return True
        return False

    def attitude(self, before: int | None = None) -> int:
        """1 for liking, -1 for disliking, denials counted; 0 for neither. The one nearest before a place counts."""
        found = attitudes(self.text, self.language)
        if not found:
            return 0
        ahead = [one for one in found if before is None or one[0] < before]
        _, end, sign = (ahead or found)[-1 if ahead else 0]
        # "Ich mag keinen": in some languages the denial comes behind.
        reach = 0 if self.language in _AHEAD else 25
        turned = [one for one in denials(self.text, self.language) if -reach <= end - one[0] < 40]
        if not turned:
            return sign
        # "Don't hate" is not a liking.
        return -1 if sign > 0 else 2

    def limits(self) -> frozenset[str]:
        """Words that limit what it says."""
        return frozenset(self.text[start:end] for start, end in signs("limit", self.text, self.language))

    def amounts(self) -> frozenset[str]:
        """Words that widen or sharpen what it says."""
        return frozenset(self.text[start:end] for start, end in signs("amount", self.text, self.language))

    def wishes(self) -> bool:
        """Whether it says what is wanted, not what is."""
        found = without(signs("wish", self.text, self.language), signs("unnegated", self.text, self.language))
        return bool(found)

    def foretells(self) -> bool:
        """Whether it says what will be."""
        return has("future", self.text, self.language)

    def persons(self) -> frozenset[str]:
        """Others that it names by a pronoun or as relatives and the like."""
        return frozenset(self.text[start:end] for start, end in signs("person", self.text, self.language))

    def subject_before(self, place: int) -> tuple[str, int]:
        """Who does what stands at a place, and where that word ends.

        `first`, `mine`, the word that names another, or nothing.
        """
        found = [(end, "first", start) for start, end in signs("first", self.text, self.language)]
        found += [(end, "mine", start) for start, end in signs("mine", self.text, self.language)]
        found += [
            (end, self.text[start:end], start) for start, end in signs("person", self.text, self.language)
        ]
        ahead = [one for one in found if one[2] < place]
        if not ahead:
            return "", 0
        end, who, _ = max(ahead)
        return who, end


def words_between(sense: Sense, kept: Sequence[Word]) -> list[str]:
    """Content words of a sentence up to the last one kept that are not kept, fillers aside."""
    said = content_words(sense.text, sense.language)
    known = frozenset().union(*(word.stems for word in kept))
    places = [word.end for word in said if word.stems & known]
    last = max(places, default=0)
    aside = ("filler", "first", "mine")
    fillers = [one for name in aside for one in signs(name, sense.text, sense.language)]
    fillers = [one for one in fillers if one not in signs("first_verb", sense.text, sense.language)]
    return [
        word.text
        for word in said
        if word.end <= last and not word.stems & known and without([(word.start, word.end)], fillers)
    ]
