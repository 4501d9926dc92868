"""Which language model is meant: an object of the caller's, or a name."""

from affidavit.errors import ConfigError
from affidavit.providers.language_model import Answering, LanguageModel


def language_model(given: LanguageModel | Answering | str) -> LanguageModel:
    """The language model that was given or named. Raises `ConfigError`."""
    if isinstance(given, LanguageModel):
        return given
    if callable(given):
        from affidavit.providers.called import Called

        return Called(given)
    raise ConfigError(f"llm is a {type(given).__name__}", hint="give a callable, or a LanguageModel")
