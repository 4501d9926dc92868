"""What a mail holds: its text, the mails inside it, and the files beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message

from affidavit.core.limits import shown
from affidavit.errors import FileFormatError
from affidavit.surfaces.importers.mail_words import header_text
from affidavit.text.documents.charsets import decoded

_DEEPEST = 30
_MOST_PARTS = 1_000
_MOST_FILES = 50


@dataclass(slots=True)
class Body:
    """`texts` in their order, `mails` that are attached, `files` as metadata; what went wrong, in words."""

    texts: list[str] = field(default_factory=list)
    mails: list[Message] = field(default_factory=list)
    files: list[dict[str, object]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """What was not read at all."""
    notes: list[str] = field(default_factory=list)
    """What was read, but not as it was."""
    parts: int = 0

    @property
    def text(self) -> str:
        """All of it, a blank line between parts."""
        return "\n\n".join(text.strip("\r\n") for text in self.texts if text.strip())


def read_body(mail: Message) -> Body:
    """The body of a mail. Never raises for what it holds."""
    body = Body()
    _walk(mail, body, 0, readable=True)
    if mail.defects or any(part.defects for part in mail.walk() if part is not mail):
        body.notes.append("it is damaged; what could be read of it was imported")
    if len(body.files) > _MOST_FILES:
        body.notes.append(f"it has {len(body.files)} files; the first {_MOST_FILES} are named")
        del body.files[_MOST_FILES:]
    return body


def _walk(part: Message, body: Body, depth: int, *, readable: bool) -> None:
    """`readable`: whether the texts in it are wanted; of an alternative only one rendering is."""
    body.parts += 1
    if depth > _DEEPEST or body.parts > _MOST_PARTS:
        if body.parts <= _MOST_PARTS + 1:
            body.problems.append("its parts are nested too deeply or too many; the rest was not read")
        return
    kind = part.get_content_type()
    inside = part.get_payload()
    if isinstance(inside, list):
        if kind == "message/rfc822":
            body.mails.extend(one for one in inside if isinstance(one, Message))
        elif part.get_content_maintype() == "message":
            _file(part, body)
        elif kind == "multipart/alternative":
            _alternatives([one for one in inside if isinstance(one, Message)], body, depth, readable=readable)
        else:
            for one in inside:
                if isinstance(one, Message):
                    _walk(one, body, depth + 1, readable=readable)
    elif kind in ("text/plain", "text/html") and not _is_file(part):
        if readable:
            _text(part, body, html=kind == "text/html")
    else:
        _file(part, body)


def _alternatives(inside: list[Message], body: Body, depth: int, *, readable: bool) -> None:
    """The plain rendering if it says anything, else the first that does; files beside any of them are named."""
    for one in sorted(inside, key=lambda part: part.get_content_type() != "text/plain"):
        before = len(body.texts)
        _walk(one, body, depth + 1, readable=readable)
        readable = readable and not any(text.strip() for text in body.texts[before:])


def _is_file(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(part.get_filename())


def _text(part: Message, body: Body, *, html: bool) -> None:
    raw = _bytes(part)
    if html:
        from affidavit.write.html import read_html

        try:
            page = read_html(raw, charset=part.get_content_charset())
        except FileFormatError as error:
            body.problems.append(f"its HTML was not read: {error.what} ({error.hint})")
            return
        if page.hidden:
            body.notes.append(f"{page.hidden:,} characters that its HTML hides were left out")
        body.texts.append(page.text)
        return
    text, damaged = decoded(raw, part.get_content_charset())
    if damaged:
        body.notes.append("some of its bytes are not in its charset; the characters stand as U+FFFD")
    text = text.replace("\r\n", "\n")  # how lines end belongs to the way a mail went, not to its text
    body.texts.append(
        _flowed(text, part) if header_text(part.get_param("format")).lower() == "flowed" else text
    )


def _bytes(part: Message) -> bytes:
    raw = part.get_payload(decode=True)
    return raw if isinstance(raw, bytes) else b""


def _flowed(text: str, part: Message) -> str:
    """Lines that were only broken for the way, joined again (RFC 3676)."""
    joined: list[str] = []
    open_at = -1
    drop = header_text(part.get_param("delsp")).lower() == "yes"
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        words = line[depth:].removeprefix(" ")
        if joined and depth == open_at and words != "-- ":
            joined[-1] += words
        else:
            joined.append(f"{'>' * depth}{' ' if depth else ''}{words}")
        soft = words.endswith(" ") and words != "-- "
        open_at = depth if soft else -1
        if soft and drop:
            joined[-1] = joined[-1][:-1]
    return "\n".join(joined)


def _file(part: Message, body: Body) -> None:
    if part.get_content_maintype() == "multipart":
        return
    name = header_text(part.get_filename() or "")[:200]
    raw = part.get_payload(decode=True)
    body.files.append(
        {
            "name": name,
            "type": part.get_content_type()[:100],
            "bytes": len(raw) if isinstance(raw, bytes) else 0,
        }
    )


def named_files(body: Body) -> Iterator[str]:
    """Each file in words, for a note."""
    for one in body.files:
        yield f"the file {shown(one['name'])} ({one['type']}) is named and was not read"
