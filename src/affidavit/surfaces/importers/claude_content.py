"""The content of one Claude message: its parts, each with the party whose words they are."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from affidavit.surfaces.importers.items import describe, shown, text_of

_Object = dict[str, object]

# Parts that hold no words of the conversation.
_SILENT = {
    "thinking": "the model's reasoning was not imported",
    "redacted_thinking": "the model's reasoning was not imported",
    "image": "an image was not imported",
    "document": "a file inside the message was not imported",
    "token_budget": "a note of the product was not imported",
    "flag": "a note of the product was not imported",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A run of words of one party."""

    role: str
    text: str
    name: str = ""
    metadata: _Object = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Parts:
    """What a message holds, in order, and the reasons for what was not kept."""

    said: list[Said] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def add(self, said: Said) -> None:
        """Appends words; text that follows text of the same party is one run with it."""
        if not said.text.strip():
            return
        last = self.said[-1] if self.said else None
        if last and last.role == said.role and not (last.metadata or said.metadata or said.name):
            self.said[-1] = Said(role=said.role, text=f"{last.text}\n{said.text}", name=last.name)
        else:
            self.said.append(said)


def read_parts(content: object, text: object, role: str) -> Parts:
    """The words of a message, from its `content`; from the flat `text` only if `content` has none.

    Newer exports repeat the parts in `text`, with place holders where a tool was called.
    """
    parts = Parts()
    if isinstance(content, str):
        parts.add(Said(role=role, text=content))
    elif isinstance(content, list):
        for part in content:
            _part(part, role, parts)
    elif content is not None:
        parts.unreadable.append(f"its content is {describe(content)}; text or a list was expected")
    if text is not None and not isinstance(text, str):
        parts.unreadable.append(f"its text is {describe(text)}")
    elif not parts.said:
        parts.add(Said(role=role, text=text_of(text)))
    return parts


def _part(part: object, role: str, parts: Parts) -> None:
    if isinstance(part, str):
        parts.add(Said(role=role, text=part))
        return
    if not isinstance(part, dict):
        parts.unreadable.append(f"a part is {describe(part)}, an object was expected")
        return
    kind = part.get("type")
    if kind == "text":
        if part.get("text") is not None and not isinstance(part["text"], str):
            parts.unreadable.append(f"the text of a part is {describe(part['text'])}")
        parts.add(Said(role=role, text=text_of(part.get("text"))))
    elif kind == "tool_use":
        call: _Object = {"content_type": "tool_use", "tool": text_of(part.get("name"))}
        parts.add(Said(role=role, text=_as_text(part.get("input")), metadata=call))
    elif kind == "tool_result":
        _tool_result(part, parts)
    elif isinstance(kind, str) and kind in _SILENT:
        parts.left_out.append(_SILENT[kind])
    else:
        what = f"unknown type {shown(kind)}" if isinstance(kind, str) else f"a type that is {describe(kind)}"
        parts.unreadable.append(f"a part of {what}")


def _as_text(value: object) -> str:
    if value is None or value == {}:
        return ""
    # Not `ensure_ascii`: people search for the words, not for their escapes.
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tool_result(part: _Object, parts: Parts) -> None:
    text = "\n".join(one for one in _result_texts(part.get("content"), parts) if one)
    metadata: _Object = {"content_type": "tool_result"}
    if part.get("is_error") is True:
        metadata["is_error"] = True
    parts.add(Said(role="tool", text=text, name=text_of(part.get("name")), metadata=metadata))


def _result_texts(content: object, parts: Parts) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for one in content:
            if isinstance(one, str):
                yield one
            elif isinstance(one, dict) and isinstance(one.get("text"), str):
                yield text_of(one["text"])
            else:
                kind = text_of(one.get("type")) if isinstance(one, dict) else describe(one)
                parts.left_out.append(f"a part of a tool's answer ({shown(kind)}) was not imported")
    elif content is not None:
        parts.unreadable.append(f"a tool's answer is {describe(content)}; text or a list was expected")
