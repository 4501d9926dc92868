"""From the arguments of `add` to messages on their way in."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from affidavit.core.authority import Role, least_trusted
from affidavit.core.ids import RANDOM_BYTES, make_id
from affidavit.core.limits import (
    BATCH_MESSAGES,
    RESOURCES,
    check_id,
    check_optional_id,
)
from affidavit.core.values import DocumentPlace
from affidavit.core.when import When
from affidavit.errors import InputError, LimitError, MessageError
from affidavit.text.clean import is_blank
from affidavit.text.prepare import Prepared, prepare
from affidavit.text.spans import within
from affidavit.write.documents import Document
from affidavit.write.messages import Message, Skipped, parse_message, parse_metadata, parse_party, parse_role
from affidavit.write.record import Incoming


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What `add` says about all its messages."""

    session_id: str | None = None
    role: Role = Role.USER
    author: object = None
    derived_from: object = None
    occurred_at: object = None
    event_type: str | None = None
    source: str | None = None
    source_id: str | None = None
    resources: Sequence[str] = ()
    metadata: Mapping[str, object] | None = None
    infer: bool = True
    idempotency_key: str | None = None

    @classmethod
    def of(cls, **said: Any) -> "Origin":
        """The checked origin. Raises `InputError`s."""
        resources = said.get("resources", ())
        if isinstance(resources, str) or not isinstance(resources, Sequence):
            raise InputError("resources is not a list", hint="give a list of names")
        if len(resources) > RESOURCES:
            raise LimitError(f"{len(resources)} resources", hint=f"at most {RESOURCES} are taken")
        ids = ("session_id", "event_type", "source", "source_id", "idempotency_key")
        return cls(
            **said
            | {name: check_optional_id(said.get(name), name) for name in ids}
            | {
                "role": parse_role(said.get("role", Role.USER)),
                "resources": tuple(check_id(name, "a resource") for name in resources),
            }
        )

    def incoming(self, message: Message, *, key: str | None, document: str | None = None) -> Incoming:
        """A message with this origin."""
        return Incoming(
            message=message,
            session_id=self.session_id,
            source=self.source,
            source_id=self.source_id,
            author=least_trusted(message.author, parse_party(self.author, "author")),
            derived_from=least_trusted(message.derived_from, parse_party(self.derived_from, "derived_from")),
            occurred=None if self.occurred_at is None else When.parse(self.occurred_at),
            event_type=self.event_type,
            resources=tuple(self.resources),
            document=document,
            key=key,
            infer=self.infer,
        )


def from_messages(messages: object, origin: Origin) -> tuple[list[Incoming], list[Skipped]]:
    """The messages of one `add`, and those that hold nothing. Raises where there is nothing at all to keep."""
    if isinstance(messages, str | Mapping):
        messages = [messages]
    if not isinstance(messages, Sequence) or isinstance(messages, bytes | bytearray):
        raise MessageError(
            f"messages is a {type(messages).__name__}", hint="give text, a message, or a list of them"
        )
    if len(messages) > BATCH_MESSAGES:
        raise LimitError(
            f"{len(messages):,} messages in one add", hint=f"give at most {BATCH_MESSAGES:,} at a time"
        )
    extra = parse_metadata(origin.metadata)
    parsed = [parse_message(raw, index, origin.role) for index, raw in enumerate(messages)]
    skipped = [message for message in parsed if isinstance(message, Skipped)]
    if len(skipped) == len(parsed):
        raise MessageError("there is nothing to remember in this input", hint="give a message with some text")
    incoming = []
    for index, message in enumerate(parsed):
        if isinstance(message, Skipped):
            continue
        key = origin.idempotency_key
        if key is not None and len(parsed) > 1:
            key = f"{key}#{index}"
        known = replace(message, metadata={**extra, **message.metadata})
        incoming.append(origin.incoming(known, key=key))
    return incoming, skipped


def from_document(
    document: object, origin: Origin, now: int, random: bytes
) -> tuple[list[Incoming], list[Skipped]]:
    """A document's chunks, all with one `source_id`: the given one, or a new one; and what of its file is left out."""
    if isinstance(document, os.PathLike):
        document = Document.read(document)
    if isinstance(document, str):
        document = Document(text=document, name=origin.source)
    if not isinstance(document, Document):
        raise InputError(f"document is a {type(document).__name__}", hint="give text, a path or a Document")
    document.check()
    # Made ready as a whole: cut first, a secret could be cut in two and half of it slip through.
    whole = prepare(document.text, user_message=False)
    chunks = list(document.chunks(whole.text))
    if not chunks or is_blank(whole.text):
        raise MessageError("the document is empty", hint="give a document with some text")
    name = check_optional_id(document.name, "the document's name")
    name = prepare(name, user_message=False).text if name else None
    # Sent again under its key, a document is the same source.
    named = origin.source_id or origin.idempotency_key
    source_id = named or make_id("doc_", now, random[:RANDOM_BYTES])
    metadata = parse_metadata(origin.metadata)
    out = []
    for index, (piece, page) in enumerate(chunks):
        place = DocumentPlace(
            name=name,
            index=index,
            count=len(chunks),
            headings=piece.headings,
            start=piece.start,
            end=piece.end,
            page=page,
        )
        message = Message(
            role=Role.DOCUMENT, text=piece.text, name=None, at=None, metadata=metadata, extra=None
        )
        key = f"{origin.idempotency_key}#{index}" if origin.idempotency_key else None
        incoming = origin.incoming(message, key=key, document=place.to_json())
        ready = Prepared(text=piece.text, spans=within(whole.spans, piece.start, piece.end))
        out.append(replace(incoming, source_id=source_id, source=origin.source or name, prepared=ready))
    return out, [Skipped(index=0, reason=f"left out of the document: {one}") for one in document.left_out]
