"""The directory's part of a store: which leaves it needs. The same for every database; runs under its lock."""

from collections.abc import Sequence

from affidavit.core.changes import Change, SpaceListed
from affidavit.core.values import Head
from affidavit.ledger.note import parse_note
from affidavit.store.protocol import View


def list_waiting(view: View) -> Sequence[Change]:
    """Leaves for the spaces that were born or erased and have none yet."""
    heads = [(view.head(job.space_id), job.target) for job in view.jobs(kind="list")]
    return [_leaf(head, reason) for head, reason in heads if head is not None]


def list_changed(view: View) -> Sequence[Change]:
    """Leaves for the spaces that have changed since their last one."""
    waiting = {job.space_id for job in view.jobs(kind="list")}
    return [_leaf(head, "sealed") for head in view.heads(unlisted=True) if head.space_id not in waiting]


def _leaf(head: Head, reason: str) -> SpaceListed:
    return SpaceListed(space_id=head.space_id, size=head.size, root=head.root.hex(), reason=reason)


def is_signed(head: Head) -> bool:
    """Whether the head's note is about its present size."""
    return head.note is not None and parse_note(head.note).checkpoint.size == head.size
