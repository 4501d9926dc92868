"""Whether a statement says that a value is what an argument takes it for: an address, a recipient, an account. Pure.

A value that merely stands in what somebody said may be used for nothing: who is hated is no payee, and the number in a
company's name no address. Rules:

1. The value is whole: the statement's object, one of its slots, or in its words no piece of a longer name or address.
2. Its role is said: by the relation, by the slot, or in one of the ways of `lang/roles.toml` ("pay …", "my address is
   …", "… is my landlord"), from the beginning of a part of the sentence on. In other words it is not said.
3. A sentence that denies, doubts, asks, warns or dislikes says of nothing in it that it is to be used.
4. A sum, or an account, that is told of somebody is of nobody else: what Ana is owed is not paid to Bob.
5. Nothing else stands there (`affidavit.core.plainly`): whoever hands over, reports or limits what he says does so in
   words that nobody can list. So each other sentence of the message, and what stands behind the value in its own, has
   to be known to change nothing.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from affidavit.core.arguments import ArgumentKind, kind_by_name
from affidavit.core.plainly import adds_nothing, ends_there, opens_freely, turns
from affidavit.text.evidence.passages import plain, segments
from affidavit.text.evidence.signs import denials, has, joints, language_of
from affidavit.text.lang.relations import RELATIONS
from affidavit.text.lang.tables import package_table
from affidavit.text.lang.whole import any_of
from affidavit.text.questions.sought import Sought, fold
from affidavit.text.sentences import stretches

_DOUBTS: Final = ("ended", "hedge", "hypothesis", "dislike", "stand", "play")
MOST_BESIDE: Final = 30
"""Other sentences of a message that are looked at; among more nothing is said plainly."""
_COUNTED: Final = frozenset({ArgumentKind.AMOUNT, ArgumentKind.ACCOUNT})
_ALONE: Final = 2
"""Words of a part of a sentence that does nothing but deny what stands before it."""
_ASKS: Final = re.compile("[?？؟❓❔]")
_MARKS: Final = " \"'“”¡-*"
_GOES_ON: Final = re.compile(r"(?: ?[€$£])?(?:[\s,.'’/*+()~-]{1,3}\d|\s?[%+*/])")
_BULLET: Final = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s+")
_MARKED: Final = re.compile(r"[:：<>\[\](){}\"“”«»#~|/➜→*>…]|\.\.\.")
"""A label, or what quotes or strikes out."""
_SIGNED: Final = re.compile(r"\s+[-–—]\s*\w+(?: \w+){0,2}\W*\Z")
"""Who said it, behind a dash."""


class Said(NamedTuple):
    """What a statement says: its relation, its object and slots (name, value), and the sentence it was quoted from.

    `beside`: the other sentences of that message.
    """

    relation: str | None
    object: str | None
    slots: Sequence[tuple[str, str]]
    sentence: str
    beside: Sequence[str]


def states(kind: ArgumentKind, sought: Sought, said: Said) -> bool:
    """Whether it says of this very value that it is of this kind, and nothing that could turn that."""
    if len(said.beside) > MOST_BESIDE or not _says(kind, sought, said):
        return False
    return all(adds_nothing(one, begins_known) for one in said.beside)


def is_of_another(
    kind: ArgumentKind, relation: str | None, qualifier: str | None, receivers: Sequence[str]
) -> bool:
    """Whether a sum, or an account, is told of somebody else than those who are to get it.

    >>> is_of_another(ArgumentKind.AMOUNT, "owes", "Ana", ["Bob"])
    True
    >>> is_of_another(ArgumentKind.ACCOUNT, "account", "landlord", ["My landlord"])
    False
    """
    if kind not in _COUNTED or relation not in _table()["owned"]["relations"]:
        return False
    whose, names = plain(qualifier or ""), [*map(plain, receivers)]
    return bool(names) and not any(whose and (whose in name or name in whose) for name in names)


def begins_known(sentence: str) -> bool:
    """Whether a sentence begins in one of the known ways to say what something is for."""
    said = fold(sentence).folded
    return not warns(said) and not _doubts(said) and any(one.match(said) for one in map(_begun, ArgumentKind))


def _says(kind: ArgumentKind, sought: Sought, said: Said) -> bool:
    if said.object is not None and sought.is_value(fold(said.object)) and kind in _roles(said.relation):
        # How frames read a denial is known: what another part of the sentence denies is not this value.
        known = said.relation in RELATIONS and _ASKS.search(said.sentence) is None
        if known:
            return not _doubts(_segment(said.object, said.sentence)) and _is_left_alone(said)
        return not _speaks_against(said.sentence, sought)
    told = _tells(said.relation) or (kind is ArgumentKind.VALUE and said.relation != "dislike")
    if not told or _speaks_against(said.sentence, sought):
        return False
    for name, value in said.slots:
        # A slot filled from the words says no more than they do, and less where it holds a piece of them: "€50 000".
        filled = kind_by_name(name) is kind and sought.is_value(fold(value))
        text = fold(said.sentence)
        if filled and not sought.within(text) and fold(value).folded not in text.folded:
            return True
    return _in_words(kind, sought, said.sentence)


def _in_words(kind: ArgumentKind, sought: Sought, sentence: str) -> bool:
    """Whether one of the known ways to say what a value is for ends where it stands, or begins behind it."""
    text = fold(sentence)
    lists, plainly = kind is not ArgumentKind.ADDRESS, kind is ArgumentKind.VALUE
    if not sought.stands_whole(text, lists=lists, plainly=plainly, small=_small()):
        return False
    if plainly:
        return _is_plain(sought, sentence)
    if listed("idle").search(text.folded) is not None:
        return False
    before, behind = _ways(kind)
    said, to = text.folded, kind is not ArgumentKind.RECIPIENT
    for start, end in sought.places(text):
        if kind in _COUNTED and _GOES_ON.match(said, end):
            continue  # "50 000", "50-60", "DE89 …, NL91 …": the value is a piece of it
        shown = behind.match(said, end)
        if shown and not said[:start].strip(_MARKS) and ends_there(said[shown.end() :], to=to):
            return True
        led = [one for one in before.finditer(said, 0, start) if not _is_led(said[: one.start()])]
        if ends_there(said[end:], to=to) and any(_opens(said[: one.start()], one[0]) for one in led):
            return True
    return False


def _is_plain(sought: Sought, sentence: str) -> bool:
    """Whether round a value that may be anything nothing reports or limits it, nor marks it as another's."""
    text = fold(sentence)
    said = text.folded
    own = next((said[a:b] for a, b in stretches(said) if sought.within(fold(said[a:b]))), said)
    others = (said[a:b] for a, b in stretches(said) if said[a:b] != own)
    start, end = next(iter(sought.places(fold(own))), (0, 0))
    lead = _BULLET.sub("", own[:start], count=1)
    before, _, _ = lead.rpartition(",")
    if turns(own, acting=False) or _MARKED.search(lead) or _SIGNED.match(own[end:]):
        return False
    if not opens_freely(before):
        return False
    return all(adds_nothing(one, begins_known) for one in others)


