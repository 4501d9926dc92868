"""The algebra of supports (the numbered rules of `affidavit.core.supports`), against its definition."""

from collections.abc import Mapping
from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from affidavit.core.authority import Authority
from affidavit.core.memories import Part, Support
from affidavit.core.supports import authority_of_memory, authority_of_support, fall_of

EPISODES = [f"ep_{n}" for n in range(4)]
VERSIONS = [f"mem_{n}@1" for n in range(5)]
authorities = st.sampled_from(Authority)
Standing = Mapping[str, list[Support]]


@st.composite
def standings(draw: st.DrawFn) -> Standing:
    """Any graph of supports: also ones that hold each other up, and ones that are removed."""
    found: dict[str, list[Support]] = {}
    for version in draw(st.lists(st.sampled_from(VERSIONS), unique=True)):
        others = [*EPISODES, *(one for one in VERSIONS if one != version)]
        found[version] = [
            Support(
                number,
                draw(authorities),
                tuple(
                    Part(source) for source in draw(st.lists(st.sampled_from(others), min_size=1, max_size=2))
                ),
                number,
                draw(st.sampled_from([None, None, None, "revoked"])),
            )
            for number in range(1, draw(st.integers(1, 3)) + 1)
        ]
    return found


def holds_up(standing: Standing, lost: set[str], chosen: set[str]) -> bool:
    """Whether each of the chosen has a support of what is outside, or was chosen in an order before it."""
    stands: set[str] = set()
    while True:
        more = {
            version
            for version in chosen - stands
            if any(
                s.removed is None
                and all(x in stands or (x not in lost and x not in standing) for x in s.sources)
                for s in standing[version]
            )
        }
        if not more:
            return stands == chosen
        stands |= more


@given(standings(), st.sets(st.sampled_from([*EPISODES, *VERSIONS]), max_size=4))
def test_rule_5_what_stands_is_the_most_that_holds_itself_up_from_outside(
    standing: Standing, gone: set[str]
) -> None:
    fall = fall_of(sorted(gone), standing)
    rest = [version for version in standing if version not in gone]
    sets = chain.from_iterable(combinations(rest, size) for size in range(len(rest), -1, -1))
    most = next(set(chosen) for chosen in sets if holds_up(standing, gone, set(chosen)))
    down = gone | (set(standing) - most)
    stood = {version for version in rest if any(s.removed is None for s in standing[version])}
    assert set(fall.versions) == stood - most
    assert set(fall.supports) == {
        (version, s.number)
        for version, held in standing.items()
        for s in held
        if s.removed is None and not down.isdisjoint(s.sources)
    }


@given(standings(), st.lists(st.sampled_from([*EPISODES, *VERSIONS]), unique=True), st.randoms())
def test_rule_5_the_order_does_not_matter(standing: Standing, gone: list[str], chance) -> None:
    shuffled = list(standing)
    chance.shuffle(shuffled)
    one = fall_of(gone, standing)
    other = fall_of(
        list(reversed(gone)), {version: list(reversed(standing[version])) for version in shuffled}
    )
    assert set(one.supports) == set(other.supports)
    assert set(one.versions) == set(other.versions)
    assert one.changed == other.changed


@given(standings(), st.sets(st.sampled_from(EPISODES)), st.sampled_from(EPISODES))
def test_rule_4_more_that_goes_never_leaves_more(standing: Standing, gone: set[str], further: str) -> None:
    one, other = fall_of(gone, standing), fall_of(gone | {further}, standing)
    assert set(one.versions) <= set(other.versions)
    assert set(one.supports) <= set(other.supports)


@given(standings(), st.sets(st.sampled_from(EPISODES)))
def test_rule_4_and_5_nothing_has_more_than_what_is_left_gives(standing: Standing, gone: set[str]) -> None:
    fall = fall_of(gone, standing)
    now: dict[str, Authority] = {}
    for version, held in standing.items():
        authority = fall.changed.get(version, authority_of_memory(held))
        if version not in fall.versions and authority is not None:
            now[version] = authority
    for version, authority in now.items():
        left = [
            min([s.authority, *(now[x] for x in s.sources if x in now)])
            for s in standing[version]
            if s.removed is None and (version, s.number) not in fall.supports
        ]
        assert left
        assert authority == max(left)


@given(st.lists(authorities, min_size=1))
def test_rules_1_and_2_the_least_of_the_parts_the_most_of_the_supports(given_: list[Authority]) -> None:
    assert authority_of_support(given_) == sorted(given_)[0]
    supports = [Support(n, authority, (), n) for n, authority in enumerate(given_)]
    assert authority_of_memory(supports) == sorted(given_)[-1]
    assert authority_of_memory([]) is None
    assert authority_of_support([]) == Authority.UNENDORSED


@given(st.lists(st.tuples(authorities, st.booleans())), authorities, st.integers(0, 5))
def test_rule_3_agreeing_and_repeating_move_nothing(
    given_: list[tuple[Authority, bool]], more: Authority, times: int
) -> None:
    """A support that is no stronger leaves the authority; a stronger one gives it its own."""
    supports = [Support(n, a, (), n, "revoked" if gone else None) for n, (a, gone) in enumerate(given_)]
    before = authority_of_memory(supports)
    after = authority_of_memory([*supports, *(Support(99 + n, more, (), 99) for n in range(times))])
    assert after == (max(before, more) if before and times else more if times else before)
