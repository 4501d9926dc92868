"""`verify`: recompute everything, and say what does not fit. It never raises for a damaged store.

In this order: the file and its schema; the directory's log; whose signatures are believed; each space: its log, its
signed head, its rows, its listings; the seals; the checkpoint and the place that the key folder knows. What is not
covered, and why, stands in `docs/spec/ledger-v1.md`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.replay import State
from affidavit.errors import StoreUnreadableError
from affidavit.ledger.tree import Frontier
from affidavit.proof.places import Places
from affidavit.proof.verify_directory import (
    Listings,
    TrustedKeys,
    check_checkpoint,
    check_marked,
    check_meta,
    check_seals,
    kept_checkpoint,
)
from affidavit.proof.verify_heads import Trust, check_signed_head, signed_size
from affidavit.proof.verify_log import Log, RawHead, raw_heads, read_log
from affidavit.proof.verify_result import Code, Findings, Problem, VerifyResult, damaged_result
from affidavit.proof.verify_rows import check_rows
from affidavit.proof.verify_since import Mark, Marks, note_digest
from affidavit.store.audit_reads import Audit
from affidavit.store.protocol import Store

__all__ = ["Code", "Problem", "VerifyResult", "damaged_result", "verify_store"]


class StoreKeys(TrustedKeys, Protocol):
    """The key folder of a store; its parent is the folder of all stores' keys."""

    @property
    def folder(self) -> Path:
        """Where they lie."""
        ...


def verify_store(store: Store, keys: StoreKeys, *, since: Mapping[str, Any] | None = None) -> VerifyResult:
    """Check the store, or what is new in it `since` the marks of an earlier result.

    Raises `InputError` for marks that are none, and `KeyStoreError` where the keys can't be used; a damaged store
    is a result, not an error.
    """
    marks = None if since is None else Marks.read(since)
    findings = Findings()
    # Before the state that is checked: a seal that another process makes meanwhile is no sign of an older store.
    checkpoint = kept_checkpoint(keys, store.store_id, findings)
    try:
        with store.audit() as audit:
            return _Verification(store, keys, audit, marks, checkpoint=checkpoint, findings=findings).run()
    except StoreUnreadableError as error:
        return damaged_result(error)


