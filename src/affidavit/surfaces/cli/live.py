"""One tiny question to the model and the embedder in use: do they answer, and what does it take?"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affidavit.errors import AffidavitError

if TYPE_CHECKING:
    from affidavit.config import Config
    from affidavit.providers.language_model import Reply

_SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How it went."""

    ok: bool
    detail: str
    hint: str = ""


def ask_model(config: "Config") -> Asked:
    """Ask the model of these settings once."""
    if config.llm is None:
        hint = "`affidavit init` looks what could be used"
        return Asked(ok=True, detail="none: nothing is asked of a model", hint=hint)
    from affidavit.providers.finding import language_model
    from affidavit.providers.language_model import Prompt
    from affidavit.text.loose_json import object_in

    prompt = Prompt(
        task="check",
        system='Reply with the JSON object {"ok": true} and nothing else.',
        user="Are you there?",
        schema=_SCHEMA,
        most_tokens=500,
    )
    started = time.monotonic()
    try:
        model = language_model(
            config.llm,
            url=config.llm_url,
            timeout_s=config.llm_timeout_s,
            tries=1,
            temperature=config.llm_temperature,
        )
        reply = model.complete(prompt)
    except AffidavitError as error:
        return Asked(ok=False, detail=error.what, hint=error.hint)
    seconds = time.monotonic() - started
    as_asked = object_in(reply.text) == {"ok": True}
    return Asked(
        ok=True,
        detail=f"{config.llm} ({config.origins['llm']}) answers: {seconds:.1f} s, {_tokens(reply)}",
        hint="" if as_asked else "it did not reply in JSON as asked: expect little of it",
    )


def _tokens(reply: "Reply") -> str:
    if reply.input_tokens is None or reply.output_tokens is None:
        return "it does not say how many tokens"
    return f"{reply.input_tokens:,} tokens in and {reply.output_tokens:,} out"


def ask_embedder(config: "Config") -> Asked:
    """Have one word embedded by the embedder of these settings."""
    from affidavit.providers.embedder import vectors_of
    from affidavit.providers.finding import embedder_of

    started = time.monotonic()
    try:
        embedder = embedder_of(config.embedder, url=config.embedder_url, timeout_s=config.embedder_timeout_s)
        if embedder is None:
            return Asked(ok=True, detail="none")
        width = vectors_of(embedder, ["hello"]).shape[1]
    except AffidavitError as error:
        return Asked(ok=False, detail=error.what, hint=error.hint)
    return Asked(ok=True, detail=f"it answers: {time.monotonic() - started:.1f} s, {width:,} dimensions")
