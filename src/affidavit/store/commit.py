"""From changes to entries: the part of a commit that is the same for every database."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affidavit.core.changes import Change, SpaceErased
from affidavit.core.values import Head
from affidavit.core.when import rfc3339
from affidavit.errors import StoreUnreadableError
from affidavit.ledger.encoding import BLIND_BYTES, FORMAT, commitment, entry_bytes
from affidavit.ledger.note import Checkpoint, sign_checkpoint
from affidavit.ledger.tree import Frontier, leaf_hash

if TYPE_CHECKING:
    from affidavit.ledger.note import Signer
    from affidavit.store.protocol import Entropy


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Entries as they will stand: bodies in order, the blind of each (or None), the head after them."""

    bodies: tuple[bytes, ...]
    blinds: tuple[bytes | None, ...]
    size: int
    root: bytes
    frontier: bytes


def origin_of(store_id: str, space_id: str) -> str:
    """The first line of a space's signed head: which log of which store it is about."""
    return f"{FORMAT.partition('/')[0]}/{store_id}/{space_id}"


def write_entries(changes: Sequence[Change], at: int, entropy: "Entropy", head: Head | None) -> Written:
    """Entries for `changes` after `head` (None: a log's first), all made at the instant `at`."""
    frontier = _frontier(head) if head else Frontier.empty()
    before = frontier
    stamp = rfc3339(at)
    bodies: list[bytes] = []
    blinds: list[bytes | None] = []
    for change in changes:
        fields = {"v": FORMAT, "op": change.op, "at": stamp, **change.fields()}
        committed = change.committed()
        blind = None
        if committed is not None:
            blind = entropy(BLIND_BYTES)
            fields["commit"] = commitment(blind, committed.kind, committed.values).hex()
        body = entry_bytes(fields)
        before = frontier
        frontier = frontier.append(leaf_hash(body))
        bodies.append(body)
        blinds.append(blind)
    # Of an erased space only the last entry stays: with the peaks before it, the signed root can still be checked.
    kept = before if isinstance(changes[-1], SpaceErased) else frontier
    return Written(
        bodies=tuple(bodies),
        blinds=tuple(blinds),
        size=frontier.size,
        root=frontier.root(),
        frontier=kept.to_bytes(),
    )


def _frontier(head: Head) -> Frontier:
    try:
        frontier = Frontier.from_bytes(head.size, head.frontier)
    except (ValueError, TypeError) as error:
        raise _damaged(head, str(error)) from error
    if frontier.root() != head.root:
        raise _damaged(head, "its root is not that of its peaks")
    return frontier


def _damaged(head: Head, why: str) -> StoreUnreadableError:
    return StoreUnreadableError(
        f"the head of space {head.space_id} is damaged ({why}); nothing was written",
        hint="run `affidavit verify`, and restore from a backup made with `affidavit admin backup`",
    )


def sign_head(signer: "Signer", store_id: str, space_id: str, size: int, root: bytes) -> str:
    """The signed note of a head."""
    return sign_checkpoint(Checkpoint(origin=origin_of(store_id, space_id), size=size, root=root), [signer])
