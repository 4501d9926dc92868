"""What real small models said when they were asked, replayed: parsing, checks and all that follows are the real ones.

`tests/data/recorded/<model>.<what>.jsonl` holds, after a first line that says of which model, by which prompts and
when, one line for each thing that was told or asked, with every reply in its order. `python -m bench.record_models`
writes them anew. What a model said stays what a model may say, whatever our prompts are today: an old recording is
still replayed.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit import AddResult, Answer, Memory, MemoryItem
from affidavit.errors import ModelError
from affidavit.providers.language_model import LanguageModel, Prompt, Reply
from tests.support_stores import plainly

if TYPE_CHECKING:
    from tests.support_attacks import Attack, Opening

DATA = Path(__file__).parent / "data"
RECORDED = DATA / "recorded"
MODELS = ("smollm2-135m", "qwen2.5-coder-0.5b")
AGAIN = "record it again: python -m bench.record_models"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Messages that a memory of its own is told at once; with a question, what is asked of it then.

    `replies`: what the model said, by what it was asked for, in order.
    """

    id: str
    messages: Sequence[Mapping[str, Any]]
    question: str | None = None
    replies: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """All that one model said, and by which prompts it was asked."""

    model: str
    sha256: str
    recorded: str
    prompts: Mapping[str, Sequence[str]]
    told: Sequence[Told]


def recording(name: str, what: str) -> Recording:
    """What a model said of `messages` or `questions`."""
    first, *rest = (RECORDED / f"{name}.{what}.jsonl").read_text(encoding="utf-8").splitlines()
    return Recording(**json.loads(first), told=[Told(**json.loads(line)) for line in rest])


