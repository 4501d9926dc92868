"""The receipt of an erasure: a signed head with the erasure's facts, and nothing of what was erased.

It is a checkpoint (see `docs/spec/ledger-v1.md`) of the space's log after the erasure, with extension lines that
say what was done. Whoever holds the public key can check it; it shows that the holder of the key states it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from affidavit.core.jsonable import Result
from affidavit.core.when import rfc3339

if TYPE_CHECKING:
    from affidavit.core.values import Head
    from affidavit.proof.statements import Signing


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedSpace(Result):
    """What was erased in one space: how many episodes, whether all of it, and the log's head afterwards.

    `versions` of memories went with them, also those made anew of what is left. It is not part of what is signed;
    None where a whole space was erased and only its log is left to tell.
    """

    space_id: str
    episodes: int
    whole: bool
    size: int
    root: str
    versions: int | None = 0
    note: str | None = None
    """The signed receipt of this space; None where no key was at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Result):
    """What a `forget` did.

    `erased_at` is when the rows and their blinds went; `physical_at` when no byte of them was left in our files
    (None: other processes were still reading; `affidavit admin clean` finishes it and gives the receipt anew. Always
    None where the store lies in a server, whose files are not ours). `not_reached` names what may still hold it and was
    not touched: older copies of ours, by their paths; of a server its dead rows, its log, its replicas and backups.
    `versions` of memories went with the episodes. `also`: where a memory was named, the other memories that lost
    something with its episodes, or all.
    """

    episodes: int
    erased_at: str | None
    physical_at: str | None
    spaces: tuple[ErasedSpace, ...]
    not_reached: tuple[str, ...] = ()
    versions: int | None = 0
    also: tuple[str, ...] = ()
    dry_run: bool = False


def statement(*, episodes: int, whole: bool, erased_at: int, physical_at: int | None) -> tuple[str, ...]:
    """The extension lines of a receipt."""
    return (
        "receipt erasure",
        f"episodes {episodes}",
        f"scope {'space' if whole else 'episodes'}",
        f"erased_at {rfc3339(erased_at)}",
        f"physical_at {rfc3339(physical_at) if physical_at is not None else 'pending'}",
    )


class SpaceDone(NamedTuple):
    """The erasure in one space: the head after it, how much went, whether all did."""

    head: "Head"
    episodes: int
    versions: int | None
    whole: bool


def signed(
    signing: "Signing", done: Iterable[SpaceDone], erased_at: int, physical_at: int | None
) -> tuple[ErasedSpace, ...]:
    """The receipt of each space."""
    return tuple(
        ErasedSpace(
            space_id=one.head.space_id,
            episodes=one.episodes,
            versions=one.versions,
            whole=one.whole,
            size=one.head.size,
            root=one.head.root.hex(),
            note=signing.state(
                one.head,
                statement(
                    episodes=one.episodes, whole=one.whole, erased_at=erased_at, physical_at=physical_at
                ),
            ),
        )
        for one in done
    )
