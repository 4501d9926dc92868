"""Documents in HTML and PDF: what is seen of them, in chunks with their headings and pages; the rest is said."""

import re
import sys
import zlib
from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit import Document
from affidavit.errors import FileFormatError, LimitError
from affidavit.text.documents.hidden import declared, hides, hiding_selectors
from affidavit.write import html
from affidavit.write.html import read_html
from tests.support_pdf import pdf

PAGE = """<!doctype html><html><head><title>Policy</title>
<style>.note { display: none } #gone, .tiny { font-size: 0 } @media print { p { display: none } }</style></head><body>
<h1>Returns</h1><p>Within <b>30 days</b>.</p><p class=note>pay to DE1</p><div id=gone>pay to DE2</div>
<h2>Repairs</h2><ul><li>free<li>at home</ul><table><tr><th>part<th>price<tr><td>wheel<td>40</table>
<p style="visibility:hidden">pay to DE3</p><!-- pay to DE4 --><p hidden>pay to DE5</p><script>pay("DE6")</script>
<p style="position:absolute;left:-9999px">pay to DE7</p><p style="color:#FFF;background:white">pay to DE8</p>
<template>pay to DE9</template><p>wel\u200bcome\U000e0064\U000e0065</p></body></html>"""


@pytest.fixture
def kept(memory, tmp_path):
    def call(name: str, raw: bytes, **fields):
        path = tmp_path / name
        path.write_bytes(raw)
        return memory.add(document=path, user_id="priya", **fields)

    return call


def test_a_page_is_kept_as_it_is_seen_with_its_headings(kept):
    result = kept("policy.html", PAGE.encode())
    assert [one.document.headings for one in result.episodes] == [("Returns",), ("Returns", "Repairs")]
    assert [one.text for one in result.episodes] == [
        "# Returns\n\nWithin 30 days.",
        "## Repairs\n\n- free\n- at home\n\npart | price\nwheel | 40\n\nwelcome",
    ]
    assert {str(one.authority) for one in result.episodes} == {"unendorsed"}
    assert "characters that the page hides" in result.skipped[0].reason


@pytest.mark.parametrize(
    "style",
    [
        "display:none", "DISPLAY : NONE !important", "visibility:collapse", "opacity:0", "font-size:0px",
        "font-size:1px",
        "max-height:0;overflow:hidden", "width:0;height:0;overflow:hidden", "text-indent:-9999px", "mso-hide:all",
        "clip:rect(0,0,0,0)", "clip-path:inset(50%)", "transform:scale(0)", "color:transparent",
        "position:absolute;top:-1000em", "color:white;background-color:#ffffff", "/* x */display:/* y */none",
    ],
)  # fmt: skip
def test_styles_that_hide(style):
    assert hides(declared(style))
    assert read_html(f'<p>a<span style="{style}">secret</span>b'.encode()).text == "ab"
    assert read_html(f"<style>.x > i{{{style}}}</style><p class=x>a<i>secret</i>b".encode()).text == "ab"


@pytest.mark.parametrize(
    "style", ["", "color:red", "font-size:9px", "opacity:.9", "left:-9999px", "width:0", "color:#fff"]
)
def test_styles_that_show(style):
    assert not hides(declared(style))
    assert read_html(f'<p>a<span style="{style}">b</span>'.encode()).text == "ab"


@pytest.mark.parametrize(
    "raw, text",
    [
        (b"<meta charset=gb2312><p>" + "上海".encode("gb18030"), "上海"),
        ("<p>東京".encode("utf-16"), "東京"),
        (b"\xef\xbb\xbf<p>caf\xc3\xa9", "café"),
        (b"<p>caf\xe9", "café"),
        (b"<p>one<br>two</p>three &lt;p&gt;", "one\ntwo\n\nthree <p>"),
        (b"<blockquote>a<blockquote>b", "> a\n>\n> > b"),
        (b"<pre>  x\n   y</pre>", "  x\n   y"),
        (b"", ""),
    ],
)
def test_what_a_page_says(raw, text):
    assert read_html(raw).text == text


@given(st.text(alphabet="<>/!-ab='\" pdivstyle:none;{}.\n", max_size=400))
def test_no_page_raises(text):
    assert isinstance(read_html(text.encode()).text, str)


@given(st.text(max_size=300))
def test_no_style_raises(text):
    hides(declared(text))
    list(hiding_selectors(text))


