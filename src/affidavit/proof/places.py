"""Where each store lies, as the key folder knows it: so that another store put in its place is noticed.

A key folder holds a folder for each store. Beside them, `places/` says for each path which store was last sealed
there, and each store's folder says where that store lies. Rules:
1. A store that lies at no known place yet takes the place it is sealed at; so one begun anew where another was
   deleted is no alarm.
2. The store it took the place of has no place any more. Put back, it is an alarm.
3. A store at a place that is known as another one's is an alarm, unless rule 1 lets it take that place.
"""

import os
from hashlib import sha256
from pathlib import Path

from affidavit.proof.key_folder import KeyFolder

_FOLDER, _FILE = "places", "place.txt"
_GONE = "-"


class Places:
    """The places of all stores whose keys lie in one folder (`key_dir`)."""

    def __init__(self, key_dir: Path) -> None:
        self._key_dir = key_dir

    def known_at(self, path: str) -> str | None:
        """The store that was last sealed at `path`; None where none ever was."""
        return _read(self._place(path))

    def other_store(self, path: str, store_id: str) -> str | None:
        """The store that belongs at `path`, if it is another one than `store_id`; None where all is well."""
        known = _read(self._place(path))
        if known is None or known == store_id or self._may_take(store_id):
            return None
        return known

    def keep(self, path: str, store_id: str) -> None:
        """Note that this store was sealed here, unless the place is another one's (which verify then tells)."""
        if not (self._key_dir / store_id).is_dir() or self.other_store(path, store_id) is not None:
            return
        place, own = self._place(path), self._key_dir / store_id / _FILE
        if _read(place) != store_id or _read(own) != place.name:
            self.give(path, store_id)

    def give(self, path: str, store_id: str) -> None:
        """Let the store have this place, whichever was known to be there: its owner says so."""
        place = self._place(path)
        before = _read(place)
        if before not in {None, store_id} and (self._key_dir / str(before)).is_dir():
            _write(self._key_dir / str(before) / _FILE, f"{_GONE}\n")
        _write(place, f"{store_id}\n")
        _write(self._key_dir / store_id / _FILE, f"{place.name}\n")

    def _may_take(self, store_id: str) -> bool:
        """Whether this store has keys here and no place yet: it was begun by ourselves, just now."""
        folder = self._key_dir / store_id
        return folder.is_dir() and _read(folder / _FILE) is None

    def _place(self, path: str) -> Path:
        real = path if "://" in path else os.path.realpath(path)
        return self._key_dir / _FOLDER / sha256(os.fsencode(real)).hexdigest()[:32]


def _read(path: Path) -> str | None:
    text = KeyFolder(path.parent).read(path)
    return None if text is None else text.strip()


def _write(path: Path, text: str) -> None:
    folder = KeyFolder(path.parent)
    with folder.locked():
        folder.replace(path, text.encode())
