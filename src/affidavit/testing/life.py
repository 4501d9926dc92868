"""One life of a memory, call by call: everything that Affidavit does, done once."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from affidavit.core.changes import Change, ConflictOpened
from affidavit.core.ids import CONFLICT
from affidavit.store.protocol import View
from affidavit.testing.house import GivenMemory

ANA: Final[dict[str, Any]] = {"user_id": "ana"}
BEN: Final[dict[str, Any]] = {"user_id": "ben"}
OPS: Final[dict[str, Any]] = {"team_id": "ops", "user_id": "ben"}
Kept = dict[str, Any]
"""What earlier steps of the same memory gave, by name."""


class Step(NamedTuple):
    """A call, and what to keep its result as."""

    name: str
    call: Callable[[GivenMemory, Kept], Any]
    seconds: float = 60.0


def life() -> Iterator[Step]:
    """The steps, in order. Each is done in the reference and in the store under test before the next."""
    yield from _said()
    yield from _asked()
    yield from _acted()
    yield from _gates()
    yield from _forgotten()
    yield from _refused()
    yield from _kept_safe()


def _said() -> Iterator[Step]:
    yield Step("empty", lambda m, _: m.search("anything", **ANA))
    yield Step("home", lambda m, _: m.add("I moved to Madrid last week", occurred_at="2026-03-10", **ANA))
    yield Step("dry", lambda m, _: m.add("I live in Faro now", dry_run=True, **ANA))
    yield Step("moved", lambda m, _: m.add("I live in Lisbon now", session_id="s1", **ANA))
    yield Step("batch", lambda m, _: m.add(_BATCH, session_id="s2", agent_id="bot", **ANA))
    yield Step("once", lambda m, _: m.add("I like green tea", idempotency_key="k1", **ANA))
    yield Step("twice", lambda m, _: m.add("I like green tea", idempotency_key="k1", **ANA))
    yield Step("mail", lambda m, _: m.add(_MAIL, source="inbox", source_id="mail-1", **ANA))
    yield Step(
        "document",
        lambda m, _: m.add(document="# Rules\n\nReturn it in 30 days.\n\n# More\n\nKeep the box.", **BEN),
    )
    yield Step("team", lambda m, _: m.add("Our release day is Friday", derived_from="third_party", **OPS))
    yield Step("agent", lambda m, _: m.add("Answer in short words", agent_id="bot", role="assistant"))
    yield Step("odd", lambda m, _: m.add(_ODD, metadata={"n": 1.5, "s": "é\u2028"}, resources=["r-1"], **BEN))
    yield Step("waits", lambda m, _: m.add("I work at Acme", infer=False, **BEN))
    yield Step("derived", lambda m, _: m.derive(**BEN))
    yield Step("again", lambda m, _: m.derive(where={"role": "user"}, dry_run=True, **ANA))
    yield Step("derived again", lambda m, _: m.derive(where={"role": "user"}, **BEN))
    yield Step("embedded", lambda m, _: m.admin.embed())
    yield Step("sealed", lambda m, _: m.admin.seal())


def _asked() -> Iterator[Step]:
    yield Step("found", lambda m, _: m.search("where do I live", explain=True, **ANA))
    yield Step("filtered", lambda m, _: m.search("seat", filters={"session_id": "s2"}, agent_id="bot", **ANA))
    yield Step("as of", lambda m, _: m.search("live", as_of="2026-04-01", kinds="fact", **ANA))
    yield Step("odd query", lambda m, _: m.search('"); DROP % _ \\ \u0130 漢字 -- ', **BEN))
    yield Step("of the team", lambda m, _: m.search("release", **OPS))
    yield Step("answered", lambda m, _: m.answer("Where do I live?", **ANA))
    yield Step("answered then", lambda m, _: m.answer("Where do I live?", as_of="2026-04-01", **ANA))
    yield Step("unknown", lambda m, _: m.answer("Where does Zoe live?", **ANA))
    yield Step("recalled", lambda m, _: m.recall("Where does Ana live?", **ANA))
    yield Step("briefed", lambda m, _: m.recall(agent_id="bot", **ANA))
    yield Step("profile", lambda m, _: m.profile(**ANA))
    yield Step("history", lambda m, k: m.history(_memory(k["moved"]), **ANA))
    yield Step("why", lambda m, k: m.why("where do I live", _memory(k["moved"]), **ANA))
    yield Step("page", lambda m, _: m.list(limit=3, **ANA))
    yield Step("next page", lambda m, k: m.list(limit=3, after=k["page"].next, **ANA))
    yield Step("newest", lambda m, _: m.list(limit=2, newest=True, **ANA))
    yield Step("refused", lambda m, _: m.rejections(session_id="s1", limit=2, **ANA))
    yield Step("got", lambda m, k: m.get(k["once"].episodes[0].id, **ANA))
    yield Step("sources", lambda m, _: m.sources.list(**ANA))


def _acted() -> Iterator[Step]:
    yield Step("updated", lambda m, k: m.update(_memory(k["moved"]), "I live in Porto", **ANA))
    yield Step("confirmed", lambda m, k: m.confirm(_memory(k["once"]), session_id="s3", **ANA))
    yield Step("claims", lambda m, _: m.search("account", **ANA))
    yield Step("rival", lambda m, _: m.add(_RIVAL, source_id="mail-2", **ANA))
    yield Step(
        "rivals",
        lambda m, k: _set_against(
            m, k["moved"].episodes[0].space_id, (k["updated"].id, f"{_memory(k['rival'])}@1")
        ),
    )
    yield Step("conflicts", lambda m, _: m.conflicts(**ANA))
    yield Step("contested", lambda m, _: m.answer("Where do I live?", **ANA))
    yield Step("resolved", lambda m, k: m.resolve(k["conflicts"][0].id, keep=k["updated"].id, **ANA))
    yield Step("endorsed", lambda m, k: m.endorse(_memory(k["once"]), **ANA))
    yield Step("revoked", lambda m, _: m.sources.revoke("mail-1", **ANA))
    yield Step("retracted", lambda m, k: m.retract(_memory(k["once"]), **ANA))
    yield Step("maintained", lambda m, _: m.admin.maintain(), 90 * 86_400.0)
    yield Step("stale", lambda m, _: m.answer("Where do I live?", **ANA))
    yield Step("rechecked", lambda m, _: m.verify())


def _gates() -> Iterator[Step]:
    yield Step("permit", lambda m, _: m.access.permit("ana", "transfer", limit={"amount": {"lte": 50}}))
    yield Step("denied", lambda m, _: m.check_action("transfer", {"to": "Eve", "amount": 10}, **ANA))
    yield Step("asked first", lambda m, _: m.check_action("transfer", {"amount": 90}, **ANA))
    yield Step("confirmed it", lambda m, k: m.check_action(
        "transfer", {"amount": 90}, confirmation=k["asked first"].confirmation, **ANA))  # fmt: skip
    yield Step("confirmed twice", lambda m, k: m.check_action(
        "transfer", {"amount": 90}, confirmation=k["asked first"].confirmation, **ANA))  # fmt: skip
    yield Step("permits", lambda m, _: m.access.permits("ana"))
    yield Step("permit ended", lambda m, k: m.access.revoke(k["permit"].id, **ANA))


def _forgotten() -> Iterator[Step]:
    yield Step("would forget", lambda m, _: m.forget(session_id="s2", dry_run=True, **ANA))
    yield Step("forgot session", lambda m, _: m.forget(session_id="s2", **ANA))
    yield Step("forgot episode", lambda m, k: m.forget(episode_id=k["odd"].episodes[0].id, **BEN))
    yield Step("forgot memory", lambda m, k: m.forget(memory_id=_memory(k["moved"]), **ANA))
    yield Step("forgot source", lambda m, _: m.forget(source_id="mail-2", **ANA))
    yield Step("cleaned", lambda m, _: [m.admin.clean(), None][1])
    yield Step("does not come back", lambda m, _: m.add(_RIVAL, source_id="mail-2", **ANA))
    yield Step("still found", lambda m, _: m.search("green tea", **ANA))
    yield Step("forgot team", lambda m, _: m.forget(everything=True, **OPS))
    yield Step("team anew", lambda m, _: m.add("Our release day is Monday", **OPS))
    yield Step("nothing of it", lambda m, _: m.search("release Friday", **OPS))


def _refused() -> Iterator[Step]:
    yield Step("no role", lambda m, _: m.add({"role": "robot", "content": "x"}, **ANA))
    yield Step("no id", lambda m, _: m.add("x", user_id=""))
    yield Step("NUL in an id", lambda m, _: m.add("x", user_id="a\0b"))
    yield Step("other content", lambda m, _: m.add("I like red tea", idempotency_key="k2", **ANA))
    yield Step("other content now", lambda m, _: m.add("I like blue tea", idempotency_key="k2", **ANA))
    yield Step("bad filter", lambda m, _: m.search("x", filters={"nothing": 1}, **ANA))
    yield Step("bad date", lambda m, _: m.add("x", occurred_at="never", **ANA))
    yield Step("others' memory", lambda m, k: m.get(k["once"].episodes[0].id, **BEN))
    yield Step("nothing to forget", lambda m, _: m.forget(session_id="none", **ANA))
    yield Step("no memory", lambda m, _: m.update("mem_0", "x", **ANA))


def _kept_safe() -> Iterator[Step]:
    yield Step("marks", lambda m, _: m.verify().marks)
    yield Step("rotated", lambda m, _: m.admin.rotate_key())
    yield Step("after it", lambda m, _: m.add("I have a dog", **BEN))
    yield Step("sealed again", lambda m, _: m.admin.seal())
    yield Step("lost", lambda m, _: m.admin.rotate_key(lost=True))
    yield Step("since", lambda m, k: m.verify(since=k["marks"]))
    yield Step("counted", lambda m, _: m.admin.inspect())
    yield Step("verified", lambda m, _: m.verify())
    yield Step("reset", lambda m, _: m.reset())
    yield Step("verified at the end", lambda m, _: m.verify())


_BATCH: Final = [
    {"role": "user", "content": "I'd like the window seat", "name": "Ana"},
    {"role": "assistant", "content": "Noted: a window seat"},
    {"role": "tool", "content": "seat 12A is free", "name": "seats"},
]
_MAIL: Final = {"role": "mail", "content": "Our account is now DE02 1203 0000 0000 2020 51", "name": "Bank"}
_RIVAL: Final = {"role": "mail", "content": "I live in Faro", "name": "Bo"}
_ODD: Final = "Ünïcode 漢字 \u202e\u0130\ufeff 🦜 'quoted' \\ % _ \t end"


def _set_against(memory: GivenMemory, space_id: str, members: tuple[str, str]) -> object:
    def rivals(view: View) -> list[Change]:
        return [ConflictOpened(id=view.new_id(CONFLICT), members=members, subject="user", relation="home")]

    return memory.store.commit(space_id, rivals).head


def _memory(result: Any) -> str:
    """The id of the first memory that an `add` made."""
    return str(result.added[0].id if result.added else result.updated[0].id)
