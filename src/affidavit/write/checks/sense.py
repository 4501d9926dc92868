"""How a sentence turns what it says: whether it is over, was, is liked."""

from functools import cached_property
from typing import Final

from affidavit.text.evidence.signs import attitudes, denials, has, signs
from affidavit.write.checks.words import words_of

_AHEAD: Final = frozenset({"en", "es", "pt", "it", "zh"})
"""Languages in which a denial stands before what it denies."""


class Sense:
    """A plain sentence."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self.language = text, language

    @cached_property
    def ended(self) -> bool:
        """Whether it says that something holds no more."""
        return has("ended", self.text, self.language)

    @cached_property
    def is_past(self) -> bool:
        """Whether it tells what was: "I lived", not "I have lived"."""
        for start, _ in signs("past", self.text, self.language):
            near = words_of(self.text[max(0, start - 16) : start], self.language)[-2:]
            if not any(has("perfect", f" {word.text} ", self.language) for word in near):
                return True
        return False

    def attitude(self) -> int:
        """1 for liking, -1 for disliking, denials counted; 0 for neither. The first one counts."""
        found = attitudes(self.text, self.language)
        if not found:
            return 0
        _, end, sign = found[0]
        # "Ich mag keinen": in some languages the denial comes behind.
        reach = 0 if self.language in _AHEAD else 25
        turned = [one for one in denials(self.text, self.language) if -reach <= end - one[0] < 40]
        if not turned:
            return sign
        # "Don't hate" is not a liking.
        return -1 if sign > 0 else 2
