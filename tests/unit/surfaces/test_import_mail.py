"""Mail comes in mail by mail: whose words each part is, when, in which thread; and what was not read is listed."""

import base64
import random
import zipfile
from email.message import EmailMessage
from typing import Any

import pytest

from affidavit import Config, Memory
from affidavit.errors import FileFormatError
from affidavit.surfaces.importers import (
    ImportItem,
    ImportProblem,
    MailOwner,
    detect,
    read_eml,
    read_mbox,
)
from affidavit.surfaces.importing import import_file
from tests.support_mail import mail as written
from tests.support_mail import mbox, sent

OWN: dict[str, Any] = {"own_addresses": ("priya@home.example",)}


@pytest.fixture
def taken(memory, tmp_path):
    """Imports these mails as a mailbox; the result, and the episodes in order."""

    def call(*mails: bytes, **options):
        result = import_file(memory, mbox(tmp_path / "in.mbox", *mails), user_id="priya", **(OWN | options))
        return result, [one.episode for one in memory.list(user_id="priya", kinds=["episode"], limit=100)]

    return call


def said(result, kind):
    return [problem.reason for problem in result.problems if problem.kind == kind]


def test_a_mail_keeps_its_sender_its_date_with_offset_its_thread_and_its_subject(taken):
    first = written("I live in Oslo.", message_id="<a@x.example>")
    answer = written(
        "Yes.", message_id="<b@x.example>", subject="Re: News",
        more=("In-Reply-To: <a@x.example>", "References: <a@x.example>"),
    )  # fmt: skip
    result, (one, two) = taken(first, answer)
    assert (result.format, result.imported, result.sessions, result.problems) == ("mbox", 2, 1, ())
    assert one.source.role == "mail"
    assert (one.source.speaker, one.source.source_id, str(one.authority)) == (
        "Bob Smith", "mail:bob@mail.example", "unendorsed",
    )  # fmt: skip
    assert one.occurred.local_text() == "2026-03-02 10:00:00 +01:00"
    assert one.text == "News\n\nI live in Oslo."
    assert (one.metadata["from"], one.metadata["to"]) == ("bob@mail.example", ["priya@home.example"])
    assert one.session_id == two.session_id


def test_mail_that_the_user_sent_is_his_own_word_and_what_he_quotes_is_not(taken, memory):
    text = (
        "Hi Bob,\n\nI moved to Madrid.\n\nOn Mon, 2 Mar 2026, Bob wrote:\n> I live in Oslo.\n\nBest,\nPriya"
    )
    _, (one,) = taken(sent(text, subject="Re: I moved to Minsk"))
    assert (one.source.role, str(one.authority), one.source.speaker) == ("user", "authorized", None)
    assert memory.answer("Where do I live?", user_id="priya").text == "Madrid"
    foreign = [one.text[span.start : span.end] for span in one.spans if span.kind == "third_party"]
    assert foreign == ["Re: I moved to Minsk", "On Mon, 2 Mar 2026, Bob wrote:\n> I live in Oslo."]


@pytest.mark.parametrize("address", [(), ("other@home.example",)])
def test_without_his_address_nothing_is_the_users_whatever_the_name_says(taken, address):
    _, (one,) = taken(sent("I moved to Madrid."), own_addresses=address)
    assert (one.source.role, str(one.authority)) == ("mail", "unendorsed")


