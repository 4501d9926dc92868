"""Who asks, whose space that is, and which spaces may be read. Judged before anything is scored or counted."""

from dataclasses import dataclass
from typing import Self

from affidavit.core.authority import SpaceKind
from affidavit.core.limits import check_optional_id
from affidavit.core.values import Owner
from affidavit.errors import IdError


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A user, acting through an agent, perhaps in a team."""

    user_id: str | None = None
    agent_id: str | None = None
    team_id: str | None = None

    @classmethod
    def of(cls, user_id: object = None, agent_id: object = None, team_id: object = None) -> Self:
        """The caller with checked ids. Raises `IdError` where none is given."""
        caller = cls(
            user_id=check_optional_id(user_id, "user_id"),
            agent_id=check_optional_id(agent_id, "agent_id"),
            team_id=check_optional_id(team_id, "team_id"),
        )
        if caller == cls():
            raise _nobody()
        return caller

    @property
    def owner(self) -> Owner:
        """Whose space is written: the team's, else the user's, else the agent's own."""
        if self.team_id is not None:
            return Owner(SpaceKind.TEAM, self.team_id)
        if self.user_id is not None:
            return Owner(SpaceKind.USER, self.user_id)
        if self.agent_id is None:
            raise _nobody()
        return Owner(SpaceKind.AGENT, self.agent_id)


def _nobody() -> IdError:
    return IdError("nobody is named", hint="say whose memory it is: user_id=…, team_id=… or agent_id=…")


def readable_owners(caller: Caller) -> tuple[Owner, ...]:
    """The owners whose spaces this caller may read: its own, and the acting agent's."""
    owners = [caller.owner]
    if caller.agent_id is not None:
        owners.append(Owner(SpaceKind.AGENT, caller.agent_id))
    return tuple(dict.fromkeys(owners))
