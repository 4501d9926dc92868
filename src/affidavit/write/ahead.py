"""A view as it will be: what a dry run looks at, so that it goes the way of the real one with nothing written."""

from collections.abc import Sequence
from typing import Any, cast

from affidavit.core.changes import ActorAdded, Change, EpisodeStored
from affidavit.store.protocol import Stored, View

_LATER = 1 << 62
"""What is not stored yet comes after all that is."""


def ahead(view: View, changes: Sequence[Change]) -> View:
    """The view as it will be once these changes are made: their episodes and contributors are there."""
    return cast("View", _Ahead(view, changes))


class _Ahead:
    """Answers for what is new, and asks the view for all else."""

    def __init__(self, view: View, changes: Sequence[Change]) -> None:
        self._view = view
        stored = [change.row for change in changes if isinstance(change, EpisodeStored)]
        self._new = {row.id: Stored(_LATER + number, row) for number, row in enumerate(stored)}
        self._born = {change.ref: change.who for change in changes if isinstance(change, ActorAdded)}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)

    def episodes(self, space_id: str, ids: Sequence[str]) -> dict[str, Stored]:
        """See `Reads.episodes`."""
        new = {one: self._new[one] for one in ids if one in self._new}
        return self._view.episodes(space_id, [one for one in ids if one not in new]) | new

    def actors(self, space_id: str) -> dict[str, str]:
        """See `Reads.actors`."""
        return self._view.actors(space_id) | self._born
