"""One log: its entries in order, what they say, and whether their tree is the one its head tells of."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from affidavit.core.ids import DIRECTORY_ID
from affidavit.core.replay import Live, ReplayError, State, apply_entry
from affidavit.ledger.encoding import EntryError, parse_entry
from affidavit.ledger.tree import Frontier, leaf_hash
from affidavit.proof.verify_result import Code, Findings
from affidavit.proof.verify_since import Mark, primed
from affidavit.store.audit_reads import Audit


class RawHead(NamedTuple):
    """A row of `space`, its values of the right types (what was not is a problem, and stands in as empty)."""

    space_id: str
    kind: str
    name: str | None
    size: int
    root: bytes
    frontier: bytes
    note: str | None
    listed: int


@dataclass(slots=True)
class Log:
    """What was read of a log: what it says, and its tree at the sizes that somebody vouches for."""

    head: RawHead
    state: State
    start: int
    frontiers: dict[int, Frontier] = field(default_factory=dict)

    def root_at(self, size: int) -> bytes | None:
        """The root of the first `size` entries; None where it can't be known any more (or was not asked for)."""
        frontier = self.frontiers.get(size)
        return None if frontier is None else frontier.root()


def raw_heads(rows: Iterable[tuple[Any, ...]], findings: Findings) -> list[RawHead]:
    """The heads of all logs, whatever stands in the table."""
    return [_raw_head(row, findings) for row in rows]


def _raw_head(row: tuple[Any, ...], findings: Findings) -> RawHead:
    space_id, kind, name, size, root, frontier, note, listed = row
    where = f"{space_id}/head"
    if not isinstance(space_id, str):
        findings.add(Code.LABEL_MISMATCH, where, "the id is no text")
    if name is not None and not isinstance(name, str):
        findings.add(Code.CONTENT_MISMATCH, where, "the name is no text")
    if not isinstance(size, int) or size < 0:
        findings.add(Code.ROOT_MISMATCH, where, f"the size is {size!r}")
        size = -1
    if not isinstance(root, bytes) or not isinstance(frontier, bytes):
        findings.add(Code.ROOT_MISMATCH, where, "the root or the peaks are no bytes")
    if note is not None and not isinstance(note, str):
        findings.add(Code.SIG_INVALID, where, "the signed head is no text")
        note = None
    if not isinstance(listed, int):
        findings.add(Code.LABEL_MISMATCH, where, f"listed is {listed!r}")
        listed = -1
    return RawHead(
        space_id=str(space_id),
        kind=str(kind),
        name=name if isinstance(name, str) else None,
        size=size,
        root=root if isinstance(root, bytes) else b"",
        frontier=frontier if isinstance(frontier, bytes) else b"",
        note=note,
        listed=listed,
    )


def read_log(
    audit: Audit,
    head: RawHead,
    wanted: Iterable[int],
    mark: Mark | None,
    findings: Findings,
    *,
    before: State | None = None,
) -> Log:
    """Read the entries (after `mark`: the new ones), replay them, and hold their tree against the head.

    `wanted` are the sizes at which somebody vouches for a root; `before` what the directory said at the mark.
    """
    start = mark.size if mark else 0
    entries = audit.entries(head.space_id, start)
    if mark:
        state, entries = primed(audit, head.space_id, mark, entries, before)
        base = mark.frontier
    else:
        state, base = State(), Frontier.empty()
    leaves, base = _replay(entries, state, base, head, findings)
    log = Log(head=head, state=state, start=start)
    sizes = {*wanted, head.size - 1, head.size, base.size}
    log.frontiers = _fold(base, leaves, sizes)
    _check_head(log, base.size, base.size + len(leaves), mark, findings)
    return log


def _replay(
    entries: Iterator[tuple[Any, ...]], state: State, base: Frontier, head: RawHead, findings: Findings
) -> tuple[list[bytes], Frontier]:
    """Apply the entries to `state`; the hashes of the leaves, and the tree they are appended to."""
    space_id, expected, leaves = head.space_id, base.size, list[bytes]()
    for seq, body in entries:
        if type(body) is not bytes:
            findings.add(Code.LEAF_MISMATCH, f"{space_id}/entry/{seq}", "the entry is no bytes")
            body = b""  # noqa: PLW2901
        try:
            entry = parse_entry(body)
        except EntryError as error:
            findings.add(Code.LEAF_MISMATCH, f"{space_id}/entry/{seq}", str(error))
            entry = {}
        if seq != expected:
            last = seq == head.size - 1 and entry.get("op") == "SpaceErased"
            if last and not leaves:
                base = _before_erasure(head, findings)
                state.opened = state.opened or Live(seq=0, commit="", at="")
                state.space_id = state.space_id or space_id
            else:
                findings.add(Code.GAP, f"{space_id}/entry/{seq}", f"entry {expected} belongs here")
        expected = seq + 1 if type(seq) is int else expected + 1
        leaves.append(leaf_hash(body))
        if not entry:
            continue
        state.size = expected - 1
        try:
            apply_entry(state, entry)
        except ReplayError as error:
            findings.add(Code.ORPHAN_ENTRY, f"{space_id}/entry/{seq}", str(error))
    return leaves, base


def _before_erasure(head: RawHead, findings: Findings) -> Frontier:
    """The tree of an erased space's log before its last entry, from the peaks that were kept."""
    try:
        return Frontier.from_bytes(head.size - 1, head.frontier)
    except ValueError as error:
        findings.add(Code.ROOT_MISMATCH, f"{head.space_id}/head", f"peaks before the erasure: {error}")
        return Frontier.empty()


def _fold(base: Frontier, leaves: list[bytes], sizes: set[int]) -> dict[int, Frontier]:
    """The tree at each of these sizes that lies within `base` and `base` with all leaves."""
    found: dict[int, Frontier] = {}
    at = base
    for size in sorted(size for size in sizes if base.size <= size <= base.size + len(leaves)):
        at = at.extend(leaves[at.size - base.size : size - base.size])
        found[size] = at
    return found


def _check_head(log: Log, first: int, count: int, mark: Mark | None, findings: Findings) -> None:
    head, state = log.head, log.state
    where = f"{head.space_id}/head"
    if count < head.size:
        findings.add(Code.TRUNCATED, where, f"{head.size} entries by the head, {count} in the log")
    elif count > head.size >= 0:
        findings.add(Code.ROOT_MISMATCH, where, f"{head.size} entries by the head, {count} in the log")
    frontier = log.frontiers.get(head.size)
    if frontier is not None and frontier.root() != head.root:
        changed = mark is not None and first == mark.size
        code = Code.FORK if changed else Code.ROOT_MISMATCH
        findings.add(code, where, "the root is not that of the entries" + " after the mark" * changed)
    erased = state.space_erased or (mark is not None and mark.erased)
    kept = log.frontiers.get(head.size - 1) if erased else frontier
    if kept is not None and kept.to_bytes() != head.frontier:
        findings.add(Code.ROOT_MISMATCH, where, "the peaks are not those of the entries")
    if state.space_erased and count - first > 1 and first == 0:
        findings.add(Code.ORPHAN_ENTRY, where, "entries of an erased space are still there")
    is_directory = head.space_id == DIRECTORY_ID
    if state.opened is not None and state.directory != is_directory:
        findings.add(Code.ORPHAN_ENTRY, where, "the log is of another kind")
    if state.opened is not None and not is_directory and state.space_id != head.space_id:
        findings.add(Code.ORPHAN_ENTRY, where, f"this is the log of {state.space_id}")