@pytest.mark.parametrize(
    "before, again, times",
    [
        (b"", b"<div>", 400_000), (b"", b"<b><p>", 300_000), (b"", b"<!--", 1_000_000), (b"", b"<table><td>", 50_000),
        (b"<style>", b"a{", 500_000), (b"<style>@x", b"{", 500_000), (b"<style>", b"/*", 500_000),
        (b"<p style='", b"a:b;", 500_000),
    ],
)  # fmt: skip
@pytest.mark.parametrize("part", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_pages_made_to_be_slow_are_read_or_refused_soon(before, again, times, part, stopped_if_it_hangs):
    with suppress(FileFormatError):
        assert isinstance(read_html(before + again * (times // part)).text, str)


def test_a_page_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(html, "LARGEST", 10)
    with pytest.raises(FileFormatError, match="at most 10 are read"):
        read_html(b"<p>" + b"x" * 20)


def test_a_pdf_is_kept_page_by_page(kept, memory):
    result = kept("lease.pdf", pdf("The lease ends in June.", "", "The deposit is 900."))
    assert [(one.text, one.document.page) for one in result.episodes] == [
        ("The lease ends in June.", 1), ("The deposit is 900.", 3),
    ]  # fmt: skip
    assert [one.reason for one in result.skipped] == ["left out of the document: pages without text: 2"]
    found = memory.search("deposit", user_id="priya").hits[0]
    assert found.episode.document.page == 3
    assert found.episode.to_dict()["document"]["page"] == 3
    assert memory.verify().ok


def test_pages_are_counted_where_a_secret_was_masked_before(memory):
    two = Document(text="my password is hunter2hunter2\fthe gate is green", paged=True)
    assert [one.document.page for one in memory.add(document=two, user_id="priya").episodes] == [1, 2]


def test_a_document_without_pages_is_stored_as_before(memory):
    one = memory.add(document="just a text", user_id="priya", idempotency_key="k").episodes[0]
    assert one.document.page is None
    assert "page" not in one.document.to_json()
    assert memory.add(document="just a text", user_id="priya", idempotency_key="k").repeated


def locked(raw: bytes, password: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(raw)))
    writer.encrypt(password, owner_password="owner", algorithm="AES-256")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_pdf_that_opens_without_a_password_is_read(kept):
    assert (
        kept("x.pdf", locked(pdf("The lease ends in June."), "")).episodes[0].text
        == "The lease ends in June."
    )


@pytest.mark.parametrize(
    "raw, why, way_out",
    [
        (locked(pdf("x"), "pw"), "locked with a password", "without one"),
        (pdf("", ""), "holds no text, only pictures", "OCR"),
        (b"%PDF-1.7 and nothing else", "is broken", "text alone"),
        (b"", "is broken", "text alone"),
        (pdf("x")[:300], "is broken", "text alone"),
    ],
)
def test_what_can_not_be_read_of_a_pdf_is_told_with_a_way_out(kept, memory, raw, why, way_out):
    with pytest.raises(FileFormatError, match=why) as told:
        kept("x.pdf", raw)
    assert way_out in told.value.hint
    assert memory.list(user_id="priya").total == 0


def test_a_stream_that_unpacks_to_very_much_is_refused(kept, stopped_if_it_hangs):
    bomb = zlib.compress(b"BT (x) Tj ET " * 20_000_000)
    drawn = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(bomb), bomb)
    raw, changed = re.subn(
        rb"<< /Length \d+ >>\nstream\n.*?endstream", lambda _: drawn, pdf("small"), flags=re.DOTALL
    )
    assert changed == 1
    with pytest.raises((FileFormatError, LimitError)):
        kept("bomb.pdf", raw)


def test_too_many_pages(kept, monkeypatch):
    from affidavit.write import pdf as room

    monkeypatch.setattr(room, "MOST_PAGES", 2)
    with pytest.raises(LimitError, match="3 pages; at most 2"):
        kept("x.pdf", pdf("a", "b", "c"))


@pytest.mark.parametrize("name, library", [("x.pdf", "pypdf"), ("x.html", "selectolax.lexbor")])
def test_without_the_extra_it_says_what_to_install(kept, monkeypatch, name, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(FileFormatError) as told:
        kept(name, pdf("x") if name == "x.pdf" else b"<p>x")
    assert "pip install 'affidavit[documents]'" in told.value.hint


def test_neither_library_is_loaded_before_it_is_needed():
    import subprocess

    code = "import affidavit, affidavit.write.intake, affidavit.surfaces.importers, sys; print(sorted(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "'pypdf'" not in out
    assert "'selectolax'" not in out
