"""The house behind `Memory`: opens the store, and each room when it is first needed.

Rooms are imported late, so that `import affidavit` and commands that need little start at once.
"""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.core.access import Caller
from affidavit.core.addresses import is_address, is_postgresql
from affidavit.errors import ConfigError, KeyStoreError, StorePlaceError

if TYPE_CHECKING:
    from affidavit.admin import Admin
    from affidavit.answer.answering import Answering
    from affidavit.config import Config
    from affidavit.privacy.clean import Cleaner
    from affidavit.privacy.erase import Eraser
    from affidavit.privacy.receipt import Receipt
    from affidavit.proof.keys import KeyRing, Keyring
    from affidavit.proof.statements import Signing
    from affidavit.proof.verify import VerifyResult
    from affidavit.providers.embedder import Embedder
    from affidavit.providers.language_model import Answering as Callable
    from affidavit.providers.language_model import LanguageModel
    from affidavit.read.reading import Reading
    from affidavit.read.tokens import Tokenizer
    from affidavit.store.postgres.store import PostgresStore
    from affidavit.store.protocol import Clock, Entropy
    from affidavit.store.sql.copying import CopiedRows
    from affidavit.store.sqlite.store import SqliteStore
    from affidavit.text.lang.relations import Relation
    from affidavit.write.writing import Writing

