"""Standing: one set of rules for every reader (the numbered rules of `affidavit.core.standing`)."""

from hypothesis import assume, given
from hypothesis import strategies as st

from affidavit.core.authority import Authority
from affidavit.core.memories import ITEM_COLUMNS, ItemRow, Kind, MemoryStatus, Part, Support
from affidavit.core.standing import (
    LIVES,
    Holds,
    Why,
    is_grounded,
    is_mentionable,
    standing_at,
    supported_at,
    term_of,
    volatility_of,
)
from affidavit.core.when import DAY
from affidavit.text.frames.statement import Certainty
from affidavit.text.lang.relations import RELATIONS

FENCING = {
    MemoryStatus.RETRACTED,
    MemoryStatus.INVALIDATED,
    MemoryStatus.QUARANTINED,
    MemoryStatus.ARCHIVED,
}
YEAR = 365 * DAY
times = st.integers(-5 * YEAR, 5 * YEAR)
maybe = st.none() | times


@st.composite
def rows(draw: st.DrawFn, /, **fixed: object) -> ItemRow:
    """Any version, also odd ones that no writer of ours makes."""
    values: dict[str, object] = dict.fromkeys(ITEM_COLUMNS)
    values |= {
        "memory_id": "mem_1",
        "version": draw(st.integers(1, 3)),
        "kind": draw(st.sampled_from(Kind)),
        "authority": draw(st.sampled_from(Authority)),
        "status": draw(st.sampled_from(MemoryStatus)),
        "recorded_at": draw(times),
        "valid_start": draw(maybe),
        "valid_end": draw(maybe),
        "closed_end": draw(maybe),
        "closed_by": draw(st.none() | st.just("mem_1@9")),
        "occurred_start": draw(maybe),
        "occurred_end": draw(maybe),
        "certainty": draw(st.sampled_from(Certainty)),
        "relation": draw(st.none() | st.sampled_from(sorted(RELATIONS)) | st.just("unheard_of")),
    }
    return ItemRow(**values | fixed)  # type: ignore[arg-type]


@given(rows(), maybe, times)
def test_rule_1_what_is_fenced_holds_at_no_instant(row, supported, at):
    standing = standing_at(term_of(row, supported), at)
    if row.status in FENCING:
        assert (standing.holds, standing.why) == (Holds.FENCED, row.status)
    elif row.ends is not None and row.valid_start is not None and row.ends <= row.valid_start:
        assert (standing.holds, standing.why) == (Holds.FENCED, Why.CORRECTED)
    else:
        assert standing.holds is not Holds.FENCED


@given(rows(), maybe, times)
def test_rule_2_it_holds_within_its_bounds_only(row, supported, at):
    standing = standing_at(term_of(row, supported), at)
    if standing.holds is Holds.CURRENT:
        assert standing.why is None
        assert row.valid_start is not None
        assert row.valid_start <= at
        assert row.ends is None or at < row.ends
        assert row.status != MemoryStatus.SUPERSEDED or row.ends is not None
    else:
        assert standing.why is not None
        assert not standing.stale


@given(rows(), maybe, times, st.integers(0, 3 * YEAR))
def test_rule_2_time_goes_one_way_from_future_to_current_to_history(row, supported, at, later):
    order = [Holds.FUTURE, Holds.CURRENT, Holds.HISTORY]
    term = term_of(row, supported)
    before, after = standing_at(term, at), standing_at(term, at + later)
    assume(before.holds is not Holds.FENCED)
    assert order.index(before.holds) <= order.index(after.holds)


@given(rows(status=MemoryStatus.ACTIVE), times, times)
def test_rule_3_life_over_lapses_or_flags(row, supported, at):
    life = LIVES[volatility_of(row)]
    standing = standing_at(term_of(row, supported), at)
    if life is None:
        assert not standing.stale
        assert standing.why is not Why.LAPSED
        return
    known = [t for t in (supported, row.valid_start, row.occurred_start, row.occurred_end) if t is not None]
    over = at >= max(known) + life
    if standing.holds is Holds.CURRENT:
        assert standing.stale == (over and life > 7 * DAY)
        assert not over or life > 7 * DAY
    if standing.why is Why.LAPSED:
        assert over
        assert life <= 7 * DAY


@given(rows(), times, st.integers(0, YEAR), times)
def test_rule_3_a_later_support_never_makes_it_staler(row, supported, later, at):
    before = standing_at(term_of(row, supported), at)
    after = standing_at(term_of(row, supported + later), at)
    assert after.stale <= before.stale
    assert before.holds is not Holds.CURRENT or after.holds is Holds.CURRENT


@given(rows(), maybe, times)
def test_rules_4_and_5_what_may_be_asserted_and_what_volunteered(row, supported, at):
    standing = standing_at(term_of(row, supported), at)
    grounded = is_grounded(row, standing)
    assert grounded == (
        standing.holds is Holds.CURRENT
        and row.authority != Authority.UNENDORSED
        and row.certainty == Certainty.ASSERTED
    )
    assert is_mentionable(row, standing) == (grounded and row.authority == Authority.AUTHORIZED)


@given(rows(status=MemoryStatus.ACTIVE), maybe, times, st.sampled_from(sorted(FENCING)))
def test_rule_6_nothing_lets_out_what_is_fenced(row, supported, at, status):
    fenced = row._replace(status=status)
    assert not is_grounded(fenced, standing_at(term_of(fenced, supported), at))


@given(
    st.lists(st.tuples(st.sampled_from(Authority), times, st.none() | st.just("revoked")), max_size=5),
    st.sampled_from(Authority),
)
def test_rule_3_weaker_and_removed_supports_keep_nothing_fresh(given_supports, authority):
    supports = [Support(n, a, (), 0, gone) for n, (a, _, gone) in enumerate(given_supports)]
    said = {f"ep_{n}": at for n, (_, at, _) in enumerate(given_supports)}
    supports = [s._replace(parts=(Part(f"ep_{s.number}", 0, 1, "x"),)) for s in supports]
    counting = [at for a, at, gone in given_supports if gone is None and a >= authority]
    assert supported_at(authority, supports, said) == max(counting, default=None)
