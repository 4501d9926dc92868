"""Keys of Twilio, Mailgun and Discord: nearly hashes or file names, told apart by every character of their shape.

Git hashes, digests, UUIDs and dotted names are far more frequent than these, and must stay.
"""

import base64
import binascii
import re
from collections.abc import Iterator

Found = tuple[int, int, str]

SHORTEST = 34
"""Characters of the shortest of these keys."""
_ALONE = r"(?<![A-Za-z0-9_\-])"
_ENDS = r"(?![A-Za-z0-9_\-])"
_TWILIO = re.compile(rf"{_ALONE}(?:SK|AC)[0-9a-f]{{32}}{_ENDS}")
_MAILGUN = re.compile(rf"{_ALONE}key-[0-9a-f]{{32}}{_ENDS}")
# Found by its first dash: looking for 32 such digits at every place of a text would be slow.
_MAILGUN_NEWER = re.compile(rf"-(?<={_ALONE}[0-9a-f]{{32}}-)[0-9a-f]{{8}}-[0-9a-f]{{8}}{_ENDS}")
_DISCORD = re.compile(
    rf"{_ALONE}([MNO][A-Za-z0-9]{{22,27}})\.[A-Za-z0-9_\-]{{6}}\.[A-Za-z0-9_\-]{{27,38}}{_ENDS}"
)
# How a number of Discord's begins in base64; with other letters nothing has to be looked at.
_NUMBERS = ("MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT")


def find_hashlike(text: str) -> Iterator[Found]:
    """Every key of these makers, as `(start, end, label)`."""
    if "SK" in text or "AC" in text:
        yield from ((match.start(), match.end(), "api_key") for match in _TWILIO.finditer(text))
    if "key-" in text:
        yield from ((match.start(), match.end(), "api_key") for match in _MAILGUN.finditer(text))
    if "-" in text:
        yield from ((match.start() - 32, match.end(), "api_key") for match in _MAILGUN_NEWER.finditer(text))
    if any(start in text for start in _NUMBERS):
        for match in _DISCORD.finditer(text):
            if _is_number(match[1]):
                yield match.start(), match.end(), "token"


def _is_number(part: str) -> bool:
    try:
        return base64.b64decode(part + "=" * (-len(part) % 4), validate=True).isdigit()
    except (binascii.Error, ValueError):
        return False