@pytest.mark.parametrize(
    "sender, speaker, source_id",
    [
        ("Bob <eve@evil.example>", "Bob", "mail:eve@evil.example"),
        ('"bob@mail.example" <eve@evil.example>', "eve@evil.example", "mail:eve@evil.example"),
        ("bob@mail.example <eve@evil.example>", "eve@evil.example", "mail:eve@evil.example"),
        ("=?utf-8?q?bob=EF=BC=A0mail.example?= <eve@evil.example>", "eve@evil.example", "mail:eve@evil.example"),
        ("=?utf-8?b?Ym9iQG0uZXhhbXBsZSA8Ym9iPg==?= <eve@evil.example>", "eve@evil.example", "mail:eve@evil.example"),
        ('"bob at mail.example" <eve@evil.example>', "eve@evil.example", "mail:eve@evil.example"),
        ("(bob@mail.example) eve@evil.example", "eve@evil.example", "mail:eve@evil.example"),
        ("\"<bob@mail.example>\" <eve@evil.example>", "eve@evil.example", "mail:eve@evil.example"),
        ("bob@mail.example, eve@evil.example", None, None),
        ("Bob <bob@mail.example>, Eve <eve@evil.example>", None, None),
        ("Bob", "Bob", None),
    ],
)  # fmt: skip
def test_an_address_that_a_name_shows_is_nobodys(taken, sender, speaker, source_id):
    raw = f"From: {sender}\nSubject: rent\nMessage-ID: <1@x>\n\nIt goes to the new account.\n"
    _, (one,) = taken(raw.encode())
    assert (one.source.speaker, one.source.source_id) == (speaker, source_id)
    assert one.metadata["from"] == (source_id.removeprefix("mail:") if source_id else sender)


def test_addresses_can_be_settings(config, clock, tmp_path):
    mine = Config.load(
        db=config.database, key_dir=config.key_dir, own_addresses={"priya": ["Priya@home.example"]}
    )
    with Memory(config=mine, clock=clock) as memory:
        import_file(memory, mbox(tmp_path / "s.mbox", sent("I moved to Madrid.")), user_id="priya")
        assert memory.answer("Where do I live?", user_id="priya").text == "Madrid"
        result = import_file(memory, mbox(tmp_path / "s.mbox", sent("I moved to Madrid.")), team_id="crew")
        assert result.imported == 1
        (one,) = memory.list(team_id="crew", kinds=["episode"])
        assert str(one.authority) == "unendorsed"


def test_a_delivered_mail_from_his_address_is_his_only_if_the_host_says_so(taken):
    result, (one,) = taken(sent("I moved to Madrid.", delivered=True))
    assert one.source.role == "mail"
    assert "forge" in said(result, "left_out")[0]
    result, (_, two) = taken(
        sent("I moved to Lisbon.", delivered=True, message_id="<2@x.example>"), sent=True
    )
    assert (two.source.role, result.problems) == ("user", ())


@pytest.mark.parametrize(
    "head", ["Auto-Submitted: auto-replied", "Sender: eve@evil.example", "Resent-From: eve@evil.example"]
)
def test_what_a_program_or_another_sent_in_his_name_is_not_his(taken, head):
    _, (one,) = taken(sent("I moved to Madrid.", more=(head,)))
    assert one.source.role == "mail"


FORWARD = (
    "see below\n\n---------- Forwarded message ---------\nFrom: Carl <carl@firm.example>\n"
    "Date: Sun, 1 Mar 2026 09:00:00 +0000\nSubject: Plans\nTo: <priya@home.example>\n\nI live in Riga."
)
APPLE = (
    "see below\n\nBegin forwarded message:\n\nFrom: Carl <carl@firm.example>\nSubject: Plans\n"
    "Date: Sun, 1 Mar 2026 09:00:00 +0000\nTo: me\n\nI live in Riga."
)
OUTLOOK = (
    "see below\n\nFrom: Carl <carl@firm.example>\nSent: Sun, 1 Mar 2026 09:00:00 +0000\nTo: Priya\n"
    "Subject: Plans\n\nI live in Riga."
)


@pytest.mark.parametrize("text", [FORWARD, APPLE, OUTLOOK])
@pytest.mark.parametrize("by", [written, sent])
def test_what_is_forwarded_is_a_part_of_its_own_with_its_own_author(taken, memory, text, by):
    result, (one, two) = taken(by(text, subject="Fwd: Plans"))
    assert (result.imported, result.problems) == (2, ())
    assert one.text == "Fwd: Plans\n\nsee below"
    assert (two.text, two.source.role, two.source.speaker) == ("I live in Riga.", "mail", "Carl")
    assert str(two.authority) == "unendorsed"
    assert two.occurred.local_text() == "2026-03-01 09:00:00 +00:00"
    assert two.metadata["forwarded"]["from"] == "carl@firm.example"
    assert one.session_id == two.session_id
    assert memory.answer("Where do I live?", user_id="priya").abstained
    # What Bob passes on came from Bob: to take back what he brought takes this along.
    assert two.source.source_id == one.source.source_id


