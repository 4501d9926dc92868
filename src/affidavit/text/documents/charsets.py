"""From bytes to text, in the charset that is really meant, and whether some of them made no sense."""

import codecs
import re
from typing import Final

_CODECS: Final = {
    "big5", "big5hkscs", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "cp437", "cp850", "cp866", "cp874", "cp932", "cp949", "euc_jis_2004", "euc_jp", "euc_kr", "gb18030", "hz",
    "iso2022_jp", "iso2022_kr", "iso8859-10", "iso8859-13", "iso8859-14", "iso8859-15", "iso8859-16", "iso8859-2",
    "iso8859-3", "iso8859-4", "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8", "iso8859-9", "johab", "koi8-r",
    "koi8-u", "mac-roman", "shift_jis", "tis-620", "utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-7", "utf-8",
}  # fmt: skip
"""What a text may be written in; some of the other names that Python knows are slow, or no charsets at all."""
# As mail programs mean them, and as everybody reads them.
_MEANT: Final = {
    "ascii": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "iso8859-11": "cp874",
}


_BAD: Final = re.compile("[\ud800-\udfff]")


def decoded(raw: bytes, charset: str | None) -> tuple[str, bool]:
    """The text of these bytes, and whether some of them made no sense.

    Those stand in it as U+DC80 to U+DCFF: what is stored has U+FFFD there, and a record of it (`affidavit.text.clean`).
    Without a charset that is known: UTF-8, else Windows-1252.

    >>> decoded("张".encode("gb18030"), "gb2312")
    ('张', False)
    """
    codec = _codec(charset)
    if codec is None:
        try:
            return raw.decode("utf-8"), False
        except UnicodeDecodeError:
            return raw.decode("cp1252", "surrogateescape"), True
    try:
        text = raw.decode(codec, "surrogateescape")
    except UnicodeError:
        return raw.decode("ascii", "surrogateescape"), True
    return text, not text.isascii() and _BAD.search(text) is not None


def _codec(charset: str | None) -> str | None:
    try:
        name = codecs.lookup((charset or "").strip().strip("'\"")).name
    except (LookupError, ValueError, UnicodeError):
        return None
    name = _MEANT.get(name, name)
    return name if name in _CODECS else None
