"""Who may be believed: the table of roles, kinds of space and parties, each cell stated."""

import pytest

from affidavit.core.authority import Authority, Party, Role, SpaceKind, authority_of, is_own_name

TABLE = {
    SpaceKind.USER: {"user": "authorized", "system": "authorized", "assistant": "attested"},
    SpaceKind.TEAM: {"user": "attested", "system": "authorized", "assistant": "attested"},
    SpaceKind.AGENT: {"system": "authorized", "assistant": "attested"},
    SpaceKind.APP: {"system": "authorized", "assistant": "attested"},
    SpaceKind.PUBLIC: {},
    SpaceKind.DIRECTORY: {},
}


@pytest.mark.parametrize("kind", SpaceKind)
@pytest.mark.parametrize("role", Role)
def test_the_role_alone(kind: SpaceKind, role: Role) -> None:
    assert authority_of(kind, role, own_words=True) == TABLE[kind].get(role, "unendorsed")


@pytest.mark.parametrize("kind", SpaceKind)
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("field", ["author", "derived_from"])
def test_a_third_party_leaves_nothing_endorsed(kind: SpaceKind, role: Role, field: str) -> None:
    got = authority_of(kind, role, own_words=True, **{field: Party.THIRD_PARTY})
    assert got is Authority.UNENDORSED


@pytest.mark.parametrize("kind", SpaceKind)
def test_somebody_elses_words_in_the_users_role_are_unendorsed(kind: SpaceKind) -> None:
    assert authority_of(kind, Role.USER, own_words=False, author=Party.USER) is Authority.UNENDORSED


def test_the_order_is_by_rank_not_by_letters() -> None:
    low, middle, high = Authority.UNENDORSED, Authority.ATTESTED, Authority.AUTHORIZED
    assert low < middle < high
    assert high > middle > low
    assert low <= "unendorsed" <= middle
    assert high >= "attested"
    assert max([middle, low, high]) is high
    assert sorted([high, low, middle]) == [low, middle, high]


@pytest.mark.parametrize(
    "name, own, expected",
    [
        (None, (), True),
        ("Ana", ("ana",), True),
        ("ANA", ("Ana", "x"), True),
        ("STRASSE", ("straße",), True),
        ("Anna", ("ana",), False),
        ("", ("ana",), False),
        ("ana ", ("ana",), False),
    ],
)
def test_a_message_without_a_name_or_with_a_known_one_is_the_users_own(
    name: str | None, own: tuple[str, ...], expected: bool
) -> None:
    assert is_own_name(name, own) is expected
