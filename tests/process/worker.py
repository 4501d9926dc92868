"""A process that writes, for the tests beside it: says `ready`, waits for a line, then tells each thing that is done.

What it prints after a call returned is acknowledged: it must be there, whatever happens to this process.
"""

import json
import os
import random
import signal
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from affidavit import Config, Memory
from affidavit.core.book import Book
from affidavit.core.chains import reopen_after
from affidavit.core.changes import Erased
from affidavit.errors import AffidavitError, ErasedError, NotFoundError
from affidavit.proof.tombstones import Tombstones

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.support_lives import Life
from tests.support_memories import Remembering


class Hashed:
    """Vectors of eight dimensions from hashes."""

    name = "hashed-8"
    dimensions = 8

    def embed(self, texts: Sequence[str]) -> Any:
        rows = [np.frombuffer(sha256(text.encode()).digest()[:8], np.uint8) for text in texts]
        matrix = np.array(rows, dtype=np.float32) + 1
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def tell(what: str, **more: Any) -> None:
    print(json.dumps({"what": what, **more}), flush=True)


def everything(memory: Memory, user: str) -> list[str]:
    texts: list[str] = []
    after: int | None = None
    while True:
        page = memory.list(user_id=user, limit=1_000, after=after)
        texts += [item.text for item in page]
        after = page.next
        if after is None:
            return texts


def add_some(memory: Memory, task: dict[str, Any]) -> None:
    for n in range(task["count"]):
        text = f"note {task['mark']}x{n} of the day"
        done = memory.add(text, user_id=task["user"], session_id=task.get("session"))
        tell("added", ids=[done.episodes[0].id], texts=[text])


def tell_decision(memory: Memory, task: dict[str, Any]) -> None:
    done = memory.check_action(
        task["tool"], task["args"], user_id=task["user"], confirmation=task["confirmation"]
    )
    tell("decided", outcome=done.outcome, codes=[reason.code for reason in done.reasons])


def churn(memory: Memory, task: dict[str, Any]) -> None:
    """Adds, batches, re-sendings, erasures and vectors, in an order that the seed decides, until killed."""
    chance = random.Random(task["seed"])
    sessions: list[str] = []
    n = 0
    while True:
        n += 1
        user = chance.choice(["ana", "ben"])
        kind = chance.choice(["add", "add", "batch", "batch", "forget", "embed", "seal", "user"])
        mark = f"{task['seed']}x{n}"
        if kind == "add":
            text = f"single {mark} alone"
            tell("try", texts=[text])
            done = memory.add(text, user_id=user, idempotency_key=mark)
            tell("added", ids=[done.episodes[0].id], texts=[text])
        elif kind == "batch":
            texts = [f"batch {mark} part {i} of it" for i in range(chance.randint(2, 30))]
            tell("try", texts=texts, whole=True)
            sessions.append(mark)
            done = memory.add([{"role": "user", "content": t} for t in texts], user_id=user, session_id=mark)
            tell("added", ids=[e.id for e in done.episodes], texts=texts)
        elif kind == "forget" and sessions:
            session = sessions.pop(chance.randrange(len(sessions)))
            for owner in ("ana", "ben"):
                try:
                    texts = [item.text for item in memory.list(user_id=owner, session_id=session)]
                    tell("erasing", texts=texts)
                    memory.forget(user_id=owner, session_id=session)
                    tell("erased", texts=texts)
                except (NotFoundError, ErasedError):
                    pass
        elif kind == "embed":
            memory.admin.embed()
        elif kind == "seal":
            memory.admin.seal()
        elif kind == "user" and n % 5 == 0:
            texts = everything(memory, "ben")
            tell("erasing", texts=texts)
            if texts:
                memory.forget(user_id="ben", everything=True)
                tell("erased", texts=texts)


def live(memory: Memory, task: dict[str, Any]) -> None:
    """Says where the user lives, on the days of the task."""
    life = Life(memory)
    for day in task["days"]:
        outcome = life.states(f"home {day}", day)
        tell("added", ids=[*outcome.added, *outcome.updated])


