"""A callable handed in as `llm` proposes and chooses: what an add, a dry run and deriving again make of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit import Config, Memory, MemoryStatus
from affidavit.errors import ModelBusyError
from tests.support_choices import operations
from tests.support_replies import said, statement

SELLS, GONE = "The shop of Ana sells wine", "The shop of Ana no longer sells wine"


class Both:
    """Proposes each new message as a statement, word for word, and chooses as it is told."""

    def __init__(self, choice: Any) -> None:
        self.choice = choice
        self.tasks: list[str] = []

    def __call__(self, messages: Any, **options: Any) -> str:
        system, shown = messages[0]["content"], messages[1]["content"]
        if "operations" in system:
            self.tasks.append("reconcile")
            if isinstance(self.choice, Exception):
                raise self.choice
            return str(self.choice)
        self.tasks.append("extract")
        new = shown.partition("New messages:")[2]
        lines = [line.partition(": ") for line in new.splitlines() if line.startswith("m")]
        return said(*(statement(words.strip('"'), message=name.split()[0]) for name, _, words in lines))


@pytest.fixture
def model() -> Both:
    return Both(operations(("UPDATE", "c1", "m1")))


@pytest.fixture
def remembering(tmp_path: Path, model: Both) -> Iterator[Memory]:
    config = Config.load(
        environ={}, home=tmp_path, db=str(tmp_path / "m.db"), key_dir=tmp_path / "keys", embedder="none"
    )
    with Memory(config=config, llm=model) as memory:
        yield memory
        assert memory.verify().problems == ()


def believed(memory: Memory, user_id: str = "ana") -> list[str]:
    """What is believed now."""
    found = [one.memory for one in memory.list(user_id=user_id, kinds=["fact"]).items]
    return sorted(one.text for one in found if one is not None and one.status is MemoryStatus.ACTIVE)


def test_an_add_asks_at_most_twice(remembering: Memory, model: Both) -> None:
    assert len(remembering.add(SELLS, user_id="ana").added) == 1
    assert model.tasks == ["extract"]
    done = remembering.add(GONE, user_id="ana")
    assert model.tasks == ["extract"] * 2 + ["reconcile"]
    assert done.cost.model_calls == 2
    assert [one.version for one in done.updated] == [2]
    assert believed(remembering) == [GONE]


def test_a_dry_run_tells_what_the_real_one_does(remembering: Memory, model: Both) -> None:
    remembering.add(SELLS, user_id="ana")
    tried = remembering.add(GONE, user_id="ana", dry_run=True)
    assert believed(remembering) == [SELLS]
    done = remembering.add(GONE, user_id="ana")
    assert [one.text for one in tried.updated] == [one.text for one in done.updated] == [GONE]
    assert [one.text for one in tried.retracted] == [one.text for one in done.retracted] == [SELLS]


def test_what_was_chosen_stays_when_all_is_derived_again(remembering: Memory, model: Both) -> None:
    remembering.add(SELLS, user_id="ana")
    remembering.add(GONE, user_id="ana")
    asked = model.tasks.count("reconcile")
    for dry_run in (True, False):
        done = remembering.derive(user_id="ana", where={}, dry_run=dry_run)
        assert (done.unchanged, done.added, done.withdrawn, done.reopened) == (2, (), (), ())
    assert model.tasks.count("reconcile") == asked
    assert believed(remembering) == [GONE]


def test_a_model_that_fails_at_choosing_leaves_nothing_waiting(remembering: Memory, model: Both) -> None:
    model.choice = ModelBusyError("the model is busy", hint="wait")
    remembering.add(SELLS, user_id="ana")
    done = remembering.add(GONE, user_id="ana")
    assert done.pending.get("extract", 0) == 0
    assert [one for one in done.problems if "chose nothing" in one]
    assert believed(remembering) == sorted([SELLS, GONE])


def test_forgetting_the_later_word_lets_the_earlier_hold_again(remembering: Memory, model: Both) -> None:
    remembering.add(SELLS, user_id="ana")
    later = remembering.add(GONE, user_id="ana").episodes[0]
    remembering.forget(user_id="ana", episode_id=later.id)
    assert believed(remembering) == [SELLS]


JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["c1", "m1", "DELETE", "NOOP"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["operation", "candidate", "memory", "operations"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    reply=st.one_of(
        st.text(max_size=80), JUNK.map(json.dumps), JUNK.map(lambda one: json.dumps({"operations": one}))
    )
)
def test_whatever_is_replied_the_allergy_stands(remembering: Memory, model: Both, reply: str) -> None:
    user, model.choice = f"user {len(model.tasks)}", reply
    peanuts = "The shop of Ana has peanuts in the bread"
    remembering.add([peanuts, SELLS], user_id=user)
    done = remembering.add([GONE, "The shop of Ana has no prawns in the bread"], user_id=user)
    left = believed(remembering, user)
    assert peanuts in left
    assert GONE in left
    assert len(left) == 4 - len(done.retracted)
    assert {one.text for one in done.retracted} <= {SELLS}
