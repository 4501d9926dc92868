"""Extract: from stored episodes to candidates. What is proposed here is believed by nobody before the checks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from affidavit.core.authority import Role, SpaceKind
from affidavit.core.candidates import Candidate
from affidavit.core.memories import USER, Kind, Part
from affidavit.core.values import EpisodeRow, Owner, spans_of
from affidavit.core.when import Basis, When
from affidavit.store.protocol import Stored
from affidavit.text.frames.engine import statements_in
from affidavit.text.frames.statement import Statement
from affidavit.text.lang.relations import Relation
from affidavit.text.spans import SpanKind

if TYPE_CHECKING:
    from affidavit.providers.consulting import Consulting

_SPOKEN = {Role.USER, Role.MAIL}
_REFUSED = {SpanKind.THIRD_PARTY, SpanKind.ECHO, SpanKind.MASKED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What an extractor is handed.

    `episodes`: in which statements are looked for, in log order. `earlier`: what was said before them in their
    sessions, to understand them by; nothing is taken from it. `actors`: who a contributor's reference stands for.
    `own_names`: further names of the user whose space it is. `patient`: whether it may ask a model as often as it takes
    (a derivation), or only as often as the amount of text needs (an `add`, for which somebody waits).
    """

    episodes: Sequence[Stored]
    actors: Mapping[str, str]
    owner: Owner
    own_names: Sequence[str] = ()
    earlier: Sequence[Stored] = ()
    patient: bool = False


class Missed(NamedTuple):
    """An episode that a model did not look at, or not to its end; `waits`: it is to be tried again.

    `code` and `hint` say why, for the view of what was not remembered; empty where nothing lay in the episode.
    """

    episode_id: str
    waits: bool
    code: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What an extractor found: candidates, the episodes it could not look at, what went wrong in plain words."""

    candidates: Sequence[Candidate] = ()
    missed: Sequence[Missed] = ()
    problems: Sequence[str] = ()


class Extractor(Protocol):
    """Finds statements in what was said."""

    @property
    def name(self) -> str:
        """Its name and version; stamped on every memory it found."""
        ...

    def extract(self, material: Material, consulting: "Consulting | None") -> Extracted:
        """The statements in the episodes; `consulting` asks the language model, None where there is none.

        Raises nothing for what a model does or says.
        """
        ...


class Frames:
    """The embedded extractor: frames over tables of words, without a model (`affidavit.text.frames.engine`)."""

    name = "frames-1"

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._relations = relations

    def extract(self, material: Material, consulting: "Consulting | None" = None) -> Extracted:
        """What speakers say of themselves, in messages and mails. A message without a speaker's words has none."""
        found = [
            one
            for stored in material.episodes
            for one in self._of(stored.row, material.actors, material.owner)
        ]
        return Extracted(candidates=found)

    def _of(self, row: EpisodeRow, actors: Mapping[str, str], owner: Owner) -> Iterator[Candidate]:
        subject = speaker_of(row, actors, owner)
        if row.role not in _SPOKEN or subject is None:
            return
        refused = [(span.start, span.end) for span in spans_of(row) if span.kind in _REFUSED]
        anchor = row.recorded_at if row.occurred_start is None else row.occurred_start
        dated = row.occurred_start is not None
        for said in statements_in(row.text, refused=refused, anchor=anchor, offset=row.occurred_offset):
            yield self._candidate(row, said, subject, anchor if dated else None)

    def _candidate(self, row: EpisodeRow, said: Statement, subject: str, at: int | None) -> Candidate:
        """`at`: when it was said, if anybody knows."""
        relation = self._relations[said.relation]
        when = _when(said, row, dated=at is not None)
        # When a plan was called off is no time at which it happens.
        over = when is not None and when.end is not None and at is not None and when.end <= at
        event = relation.kind == Kind.EVENT and not (said.negated and over)
        quote = row.text[said.start : said.end]
        return Candidate(
            text=said.text if subject == USER else quote,
            kind=Kind(relation.kind),
            parts=(Part(row.id, said.start, said.end, quote),),
            subject=subject,
            relation=said.relation,
            object=said.value,
            qualifier=said.qualifier or None,
            certainty=said.certainty,
            negated=said.negated,
            ended=said.ended,
            correction=said.correction,
            beside=said.beside,
            tense=said.tense,
            begins=None if event else when,
            occurred=when if event else None,
            extractor=self.name,
            language=said.language,
        )


def speaker_of(row: EpisodeRow, actors: Mapping[str, str], owner: Owner) -> str | None:
    """Of whom an "I" here speaks: `user` for the owner of a user's space, else a name; None: nobody knows."""
    kind, _, name = actors.get(row.actor, "").partition(":")
    if owner.kind is SpaceKind.USER and (kind, name) == ("user", owner.name):
        return USER
    return name if kind in {"user", "person"} and name not in {"", row.role} else None


def _when(said: Statement, row: EpisodeRow, *, dated: bool) -> When | None:
    """The time of a statement. Words like "last week" mean nothing where nobody knows when they were said."""
    time = said.time
    if time is None or (time.resolved and not dated):
        return None
    basis = Basis.RESOLVED if time.resolved else Basis.STATED
    return When(start=time.start, end=time.end, text=time.text, basis=basis, offset=row.occurred_offset)
