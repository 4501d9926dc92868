"""From the shapes that callers have to one: what a message says, and what of it we can't keep.

Takes OpenAI's shape: `content` may be text, a list of parts or None; tool calls and results are included.
Nothing of the input is changed, and nothing is left out in silence: see `Message.extra` and `Skipped`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from affidavit.core.authority import Party, Role
from affidavit.core.limits import METADATA_BYTES, check_nesting, check_optional_id, check_size, shown
from affidavit.core.values import json_text
from affidavit.core.when import When
from affidavit.errors import InputError, MessageError
from affidavit.text.clean import is_blank
from affidavit.text.spans import Found

_ROLES = {str(role): role for role in Role}
_PARTIES = {str(party): party for party in Party}
_ALIASES = {"developer": Role.SYSTEM, "function": Role.TOOL, "human": Role.USER, "ai": Role.ASSISTANT}
_TAKEN = {"role", "content", "name", "at", "metadata", "author", "derived_from"}
_TEXT_PARTS = {"text", "input_text", "output_text"}
_EMPTY: tuple[object, ...] = (None, [], {}, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message as it will be recorded. `extra` holds what is neither text nor metadata (tool calls, ids).

    `borrowed` are the stretches of `text` that are never the speaker's own words: what a tool said, or was told by a
    model. `letter`: it is one (see `affidavit.text.prepare`).
    """

    role: Role
    text: str
    name: str | None
    at: When | None
    metadata: Mapping[str, Any]
    extra: Mapping[str, Any] | None
    author: Party | None = None
    derived_from: Party | None = None
    borrowed: tuple[Found, ...] = ()
    letter: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A message of the input that holds nothing to keep: its place, counted from 0, and why."""

    index: int
    reason: str


def parse_role(value: object) -> Role:
    """The role a message states. Unknown ones are refused, never taken for the user."""
    if isinstance(value, str):
        name = value.strip().lower()
        if name in _ALIASES:
            return _ALIASES[name]
        if name in _ROLES:
            return _ROLES[name]
    raise MessageError(f"role {shown(value)} is not known", hint=f"use one of {', '.join(Role)}")


def parse_party(value: object, what: str) -> Party | None:
    """`author` or `derived_from` as given by a caller."""
    if value is None:
        return None
    if isinstance(value, str) and value in _PARTIES:
        return _PARTIES[value]
    raise InputError(f"{what} {shown(value)} is not known", hint=f"use one of {', '.join(Party)}")


def parse_metadata(value: object) -> dict[str, Any]:
    """A message's metadata: a JSON object within the limits. It never sets an id or a scope."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(
            f"metadata is a {type(value).__name__}", hint="give an object: names with JSON values"
        )
    check_nesting(value, "metadata")
    size = len(json_text(value).encode("utf-8", "surrogatepass"))
    check_size(size, METADATA_BYTES, "metadata", "keep large things in the message's content")
    return dict(value)


def parse_message(raw: object, index: int, role: Role = Role.USER) -> Message | Skipped:
    """One message of any shape we take. A plain text has the given role.

    Raises `MessageError` (and `DateError`, `IdError`, `LimitError`) with the message's place.
    """
    if isinstance(raw, str):
        raw = {"role": role, "content": raw}
    if not isinstance(raw, Mapping):
        raise MessageError(
            f"message {index} is a {type(raw).__name__}", hint="give text or an object with role and content"
        )
    if "role" not in raw:
        raise MessageError(f"message {index} has no role", hint=f"use one of {', '.join(Role)}")
    texts, extra = _content(raw.get("content"), index)
    extra |= {key: value for key, value in raw.items() if key not in _TAKEN and value not in _EMPTY}
    check_nesting(extra, f"message {index}")
    texts.extend(_Said(call, borrowed=True) for call in _calls(extra))
    text = "\n\n".join(said.text for said in texts)
    if is_blank(text) and not extra:
        return Skipped(index=index, reason="it has no content")
    stated = parse_role(raw["role"])
    only_tools = text.strip() and all(said.borrowed for said in texts if said.text.strip())
    # Some interfaces send a tool's result as the user's message.
    turned = stated is Role.USER and only_tools
    return Message(
        role=Role.TOOL if turned else stated,
        text=text,
        name=_name(raw.get("name"), index),
        at=When.parse(raw["at"]) if raw.get("at") is not None else None,
        metadata=parse_metadata(raw.get("metadata")),
        extra=extra or None,
        author=parse_party(raw.get("author"), f"the author of message {index}"),
        derived_from=parse_party(raw.get("derived_from"), f"derived_from of message {index}"),
        borrowed=() if turned or stated is not Role.USER else _borrowed(texts),
        letter=stated is Role.MAIL,
    )


