"""Numbers of versions and supports are never given again, also where the highest one was erased."""

import pytest

from affidavit import Memory
from affidavit.core.changes import Erased
from affidavit.proof.verify_result import Code
from tests.support_memories import Remembering
from tests.support_stores import plainly


def test_a_version_after_an_erased_one_gets_a_new_number(memory: Memory) -> None:
    her = Remembering(memory)
    first, second = her.lives_in("Lisbon"), her.lives_in("Porto")
    assert second == f"{first[:-1]}2"
    her.store.commit(her.space_id, [Erased(targets=(second,))])
    assert her.lives_in("Faro") == f"{first[:-1]}3"
    her.verified()


def test_a_support_after_an_erased_one_gets_a_new_number(memory: Memory) -> None:
    her = Remembering(memory)
    version = her.lives_in("Lisbon")
    assert her.lives_in("Lisbon", "Yes, I do live in Lisbon") == version
    her.store.commit(her.space_id, [Erased(targets=(f"{version}#2",))])
    her.lives_in("Lisbon", "I still live in Lisbon")
    assert [support.number for support in her.supports(version)] == [1, 3]
    her.verified()


@pytest.mark.parametrize(
    "attack, code",
    [
        ("DELETE FROM last_number", Code.ORPHAN_ENTRY),
        ("UPDATE last_number SET number = number + 1", Code.LABEL_MISMATCH),
        ("UPDATE last_number SET target = target || '@9'", Code.UNLOGGED_ROW),
        ("UPDATE last_number SET space_id = 'sp_x'", Code.UNLOGGED_ROW),
    ],
)
def test_what_is_kept_of_erased_numbers_is_held_against_the_log(
    memory: Memory, attack: str, code: Code
) -> None:
    her = Remembering(memory)
    her.lives_in("Lisbon")
    second = her.lives_in("Porto")
    her.store.commit(her.space_id, [Erased(targets=(second,))])
    her.verified()
    with plainly(memory) as conn:
        conn.execute(attack)
    assert code in {problem.code for problem in memory.verify().problems}


def test_nothing_is_kept_where_nothing_is_left(memory: Memory) -> None:
    her = Remembering(memory)
    first, second = her.lives_in("Lisbon"), her.lives_in("Porto")
    her.store.commit(her.space_id, [Erased(targets=(second,))])
    her.store.commit(her.space_id, [Erased(targets=(first,))])
    with plainly(memory) as conn:
        assert conn.execute("SELECT * FROM last_number").fetchall() == []
    her.verified()
