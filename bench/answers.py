"""How often an answer is right, and how often it abstains where it should.

    python -m bench.answers                     the labelled questions (tests/data/questions.jsonl) and LoCoMo
    python -m bench.answers --only questions    one of questions, locomo
    python -m bench.answers --embed             with vectors (the extra `embed`)
    python -m bench.answers --llm NAME          with a language model where rules find nothing (docs/models.md)

Labelled questions: each setup is added message by message at its time, then the question is asked a day after the last
one. Right: the answer's text holds the labelled answer. Where there is none, abstaining is right.

LoCoMo: each conversation is kept twice, once as each speaker's own memory, in which the other one is another person. A
question goes to the memory of the speaker it names. Of the answered ones the first citation is right if it is a turn
of the labelled evidence. Category 5 asks one speaker what the other one said: abstaining is right. `without the speaker
rule` keeps every turn as if the user himself had said it.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from affidavit import Answer, Memory
from bench.locomo_jsonl import messages
from bench.run import ROOT, data_folder
from bench.stores import config
from bench.table import say

QUESTIONS = ROOT / "tests" / "data" / "questions.jsonl"
_DAY = 86_400_000_000


class Set:
    """A clock that is set."""

    def __init__(self) -> None:
        self.us = 0

    def now(self) -> int:
        """UTC microseconds; later at every look."""
        self.us += 1
        return self.us

    def to(self, at: str, *, later: int = 0) -> None:
        """Set it."""
        self.us = int(datetime.fromisoformat(at).timestamp() * 1_000_000) + later


class Using(NamedTuple):
    """What is measured: an embedder, and a language model if any."""

    embedder: str
    llm: str | None = None


@contextmanager
def _memory(using: Using, clock: Set | None = None) -> Iterator[Memory]:
    with tempfile.TemporaryDirectory(prefix="affidavit-answers-") as folder:
        place = Path(folder)
        settings = config(place, embedder=using.embedder)
        with Memory(place / "memory.db", config=settings, clock=clock, llm=using.llm) as memory:
            yield memory


def asked(line: Mapping[str, Any], using: Using) -> Answer:
    """The answer to one labelled question after its setup."""
    clock = Set()
    with _memory(using, clock) as memory:
        for message in line["setup"]:
            clock.to(message["at"])
            memory.add({"role": "user", "content": message["text"], "at": message["at"]}, user_id="someone")
        clock.to(line["setup"][-1]["at"], later=_DAY)
        return memory.answer(line["question"], user_id="someone", as_of=line["as_of"])


def judged(line: Mapping[str, Any], answer: Answer) -> str:
    """What became of a question: right, wrong, abstained; for one without an answer silent or told."""
    if line["answer"] is None:
        return "silent" if answer.abstained else "told"
    if answer.abstained:
        return "abstained"
    return "right" if line["answer"].casefold() in answer.text.casefold() else "wrong"


def questions(using: Using, *, show: str | None = None) -> None:
    """The labelled questions, counted by language and by why there is no answer."""
    counts: dict[str, Counter[str]] = {}
    for line in map(json.loads, QUESTIONS.read_text(encoding="utf-8").splitlines()):
        answer = asked(line, using)
        verdict = judged(line, answer)
        for key in (line["lang"], line["why_null"] or "answered", "all"):
            counts.setdefault(key, Counter())[verdict] += 1
        number = int(line["id"].split("-")[-1])
        if (
            show == "en-even"
            and line["lang"] == "en"
            and number % 2 == 0
            and verdict not in {"right", "silent"}
        ):
            print(verdict, line["id"], line["question"], "=>", repr(answer.text), "wanted", line["answer"])
    print(
        "| questions | right | wrong | abstained | silent | told | right of answered | silent of unanswerable |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for key, seen in counts.items():
        row = [seen[name] for name in ("right", "wrong", "abstained", "silent", "told")]
        said, quiet = row[0] + row[1], row[3] + row[4]
        print(
            f"| {key} |",
            " | ".join(map(str, row)),
            "|",
            _share(row[0], said),
            "|",
            _share(row[3], quiet),
            "|",
        )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def locomo(using: Using, data: Path, *, speaker_rule: bool) -> None:
    """LoCoMo, counted by category."""
    counts: dict[int, Counter[str]] = {}
    for sample in json.loads((data / "locomo" / "locomo10.json").read_text(encoding="utf-8")):
        speakers = [sample["conversation"][key] for key in ("speaker_a", "speaker_b")]
        for me in speakers:
            with _memory(using) as memory:
                turn_of = _fill(memory, sample["conversation"], me, speaker_rule=speaker_rule)
                for question in sample["qa"]:
                    if _whose(question["question"], speakers) == me:
                        answer = memory.answer(question["question"], user_id=me, record=False)
                        seen = counts.setdefault(question["category"], Counter())
                        seen[_verdict(question, answer, turn_of)] += 1
        say(f"{sample['sample_id']} done")
    rule = "with" if speaker_rule else "without"
    print(f"\nLoCoMo, {rule} the speaker rule, embedder {using.embedder}, model {using.llm}\n")
    print("| category | questions | answered | first citation is evidence | any is | abstained |")
    print("|---|---|---|---|---|---|")
    total = sum((seen for category, seen in counts.items() if category != 5), Counter[str]())
    for name, seen in [*((str(one), counts[one]) for one in sorted(counts)), ("1 to 4", total)]:
        said = seen["first"] + seen["other"] + seen["none"]
        whole = said + seen["abstained"]
        first, some = _share(seen["first"], said), _share(seen["first"] + seen["other"], said)
        print(f"| {name} | {whole} | {said} | {first} | {some} | {_share(seen['abstained'], whole)} |")


def _whose(question: str, speakers: list[str]) -> str:
    """The speaker that a question names; the first one where it names both or none."""
    named = [name for name in speakers if name.split()[0].casefold() in question.casefold()]
    return named[0] if len(named) == 1 else speakers[0]


def _verdict(question: Mapping[str, Any], answer: Answer, turn_of: Mapping[str, str]) -> str:
    if answer.abstained:
        return "abstained"
    gold = {one.strip() for place in question["evidence"] for one in place.replace(";", " ").split()}
    cited = [turn_of[one.episode_id] for one in answer.citations]
    return "first" if cited[0] in gold else "other" if gold & set(cited) else "none"


def _fill(memory: Memory, conversation: Mapping[str, Any], me: str, *, speaker_rule: bool) -> dict[str, str]:
    """Add a conversation as one speaker's memory; the turn that each episode is."""
    turns = [turn["dia_id"] for number in _sessions(conversation) for turn in conversation[number] or []]
    told = list(messages(dict(conversation)))
    turn_of: dict[str, str] = {}
    for session in dict.fromkeys(message["session"] for message in told):
        part = [(turn, one) for turn, one in zip(turns, told, strict=True) if one["session"] == session]
        dropped = {"session"} if speaker_rule else {"session", "name"}
        given = [{key: value for key, value in one.items() if key not in dropped} for _, one in part]
        added = memory.add(given, user_id=me, session_id=session)
        for (turn, _), episode in zip(part, added.episodes, strict=True):
            turn_of[episode.id] = turn
    return turn_of


def _sessions(conversation: Mapping[str, Any]) -> list[str]:
    numbers = range(1, 1 + sum(key.startswith("session_") for key in conversation))
    return [f"session_{number}" for number in numbers if f"session_{number}" in conversation]


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.answers", description="How good answers are.")
    parser.add_argument("--only", choices=("questions", "locomo"), help="only this one")
    parser.add_argument("--embed", action="store_true", help="with vectors")
    parser.add_argument("--llm", metavar="NAME", help="with a language model where rules find nothing")
    parser.add_argument("--show", choices=("en-even",), help="print what went wrong of these questions")
    given = parser.parse_args()
    using = Using("minilm" if given.embed else "none", given.llm)
    if given.only != "locomo":
        questions(using, show=given.show)
    data = data_folder()
    if given.only != "questions" and data is not None:
        for speaker_rule in (True, False):
            locomo(using, data, speaker_rule=speaker_rule)


if __name__ == "__main__":
    main()
