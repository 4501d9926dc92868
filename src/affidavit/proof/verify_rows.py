"""Tables against the replay of a log.

Each living thing has one row, with the entry's clear fields and a blind, and content that gives the commitment;
nothing else has a row.
"""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from affidavit.core.authority import POLICY, Authority, Party, Role, SpaceKind, authority_of
from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.replay import Live
from affidavit.core.values import COMMITTED_EPISODE_COLUMNS, EPISODE_COLUMNS
from affidavit.core.when import rfc3339
from affidavit.ledger.encoding import commitment
from affidavit.proof.verify_gates import check_gates
from affidavit.proof.verify_log import Log
from affidavit.proof.verify_memories import MemoryRows
from affidavit.proof.verify_result import Code, Findings
from affidavit.store.audit_reads import Audit
from affidavit.text.lexicon.terms import stored_terms

_ROW = ("seq", *EPISODE_COLUMNS)
_committed = itemgetter(*(_ROW.index(name) for name in COMMITTED_EPISODE_COLUMNS))
_clear = itemgetter(*(_ROW.index(name) for name in ("actor", "authority", "status", "recorded_at")))
_source = itemgetter(
    *(_ROW.index(name) for name in ("role", "author", "derived_from", "authority", "policy"))
)
_derived = itemgetter(_ROW.index("terms"), _ROW.index("text"))
_ID = _ROW.index("id")


def check_rows(audit: Audit, log: Log, findings: Findings) -> None:
    """Hold the rows of a space against its log; after a mark those of what is new."""
    _Rows(audit, log, findings).check()


