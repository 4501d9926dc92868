"""Which language model or embedder is meant: an object of the caller's, or a name. Finding one reaches nobody."""

from typing import TYPE_CHECKING, Final

from affidavit.core.model_names import Dialect
from affidavit.errors import ConfigError, EmbedderError
from affidavit.providers.language_model import Answering, LanguageModel

if TYPE_CHECKING:
    from affidavit.providers.embedder import Embedder

_EMBEDDER_TRIES: Final = 2
"""A search waits for it."""


def language_model(
    given: LanguageModel | Answering | str,
    *,
    url: str | None = None,
    timeout_s: float = 60.0,
    tries: int = 3,
    temperature: float | None = None,
) -> LanguageModel:
    """The language model that was given or named. Raises `ConfigError`.

    A named one is asked at `url`, else where its provider usually is; each try for `timeout_s` seconds at most.
    """
    if isinstance(given, str):
        return _named(given, url=url, timeout_s=timeout_s, tries=tries, temperature=temperature)
    if isinstance(given, LanguageModel):
        return given
    if callable(given):
        from affidavit.providers.called import Called

        return Called(given)
    raise ConfigError(
        f"llm is a {type(given).__name__}",
        hint="give a callable, a LanguageModel, or a name like ollama:qwen3",
    )


def _named(
    name: str, *, url: str | None, timeout_s: float, tries: int, temperature: float | None
) -> LanguageModel:
    from affidavit.providers.account import Account
    from affidavit.providers.patient import Patience, Patient

    account = Account.of(name, url, timeout_s=timeout_s)
    model: LanguageModel
    if account.named.where.dialect is Dialect.ANTHROPIC:
        from affidavit.providers.anthropic_messages import AnthropicMessages

        model = AnthropicMessages(account, temperature=temperature)
    else:
        from affidavit.providers.openai_compatible import OpenAiCompatible

        model = OpenAiCompatible(account, temperature=temperature)
    return Patient(model, Patience(tries=tries, total_s=tries * timeout_s))


def embedder_of(choice: str, *, url: str | None, timeout_s: float) -> "Embedder | None":
    """The embedder that a setting means: on a server, or the one that is installed. None for none.

    Raises `ConfigError`; `EmbedderError` where the one that is meant is not installed, or in part.
    """
    if choice == "none":
        return None
    if ":" in choice:
        return _on_a_server(choice, url, timeout_s)
    from affidavit.providers.embedder import find_embedder

    found = find_embedder()
    if found is None and choice != "auto":
        raise EmbedderError(
            f"the embedder {choice!r} is not installed", hint="pip install 'affidavit[embed]'"
        )
    return found


def _on_a_server(name: str, url: str | None, timeout_s: float) -> "Embedder":
    from affidavit.providers.account import Account
    from affidavit.providers.openai_embedder import MOST_BYTES, OpenAiEmbedder
    from affidavit.providers.patient import Patience

    account = Account.of(
        name,
        url,
        timeout_s=timeout_s,
        variable="AFFIDAVIT_EMBEDDER_KEY",
        setting="embedder_url",
        most_bytes=MOST_BYTES,
    )
    return OpenAiEmbedder(account, Patience(tries=_EMBEDDER_TRIES, total_s=_EMBEDDER_TRIES * timeout_s))
