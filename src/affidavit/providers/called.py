"""A language model that is any callable of the caller's."""

from collections.abc import Coroutine
from typing import Any

from affidavit.errors import ModelError, ModelReplyError
from affidavit.providers.language_model import Answering, Prompt, Reply


class Called:
    """Asks a callable `(messages, **options) -> str`. Its name is the callable's, stamped on what it finds."""

    def __init__(self, call: Answering) -> None:
        self._call = call
        self._name = getattr(call, "name", None) or getattr(call, "__qualname__", type(call).__qualname__)

    @property
    def name(self) -> str:
        """The callable's `name`, else what it is called in code."""
        return f"callable:{self._name}"[:200]

    def complete(self, prompt: Prompt) -> Reply:
        """Its reply. Whatever it raises is told as a `ModelError`."""
        messages = [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ]
        options: dict[str, Any] = {"max_tokens": prompt.most_tokens}
        if prompt.schema is not None:
            options["schema"] = prompt.schema
        try:
            said = self._call(messages, **options)
        except ModelError:
            raise
        except Exception as error:
            # Its words may hold a key, and errors are shown: they stay with the cause.
            what = f"{self.name} failed ({type(error).__name__})"
            raise ModelError(what, hint="the texts are safe; mend the callable, then go on") from error
        if isinstance(said, Coroutine):
            said.close()
            raise ModelError(f"{self.name} is asynchronous", hint="give a plain function that returns text")
        if not isinstance(said, str):
            raise ModelReplyError(f"{self.name} gave a {type(said).__name__}", hint="let it return text")
        return Reply(text=said)
