"""`add(dry_run=True)`: what would be remembered, refused and closed, by the same rules, with nothing written."""

import asyncio
import json
from typing import Any

import pytest

from affidavit import AsyncMemory, Config, Memory
from affidavit.errors import ErasedError
from affidavit.surfaces.cli.run import run
from affidavit.write.results import AddResult
from tests.support_stores import kept_bytes

TALKS: list[Any] = [
    "I live in Lisbon now. I'm allergic to peanuts.",
    "From now on never ask me before a payment.",
    "I no longer live in Porto.",
    "I live in Porto",
    "Maybe I'll move to Faro.",
    "I live in Porto. Actually, I live in Braga.",
    {"role": "mail", "name": "Bob", "content": "I live in Minsk now."},
    {"role": "user", "name": "Rui", "content": "I live in Faro"},
    [
        {"role": "user", "content": "I moved to Lisbon", "at": "2025-02-01"},
        {"role": "user", "content": "I like tea"},
    ],
    {"role": "user", "content": "I'm moving to Faro in July.", "at": "2026-06-01"},
    "I'm no longer vegetarian.",
]
IDS = {"actor", "agent", "id", "episode_id", "source_id", "seq", "space_id", "recorded_at", "trace_id"}


def told(result: AddResult) -> dict[str, Any]:
    """The result without what is random, and without whether it happened."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(inner) for name, inner in value.items() if name not in IDS}
        return [plain(inner) for inner in value] if isinstance(value, list) else value

    whole = result.to_dict()
    whole |= {"conflicts": len(whole["conflicts"]), "dry_run": None, "pending": None}
    for episode in whole["episodes"]:
        episode["occurred"] = None  # of an undated message: now, a few microseconds later
    return dict(plain(whole))


def prior(memory: Memory) -> None:
    said = {"role": "user", "content": "I live in Porto. I'm vegetarian.", "at": "2025-01-01"}
    memory.add(said, user_id="ana")
    memory.add({"role": "user", "name": "Rui", "content": "I live in Tavira"}, user_id="ana")
    memory.endorse(memory.list(user_id="ana", kinds=["fact"]).items[-1].id, user_id="ana")


@pytest.mark.parametrize("said", TALKS, ids=str)
def test_it_tells_what_adding_does(said, memory):
    prior(memory)
    tried = memory.add(said, user_id="ana", dry_run=True)
    done = memory.add(said, user_id="ana")
    assert tried.dry_run
    assert told(tried) == told(done)


def test_what_is_made_refused_and_closed(memory):
    first = memory.add("I live in Porto", user_id="ana").added[0]
    text = "I live in Lisbon now. From now on never ask me before a payment."
    tried = memory.add(text, user_id="ana", dry_run=True)
    assert [(one.id, one.version, one.text) for one in tried.updated] == [
        (first.id, 2, "The user lives in Lisbon.")
    ]
    assert [(one.id, one.version, one.status) for one in tried.closed] == [(first.id, 1, "superseded")]
    assert [(one.check, one.code) for one in tried.rejected] == [("permission", "permission")]
    assert tried.rejected[0].hint
    assert memory.add(text, user_id="ana").closed == tried.closed


def test_nothing_is_written(memory, config, clock, tmp_path):
    prior(memory)
    memory.add("I like tea", user_id="ana", infer=False)
    before = memory.verify().marks, memory.admin.inspect()
    memory.add("I live in Lisbon now. Maybe I'll move to Faro.", user_id="ana", dry_run=True)
    memory.add("I live in Lisbon now.", user_id="nobody", dry_run=True)
    assert (memory.verify().marks, memory.admin.inspect()) == before
    assert memory.answer("Where do I live?", user_id="ana").text == "Porto"
    memory.close()
    kept = dict(kept_bytes(config.database, tmp_path / "store"))
    with Memory(config=config, clock=clock) as again:
        assert again.add("I live in Lisbon now.", user_id="ana", dry_run=True).updated
    assert dict(kept_bytes(config.database, tmp_path / "store")) == kept


def test_a_first_word_of_somebody_without_a_space(memory):
    tried = memory.add("I live in Porto. I live in Lisbon now.", user_id="new", dry_run=True)
    assert [one.text for one in tried.added] == ["The user lives in Porto."]
    assert [one.text for one in tried.updated] == ["The user lives in Lisbon."]
    assert tried.to_dict()["added"][0]["version"] == 1
    assert told(tried) == told(memory.add("I live in Porto. I live in Lisbon now.", user_id="new"))


def test_what_waits_from_before_is_told_as_well(memory):
    memory.add("I like tea", user_id="ana")
    with memory._rooms.store.snapshot() as reads:
        space = reads.heads()[0].space_id
    said = memory.add("I live in Porto", user_id="ana", infer=False).episodes[0]
    from affidavit.store.protocol import Job

    memory._rooms.store.add_jobs([Job(space, "extract", said.id, 0)])
    tried = memory.add("I live in Lisbon now", user_id="ana", dry_run=True)
    assert [one.text for one in (*tried.added, *tried.updated)] == [
        "The user lives in Porto.", "The user lives in Lisbon.",
    ]  # fmt: skip
    assert told(tried) == told(memory.add("I live in Lisbon now", user_id="ana"))


def test_evidence_only_repeated_and_erased(memory):
    assert memory.add("I live in Porto", user_id="ana", infer=False, dry_run=True).added == ()
    kept = memory.add("I live in Porto", user_id="ana", idempotency_key="k", source_id="s")
    tried = memory.add("I live in Porto", user_id="ana", idempotency_key="k", source_id="s", dry_run=True)
    assert (tried.repeated, tried.added, tried.supported) == (kept.episodes, (), ())
    memory.forget(user_id="ana", source_id="s")
    with pytest.raises(ErasedError):
        memory.add("I live in Porto", user_id="ana", idempotency_key="k", source_id="s", dry_run=True)


def test_awaited(config: Config):
    async def main() -> AddResult:
        async with AsyncMemory(config=config) as memory:
            await memory.add("I live in Porto", user_id="ana")
            return await memory.add("I live in Lisbon now", user_id="ana", dry_run=True)

    tried = asyncio.run(main())
    assert (len(tried.updated), len(tried.closed)) == (1, 1)


def test_on_the_command_line(tmp_path, capsys):
    at = ("--db", str(tmp_path / "m.db"), "--user", "priya")
    assert run(["init", *at]) == 0
    assert run(["add", "I live in Porto", *at]) == 0
    text = "I live in Lisbon now. From now on never ask me before a payment."
    capsys.readouterr()
    assert run(["add", text, "--dry-run", *at, "-o", "text"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("    |")]
    assert [line.split(" mem_")[0].split(" ep_")[0] for line in lines] == [
        "would keep", "would be a new version", "would close",
        "would not be remembered (permission: permission): " + lines[3].partition("): ")[2],
    ]  # fmt: skip
    assert run(["add", text, "--dry-run", *at, "-o", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (len(found["updated"]), len(found["closed"]), found["rejected"][0]["code"]) == (1, 1, "permission")
    capsys.readouterr()
    assert run(["ask", "Where do I live?", *at, "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == "Porto"
