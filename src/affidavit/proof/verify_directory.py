"""The directory against the spaces it lists, the seals against the directory, and what lies beside the key."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.replay import State
from affidavit.errors import KeyStoreError
from affidavit.ledger.note import PublicKey
from affidavit.proof.verify_heads import Trust, signed_size
from affidavit.proof.verify_log import Log
from affidavit.proof.verify_result import Code, Findings

_META = {"schema", "store_id"}


class TrustedKeys(Protocol):
    """The key folder of a store, as far as verify needs it."""

    def public_keys(self) -> list[PublicKey]:
        """The keys whose signatures are believed here."""
        ...

    def checkpoint(self, store_id: str) -> str | None:
        """The last seal that was remembered for the store."""
        ...


def check_meta(rows: Iterable[tuple[Any, ...]], store_id: str, findings: Findings) -> None:
    """Hold the table `meta` against what we write there (the schema itself is compared elsewhere)."""
    meta = dict(rows)
    if meta.get("store_id") != store_id:
        findings.add(Code.LABEL_MISMATCH, "meta/store_id", f"the log is of store {store_id or 'unknown'}")
    for key in meta.keys() - _META:
        findings.add(Code.UNLOGGED_ROW, f"meta/{key}", "we write no such key")


class Listings:
    """What the directory says of each space."""

    def __init__(self, directory: State, unlisted: set[tuple[Any, ...]], findings: Findings) -> None:
        self._findings = findings
        self._last = directory.spaces
        self._coming = {(space_id, str(reason)) for space_id, reason in unlisted}
        self._of: dict[str, list[tuple[int, int, str]]] = {}
        for seq, space_id, size, root in directory.listed:
            if root:  # else from before a mark, and checked then
                self._of.setdefault(space_id, []).append((seq, size, root))
        self._seen: set[str] = set()

    def sizes(self, space_id: str) -> list[int]:
        """The sizes at which the directory vouches for a root of this space."""
        return [size for _, size, _ in self._of.get(space_id, ())]

    def last(self, space_id: str) -> tuple[int, str]:
        """The size and reason of the last listing; 0 and "" if there was none."""
        found = self._last.get(space_id)
        return (0, "") if found is None else (found[0], found[2])

    def check(self, log: Log) -> int:
        """Hold a space against its listings; how many directory leaves of it are still to come."""
        head, erased = log.head, log.state.space_erased
        space_id, where = head.space_id, f"{head.space_id}/head"
        self._seen.add(space_id)
        for seq, size, root in self._of.get(space_id, ()):
            found = log.root_at(size)
            if found is None and size == head.size:
                found = head.root
            if size > head.size:
                self._findings.add(
                    Code.TRUNCATED, where, f"the directory lists {size} entries, {head.size} are left"
                )
            elif found is not None and found.hex() != root:
                self._findings.add(
                    Code.FORK, where, f"entry {seq} of the directory lists another root at size {size}"
                )
        size, reason = self.last(space_id)
        if head.listed != size:
            self._findings.add(
                Code.LABEL_MISMATCH, where, f"listed is {head.listed}, the directory says {size}"
            )
        if reason == "erased" and not erased:
            self._findings.add(Code.FORK, where, "the directory lists it as erased")
        missing = ["born"] if reason == "" else []
        if erased and reason != "erased":
            missing.append("erased")
        coming = [leaf for leaf in missing if (space_id, leaf) in self._coming]
        # A space erased before it was listed needs one leaf only.
        if missing and not coming:
            detail = f"the directory does not list it as {missing[-1]}"
            self._findings.add(Code.UNLOGGED_ROW, where, detail)
        return len(coming)

    def check_missing(self) -> None:
        """What is listed and was not checked is not there."""
        for space_id in self._last.keys() - self._seen:
            self._findings.add(Code.SPACE_MISSING, space_id, "the directory lists it, and it is not there")


def check_seals(
    seals: list[tuple[Any, ...]], start: int, directory: Log, trust: Trust, findings: Findings
) -> None:
    """Hold the seals (after the first `start`) against the directory."""
    if len(seals) < start:
        findings.add(Code.TRUNCATED, "seal", f"there were {start} seals at the mark, {len(seals)} are left")
    before = -1
    for number, (seq, note) in enumerate(seals[start:], start):
        where = f"seal/{seq}"
        if seq != number:
            findings.add(Code.GAP, where, f"seal {number} belongs here")
        if not isinstance(note, str):
            findings.add(Code.SIG_INVALID, where, "the seal is no text")
            continue
        checkpoint = trust.believed(note, DIRECTORY_ID, where, alone=False)
        if checkpoint is None:
            continue
        if checkpoint.size <= before:
            findings.add(Code.GAP, where, "it is not newer than the seal before it")
        before = checkpoint.size
        root = directory.root_at(checkpoint.size)
        if checkpoint.size > directory.head.size:
            findings.add(
                Code.TRUNCATED, where, f"it is of {checkpoint.size} entries, {directory.head.size} are left"
            )
        elif root is not None and root != checkpoint.root:
            findings.add(Code.FORK, where, f"the directory has another root at size {checkpoint.size}")


def kept_checkpoint(keys: TrustedKeys, store_id: str, findings: Findings) -> str | None:
    """The checkpoint beside the key; one that can't be read is a problem, as nobody but us writes there."""
    try:
        return keys.checkpoint(store_id)
    except KeyStoreError as error:
        findings.add(Code.SIG_INVALID, "keys/checkpoint", error.what)
        return None


def check_checkpoint(
    note: str | None, seals: Iterable[tuple[Any, ...]], directory: Log, trust: Trust, findings: Findings
) -> None:
    """Hold the checkpoint beside the key against the directory: what was sealed must still be there."""
    if note is None:
        return
    where = "keys/checkpoint"
    checkpoint = trust.believed(note, DIRECTORY_ID, where, alone=False)
    if checkpoint is None or checkpoint.size < directory.start:
        return
    root = directory.root_at(checkpoint.size)
    if checkpoint.size > directory.head.size:
        detail = (
            f"the directory had {checkpoint.size} entries when it was sealed, it has {directory.head.size}"
        )
        findings.add(Code.ROLLED_BACK, where, detail)
    elif root is not None and root != checkpoint.root:
        findings.add(Code.FORK, where, f"the directory has another root at size {checkpoint.size}")
    elif all(signed_size(seal) != checkpoint.size for _, seal in seals if isinstance(seal, str)):
        findings.add(Code.TRUNCATED, "seal", f"the seal at size {checkpoint.size} is gone")


def check_marked(marked: Mapping[str, Any], present: Iterable[str], findings: Findings) -> None:
    """A space that was there at the mark is still there."""
    for space_id in marked.keys() - set(present):
        findings.add(Code.SPACE_MISSING, space_id, "it was there at the mark")
