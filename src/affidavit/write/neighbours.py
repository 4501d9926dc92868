"""Which memories are near a statement: of the same subject, with words in common, rare ones before frequent ones."""

from collections import defaultdict
from math import log1p
from typing import Final

from affidavit.core.memories import MemoryStatus, version_id
from affidavit.store.protocol import View
from affidavit.text.lexicon.terms import Terms, terms

_LOOKED_AT: Final = 10_000
"""Of so many versions of a subject, the latest, the words are compared."""


class Neighbours:
    """The believed versions of a space, by subject; read once, when the first is asked for."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._known: dict[str, dict[int, list[int]]] = {}
        self._places: dict[str, list[int]] | None = None
        self._columns: dict[str, list[object]] = {}

    def of(self, subject: str, text: str, most: int) -> list[str]:
        """The ids of the nearest versions about a subject, the nearest first."""
        known = self._about(subject)
        many = len(self._live().get(subject, []))
        found: dict[int, float] = defaultdict(float)
        for places in (known[word] for word in terms(text).ids if word in known):
            weight = log1p(many / len(places))
            for place in places:
                found[place] += weight
        nearest = sorted(found, key=lambda place: (found[place], place), reverse=True)
        return [self._id(place) for place in nearest[:most]]

    def _about(self, subject: str) -> dict[int, list[int]]:
        """The places of the versions about a subject that hold each word."""
        if subject not in self._known:
            known = self._known[subject] = defaultdict(list)
            for place in self._live().get(subject, [])[-_LOOKED_AT:]:
                for word in self._words(place):
                    known[word].append(place)
        return self._known[subject]

    def _live(self) -> dict[str, list[int]]:
        if self._places is None:
            self._places = {}
            subjects, statuses = self._column("subject"), self._column("status")
            for place, (subject, status) in enumerate(zip(subjects, statuses, strict=True)):
                if status == MemoryStatus.ACTIVE:
                    self._places.setdefault(str(subject), []).append(place)
        return self._places

    def _column(self, name: str) -> list[object]:
        if name not in self._columns:
            self._columns[name] = self._view.item_column(self._view.space_id, name)
        return self._columns[name]

    def _id(self, place: int) -> str:
        version = self._column("version")[place]
        assert isinstance(version, int)
        return version_id(str(self._column("memory_id")[place]), version)

    def _words(self, place: int) -> tuple[int, ...]:
        stored = self._column("terms")[place]
        assert isinstance(stored, bytes)
        return Terms.from_bytes(stored).ids