class _Rows:
    """The check of one space."""

    def __init__(self, audit: Audit, log: Log, findings: Findings) -> None:
        self._audit, self._log, self._findings = audit, log, findings
        self._space = log.head.space_id
        self._blinds = dict[Any, Any](audit.blinds(self._space, log.start))
        self._allowed = _ceilings(log.head.kind)
        self._instant: tuple[object, str | None] = (None, None)

    def check(self) -> None:
        self._owner()
        self._actors()
        # Which episodes stand where, before the pass over their rows uses them up.
        self._embeddings()
        memories = MemoryRows(self._audit, self._log, self._add, self._committed)
        self._episodes(memories)
        memories.check()
        check_gates(self._audit, self._log, self._add, self._committed)
        if self._log.start:
            self._erased()
        for seq in self._blinds:
            self._add(Code.UNLOGGED_ROW, f"blind/{seq}", "a blind of nothing that lives")

    def _new(self, living: dict[str, Live]) -> dict[str, Live]:
        """What lives and was born since the mark, to be crossed out row by row."""
        start = self._log.start
        return {target: live for target, live in living.items() if live.seq >= start}

    def _add(self, code: Code, place: str, detail: str) -> None:
        self._findings.add(code, f"{self._space}/{place}", detail)

    def _committed(self, place: str, live: Live, kind: str, values: Sequence[Any]) -> None:
        """Hold a row's values against the commitment of its entry."""
        blind = self._blinds.pop(live.seq, None)
        if blind is None:
            self._add(Code.CONTENT_MISMATCH, place, f"the blind of entry {live.seq} is gone")
            return
        try:
            fits = commitment(blind, kind, values).hex() == live.commit
        except (TypeError, ValueError):
            fits = False
        if not fits:
            self._add(
                Code.CONTENT_MISMATCH, place, f"what is stored is not what entry {live.seq} committed to"
            )

    def _missing(self, table: str, left: dict[str, Live]) -> None:
        for target, live in left.items():
            self._blinds.pop(live.seq, None)
            self._add(
                Code.ORPHAN_ENTRY, f"{table}/{target}", f"entry {live.seq} tells of it, and it has no row"
            )

    def _owner(self) -> None:
        head, opened = self._log.head, self._log.state.opened
        if head.space_id == DIRECTORY_ID:
            if (head.kind, head.name) != (SpaceKind.DIRECTORY, None):
                self._add(Code.LABEL_MISMATCH, "head", "the directory has no owner")
        elif self._log.state.space_erased:
            if head.name is not None:
                self._add(Code.UNLOGGED_ROW, "head", "the owner of an erased space is still named")
        elif opened is not None and not self._log.start:
            self._committed("head", opened, "space", [head.kind, head.name])

    def _actors(self) -> None:
        left = self._new(self._log.state.actors)
        for seq, ref, who in self._audit.actors(self._space, self._log.start):
            live, place = left.pop(ref, None), f"actor/{ref}"
            if live is None:
                self._add(Code.UNLOGGED_ROW, place, "no living entry tells of it")
                continue
            if live.seq != seq:
                self._add(Code.LABEL_MISMATCH, place, f"it says entry {seq}, and is of entry {live.seq}")
            self._committed(place, live, "actor", [who])
        self._missing("actor", left)

    def _embeddings(self) -> None:
        state, start = self._log.state, self._log.start
        left = self._new(state.embeddings)
        older = [state.episodes[target].seq for target in left if state.episodes[target].seq < start]
        for row in self._audit.embeddings(self._space, start, older):
            seq, target_seq, target, model, dimensions, vector = row
            live, place = left.pop(target, None), f"embedding/{target}"
            if live is None:
                self._add(Code.UNLOGGED_ROW, place, "no living entry tells of it")
                continue
            if (seq, target_seq) != (live.seq, state.episodes[target].seq):
                self._add(
                    Code.LABEL_MISMATCH, place, f"entry {live.seq} embeds another episode than {target_seq}"
                )
            self._committed(place, live, "embedding", [model, dimensions, vector])
        self._missing("embedding", left)

    def _episodes(self, memories: MemoryRows) -> None:
        quoted = memories.quoted()
        left = self._new(self._log.state.episodes)
        for row in self._audit.episodes(self._space, self._log.start):
            live, place = left.pop(row[_ID], None), f"episode/{row[_ID]}"
            if live is None:
                self._add(Code.UNLOGGED_ROW, place, "no living entry tells of it")
                continue
            self._labels(place, row, live)
            self._committed(place, live, "episode", _committed(row))
            stored, text = _derived(row)
            if row[_ID] in quoted and isinstance(text, str):
                memories.saw(row[_ID], text)
            if stored != _terms(text):
                self._add(Code.DERIVED_STALE, place, "the stored terms are not those of the text")
        self._missing("episode", left)

    def _labels(self, place: str, row: tuple[Any, ...], live: Live) -> None:
        actor, authority, status, recorded_at = _clear(row)
        if (row[0], actor, authority, status) != (live.seq, live.actor, live.authority, live.status):
            self._add(
                Code.LABEL_MISMATCH, place, f"actor, authority, status or number differ from entry {live.seq}"
            )
        if self._instant_of(recorded_at) != live.at:
            self._add(Code.LABEL_MISMATCH, place, f"it was not recorded at the time of entry {live.seq}")
        if not self._allowed(_source(row)):
            self._add(Code.LABEL_MISMATCH, place, f"{authority} is more than its source allows")

    def _instant_of(self, value: object) -> str | None:
        """As an entry writes it; a batch has one time, so the last one is kept."""
        if type(value) is not int or value != self._instant[0]:
            self._instant = (value, _instant(value))
        return self._instant[1]

    def _erased(self) -> None:
        """What was erased since the mark has no row left."""
        gone = sorted(self._log.state.erased)
        for table in ("actor", "episode", "item", "support", "conflict", "revoked_source"):
            for target in self._audit.born(table, self._space, gone):
                self._add(Code.UNLOGGED_ROW, f"{table}/{target}", "it was erased")


def _ceilings(kind: str) -> Callable[[tuple[Any, ...]], bool]:
    """Whether a source (role, author, derived_from, authority, policy) may have its authority in such a space."""
    known: dict[tuple[Any, ...], bool] = {}

    def allowed(source: tuple[Any, ...]) -> bool:
        if source not in known:
            known[source] = _may(kind, source)
        return known[source]

    return allowed


def _may(kind: str, source: tuple[Any, ...]) -> bool:
    role, author, derived_from, authority, policy = source
    try:
        highest = authority_of(
            SpaceKind(kind),
            Role(role),
            own_words=True,
            author=None if author is None else Party(author),
            derived_from=None if derived_from is None else Party(derived_from),
        )
        return policy == POLICY and Authority(authority) <= highest
    except ValueError:
        return False


def _instant(value: object) -> str | None:
    try:
        return rfc3339(value) if isinstance(value, int) else None
    except ValueError:
        return None


def _terms(text: object) -> bytes | None:
    try:
        return stored_terms(text) if isinstance(text, str) else None
    except ValueError:
        return None
