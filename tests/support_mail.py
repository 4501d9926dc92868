"""Mails as programs write them, for tests: our own words in the shapes that are found in mailboxes."""

from pathlib import Path
from typing import Any

DELIVERED = (
    "Received: from relay.example (relay.example [192.0.2.7]) by mx.example; Mon, 2 Mar 2026 10:00:03 +0100"
)


def mail(
    text: str,
    *,
    sender: str = "Bob Smith <bob@mail.example>",
    subject: str = "News",
    date: str | None = "Mon, 2 Mar 2026 10:00:00 +0100",
    message_id: str | None = "<one@mail.example>",
    more: tuple[str, ...] = (),
    delivered: bool = True,
    kind: str = "text/plain; charset=utf-8",
) -> bytes:
    """One mail; the header block first, then the text as it is."""
    lines = [
        *([DELIVERED] if delivered else []),
        f"From: {sender}",
        "To: Priya <priya@home.example>",
        f"Subject: {subject}",
        *([f"Date: {date}"] if date else []),
        *([f"Message-ID: {message_id}"] if message_id else []),
        "MIME-Version: 1.0",
        f"Content-Type: {kind}",
        "Content-Transfer-Encoding: 8bit",
        *more,
    ]
    return "\n".join(lines).encode() + b"\n\n" + text.encode("utf-8", "surrogateescape")


def sent(text: str, **fields: Any) -> bytes:
    """A mail as its sender's program keeps it."""
    given: dict[str, Any] = {"sender": "Priya <priya@home.example>", "delivered": False, **fields}
    return mail(text, **given)


def mbox(path: Path, *mails: bytes) -> Path:
    """A mailbox of these."""
    path.write_bytes(
        b"".join(b"From - Mon Mar 02 10:00:00 2026\n" + one.rstrip(b"\n") + b"\n\n" for one in mails)
    )
    return path
