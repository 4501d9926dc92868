"""Whether words beside a value are known to change nothing: only then may an action rest on it. Pure.

Whoever hands a text over, reports it, makes it up or limits it says so in words that nobody can list. So it goes the
other way round: what is not known is taken to turn what it stands beside, and the user is asked.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from affidavit.text.evidence.passages import plain
from affidavit.text.evidence.signs import has, language_of
from affidavit.text.frames.engine import is_stated
from affidavit.text.lang.tables import package_table
from affidavit.text.lang.whole import any_of
from affidavit.text.lexicon.stopwords import GRAMMAR
from affidavit.text.sentences import asks

_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.,:/@+&][^\W_]+)*|[€$£¥%]")
_LONGEST: Final = 300


def adds_nothing(sentence: str, is_known: Callable[[str], bool]) -> bool:
    """Whether a sentence turns nothing that stands beside it: a greeting, what frames read, or what `is_known`.

    >>> adds_nothing("Hi there!", lambda said: False), adds_nothing("I live in Rome.", lambda said: False)
    (True, True)
    >>> adds_nothing("My sister sent me this.", lambda said: False)
    False
    """
    said = plain(sentence)
    words = _WORD.findall(said)
    if not words or (not asks(sentence) and all(_listed("greeting").fullmatch(word) for word in words)):
        return True
    if asks(sentence) or len(sentence) > _LONGEST or turns(said, acting=False) or _is_of_writing(said):
        return False
    return is_known(sentence) or is_stated(sentence)


def _is_of_writing(said: str) -> bool:
    """Whether a mail, a text or a message is spoken of: what follows may be it."""
    language = language_of(said)
    return has("writing", said, language) or has("wording", said, language)


def turns(said: str, *, acting: bool = True) -> bool:
    """Whether plain words report, point back at something, forbid or, with `acting`, tell what shall be done."""
    language = language_of(said)
    if any(has(name, said, language) for name in ("report", "takeback", "irony", "hypothesis", "play")):
        return True
    names = ("against", "forbidden", "limiting", *(("pronoun", "acting") if acting else ()))
    return any(_listed(name).search(said) is not None for name in names)


def ends_there(rest: str, *, to: bool = True) -> bool:
    """Whether behind a value only stands when, how or for what (with `to`: to whom), or how something else is.

    >>> ends_there(" 50 eur every month, please."), ends_there(", and the rent is not paid yet")
    (True, True)
    >>> ends_there(", said my boss"), ends_there(" once he delivers"), ends_there(" and i'll fire you")
    (False, False, False)
    """
    if has("irony", rest, language_of(rest)):
        return False
    if _is_a_number(rest):
        return True
    place = _behind_words(rest, 0)
    receiver = _way("to").match(rest, place) if to else None
    if receiver is not None:
        place = _behind_words(rest, receiver.end(), names=True)
    left = rest[place:]
    if not _WORD.search(left):
        return not asks(left)
    other = _way("and").match(left)
    return other is not None and _way("else").fullmatch(left, other.end()) is not None


def _is_a_number(rest: str) -> bool:
    """Whether it says what the account, or the number, of somebody is, and nothing else: "is DE89 3704"."""
    told = _way("is").match(rest)
    words = _WORD.findall(rest, told.end()) if told is not None else []
    return bool(words) and not asks(rest) and all(any(map(str.isdigit, word)) for word in words)


def opens_freely(before: str) -> bool:
    """Whether what stands in a sentence before a way to say it does not limit or address it.

    >>> opens_freely("Ben sends me the invoice"), opens_freely("after my death"), opens_freely("ana")
    (True, False, False)
    """
    said = plain(before).strip(" ,;:-–—.!\"'“*")
    if not said:
        return True
    language = language_of(said)
    own = has("first", said, language) or has("mine", said, language) or _listed("freely").fullmatch(said)
    first = _WORD.search(said)
    if first is None or not own or first[0] in _limiting():
        return False
    return not (turns(said, acting=False) or _is_of_writing(said))


def _behind_words(rest: str, place: int, *, names: bool = False) -> int:
    """Where the words of a tail end that begins at a place; with `names` words that are no grammar go on, too."""
    for word in _WORD.finditer(rest, place):
        if re.search(r"[;!?]|[.,](?:\s|$)", rest[place : word.start()]) and names:
            break
        known = _listed("tail").fullmatch(word[0]) or any(map(str.isdigit, word[0]))
        if not known and not (names and word[0] not in GRAMMAR):
            break
        place = word.end()
    return place


@cache
def _listed(section: str) -> re.Pattern[str]:
    words = package_table("roles")[section]["words"]
    return any_of(words)


@cache
def _limiting() -> frozenset[str]:
    """Words that open a part of a sentence which limits the rest."""
    return frozenset(package_table("roles")["limits"]["words"])


@cache
def _way(name: str) -> re.Pattern[str]:
    return re.compile(package_table("roles")["beside"][name])
