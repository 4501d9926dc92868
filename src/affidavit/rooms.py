"""The house behind `Memory`: opens the store, and each room when it is first needed.

Rooms are imported late, so that `import affidavit` and commands that need little start at once.
"""

import os
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.core.access import Caller
from affidavit.core.ids import RANDOM_BYTES
from affidavit.errors import AffidavitError, EmbedderError, KeyStoreError, MessageError, StorePlaceError

if TYPE_CHECKING:
    from affidavit.admin import Admin
    from affidavit.answer.answerer import Answerer
    from affidavit.answer.results import Answer
    from affidavit.config import Config
    from affidavit.privacy.clean import Cleaner
    from affidavit.privacy.erase import Eraser
    from affidavit.privacy.receipt import Receipt
    from affidavit.proof.keys import KeyRing, Keyring
    from affidavit.proof.statements import Signing
    from affidavit.proof.verify import VerifyResult
    from affidavit.providers.embedder import Embedder
    from affidavit.read.reading import Reading
    from affidavit.read.tokens import Tokenizer
    from affidavit.store.protocol import Clock
    from affidavit.write.derive import Deriver
    from affidavit.write.messages import Skipped
    from affidavit.write.record import Incoming, Recorder
    from affidavit.write.repeats import Refused
    from affidavit.write.results import AddResult

