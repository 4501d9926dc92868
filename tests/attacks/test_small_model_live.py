"""20 of the 300 messages, asked of a real small model behind a real llama.cpp server, over HTTP, by the real client.

What it says differs from machine to machine; what may be remembered of it does not.
"""

from dataclasses import replace

import pytest

from affidavit.providers.finding import language_model
from affidavit.providers.language_model import LanguageModel, Prompt, Reply
from tests.support_attacks import MEMORIES, WHO, opened, tell
from tests.support_oracle import faults
from tests.support_recorded import messages

LIVE = 20
LONGEST = 112
"""Tokens of a reply: the model does not know when to stop."""


class Brief:
    """A model that is let say little at a time."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.name = model.name

    def complete(self, prompt: Prompt) -> Reply:
        """Its reply, cut off."""
        return self._model.complete(replace(prompt, most_tokens=LONGEST))


@pytest.mark.slow
def test_what_a_real_model_says_now_is_held_to_its_quotes(tmp_path, small_model):
    model = Brief(language_model("llamacpp:small", url=small_model, temperature=0))
    wrong, calls, tokens = [], 0, 0
    for number, told in enumerate([one for one in messages() if "at" not in one.messages[0]][:LIVE]):
        with opened(tmp_path / f"{number}", model) as memory:
            episodes = {}
            for result, message in zip(tell(memory, told.messages), told.messages, strict=True):
                calls, tokens = calls + result.cost.model_calls, tokens + result.cost.output_tokens
                for one in result.episodes:
                    episodes[one.id] = {"text": memory.get(one.id, user_id=WHO).text, "message": message}
            page = memory.list(user_id=WHO, limit=1_000, kinds=MEMORIES)
            kept = [one.memory for one in page if one.memory is not None]
            wrong += [(told.id, fault, one.text) for one in kept for fault in faults(one, episodes)]
            assert memory.verify().problems == ()
    assert wrong == []
    assert calls >= LIVE
    assert tokens > LIVE
