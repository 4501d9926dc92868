from hypothesis import given
from hypothesis import strategies as st

from affidavit.ledger.tree import Frontier, leaf_hash, root_of

LEAVES = st.lists(st.binary(max_size=4).map(leaf_hash), max_size=70)


@given(LEAVES)
def test_the_frontier_has_the_root_of_the_definition_at_every_prefix(leaves):
    frontier = Frontier.empty()
    for size, leaf in enumerate(leaves):
        assert frontier.root() == root_of(leaves[:size])
        frontier = frontier.append(leaf)
    assert (frontier.size, frontier.root()) == (len(leaves), root_of(leaves))


@given(LEAVES, st.integers(0, 70))
def test_extending_in_parts_is_extending_at_once(leaves, cut):
    whole = Frontier.empty().extend(leaves)
    assert Frontier.empty().extend(leaves[:cut]).extend(iter(leaves[cut:])) == whole
    assert Frontier.from_bytes(whole.size, whole.to_bytes()) == whole


@given(LEAVES.filter(bool), st.data())
def test_any_changed_leaf_changes_the_root(leaves, data):
    at = data.draw(st.integers(0, len(leaves) - 1))
    changed = [*leaves[:at], leaf_hash(b"something longer"), *leaves[at + 1 :]]
    assert root_of(changed) != root_of(leaves)
    assert root_of(leaves[:at] + leaves[at + 1 :]) != root_of(leaves)
    assert root_of([*leaves, leaves[at]]) != root_of(leaves)