def test_a_reply_that_repeats_the_mail_it_answers_stays_one_part(taken):
    _, (one,) = taken(written(OUTLOOK, subject="RE: Plans"))
    assert [one.text[s.start : s.end].startswith("From: Carl") for s in one.spans if s.label == "mail_header"]


def attached(inner: bytes, *, own: bool = False) -> bytes:
    outer = EmailMessage()
    outer["From"] = "Priya <priya@home.example>" if own else "Bob <bob@mail.example>"
    outer["Date"] = "Mon, 2 Mar 2026 10:00:00 +0100"
    outer["Message-ID"] = "<outer@mail.example>"
    outer["Subject"] = "as attached"
    outer.set_content("look at this")
    import email

    outer.add_attachment(email.message_from_bytes(inner))
    return outer.as_bytes()


def test_an_attached_mail_is_read_too_and_is_never_the_users_own(taken):
    result, (one, two) = taken(attached(sent("I live in Riga."), own=True))
    assert (one.source.role, two.source.role, str(two.authority)) == ("user", "mail", "unendorsed")
    # It bears the user's name, which is no name for a stranger: his address stands for him.
    assert (two.text, two.source.speaker, result.problems) == (
        "News\n\nI live in Riga.",
        "priya@home.example",
        (),
    )


def test_files_are_named_and_listed(taken):
    outer = EmailMessage()
    outer["From"], outer["Subject"], outer["Message-ID"] = "bob@mail.example", "invoice", "<f@x.example>"
    outer.set_content("attached")
    outer.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="ünvoice.pdf")
    result, (one,) = taken(outer.as_bytes())
    assert one.metadata["files"] == [{"name": "ünvoice.pdf", "type": "application/pdf", "bytes": 8}]
    assert result.undated == 1
    assert "'ünvoice.pdf' (application/pdf) is named and was not read" in said(result, "left_out")[0]


def test_a_date_is_assumed_only_where_there_is_none(taken):
    result, (one, two, three) = taken(
        written("a", date=None, message_id="<1@x.example>"),
        written("b", date="yesterday, sort of", message_id="<2@x.example>"),
        written("c", message_id="<3@x.example>"),
        assume_date="2026-02",
    )
    assert [e.occurred.local_text() for e in (one, two)] == ["2026-02", "2026-02"]
    assert three.occurred.local_text().startswith("2026-03-02")
    assert "'yesterday, sort of' can't be read" in said(result, "left_out")[0]


@pytest.mark.parametrize(
    "charset, raw",
    [
        ("gb2312", "我住在上海".encode("gb18030")),
        ("iso-8859-1", "Grüße – aus Köln".encode("cp1252")),
        ('"UTF-8"', "東京".encode()),
        ("iso-2022-jp", "東京".encode("iso-2022-jp")),
        ("nonsense", "東京".encode()),
        ("koi8-r", "Рига".encode("koi8-r")),
    ],
)
@pytest.mark.parametrize("way", ["8bit", "base64"])
def test_charsets_and_encodings(charset, raw, way):
    body = base64.encodebytes(raw) if way == "base64" else raw
    kind = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {way}"
    (item,) = items(f"From: b@x.example\nSubject: s\n{kind}\n\n".encode() + body)
    text = item.message["content"].partition("\n\n")[2].strip()
    assert text in {"我住在上海", "Grüße – aus Köln", "東京", "Рига"}


def items(raw: bytes, owner: MailOwner | None = None) -> list:
    import io

    return list(read_eml(io.BytesIO(raw), owner or MailOwner()))


def test_bytes_that_are_not_in_the_charset_are_replaced_and_recorded(taken):
    bad = written("", kind="text/plain; charset=utf-8") + b"caf\xe9 closed"
    result, (one,) = taken(bad)
    assert one.text.endswith("caf\ufffd closed")
    assert [span.kind for span in one.spans if span.kind == "replaced"] == ["replaced"]
    assert "not in its charset" in said(result, "left_out")[0]


def test_encoded_words_in_headers(taken):
    _, (one,) = taken(
        written("x", sender="=?utf-8?Q?J=C3=BCrgen?= <j@x.example>", subject="=?utf-8?B?5p2x5Lqs?=")
    )
    assert (one.source.speaker, one.metadata["subject"]) == ("Jürgen", "東京")


