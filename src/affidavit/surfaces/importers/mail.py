"""Mail: a file of one (`.eml`), and what every reader of mails makes of one.

One mail may hold several people's words, so it may become several items: what its sender wrote, each mail that he
forwarded in its text, each mail that he attached. The user's own words are only what he wrote himself in a mail that
he sent (see `mail_headers`); all else is of role `mail` and comes from others.
"""

import email
import hashlib
import re
from dataclasses import dataclass, replace
from email.message import Message
from typing import IO

from affidavit.surfaces.importers.items import Imported, ImportItem, ImportProblem, left_out, stable_key
from affidavit.surfaces.importers.mail_body import Body, named_files, read_body
from affidavit.surfaces.importers.mail_headers import Head, MailOwner, called, instant_of, read_head
from affidavit.text.spans import Found
from affidavit.text.whose.forwards import Forward, forwards

LARGEST_MAIL = 64 << 20
"""Bytes of one mail, files in it included."""
_DEEPEST = 5
"""Mails inside mails inside mails."""
_MOST_INSIDE = 200
# Every line of a mail is compared with every boundary that is open; a mail made to be slow has many of both.
_MOST_WORK = 20_000_000
_NESTS = re.compile(rb"multipart/|message/", re.IGNORECASE)
_BLANKS = re.compile(rb"\s+")
_ESCAPED = re.compile(rb"^>+From ", re.MULTILINE)
_HEADERS = ("From", "Date", "Message-ID", "Subject", "Received")
_NO_ONE = MailOwner()


def read_eml(stream: IO[bytes], owner: MailOwner = _NO_ONE) -> Imported:
    """The items of a file that holds one mail."""
    raw = stream.read(LARGEST_MAIL + 1)
    yield from read_mail(raw, "the mail", owner)


def read_mail(raw: bytes, place: str, owner: MailOwner) -> Imported:
    """The items of one mail. Never raises for what it holds."""
    if len(raw) > LARGEST_MAIL:
        yield ImportProblem(place=place, reason=f"it is larger than {LARGEST_MAIL:,} bytes")
        return
    if len(_NESTS.findall(raw)) * raw.count(b"\n") > _MOST_WORK:
        yield ImportProblem(place=place, reason="it has too many parts inside each other")
        return
    try:
        mail = email.message_from_bytes(raw)
        if not any(mail.get(name) for name in _HEADERS):
            yield ImportProblem(place=place, reason="it has none of the headers of a mail")
            return
        key = _digest(raw)
        items = list(_items(mail, place, _Outer(owner=owner, key=key)))
    except RecursionError:
        items = [ImportProblem(place=place, reason="its parts are nested too deeply")]
    yield from items


def _digest(raw: bytes) -> str:
    """The same for every copy of a mail: on its way lines are ended otherwise and `From` is escaped."""
    parts = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)
    body = _ESCAPED.sub(b"From ", parts[-1])
    return hashlib.sha256(_BLANKS.sub(b"", body)).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outer:
    """What a mail inside another has from it. `ids` are empty for a mail that lies in none."""

    owner: MailOwner
    key: str
    ids: tuple[str, ...] = ()
    session: str | None = None
    source_id: str | None = None
    depth: int = 0


def _items(mail: Message, place: str, outer: _Outer) -> Imported:
    head = read_head(mail, outer.owner)
    inside = bool(outer.ids)
    if inside:
        # Whoever attached it could have written it himself.
        head = replace(head, own=False, doubtful=False)
    body = read_body(mail)
    yield from (ImportProblem(place=place, reason=reason) for reason in body.problems)
    notes = [*body.notes, *named_files(body)]
    if head.trouble:
        notes.append(f"{head.trouble}; imported without a date")
    if head.doubtful:
        notes.append(
            "it bears your own address and was delivered like a stranger's, who could forge it: it counts as somebody "
            "else's (--sent takes all of a file of sent mail as yours)"
        )
    yield from (left_out(place, note) for note in notes)
    one = _One(head=head, body=body, outer=outer, place=place)
    found = list(one.items())
    yield from found
    if outer.depth >= _DEEPEST and body.mails:
        yield ImportProblem(place=place, reason="mails inside it are nested too deeply; they were not read")
        return
    for number, attached in enumerate(body.mails[:_MOST_INSIDE], 1):
        deeper = replace(
            outer, ids=(*one.ids, f"mail-{number}"), session=one.session, source_id=one.source_id,
            depth=outer.depth + 1,
        )  # fmt: skip
        yield from _items(attached, f"{place}, attached mail {number}", deeper)
    if len(body.mails) > _MOST_INSIDE:
        yield ImportProblem(place=place, reason=f"only the first {_MOST_INSIDE} mails inside it were read")
    if not found and not body.mails and not body.problems:
        yield left_out(place, "the mail holds no text")


