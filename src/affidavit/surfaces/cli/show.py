r"""Foreign text for people: nothing in it can steer the terminal, or look like a line of ours.

Rules:
1. Control characters, and characters that turn the direction of writing, are shown as `\x1b`, never sent.
2. A block of foreign text stands behind a bar on each of its lines, also where the terminal would wrap it.
3. A foreign name inside a line of ours stands in quotes, and has no quotes or line ends in itself.
"""

import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator

BAR = "    | "
"""Stands before each line of foreign text."""
_SET_IN = "      "
SHORT = 400
"""Code points of a text that a list of hits shows; the whole of it is had by its id."""

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\ufffb]"
)


def plain(text: str) -> str:
    """The text with everything escaped that a terminal would obey; line ends stay."""
    return _STEERING.sub(_escape, text.replace("\r\n", "\n").replace("\t", "    "))


def line(text: str) -> str:
    """The text as a part of one line: line ends are escaped too."""
    return plain(text).replace("\n", "\\n")


def name(text: str, most: int = 60) -> str:
    """A foreign name or id inside a line of ours: quoted, shortened, on one line."""
    cut = text if len(text) <= most else f"{text[: most - 1]}…"
    return f'"{line(cut).replace(chr(34), chr(39))}"'


def block(text: str, *, most: int | None = SHORT) -> Iterator[str]:
    """The lines of a foreign text behind bars; longer ones than `most` code points end in `…`."""
    cut = text if most is None or len(text) <= most else f"{text[:most].rstrip()} …"
    width = terminal_width()
    for part in plain(cut).split("\n"):
        for piece in [part] if width is None else _wrapped(part, max(20, width - len(BAR))):
            yield f"{BAR}{piece}".rstrip()


def terminal_width() -> int | None:
    """Columns of the terminal that stdout is; None where it is none, and nothing is wrapped."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def fitted(text: str) -> Iterator[str]:
    """A line of ours in pieces that fit the terminal, all but the first set in: a name can't begin a line."""
    width = terminal_width()
    if width is None:
        yield text
        return
    begin, go_on = (BAR, BAR) if text.startswith(BAR) else ("", _SET_IN)
    body = text.removeprefix(begin)
    first, *rest = [body] if _wide(text) <= width else _wrapped(body, max(20, width) - len(go_on))
    yield f"{begin}{first}"
    for piece in rest:
        yield f"{go_on}{piece}"


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 episode`, `1,204 episodes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(number: int) -> str:
    """Bytes for people: `812 bytes`, `1.4 MB`."""
    if number < 10_000:
        return f"{number:,} bytes"
    return f"{number / 1_000:,.0f} kB" if number < 1_000_000 else f"{number / 1_000_000:,.1f} MB"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Pieces no wider than `width`, cut after spaces where there are any; spaces at a cut don't count."""
    start = used = 0
    space = -1
    for place, character in enumerate(text):
        wide = _columns(character)
        if character == " ":
            space = place
        elif used + wide > width and place > start:
            cut = space + 1 if text[start : space + 1].strip() else place
            yield text[start:cut].rstrip(" ")
            used = _wide(text[cut:place])
            start, space = cut, -1
        used += wide
    yield text[start:].rstrip(" ")


def _wide(text: str) -> int:
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
