"""The whole memory against a plain model: adds, batches, erasures and reopenings in any order."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from affidavit import Config, Memory
from affidavit.errors import ErasedError, NotFoundError

USERS = st.sampled_from(["ana", "ben", "ana "])
WORDS = st.lists(
    st.sampled_from(["harbour", "violet", "kettle", "orchard", "meadow", "lantern", "copper", "saffron"]),
    min_size=1,
    max_size=4,
).map(" ".join)
TEXTS = WORDS | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(
    lambda text: bool(text.strip())
)
SESSIONS = st.sampled_from([None, "one", "two"])
SOURCES = st.sampled_from([None, "mail", "mail%"])


class Ticking:
    """Every look is a microsecond later."""

    def __init__(self) -> None:
        self.us = 1_780_315_200_000_000

    def now(self) -> int:
        self.us += 1
        return self.us


class MemoryModel(RuleBasedStateMachine):
    """`kept` is the model: for each user, what was said, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp())
        self.clock = Ticking()
        self.kept: dict[str, list[dict[str, Any]]] = {}
        self.buried: set[tuple[str, str]] = set()

    @initialize()
    def open(self) -> None:
        config = Config.load(
            environ={},
            home=self.base,
            db=str(self.base / "s" / "m.db"),
            key_dir=self.base / "keys",
            embedder="none",
        )
        self.memory = Memory(config=config, clock=self.clock)

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            verified = self.memory.verify()
            assert not verified.problems
            assert verified.level == 2
            self.memory.close()
        shutil.rmtree(self.base)

    @rule(user=USERS, text=TEXTS, session=SESSIONS, source=SOURCES)
    def add(self, user: str, text: str, session: str | None, source: str | None) -> None:
        who = user.strip()
        try:
            result = self.memory.add(text, user_id=user, session_id=session, source_id=source)
        except ErasedError:
            assert (who, str(source)) in self.buried
            return
        assert source is None or (who, source) not in self.buried
        (episode,) = result.episodes
        self.kept.setdefault(who, []).append(
            {"id": episode.id, "text": episode.text, "session": session, "source": source}
        )

    @rule(user=USERS, texts=st.lists(TEXTS, min_size=1, max_size=6), session=SESSIONS)
    def batch(self, user: str, texts: list[str], session: str | None) -> None:
        messages = [{"role": "user", "content": text} for text in texts]
        result = self.memory.add(messages, user_id=user, session_id=session)
        assert len(result.episodes) == len(texts)
        self.kept.setdefault(user.strip(), []).extend(
            {"id": e.id, "text": e.text, "session": session, "source": None} for e in result.episodes
        )

    @rule(user=USERS, text=TEXTS)
    def try_out(self, user: str, text: str) -> None:
        before = self.memory.admin.inspect()
        assert self.memory.add(text, user_id=user, dry_run=True).episodes
        assert self.memory.admin.inspect() == before

    @rule(user=USERS, session=st.sampled_from(["one", "two"]))
    def forget_session(self, user: str, session: str) -> None:
        self._forget(
            user, [m for m in self.kept.get(user.strip(), []) if m["session"] == session], session_id=session
        )

    @rule(user=USERS, source=st.sampled_from(["mail", "mail%"]))
    def forget_source(self, user: str, source: str) -> None:
        gone = [m for m in self.kept.get(user.strip(), []) if m["source"] == source]
        self._forget(user, gone, source_id=source)
        if gone:
            self.buried.add((user.strip(), source))

    @precondition(lambda self: any(self.kept.values()))
    @rule(data=st.data())
    def forget_one(self, data: st.DataObject) -> None:
        user = data.draw(st.sampled_from(sorted(user for user, said in self.kept.items() if said)))
        one = data.draw(st.sampled_from(self.kept[user]))
        for other in set(self.kept) - {user}:
            with pytest.raises(NotFoundError):
                self.memory.forget(user_id=other, episode_id=one["id"])
        self._forget(user, [one], episode_id=one["id"])

    @rule(user=USERS)
    def forget_user(self, user: str) -> None:
        who = user.strip()
        if who not in self.kept:
            with pytest.raises(NotFoundError):
                self.memory.forget(user_id=user, everything=True)
            return
        assert self.memory.forget(user_id=user, everything=True).episodes == len(self.kept.pop(who))
        self.buried = {(name, source) for name, source in self.buried if name != who}

    def _forget(self, user: str, gone: list[dict[str, Any]], **what: str) -> None:
        if not gone:
            with pytest.raises(NotFoundError):
                self.memory.forget(user_id=user, **what)  # type: ignore[arg-type]
            return
        receipt = self.memory.forget(user_id=user, **what)  # type: ignore[arg-type]
        assert receipt.episodes == len(gone)
        assert receipt.physical_at is not None
        who = user.strip()
        self.kept[who] = [m for m in self.kept[who] if m not in gone]

    @rule()
    def reopen(self) -> None:
        self.memory.close()
        self.open()

    @rule()
    def seal(self) -> None:
        assert self.memory.admin.seal()

    @invariant()
    def lists_are_the_models(self) -> None:
        if not hasattr(self, "memory"):
            return
        for user in ("ana", "ben"):
            said = self.kept.get(user, [])
            page = self.memory.list(user_id=user, limit=1_000)
            assert [(item.id, item.text, item.episode and item.episode.session_id) for item in page] == [
                (m["id"], m["text"], m["session"]) for m in said
            ]
            assert page.total == len(said)

    @invariant()
    def searches_find_own_things_only(self) -> None:
        if not hasattr(self, "memory"):
            return
        for user in ("ana", "ben"):
            own = {m["id"] for m in self.kept.get(user, [])}
            for word in ("violet", "harbour"):
                found = {hit.id for hit in self.memory.search(word, user_id=user, limit=1_000, record=False)}
                assert found <= own
                assert {m["id"] for m in self.kept.get(user, []) if word in m["text"].split()} <= found


MemoryModel.TestCase.settings = settings(max_examples=8, stateful_step_count=15, deadline=None)
TestMemoryAgainstTheModel = MemoryModel.TestCase


@pytest.mark.soak
def test_long_lives_against_the_model() -> None:
    run_state_machine_as_test(
        MemoryModel, settings=settings(max_examples=400, stateful_step_count=40, deadline=None)
    )