def _opens(before: str, way: str) -> bool:
    """Whether what stands before a way to say it turns nothing: a sentence of its own, or a part of this one."""
    ended = way[:1] in ".!;。；"
    return adds_nothing(before, begins_known) if ended and before else opens_freely(before)


def _is_left_alone(said: Said) -> bool:
    """Whether nothing behind the object that frames read acts, points at it or tells whose words it is."""
    text, wanted = plain(said.sentence), plain(said.object or "")
    _, _, rest = text.rpartition(wanted)
    return not (rest and turns(rest))


def _is_led(before: str) -> bool:
    """Whether what follows is what somebody tells, wants or may do, by the words before it."""
    return listed("leading").search(before) is not None


@cache
def _begun(kind: ArgumentKind) -> re.Pattern[str]:
    """What says at the beginning of a sentence that something is of this kind."""
    table = _table()["ways"]
    ways = "|".join(one.replace("{name}", table["name"]) for one in table["before"].get(kind, ())) or "(?!)"
    return re.compile(rf"(?:(?:{table['opener']})[ ,:]+)*(?:{ways})\b")


@cache
def _ways(kind: ArgumentKind) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What says before a value, and behind it, that it is of this kind."""
    table = _table()["ways"]
    opener, name = table["opener"], table["name"]

    def any_of_them(side: str) -> str:
        ways = table[side].get(kind, ())
        return "|".join(one.replace("{name}", name) for one in ways) or "(?!)"

    first = r"(?:^|[;.!] ?|, |\b(?:and|but|so|then|y|pero) |[\uff0c\uff1b\u3002])"
    before = rf"{first}(?:(?:{opener})[ ,:]+)*(?:{any_of_them('before')})[ :\"'(\u201c\uff1a]*\Z"
    return re.compile(before), re.compile(rf"[\"')\u201d]* ?(?:{any_of_them('behind')})")


def _roles(relation: str | None) -> frozenset[ArgumentKind]:
    """What the object of a relation is: by the table, or by the name that a host gave it."""
    if relation is None:
        return frozenset()
    listed = _table()["relations"].get(relation)
    named = None if relation in RELATIONS else kind_by_name(relation)
    kinds = {ArgumentKind(one) for one in listed or ()} | ({named} if named else set())
    return frozenset(kinds if relation == "dislike" else kinds | {ArgumentKind.VALUE})


def _tells(relation: str | None) -> bool:
    """Whether values may stand in the words of a statement of this relation."""
    return relation is None or relation not in RELATIONS or relation in _table()["told"]["relations"]


def _segment(value: str, sentence: str) -> str:
    """The part of a sentence that holds a value; all of it where none does."""
    text, wanted = plain(sentence), plain(value)
    parts = (text[start:end] for start, end in segments(text, joints(language_of(text))))
    return next((part for part in parts if wanted in part), text)


def _doubts(text: str) -> bool:
    said = plain(text)
    language = language_of(said)
    return bool(denials(said, language)) or any(has(name, said, language) for name in _DOUBTS)


def warns(sentence: str) -> bool:
    """Whether it says of what stands in it that it is not to be used: a scammer, a closed account."""
    return listed("against").search(plain(sentence)) is not None


def replaces(kind: ArgumentKind, sentence: str) -> bool:
    """Whether it says in a known way what is of this kind from now on: "the rent goes to Ana now"."""
    said = fold(sentence).folded
    return listed("replacing").search(said) is not None and _begun(kind).match(said) is not None


def questions(sentence: str) -> bool:
    """Whether it says of whom stands in it that he is to get no more, or asks whether he should."""
    return listed("doubtful").search(plain(sentence)) is not None


def _speaks_against(sentence: str, sought: Sought) -> bool:
    if _ASKS.search(sentence) is not None or warns(sentence):
        return True
    # What stands behind it is of something else ("…, and the rent is not paid"), unless it does nothing but deny.
    text = plain(sentence)
    parts = segments(text, joints(language_of(text)))
    last = next((end for start, end in parts if sought.within(fold(text[start:end]))), len(text))
    short = (
        text[start:end] for start, end in parts if start >= last and len(text[start:end].split()) <= _ALONE
    )
    return _doubts(text[:last]) or any(map(_doubts, short))


@cache
def _table() -> Mapping[str, Any]:
    return package_table("roles")


@cache
def listed(section: str) -> re.Pattern[str]:
    """An expression for the words of a section of the table."""
    return any_of(_table()[section]["words"])


@cache
def _small() -> frozenset[str]:
    """Words that name nothing, and so are no piece of a name beside them."""
    return frozenset(part for word in _table()["small"]["words"] for part in plain(word.rstrip("*")).split())