@dataclass(frozen=True, slots=True, kw_only=True)
class _One:
    """One mail while it is read."""

    head: Head
    body: Body
    outer: _Outer
    place: str

    @property
    def ids(self) -> tuple[str, ...]:
        """What names it. A copy that was delivered is another than the one that its sender kept."""
        way = "delivered" if self.head.delivered else "kept"
        return self.outer.ids or (self.head.message_id or "", self.outer.key, way)

    @property
    def session(self) -> str | None:
        """The thread."""
        return self.outer.session or (stable_key("mail", self.head.thread) if self.head.thread else None)

    @property
    def source_id(self) -> str | None:
        """Whoever brought it in: what he forwards comes from him. The user's own mail has none."""
        if self.outer.ids or self.head.own or self.head.address is None:
            return self.outer.source_id
        return f"mail:{self.head.address}"[:256]

    def items(self) -> Imported:
        text = self.body.text
        passed = forwards(text, subject=self.head.subject)
        own = text[: passed[0].start].strip("\r\n") if passed else text
        if own.strip() or (self.head.subject and not passed and not self.body.mails):
            yield self._written(own)
        for number, one in enumerate(passed, 1):
            words = text[one.body : one.end].strip("\r\n")
            if words.strip():
                yield self._forwarded(one, words, number)

    def _written(self, text: str) -> ImportItem:
        """What its sender wrote. The subject of an answer is mostly another's, so it is never the sender's own."""
        head = self.head
        content = "\n\n".join(filter(None, (head.subject, text)))
        foreign: tuple[Found, ...] = ((0, len(head.subject), "subject"),) if head.subject else ()
        message: dict[str, object] = {"role": "user" if head.own else "mail", "content": content}
        if head.name and not head.own:
            message["name"] = head.name
        if head.at:
            message["at"] = head.at
        return self._item(message, self._metadata(), foreign=foreign)

    def _forwarded(self, one: Forward, words: str, number: int) -> ImportItem:
        message: dict[str, object] = {"role": "mail", "content": words}
        name = called(one.author, one.address, self.outer.owner)
        if name:
            message["name"] = name
        at = instant_of(one.date)
        if at:
            message["at"] = at
        said = {"from": one.address or one.author, "subject": one.subject, "date": one.date}
        metadata: dict[str, object] = {
            "message_id": self.head.message_id,
            "forwarded_by": self.head.address,
            "forwarded": {name: value[:500] for name, value in said.items() if value},
        }
        return self._item(message, metadata, f"forward-{number}")

    def _metadata(self) -> dict[str, object]:
        head = self.head
        return {
            "message_id": head.message_id,
            "subject": head.subject,
            "from": head.address or head.written,
            "to": list(head.to),
            "cc": list(head.cc),
            "files": self.body.files,
        }

    def _item(
        self,
        message: dict[str, object],
        metadata: dict[str, object],
        *suffix: str,
        foreign: tuple[Found, ...] = (),
    ) -> ImportItem:
        where = {"session": self.session, "source": "mail", "source_id": self.source_id}
        message |= {name: value for name, value in where.items() if value}
        message["metadata"] = {name: value for name, value in metadata.items() if value}
        return ImportItem(
            line_or_path=self.place,
            message=message,
            key=stable_key("mail", *self.ids, *suffix),
            letter=True,
            foreign=foreign,
        )
