"""What a store itself says of its keys: which one signs it now, and which ones were replaced."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from affidavit.core.ids import DIRECTORY_ID
from affidavit.ledger.note import NoteError, PublicKey, verify_note
from affidavit.ledger.rotation import rotation_message
from affidavit.store.keys import rotations
from affidavit.store.protocol import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """A `KeyRotated`. `signed`: by the new key, and by the old one if it is said to have signed (`by_old`)."""

    old: PublicKey | None
    new: PublicKey
    by_old: bool
    signed: bool

    @classmethod
    def read(cls, store_id: str, entry: Mapping[str, Any]) -> "Handover":
        """The handover that an entry tells of. Raises `ValueError` for what is none."""
        old = None if entry["old"] is None else PublicKey.parse(entry["old"])
        new = PublicKey.parse(entry["new"])
        message = rotation_message(store_id, old, new)
        by_old = None if entry["by_old"] is None else bytes.fromhex(entry["by_old"])
        signed = new.verify(message, bytes.fromhex(entry["by_new"]))
        if by_old is not None:
            signed = signed and old is not None and old.verify(message, by_old)
        return cls(old=old, new=new, by_old=by_old is not None, signed=signed)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHistory:
    """The handovers in the log that are signed as they say, and the newest signed heads of the directory."""

    handovers: tuple[Handover, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, store: Store) -> "KeyHistory":
        """What this store says."""
        with store.snapshot() as reads:
            head = reads.head(DIRECTORY_ID)
            notes = [head.note if head else None, *(note for _, note in reads.seals()[-1:])]
            entries = rotations(reads)
        found = []
        for entry in entries:
            try:
                found.append(Handover.read(store.store_id, entry))
            except (KeyError, TypeError, ValueError):
                continue  # verify names it
        return cls(
            handovers=tuple(handover for handover in found if handover.signed),
            notes=tuple(note for note in notes if note is not None),
        )

    @property
    def replaced(self) -> set[PublicKey]:
        """The keys that another took over from; they sign nothing new."""
        return {handover.old for handover in self.handovers if handover.old is not None}

    def in_force(self, known: Iterable[PublicKey]) -> PublicKey | None:
        """The key that signed last, if it is one of `known` or named in the log; else None."""
        candidates = dict.fromkeys([*known, *(handover.new for handover in self.handovers)])
        for note in self.notes:
            try:
                return verify_note(note, candidates).keys[0]
            except NoteError:
                continue
        return None

    def leads(self, known: Iterable[PublicKey], to: PublicKey) -> bool:
        """Whether a key of `known` handed over to `to`, directly or by others, each with its signature."""
        reached = set(known)
        for handover in self.handovers:
            if handover.by_old and handover.old in reached:
                reached.add(handover.new)
        return to in reached
