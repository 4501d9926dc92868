"""Forwarded mail inside the text of a mail: where each begins, whose it says it is, and where its own words begin.

Built on the signs of `affidavit.text.whose.mail`. What a forwarder typed into such a block is believed by nobody:
the author named here is a third party, whatever the name.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from affidavit.text.whose.mail import mail_parts
from affidavit.text.whose.quoting import quoted_blocks

_MOST: Final = 20
"""Forwards inside one text that are told apart; what is deeper stays with the last of them."""
_HEADERS: Final = 12
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FIELD: Final = re.compile(
    r"[ \t>*_]{0,12}([^\W\d_][\w \-]{0,24}?)[*_]{0,3}[ \t]{0,2}[:：][*_]{0,3}[ \t]*(.*)"
)
_FORWARD: Final = re.compile(
    r"forward|weitergeleitet|transf[ée]r|transmis|réexpédié|reenvi|encaminhad|inoltrat|doorgestuurd|пересла|пересыла"
    "|转发|轉寄|転送|전달",
    re.IGNORECASE,
)
_ORIGINAL: Final = re.compile("origin|ursprünglich|oorspronkelijk|исходн|原始|元の|원본|_{5,}", re.IGNORECASE)
_SUBJECT_OF_ONE: Final = re.compile(
    r"\s*(?:fwd?|wg|tr|rv|enc|i|fs|vs|doorst|pd|転送|转发|轉寄|전달)\s*[:：]", re.IGNORECASE
)
_NAMES: Final = {
    "from": "from|von|de|da|van|från|fra|od|от|від|kimden|gönderen|发件人|寄件者|寄件人|差出人|送信者"
    "|보낸 사람|보낸사람",
    "date": "date|sent|gesendet|datum|envoyé|envoyé le|enviado|enviado el|fecha|enviada em|enviado em|data|inviato"
    "|verzonden|skickat|sendt|wysłano|дата|отправлено|tarih|日期|发送时间|發送時間|寄件日期"
    "|日時|送信日時|날짜|보낸 날짜",
    "subject": "subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|тема|konu|主题|主題|件名|제목",
}
_KNOWN: Final = {word: field for field, words in _NAMES.items() for word in words.split("|")}
_ADDRESS: Final = re.compile(r"[^\s<>()\[\]\"',;:@]{1,64}@[^\s<>()\[\]\"',;:@]{1,190}")
_ROUND: Final = " \t\"'<>()[]*,;"


class Forward(NamedTuple):
    """A forwarded part: `text[start:end]`, of which `text[body:end]` are its words; the rest is what its head says."""

    start: int
    body: int
    end: int
    author: str | None
    address: str | None
    date: str | None
    subject: str | None


def forwards(text: str, *, subject: str = "") -> list[Forward]:
    r"""The forwarded mails in a text, in order, each up to the next. `subject` is that of the mail that holds them.

    A block that only repeats what a reply answers ("Original Message" under another subject) is no forward.

    >>> [
    ...     (f.author, f.address)
    ...     for f in forwards("look\n---------- Forwarded message ---------\nFrom: Bob <b@x.example>\n\nHi")
    ... ]
    [('Bob', 'b@x.example')]
    """
    starts = list(_starts(text, said=_SUBJECT_OF_ONE.match(subject) is not None))
    ends = [*(start for start, _ in starts), len(text)][1:]
    return [_read(text, start, head, end) for (start, head), end in zip(starts, ends, strict=True)]


def _starts(text: str, *, said: bool) -> Iterator[tuple[int, int]]:
    """Where forwards begin, and where the lines of their heads do."""
    place = 0
    for _ in range(_MOST):
        rest = text[place:]
        part = next((one for one in mail_parts(rest, quoted_blocks(rest)) if one[1] == len(rest)), None)
        if part is None:
            return
        start = place + part[0]
        line = _LINE.match(text, start)
        first = line[0] if line is not None else ""
        head = start
        if part[2] == "forwarded":
            head = start + len(first)
            if not said and _FORWARD.search(first) is None and _ORIGINAL.search(first) is not None:
                return
        elif part[2] != "mail_header" or not said:
            return
        yield start, head
        place = _read(text, start, head, len(text)).body
        if place >= len(text) or place <= start:
            return


def _read(text: str, start: int, head: int, end: int) -> Forward:
    """The lines of a head up to the first that is none; an empty line ends it once there was one."""
    said: dict[str, str] = {}
    place = body = head
    for _ in range(_HEADERS):
        line = _LINE.match(text, place, end)
        if line is None or line.start() >= end:
            break
        field = _FIELD.match(line[0].rstrip("\r\n"))
        blank = not line[0].strip(" \t>\r\n")
        if field is None and (said or not blank):
            body = line.end() if blank else line.start()
            break
        if field is not None:
            said.setdefault(_KNOWN.get(field[1].strip().lower(), ""), field[2].strip())
        place = body = line.end()
    who = said.get("from", "")
    address = _ADDRESS.search(who)
    name = (who[: address.start()] if address is not None else who).replace("mailto:", "").strip(_ROUND)
    return Forward(
        start,
        min(body, end),
        end,
        name or (address[0] if address is not None else None),
        address[0].lower() if address is not None else None,
        said.get("date") or None,
        said.get("subject") or None,
    )
