"""`memory.access`: what a user permits tools to do without asking. Given by an explicit call, never by words."""

from collections.abc import Mapping, Sequence
from typing import Any

from affidavit.core.access import Caller
from affidavit.core.changes import Change
from affidavit.core.gate_changes import PermitEnded, PermitGranted
from affidavit.core.gates import PermitRow
from affidavit.core.ids import PERMIT
from affidavit.core.limits import check_id
from affidavit.core.permits import Permit, limit_text
from affidavit.core.when import DAY, When, rfc3339
from affidavit.errors import InputError, NotFoundError
from affidavit.store.owned import commit_to
from affidavit.store.protocol import Store, View


class Access:
    """Permits of users. Whoever calls this acts for the user: it must never be a tool of a model."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def permit(
        self,
        user_id: str | int,
        tool: str,
        *,
        limit: Mapping[str, Mapping[str, Any]] | None = None,
        until: object = None,
    ) -> Permit:
        """Let a tool act for a user without asking, within a limit, until a time (a day: to its end, in UTC).

        `limit` holds conditions by argument (`eq`, `in`, `lt`, `lte`, `gt`, `gte`), such as
        `{"amount": {"lte": 50}}`; protected arguments that it doesn't name still need a memory that lets their value
        pass. Without a limit every call is covered. What would be denied stays denied.

        Raises `InputError` for a limit without meaning or a time that is past, `DateError`, `IdError`.
        """
        caller, name, limits = Caller.of(user_id), check_id(tool, "tool"), limit_text(limit)
        ends = None if until is None else _end(until)
        made: list[PermitRow] = []

        def prepared(view: View) -> Sequence[Change]:
            if ends is not None and ends <= view.now:
                raise InputError(f"{rfc3339(ends)} is past", hint="give a time to come, or None")
            made[:] = [PermitRow(view.new_id(PERMIT), name, limits, ends, view.now)]
            return [PermitGranted(row=made[0])]

        self._store.commit(self._store.open_space(caller.owner).space_id, prepared)
        return Permit.of(made[0])

    def revoke(self, permit_id: str, *, user_id: str | int) -> Permit:
        """End a permit at once; the permit as it is now. Revoking twice does nothing. Raises `NotFoundError`."""
        caller, wanted = Caller.of(user_id), check_id(permit_id, "permit_id")
        found: list[PermitRow] = []

        def prepared(view: View) -> Sequence[Change]:
            found[:] = [one for one in view.permits(view.space_id) if one.id == wanted]
            if not found:
                raise _unknown(wanted)
            if found[0].ended_at is not None:
                return []
            found[0] = found[0]._replace(ended_at=view.now)
            return [PermitEnded(id=wanted)]

        commit_to(self._store, caller.owner, prepared, lambda: _unknown(wanted))
        return Permit.of(found[0])

    def permits(self, user_id: str | int) -> tuple[Permit, ...]:
        """Every permit of a user in the order they were given; those that were revoked, or are over, too."""
        caller = Caller.of(user_id)
        with self._store.snapshot() as reads:
            head = reads.find_space(caller.owner)
            return () if head is None else tuple(map(Permit.of, reads.permits(head.space_id)))


def _end(until: object) -> int:
    when = When.parse(until)
    end = when.end if when.width is None or when.width >= DAY else when.start
    if end is None:
        raise InputError("the permit has no end that can be placed", hint="leave until out")
    return end


def _unknown(permit_id: str) -> NotFoundError:
    return NotFoundError(f"there is no permit {permit_id!r}", hint="list them with `memory.access.permits`")
