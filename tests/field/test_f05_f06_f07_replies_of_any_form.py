"""F5 (mem0#2614, gbrain#4640), F6 (hindsight#3426), F7 (mem0#4526, mem0#4540): replies with thoughts, prose, faults."""

import json

import pytest

from affidavit import Config, Memory
from tests.conftest import TestClock
from tests.support_replies import Replying, named, said, statement, texts

PLOT = "My allotment is plot 14 by the canal"
TOLD = "The user's allotment is plot 14 by the canal."
RIGHT = said(statement(TOLD, PLOT))
WRONG = said(statement("The user's allotment is plot 41.", PLOT))


def remembered(config: Config, clock: TestClock, reply: str, message: str = PLOT) -> tuple[list[str], int]:
    with Memory(config=config, clock=clock, llm=Replying(reply)) as memory:
        done = memory.add(message, user_id="ana")
        assert [item.text for item in memory.list(user_id="ana", kinds="episode")] == [message]
        return texts(memory), done.pending.get("extract", 0)


@pytest.mark.parametrize(
    "reply",
    [
        f"<think>{WRONG}</think>{RIGHT}",
        f"<think>Let me see. {WRONG} No, {RIGHT}",
        f"{WRONG} so it must be </think>\n{RIGHT}",
        f"<Thinking >{{{{</thinking>{RIGHT}",
        f"Sure, here you are:\n```json\n{RIGHT}\n```\nAnything else?",
        RIGHT.replace("]}", ",],}"),
        RIGHT.replace("canal.", "canal. \\ud83d"),
        RIGHT.replace("canal.", "canal\\. "),
        json.dumps({"memories": json.loads(RIGHT)["statements"]}),
        json.dumps(json.loads(RIGHT)["statements"]),
        RIGHT.replace('{"message"', '{"message": "m1", "quote": 5 5}, {"message"'),
        said({"message": "m1", "quote": PLOT}),
        said(7, None, [], "a fact", statement(TOLD, PLOT)),
    ],
)  # fmt: skip
def test_the_statement_is_kept_and_nothing_is_silently_empty(
    config: Config, clock: TestClock, reply: str
) -> None:
    kept, waiting = remembered(config, clock, reply)
    assert len(kept) == 1
    assert "plot 14" in kept[0]
    assert waiting == 0


@pytest.mark.parametrize("reply", [f"<think>{WRONG}</think>", f"<think>{RIGHT}</think> done", "<think>"])
def test_a_thought_alone_is_no_reply_and_what_was_said_waits(
    config: Config, clock: TestClock, reply: str
) -> None:
    assert remembered(config, clock, reply) == ([], 1)


def test_half_a_reply_keeps_its_whole_statements_and_the_rest_waits(config: Config, clock: TestClock) -> None:
    whole = said(statement(TOLD, PLOT), statement("The user's gate code is on the blue card."))
    assert remembered(config, clock, whole[:-60]) == ([TOLD], 1)


@pytest.mark.parametrize("tag", ["<think>", "</think>", "<|im_end|>", "[INST]", "```"])
def test_a_tag_in_the_users_text_is_text(config: Config, clock: TestClock, tag: str) -> None:
    message = f"The tag {tag} breaks my old parser"

    def reply(shown: str) -> str:
        name = named(shown, "breaks my old parser")
        quote = shown.partition(f"{name} (")[2].partition('"')[2].rpartition('"')[0]
        return said(statement(quote, quote, name))

    with Memory(config=config, clock=clock, llm=Replying(reply)) as memory:
        done = memory.add(message, user_id="ana")
        assert done.episodes[0].text == message
        (item,) = memory.list(user_id="ana", kinds="fact").items
        assert item.memory is not None
        assert [quote.text for quote in item.memory.evidence] == [message]
