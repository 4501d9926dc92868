"""The parts of a Markdown document whose borders matter: headings, code fences, tables, and the text between.

A scanner of our own and not a Markdown parser: only borders are needed, and a parser takes seconds over two
megabytes of hostile nesting.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

_HEADING_LONGEST = 200


class BlockKind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    FENCE = "fence"
    TABLE = "table"
    TEXT = "text"


class Block(NamedTuple):
    """A block `[start, end)` of the document and the headings above it (a heading counts itself)."""

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()


_MARK = re.compile(
    r"^(?:[ \t]*+(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*+)?+(?P<fence>`{3,}+(?=[^`\n]*+$)|~{3,}+)[^\n]*+"
    r"|[ ]{0,3}(?P<atx>\#{1,6})(?:[ \t]++(?P<words>[^\n]*+))?\r?$"
    r"|[ ]{0,3}(?P<rule>=++|--++)[ \t\r]*+$"
    r"|(?P<table>[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+\|[ \t:|\-]*+\r?$))",
    re.MULTILINE | re.VERBOSE,
)
_ROWS = re.compile(r"(?:\n(?=[^\n|]*+\|)[^\n]*+)++")


def blocks(text: str) -> Iterator[Block]:
    """Every block in order; text blocks hold what lies between the others, and only white space is left out."""
    path: list[tuple[int, str]] = []
    above: tuple[str, ...] = ()
    place = done = 0
    while (mark := _MARK.search(text, place)) is not None:
        place = mark.end()
        found = _block(text, mark, done)
        if found is None:
            continue
        kind, start, place = found
        if start > done + 1 and not text[done:start].isspace():
            yield Block(BlockKind.TEXT, done, start, above)
        if kind is BlockKind.HEADING:
            above = _path(path, *_heading(text, mark, start))
        yield Block(kind, start, place, above)
        done = place
    if not text[done:].isspace() and done < len(text):
        yield Block(BlockKind.TEXT, done, len(text), above)


def _path(path: list[tuple[int, str]], level: int, words: str) -> tuple[str, ...]:
    """Enter a heading: those of its level and below end."""
    while path and path[-1][0] >= level:
        path.pop()
    path.append((level, words))
    return tuple([title for _, title in path])


def _block(text: str, mark: re.Match[str], done: int) -> tuple[BlockKind, int, int] | None:
    """Kind and borders of the block that a mark opens; None when it is ordinary text after all."""
    if mark.lastgroup == "fence":
        return BlockKind.FENCE, mark.start(), _fence_end(text, mark)
    if mark.lastgroup in ("atx", "words"):
        return BlockKind.HEADING, mark.start(), mark.end()
    above = text.rfind("\n", done, max(mark.start() - 1, done)) + 1 or done
    line = text[above : max(mark.start() - 1, above)].strip()
    if not line or above >= mark.start():
        return None
    if mark.lastgroup == "table":
        rows = _ROWS.match(text, mark.end())
        return (
            (BlockKind.TABLE, above, rows.end() if rows is not None else mark.end()) if "|" in line else None
        )
    # An underline makes a heading only of a line that stands alone.
    alone = above <= done or not text[text.rfind("\n", done, above - 1) + 1 or done : above - 1].strip()
    return (BlockKind.HEADING, above, mark.end()) if alone and line[0] not in "|-*+>" else None


def _fence_end(text: str, opening: re.Match[str]) -> int:
    fence, place = opening["fence"], opening.end()
    while (mark := _MARK.search(text, place)) is not None:
        place = mark.end()
        if (
            mark.lastgroup == "fence"
            and mark["fence"].startswith(fence)
            and not mark[0].strip(f" \t\r>{fence[0]}")
        ):
            return place
    return len(text)


def _heading(text: str, mark: re.Match[str], start: int) -> tuple[int, str]:
    if mark.lastgroup in ("atx", "words"):
        words = (mark["words"] or "").strip()
        return len(mark["atx"]), words.rstrip("#").rstrip()[:_HEADING_LONGEST]
    return (1 if mark["rule"][0] == "=" else 2), text[start : mark.start()].strip()[:_HEADING_LONGEST]
