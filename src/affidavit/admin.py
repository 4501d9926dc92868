"""`memory.admin`: what an operator does with a store."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.core.access import Caller
from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.jsonable import Result
from affidavit.core.values import Head
from affidavit.errors import EmbedderError, InputError, KeyStoreError, NotFoundError, StoreUnreadableError
from affidavit.store.place import place_named, reserved

if TYPE_CHECKING:
    from affidavit.privacy.receipt import Receipt
    from affidavit.proof.verify import VerifyResult
    from affidavit.rooms import Rooms
    from affidavit.write.maintain import Maintained


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection(Result):
    """What a store holds, in numbers. `spaces` counts living spaces by kind, `relations` versions by relation."""

    path: str
    store_id: str
    schema: int
    bytes: int
    read_only: bool
    spaces: dict[str, int]
    erased_spaces: int
    rows: dict[str, int]
    relations: dict[str, int]
    waiting: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied(Result):
    """A copied store: how many logs (the directory's too) and rows now, the entries in all, how it verifies."""

    path: str
    store_id: str
    spaces: int
    rows: int
    entries: int
    level: int


class Admin:
    """Operator's verbs of one store."""

    def __init__(self, rooms: "Rooms") -> None:
        self._rooms = rooms

    def seal(self) -> str | None:
        """List the spaces changed since the last seal in the directory and sign it; the signed note.

        The first seal of a store that is signed at seals only makes its key. A process that holds none
        (`signing = "later"`) can't seal: the result is None.
        """
        from affidavit.proof.seal import seal

        if self._rooms.config.signing == "local" and self._never_signed():
            self._rooms.keys.create()
        return seal(self._rooms.store, self._rooms.keys)

    def _never_signed(self) -> bool:
        with self._rooms.store.snapshot() as reads:
            directory = reads.head(DIRECTORY_ID)
        return directory is not None and directory.note is None

    def backup(self, path: str | os.PathLike[str]) -> Path:
        """A sealed, consistent copy of the whole store at `path`, which must not exist yet.

        Raises `InputError` where no new file can be made there, `StoreFullError` where it finds no room; what
        was begun is then removed.
        """
        target = _file(path)
        with reserved(target):
            if not self._rooms.store.read_only:
                # Without the key a copy is worth all the more.
                with suppress(KeyStoreError):
                    self.seal()
            self._rooms.store.backup(str(target))
        return target

    def copy(self, to: str | os.PathLike[str]) -> Copied:
        """Copy the whole store into a new file or an empty database (an address): ledger, proofs and all.

        It stays the same store, signed by the same keys, and belongs at the new place from then on: what goes on
        writing at the old one makes a second history, which `verify` tells. One that was cut short goes on where it
        was when it is run again; until it is whole nobody can open it. It is verified before it is.
        Raises `InputError` where there is a store already, `ConflictError` where this one is written meanwhile, and
        `StoreUnreadableError` where it does not verify.
        """
        from affidavit.proof.verify import verify_store

        rooms = self._rooms
        if not rooms.store.read_only:
            with suppress(KeyStoreError):
                self.seal()
        result = verify_store(rooms.store, rooms.keys)
        _must_verify(result, rooms.store.place)
        with rooms.copied_to(to) as (rows, target):
            _must_verify(verify_store(target, rooms.keys), target.place)
        rooms.keys.lies_at(target.place, rooms.store.store_id)
        return Copied(
            path=target.place, store_id=rooms.store.store_id, spaces=rows.spaces, rows=rows.rows,
            entries=result.size, level=result.level,
        )  # fmt: skip

    def inspect(self) -> Inspection:
        """What the store holds, in numbers."""
        store = self._rooms.store
        counts = store.counts()
        return Inspection(
            path=store.place,
            store_id=store.store_id,
            schema=counts.schema,
            bytes=store.size(),
            read_only=store.read_only,
            spaces=counts.spaces,
            erased_spaces=counts.erased_spaces,
            rows=counts.rows,
            relations=counts.relations,
            waiting=counts.waiting,
        )

    def clean(self) -> "list[Receipt]":
        """Finish erasures whose bytes could not be removed while others were reading; their receipts anew."""
        return self._rooms.cleaner.finish(self._rooms.signing)

    def rotate_key(self, *, lost: bool = False) -> str:
        """Replace the key that signs this store; the new public key, for whoever checks the store from elsewhere.

        The old one goes on vouching for what it signed, unless it is `lost` (or in wrong hands). Raises
        `KeyLostError` where it is not here and not said to be lost.
        """
        from affidavit.proof.rotate import rotate_key

        return rotate_key(self._rooms.store, self._rooms.keys, lost=lost).to_text()

    def export_keys(self, path: str | os.PathLike[str]) -> None:
        """Write all keys of this store to a new file, NOT encrypted: to keep in a safe place, or for another machine.

        An export from before a rotation is of no use after it. Raises `KeyLostError` where the key is not here.
        """
        from affidavit.proof.key_export import export_keys

        export_keys(self._rooms.store, self._rooms.keys, _file(path))

    def import_keys(self, path: str | os.PathLike[str]) -> str:
        """Bring the keys of this store back from an export; the public key that signs from here on.

        It goes in over older keys of the same store. Raises `FileFormatError` for what is no export, and
        `KeyStoreError`s for one that is damaged, exposed, older than the key that signs now, or another store's;
        nothing has changed then.
        """
        from affidavit.proof.key_export import import_keys

        return import_keys(self._rooms.store, self._rooms.keys, _file(path)).to_text()

    def accept_copy(self) -> str | None:
        """Take the file as it stands for the right one, after a restore from a backup or a move; the new seal's note.

        `verify` then compares with this state. What was sealed later and is not in the file is given up.
        """
        from affidavit.proof.seal import accept_copy

        return accept_copy(self._rooms.store, self._rooms.keys)

    def maintain(self) -> "Maintained":
        """Set down in the log what has lapsed by its age alone (plans, passing states). Nothing is deleted by ageing.

        Readers know without it; it makes the statuses say so, too.
        """
        return self._rooms.writing.maintain()

    def embed(
        self,
        *,
        user_id: str | int | None = None,
        agent_id: str | int | None = None,
        team_id: str | int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> int:
        """Give every episode that has none a vector of the embedder in use; how many got one.

        For the named space, or for all. Vectors of another embedder are replaced. Raises `EmbedderError`.
        """
        from affidavit.write.embed import embed_all, embed_waiting

        embedder = self._rooms.embedder()
        if embedder is None:
            raise EmbedderError("there is no embedder", hint="pip install 'affidavit[embed]'")
        store, done = self._rooms.store, 0
        for head in self._spaces((user_id, agent_id, team_id)):
            embed_all(store, head.space_id, embedder, self._rooms.clock.now())
            done += embed_waiting(store, head.space_id, embedder, progress=progress)
            self._rooms.reading.drop(head.space_id)
        return done

    def _spaces(self, ids: tuple[Any, ...]) -> list[Head]:
        with self._rooms.store.snapshot() as reads:
            if ids == (None, None, None):
                return [head for head in reads.heads() if head.name is not None]
            head = reads.find_space(Caller.of(*ids).owner)
        if head is None:
            raise NotFoundError("there is no such space", hint="look with `affidavit admin inspect`")
        return [head]


def _must_verify(result: "VerifyResult", place: str) -> None:
    # Until it is verified a copy says that it is not finished.
    problems = [problem for problem in result.problems if problem.where != "meta/copying"]
    if problems:
        first = problems[0]
        raise StoreUnreadableError(
            f"{place} does not verify ({first.code}, {first.where}: {first.detail}); it was not copied",
            hint="run `affidavit verify`, and copy a store that is in order",
        )


def _file(path: object) -> Path:
    """The path of a file that a caller names. Raises `InputError` for what is none."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"the path is a {type(path).__name__}", hint="name a file")
    return place_named(path)