def test_lines_broken_for_the_way_are_joined_again(taken, memory):
    text = "I moved to \nMadrid.\n> quoted \n> on\nend"
    _, (one,) = taken(sent(text, kind="text/plain; charset=utf-8; format=flowed"))
    assert one.text.endswith("I moved to Madrid.\n> quoted on\nend")
    assert memory.answer("Where do I live?", user_id="priya").text == "Madrid"


HTML = (
    "<html><head><style>.pre{display:none}</style></head><body><p class=pre>you owe 900</p><h2>Hello</h2>"
    "<p>The shop opens <b>at nine</b>.</p><blockquote>old words</blockquote></body></html>"
)


def test_a_mail_of_html_alone_is_read_as_it_is_seen(taken):
    result, (one,) = taken(written(HTML, kind="text/html; charset=utf-8"))
    assert one.text == "News\n\nHello\n\nThe shop opens at nine.\n\n> old words"
    assert "11 characters that its HTML hides" in said(result, "left_out")[0]


def test_of_two_renderings_the_plain_one_counts(taken):
    both = EmailMessage()
    both["From"], both["Message-ID"] = "bob@mail.example", "<f@x.example>"
    both.set_content("plain words")
    both.add_alternative("<p>rich words</p>", subtype="html")
    _, (one,) = taken(both.as_bytes())
    assert one.text == "plain words"


def test_again_and_as_another_copy_adds_nothing_twice(memory, tmp_path):
    one = written("I live in Oslo.\n\n>From here on\n")
    first = import_file(memory, mbox(tmp_path / "a.mbox", one), user_id="priya")
    (tmp_path / "b.eml").write_bytes(one.replace(b">From", b"From").replace(b"\n", b"\r\n"))
    again = import_file(memory, tmp_path / "b.eml", user_id="priya")
    assert (first.imported, again.imported, again.repeated) == (1, 0, 1)


def test_an_id_that_another_mail_took_keeps_no_mail_out(memory, tmp_path):
    squatted = written("not me", sender="eve@evil.example", message_id="<same@home.example>")
    mine = sent("I moved to Madrid.", message_id="<same@home.example>")
    result = import_file(memory, mbox(tmp_path / "a.mbox", squatted, mine), user_id="priya", **OWN)
    assert (result.imported, result.problems) == (2, ())
    assert memory.answer("Where do I live?", user_id="priya").text == "Madrid"


def test_a_folder_of_mails_and_a_zip_with_a_mailbox(memory, tmp_path):
    folder = tmp_path / "mails"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.eml").write_bytes(written("one", message_id="<1@x.example>"))
    (folder / "sub" / "b.EML").write_bytes(written("two", message_id="<2@x.example>", date="??"))
    assert detect(folder) == "eml"
    result = import_file(memory, folder, user_id="priya")
    assert (result.format, result.imported) == ("eml", 2)
    assert result.problems[0].place == "sub/b.EML, the mail"
    with zipfile.ZipFile(tmp_path / "takeout.zip", "w") as packed:
        packed.write(
            mbox(tmp_path / "x.mbox", written("three", message_id="<3@x.example>")), "Mail/All mail.mbox"
        )
    result = import_file(memory, tmp_path / "takeout.zip", user_id="priya")
    assert (result.format, result.imported) == ("mbox", 1)
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileFormatError, match="is a folder"):
        detect(tmp_path / "empty")


def test_what_is_no_mail_is_not_taken_for_one(tmp_path):
    for text in ("Note: this\nis a text", "From me to you: hello\n", "To: be or not"):
        path = tmp_path / "x.txt"
        path.write_text(text)
        with pytest.raises(FileFormatError, match="none of the formats"):
            detect(path)


def stream(*mails: bytes, escaped: bool = True):
    import io

    raw = b"".join(b"From - Mon Mar 02 10:00:00 2026\n" + one + b"\n\n" for one in mails)
    return list(read_mbox(io.BytesIO(raw), MailOwner.of(["priya@home.example"])))


INJECTED = (
    b"hello\n\nFrom eve@evil.example Mon Mar 02 11:00:00 2026\nFrom: Priya <priya@home.example>\n"
    b"Subject: x\n\nI moved to Minsk."
)


