"""The content of one ChatGPT message: which text it holds, and whose words they are."""

from dataclasses import dataclass, field

from affidavit.surfaces.importers.items import describe, shown, text_of

_Object = dict[str, object]

# What pages, files and programs said, whosever turn it stands in: never the user's own words.
_FROM_TOOLS = {
    "execution_output": ("text",),
    "tether_quote": ("title", "text"),
    "tether_browsing_display": ("summary", "result"),
    "sonic_webpage": ("title", "text"),
    "system_error": ("text",),
}
_REASONING = ("thoughts", "reasoning_recap")
_HIDDEN = ("user_editable_context", "model_editable_context")
_POINTERS = {
    "image_asset_pointer": "an image",
    "audio_asset_pointer": "a sound recording",
    "video_container_asset_pointer": "a video",
    "real_time_user_audio_video_asset_pointer": "a recording",
}


@dataclass(slots=True, kw_only=True)
class Reading:
    """What was found: text, metadata, and the reasons for what was not kept."""

    text: str = ""
    from_tool: bool = False
    reasoning: bool = False
    metadata: _Object = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


def read_content(content: object) -> Reading:
    """The reading of a message's `content`; never raises, whatever stands there."""
    reading = Reading()
    if content is None:
        reading.left_out.append("its content is null")
    elif not isinstance(content, dict):
        reading.unreadable.append(f"its content is {describe(content)}, an object was expected")
    else:
        _read(content, reading)
    return reading


def _read(content: _Object, reading: Reading) -> None:
    kind = content.get("content_type")
    if kind is None and "parts" in content:
        kind = "text"
    if not isinstance(kind, str):
        reading.unreadable.append(f"its content type is {describe(kind)}")
    elif kind in ("text", "multimodal_text"):
        _parts(content.get("parts"), reading)
    elif kind == "code":
        reading.text = _field(content, "text", reading)
        reading.metadata = _named(content, kind, "language")
    elif kind in _FROM_TOOLS:
        texts = (_field(content, name, reading) for name in _FROM_TOOLS[kind])
        reading.text = "\n".join(text for text in texts if text)
        reading.from_tool = True
        reading.metadata = _named(content, kind, "url")
    elif kind in _REASONING:
        reading.reasoning = True
    elif kind in _HIDDEN:
        reading.left_out.append("a custom instruction kept by the product was not imported")
    else:
        reading.unreadable.append(f"unknown content type {shown(kind)}")


def _named(content: _Object, kind: str, name: str) -> _Object:
    value = text_of(content.get(name))
    return {"content_type": kind, name: value} if value else {"content_type": kind}


def _field(content: _Object, name: str, reading: Reading) -> str:
    value = content.get(name)
    if value is not None and not isinstance(value, str):
        reading.unreadable.append(f"its {name} is {describe(value)}, text was expected")
    return text_of(value)


def _parts(parts: object, reading: Reading) -> None:
    if not isinstance(parts, list):
        reading.unreadable.append(f"its parts are {describe(parts)}, a list was expected")
        return
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            texts.append(_object_part(part, reading))
        elif part is None:
            reading.left_out.append("a part is null")
        else:
            reading.unreadable.append(f"a part is {describe(part)}, text was expected")
    reading.text = "\n".join(text for text in texts if text)


def _object_part(part: _Object, reading: Reading) -> str:
    kind = text_of(part.get("content_type"))
    if kind == "audio_transcription":
        return _field(part, "text", reading)
    if kind in _POINTERS:
        reading.left_out.append(f"{_POINTERS[kind]} was not imported")
    else:
        reading.unreadable.append(f"a part of unknown type {shown(kind)}")
    return ""