def lives(memory: Memory, task: dict[str, Any]) -> None:
    """Statements, corrections, endings and erasures of versions, in an order that the seed decides, until killed."""
    chance = random.Random(task["seed"])
    life = Life(memory)
    while True:
        value, day = chance.choice(["Lisbon", "Porto", "Faro"]), chance.randint(1, 90)
        relation = chance.choice(["home", "work", "like", "dislike"])
        more: dict[str, Any] = chance.choice(
            [{}, {}, {"negated": True}, {"ended": True}, {"correction": True}, {"by": "assistant"}]
        )
        outcome = life.states(value, day, relation=relation, **more)
        versions = [*outcome.added, *outcome.updated, *outcome.supported]
        tell("taken", versions=versions)
        if chance.random() < 0.2:
            gone = chance.choice(versions)
            tell("erasing", version=gone)
            life.store.commit(life.space_id, erasure(gone))
            tell("erased", version=gone)


def unmake(memory: Memory, task: dict[str, Any]) -> None:
    """Memories made and taken back by every act there is, in an order that the seed decides, until killed."""
    chance = random.Random(task["seed"])
    her = Remembering(memory)
    her.memory.add("hello", user_id="ana")
    n = 0
    while True:
        n += 1
        mark = f"{task['seed']}x{n}"
        where = {"session_id": chance.choice("abc"), "source_id": f"{task['seed']}{chance.choice('xyz')}"}
        text = f"canary {mark} of the place"
        kind = chance.choice(
            ["say", "say", "say", "mail", "update", "retract", "endorse", "revoke", "forget"]
        )
        rows = her.items()
        try:
            if kind == "say":
                her.remember(f"I live in {text}", relation="home", object=text, more=where)
                tell("said", text=text)
            elif kind == "mail":
                mail = {"role": "mail", "name": "Bo", "content": f"You live in {text}"}
                her.remember(mail, relation="home", object=text, more=where)
                tell("said", text=text)
            elif kind == "revoke":
                her.sources.revoke(her.caller, where["source_id"])
            elif kind == "forget" and rows:
                what: dict[str, Any] = chance.choice(
                    [{"memory_id": chance.choice(rows).id}, {"session_id": where["session_id"]}]
                )
                before = {row.object for row in rows if row.object}
                tell("erasing")
                her.forget(**what)
                left = repr((her.items(), list(memory.list(user_id="ana", limit=1_000))))
                tell("erased", texts=[one for one in before if one not in left])
            elif rows and kind == "update":
                her.acts.update(her.caller, chance.choice(rows).memory_id, f"The user moved to {text}")
            elif rows and kind == "retract":
                her.acts.retract(her.caller, chance.choice(rows).id)
            elif rows:
                her.acts.endorse(her.caller, chance.choice(rows).id)
        except AffidavitError:
            pass  # refused: nothing was to be done


def erasure(version: str) -> Any:
    """The changes that erase a version: what it had closed is open again, its conflicts go with it."""

    def prepared(view: Any) -> Any:
        book = Book(view)
        reopen_after(book, [version])
        conflicts = [c.id for c in view.conflicts(view.space_id, open_only=False) if version in c.members]
        return [*book.changes, Erased(targets=(version, *conflicts))]

    return prepared


def main() -> None:
    task = json.loads(sys.argv[1])
    config = Config.load(
        environ={},
        home=task["base"],
        db=task["db"],
        key_dir=task["keys"],
        embedder="none",
        **task.get("config", {}),
    )
    embedder = Hashed() if task["mode"] == "churn" else None
    tools = task.get("tools")
    early = None if task.get("late") else Memory(config=config, embedder=embedder, tools=tools)
    tell("ready")
    sys.stdin.readline()
    memory = early or Memory(config=config, embedder=embedder, tools=tools)
    if task["mode"] == "add":
        add_some(memory, task)
    elif task["mode"] == "churn":
        churn(memory, task)
    elif task["mode"] == "live":
        live(memory, task)
    elif task["mode"] == "lives":
        lives(memory, task)
    elif task["mode"] == "unmake":
        unmake(memory, task)
    elif task["mode"] == "die erasing":
        memory.add("to be gone", user_id="ana", idempotency_key="k")
        memory.delete(memory.list(user_id="ana").items[0].id, user_id="ana")
        # Once the space's entry is committed, and before its marks are gone.
        Tombstones.drop_space = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
        tell("dying")
        memory.forget(user_id="ana", everything=True)
    elif task["mode"] == "act":
        tell_decision(memory, task)
    elif task["mode"] == "hold":
        store = memory._rooms.store
        with store._writing(whole=True) as conn:
            conn.execute("SELECT 1")
            tell("holding")
            sys.stdin.readline()
    memory.close()
    tell("closed")


if __name__ == "__main__":
    main()
