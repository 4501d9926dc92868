"""The profile: a compact page about the user, compiled from memories and events whenever it is asked for.

It is a view, kept in memory while nothing changes; nothing is lost with it. Only what may be volunteered stands in it
(`affidavit.read.mentionable`): statements of the user and the host, never anything of others.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from affidavit.core.cost import Cost
from affidavit.core.jsonable import Result
from affidavit.core.memories import USER, ItemRow, Kind
from affidavit.core.when import Basis, When
from affidavit.read.memories import View
from affidavit.read.mentionable import Candidates, Mentionable, Mentionables
from affidavit.read.rephrasing import Joined, Line, Rephrased, laid_over
from affidavit.store.protocol import Reads
from affidavit.text.lang.relations import Relation
from affidavit.text.whose.inert import MORE, cut, inert

HEADINGS: Final = {
    "user": "The user",
    "others": "Others, as the user tells",
    "work": "Work",
    "history": "History",
}
MOST_LINES: Final = 20
"""Lines of one part at most: the newest."""
_LONGEST: Final = 200
_SPACES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLine(Result):
    """One statement of the profile, inert: the version it cites, and the part it stands in (`user`, `work` …).

    `tail` is what the page adds to it: the time of an event, or that it may be out of date (`stale`). `says` are the
    versions that it says together, where a language model joined several lines; else none.
    """

    id: str
    about: str
    text: str
    tail: str = ""
    stale: bool = False
    space_id: str
    seq: int
    says: tuple[str, ...] = ()

    @property
    def cited(self) -> str:
        """The versions that it cites, as a page shows them."""
        return "".join(f" [{id_}]" for id_ in self.says or (self.id,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(Result):
    """A compact page about the user, compiled from memories: its lines in order.

    Only what the user, or the host, stated; delete it and nothing is lost. A line is edited by `update` or `retract`
    of the version it cites. With `rephrase` a language model joined lines: `cost` is what it took, `problems` what did
    not work.
    """

    lines: tuple[ProfileLine, ...] = ()
    problems: tuple[str, ...] = ()
    cost: Cost = field(default_factory=Cost)

    def __iter__(self) -> Iterator[ProfileLine]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def markdown(self) -> str:
        """As Markdown: a heading for each part that has lines; empty where there are none."""
        parts: list[str] = []
        for about, heading in HEADINGS.items():
            here = [f"- {line.text}{line.tail}{line.cited}" for line in self.lines if line.about == about]
            if here:
                parts.append("\n".join((f"## {heading}", *here)))
        return "\n\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """The page as JSON-ready values, with its Markdown."""
        return Result.to_dict(self) | {"markdown": self.markdown}


class _Compiled(NamedTuple):
    """A page, what it was compiled from, and from when until when it is right."""

    candidates: Candidates
    since: int
    until: int | None
    profile: Profile


@dataclass(slots=True)
class Profiles:
    """The profiles of the spaces of this process."""

    mentionables: Mentionables
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _kept: dict[str, _Compiled] = field(default_factory=dict)

    def of(self, reads: Reads, view: View) -> Profile:
        """The profile of a view's space at its instant."""
        candidates, at = self.mentionables.of(reads, view), view.at
        with self._lock:
            kept = self._kept.get(view.space_id)
        if (
            kept is not None
            and kept.candidates is candidates
            and kept.since <= at
            and (kept.until is None or at < kept.until)
        ):
            return kept.profile
        profile = compiled(candidates.at(at), view.relations)
        if view.beliefs is None:
            with self._lock:
                self._kept[view.space_id] = _Compiled(candidates, at, candidates.next_change(at), profile)
                while len(self._kept) > _SPACES:
                    del self._kept[next(iter(self._kept))]
        return profile

    def drop(self, space_id: str) -> None:
        """Forget a space: after an erasure nothing of it stays in memory."""
        with self._lock:
            self._kept.pop(space_id, None)
        self.mentionables.drop(space_id)


def joinable_line(line: ProfileLine) -> Line | None:
    """A line as one that may be joined with others; None where it is to stand alone."""
    whole = not line.tail and not line.stale and not line.text.endswith(MORE)
    return Line(line.id, line.about, line.text) if whole else None


def rephrased(profile: Profile, done: Rephrased) -> Profile:
    """The page with its lines as they were joined."""

    def told(line: ProfileLine, joined: Joined) -> ProfileLine:
        return replace(line, text=joined.text, says=joined.ids)

    lines = laid_over(profile.lines, done.joined, joinable_line, told)
    return replace(profile, lines=tuple(lines), cost=done.cost, problems=done.problems)


def compiled(those: Iterable[Mentionable], relations: Mapping[str, Relation]) -> Profile:
    """The page of these versions."""
    order = {name: place for place, name in enumerate(relations)}
    parts: dict[str, list[Mentionable]] = {about: [] for about in HEADINGS}
    for one in those:
        parts[about_of(one.row, relations)].append(one)
    lines: list[ProfileLine] = []
    for about, here in parts.items():
        newest = sorted(here, key=lambda one: (_time(one.row), one.seq))[-MOST_LINES:]
        if about != "history":
            newest.sort(key=lambda one: (order.get(one.row.relation or "", len(order)), one.seq))
        lines += [_line(one, about) for one in newest]
    return Profile(lines=tuple(lines))


def about_of(row: ItemRow, relations: Mapping[str, Relation]) -> str:
    """The part of the profile it belongs to."""
    relation = relations.get(row.relation or "")
    if relation is not None and relation.about != "user":
        return relation.about
    if row.kind == Kind.EVENT:
        return "history"
    return "user" if row.subject == USER else "others"


def time_of(row: ItemRow) -> When | None:
    """When an event happens, None for what is none."""
    if row.occurred_start is None and row.occurred_end is None:
        return None
    return When(
        start=row.occurred_start,
        end=row.occurred_end,
        text=row.time_text,
        basis=Basis(row.time_basis),
        offset=row.time_offset,
    )


def _time(row: ItemRow) -> int:
    bounds = (row.occurred_start, row.occurred_end, row.recorded_at)
    return next(bound for bound in bounds if bound is not None)


def _line(one: Mentionable, about: str) -> ProfileLine:
    row = one.row
    when = time_of(row)
    time = "" if when is None else cut(inert(when.local_text()), 40)
    dated = f" ({time})" if time and time not in row.text else ""
    doubtful = " (may be out of date)" if one.standing.stale else ""
    return ProfileLine(
        id=row.id,
        about=about,
        text=cut(inert(row.text), _LONGEST),
        tail=f"{dated}{doubtful}",
        stale=one.standing.stale,
        space_id=one.head.space_id,
        seq=one.seq,
    )
