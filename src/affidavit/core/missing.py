"""What is not there, and what may not be read: the same error. Pure."""

from affidavit.core.ids import EPISODE
from affidavit.errors import NotFoundError


def not_found(wanted: str, *, memory: bool = False) -> NotFoundError:
    """The error for an id; `memory`: that of a memory was asked for, and what was said is none."""
    hint = "look it up with `affidavit memory list`"
    if memory and wanted.startswith(EPISODE):
        hint = "that would be an episode, and this is about a memory: give `mem_…`, as `affidavit search` shows it"
    return NotFoundError(f"nothing readable has the id {wanted!r}", hint=hint)
