"""Context that we rendered is known again, whatever a model or a mail program did to it."""

import html

import pytest

from affidavit.text.spans import SpanKind
from affidavit.text.whose.watermark import context_close, context_open, echo_spans, neutralise

TRACE = "tr_018f6a2e7b3c7d4e8f5a6b7c8d9e0f1a"
EPISODE = "ep_018f6a2e7b3c7d4e8f5a6b7c8d9e0f1a"
BLOCK = f"{context_open(TRACE)}\nfacts\n{context_close(TRACE)}"


def echoes(text: str) -> list[str]:
    assert all(span.kind is SpanKind.ECHO for span in echo_spans(text))
    return [text[span.start : span.end] for span in echo_spans(text)]


def test_a_block_is_an_echo_and_the_rest_counts() -> None:
    assert echoes(f"before\n{BLOCK}\nafter") == [BLOCK]


@pytest.mark.parametrize(
    "changed",
    [
        BLOCK.upper(),
        html.escape(BLOCK, quote=False),
        html.escape(html.escape(BLOCK, quote=False), quote=False),
        BLOCK.replace("<", "< ").replace("</ ", "< / "),
        BLOCK.replace("\n", "\n> "),
        BLOCK.replace(context_close(TRACE), "</affidavit-context>"),
        BLOCK.replace("affidavit", "affi\u200bdavit"),
    ],
)
def test_changed_blocks_are_still_echoes(changed: str) -> None:
    [echo] = echoes(f"before\n{changed}\nafter")
    assert "facts" in echo.lower()
    assert "after" not in echo


def test_without_a_close_it_runs_to_the_end() -> None:
    assert echoes(f"x {context_open(TRACE)} and so on") == [f"{context_open(TRACE)} and so on"]


def test_another_trace_does_not_close_it() -> None:
    text = f"{context_open(TRACE)} a {context_close('tr_018f6a2e7b3c7d4e8f5a6b7c8d9e0f99')} b"
    assert echoes(text) == [text]


def test_a_close_alone_is_only_itself() -> None:
    assert echoes(f"a {context_close(TRACE)} b") == [context_close(TRACE)]


@pytest.mark.parametrize(
    "line",
    [
        f"- Ann lives in Oslo [{EPISODE}]",
        f"Ann lives in Oslo [mem_{EPISODE[3:]}@2]",
        f"> * [ {EPISODE.upper()} ] Ann",
        f"[{EPISODE}, mem_{EPISODE[3:]}] Ann",
        f"[ep_{EPISODE[3:11]}-7b3c-7d4e-8f5a-6b7c8d9e0f1a] Ann",
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_line_with_one_of_our_ids_is_an_echo(line: str, ending: str) -> None:
    assert echoes(f"mine{ending}{line}{ending}mine") == [line]


@pytest.mark.parametrize(
    "text",
    ["[ep_12]", EPISODE, "[step_018f6a2e7b3c7d4e8f5a6b7c8d9e0f1a]", "an affidavit in context", "<b>x</b>"],
)
def test_other_text_is_no_echo(text: str) -> None:
    assert echoes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        BLOCK,
        html.escape(BLOCK),
        f"[{EPISODE}]",
        "</affidavit-context>",
        "＜/affidavit context＞",
        "<\n/ AFFIDAVIT_CONTEXT",
    ],
)
def test_neutralised_text_holds_no_mark(text: str) -> None:
    calm = neutralise(text)
    assert calm != text
    assert echo_spans(calm) == ()
    assert neutralise(calm) == calm
