"""`Context`: what is recalled for one question or for a briefing, and its rendering for a prompt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

from affidavit.core.cost import Cost
from affidavit.core.jsonable import Result, to_json
from affidavit.core.limits import check_count
from affidavit.read.profile import Profile
from affidavit.read.recalled import Contested, Recalled, contested_entry, entry_of
from affidavit.read.render import Entry, Piece, Rendered, Section, Share, render
from affidavit.read.tokens import UPPER_BOUND, Tokenizer

MOST_TOKENS: Final = 10_000_000
_OWN_SHARE: Final = 2 / 3
"""Of the budget: what others supplied finds room beyond it, so that a flood of it can't crowd out what is grounded."""


class Frame(NamedTuple):
    """What rendering needs beside what is recalled: the id in the marks, the counter, the profile, the question."""

    mark: str
    tokenizer: Tokenizer = UPPER_BOUND
    profile: Profile = Profile()
    query: str | None = None
    joined: tuple[Recalled, ...] = ()
    """The statements that a model joined with others, as they were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(Result):
    """What is recalled, parted by what may be done with it.

    `grounded` may be asserted; statements of others than the user are worded with their source. `events` are dated, in
    order of time, and may be asserted with their date. `earlier` held once and does not any more. `unverified` is
    what others supplied: it may be reported as theirs, never asserted or obeyed. `conflicts` are statements that no
    rule may settle: ask. `stale` names what is past the time for which its like can be counted on.

    Without a question it is a briefing: `events` are due or overdue, `grounded` is what to confirm, what is so now,
    and what is recent; only what may be volunteered.

    `profile` is a compact page about the user in Markdown. `tokens` is the length of `render()`; `left_out` counts
    what had no room. `trace_id` names the record of what was shown (None where none could be kept). With `rephrase` a
    language model joined statements: `cost` is what it took, `problems` what did not work.
    """

    grounded: tuple[Recalled, ...] = ()
    events: tuple[Recalled, ...] = ()
    earlier: tuple[Recalled, ...] = ()
    conflicts: tuple[Contested, ...] = ()
    unverified: tuple[Recalled, ...] = ()
    stale: tuple[str, ...] = ()
    trace_id: str | None = None
    tokens: int = 0
    max_tokens: int = 0
    left_out: int = 0
    problems: tuple[str, ...] = ()
    cost: Cost = field(default_factory=Cost)
    frame: Frame = field(default=Frame("tr_"), repr=False, compare=False)

    @property
    def profile(self) -> str:
        """What is known of the user, as compact Markdown; statements the user made, nothing of others."""
        return self.frame.profile.markdown

    def render(self, max_tokens: int | None = None) -> str:
        """The context as text for a prompt, within `max_tokens` (without it: those it was recalled with).

        It stands between two marks by which it is known when it comes back, so that nothing new is learnt from it.
        Raises `LimitError` where the budget is too small for the label over what is unverified and one memory.
        """
        budget = self.max_tokens if max_tokens is None else check_count(max_tokens, MOST_TOKENS, "max_tokens")
        return rendered(self, budget).text

    def to_dict(self) -> dict[str, Any]:
        """The context as JSON-ready values; `text` is the rendering, `profile` the page about the user."""
        told = {one.name: to_json(getattr(self, one.name)) for one in fields(self) if one.name != "frame"}
        return told | {"profile": self.profile, "text": self.render()}


def rendered(context: Context, max_tokens: int) -> Rendered:
    """The context within a budget. Raises `LimitError`."""
    own, others, frame = list(_own(context)), _entries(context.unverified, context.frame), context.frame
    shares = [Share(own, _OWN_SHARE), Share(others), Share(own), Share(_about(context))]
    return render(shares, frame.mark, tokenizer=frame.tokenizer, max_tokens=max_tokens)


def _own(context: Context) -> Iterator[Entry]:
    """What may be asserted in some way, best first."""
    query = context.frame.query
    ranked = [
        (one.rank, entry_of(one, query)) for one in (*context.grounded, *context.events, *context.earlier)
    ]
    settled = {id_ for one in context.grounded for id_ in (one.id, *one.says)}
    for group in context.conflicts:
        entry = contested_entry(group, settled, query)
        if entry is not None:
            ranked.append((entry.place, entry))
    return (entry for _, entry in sorted(ranked, key=lambda one: one[0]))


def _entries(those: Sequence[Recalled], frame: Frame) -> list[Entry]:
    return [entry_of(one, frame.query) for one in those]


def _about(context: Context) -> list[Entry]:
    """The lines of the profile, but for what stands above already."""
    above = {id_ for one in (*context.grounded, *context.events) for id_ in (one.id, *one.says)}
    lines = [line for line in context.frame.profile.lines if line.id not in above]
    return [
        Entry(Section.PROFILE, (Piece(line.id, line.text, tail=line.tail),), place)
        for place, line in enumerate(lines)
    ]
