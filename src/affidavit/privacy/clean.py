"""Physical cleaning: what was erased leaves the write-ahead log and every free corner of the file.

Deleted cells are overwritten as they go (`secure_delete`); then the log is emptied into the file and cut; then the
files are scanned for what was erased. Only if something is found is the whole file rewritten.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from affidavit.core.when import rfc3339
from affidavit.errors import KeyStoreError, StoreError
from affidavit.privacy.receipt import Receipt, SpaceDone, signed
from affidavit.privacy.scan import find_residue
from affidavit.proof.erasures import logged_erasure
from affidavit.store.protocol import Clock, Job, Selection, Store

if TYPE_CHECKING:
    from affidavit.proof.statements import Signing

SCAN_BYTES = 256 * 1024 * 1024
"""Larger files are not scanned while the caller waits: they are rewritten, which leaves nothing either."""
JOB = "clean"


class Marks(Protocol):
    """Keeps what was erased from coming back under the same id."""

    def bury(self, space_id: str, values: Sequence[str]) -> None:
        """Mark ids of a space as erased."""
        ...

    def is_buried(self, space_id: str, value: str) -> bool:
        """Whether an id of a space was marked."""
        ...

    def drop_space(self, space_id: str) -> None:
        """Remove every mark of a space."""
        ...


class Cleaner:
    """Cleans the files of one store."""

    def __init__(self, store: Store, *, marks: Marks, clock: Clock) -> None:
        self._store = store
        self._marks = marks
        self._clock = clock

    @property
    def has_files(self) -> bool:
        """Whether there are files of ours to clean. A server's are its own: there an erasure ends with the rows."""
        return bool(self._store.files())

    def clean(self, gone: Sequence[bytes] | None) -> bool:
        """Make the files free of `gone` (None: of whatever was ever erased); False where that can't be done now.

        The rows are gone already, so nothing here may fail: a busy or full disk leaves the job for later.
        """
        try:
            self._drop_marks()
            return self.has_files and self._clean(gone)
        except (StoreError, KeyStoreError, FileNotFoundError):
            return False  # a log may vanish while we look: others close the store

    def _drop_marks(self) -> None:
        """Of a whole space not even its marks stay, also where its erasure was killed before they were dropped."""
        with self._store.snapshot() as reads:
            jobs = reads.jobs(kind=JOB)
            erased = [logged_erasure(reads, job.space_id, str(job.target)) for job in jobs]
        for space_id in {found.head.space_id for found in erased if found is not None and found.whole}:
            self._marks.drop_space(space_id)

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
        """The texts and bytes of all rows that are still there: what stands in them is no residue."""
        with self._store.snapshot() as reads:
            for head in reads.heads():
                yield (head.name or "").encode()
                yield from (who.encode() for who in reads.actors(head.space_id).values())
                yield from (body for _, body in reads.entries(head.space_id))
                yield from (text.encode() for text in reads.gate_texts(head.space_id))
                for stored in reads.select(head.space_id, Selection()):
                    yield from _bytes_in(stored.row)
                # Two who say the same have the same vector.
                yield from (stored.vector for stored in reads.vectors(head.space_id))
                for item in reads.all_items(head.space_id):
                    yield from _bytes_in(item.row)
                for conflict in reads.conflicts(head.space_id, open_only=False):
                    yield conflict.subject.encode()
                yield from (source_id.encode() for source_id in reads.revoked_sources(head.space_id))

    def done(self, erasures: Sequence[tuple[str, int]]) -> None:
        """Drop the jobs of these erasures (space, first entry), which are clean."""
        with suppress(StoreError):  # a job too many is done once more
            self._store.drop_jobs(Job(space_id, JOB, str(first), 0) for space_id, first in erasures)

    def finish(self, signing: "Callable[[], Signing]") -> list[Receipt]:
        """Do the cleaning that was left; a receipt for each erasure, with `physical_at`. Empty while others read.

        In a server the room of dead rows is given back; `physical_at` stays None, since only its operator knows.
        """
        with self._store.snapshot() as reads:
            jobs = reads.jobs(kind=JOB)
        clean = bool(jobs) and self.clean(None)
        if not self.has_files:
            self._store.compact()
        elif not clean:
            return []
        now = self._clock.now()
        given = signing()
        receipts = []
        for job in jobs:
            with self._store.snapshot() as reads:
                erasure = logged_erasure(reads, job.space_id, str(job.target))
            if erasure is None:
                continue  # no erasure of ours: there is nothing to state
            if self._store.signs_commits:
                given.check_signed(erasure.head)
            done = [SpaceDone(erasure.head, erasure.episodes, erasure.versions, erasure.whole)]
            receipts.append(
                Receipt(
                    episodes=erasure.episodes,
                    versions=erasure.versions,
                    erased_at=rfc3339(erasure.at),
                    physical_at=rfc3339(now) if clean else None,
                    spaces=signed(given, done, erasure.at, now if clean else None),
                    not_reached=self.beyond_reach(),
                )
            )
        self._store.drop_jobs(jobs)
        self._store.truncate_log()
        return receipts

    def beyond_reach(self) -> tuple[str, ...]:
        """What an erasure does not reach into."""
        return self._store.beyond_reach()


def _bytes_in(row: Iterable[object]) -> Iterator[bytes]:
    """The texts and bytes of a row. Quotes are parts of texts of episodes, and need no look of their own."""
    for value in row:
        if isinstance(value, str | bytes):
            yield value.encode() if isinstance(value, str) else value
