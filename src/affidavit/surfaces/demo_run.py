"""One run of the demo: where it happens, what it tells, and what it found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affidavit.rooms import SystemClock
from affidavit.surfaces.cli import show

if TYPE_CHECKING:
    from affidavit.config import Config
    from affidavit.memory import Memory
    from affidavit.store.protocol import Clock

USER: Final = "priya"
_STORY_ENDS: Final = 1_798_761_600_000_000
"""2027-01-01T00:00:00Z, UTC microseconds."""


class StoryClock:
    """The machine's clock, which at the end of the story's year begins to go on from there.

    Told much later, what people said of themselves would rightly count as out of date, and the story would be another.
    """

    def __init__(self, clock: "Clock") -> None:
        self._clock = clock
        self._past = max(0, clock.now() - _STORY_ENDS)

    def now(self) -> int:
        """UTC microseconds since 1970."""
        return self._clock.now() - self._past


@dataclass(slots=True)
class Demo:
    """One run: its folder, where words go, the questions, and what was found so far."""

    folder: Path
    tell: Callable[[str], None]
    data: Mapping[str, Any]
    report: dict[str, Any] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    clock: StoryClock = field(default_factory=lambda: StoryClock(SystemClock()))

    @property
    def store(self) -> Path:
        """The folder of the store."""
        return self.folder / "store"

    def config(self, place: Path | None = None) -> "Config":
        """The settings of the demo's store, or of a copy in another folder."""
        from affidavit.config import Config

        base = place or self.folder
        return Config.load(
            home=base,
            db=str(base / "store" / "memory.db"),
            key_dir=base / "keys",
            user=USER,
            signing="local",
            own_names={},
        )

    def open(self, place: Path | None = None) -> "Memory":
        """The demo's store, or a copy in another folder."""
        from affidavit.memory import Memory

        return Memory(config=self.config(place), tools=self.data["tools"], clock=self.clock)

    def step(self, number: int, title: str, *why: str) -> None:
        """Begin a part."""
        self.tell("")
        self.tell(f"{number}. {title}")
        for one in why:
            self.tell(f"   {one}")

    def check(self, held: bool, what: str) -> bool:  # noqa: FBT001 - reads as a sentence
        """Note what did not hold."""
        if not held:
            self.failed.append(what)
        return held

    def block(self, lines: Iterable[str]) -> None:
        """Lines of a result."""
        for one in lines:
            self.tell(one if one.startswith(show.BAR) else f"   {one}")

    def raw_holds(self, words: Sequence[str]) -> list[str]:
        """Which of the words stand in the raw bytes of any file of the store or beside its key."""
        places = [
            path for part in (self.store, self.folder / "keys") for path in part.rglob("*") if path.is_file()
        ]
        every = [path.read_bytes() for path in places]
        return [word for word in words if any(word.encode() in data for data in every)]
