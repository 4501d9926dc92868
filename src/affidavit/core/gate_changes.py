"""The changes that concern permits and decisions; part of the closed list in `affidavit.core.changes`."""

from dataclasses import dataclass
from typing import ClassVar

from affidavit.core.committed import ClearValue, Committed
from affidavit.core.gates import DecisionRow, PermitRow, committed_decision, committed_permit


@dataclass(frozen=True, slots=True, kw_only=True)
class PermitGranted:
    """A tool may act without asking, within a limit and a time."""

    op: ClassVar[str] = "PermitGranted"
    row: PermitRow

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.row.id}

    def committed(self) -> Committed:
        return Committed("permit", committed_permit(self.row))


@dataclass(frozen=True, slots=True, kw_only=True)
class PermitEnded:
    """A permit counts no more."""

    op: ClassVar[str] = "PermitEnded"
    id: str

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.id}

    def committed(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A gate answered: allow, ask or deny."""

    op: ClassVar[str] = "Decided"
    row: DecisionRow

    def fields(self) -> dict[str, ClearValue]:
        return {"outcome": self.row.outcome, "target": self.row.id}

    def committed(self) -> Committed:
        return Committed("decision", committed_decision(self.row))


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """What a gate asked about was confirmed; that counts once."""

    op: ClassVar[str] = "Confirmed"
    id: str

    def fields(self) -> dict[str, ClearValue]:
        return {"target": self.id}

    def committed(self) -> None:
        return None