class _Verification:
    """One run over one consistent state of the store."""

    def __init__(
        self,
        store: Store,
        keys: StoreKeys,
        audit: Audit,
        marks: Marks | None,
        *,
        checkpoint: str | None,
        findings: Findings,
    ) -> None:
        self._store, self._keys, self._audit, self._marks = store, keys, audit, marks
        self._checkpoint, self._findings = checkpoint, findings
        if marks is not None and marks.store_id != store.store_id:
            self._findings.add(Code.FORK, "file", f"the marks are of store {marks.store_id}")
            self._marks = None
        self._unsealed = 0
        self._size = 0
        self._new: dict[str, Mark] = {}

    def run(self) -> VerifyResult:
        """Everything, in order."""
        audit, findings = self._audit, self._findings
        if self._marks is None:
            audit.file()
        heads = {head.space_id: head for head in raw_heads(audit.spaces(), findings)}
        seals = list(audit.seals())
        directory = self._directory(heads.pop(DIRECTORY_ID, None), seals)
        signed = directory is not None and self._rest(directory, heads, seals)
        for where, detail in audit.damage:
            findings.add(Code.DB_CORRUPT, where, detail)
        return VerifyResult(
            level=0 if findings else 2 if signed else 1,
            size=self._size,
            spaces=len(heads),
            root="" if directory is None else directory.head.root.hex(),
            unsealed=self._unsealed,
            problems=findings.all(),
            marks={} if findings or directory is None else self._marked(directory.state, len(seals)),
        )

    def _directory(self, head: RawHead | None, seals: list[tuple[Any, ...]]) -> Log | None:
        if head is None:
            self._findings.add(Code.SPACE_MISSING, DIRECTORY_ID, "the directory of all spaces is not there")
            check_meta(self._audit.meta(), "", self._findings)
            return None
        notes = [head.note, self._checkpoint, *(note for _, note in seals if isinstance(note, str))]
        sizes = [size for size in map(signed_size, notes) if size is not None]
        log = read_log(self._audit, head, sizes, self._mark(head), self._findings, before=self._before())
        check_rows(self._audit, log, self._findings)
        if head.listed != 0:
            self._findings.add(Code.LABEL_MISMATCH, f"{DIRECTORY_ID}/head", f"listed is {head.listed}, not 0")
        return log

    def _before(self) -> State | None:
        """What the directory said before the mark."""
        if self._marks is None:
            return None
        state = State(directory=True, signing=self._marks.signing, rotations=list(self._marks.rotations))
        for space_id, mark in self._marks.spaces.items():
            if mark.reason:
                state.spaces[space_id] = (mark.listed, "", mark.reason)
                state.listed.append((-1, space_id, mark.listed, ""))
        return state

    def _rest(self, directory: Log, heads: dict[str, RawHead], seals: list[tuple[Any, ...]]) -> bool:
        """All but the directory's log itself; whether a believed key signed the directory."""
        findings = self._findings
        store_id = self._marks.store_id if self._marks else directory.state.space_id
        check_meta(self._audit.meta(), store_id, findings)
        keys = self._keys.public_keys()
        trust = Trust(store_id, keys, directory.state, findings)
        trust.check_known(directory.head.note)
        listings = Listings(directory.state, self._audit.unlisted(), findings)
        signed = self._signed(trust, directory)
        if keys and directory.head.note is None and directory.state.signing == "seal":
            # Else whoever rewrites a store could say in it that it is not signed yet.
            findings.add(Code.SIG_INVALID, f"{DIRECTORY_ID}/head", "it has a key here, and nothing is signed")
        for head in heads.values():
            self._space(head, listings, trust, every_commit=directory.state.signing == "commit")
        listings.check_missing()
        if self._marks is not None:
            check_marked(self._marks.spaces, [*heads, DIRECTORY_ID], findings)
        else:
            for table, space_id in self._audit.strays():
                code = Code.ORPHAN_ENTRY if table == "entry" else Code.UNLOGGED_ROW
                findings.add(code, f"{space_id}/{table}", "there is no such space")
        check_seals(seals, self._marks.seals if self._marks else 0, directory, trust, findings)
        check_checkpoint(self._checkpoint, seals, directory, trust, findings)
        self._place(store_id)
        return signed

    def _space(self, head: RawHead, listings: Listings, trust: Trust, *, every_commit: bool) -> None:
        sizes = listings.sizes(head.space_id)
        signed = signed_size(head.note)
        log = read_log(
            self._audit,
            head,
            [*sizes, *([] if signed is None else [signed])],
            self._mark(head),
            self._findings,
        )
        self._signed(trust, log, every_commit=every_commit)
        check_rows(self._audit, log, self._findings)
        self._unsealed += listings.check(log)
        self._keep(log, *listings.last(head.space_id))

    def _signed(self, trust: Trust, log: Log, *, every_commit: bool | None = None) -> bool:
        """Check the signed head of a log and count what it does not cover; whether there is a believed one."""
        head = log.head
        mark = self._marks.spaces.get(head.space_id) if self._marks else None
        same = mark is not None and mark.note == note_digest(head.note)
        loose = check_signed_head(
            trust,
            log,
            every_commit=log.state.signing == "commit" if every_commit is None else every_commit,
            same=same,
            findings=self._findings,
        )
        self._unsealed += loose
        self._size += max(head.size, 0)
        if head.space_id == DIRECTORY_ID:
            self._keep(log, 0, "")
        return loose < head.size

    def _mark(self, head: RawHead) -> Mark | None:
        """Where this log was at the mark; none for a new one, and for one that went back behind it."""
        mark = self._marks.spaces.get(head.space_id) if self._marks else None
        if mark is not None and mark.size > head.size:
            detail = f"it had {mark.size} entries at the mark, it has {head.size}"
            self._findings.add(Code.ROLLED_BACK, f"{head.space_id}/head", detail)
            return None
        return mark

    def _keep(self, log: Log, listed: int, reason: str) -> None:
        frontier = log.frontiers.get(log.head.size, Frontier.empty())
        self._new[log.head.space_id] = Mark(
            frontier=frontier,
            listed=listed,
            reason=reason,
            erased=log.state.space_erased,
            note=note_digest(log.head.note),
        )

    def _marked(self, directory: State, seals: int) -> dict[str, Any]:
        return Marks(
            store_id=self._marks.store_id if self._marks else directory.space_id,
            signing=directory.signing,
            spaces=self._new,
            seals=seals,
            rotations=tuple(directory.rotations),
        ).to_json()

    def _place(self, store_id: str) -> None:
        """Whether the key folder knows another store at this place."""
        path = self._store.place
        other = Places(self._keys.folder.parent).other_store(path, store_id)
        if other is not None:
            detail = f"{path} belongs to store {other}, and this is {store_id}"
            self._findings.add(Code.FORK, "file", detail)
