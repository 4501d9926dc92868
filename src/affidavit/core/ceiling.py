"""What a credential allows whoever writes with it: a request may lower it, never raise it. Pure.

The caller in the process is the host, and is trusted. A connector is not (nor will be a key of the REST interface or a
connection of MCP): the host hands it a `Ceiling`. Rules:

1. Whose memory is written is the ceiling's, not the request's.
2. A role that the ceiling does not list is refused; where none is stated the least favourable of its roles holds.
3. Nothing gets above `highest`: what would is taken as derived from a third party. So is what states neither role
   nor origin.
4. A system that the ceiling does not list is refused; where none is stated it is the credential's own name.
5. Source ids and idempotency keys lie under the credential's name: it can't take, revive or join another's.
"""

from dataclasses import dataclass, field

from affidavit.core.access import Caller
from affidavit.core.authority import Authority, Party, Role, authority_of
from affidavit.core.limits import ID_CHARACTERS, check_id, shown
from affidavit.errors import AuthorityError, InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """The most that a credential allows: whose memory, which roles, how much authority, for which systems.

    `name` is the credential's own. Unless told otherwise it may bring only what tools say, and `highest`, the authority
    that nothing it brings gets above, is `unendorsed`. Raises `InputError`s.

    >>> Ceiling(name="crm", user_id="priya").role(None)
    <Role.TOOL: 'tool'>
    """

    name: str
    user_id: str | int | None = None
    agent_id: str | int | None = None
    team_id: str | int | None = None
    roles: tuple[Role, ...] = (Role.TOOL,)
    highest: Authority = Authority.UNENDORSED
    systems: tuple[str, ...] = ()
    caller: Caller = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        name = check_id(self.name, "the name of a ceiling")
        if ":" in name:
            raise InputError(
                f"the name {shown(name)} holds a colon", hint="it parts the name from what it brings"
            )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "caller", Caller.of(self.user_id, self.agent_id, self.team_id))
        try:
            object.__setattr__(self, "roles", tuple(map(Role, self.roles)))
            object.__setattr__(self, "highest", Authority(self.highest))
        except ValueError as error:
            raise InputError(f"the ceiling of {name!r}: {error}", hint=f"roles: {', '.join(Role)}") from None
        if not self.roles:
            raise InputError(
                f"the ceiling of {name!r} has no role", hint="name what it may bring, such as tool"
            )
        object.__setattr__(self, "systems", tuple(check_id(one, "a system") for one in self.systems))

    def role(self, stated: Role | None) -> Role:
        """The role of a message that states this one. Raises `AuthorityError` for one that is not allowed."""
        if stated is None:
            return min(self.roles, key=lambda role: (self._allows(role, None).rank, list(Role).index(role)))
        if stated not in self.roles:
            raise self._above(f"may not bring messages of role {stated}", ", ".join(self.roles))
        return stated

    def derived_from(
        self, stated_role: Role | None, author: Party | None, stated: Party | None
    ) -> Party | None:
        """Whom a message counts as derived from: what it states, or a third party where it would get too high."""
        unknown = stated_role is None and author is None and stated is None
        above = self._allows(self.role(stated_role), stated) > self.highest
        return Party.THIRD_PARTY if unknown or above else stated

    def system(self, stated: str | None) -> str:
        """The system that a message comes from. Raises `AuthorityError` for one that is not allowed."""
        if stated is None:
            return self.name
        if stated not in (self.name, *self.systems):
            raise self._above(
                f"may not speak for the system {shown(stated)}", ", ".join((self.name, *self.systems))
            )
        return stated

    def under(self, stated: str | None, what: str) -> str:
        """A source id or a key under the credential's name. Raises `IdError` where it gets too long."""
        return self.name if stated is None else check_id(f"{self.name}:{stated}"[: ID_CHARACTERS + 1], what)

    def _allows(self, role: Role, derived_from: Party | None) -> Authority:
        return authority_of(self.caller.owner.kind, role, own_words=True, derived_from=derived_from)

    def _above(self, what: str, allowed: str) -> AuthorityError:
        return AuthorityError(f"{self.name!r} {what}", hint=f"its ceiling allows: {allowed}")
