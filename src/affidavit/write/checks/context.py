"""What candidates are checked against, and what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from affidavit.core.candidates import Admitted, Rejection
from affidavit.core.values import Owner
from affidavit.store.protocol import Stored
from affidavit.text.relations import RELATIONS, Relation


class Time(Protocol):
    """A time that words name; see `affidavit.text.dates.Dated`."""

    @property
    def start(self) -> int | None:
        """UTC microseconds; None: open or unknown."""
        ...

    @property
    def end(self) -> int | None:
        """UTC microseconds; None: open or unknown."""
        ...

    @property
    def text(self) -> str:
        """The words."""
        ...


class Read(Protocol):
    """A statement that the frames read in a text; see `affidavit.text.frames.Statement`."""

    @property
    def relation(self) -> str: ...  # noqa: D102
    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def object(self) -> str: ...  # noqa: D102
    @property
    def qualifier(self) -> str: ...  # noqa: D102
    @property
    def negated(self) -> bool: ...  # noqa: D102
    @property
    def ended(self) -> bool: ...  # noqa: D102
    @property
    def certainty(self) -> str: ...  # noqa: D102
    @property
    def time(self) -> Time | None: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102


class Frames(Protocol):
    """Reads what a user states of himself: `affidavit.text.frames.statements_in`."""

    def __call__(
        self, text: str, *, refused: Sequence[tuple[int, int]] = (), anchor: int, offset: int | None
    ) -> Sequence[Read]:
        """The statements of a text."""
        ...


class Dates(Protocol):
    """Places the times that a text names: `affidavit.text.dates.dates_in`."""

    def __call__(self, text: str, *, anchor: int, offset: int | None) -> Sequence[Time]:
        """The times of a text."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a check may look at.

    `episodes`: those that may be cited, by id. `actors`: who stands behind a reference, as the space's actors name
    him ("user:priya", "person:Bob", "agent:…", "tool:…"); an unknown one is nobody's own. `owner`: whose space it is.
    `own_names`: further names of that user. `revoked`: ids of sources that count no more.
    `frames` and `dates` read a quote once more, so that what they find there needs no other proof.
    """

    episodes: Mapping[str, Stored]
    actors: Mapping[str, str]
    owner: Owner
    own_names: tuple[str, ...] = ()
    revoked: frozenset[str] = frozenset()
    relations: Mapping[str, Relation] = field(default_factory=lambda: RELATIONS)
    frames: Frames | None = None
    dates: Dates | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What passed, in the order of the candidates, and what was refused."""

    admitted: tuple[Admitted, ...]
    rejected: tuple[Rejection, ...]