_SEAL_EVERY_US = 600_000_000
"""Ten minutes: how long a process writes on without a seal."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """UTC microseconds since 1970."""
        import time

        return time.time_ns() // 1000


def _postgres() -> "type[PostgresStore]":
    """The store in PostgreSQL. Raises `StorePlaceError` where its driver is not installed."""
    try:
        from affidavit.store.postgres.store import PostgresStore
    except ModuleNotFoundError as error:
        raise StorePlaceError(
            f"a store in PostgreSQL needs {error.name}", hint="install it: pip install 'affidavit[postgres]'"
        ) from error
    return PostgresStore


def is_begun(address: str) -> bool:
    """Whether there is a store in the database at an address. Raises `StorePlaceError` where none is reached."""
    return _postgres().is_begun(address)


def _path(db: object) -> Path:
    """The file of a store. Raises `StorePlaceError` for what is no path."""
    place = os.fspath(db) if isinstance(db, str | os.PathLike) else db
    if not isinstance(place, str):
        raise StorePlaceError(f"db is a {type(db).__name__}, not a path", hint="give the path of a file")
    if is_address(place):
        raise StorePlaceError(
            f"{place.partition('://')[0]} is not a place for a store",
            hint="give the path of a file on this machine, or an address postgresql://…",
        )
    return Path(place)


def _embedder_of(given: "Embedder | None") -> "Embedder | None":
    """What was given as an embedder. Raises `ConfigError` for anything else, before a store is opened."""
    if given is not None:
        from affidavit.providers.embedder import Embedder

        if not isinstance(given, Embedder):
            raise ConfigError(
                f"embedder is a {type(given).__name__}",
                hint="give an Embedder (name, dimensions, embed), or a name like none or ollama:nomic-embed-text",
            )
    return given


class Rooms:
    """What `Memory` delegates to."""

    def __init__(
        self,
        db: str | os.PathLike[str] | None,
        *,
        llm: "LanguageModel | Callable | str | None" = None,
        embedder: "Embedder | str | None",
        tokenizer: "Tokenizer | None" = None,
        config: "Config | None",
        clock: "Clock | None",
        entropy: "Entropy" = os.urandom,
        tools: "Mapping[str, Mapping[str, object]] | str | os.PathLike[str] | None" = None,
    ) -> None:
        from affidavit.config import Config

        self.config = config or Config.load()
        if isinstance(embedder, str):
            self.config, embedder = replace(self.config, embedder=embedder), None
        self._tools = tools
        self.clock: Clock = clock or SystemClock()
        self.entropy = entropy
        self._given_llm = llm
        self._given_embedder = _embedder_of(embedder)
        self._tokenizer = tokenizer
        self._embedder_lock = threading.Lock()
        self.store = self._opened(self.config.database if db is None else db)
        self._sealed_at = self.clock.now()
        if tools is not None:
            _ = self.answering.registry  # one that can't be read is told at once
        if self.store.is_new:
            # From its first moment on the key folder knows the store and where it lies.
            self._seal()

    def _opened(self, db: object, *, receiving: str | None = None) -> "SqliteStore | PostgresStore":
        """The store at a place: a file, or a database at an address. `receiving`: a copy of the store of that id."""
        if isinstance(db, str) and is_postgresql(db):
            return _postgres()(
                db,
                keys=self.keys_of,
                clock=self.clock,
                entropy=self.entropy,
                signing=self.config.signing,
                busy_timeout_s=self.config.busy_timeout_s,
                receiving=receiving,
            )
        from affidavit.store.sqlite.store import SqliteStore

        return SqliteStore(
            _path(db),
            keys=self.keys_of,
            clock=self.clock,
            entropy=self.entropy,
            durability=self.config.durability,
            signing=self.config.signing,
            busy_timeout_s=self.config.busy_timeout_s,
            receiving=receiving,
        )

    @contextmanager
    def copied_to(self, db: object) -> "Iterator[tuple[CopiedRows, SqliteStore | PostgresStore]]":
        """A copy of this store at another place, which is whole when the block ends without an error."""
        from affidavit.store.sql.copying import copy_spaces, finish_copy

        target = self._opened(db, receiving=self.store.store_id)
        try:
            rows = copy_spaces(self.store, target)
            yield rows, target
            finish_copy(target)
        finally:
            target.close()

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
        from affidavit.providers.finding import embedder_of

        config = self.config
        return embedder_of(config.embedder, url=config.embedder_url, timeout_s=config.embedder_timeout_s)

    def embedder(self) -> "Embedder | None":
        """The embedder in use, found once."""
        with self._embedder_lock:
            return self._found_embedder

    @cached_property
    def language_model(self) -> "LanguageModel | None":
        """The language model in use. Nothing of one is imported, and none is reached, unless it was asked for."""
        given = self.config.llm if self._given_llm is None else self._given_llm
        if given is None or given == "none":
            return None
        from affidavit.providers.finding import language_model

        return language_model(
            given,
            url=self.config.llm_url,
            timeout_s=self.config.llm_timeout_s,
            tries=self.config.llm_tries,
            temperature=self.config.llm_temperature,
        )

    @cached_property
    def relations(self) -> "Mapping[str, Relation]":
        """What can be said of somebody: one table for every room."""
        from affidavit.text.lang.relations import RELATIONS, with_relations

        return with_relations(self.config.relations) if self.config.relations else RELATIONS

    # -- rooms

    @cached_property
    def writing(self) -> "Writing":
        """The room in which is written."""
        from affidavit.write.writing import Writing

        return Writing(
            self.store,
            marks=self.keys.tombstones(self.store.store_id),
            own_names=self.config.own_names,
            relations=self.relations,
            model=self.language_model,
            embedder=self.embedder,
            clock=self.clock,
            entropy=self.entropy,
            written=self._seal_if_due,
        )

    @cached_property
    def reading(self) -> "Reading":
        """The room in which is read."""
        from affidavit.read.reading import Reading

        return Reading(
            self.store,
            model=self.language_model,
            embedder=self.embedder,
            tokenizer=self._tokenizer,
            clock=self.clock,
            entropy=self.entropy,
            relations=self.relations,
            index_budget_mb=self.config.index_budget_mb,
            keep_queries=self.config.keep_queries,
        )

    @cached_property
    def answering(self) -> "Answering":
        """The room in which is answered."""
        from affidavit.answer.answering import Answering

        return Answering(
            self.store,
            self.reading,
            model=self.language_model,
            tools=self.config.tools if self._tools is None else self._tools,
            own_names=self.config.own_names,
            relations=self.relations,
            clock=self.clock,
            entropy=self.entropy,
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
            relations=self.relations,
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

    def _seal_if_due(self) -> None:
        """A process that never closes seals now and then, so that an older copy of the file is noticed."""
        if self.clock.now() - self._sealed_at >= _SEAL_EVERY_US:
            self._seal()

    def _seal(self) -> None:
        from affidavit.proof.seal import seal_on_close

        self._sealed_at = self.clock.now()
        seal_on_close(self.store, self.keys)

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
