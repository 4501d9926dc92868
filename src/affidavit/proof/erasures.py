"""What the log says of an erasure. Jobs are in no log, so a receipt never rests on what stands in one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from affidavit.core.ids import EPISODE
from affidavit.core.replay import ReplayError, check_entry
from affidavit.core.values import Head
from affidavit.core.when import When
from affidavit.ledger.encoding import EntryError, parse_entry
from affidavit.store.protocol import Reads

_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedErasure:
    """One erasure: the space's head now, how many episodes went, whether all did, when (UTC microseconds).

    `versions` of memories that went with them: None where a whole space did, as its log does not count them.
    """

    head: Head
    episodes: int
    whole: bool
    at: int
    versions: int | None = None


def logged_erasure(reads: Reads, space_id: str, first: str) -> LoggedErasure | None:
    """The erasure whose first entry has the number `first`; None where the log has none there."""
    head = reads.head(space_id)
    if head is None or _NUMBER.fullmatch(first) is None:
        return None
    entries = _erasing(body for _, body in reads.entries(space_id, int(first)))
    if not entries:
        return None
    whole = entries[0]["op"] == "SpaceErased"
    targets = [target for entry in entries if not whole for target in entry["targets"]]
    return LoggedErasure(
        head=head,
        episodes=entries[0]["episodes"] if whole else sum(target.startswith(EPISODE) for target in targets),
        whole=whole,
        at=When.parse(entries[0]["at"]).start or 0,
        versions=None if whole else sum("@" in target and "#" not in target for target in targets),
    )


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
