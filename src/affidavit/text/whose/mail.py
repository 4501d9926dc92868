"""Quoted mail inside a message: header blocks, forwards, "On … Ben wrote:", in mail programs' languages."""

import re
from collections.abc import Iterator

from affidavit.text.spans import Found

_FROM = (
    "from|von|de|da|van|från|fra|od|от|від|kimden|gönderen|feladó|lähettäjä|发件人|寄件者|寄件人|差出人"
    "|送信者|보낸 사람|보낸사람|من|מאת|จาก|प्रेषक"
)
_OTHERS = (
    "to|sent|date|subject|cc|bcc|reply-to|an|gesendet|datum|betreff|kopie|à|a|envoyé|envoyé le|objet"
    "|copie à|para|enviado|enviado el|fecha|asunto|enviada em|enviado em|data|assunto|inviato|oggetto"
    "|aan|verzonden|onderwerp|till|skickat|ämne|til|sendt|emne|do|wysłano|temat|кому|дата|тема"
    "|отправлено|kime|tarih|konu|收件人|抄送|主题|主題|日期|发送时间|發送時間|寄件日期|宛先|件名|日時"
    "|送信日時|받는 사람|받는사람|날짜|제목|보낸 날짜|إلى|التاريخ|الموضوع|אל|תאריך|נושא|ถึง|วันที่"
    "|เรื่อง"
)
_START = "(?<![^\r\n\x0b\x0c\x85\u2028\u2029])[ \t*_]{0,8}"
_COLON = r"[*_]{0,3}[ \t]{0,2}[:：]"
_HEADER = re.compile(rf"[ \t*_]{{0,8}}(?:{_FROM}|{_OTHERS}){_COLON}", re.IGNORECASE)
_FORWARDED = (
    "original message|original appointment|forwarded message|forwarded by|ursprüngliche nachricht"
    "|originalnachricht|original-nachricht|weitergeleitete nachricht|message d['’]origine"
    "|message original|message transféré|message transmis|mensaje original|mensaje reenviado"
    "|mensagem original|mensagem encaminhada|messaggio originale|messaggio inoltrato"
    "|oorspronkelijk bericht|doorgestuurd bericht|ursprungligt meddelande|wiadomość oryginalna"
    "|пересылаемое сообщение|исходное сообщение|пересланное сообщение|原始邮件|原始郵件|转发邮件"
    "|转发的邮件|轉寄郵件|元のメッセージ|転送メッセージ|転送されたメッセージ|원본 메시지|전달된 메시지"
    "|원본 메일"
)
_BEGIN = (
    "begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié"
    "|inicio del mensaje reenviado|início da mensagem encaminhada|inizio messaggio inoltrato"
    "|以下是转发的邮件|下面是被转发的邮件|転送されたメッセージ"
)
# The end of "On … Ben wrote:"; in German and Dutch the name follows the verb.
_WROTE = (
    r"(?<!\w)(?:wrote|writes|a écrit|escribió|ha scritto|escreveu|napisał\(?a?\)?|skrev|kirjoitti|yazdı"
    r"|написал\(?а?\)?|пишет)"
    r"\s{0,2}[:：]|(?<!\w)(?:schrieb|schreef)(?!\w)[^\n]{0,120}?[:：](?=\s|$)"
    r"|(?:写道|寫道|写到|のメール|が書きました|님이 작성|작성함)\s{0,2}[:：]"
)
_INLINE = r"(?<![^\s>*(\[.,;!?|:])(?:From|Von|De|Da|发件人|差出人|От|from)[ ]?[:：]"
_SIGN = re.compile(
    rf"{_START}(?:(?P<sender>(?:{_FROM}){_COLON})"
    rf"|(?P<forward>[-—–_=*]{{2,40}}[ \t]*(?:{_FORWARDED})(?!\w)|(?:{_BEGIN})[ \t]*[:：]))"
    rf"|(?P<wrote>{_WROTE})|(?P<inline>{_INLINE})",
    re.IGNORECASE,
)
_INLINE_CASED = re.compile(r"(?:From|Von|De|Da|От|发件人|差出人)")
_INLINE_OTHER = re.compile(
    r"(?<![A-Za-z])(?:To|Sent|Date|Subject|Cc|An|Gesendet|Datum|Betreff|À|Envoyé|Objet|Para|Enviado|Fecha|Asunto|Data|Assunto|A"
    r"|Inviato|Oggetto|收件人|主题|日期|宛先|件名|Кому|Тема|Дата)\s?[:：]"
)
_BREAK = re.compile(r"\r\n|\r|\n|\Z")
_HEADS = re.compile(
    r"(?<![^\W_])(?:on|am|le|el|il|em|op|den|w dniu|dnia|på|a)\s|[在于於]|(?=\d{4}年)", re.IGNORECASE
)
_DATED = re.compile(r"\d|@|年|\b(?:mon|tues|wednes|thurs|fri|satur|sun|yester)day\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"(?<!\w)(?:i|we|ich|wir|je|j['’]|yo|eu|io|я)\s*$", re.IGNORECASE)
_FIRST_AFTER = re.compile(r"schrieb\s+(?:ich|wir)\b", re.IGNORECASE)
_QUOTED = re.compile(r"\s*+(?:>|＞|»|&gt;|&#62;)")
_QUOTED_LINES = re.compile(r"(?:[ \t]*+(?:>|＞|»|&gt;|&#62;)[^\r\n]*+(?:\r\n|\r|\n|\Z))++")
_REACH = 300
_NEAR = 2000
# Ordinary mail has a handful of such signs; past this many that led nowhere the rest counts as pasted.
_PATIENCE = 5000

_HINTS = (
    "wrote",
    "writes",
    "schrieb",
    "écrit",
    "escribi",
    "scritto",
    "escreveu",
    "schreef",
    "skrev",
    "napisa",
    "kirjoitti",
    "yazd",
    "напис",
    "пишет",
    "写道",
    "寫道",
    "写到",
    "メール",
    "書きました",
    "작성",
)
_RULED = (
    "forwarded",
    "original",
    "nachricht",
    "message",
    "mensaje",
    "mensagem",
    "messaggio",
    "bericht",
    "meddelande",
    "wiadomo",
    "сообщение",
    "邮件",
    "郵件",
    "メッセージ",
    "메시지",
    "메일",
)
_SENDERS = tuple(_FROM.split("|"))


def may_be_mail(text: str) -> bool:
    """A cheap first look: False means that there is no quoted mail."""
    colon, wide = text.find(":"), "：" in text
    if colon < 0 and not wide and "--" not in text and "__" not in text and "==" not in text:
        return False
    if len(text) > 4096:
        return True
    low = text.lower()
    if colon < 0 and not wide:
        return any(map(low.__contains__, _RULED))
    if any(map(low.__contains__, _HINTS)) or any(map(low.__contains__, _RULED)):
        return True
    parts = low.replace("：", ":").split(":")
    return any(part[-20:].rstrip(" \t*_").endswith(_SENDERS) for part in parts[:-1])


def mail_parts(text: str, blocks: list[Found]) -> Iterator[Found]:
    """Replies and forwards. A reply whose quote is marked with `>` ends there; all else runs to the end.

    Signs inside quotes and code (`blocks`, sorted) belong to them: what is written below is the user's.
    """
    place = block = misses = 0
    while (sign := _SIGN.search(text, place)) is not None:
        place = sign.end()
        while block < len(blocks) and blocks[block][1] <= sign.start():
            block += 1
        if block < len(blocks) and blocks[block][0] <= sign.start():
            place = max(place, blocks[block][1])
            continue
        part = _part(text, sign)
        misses += part is None
        if misses > _PATIENCE:
            part = sign.start(), len(text), "many"
        if part is not None:
            yield part
            place = part[1]
            if place >= len(text):
                return


def _part(text: str, sign: re.Match[str]) -> Found | None:
    """What a sign of quoted mail opens, or None when it is ordinary prose."""
    if sign.lastgroup == "forward":
        return sign.start(), len(text), "forwarded"
    if sign.lastgroup == "wrote":
        return _reply(text, sign)
    if sign.lastgroup == "sender" and (start := _header_block(text, sign)) is not None:
        return start, len(text), "mail_header"
    start = sign.start("sender") if sign.lastgroup == "sender" else sign.start()
    return (start, len(text), "mail_header") if _run_together(text, start, sign.end()) else None


def _run_together(text: str, start: int, end: int) -> bool:
    """A mail whose header lines stand on one line: `From: London To: Paris …`.

    A sender and one more header with a capital are enough; "from: my house, to: yours" in a sentence is not,
    unless an address stands between them.
    """
    line = _line_end(text, end)
    if "@" in text[end : min(line, end + 120)]:
        return True
    return _INLINE_CASED.match(text, start) is not None and _INLINE_OTHER.search(text, end, line) is not None


def _line_end(text: str, place: int) -> int:
    ending = _BREAK.search(text, place, place + _NEAR)
    return ending.start() if ending is not None else min(place + _NEAR, len(text))


def _line_start(text: str, place: int, low: int) -> int:
    return max(text.rfind("\n", low, place), text.rfind("\r", low, place), low - 1) + 1


def _header_block(text: str, sign: re.Match[str]) -> int | None:
    """Where the block begins to which this sender line belongs: another header line is near, or an address on it."""
    first = sign.start()
    end = _line_end(text, sign.end())
    near = "@" in text[sign.end() : end]
    low = max(0, first - _NEAR)
    above = first
    for _ in range(3):
        above = _line_start(text, max(above - 1, low), low)
        if above < first and _HEADER.match(text, above) is not None:
            near, first = True, above
    for _ in range(3):
        if near or end >= len(text):
            break
        below = end + (2 if text.startswith("\r\n", end) else 1)
        near = _HEADER.match(text, below) is not None
        end = _line_end(text, below)
    return first if near else None


def _reply(text: str, ending: re.Match[str]) -> Found | None:
    """The line "On … Ben wrote:" with what it introduces."""
    start = _attribution(text, ending)
    if start is None:
        return None
    quoted = _QUOTED.match(text, ending.end())
    if quoted is None:
        return start, len(text), "reply"
    end = _line_end(text, quoted.end()) if "\n" not in quoted[0] and "\r" not in quoted[0] else ending.end()
    line = _BREAK.search(text, max(end, quoted.end()))
    after = line.end() if line is not None else len(text)
    more = _QUOTED_LINES.match(text, after)
    end = more.end() if more is not None else after
    return start, end - len(_tail_break(text, end)), "reply"


def _tail_break(text: str, end: int) -> str:
    """The line ending just before `end`: it is not part of the quote."""
    if text.startswith("\r\n", end - 2):
        return "\r\n"
    return text[end - 1 : end] if text[end - 1 : end] in ("\r", "\n") else ""


def _attribution(text: str, ending: re.Match[str]) -> int | None:
    """Where the "On …" of this "… wrote:" begins (up to two lines above); None when it is ordinary prose."""
    begin = max(0, ending.start() - _REACH)
    for number, place in enumerate(_breaks_before(text, ending.start(), begin)):
        if number == 2:
            begin = place + 1
    window = text[begin : ending.start()]
    if _FIRST_PERSON.search(window[-8:]) is not None or _FIRST_AFTER.match(ending[0]) is not None:
        return None
    for head in _HEADS.finditer(window):
        if _opens(window, head.start()) and _DATED.search(window + ending[0], head.start()) is not None:
            return begin + head.start()
    # "Ben <ben@mail.example> wrote:" without a date.
    line = _line_start(text, ending.start(), begin)
    return line if "@" in text[line : ending.start()] else None


def _breaks_before(text: str, place: int, low: int) -> Iterator[int]:
    while (place := text.rfind("\n", low, place)) >= 0:
        yield place


def _opens(window: str, place: int) -> bool:
    """Whether a head such as "On" stands at a line's start, or with a capital inside a line."""
    if ord(window[place]) > 0x2E80 or window[place].isdigit():
        return True
    before = window[:place].rstrip(" \t>*_")
    return not before or before[-1] in "\r\n" or window[place].isupper()
