"""Language models behind OpenAI's chat API: OpenAI itself, Ollama, vLLM, llama.cpp, LM Studio, any such server."""

import re
from collections.abc import Mapping
from typing import Any, Final

from affidavit.providers.account import Account, PerProcess
from affidavit.providers.answers import closed, object_of, text_of, tokens
from affidavit.providers.faults import NotTakenError, TooLargeError, body_of, nonsense
from affidavit.providers.language_model import Prompt, Reply, Stop

_STOPS: Final = {"length": Stop.LENGTH, "content_filter": Stop.REFUSED}
_ROOM_TO_REASON: Final = 8_000
"""Tokens beyond the reply's own: at OpenAI what a model thinks counts as well."""


class OpenAiCompatible:
    """A model behind `/chat/completions`. Asked for JSON by schema; by what the server can do where it takes none."""

    def __init__(self, account: Account, *, temperature: float | None = None) -> None:
        self._account = account
        self._temperature = temperature
        self._client: PerProcess[Any] = PerProcess(account.client)
        self._plainer: dict[str, int] = {}  # by task: how many forms of the request the server did not take

    @property
    def name(self) -> str:
        """Provider and model."""
        return str(self._account)

    def complete(self, prompt: Prompt) -> Reply:
        """One reply. A request that is refused for its form is sent again in a plainer one, and so from then on."""
        forms = _forms(prompt)
        start = min(self._plainer.get(prompt.task, 0), len(forms) - 1)
        refused: NotTakenError | None = None
        for number in range(start, len(forms)):
            try:
                reply = self._once(prompt, forms[number], retries=number - start)
            except TooLargeError:
                raise
            except NotTakenError as error:
                refused = refused or error
                continue
            self._plainer[prompt.task] = number
            return reply
        assert refused is not None
        refused.retries = len(forms) - 1 - start
        raise refused

    def _once(self, prompt: Prompt, form: Mapping[str, Any], *, retries: int) -> Reply:
        asked: dict[str, Any] = {
            "model": self._account.named.model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            **form,
        }
        if self._account.named.provider == "openai":
            asked["max_completion_tokens"] = prompt.most_tokens + _ROOM_TO_REASON
        else:
            asked["max_tokens"] = prompt.most_tokens
        if self._temperature is not None:
            asked["temperature"] = self._temperature
        body = body_of(
            lambda: self._client.get().chat.completions.with_raw_response.create(**asked), self._account
        )
        return _reply(body, self._account, retries)


def _forms(prompt: Prompt) -> list[dict[str, Any]]:
    """How a reply in JSON may be asked for, the strictest first."""
    if prompt.schema is None:
        return [{}]
    name = re.sub(r"[^A-Za-z0-9_-]", "_", prompt.task)[:64]
    held = {"name": name, "strict": True, "schema": closed(prompt.schema)}
    return [
        {"response_format": {"type": "json_schema", "json_schema": held}},
        {"response_format": {"type": "json_object"}},
        {},
    ]


def _reply(body: bytes, account: Account, retries: int) -> Reply:
    whole = object_of(body, account)
    choices = whole.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise nonsense(account)
    finish = choice.get("finish_reason")
    stop = _STOPS.get(finish, Stop.DONE) if isinstance(finish, str) else Stop.DONE
    usage = whole.get("usage")
    return Reply(
        text=text_of(message.get("content")),
        stop=Stop.REFUSED if message.get("refusal") else stop,
        input_tokens=tokens(usage, "prompt_tokens"),
        output_tokens=tokens(usage, "completion_tokens"),
        retries=retries,
    )
