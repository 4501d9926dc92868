"""The rows of permits and decisions against the replay of a log."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from affidavit.core.gates import DecisionRow, PermitRow, committed_decision, committed_permit
from affidavit.core.when import rfc3339
from affidavit.proof.verify_log import Log
from affidavit.proof.verify_memories import Add, Committed
from affidavit.proof.verify_result import Code
from affidavit.store.audit_reads import Audit


class _Lives(Protocol):
    @property
    def seq(self) -> int: ...
    @property
    def past(self) -> bool: ...


def check_gates(audit: Audit, log: Log, add: Add, committed: Committed) -> None:
    """Hold every permit and decision against the log; after a mark those that are new.

    `add` notes a problem, `committed` holds values against the commitment of an entry.
    """
    space, start, state = log.head.space_id, log.start, log.state

    def permit(values: tuple[Any, ...], place: str) -> None:
        row = PermitRow._make(values[1:])
        live = state.permits[row.id]
        if live.past:
            if _stamp(row.ended_at) != live.ended_at:
                add(Code.LABEL_MISMATCH, place, "it was ended at another time")
            return
        said = (live.seq, live.at, live.ended_at)
        if (values[0], _stamp(row.granted_at), _stamp(row.ended_at)) != said:
            add(Code.LABEL_MISMATCH, place, f"it differs from entry {live.seq}, or from that of its end")
        committed(place, live, "permit", committed_permit(row))

    def decision(values: tuple[Any, ...], place: str) -> None:
        row = DecisionRow._make(values[1:])
        live = state.decisions[row.id]
        if live.past:
            if _stamp(row.confirmed_at) != live.confirmed_at:
                add(Code.LABEL_MISMATCH, place, "it was confirmed at another time")
            return
        said = (live.seq, live.at, live.outcome, live.confirmed_at)
        if (values[0], _stamp(row.decided_at), row.outcome, _stamp(row.confirmed_at)) != said:
            add(Code.LABEL_MISMATCH, place, f"it differs from entry {live.seq}, or from its confirmation")
        committed(place, live, "decision", committed_decision(row))

    ended, confirmed = (
        [target for target, live in living.items() if live.past]
        for living in (state.permits, state.decisions)
    )
    _rows("permit", audit.permits(space, start, ended), state.permits, permit, add)
    _rows("decision", audit.decisions(space, start, confirmed), state.decisions, decision, add)


def _rows(
    table: str,
    rows: Iterator[tuple[Any, ...]],
    living: Mapping[str, _Lives],
    check: Callable[[tuple[Any, ...], str], None],
    add: Add,
) -> None:
    left = dict(living)
    for row in rows:
        place = f"{table}/{row[1]}"
        if left.pop(row[1], None) is None:
            add(Code.UNLOGGED_ROW, place, "no living entry tells of it")
        else:
            check(row, place)
    for target, live in left.items():
        add(Code.ORPHAN_ENTRY, f"{table}/{target}", f"entry {live.seq} tells of it, and it has no row")


def _stamp(value: object) -> str | None:
    """A time as an entry writes it; what is none is no time of an entry either."""
    if value is None:
        return None
    try:
        return rfc3339(value) if type(value) is int else "?"
    except ValueError:
        return "?"