_CATCH_UP = 256
"""How many older episodes one `add` embeds along with its own, where they still wait."""
_SEAL_EVERY_US = 600_000_000
"""Ten minutes: how long a process writes on without a seal."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """UTC microseconds since 1970."""
        import time

        return time.time_ns() // 1000


def _path(db: object) -> Path:
    """The file of a store. Raises `StorePlaceError` for what is no path."""
    from affidavit.config import is_address

    place = os.fspath(db) if isinstance(db, str | os.PathLike) else db
    if not isinstance(place, str):
        raise StorePlaceError(f"db is a {type(db).__name__}, not a path", hint="give the path of a file")
    if is_address(place):
        raise StorePlaceError(
            f"{place.partition('://')[0]} is not a place for a store",
            hint="give the path of a file on this machine",
        )
    return Path(place)


class Rooms:
    """What `Memory` delegates to."""

    def __init__(
        self,
        db: str | os.PathLike[str] | None,
        *,
        embedder: "Embedder | None",
        tokenizer: "Tokenizer | None" = None,
        config: "Config | None",
        clock: "Clock | None",
    ) -> None:
        from affidavit.config import Config
        from affidavit.store.sqlite.store import SqliteStore

        self.config = config or Config.load()
        self.clock: Clock = clock or SystemClock()
        self.entropy = os.urandom
        self._given_embedder = embedder
        self._tokenizer = tokenizer
        self._embedder_lock = threading.Lock()
        self.store: SqliteStore = SqliteStore(
            _path(self.config.database if db is None else db),
            keys=self.keys_of,
            clock=self.clock,
            entropy=self.entropy,
            durability=self.config.durability,
            signing=self.config.signing,
            busy_timeout_s=self.config.busy_timeout_s,
        )
        self._sealed_at = self.clock.now()
        if self.store.is_new:
            # From its first moment on the key folder knows the store and where it lies.
            self._seal()

    # -- ports

    def keys_of(self, store_id: str) -> "KeyRing":
        """The key ring of one store, in the key folder outside the database."""
        from affidavit.proof.keys import KeyRing

        return KeyRing(self.config.key_dir / store_id, keyring=self._keyring)

    @cached_property
    def _keyring(self) -> "Keyring | None":
        if not self.config.keyring:
            return None
        try:
            import keyring
        except ImportError as error:
            raise KeyStoreError(
                "the keyring is not installed", hint="pip install 'affidavit[keyring]'"
            ) from error
        found: Keyring = keyring
        return found

    @cached_property
    def keys(self) -> "KeyRing":
        """This store's key ring."""
        return self.keys_of(self.store.store_id)

    @cached_property
    def _found_embedder(self) -> "Embedder | None":
        if self._given_embedder is not None:
            return self._given_embedder
        if self.config.embedder == "none":
            return None
        from affidavit.providers.embedder import find_embedder

        found = find_embedder()
        if found is None and self.config.embedder != "auto":
            raise EmbedderError(
                f"the embedder {self.config.embedder!r} is not installed",
                hint="pip install 'affidavit[embed]'",
            )
        return found

    def embedder(self) -> "Embedder | None":
        """The embedder in use, found once."""
        with self._embedder_lock:
            return self._found_embedder

    # -- rooms

    @cached_property
    def _recorder(self) -> "Recorder":
        from affidavit.write.record import Recorder

        return Recorder(
            self.store,
            clock=self.clock,
            marks=self.keys.tombstones(self.store.store_id),
            own_names=self.config.own_names,
            embeds=self.embedder() is not None,
        )

    @cached_property
    def deriver(self) -> "Deriver":
        """Makes memories of what waits."""
        from affidavit.text.relations import RELATIONS
        from affidavit.write.derive import Deriver
        from affidavit.write.extract import Frames

        return Deriver(self.store, Frames(RELATIONS), relations=RELATIONS, own_names=self.config.own_names)

    @cached_property
    def reading(self) -> "Reading":
        """The room in which is read."""
        from affidavit.read.reading import Reading

        return Reading(
            self.store,
            embedder=self.embedder,
            tokenizer=self._tokenizer,
            clock=self.clock,
            entropy=self.entropy,
            index_budget_mb=self.config.index_budget_mb,
            keep_queries=self.config.keep_queries,
        )

    @cached_property
    def _answerer(self) -> "Answerer":
        from affidavit.answer.answerer import Answerer

        return Answerer(
            self.store,
            self.reading.searcher,
            clock=self.clock,
            entropy=self.entropy,
            own_names=self.config.own_names,
            keep_queries=self.config.keep_queries,
        )

    @cached_property
    def _eraser(self) -> "Eraser":
        from affidavit.privacy.erase import Eraser

        return Eraser(
            self.store,
            marks=self.keys.tombstones(self.store.store_id),
            signing=self.signing,
            cleaner=self.cleaner,
            clock=self.clock,
            drop_index=self.reading.drop,
        )

    @cached_property
    def cleaner(self) -> "Cleaner":
        """Cleans this store's files after an erasure."""
        from affidavit.privacy.clean import Cleaner

        return Cleaner(self.store, marks=self.keys.tombstones(self.store.store_id), clock=self.clock)

    def signing(self) -> "Signing":
        """Signs statements with this store's key, if it is here."""
        from affidavit.proof.statements import Signing

        return Signing(
            store_id=self.store.store_id, signer=self.keys.signer(), keys=tuple(self.keys.public_keys())
        )

    @cached_property
    def admin(self) -> "Admin":
        """See `Memory.admin`."""
        from affidavit.admin import Admin

        return Admin(self)

    # -- verbs

    def add(
        self,
        messages: object,
        document: object,
        ids: tuple[object, ...],
        *,
        origin: Mapping[str, Any],
        dry_run: bool,
    ) -> "AddResult":
        """See `Memory.add`."""
        from affidavit.write.intake import Origin, from_document, from_messages

        caller = Caller.of(*ids)
        said = Origin.of(**origin)
        if (messages is None) == (document is None):
            raise MessageError(
                "there is nothing to remember, or two things at once", hint="give messages or document=…"
            )
        skipped: list[Skipped] = []
        if document is not None:
            incoming = from_document(document, said, self.clock.now(), self.entropy(RANDOM_BYTES))
        else:
            incoming, skipped = from_messages(messages, said)
        return self.record(caller, incoming, skipped, dry_run=dry_run)

    def record(
        self,
        caller: Caller,
        incoming: "Sequence[Incoming]",
        skipped: "Sequence[Skipped]" = (),
        *,
        dry_run: bool = False,
        refused: "list[Refused] | None" = None,
    ) -> "AddResult":
        """Record messages that each have a source of their own, as an import does; then embed them.

        See `Recorder.record`.
        """
        result = self._recorder.record(caller, incoming, skipped, dry_run=dry_run, refused=refused)
        if dry_run:
            return result
        self._seal_if_due()
        return self._embed_new(self._derive_new(caller, result))

    def _derive_new(self, caller: Caller, result: "AddResult") -> "AddResult":
        """Make memories of the new episodes; a failure is told in the result, as the episodes are safe."""
        from dataclasses import replace

        waiting = result.pending.get("extract", 0)
        if not waiting or result.space_id is None:
            return result
        try:
            done = self.deriver.waiting(result.space_id, caller.owner, limit=waiting + _CATCH_UP)
        except AffidavitError as error:
            problem = (
                f"nothing derived: {error.what}; the episodes are safe, `affidavit admin derive` goes on"
            )
            return replace(result, problems=(*result.problems, problem))
        return replace(
            result,
            added=tuple(done.added),
            updated=tuple(done.updated),
            supported=tuple(done.supported),
            retracted=tuple(done.retracted),
            conflicts=tuple(done.conflicts),
            rejected=tuple(done.rejected),
            pending={kind: n for kind, n in result.pending.items() if kind != "extract"},
        )

    def _seal_if_due(self) -> None:
        """A process that never closes seals now and then, so that an older copy of the file is noticed."""
        if self.clock.now() - self._sealed_at >= _SEAL_EVERY_US:
            self._seal()

    def _seal(self) -> None:
        from affidavit.proof.seal import seal_on_close

        self._sealed_at = self.clock.now()
        seal_on_close(self.store, self.keys)

    def _embed_new(self, result: "AddResult") -> "AddResult":
        """Give the new episodes their vectors; a failure is told in the result, as the episodes are safe."""
        from dataclasses import replace

        from affidavit.write.embed import embed_waiting

        embedder = self.embedder()
        waiting = result.pending.get("embed", 0)
        if embedder is None or not waiting or result.space_id is None:
            return result
        try:
            embed_waiting(self.store, result.space_id, embedder, limit=waiting + _CATCH_UP)
        except AffidavitError as error:
            problem = f"not embedded: {error.what}; the episodes are safe, `affidavit admin embed` goes on"
            return replace(result, problems=(*result.problems, problem))
        return replace(result, pending={kind: n for kind, n in result.pending.items() if kind != "embed"})

    def answer(
        self, question: str, ids: tuple[object, ...], *, as_of: object, known_at: object, record: bool
    ) -> "Answer":
        """See `Memory.answer`."""
        from affidavit.read.question import Question

        asked = Question.of(question, as_of=as_of, known_at=known_at, granularity="dual")
        return self._answerer.answer(Caller.of(*ids), asked, record=record)

    def forget(self, ids: tuple[object, ...], *, what: Mapping[str, Any], dry_run: bool = False) -> "Receipt":
        """See `Memory.forget`."""
        from affidavit.privacy.erasure import Erasure

        receipt = self._eraser.forget(Caller.of(*ids), Erasure.of(**what), dry_run=dry_run)
        if not dry_run:
            self._seal()  # so that an older copy, with what was erased in it, is noticed from now on
        return receipt

    def reset(self) -> "Sequence[Receipt]":
        """See `Memory.reset`."""
        receipts = self._eraser.reset()
        self._seal()
        return receipts

    def verify(self, since: Mapping[str, Any] | None) -> "VerifyResult":
        """See `Memory.verify`."""
        from affidavit.proof.verify import verify_store

        return verify_store(self.store, self.keys, since=since)

    def close(self) -> None:
        """See `Memory.close`."""
        self._seal()
        self.store.close()