def fingerprint(prompt: Prompt) -> str:
    """Of what a prompt always says: the orders and the shape of the reply."""
    said = json.dumps([prompt.system, prompt.schema], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


class Noting:
    """A model, and a note of what it was asked and said."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.replies: dict[str, list[str]] = defaultdict(list)
        self.prompts: dict[str, set[str]] = defaultdict(set)

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    def complete(self, prompt: Prompt) -> Reply:
        """The model's reply, noted."""
        self.prompts[prompt.task].add(fingerprint(prompt))
        reply = self._model.complete(prompt)
        self.replies[prompt.task].append(reply.text)
        return reply

    def taken(self) -> dict[str, list[str]]:
        """The replies since this was called last."""
        said, self.replies = dict(self.replies), defaultdict(list)
        return said


class Replaying:
    """Says again what was said about one thing; once that is used up, it is a model that can't be reached."""

    def __init__(self, name: str) -> None:
        self.name = f"recorded:{name}"
        self._left: dict[str, Iterator[str]] = {}

    def load(self, told: Told) -> None:
        """From now on it speaks about this."""
        self._left = {task: iter(said) for task, said in told.replies.items()}

    def complete(self, prompt: Prompt) -> Reply:
        """The next reply for such a prompt."""
        said = next(self._left.get(prompt.task, iter(())), None)
        if said is None:
            raise ModelError("nothing more was recorded", hint=AGAIN)
        return Reply(text=said)


def messages() -> list[Told]:
    """The 300 that models are told: 240 that people might type, in three languages, and 60 of attackers.

    When they were said is known of every sixth: it takes a calendar of many words to tell a model.
    """
    typed = _lines("statements.jsonl")
    told = []
    for language, count in (("en", 180), ("es", 40), ("zh", 20)):
        for number, one in enumerate([one for one in typed if one["lang"] == language][:count]):
            when = {} if number % 6 else {"at": one["at"]}
            told.append(Told(id=one["id"], messages=[{"role": "user", "content": one["text"], **when}]))
    hostile = [
        Told(id=id_, messages=attack.told)
        for id_, attack in numbered_attacks().items()
        if all(isinstance(one["content"], str) for one in attack.told)
    ]
    hostile.sort(key=lambda one: int(one.id.rpartition("-")[2]))
    return _mixed([*told, *hostile[:60]])


def numbered_attacks() -> dict[str, "Attack"]:
    """The wordings of the attack table, each with a name: `attack-<number>-<wording>`."""
    from tests.attacks.scenarios import ATTACKS

    seen: dict[str, int] = defaultdict(int)
    found = {}
    for attack in ATTACKS:
        seen[attack.number] += 1
        found[f"attack-{attack.number}-{seen[attack.number]}"] = attack
    return found


def questions() -> list[Told]:
    """120 questions after what was told before; half of them have no answer. The rules answer most, or open nothing."""
    asked = [Told(id=one["id"], messages=[_message(said) for said in one["setup"]], question=one["question"])
             for one in _lines("questions.jsonl")]  # fmt: skip
    return _mixed(asked)


def _mixed(told: Sequence[Told]) -> list[Told]:
    """In an order of which every beginning has some of each kind."""
    return [one for first in range(7) for one in told[first::7]]


def _lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def _message(said: Mapping[str, str]) -> dict[str, str]:
    return {"role": "user", "content": said["text"], "at": said["at"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What became of one thing that was told: the memories of its space, its episodes by id, and the answer."""

    told: Told
    memories: Sequence[MemoryItem]
    episodes: Mapping[str, Mapping[str, Any]]
    results: Sequence[AddResult]
    answer: Answer | None = None
    opened: frozenset[str] = frozenset()
    """What was opened for the answer, as its trace says."""


def asked(folder: Path, told: Told, model: LanguageModel) -> Replayed:
    """What becomes of one thing with a model: of a question, which the model answers from what frames found."""
    from tests.support_attacks import WHO, opened

    with opened(folder, None if told.question else model) as memory:
        done = _told(memory, told, WHO)
    if not told.question:
        return done
    with opened(folder, model) as memory:
        answer = memory.answer(told.question, user_id=WHO)
    shown = "[]"
    if answer.trace_id is not None:
        with plainly(str(folder / "store" / "m.db")) as conn:
            [(shown,)] = conn.execute("SELECT shown FROM trace WHERE id = ?", (answer.trace_id,)).fetchall()
    return replace(done, answer=answer, opened=frozenset(json.loads(shown)))


def _told(memory: Memory, told: Told, user_id: str) -> Replayed:
    from tests.support_attacks import MEMORIES, tell

    results = tell(memory, told.messages, user_id)
    page = memory.list(user_id=user_id, limit=1_000, kinds=MEMORIES)
    return Replayed(
        told=told,
        memories=[one.memory for one in page if one.memory is not None],
        episodes={
            episode.id: {"text": memory.get(episode.id, user_id=user_id).text, "message": message}
            for result, message in zip(results, told.messages, strict=True)
            for episode in result.episodes
        },
        results=results,
    )


def replay(folder: Path, name: str, what: str) -> Iterator[Replayed]:
    """All that a model said goes through the memory again; each message in a space of its own."""
    from tests.support_attacks import opened

    model = Replaying(name)
    with opened(folder / "shared", model) as memory:
        for number, told in enumerate(recording(name, what).told):
            model.load(told)
            if told.question or told.id.startswith("attack-"):
                yield asked(folder / f"{number}", told, model)
            else:
                yield _told(memory, told, told.id)


def recorded_attacks(name: str) -> dict[str, Told]:
    """What a model said of the messages of attacks, by the attack's name."""
    return {one.id: one for one in recording(name, "messages").told if one.id.startswith("attack-")}


def with_recorded(name: str, told: Told) -> "Opening":
    """Opens a memory in which a model says what it said of an attack; of what was told before it, nothing."""
    from tests.support_attacks import opened

    def opening(folder: Path, attack: "Attack") -> Memory:
        model = Replaying(name)
        silent = ['{"statements": []}'] * len(attack.before)
        model.load(replace(told, replies={**told.replies, "extract": [*silent, *told.replies["extract"]]}))
        return opened(folder, model)

    return opening


def labels() -> list[dict[str, Any]]:
    """Hand-made labels of what the models proposed: `tests/data/recorded/labels.md` says how they were made."""
    return _lines("recorded/labels.jsonl")
