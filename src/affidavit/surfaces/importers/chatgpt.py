"""ChatGPT export files: `conversations.json`, a list of conversations, each a tree of messages.

Imported is the branch that the product shows, from `current_node` up to the root. Listed, not
imported: other branches (edited questions, regenerated answers), hidden messages and those of weight
0, reasoning, images and sound. System messages there are the product's own words, not the words of
the host that imports them, so they come in as derived from a third party. A system message without
text stands at the top of every conversation and is passed over.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from affidavit.surfaces.importers.chatgpt_content import Reading, read_content
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

_ROLES = ("user", "assistant", "system", "tool")
_Object = dict[str, object]


def read_chatgpt(stream: Stream) -> Imported:
    """Messages of a ChatGPT export, conversation by conversation, in the order they were shown."""
    return read_conversations(stream, _conversation)


@dataclass(slots=True, kw_only=True)
class _Left:
    """What a conversation leaves out, counted so that it is listed once."""

    hidden: int = 0
    reasoning: int = 0
    empty: int = 0

    def notes(self, place: str) -> Iterator[ImportProblem]:
        reasons = (
            (self.hidden, "hidden by the product or of weight 0"),
            (self.reasoning, "with the model's reasoning"),
            (self.empty, "without text"),
        )
        for count, reason in reasons:
            if count:
                yield left_out(place, f"{count} message(s) {reason} were not imported")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Talk:
    """One conversation while it is read."""

    id: str
    session: str
    title: str
    place: str
    left: _Left = field(default_factory=_Left)


def _conversation(raw: _Object, place: str) -> Imported:
    mapping = raw.get("mapping")
    if not isinstance(mapping, dict):
        yield ImportProblem(place=place, reason=f"its mapping is {describe(mapping)}, an object was expected")
        return
    given = text_of(raw.get("conversation_id")) or text_of(raw.get("id"))
    talk_id = given or stable_key("conversation", *mapping)
    talk = _Talk(
        id=talk_id,
        session=stable_key("chatgpt", talk_id),
        title=text_of(raw.get("title")),
        place=place,
    )
    path, problem = _shown_branch(mapping, raw.get("current_node"))
    if problem:
        yield ImportProblem(place=place, reason=problem)
    number = 0
    for node_id in path:
        node = mapping[node_id]
        if not isinstance(node, dict):
            yield ImportProblem(place=f"{place}, node {shown(node_id)}", reason=f"it is {describe(node)}")
        elif node.get("message") is not None:
            number += 1
            yield from _message(talk, node["message"], node_id, f"{place}, message {number}")
    yield from talk.left.notes(place)
    yield from _other_branches(mapping, set(path), place)


def _shown_branch(mapping: _Object, current: object) -> tuple[list[str], str]:
    """Node ids from the root to the node shown last, and what was wrong with the way."""
    problem = ""
    node_id = current if isinstance(current, str) and current in mapping else ""
    if not node_id and mapping:
        node_id = _last_leaf(mapping)
        problem = "it does not say which branch was shown; the last one of the file was taken"
    path: list[str] = []
    seen: set[str] = set()
    while node_id:
        if node_id in seen:
            return path[::-1], "its messages point at each other in a circle; read until there"
        seen.add(node_id)
        path.append(node_id)
        node = mapping[node_id]
        parent = node.get("parent") if isinstance(node, dict) else None
        if parent is not None and (not isinstance(parent, str) or parent not in mapping):
            problem = problem or "the start of the branch is missing"
            parent = None
        node_id = text_of(parent)
    return path[::-1], problem


def _last_leaf(mapping: _Object) -> str:
    parents = {text_of(node.get("parent")) for node in mapping.values() if isinstance(node, dict)}
    leaves = [node_id for node_id in mapping if node_id not in parents]
    return leaves[-1] if leaves else list(mapping)[-1]


def _other_branches(mapping: _Object, shown_ids: set[str], place: str) -> Iterator[ImportProblem]:
    others = 0
    for node_id, node in mapping.items():
        message = node.get("message") if isinstance(node, dict) and node_id not in shown_ids else None
        if isinstance(message, dict) and read_content(message.get("content")).text.strip():
            others += 1
    if others:
        where = "on branches that are not shown (edited or regenerated)"
        yield left_out(place, f"{others} message(s) {where} were not imported")


def _message(talk: _Talk, raw: object, node_id: str, place: str) -> Imported:
    if not isinstance(raw, dict):
        yield ImportProblem(place=place, reason=f"the message is {describe(raw)}, an object was expected")
        return
    author = raw.get("author")
    role = author.get("role") if isinstance(author, dict) else None
    if not isinstance(author, dict) or not isinstance(role, str) or role not in _ROLES:
        what = f"unknown role {shown(role)}" if isinstance(role, str) else f"its role is {describe(role)}"
        yield ImportProblem(place=place, reason=f"{what}; known: {', '.join(_ROLES)}")
        return
    reading = read_content(raw.get("content"))
    if _is_hidden(raw):
        talk.left.hidden += bool(reading.text.strip() or reading.left_out or reading.unreadable)
        return
    yield from (ImportProblem(place=place, reason=reason) for reason in reading.unreadable)
    yield from (left_out(place, reason) for reason in reading.left_out)
    talk.left.reasoning += reading.reasoning
    if not reading.text.strip():
        noted = reading.unreadable or reading.left_out or reading.reasoning or role == "system"
        talk.left.empty += not noted
        return
    at, problem = instant(raw.get("create_time"))
    if problem:
        yield left_out(place, f"{problem}; imported without a date")
    message = _shape(talk, raw, role, text_of(author.get("name")), reading)
    if at is not None:
        message["at"] = at
    key = stable_key("chatgpt", talk.id, text_of(raw.get("id")) or node_id)
    yield ImportItem(line_or_path=place, message=message, key=key)


def _is_hidden(raw: _Object) -> bool:
    metadata = raw.get("metadata")
    flagged = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation") is True
    weight = raw.get("weight")
    return flagged or (isinstance(weight, (int, float)) and not isinstance(weight, bool) and weight == 0)


def _shape(talk: _Talk, raw: _Object, role: str, name: str, reading: Reading) -> _Object:
    message: _Object = {
        "role": "tool" if reading.from_tool else role,
        "content": reading.text,
        "session": talk.session,
        "source": "chatgpt",
    }
    if role == "system":
        message["derived_from"] = "third_party"
    if name:
        message["name"] = name
    metadata = dict(reading.metadata)
    if talk.title:
        metadata["title"] = talk.title
    recipient = text_of(raw.get("recipient"))
    if recipient and recipient != "all":
        metadata["recipient"] = recipient
    if metadata:
        message["metadata"] = metadata
    return message
