"""The text of a page or of a mail in HTML, as somebody who looks at it reads it. Needs the extra `documents`.

The page is read as a browser reads it (selectolax), and what it hides is left out and counted: comments, scripts,
elements without size, place or colour, characters without width. Headings, quotes, lists and rows keep their form.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from affidavit.errors import FileFormatError
from affidavit.text.clean import clean
from affidavit.text.documents.charsets import decoded
from affidavit.text.documents.hidden import declared, hides, hiding_selectors, unseen_dropped

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

LARGEST: Final = 32 << 20
"""Bytes of one page."""
# A browser's rules look through all open elements at many tags: tags times depth is what a hostile page costs.
_MOST_WORK: Final = 100_000_000
_TAG: Final = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]{0,10})")
_UNCLOSED: Final = frozenset({
    b"area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr",
})  # fmt: skip
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_NEVER: Final = frozenset({
    "script", "style", "template", "noscript", "head", "title", "iframe", "object", "noembed", "noframes",
    "embed", "applet", "audio", "video", "canvas", "datalist", "desc", "metadata",
})  # fmt: skip
_LINES: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_APART: Final = frozenset({
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "ul", "ol", "dl", "article",
    "section", "hr",
})  # fmt: skip
_SPACE: Final = re.compile(r"[ \t\r\n\f]+")
_HIDING_RULES: Final = 500


@dataclass(frozen=True, slots=True)
class Page:
    """What a page shows; `hidden` counts the characters that it hides, which are left out."""

    text: str
    title: str
    hidden: int


def read_html(raw: bytes, *, charset: str | None = None, markdown: bool = False) -> Page:
    """The text of a page; `markdown` marks its headings as Markdown does.

    Raises `FileFormatError` where it is too large or made to be slow, and where the extra is not installed.
    """
    try:
        from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - only where there is HTML
    except ImportError as error:
        raise FileFormatError(
            "HTML needs selectolax", hint="install it: pip install 'affidavit[documents]'"
        ) from error
    _check(raw)
    text = clean(decoded(raw, charset or _charset(raw))[0])[0]
    page = LexborHTMLParser(text)
    named = page.css_first("title")
    title = _SPACE.sub(" ", named.text() if named is not None else "").strip()
    seen = _Seen(markdown=markdown, hidden_ids=_hidden_by_sheets(page))
    if page.root is not None:
        seen.walk(page.root)
    return Page(seen.text(), unseen_dropped(title)[:250], seen.hidden)


def _check(raw: bytes) -> None:
    if len(raw) > LARGEST:
        raise FileFormatError(
            f"the page has {len(raw):,} bytes; at most {LARGEST:,} are read", hint="split it"
        )
    depth = deepest = tags = 0
    for tag in _TAG.finditer(raw):
        tags += 1
        if tag[2].lower() not in _UNCLOSED:
            depth += -1 if tag[1] else 1
            deepest = max(deepest, depth)
            depth = max(depth, 0)
    if tags * deepest > _MOST_WORK:
        raise FileFormatError(
            "the page has too many elements inside each other", hint="save its text alone, and add that"
        )


def _charset(raw: bytes) -> str | None:
    for mark, name in _BOMS:
        if raw.startswith(mark):
            return name
    said = _CHARSET.search(raw, 0, 4096)
    return said[1].decode("ascii") if said is not None else None


def _hidden_by_sheets(page: "LexborHTMLParser") -> frozenset[int]:
    """The elements that style sheets inside the page hide."""
    found: set[int] = set()
    rules = 0
    for sheet in page.css("style"):
        for selector in hiding_selectors(sheet.text()):
            rules += 1
            if rules > _HIDING_RULES:
                return frozenset(found)
            try:
                found.update(one.mem_id for one in page.css(selector))
            except Exception:  # noqa: BLE001, S112 - a selector that the library can't read hides nothing
                continue
    return frozenset(found)


@dataclass(slots=True)
class _Seen:
    """What is seen while a page is walked through."""

    markdown: bool
    hidden_ids: frozenset[int]
    hidden: int = 0
    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    quotes: int = 0
    kept: int = 0
    """How many elements are open in which white space counts."""

    def walk(self, root: "LexborNode") -> None:
        """Elements in their order, without recursion: a page may be deep."""
        stack: list[tuple[Any, bool]] = [(root, False)]
        while stack:
            node, leaving = stack.pop()
            tag = str(node.tag)
            if leaving:
                self._leave(tag)
            elif tag == "-text":
                self._words(node.text_content or "")
            elif tag.startswith(("-", "_")):
                self.hidden += len(node.comment_content or "") if tag == "-comment" else 0
            elif self._is_hidden(node, tag):
                self.hidden += len(_SPACE.sub(" ", node.text(deep=True)).strip()) if tag not in _NEVER else 0
            else:
                self._enter(tag, node)
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(list(node.iter(include_text=True))))

    def _is_hidden(self, node: "LexborNode", tag: str) -> bool:
        if tag in _NEVER or node.mem_id in self.hidden_ids:
            return True
        said = node.attributes
        if "hidden" in said or (tag == "dialog" and "open" not in said):
            return True
        return hides(declared(said.get("style") or ""))

    def _enter(self, tag: str, node: "LexborNode") -> None:
        if tag == "br":
            self._end_line(always=True)
            return
        if tag in {"td", "th"} and self.line:
            self.line.append(" | ")
            return
        if tag in _LINES:
            self._end_line()
        if tag in _APART:
            self._blank()
        if tag == "blockquote":
            self.quotes += 1
        if tag in {"pre", "textarea"}:
            self.kept += 1
        if tag == "li":
            self.line.append("- ")
        if self.markdown and len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            self.line.append("#" * int(tag[1]) + " ")
        if tag == "img":
            said = node.attributes.get("alt") or ""
            self._words(f"[{said}]" if said.strip() else "")

    def _leave(self, tag: str) -> None:
        if tag in {"td", "th"}:
            return
        if tag in _LINES:
            self._end_line()
        if tag in _APART:
            self._blank()
        if tag == "blockquote":
            self.quotes -= 1
        if tag in {"pre", "textarea"}:
            self.kept -= 1

    def _words(self, text: str) -> None:
        shown = unseen_dropped(text)
        self.hidden += len(text) - len(shown)
        if self.kept:
            first, *others = shown.replace("\r\n", "\n").split("\n")
            self.line.append(first)
            for one in others:
                self._end_line(always=True)
                self.line.append(one)
        elif shown:
            self.line.append(_SPACE.sub(" ", shown))

    def _end_line(self, *, always: bool = False) -> None:
        said = "".join(self.line)
        self.line.clear()
        said = said.rstrip() if self.kept else _SPACE.sub(" ", said).strip(" |")
        if said or always:
            self.lines.append(f"{'> ' * min(self.quotes, 20)}{said}".rstrip())

    def _blank(self) -> None:
        mark = "> " * min(self.quotes, 20)
        if self.lines and self.lines[-1].strip("> "):
            self.lines.append(mark.rstrip())

    def text(self) -> str:
        """All of it: no line of white space, at most one empty line in a row."""
        self._end_line()
        while self.lines and not self.lines[-1].strip("> "):
            self.lines.pop()
        return "\n".join(_squeezed(self.lines)).strip("\n")


def _squeezed(lines: list[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        if line.strip("> ") or before.strip("> "):
            yield line
        before = line
