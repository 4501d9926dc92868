"""What the headers of a mail say: who sent it, whether that is the user himself, when, in which thread.

A name that a mail shows is whatever its sender typed. Only an address given by the host makes a mail the user's own,
and only one that bears no trace of having been delivered: a received mail can carry any address as its sender's.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime

from affidavit.core.limits import ID_CHARACTERS
from affidavit.surfaces.importers.items import shown
from affidavit.surfaces.importers.mail_words import header_text

# One address and nothing else, as written: what is merely decoded or lenient could be made to show another one.
_ONE = re.compile(
    r"\s*(?:\"(?:[^\"\\@]|\\.){0,500}\"|[^\"<>@,;:()\\\[\]]{0,500})\s*<\s*([^<>\s@\"(),;:]+@[^<>\s@\"(),;:]+)\s*>\s*"
    r"|\s*([^<>\s@\"(),;:]+@[^<>\s@\"(),;:]+)\s*"
)
_ADDRESS = re.compile(r"[^\s<>()\[\]\"',;:@]{1,64}@[^\s<>()\[\]\"',;:@]{1,190}")
_BRACKETED = re.compile(rf"<\s*({_ADDRESS.pattern})\s*>")
_SHOWN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\((?:[^()\\]|\\.)*\)|=\?[^\s?]+\?[bqBQ]\?[^\s?]*\?=")
_LIKE_ADDRESS = re.compile(r"@|\bat\b\W*[\w-]+(?:\.|\W*\bdot\b)", re.IGNORECASE)
_DELIVERED = (
    "Received", "Return-Path", "Delivered-To", "X-Original-To", "Envelope-To", "X-Received", "Received-SPF",
    "Authentication-Results", "ARC-Authentication-Results", "X-Delivered-To",
)  # fmt: skip
_PASSED_ON = ("Sender", "Resent-From", "Resent-Sender", "List-Id")
_REFERENCE = re.compile(r"<[^<>\s]{1,900}>")
_ROUND = " \t\"'<>()[],;"
_MOST_ADDRESSES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class MailOwner:
    """Whose mail is imported: addresses from which he writes, and names by which he is known.

    `sent`: the host says that everything in the file was sent by him, so that traces of delivery raise no doubt.
    """

    addresses: frozenset[str] = field(default_factory=frozenset)
    names: frozenset[str] = field(default_factory=frozenset)
    sent: bool = False

    @classmethod
    def of(cls, addresses: Iterable[str], names: Iterable[str] = (), *, sent: bool = False) -> "MailOwner":
        """With addresses and names that are compared without regard to case."""
        return cls(addresses=_folded(addresses), names=_folded(names), sent=sent)


def _folded(given: Iterable[str]) -> frozenset[str]:
    return frozenset(one.strip().casefold() for one in given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The headers of one mail. `own`: the user sent it; `doubtful`: only its address says so.

    `address`: the one it is from, None where several or none are named; `written`: what it says of its sender.
    """

    name: str | None
    address: str | None
    written: str
    own: bool
    doubtful: bool
    delivered: bool
    subject: str
    at: str | None
    trouble: str | None
    message_id: str | None
    thread: str | None
    to: tuple[str, ...]
    cc: tuple[str, ...]


def read_head(mail: Message, owner: MailOwner) -> Head:
    """The headers of a mail; never raises for what they hold."""
    written = _all(mail, "From")
    address = _only(written[0]) if len(written) == 1 else None
    said = header_text(written[0]) if written else ""
    delivered = any(mail.get(name) is not None for name in _DELIVERED)
    listed = address is not None and address.casefold() in owner.addresses
    automatic = header_text(mail.get("Auto-Submitted", "no")).lower() not in ("", "no")
    passed_on = automatic or any(_another(mail, name, address) for name in _PASSED_ON)
    address = address or _sender(written)
    at, trouble = _date(mail)
    references = _REFERENCE.findall(_unfolded(" ".join(_all(mail, "References")))[:20_000])
    answered = _REFERENCE.findall(_unfolded(" ".join(_all(mail, "In-Reply-To")))[:2_000])
    own_id = (_REFERENCE.findall(_unfolded(mail.get("Message-ID", ""))[:2_000]) or [None])[0]
    return Head(
        name=called(said.rpartition("<")[0] if "<" in said else "" if address else said, address, owner),
        address=address,
        written=said[:500],
        own=listed and not passed_on and (owner.sent or not delivered),
        doubtful=listed and not passed_on and delivered and not owner.sent,
        delivered=delivered,
        subject=header_text(mail.get("Subject"))[:1_000],
        at=at,
        trouble=trouble,
        message_id=own_id,
        thread=(references or answered or [own_id])[0],
        to=_addresses(mail, "To"),
        cc=_addresses(mail, "Cc"),
    )


def called(name: str | None, address: str | None, owner: MailOwner) -> str | None:
    """What to call a correspondent: as he calls himself, unless that is the user's name or an address: then his own."""
    name = (name or "").strip(_ROUND)
    taken = not name or len(name) > ID_CHARACTERS or name.casefold() in owner.names
    taken = taken or _LIKE_ADDRESS.search(unicodedata.normalize("NFKC", name)) is not None
    chosen = address if taken else name
    return chosen if chosen and len(chosen) <= ID_CHARACTERS else None


def instant_of(text: str | None) -> str | None:
    """A date as mail programs write it, with its offset; None where it can't be read."""
    if not text:
        return None
    try:
        when = parsedate_to_datetime(text.replace(" at ", " "))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return _written(when)


def _written(when: datetime) -> str | None:
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    # The shape of our dates: whole minutes of offset, four digits of year.
    offset = when.utcoffset()
    if offset is None or offset.total_seconds() % 60 or not 1 <= when.year <= 9999:
        return None
    return when.isoformat().replace("+00:00", "Z")


def _date(mail: Message) -> tuple[str | None, str | None]:
    raw = header_text(mail.get("Date"))
    if not raw:
        return None, None
    at = instant_of(raw)
    return at, None if at is not None else f"the date {shown(raw)} can't be read"


def _another(mail: Message, name: str, address: str | None) -> bool:
    """Whether such a header names somebody else than the sender."""
    return any(_unfolded(one).strip() and address != _only(one) for one in _all(mail, name))


def _only(written: str) -> str | None:
    only = _ONE.fullmatch(_unfolded(written))
    return (only[1] or only[2]).lower() if only is not None else None


def _sender(written: Sequence[str]) -> str | None:
    """The one address that a mail is from; what only its name shows is none, and of several nobody knows which."""
    bare = _SHOWN.sub(" ", _unfolded(" , ".join(written))[:50_000])
    found = {one.lower() for one in _BRACKETED.findall(bare) or _ADDRESS.findall(bare)}
    return found.pop() if len(found) == 1 else None


def _addresses(mail: Message, name: str) -> tuple[str, ...]:
    said = header_text(" ".join(_all(mail, name))[:50_000])
    return tuple(one[0].lower() for one in _ADDRESS.finditer(said))[:_MOST_ADDRESSES]


def _all(mail: Message, name: str) -> list[str]:
    return [str(one) for one in mail.get_all(name, [])]


def _unfolded(text: object) -> str:
    return re.sub(r"[\r\n]+[ \t]*", " ", str(text))
