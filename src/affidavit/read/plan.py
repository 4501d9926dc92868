"""What a question asks for, read from its words alone: which levels, which time. Pure; no model.

Levels are a set: facts and raw episodes together by default. Time counts only where words really name one: "port 9077"
does not.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

from affidavit.core.memories import Kind
from affidavit.errors import InputError
from affidavit.read.terms import Times
from affidavit.text.questions.asking import Asking, read_question

EPISODE: Final = "episode"
KINDS: Final = (EPISODE, *map(str, Kind))
"""What can be found."""
_FACTS: Final = frozenset(map(str, Kind)) - {Kind.SUMMARY}


class Granularity(StrEnum):
    """At which level to search: `auto` lets the question decide."""

    AUTO = "auto"
    FACT = "fact"
    RAW = "raw"
    SUMMARY = "summary"
    DUAL = "dual"

    @property
    def kinds(self) -> frozenset[str]:
        """What can be found at this level."""
        return _LEVELS[self]


_LEVELS: Final = {
    Granularity.AUTO: frozenset(KINDS),
    Granularity.FACT: _FACTS,
    Granularity.RAW: frozenset({EPISODE}),
    Granularity.SUMMARY: frozenset({str(Kind.SUMMARY)}),
    Granularity.DUAL: _FACTS | {EPISODE},
}
_VERBATIM: Final = re.compile(
    r"\b(?:exactly|verbatim|word for word|literally|exact words|wörtlich|genau gesagt|textualmente|exactamente"
    r"|palabra por palabra|mot à mot)\b|一字不差|原话|原文",
    re.IGNORECASE,
)
_OVERALL: Final = re.compile(
    r"\b(?:overall|summari[sz]e|summary|in general|insgesamt|zusammenfass\w*|en general|resum\w+)\b|总结|总的来说",
    re.IGNORECASE,
)
# Quoted words, code, and numbers with digits: what was said about them is wanted as it was said.
_LITERAL: Final = re.compile(r"[\"“«„][^\"”»“]{2,}[\"”»“]|`[^`]+`|\w+_\w+|\w+\(\)|\d")
_LATER: Final = re.compile(
    r"\b(?:will|going to|plan(?:s|ned|ning)?|upcoming|in the future|soon|next|werde|wirst|geplant|bald|voy a|vas a"
    r"|pronto|planes|vais|vas)\b|将来|打算|计划|以后",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a question is searched.

    `kinds`: what may be found. `fold`: whether an episode that a found memory quotes is shown with it. `times`: which
    versions compete. `dated`: the words that name a time, if any do; then the newest version of that time wins, and
    memories are shown in order of time. `asking`: the question taken apart, where time and relations matter.
    """

    kinds: frozenset[str]
    fold: bool
    times: Times
    newest: bool
    dated: tuple[str, ...] = ()
    asking: Asking | None = None

    @property
    def memories(self) -> bool:
        """Whether memories may be found."""
        return self.kinds != {EPISODE}


def checked_kinds(kinds: object) -> frozenset[str] | None:
    """The kinds that a caller names. Raises `InputError` for what is none."""
    if kinds is None:
        return None
    given = [kinds] if isinstance(kinds, str) else kinds
    if not isinstance(given, Iterable):
        raise InputError(f"kinds is a {type(kinds).__name__}", hint='give a list such as ["fact", "episode"]')
    named = list(given)
    unknown = [kind for kind in named if kind not in KINDS]
    if unknown or not named:
        what = f"there is no kind {unknown[0]!r:.80}" if unknown else "kinds is empty"
        raise InputError(what, hint=f"kinds are {', '.join(KINDS)}")
    return frozenset(map(str, named))


def checked_granularity(granularity: object) -> Granularity:
    """The granularity that a caller names. Raises `InputError` for what is none."""
    try:
        return Granularity(granularity if isinstance(granularity, str) else "")
    except ValueError:
        raise InputError(
            f"there is no granularity {granularity!r:.80}", hint=f"use one of {', '.join(Granularity)}"
        ) from None


def plan_of(
    text: str,
    *,
    granularity: Granularity = Granularity.AUTO,
    kinds: frozenset[str] | None = None,
    as_of: int | None = None,
    now: int,
    timed: bool = True,
) -> Plan:
    """Read a question put at `now` (UTC microseconds). `as_of` is the instant that the asker named, if he did.

    `timed`: whether time matters at all; it does not where there are no memories.

    >>> plan_of("Which port does it use, 9077?", now=0).times
    Times(start=0, end=1)
    """
    auto = granularity is Granularity.AUTO
    asking = read_question(text, anchor=now if as_of is None else as_of) if timed else None
    dated = asking.dates if asking is not None and as_of is None else ()
    placed = [one for one in dated if one.start is not None or one.end is not None]
    literal = _LITERAL.search(_without(text, [one.at for one in dated])) is not None
    if not auto:
        levels, fold = granularity.kinds, granularity is not Granularity.DUAL
    elif _VERBATIM.search(text):
        levels, fold = Granularity.RAW.kinds, False
    else:
        levels, fold = Granularity.DUAL.kinds, not literal
        if _OVERALL.search(text):
            levels |= Granularity.SUMMARY.kinds
    if kinds is not None:
        levels = kinds if auto else kinds & levels
    plan = partial(Plan, kinds=levels, fold=fold, asking=asking)
    if placed:
        starts = [one.start for one in placed if one.start is not None]
        ends = [one.end for one in placed if one.end is not None]
        # One that is open at an end leaves the whole open there.
        times = Times(
            min(starts) if len(starts) == len(placed) else None,
            max(ends) if len(ends) == len(placed) else None,
        )
        return Plan(
            kinds=levels, fold=fold, times=times, newest=True, dated=tuple(one.text for one in placed)
        )
    instant = now if as_of is None else as_of
    times = Times.at(instant)
    if as_of is None and asking is not None and (asking.before is not None or asking.ever):
        times = times._replace(start=None)
    if as_of is None and _LATER.search(text):
        times = times._replace(end=None)
    return plan(times=times, newest=times == Times.at(instant))


def _without(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with these stretches out."""
    kept, at = [], 0
    for start, end in stretches:
        kept.append(text[at:start])
        at = max(at, end)
    return " ".join((*kept, text[at:]))
