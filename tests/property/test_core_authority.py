"""Authority is monotone: whatever is added to a source can only lower it, whatever the space."""

from hypothesis import given
from hypothesis import strategies as st

from affidavit.core.authority import Authority, Party, Role, SpaceKind, authority_of

PARTIES = st.none() | st.sampled_from(Party)
TRUST = {None: 1, Party.USER: 1, Party.SYSTEM: 1, Party.THIRD_PARTY: 0}


@given(st.sampled_from(SpaceKind), st.sampled_from(Role), st.booleans(), PARTIES, PARTIES)
def test_it_is_the_minimum_of_its_parts(
    kind: SpaceKind, role: Role, own: bool, author: Party | None, derived: Party | None
) -> None:
    got = authority_of(kind, role, own_words=own, author=author, derived_from=derived)
    alone = authority_of(kind, role, own_words=True)
    assert got <= alone
    assert got <= authority_of(kind, role, own_words=own, author=author)
    assert got <= authority_of(kind, role, own_words=own, derived_from=derived)
    assert got <= authority_of(kind, role, own_words=True, author=author, derived_from=derived)
    if Party.THIRD_PARTY in {author, derived} or kind is SpaceKind.PUBLIC or (role is Role.USER and not own):
        assert got is Authority.UNENDORSED


@given(st.sampled_from(SpaceKind), st.sampled_from(Role), st.booleans(), PARTIES, PARTIES, PARTIES, PARTIES)
def test_less_trusted_parties_never_raise_it(
    kind: SpaceKind,
    role: Role,
    own: bool,
    a1: Party | None,
    d1: Party | None,
    a2: Party | None,
    d2: Party | None,
) -> None:
    if TRUST[a1] <= TRUST[a2] and TRUST[d1] <= TRUST[d2]:
        low = authority_of(kind, role, own_words=own, author=a1, derived_from=d1)
        assert low <= authority_of(kind, role, own_words=own, author=a2, derived_from=d2)


@given(st.lists(st.sampled_from(Authority), min_size=2, max_size=3))
def test_the_order_is_total(labels: list[Authority]) -> None:
    first, second, last = labels[0], labels[1], labels[-1]
    assert (first < second) + (first > second) + (first == second) == 1
    assert not (first <= second <= last) or first <= last
