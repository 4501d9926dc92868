"""Whether a sentence says that something is liked."""

from typing import Final

from affidavit.text.evidence.signs import attitudes, denials

_AHEAD: Final = frozenset({"en", "es", "pt", "it", "zh"})
"""Languages in which a denial stands before what it denies."""


def attitude(text: str, language: str) -> int:
    """1 for liking, -1 for disliking, denials counted; 0 for neither. The first one of a plain sentence counts."""
    found = attitudes(text, language)
    if not found:
        return 0
    _, end, sign = found[0]
    # "Ich mag keinen": in some languages the denial comes behind.
    reach = 0 if language in _AHEAD else 25
    turned = [one for one in denials(text, language) if -reach <= end - one[0] < 40]
    if not turned:
        return sign
    # "Don't hate" is not a liking.
    return -1 if sign > 0 else 2
