"""Import: what a reader yields becomes episodes, item by item.

Rules:
1. What can't be taken is listed with its place and reason, and never costs the rest of the file.
2. Every item has an idempotency key made from the file: importing again adds nothing twice, so an import
   that was cut off goes on where it stood.
3. What is stored already stays as it is: where this import says something else of it, that is listed.
4. A message keeps the role, name, session and date that the file gives it; nothing can raise its authority.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from affidavit.core.access import Caller
from affidavit.core.jsonable import Result
from affidavit.core.values import occurred_of
from affidavit.core.when import Basis, When
from affidavit.errors import ErasedError, InputError
from affidavit.surfaces.importers import (
    Imported,
    ImportFormat,
    ImportItem,
    ImportProblem,
    MailOwner,
    ProblemKind,
    detect,
    open_import,
)
from affidavit.write.intake import Origin
from affidavit.write.messages import Skipped, parse_message
from affidavit.write.repeats import TIME

if TYPE_CHECKING:
    from affidavit.memory import Memory
    from affidavit.write.record import Incoming
    from affidavit.write.repeats import Refused
    from affidavit.write.results import AddResult

BATCH = 500
"""Items that are stored in one commit at most."""
THIRD_PARTY = "third_party"
_NAME_CHARACTERS = 80
"""Of the file's name that go into a key."""
_OPTIONS = frozenset({"derived_from", TIME})
"""What the options of an import change of an item."""
_OURS = ("session", "source", "source_id", "author", "derived_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportResult(Result):
    """What one import did.

    `imported` counts new episodes, `repeated` those that were there already, `stored_otherwise` those that were
    there already in another form (other options, another text) and stayed as they are, `undated` new ones of which
    nobody knows when they happened, `masked` the secrets masked before anything was stored. `remembered` counts the
    versions of memories that were drawn from the messages, `refused` what a check refused (`Memory.why` says which).
    `problems` lists what was not imported, or not whole or not so, with its place; `notes` what went wrong after the
    episodes were safe.
    """

    format: str
    imported: int = 0
    repeated: int = 0
    stored_otherwise: int = 0
    undated: int = 0
    masked: int = 0
    remembered: int = 0
    refused: int = 0
    sessions: int = 0
    problems: tuple[ImportProblem, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Sum:
    """The counts while an import runs."""

    imported: int = 0
    repeated: int = 0
    undated: int = 0
    masked: int = 0
    remembered: int = 0
    refused: int = 0
    sessions: set[str] = field(default_factory=set)
    problems: list[ImportProblem] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)

    def take(self, result: "AddResult") -> None:
        self.imported += len(result.episodes)
        self.repeated += len(result.repeated)
        self.undated += sum(not episode.occurred.is_known for episode in result.episodes)
        self.masked += result.masked
        self.remembered += len(result.added) + len(result.updated)
        self.refused += len(result.rejected)
        self.sessions |= {e.session_id for e in (*result.episodes, *result.repeated) if e.session_id}
        self.notes |= dict.fromkeys(result.problems)


def import_file(
    memory: "Memory",
    path: str | os.PathLike[str],
    *,
    user_id: str | int | None = None,
    agent_id: str | int | None = None,
    team_id: str | int | None = None,
    format: str | None = None,  # noqa: A002 - the word for it
    third_party: bool = False,
    assume_date: object = None,
    own_addresses: Sequence[str] = (),
    sent: bool = False,
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
) -> ImportResult:
    """Record every message of a file (`format`: `jsonl`, `chatgpt`, `claude`, `mbox`, `eml`; None: by what it holds).

    `third_party` marks all of it as coming from others, so that nothing in it counts as the user's word.
    `assume_date` is used where the file gives none; without it such a message has no date. `progress` is told
    (messages so far, problems so far) after each commit.

    Of mail, what was sent from one of the `own_addresses` (and those of the setting of that name) is the user's own
    word, unless it bears traces of delivery, as a forged one does; `sent` says that all of the file was sent by the
    user, so that those raise no doubt.

    Raises `FileFormatError` where the file can't be opened or is no known format, `DateError` for
    `assume_date`; whatever is wrong inside the file is a problem of the result.
    """
    caller = Caller.of(user_id, agent_id, team_id)
    assumed = None if assume_date is None else replace(When.parse(assume_date), basis=Basis.INFERRED)
    chosen = format or str(detect(path))
    items = open_import(path, chosen, owner=_owner(memory, caller, own_addresses, sent=sent))
    # Exports name each message; a line is known by its file only, as two files may hold the same short line.
    file = Path(path).name[:_NAME_CHARACTERS] if chosen == ImportFormat.JSONL else None
    total = _Sum()
    for group in _batches(items, batch, total.problems):
        ready = list(_ready(group, file, total.problems, third_party=third_party, assumed=assumed))
        for result in _stored(memory, caller, ready, total.problems):
            total.take(result)
        if progress is not None:
            progress(total.imported + total.repeated, len(total.problems))
    return ImportResult(
        format=chosen,
        imported=total.imported,
        repeated=total.repeated,
        stored_otherwise=sum(one.kind is ProblemKind.STORED_OTHERWISE for one in total.problems),
        undated=total.undated,
        masked=total.masked,
        remembered=total.remembered,
        refused=total.refused,
        sessions=len(total.sessions),
        problems=tuple(total.problems),
        notes=tuple(total.notes),
    )


def _owner(memory: "Memory", caller: Caller, addresses: Sequence[str], *, sent: bool) -> MailOwner:
    """Whose mail it is. Only in a user's own space is there one whose own word a mail can be."""
    user, config = caller.user_id, memory._rooms.config
    if user is None:
        return MailOwner()
    return MailOwner.of(
        (*addresses, *config.own_addresses.get(user, ())), (user, *config.own_names.get(user, ())), sent=sent
    )


def _batches(items: Imported, size: int, problems: list[ImportProblem]) -> Iterator[list[ImportItem]]:
    """Items in groups; the problems between them are set aside."""

    def good() -> Iterator[ImportItem]:
        for one in items:
            if isinstance(one, ImportProblem):
                problems.append(one)
            else:
                yield one

    stream = good()
    while group := list(islice(stream, size)):
        yield group


def _ready(
    group: Sequence[ImportItem],
    file: str | None,
    problems: list[ImportProblem],
    *,
    third_party: bool,
    assumed: When | None,
) -> "Iterator[tuple[str, Incoming]]":
    """Each item as the recorder takes it, with its place in the file."""
    for item in group:
        try:
            incoming = _incoming(item, file, third_party=third_party, assumed=assumed)
        except InputError as error:
            problems.append(ImportProblem(place=item.line_or_path, reason=error.what))
            continue
        if isinstance(incoming, Skipped):
            reason, kind = incoming.reason, ProblemKind.LEFT_OUT
            problems.append(ImportProblem(place=item.line_or_path, reason=reason, kind=kind))
        else:
            yield item.line_or_path, incoming


def _incoming(
    item: ImportItem, file: str | None, *, third_party: bool, assumed: When | None
) -> "Incoming | Skipped":
    said: Mapping[str, object] = item.message
    message = parse_message({name: value for name, value in said.items() if name not in _OURS}, 0)
    if isinstance(message, Skipped):
        return message
    origin = Origin.of(
        role=message.role,
        session_id=said.get("session"),
        event_type=None,
        source=said.get("source"),
        source_id=said.get("source_id"),
        resources=(),
        idempotency_key=None,
        author=said.get("author"),
        derived_from=THIRD_PARTY if third_party else said.get("derived_from"),
    )
    if item.letter or item.foreign:
        message = replace(message, letter=item.letter, borrowed=item.foreign)
    incoming = origin.incoming(message, key=item.key if file is None else f"{file}:{item.key}")
    if message.at is not None:
        return incoming
    return replace(incoming, undated=True) if assumed is None else replace(incoming, occurred=assumed)


def _stored(
    memory: "Memory", caller: Caller, ready: "Sequence[tuple[str, Incoming]]", problems: list[ImportProblem]
) -> "Iterator[AddResult]":
    """Record a batch. An item that can't be taken at all refuses it: halves find it, so that it costs only itself."""
    if not ready:
        return
    refused: list[Refused] = []
    try:
        yield memory._rooms.writing.record(caller, [incoming for _, incoming in ready], refused=refused)
        problems.extend(_problem(ready[one.index][0], one) for one in refused)
    except InputError as error:
        if len(ready) == 1:
            problems.append(ImportProblem(place=ready[0][0], reason=error.what))
            return
        half = len(ready) // 2
        yield from _stored(memory, caller, ready[:half], problems)
        yield from _stored(memory, caller, ready[half:], problems)


def _problem(place: str, refused: "Refused") -> ImportProblem:
    """Why an item was left as it was, in words that name no key: nobody chose those of an import."""
    if isinstance(refused.error, ErasedError):
        reason = "it was erased before, and does not come back"
        return ImportProblem(place=place, reason=reason, kind=ProblemKind.LEFT_OUT)
    if refused.stored is None:
        return ImportProblem(
            place=place, reason="an earlier item of this file has the same id and says something else"
        )
    row = refused.stored.row
    when = occurred_of(row)
    other = [name for name in refused.differs if name not in _OPTIONS]
    said = (
        f"another {', another '.join(name.removesuffix('_id') for name in other)}"
        if other
        else "other options"
    )
    return ImportProblem(
        place=place,
        reason=f"already stored as {row.id} ({row.authority}, "
        f"{when.local_text() if when.is_known else 'without a date'}); this import has {said}",
        kind=ProblemKind.STORED_OTHERWISE,
    )
