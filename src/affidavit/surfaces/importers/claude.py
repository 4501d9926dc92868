"""Claude export files: a list of conversations with `chat_messages` (or `messages`).

One message may become several items, because it may hold several parties' words: the text of its
sender, what a tool answered (role `tool`), and files that were attached (role `document`).
"""

from dataclasses import dataclass

from affidavit.surfaces.importers.claude_content import Said, read_parts
from affidavit.surfaces.importers.conversations import read_conversations
from affidavit.surfaces.importers.items import (
    Imported,
    ImportItem,
    ImportProblem,
    describe,
    instant,
    left_out,
    shown,
    stable_key,
    text_of,
)
from affidavit.surfaces.importers.pieces import Stream

_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
_Object = dict[str, object]


def read_claude(stream: Stream) -> Imported:
    """Messages of a Claude export, conversation by conversation, in the order of the file."""
    return read_conversations(stream, _conversation)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """One message while it is read."""

    ids: tuple[str, str]
    base: _Object
    title: str
    place: str

    def item(self, said: Said, *suffix: str) -> ImportItem:
        message: _Object = {"role": said.role, "content": said.text, **self.base}
        if said.name:
            message["name"] = said.name
        metadata = dict(said.metadata) | ({"title": self.title} if self.title else {})
        if metadata:
            message["metadata"] = metadata
        return ImportItem(
            line_or_path=self.place, message=message, key=stable_key("claude", *self.ids, *suffix)
        )


def _conversation(raw: _Object, place: str) -> Imported:
    messages = raw.get("chat_messages")
    if messages is None:
        messages = raw.get("messages")
    if not isinstance(messages, list):
        reason = f"its messages are {describe(messages)}, a list was expected"
        yield ImportProblem(place=place, reason=reason)
        return
    title = text_of(raw.get("name")) or text_of(raw.get("title"))
    given = text_of(raw.get("uuid")) or text_of(raw.get("id"))
    talk_id = given or stable_key("conversation", title, text_of(raw.get("created_at")), place)
    for number, message in enumerate(messages, 1):
        where = f"{place}, message {number}"
        if not isinstance(message, dict):
            reason = f"the message is {describe(message)}, an object was expected"
            yield ImportProblem(place=where, reason=reason)
        else:
            own = text_of(message.get("uuid")) or text_of(message.get("id")) or f"message-{number}"
            yield from _message(message, (talk_id, own), title, where)


def _message(raw: _Object, ids: tuple[str, str], title: str, place: str) -> Imported:
    sender = raw.get("sender") if raw.get("sender") is not None else raw.get("role")
    if not isinstance(sender, str) or sender not in _ROLES:
        named = isinstance(sender, str)
        what = f"unknown sender {shown(str(sender))}" if named else f"its sender is {describe(sender)}"
        yield ImportProblem(place=place, reason=f"{what}; known: {', '.join(_ROLES)}")
        return
    at, problem = instant(raw.get("created_at"))
    if problem:
        yield left_out(place, f"{problem}; imported without a date")
    base: _Object = {"session": stable_key("claude", ids[0]), "source": "claude"}
    turn = _Turn(ids=ids, base=base | ({"at": at} if at else {}), title=title, place=place)
    parts = read_parts(raw.get("content"), raw.get("text"), _ROLES[sender])
    yield from (ImportProblem(place=place, reason=reason) for reason in parts.unreadable)
    yield from (left_out(place, reason) for reason in parts.left_out)
    for number, said in enumerate(parts.said):
        yield turn.item(said, *((str(number),) if number else ()))
    attached = 0
    for one in _attachments(raw, turn):
        attached += isinstance(one, ImportItem)
        yield one
    if not parts.said and not attached and not parts.unreadable and not parts.left_out:
        yield left_out(place, "the message holds no text")


def _attachments(raw: _Object, turn: _Turn) -> Imported:
    named: set[str] = set()
    for number, attachment in enumerate(_listed(raw.get("attachments")), 1):
        where = f"{turn.place}, attachment {number}"
        if not isinstance(attachment, dict):
            yield ImportProblem(place=where, reason=f"it is {describe(attachment)}, an object was expected")
            continue
        name = text_of(attachment.get("file_name"))
        named.add(name)
        text = attachment.get("extracted_content")
        if text is not None and not isinstance(text, str):
            yield ImportProblem(place=where, reason=f"its text is {describe(text)}")
        elif not text_of(text).strip():
            yield left_out(where, f"the file {shown(name)} has no text in the export; it was not imported")
        else:
            said = Said(role="document", text=text_of(text), name=name)
            yield turn.item(said, "attachment", str(number))
    for number, file in enumerate(_listed(raw.get("files")), 1):
        name = text_of(file.get("file_name")) if isinstance(file, dict) else ""
        if name not in named or not name:
            yield left_out(f"{turn.place}, file {number}", f"the file {shown(name)} is not in the export")


def _listed(value: object) -> list[object]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