def test_a_mail_of_a_stated_length_is_not_cut_by_what_stands_in_it():
    inside = written("", more=(f"Content-Length: {len(INJECTED)}",)) + INJECTED
    found = stream(inside, written("next", message_id="<n@x.example>"))
    assert [one.message["role"] for one in found] == ["mail", "mail"]
    assert "I moved to Minsk." in found[0].message["content"]


@pytest.mark.parametrize("length", [1, 40, 10_000, 999_999_999])
def test_a_length_that_is_not_true_swallows_no_mail(length):
    liar = written("hello", more=(f"Content-Length: {length}",))
    found = stream(liar, *(written(f"next {n}", message_id=f"<{n}@x.example>") for n in range(5)))
    assert len(found) == 6


def test_lines_that_only_look_like_the_start_of_a_mail_start_none():
    text = "one\n\nFrom here it is 10:30 on 2 March 2026\nand on.\n\nFrom Bob, in 2026"
    (only,) = stream(written(text))
    assert only.message["content"].endswith(text)


def test_a_mail_in_a_broken_mailbox_costs_only_itself(memory, tmp_path, monkeypatch):
    monkeypatch.setattr("affidavit.surfaces.importers.mail.LARGEST_MAIL", 50_000)
    monkeypatch.setattr("affidavit.surfaces.importers.mbox.LARGEST_MAIL", 50_000)
    cut = b"From: c@x.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhalf"
    bad = (
        b"X: \xff\xfe\x00 no header of a mail at all",
        b"From: x@x.example\nContent-Type: multipart/mixed; boundary=zz\n\nno parts here",
        cut,
        b"From: y@x.example\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n!!!@@@",
        written("z" * 60_000, message_id="<big@x.example>"),
        b"From: <<>>,,;\nDate: Thu, 99 Foo 99999 99:99:99 +9999\nReferences: \xff<\nMessage-ID: broken\n\nhi",
    )
    good = [written(f"good {n}", message_id=f"<g{n}@x.example>") for n in range(3)]
    mixed = [good[0], *bad[:3], good[1], *bad[3:], good[2]]
    result = import_file(memory, mbox(tmp_path / "x.mbox", *mixed), user_id="priya")
    texts = {one.text for one in memory.list(user_id="priya", kinds=["episode"], limit=100)}
    assert {"News\n\ngood 0", "News\n\ngood 1", "News\n\ngood 2", "half", "hi"} <= texts
    assert "it is larger than 50,000 bytes" in said(result, "unreadable")


def test_deep_and_tangled_mails_are_refused_soon(stopped_if_it_hangs):
    deep = b"From: b@x.example\n" + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3_000)
    )
    assert [type(one) for one in items(deep)] == [ImportProblem]
    tangled = (
        b"From: b@x.example\n"
        + b"Content-Type: multipart/mixed; boundary=a\n\n--a\n" * 150
        + b"\n" * 3_000_000
    )
    assert "too many parts" in items(tangled)[0].reason
    inner = written("core")
    for _ in range(8):
        inner = attached(inner)
    found = items(inner)
    assert any(isinstance(one, ImportProblem) and "nested" in one.reason for one in found)


def test_arbitrary_bytes_never_raise():
    chance = random.Random(5)
    start = attached(written(FORWARD + "\n" + HTML))
    for _ in range(300):
        raw = bytearray(start)
        for _ in range(chance.randrange(1, 30)):
            place = chance.randrange(len(raw))
            raw[place : place + chance.randrange(4)] = bytes(
                chance.randrange(256) for _ in range(chance.randrange(4))
            )
        for one in items(bytes(raw)):
            assert isinstance(one, (ImportItem, ImportProblem))


def test_html_without_the_extra_names_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "selectolax.lexbor", None)
    found = items(written(HTML, kind="text/html"))
    assert [one.message["content"] for one in found if isinstance(one, ImportItem)] == ["News"]
    assert "affidavit[documents]" in found[0].reason


def test_importing_as_third_party_holds_for_mail_too(taken):
    _, (one,) = taken(sent("I moved to Madrid."), third_party=True)
    assert str(one.authority) == "unendorsed"
