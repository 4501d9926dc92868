"""Physical cleaning: what was erased leaves the write-ahead log and every free corner of the file.

Deleted cells are overwritten as they go (`secure_delete`); then the log is emptied into the file and cut; then the
files are scanned for what was erased. Only if something is found is the whole file rewritten.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.core.ids import EPISODE
from affidavit.core.replay import ReplayError, check_entry
from affidavit.core.values import Head
from affidavit.core.when import When, rfc3339
from affidavit.errors import StoreError, StoreUnreadableError
from affidavit.ledger.encoding import EntryError, parse_entry
from affidavit.ledger.note import NoteError, verify_note
from affidavit.privacy.receipt import Receipt, signed
from affidavit.privacy.scan import find_residue
from affidavit.store.protocol import Clock, Job, Selection, Store

if TYPE_CHECKING:
    from affidavit.proof.statements import Signing

SCAN_BYTES = 256 * 1024 * 1024
"""Larger files are not scanned while the caller waits: they are rewritten, which leaves nothing either."""
JOB = "clean"
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


class Cleaner:
    """Cleans the files of one store."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def clean(self, gone: Sequence[bytes] | None) -> bool:
        """Make the files free of `gone` (None: of whatever was ever erased); False where that can't be done now.

        The rows are gone already, so nothing here may fail: a busy or full disk leaves the job for later.
        """
        try:
            return self._clean(gone)
        except (StoreError, FileNotFoundError):  # a log may vanish while we look: others close the store
            return False

    def _clean(self, gone: Sequence[bytes] | None) -> bool:
        if not self._store.truncate_log():
            return False
        size = sum(Path(name).stat().st_size for name in self._store.files())
        if gone is not None and size <= SCAN_BYTES and not self._residue(gone):
            return True
        self._store.compact()
        return self._store.truncate_log() and (gone is None or size > SCAN_BYTES or not self._residue(gone))

    def _residue(self, gone: Sequence[bytes]) -> bool:
        return bool(find_residue(self._store.files(), gone, self._surviving))

    def _surviving(self) -> Iterator[bytes]:
        """The texts of all rows that are still there: what stands in them is no residue."""
        with self._store.snapshot() as reads:
            for head in reads.heads():
                yield (head.name or "").encode()
                yield from (who.encode() for who in reads.actors(head.space_id).values())
                yield from (body for _, body in reads.entries(head.space_id))
                for stored in reads.select(head.space_id, Selection()):
                    yield from (
                        value.encode() if isinstance(value, str) else value
                        for value in stored.row
                        if isinstance(value, str | bytes)
                    )

    def done(self, erasures: Sequence[tuple[str, int]]) -> None:
        """Drop the jobs of these erasures (space, first entry), which are clean."""
        with suppress(StoreError):  # a job too many is done once more
            self._store.drop_jobs(Job(space_id, JOB, str(first), 0) for space_id, first in erasures)

    def finish(self, signing: "Callable[[], Signing]") -> list[Receipt]:
        """Do the cleaning that was left; a receipt for each erasure, with `physical_at`. Empty while others read."""
        with self._store.snapshot() as reads:
            jobs = reads.jobs(kind=JOB)
        if not jobs or not self.clean(None):
            return []
        now = self._clock.now()
        given = signing()
        receipts = []
        for job in jobs:
            erasure = self._erasure(job, given)
            if erasure is None:
                continue  # no erasure of ours: there is nothing to state
            head, episodes, whole, erased_at = erasure
            receipts.append(
                Receipt(
                    episodes=episodes,
                    erased_at=rfc3339(erased_at),
                    physical_at=rfc3339(now),
                    spaces=signed(given, [(head, episodes, whole)], erased_at, now),
                    not_reached=self.older_copies(),
                )
            )
        self._store.drop_jobs(jobs)
        self._store.truncate_log()
        return receipts

    def _erasure(self, job: Job, signing: "Signing") -> tuple[Head, int, bool, int] | None:
        """What a job's entries say was erased: jobs are in no log, so a receipt never rests on what stands in one."""
        with self._store.snapshot() as reads:
            head = reads.head(job.space_id)
            if head is None or _NUMBER.fullmatch(str(job.target)) is None:
                return None
            entries = _erasing(body for _, body in reads.entries(job.space_id, int(job.target)))
        if not entries:
            return None
        self._check_signed(head, signing)
        whole = entries[0]["op"] == "SpaceErased"
        targets = [target for entry in entries if not whole for target in entry["targets"]]
        episodes = entries[0]["episodes"] if whole else sum(t.startswith(EPISODE) for t in targets)
        return head, episodes, whole, When.parse(entries[0]["at"]).start or 0

    def _check_signed(self, head: Head, signing: "Signing") -> None:
        """A receipt is a signed head: it must not vouch for one that was put into the file."""
        if signing.signer is None or not self._store.signs_commits:
            return
        try:
            signed_head = verify_note(head.note or "", [signing.signer.public]).checkpoint
        except NoteError:
            signed_head = None
        if signed_head is None or (signed_head.size, signed_head.root) != (head.size, head.root):
            raise StoreUnreadableError(
                f"the head of space {head.space_id} is not the one that was signed; no receipt was given",
                hint="run `affidavit verify`, and restore from a backup made with `affidavit admin backup`",
            )

    def older_copies(self) -> tuple[str, ...]:
        """Copies that we made of this store before a migration: an erasure does not reach into them."""
        places = [Path(name) for name in self._store.files()[:1]]
        found = [path for place in places for path in place.parent.glob(f"{place.name}.before-schema-*")]
        return tuple(sorted(map(str, found)))


def _erasing(bodies: "Iterator[bytes]") -> list[dict[str, Any]]:
    """The entries of one erasure: the first, and those of the same instant right after it."""
    found: list[dict[str, Any]] = []
    for body in bodies:
        try:
            entry: dict[str, Any] = dict(parse_entry(body))
            check_entry(entry)
        except (EntryError, ReplayError):
            break
        if entry["op"] not in {"Erased", "SpaceErased"} or (found and entry["at"] != found[0]["at"]):
            break
        found.append(entry)
    return found
