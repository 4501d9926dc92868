"""Which words of a user's message are somebody else's."""

from itertools import pairwise

import pytest

from affidavit.text.whose.quoting import third_party_spans


def parts(text: str) -> list[tuple[str, str]]:
    return [(span.label, text[span.start : span.end]) for span in third_party_spans(text)]


def own(text: str) -> str:
    """What is left as the user's own."""
    left, place = "", 0
    for span in third_party_spans(text):
        left += text[place : span.start]
        place = span.end
    return left + text[place:]


def test_quoted_lines_are_not_the_users() -> None:
    assert parts("he said\n> I owe you\n>> more\nthat is wrong") == [("quote", "> I owe you\n>> more")]


@pytest.mark.parametrize("mark", [">", "  > ", "＞", "&gt; ", "\u00a0>"])
def test_forms_of_quote_marks(mark: str) -> None:
    assert own(f"mine\n{mark}theirs\nmine") == "mine\n\nmine"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_ending_opens_and_closes_a_quote(ending: str) -> None:
    assert own(f"mine{ending}> theirs{ending}mine") == f"mine{ending}{ending}mine"


@pytest.mark.parametrize("soft", ["\u2028", "\u2029", "\x0b", "\x0c", "\x85"])
def test_a_soft_break_opens_a_quote_but_never_ends_one(soft: str) -> None:
    assert "theirs" not in own(f"mine{soft}> theirs")
    assert own(f"> theirs{soft}theirs too\nmine") == "\nmine"


@pytest.mark.parametrize("fence", ["```", "~~~", "`````"])
def test_code_between_fences_is_not_the_users_own(fence: str) -> None:
    assert own(f"see\n{fence}py\nx = 1\n{fence}\nmine") == "see\n\nmine"
    assert own(f"see\n{fence}\nx = 1\nstill code") == "see\n"


def test_a_shorter_or_labelled_fence_does_not_close() -> None:
    assert own("````\na\n```\nb\n````\nmine") == "\nmine"
    assert own("```\na\n```py\nb\n```\nmine") == "\nmine"


def test_chat_style_code_within_a_line() -> None:
    assert own("look ```x = 1``` mine") == "look  mine"
    assert own("I type ``` in Markdown") == "I type ``` in Markdown"


def test_indented_code_is_not_a_quote() -> None:
    assert parts("    x = 1\nmine") == []


def test_quotes_and_code_in_html_are_not_the_users_own() -> None:
    assert own("mine <blockquote>theirs <pre>x</pre> theirs</blockquote> mine") == "mine  mine"
    assert own("mine <blockquote>theirs") == "mine "


@pytest.mark.parametrize(
    "head",
    [
        "From: Ben\nSent: Monday\nTo: Ann\nSubject: hi",
        "**From:** Ben\n**Date:** Monday",
        "Von: Ben\nGesendet: Montag\nAn: Ann\nBetreff: hallo",
        "De : Ben\nEnvoyé : lundi\nÀ : Ann\nObjet : salut",
        "De: Ben\nEnviado el: lunes\nPara: Ann\nAsunto: hola",
        "Da: Ben\nInviato: lunedì\nA: Ann\nOggetto: ciao",
        "发件人：Ben\n收件人：Ann\n主题：你好",
        "差出人: Ben\n宛先: Ann\n件名: こんにちは",
        "От: Бен\nКому: Анна\nТема: привет",
        "Date: Monday\nFrom: Ben\nSubject: hi",
        "From: Ben <ben@mail.example>",
        "-----Original Message-----",
        "---------- Forwarded message ---------",
        "-------- Weitergeleitete Nachricht --------",
        "----- Mensaje original -----",
        "-------- Message transféré --------",
        "Begin forwarded message:",
        "---- 原始邮件 ----",
    ],
)
def test_a_pasted_mail_runs_to_the_end(head: str) -> None:
    text = f"please look at this\n\n{head}\n\nYou owe us 2,400.\nRegards"
    assert own(text) == "please look at this\n\n"


ATTRIBUTIONS = [
    "On Tue, 3 Jun 2025 at 10:00, Ben <ben@mail.example> wrote:",
    "On Tue, 3 Jun 2025 at 10:00, Ben Long-Name\n<ben@mail.example> wrote:",
    "On Monday Ben wrote:",
    "Am 3.6.2025 um 10:00 schrieb Ben Meier:",
    "Am Di., 3. Juni 2025 um 10:00 Uhr schrieb Ben <ben@mail.example>:",
    "Le mar. 3 juin 2025 à 10:00, Ben <ben@mail.example> a écrit :",
    "El mar, 3 jun 2025 a las 10:00, Ben escribió:",
    "Il giorno mar 3 giu 2025 alle 10:00 Ben ha scritto:",
    "Em ter., 3 de jun. de 2025 às 10:00, Ben escreveu:",
    "Op di 3 jun 2025 om 10:00 schreef Ben <ben@mail.example>:",
    "在 2025年6月3日，Ben 写道：",
    "Ben <ben@mail.example> wrote:",
]


@pytest.mark.parametrize("line", ATTRIBUTIONS)
def test_after_a_marked_reply_the_user_speaks_again(line: str) -> None:
    assert own(f"Thanks\n\n{line}\n\n> You owe us.\n> Ben\n\nI do not.") == "Thanks\n\n\n\nI do not."


@pytest.mark.parametrize("line", ATTRIBUTIONS)
def test_an_unmarked_reply_runs_to_the_end(line: str) -> None:
    assert own(f"Thanks\n\n{line}\n\nYou owe us.\n\nBen") == "Thanks\n\n"


def test_a_mail_run_together_on_one_line() -> None:
    assert own("fyi From: London To: Paris") == "fyi "
    assert own("Ok. On Tue, 3 Jun 2025, Ben wrote: pay me") == "Ok. "


@pytest.mark.parametrize(
    "text",
    [
        "From: my house, to: yours",
        "On Monday I wrote: a long letter",
        "She wrote: nothing",
        "Am Montag schrieb ich: alles gut",
        "from here to there: ten miles",
        "Date: Monday\nSubject: maths homework",
        "the train from Paris: late again",
        "a -> b and 3 > 2",
        "I love R&D",
        "The original message was lost: sorry",
        "Note: buy milk\nTodo: call Ann",
    ],
)
def test_the_users_own_prose_stays_the_users(text: str) -> None:
    assert parts(text) == []


def test_signs_inside_code_end_with_the_code() -> None:
    assert own("```\nFrom: Ben <ben@mail.example>\n```\nmine") == "\nmine"


def test_signs_inside_a_quote_end_with_the_quote() -> None:
    assert own("> On 3 June, Ben wrote: pay\nmine") == "\nmine"


def test_spans_are_sorted_and_apart() -> None:
    spans = third_party_spans("> a\nx\n```\n> b\n```\ny\n> c ```d``` e\nOn 1 May, Ben wrote:\n> f\nz")
    assert all(one.end <= two.start for one, two in pairwise(spans))
