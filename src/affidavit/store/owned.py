"""Commits to a space that must be there: one that is not, or is erased meanwhile, looks like what is not found."""

from collections.abc import Callable

from affidavit.core.values import Owner
from affidavit.errors import ConflictError, NotFoundError
from affidavit.store.protocol import Commit, Prepare, Store


def commit_to(store: Store, owner: Owner, prepare: Prepare, missing: Callable[[], NotFoundError]) -> Commit:
    """Make the changes in the owner's space. Raises what `missing` gives where there is no such space."""
    with store.snapshot() as reads:
        head = reads.find_space(owner)
    if head is None:
        raise missing()
    try:
        return store.commit(head.space_id, prepare)
    except ConflictError:
        raise missing() from None  # the space was erased meanwhile
