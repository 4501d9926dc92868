"""Whose signatures are believed, for which part of the history, and what a signed head fixes.

Rules:
1. The keys of the key folder are believed. So is a key that a believed one handed over to.
2. A key that was handed over (or lost) is believed for what the directory had listed before that, and no more.
3. A statement of handover must be signed by the new key, and by the old one unless that is lost.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.replay import State
from affidavit.ledger.note import Checkpoint, NoteError, PublicKey, parse_note, verify_note
from affidavit.proof.key_history import Handover
from affidavit.proof.verify_log import Log
from affidavit.proof.verify_result import Code, Findings
from affidavit.store.commit import origin_of
from affidavit.store.keys import KEY_LOST_HINT, signer_names

_ANOTHER_KEY = (
    "only other keys are here: if the key was replaced, bring the newer one with `affidavit keys import FILE`;"
    " if not, the file was altered, and a backup should take its place"
)
_CODES = {
    "malformed": Code.SIG_INVALID,
    "bad_signature": Code.SIG_INVALID,
    "unknown_key": Code.KEY_UNKNOWN,
}


def signed_size(note: str | None) -> int | None:
    """The size that a note speaks of, unverified; None if it can't be read."""
    try:
        return None if note is None else parse_note(note).checkpoint.size
    except NoteError:
        return None


class Trust:
    """Which keys are believed for what."""

    def __init__(
        self, store_id: str, keys: Iterable[PublicKey], directory: State, findings: Findings
    ) -> None:
        self._store_id, self._findings = store_id, findings
        self._keys = dict.fromkeys(keys)
        self._until: dict[PublicKey, int] = {}
        self._listed: dict[str, list[tuple[int, int]]] = {}
        for seq, space_id, size, _ in directory.listed:
            self._listed.setdefault(space_id, []).append((seq, size))
        handovers = [(seq, *self._handover(seq, entry)) for seq, entry in directory.rotations]
        for _, old, new, by_old in handovers:
            if by_old and old in self._keys and new is not None:
                self._keys[new] = None
        for seq, old, new, _ in reversed(handovers):
            if old is not None and new in self._keys:
                self._keys[old] = None
                self._until.setdefault(old, seq)
        self._unknown_before = max((seq for seq, old, *_ in handovers if old is None), default=-1)

    def _handover(
        self, seq: int, entry: Mapping[str, Any]
    ) -> tuple[PublicKey | None, PublicKey | None, bool]:
        """The keys of a `KeyRotated`, and whether the old one signed it. What does not fit is no handover."""
        where = f"{DIRECTORY_ID}/entry/{seq}"
        try:
            handover = Handover.read(self._store_id, entry)
        except ValueError as error:
            self._findings.add(Code.SIG_INVALID, where, f"this is no handover of a key: {error}")
            return None, None, False
        if not handover.signed:
            self._findings.add(Code.SIG_INVALID, where, "the keys did not sign this handover")
            return None, None, False
        return handover.old, handover.new, handover.by_old

    def check_known(self, note: str | None) -> None:
        """Say once that the key which signs the store is not among those here, and what to do."""
        try:
            if note is not None:
                verify_note(note, self._keys)
        except NoteError as error:
            if error.reason == "unknown_key":
                names = ", ".join(sorted(signer_names(note)))
                why = _ANOTHER_KEY if self._keys else f"no key of the store is here: {KEY_LOST_HINT}"
                self._findings.add(Code.KEY_UNKNOWN, "keys", f"the store is signed by {names}, and {why}")

    def believed(self, note: str, space_id: str, where: str, *, alone: bool = True) -> Checkpoint | None:
        """The signed head, if a key that may vouch for it did; else a problem, and None.

        `alone` is False for a seal, which a later one covers: then one by a key that was lost with its name is
        taken as it stands.
        """
        try:
            verified = verify_note(note, self._keys)
        except NoteError as error:
            size = signed_size(note)
            if (
                error.reason == "unknown_key"
                and not alone
                and size is not None
                and size <= self._unknown_before
            ):
                return parse_note(note).checkpoint
            self._findings.add(_CODES[error.reason], where, str(error))
            return None
        checkpoint = verified.checkpoint
        if checkpoint.origin != origin_of(self._store_id, space_id):
            self._findings.add(Code.SIG_INVALID, where, f"this is the signed head of {checkpoint.origin}")
            return None
        if checkpoint.extensions:
            self._findings.add(Code.SIG_INVALID, where, "this is a signed statement about a head, not a head")
            return None
        if not any(self._may_sign(key, space_id, checkpoint.size) for key in verified.keys):
            self._findings.add(Code.SIG_INVALID, where, "signed by a key that had been handed over before")
            return None
        return checkpoint

    def _may_sign(self, key: PublicKey, space_id: str, size: int) -> bool:
        until = self._until.get(key)
        if until is None:
            return True
        if space_id == DIRECTORY_ID:
            return size <= until
        return any(seq < until and size <= listed for seq, listed in self._listed.get(space_id, ()))


def check_signed_head(trust: Trust, log: Log, *, every_commit: bool, same: bool, findings: Findings) -> int:
    """Hold a log's signed head against the log; how many of its entries no believed signature covers.

    `every_commit`: the store signs each head as it is made. `same`: this signed head was checked at the mark.
    """
    head = log.head
    where = f"{head.space_id}/head"
    size = max(head.size, 0)
    if head.note is None:
        if every_commit:
            findings.add(Code.SIG_INVALID, where, "the head is not signed")
        return size
    checkpoint = parse_note(head.note).checkpoint if same else trust.believed(head.note, head.space_id, where)
    if checkpoint is None:
        return size
    if checkpoint.size > head.size:
        findings.add(Code.TRUNCATED, where, f"{checkpoint.size} entries were signed, {head.size} are left")
        return size
    if checkpoint.size < head.size and every_commit:
        findings.add(
            Code.SIG_INVALID, where, f"only the first {checkpoint.size} of {head.size} entries are signed"
        )
    root = log.root_at(checkpoint.size)
    if root is not None and root != checkpoint.root:
        findings.add(
            Code.ROOT_MISMATCH, where, f"the signed root at {checkpoint.size} is not that of the entries"
        )
    elif root is None and checkpoint.size == head.size and checkpoint.root != head.root:
        findings.add(Code.ROOT_MISMATCH, where, "the signed root is not the head's")
    elif root is None and not log.state.space_erased and not same:
        findings.add(Code.ROLLED_BACK, where, "the signed head is older than it was at the mark")
    return size - checkpoint.size
