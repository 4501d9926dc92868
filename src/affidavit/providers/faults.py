"""What went wrong at a provider, in our errors. Its own words are never repeated: they could hold anything."""

import math
import re
from collections.abc import Callable
from typing import Any, Final

from affidavit.errors import ModelBusyError, ModelError, ModelRefusedError, ModelReplyError
from affidavit.providers.account import Account

_AGAIN: Final = "the texts are safe; try again later"
_BUSY: Final = frozenset({408, 409, 425, 429})
_REFUSING: Final = frozenset({"content_filter", "content_policy_violation", "moderation_blocked"})
_TOO_LONG: Final = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"}
)
_USED_UP: Final = frozenset({"insufficient_quota", "billing_error", "billing_hard_limit_reached"})
_CODE: Final = re.compile(r"[a-z][a-z_]{2,39}")


class NotTakenError(ModelError):
    """The server did not take the request as it was (400, 413, 422): another form of it may be."""


class TooLargeError(NotTakenError):
    """The text is longer than the model can take."""


def body_of(ask: Callable[[], Any], account: Account) -> bytes:
    """What a raw call of an SDK brings. Raises `ModelError` and nothing else."""
    try:
        body: bytes = ask().http_response.content
    except Exception as error:  # noqa: BLE001 - whatever an SDK raises; a server's words in it are left behind
        raise told(error, account) from None
    return body


def told(error: Exception, account: Account) -> ModelError:
    """An exception of an SDK as an error of ours."""
    status = getattr(error, "status_code", None)
    if isinstance(error, ModelError):
        return error
    if isinstance(status, int) and status >= 300:
        return _of_status(error, status, account)
    kinds = {type(one).__name__ for one in (error, error.__cause__, error.__context__) if one is not None}
    if "TooLongError" in kinds:
        return ModelReplyError(
            f"{account} sent more than can be an answer", hint="try again later, or use another model"
        )
    if kinds & {"APITimeoutError", "ReadTimeout"}:
        return ModelBusyError(f"{account} did not answer within {account.timeout_s:g} s", hint=_AGAIN)
    if kinds & {"RemoteProtocolError", "ReadError", "WriteError"}:
        return ModelBusyError(f"{account} broke off ({account.url})", hint=_AGAIN)
    if kinds & {"APIConnectionError", "ConnectError"}:
        return ModelBusyError(
            f"{account} can't be reached at {account.url}", hint=f"start it, or correct {account.setting}"
        )
    return nonsense(account)


def nonsense(account: Account) -> ModelReplyError:
    """What came is not what such a server sends."""
    return ModelReplyError(
        f"{account} sent what is no answer ({account.url})",
        hint=f"is {account.setting} right? otherwise try again later, or use another model",
    )


def _of_status(error: Exception, status: int, account: Account) -> ModelError:
    code = _code(error)
    said = f"{status}, {code}" if code else str(status)
    if code in _REFUSING:
        return ModelRefusedError(
            f"{account} would not answer ({said})", hint="use another model for such texts"
        )
    if code in _TOO_LONG or status == 413 or (status == 500 and _says_too_large(error)):
        return TooLargeError(
            f"the text is longer than {account} takes ({said})", hint="use a model with more room"
        )
    if (status in _BUSY or status >= 500) and code not in _USED_UP:
        return ModelBusyError(f"{account} can't answer now ({said})", hint=_AGAIN, after_s=_after(error))
    return _of_setting(status, code, said, account)


def _of_setting(status: int, code: str, said: str, account: Account) -> ModelError:
    """What trying again does not mend."""
    if code in _USED_UP or status == 402:
        what, hint = f"what {account} may be asked is used up", "see to the account there"
    elif status in (401, 403):
        what = f"{account} does not accept the key"
        hint = f"set {' or '.join(account.variables)} to one that holds there"
    elif status == 404:
        what = f"there is no {account.named.model} at {account.url}"
        hint = f"check the model's name and {account.setting}; fetch the model if the server is yours"
    elif status < 400:
        what, hint = f"{account.url} points elsewhere", f"correct {account.setting}"
    else:
        hint = "use another model; or, where llm_temperature is set, unset it: some take none"
        return NotTakenError(f"{account} did not take the request ({said})", hint=hint)
    return ModelError(f"{what} ({said})", hint=hint)


def _code(error: Any) -> str:
    """What the server calls its error, where that is a plain word."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else {}
    inner = inner if isinstance(inner, dict) else {}
    for said in (inner.get("code"), inner.get("type"), getattr(error, "code", None)):
        if isinstance(said, str) and _CODE.fullmatch(said) and said != "error":
            return said
    return ""


def _after(error: Any) -> float | None:
    """Seconds that the server asks to be left alone."""
    try:
        seconds = float(error.response.headers["retry-after"])
    except (AttributeError, KeyError, ValueError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _says_too_large(error: Any) -> bool:
    """Some local servers say so with the status of a fault."""
    return "too large to process" in str(getattr(error, "body", ""))[:2_000]