class _Said(NamedTuple):
    """The text of one part; `borrowed` where a tool said it, or was told it."""

    text: str
    borrowed: bool = False


def _borrowed(texts: Sequence[_Said]) -> tuple[Found, ...]:
    """Where the borrowed parts stand in the joined text."""
    found: list[Found] = []
    place = 0
    for said in texts:
        if said.borrowed and said.text:
            found.append((place, place + len(said.text), "tool"))
        place += len(said.text) + 2
    return tuple(found)


def _name(value: object, index: int) -> str | None:
    """Whose words these are. An empty name is no name: it must not pass for a message without one, the user's own."""
    return check_optional_id(value, f"the name of message {index}")


def _content(content: object, index: int) -> tuple[list[_Said], dict[str, Any]]:
    """The text parts, and a note of the parts that we can't keep."""
    if content is None:
        return [], {}
    if isinstance(content, str):
        return [_Said(content)], {}
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list | tuple):
        raise MessageError(
            f"the content of message {index} is a {type(content).__name__}",
            hint="give text or a list of parts",
        )
    texts: list[_Said] = []
    left_out: list[dict[str, Any]] = []
    for part in content:
        if isinstance(part, str):
            texts.append(_Said(part))
            continue
        if not isinstance(part, Mapping):
            raise MessageError(
                f"message {index} has a part that is a {type(part).__name__}",
                hint="parts are text or objects",
            )
        check_nesting(part, f"message {index}")
        if isinstance(part.get("text"), str) and part.get("type", "text") in _TEXT_PARTS:
            texts.append(_Said(part["text"]))
        elif part.get("type") == "refusal" and isinstance(part.get("refusal"), str):
            texts.append(_Said(part["refusal"]))
        elif part.get("type") in {"tool_use", "tool_result"}:
            texts.append(_Said(_call_text(part), borrowed=True))
        else:
            left_out.append({"type": str(part.get("type", "unknown"))[:64], "bytes": _rough_size(part)})
    return texts, {"left_out": left_out} if left_out else {}


def _calls(extra: Mapping[str, Any]) -> list[str]:
    """Tool calls as text, so that they are found and can be quoted."""
    calls = extra.get("tool_calls")
    single = extra.get("function_call")
    found = list(calls) if isinstance(calls, list) else []
    if isinstance(single, Mapping):
        found.append({"function": single})
    return [_call_text(call) for call in found if isinstance(call, Mapping)]


def _call_text(call: Mapping[str, Any]) -> str:
    function = call.get("function")
    inner = function if isinstance(function, Mapping) else call
    if call.get("type") == "tool_result":
        content = call.get("content")
        return content if isinstance(content, str) else _result_text(content)
    arguments = inner.get("arguments", inner.get("input", {}))
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{inner.get('name', 'tool')}({written})"


def _result_text(content: object) -> str:
    """What a tool answered: the words of its text parts; anything else as JSON."""
    parts = content if isinstance(content, list) else [content]
    return "\n\n".join(
        part["text"]
        if isinstance(part, Mapping)
        and part.get("type", "text") in _TEXT_PARTS
        and isinstance(part.get("text"), str)
        else json.dumps(part, ensure_ascii=False)
        for part in parts
    )


def _rough_size(part: Mapping[str, Any]) -> int:
    return len(json.dumps(part, ensure_ascii=False, default=str))
