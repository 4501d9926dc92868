"""Why something was not remembered."""

from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.errors import AffidavitError, ModelRefusedError
from tests.conftest import TestClock
from tests.support_replies import Replying, said, statement

DOUBT, LIE = "I might move to Oslo soon", "Tea is fine for me"
HERS: dict[str, Any] = {"user_id": "ana"}


@pytest.fixture
def model() -> Replying:
    return Replying(
        said(
            statement("The user moves to Oslo soon.", DOUBT, "m1"),
            statement("The user owes 500 euros", LIE, "m2"),
            statement("The user flies to Mars", "never said by anybody", "m1"),
        )
    )


@pytest.fixture
def memory(config: Config, clock: TestClock, model: Replying):
    with Memory(config=config, clock=clock, llm=model) as opened:
        yield opened


def tell(memory: Memory, session: str = "s"):
    batch = [{"role": "user", "content": one} for one in (DOUBT, LIE)]
    return memory.add(batch, session_id=session, **HERS)


def test_each_says_what_was_refused_why_and_by_whom_it_was_proposed(memory: Memory) -> None:
    done = tell(memory)
    found = memory.rejections(**HERS)
    assert [(one.check, one.code, one.quote) for one in found] == [
        ("quote", "quote_not_found", None),
        ("certainty", "hedged", DOUBT),
        ("values", "value_not_in_quote", LIE),
    ]
    assert {one.model for one in found} == {"callable:replying"}
    assert [one.episode_id for one in found] == [done.episodes[i].id for i in (0, 0, 1)]
    assert all(one.hint and one.at.startswith("2026-06-01T12:00") for one in found)
    assert {one.session_id for one in found} == {"s"}
    assert "500" not in str(found.to_dict())


def test_by_session_episode_check_and_code_and_in_pages(memory: Memory) -> None:
    first, second = tell(memory, "one"), tell(memory, "two")
    assert memory.rejections(**HERS).total == 6
    assert memory.rejections(session_id="one", **HERS).total == 3
    assert memory.rejections(episode_id=second.episodes[1].id, **HERS).total == 1
    assert memory.rejections(code="hedged", **HERS).total == 2
    assert memory.rejections(check="values", session_id="two", **HERS).total == 1
    assert memory.rejections(code="nothing_like_it", **HERS).items == ()
    pages, after = [], None
    while True:
        page = memory.rejections(limit=4, after=after, **HERS)
        pages += list(page)
        after = page.next
        if after is None:
            break
    assert pages == list(memory.rejections(**HERS))
    newest = memory.rejections(newest=True, limit=1, **HERS).items[0]
    assert newest.episode_id == second.episodes[1].id != first.episodes[1].id


@pytest.mark.parametrize("bad", [{"limit": 0}, {"limit": 1_001}, {"after": -1}, {"after": "x"}, {"code": ""}])
def test_what_can_not_be_asked_is_refused(memory: Memory, bad) -> None:
    with pytest.raises(AffidavitError):
        memory.rejections(**HERS, **bad)


def test_nobody_sees_anothers_and_an_empty_space_has_none(memory: Memory) -> None:
    tell(memory)
    assert memory.rejections(user_id="eve").total == 0
    memory.add("hello there my friends", user_id="eve", infer=False)
    assert memory.rejections(user_id="eve").total == 0


def test_looked_at_again_it_is_told_anew(memory: Memory, model: Replying) -> None:
    tell(memory)
    model.replies = [said()]
    memory.derive(where={}, dry_run=True, **HERS)
    assert memory.rejections(**HERS).total == 3
    memory.derive(where={}, **HERS)
    assert memory.rejections(**HERS).total == 0


def test_erased_with_its_episode(memory: Memory) -> None:
    done = tell(memory)
    memory.forget(episode_id=done.episodes[0].id, **HERS)
    assert [one.quote for one in memory.rejections(**HERS)] == [LIE]


def test_a_model_that_failed_at_an_episode_is_told_until_it_has_looked(
    memory: Memory, model: Replying
) -> None:
    honest = model.replies
    model.replies = [ModelRefusedError("it would not answer")]
    tell(memory)
    found = memory.rejections(**HERS)
    assert [(one.check, one.code, one.quote) for one in found] == [("extract", "model_refused", None)] * 2
    model.replies = honest
    memory.derive(**HERS)
    assert {one.check for one in memory.rejections(**HERS)} == {"quote", "certainty", "values"}
    assert memory.verify().problems == ()
