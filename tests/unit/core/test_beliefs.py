"""What was believed at an earlier moment, by the numbered rules of `affidavit.core.beliefs`."""

from typing import Any

import pytest

from affidavit.core.authority import Authority
from affidavit.core.beliefs import Beliefs
from affidavit.core.memories import ITEM_COLUMNS, ItemRow, Part, Support

V = "mem_1@1"
LABEL = {"authority": "authorized", "status": "active"}
ENTRIES: list[dict[str, Any]] = [
    {"op": "SpaceOpened", "target": "sp_1"},
    {"op": "EpisodeStored", "target": "ep_1", **LABEL},
    {"op": "ItemAdded", "target": V, **LABEL},
    {"op": "SupportAdded", "target": V, "support": 1},
    {"op": "SupportAdded", "target": V, "support": 2},
    {"op": "ItemClosed", "target": V, "by": "mem_1@2"},
    {"op": "StatusSet", "target": V, "authority": "authorized", "status": "superseded"},
    {"op": "SupportRemoved", "target": V, "support": 2},
    {"op": "StatusSet", "target": V, "authority": "attested", "status": "superseded"},
    {"op": "ItemClosed", "target": V, "by": None},
    {"op": "StatusSet", "target": "ep_1", "authority": "authorized", "status": "quarantined"},
]
FIELDS: dict[str, Any] = dict.fromkeys(ITEM_COLUMNS)
FIELDS |= {"memory_id": "mem_1", "version": 1, "authority": "attested", "status": "superseded"}
FIELDS |= {"closed_end": 50, "closed_at": 9, "closed_seq": 9}
ROW = ItemRow(**FIELDS)
SUPPORTS = (
    Support(1, Authority.AUTHORIZED, (Part("ep_1"),), 3),
    Support(2, Authority.AUTHORIZED, (Part("ep_2"),), 4, "revoked"),
)


def at(number: int) -> Beliefs:
    """What was believed when this entry was the last; each was made a second after the one before."""
    told = ((n, {**entry, "at": f"2026-01-01T00:00:{n:02}.000000Z"}) for n, entry in enumerate(ENTRIES))
    return Beliefs.of(told, f"2026-01-01T00:00:{number:02}.500000Z")


@pytest.mark.parametrize("number", range(11))
def test_rules_1_and_2_labels_are_those_of_then(number: int) -> None:
    row = at(number).row(ROW)
    born, superseded, weaker = number >= 2, number >= 6, number >= 8
    if not born:
        assert row is None
        return
    assert row is not None
    assert row.status == ("superseded" if superseded else "active")
    assert row.authority == ("attested" if weaker else "authorized")


@pytest.mark.parametrize("number", range(2, 11))
def test_rule_3_a_later_closing_is_unknown_and_a_replaced_one_has_no_end(number: int) -> None:
    row = at(number).row(ROW)
    assert row is not None
    assert (row.closed_end, row.closed_seq) == ((50, 9) if number >= 9 else (None, None))


def test_rule_3_what_was_never_closed_is_open() -> None:
    row = at(10).row(ROW._replace(closed_end=None, closed_seq=None))
    assert row is not None
    assert row.ends is None


@pytest.mark.parametrize("number", range(11))
def test_rule_4_supports_are_those_that_were_there_and_counted(number: int) -> None:
    kept = at(number).supports(V, SUPPORTS)
    assert [one.number for one in kept] == [n for n in (1, 2) if number >= n + 2]
    assert [one.removed for one in kept if one.number == 2] == (
        [("revoked" if number >= 7 else None)] * (number >= 4)
    )


def test_episodes_have_the_label_of_then() -> None:
    labels = [at(number).labels["ep_1"] for number in (5, 10)]
    assert labels == [("authorized", "active"), ("authorized", "quarantined")]
