"""F23, for memories: of what is erased nothing stands in versions, slots, quotes, conflicts, sources, or the file."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from affidavit import Memory
from affidavit.core.memories import Kind
from affidavit.core.values import json_text
from affidavit.core.when import When
from tests.support_memories import Remembering, admitted

Left = Callable[[Iterable[str]], dict[str, list[str]]]
WORDS = (
    "content", "name", "key", "value", "session", "source", "sourceid", "object", "qualifier", "subject",
    "claimant", "slot", "time", "text", "mail", "update",
)  # fmt: skip


def canaries(mark: str) -> dict[str, str]:
    return {word: f"{mark}zq7{word}kx4wp" for word in WORDS}


def tell(memory: Memory, mark: str, user: str) -> dict[str, str]:
    """Leave a canary in everything that a memory is made of; the canaries."""
    c, one = canaries(mark), Remembering(memory, user)
    more: dict[str, Any] = {
        "session_id": c["session"],
        "source": c["source"],
        "source_id": c["sourceid"],
        "metadata": {c["key"]: c["value"]},
    }
    words = " ".join(c[word] for word in ("content", "object", "qualifier", "subject", "slot", "time"))
    said = one.say(words, **more)
    spoken = admitted(
        said,
        text=f"The user has {c['text']}.",
        relation="favorite",
        object=c["object"],
        qualifier=c["qualifier"],
        slots=[("account", c["slot"])],
        metadata=json_text({c["key"]: c["value"]}),
        begins=When(start=1_550_000_000_000_000, end=None, text=c["time"]),
        kind=Kind.PREFERENCE,
    )
    her: dict[str, Any] = {"subject": c["subject"], "relation": "home", "object": c["object"]}
    about = admitted(said, text=f"{c['subject']} lives in {c['object']}.", **her)
    favorite, _ = one.take(spoken, about).added
    mail = one.say({"role": "mail", "name": c["name"], "content": f"{c['mail']} {c['subject']}"}, **more)
    claim = admitted(mail, subject=c["subject"], relation="home", object=c["mail"], claimant=c["claimant"])
    one.take(claim)
    assert one.conflicts()
    done = one.acts.update(one.caller, favorite, f"The user has {c['update']}.")
    one.derived(done.id, text=f"In short: {c['update']}.")
    one.derived(favorite, text=f"In short: {c['content']}.")
    memory.search(f"{c['content']} {c['object']}", user_id=user)
    return c


@pytest.mark.parametrize("by", ["user", "session", "source", "actor", "memory"])
def test_no_trace_is_left_and_the_others_are_whole(memory: Memory, left_on_disk: Left, by: str) -> None:
    gone, kept = tell(memory, "gone", "goneuser"), tell(memory, "kept", "keptuser")
    his, hers = Remembering(memory, "goneuser"), Remembering(memory, "keptuser")
    assert set(left_on_disk(gone.values())) == set(gone.values())
    before = hers.items(), hers.conflicts(), memory.list(user_id="keptuser")
    update = next(row for row in his.items() if row.text == f"The user has {gone['update']}.")

    if by == "user":
        his.forget(everything=True)
    elif by == "memory":
        for memory_id in {row.memory_id for row in his.items()}:
            if any(row.memory_id == memory_id for row in his.items()):
                his.forget(memory_id=memory_id)
    else:
        his.forget(memory_id=update.id)  # an update is an episode of its own, of no session and no source
        what: dict[str, Any] = {
            "session": {"session_id": gone["session"]},
            "source": {"source_id": gone["sourceid"]},
        }
        for named in (what[by],) if by in what else ({"actor": "user:goneuser"}, {"actor": gone["name"]}):
            his.forget(**named)

    assert not left_on_disk(gone.values())
    if by != "user":
        assert his.items() == []
        assert his.conflicts(open_only=False) == []
    assert (hers.items(), hers.conflicts(), memory.list(user_id="keptuser")) == before
    assert set(left_on_disk(kept.values())) == set(kept.values())
    verified = memory.verify()
    assert (verified.problems, verified.level) == ((), 2)


def test_of_a_revoked_source_that_is_erased_not_even_its_name_is_left(
    memory: Memory, left_on_disk: Left
) -> None:
    gone = tell(memory, "gone", "ana")
    her = Remembering(memory, "ana")
    her.sources.revoke(her.caller, gone["sourceid"])
    her.forget(source_id=gone["sourceid"])
    left = {word: where for word, where in left_on_disk(gone.values()).items() if word != gone["update"]}
    assert left == {}
    her.verified()


def test_what_other_evidence_carries_keeps_nothing_of_the_erased(memory: Memory, left_on_disk: Left) -> None:
    her = Remembering(memory)
    c = canaries("gone")
    words = f"Since {c['time']} I live in Lisbon, says {c['name']}, {c['slot']} {c['content']}"
    said = her.say(words, session_id=c["session"], source_id=c["sourceid"], metadata={c["key"]: c["value"]})
    her.take(
        admitted(
            said,
            text=f"The user lives in Lisbon, {c['text']}.",
            relation="home",
            object="Lisbon",
            begins=When(start=1_550_000_000_000_000, end=None, text=c["time"]),
            metadata=json_text({c["key"]: c["value"]}),
        )
    )
    kept = her.lives_in("Lisbon", "I do live in Lisbon")
    her.remember(
        {"role": "mail", "name": "Bo", "content": "You live in Porto now"}, relation="home", object="Porto"
    )
    assert len(her.supports(kept)) == 2
    her.forget(session_id=c["session"])
    assert not left_on_disk(c.values())
    row = next(row for row in her.items() if row.object == "Lisbon")
    assert (row.text, row.status) == ("I do live in Lisbon", "active")
    assert len(her.conflicts()) == 1
    her.verified()
