"""Language models behind Anthropic's messages API."""

from typing import Any, Final

from affidavit.errors import ModelError
from affidavit.providers.account import Account, PerProcess
from affidavit.providers.answers import closed, object_of, text_of, tokens
from affidavit.providers.faults import NotTakenError, TooLargeError, body_of, nonsense
from affidavit.providers.language_model import Prompt, Reply, Stop

_STOPS: Final = {
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "refusal": Stop.REFUSED,
}


class AnthropicMessages:
    """A model behind `/v1/messages`. No sampling settings go out unless one was set: its newest models refuse them."""

    def __init__(self, account: Account, *, temperature: float | None = None) -> None:
        self._account = account
        self._temperature = temperature
        self._client: PerProcess[Any] = PerProcess(account.client)
        self._takes_schema = True

    @property
    def name(self) -> str:
        """Provider and model."""
        return str(self._account)

    def complete(self, prompt: Prompt) -> Reply:
        """One reply. A model that takes no schema is asked once more without, and so from then on."""
        if prompt.schema is None or not self._takes_schema:
            return self._once(prompt, {}, retries=0)
        form = {"output_config": {"format": {"type": "json_schema", "schema": closed(prompt.schema)}}}
        try:
            return self._once(prompt, form, retries=0)
        except TooLargeError:
            raise
        except NotTakenError as refused:
            try:
                reply = self._once(prompt, {}, retries=1)
            except ModelError as error:
                told = refused if isinstance(error, NotTakenError) else error
                told.retries += 1
                raise told from None
            self._takes_schema = False
            return reply

    def _once(self, prompt: Prompt, form: dict[str, Any], *, retries: int) -> Reply:
        asked: dict[str, Any] = {
            "model": self._account.named.model,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.user}],
            "max_tokens": prompt.most_tokens,
            **form,
        }
        if self._temperature is not None:
            asked["extra_body"] = {"temperature": self._temperature}  # the SDK has no word for it any more
        body = body_of(lambda: self._client.get().messages.with_raw_response.create(**asked), self._account)
        return _reply(body, self._account, retries)


def _reply(body: bytes, account: Account, retries: int) -> Reply:
    whole = object_of(body, account)
    if not isinstance(whole.get("content"), list):
        raise nonsense(account)
    usage, reason = whole.get("usage"), whole.get("stop_reason")
    return Reply(
        text=text_of(whole["content"]),
        stop=_STOPS.get(reason, Stop.DONE) if isinstance(reason, str) else Stop.DONE,
        input_tokens=tokens(usage, "input_tokens"),
        output_tokens=tokens(usage, "output_tokens"),
        retries=retries,
    )
