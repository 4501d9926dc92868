"""Who may be believed: the authority of a source, bound when it is recorded and never raised afterwards.

Rules (policy `role-policy-1`), each a property test:
1. The authority of a source is the minimum of what its role, its author and its `derived_from` allow;
   an absent field allows everything.
2. So another field, or a less trusted party in one, can only lower it.
3. In a public space nothing is above unendorsed. In an agent's or app's space only the host's `system`
   words are authorized and only the agent's own words attested.
4. Another person's words are third-party, whichever role carries them.
"""

from enum import StrEnum

POLICY = "role-policy-1"


class SpaceKind(StrEnum):
    """Who owns a space. `directory` is the store's own log of spaces, never a caller's."""

    USER = "user"
    TEAM = "team"
    PUBLIC = "public"
    AGENT = "agent"
    APP = "app"
    DIRECTORY = "directory"


class Role(StrEnum):
    """The part a message plays in the conversation it comes from."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"
    DOCUMENT = "document"
    MAIL = "mail"


class Party(StrEnum):
    """Who wrote a text, or who influenced it: the user, the host's system, or anybody else."""

    USER = "user"
    SYSTEM = "system"
    THIRD_PARTY = "third_party"


class Authority(StrEnum):
    """How far a statement may be relied on: `unendorsed < attested < authorized`."""

    UNENDORSED = "unendorsed"
    ATTESTED = "attested"
    AUTHORIZED = "authorized"

    @property
    def rank(self) -> int:
        """0, 1 or 2; text comparison would put "unendorsed" last."""
        return _RANK[self]

    def __lt__(self, other: str) -> bool:
        return self.rank < Authority(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Authority(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Authority(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Authority(other).rank


_RANK = {Authority.UNENDORSED: 0, Authority.ATTESTED: 1, Authority.AUTHORIZED: 2}

_LOW, _MID, _HIGH = Authority.UNENDORSED, Authority.ATTESTED, Authority.AUTHORIZED
_ROLES: dict[SpaceKind, dict[Role, Authority]] = {
    SpaceKind.USER: {Role.USER: _HIGH, Role.SYSTEM: _HIGH, Role.ASSISTANT: _MID},
    SpaceKind.TEAM: {Role.USER: _MID, Role.SYSTEM: _HIGH, Role.ASSISTANT: _MID},
    SpaceKind.AGENT: {Role.SYSTEM: _HIGH, Role.ASSISTANT: _MID},
    SpaceKind.APP: {Role.SYSTEM: _HIGH, Role.ASSISTANT: _MID},
    SpaceKind.PUBLIC: {},
    SpaceKind.DIRECTORY: {},
}
_PARTIES = {Party.USER: _HIGH, Party.SYSTEM: _HIGH, Party.THIRD_PARTY: _LOW}


def authority_of(
    kind: SpaceKind,
    role: Role,
    *,
    own_words: bool,
    author: Party | None = None,
    derived_from: Party | None = None,
) -> Authority:
    """The authority of a source in a space of this kind.

    `own_words` is False when a user message carries the name of somebody else.

    >>> authority_of(SpaceKind.USER, Role.USER, own_words=True, derived_from=Party.THIRD_PARTY)
    <Authority.UNENDORSED: 'unendorsed'>
    """
    allowed = [_ROLES[kind].get(role, _LOW)]
    if role is Role.USER and not own_words:
        allowed.append(_LOW)
    allowed.extend(_PARTIES[party] for party in (author, derived_from) if party is not None)
    return min(allowed, key=lambda authority: authority.rank)


def least_trusted(*parties: Party | None) -> Party | None:
    """The party that allows the least, of those that are stated; None where none is."""
    stated = [party for party in parties if party is not None]
    return min(stated, key=lambda party: _PARTIES[party].rank) if stated else None


def is_own_name(name: str | None, own_names: tuple[str, ...]) -> bool:
    """Whether a message's `name` is one of the user's own; a message without a name is the user's."""
    return name is None or name.casefold() in {own.casefold() for own in own_names}
