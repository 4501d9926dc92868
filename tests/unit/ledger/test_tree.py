from hashlib import sha256

import pytest

from affidavit.ledger.tree import EMPTY_ROOT, Frontier, leaf_hash, node_hash, root_of

LEAVES = [leaf_hash(str(number).encode()) for number in range(300)]


def test_hashes_carry_their_prefix():
    assert sha256(b"").digest() == EMPTY_ROOT
    assert leaf_hash(b"x") == sha256(b"\x00x").digest()
    assert node_hash(b"l" * 32, b"r" * 32) == sha256(b"\x01" + b"l" * 32 + b"r" * 32).digest()


def test_a_leaf_can_not_pass_for_a_node():
    left, right = LEAVES[:2]
    assert leaf_hash(left + right) != node_hash(left, right)


def test_published_roots_of_the_log_standard():
    # The sample leaves and roots by which implementations of RFC 6962 have long been compared.
    data = [
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    ]
    hashes = [leaf_hash(bytes.fromhex(text)) for text in data]
    assert root_of(hashes[:1]).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert root_of(hashes[:3]).hex() == "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"
    assert root_of(hashes).hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


def test_root_of_by_hand():
    a, b, c, d, e = LEAVES[:5]
    assert root_of([]) == EMPTY_ROOT
    assert root_of([a]) == a
    assert root_of([a, b, c]) == node_hash(node_hash(a, b), c)
    assert root_of([a, b, c, d, e]) == node_hash(node_hash(node_hash(a, b), node_hash(c, d)), e)


def test_frontier_at_every_size():
    frontier = Frontier.empty()
    for size in range(len(LEAVES)):
        assert (frontier.size, len(frontier.peaks)) == (size, size.bit_count())
        assert frontier.root() == root_of(LEAVES[:size])
        assert Frontier.from_bytes(size, frontier.to_bytes()) == frontier
        frontier = frontier.append(LEAVES[size])


def test_append_leaves_the_earlier_tree_as_it_was():
    before = Frontier.empty().extend(LEAVES[:7])
    root = before.root()
    before.append(LEAVES[7])
    assert (before.size, before.root()) == (7, root)


@pytest.mark.parametrize(
    "size, length", [(0, 32), (1, 0), (1, 31), (1, 33), (1, 64), (2, 64), (3, 32), (7, 64), (-1, 32)]
)
def test_peaks_that_can_not_belong_to_a_size(size, length):
    with pytest.raises(ValueError, match="peaks"):
        Frontier.from_bytes(size, bytes(length))


def test_order_of_leaves_counts():
    assert root_of(LEAVES[:4]) != root_of([LEAVES[1], LEAVES[0], *LEAVES[2:4]])
