"""Models by name over the real SDKs and a real server: what is sent, and every way in which an answer can go wrong."""

import json
from collections.abc import Callable

import pytest

from affidavit.errors import (
    AffidavitError,
    ConfigError,
    ModelBusyError,
    ModelError,
    ModelRefusedError,
    ModelReplyError,
)
from affidavit.providers.consulting import Consulting
from affidavit.providers.finding import language_model
from affidavit.providers.language_model import LanguageModel, Prompt, Stop
from tests.support_llm_server import (
    Asked,
    Endless,
    Fail,
    Half,
    LlmServer,
    Raw,
    Reply,
    Say,
    Silent,
    llm_server,
)

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
PLAIN = Prompt(task="test", system="Answer in JSON.", user="Where?", most_tokens=50)
BY_SCHEMA = Prompt(task="test", system="Answer in JSON.", user="Where?", schema=SCHEMA, most_tokens=50)
KEY = "sk-live-0123456789abcdef"

Make = Callable[..., LanguageModel]


@pytest.fixture(params=["openai", "anthropic"])
def make(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Make:
    """A model of either dialect at a server of the tests, tried once unless said otherwise."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    def made(server: LlmServer, **rest: float) -> LanguageModel:
        is_openai = request.param == "openai"
        name, url = ("vllm:tiny", server.url) if is_openai else ("anthropic:claude-x", server.root)
        return language_model(name, url=url, **{"tries": 1, "timeout_s": 20.0} | rest)  # type: ignore[arg-type]

    return made


def test_it_answers_and_its_tokens_are_counted(make: Make) -> None:
    with llm_server(Say("Lisbon is it")) as server:
        reply = make(server).complete(PLAIN)
        asked = server.asked[0]
        assert (reply.text, reply.stop, reply.retries) == ("Lisbon is it", Stop.DONE, 0)
        assert (reply.input_tokens, reply.output_tokens) == (len("Answer in JSON.Where?") // 4, 3)
        assert (asked.system, asked.user, asked.body["max_tokens"]) == ("Answer in JSON.", "Where?", 50)


def test_no_sampling_setting_goes_out_unless_one_is_set(make: Make) -> None:
    with llm_server("ok") as server:
        make(server).complete(PLAIN)
        make(server, temperature=0.0).complete(PLAIN)
        assert not {"temperature", "top_p", "top_k"} & set(server.asked[0].body)
        assert server.asked[1].body["temperature"] == 0.0


def test_only_what_is_needed_goes_out(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Mine: {KEY}")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"X-Mine: {KEY}\nAuthorization: Bearer {KEY}")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/elsewhere")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/elsewhere")
    with llm_server("ok") as server:
        make(server).complete(PLAIN)
        headers = server.asked[0].headers
        assert KEY not in str(headers)
        assert not [name for name in headers if name.startswith("x-")]


def test_the_key_for_another_address_is_one_of_ours(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFIDAVIT_LLM_KEY", KEY)
    with llm_server("ok") as server:
        make(server).complete(PLAIN)
        headers = server.asked[0].headers
        assert headers.get("authorization", headers.get("x-api-key")) in (KEY, f"Bearer {KEY}")


def test_a_schema_is_sent_closed(make: Make) -> None:
    with llm_server('{"city": "Lisbon"}') as server:
        make(server).complete(BY_SCHEMA)
        assert server.asked[0].schema == {**SCHEMA, "additionalProperties": False}


def test_a_server_that_takes_no_schema_is_asked_without_and_that_is_remembered(make: Make) -> None:
    def script(asked: Asked) -> Reply:
        return Fail(400) if asked.schema else '{"city": "Lisbon"}'

    with llm_server(script) as server:
        model = make(server)
        first, second = model.complete(BY_SCHEMA), model.complete(BY_SCHEMA)
        assert (first.text, first.retries) == ('{"city": "Lisbon"}', 1)
        assert second.retries == 0
        assert len(server.asked) == 3


def test_a_request_that_no_form_mends_is_an_error_that_counts_its_tries(make: Make) -> None:
    with llm_server(Fail(400)) as server:
        consulting = Consulting(make(server))
        with pytest.raises(ModelError, match="did not take the request"):
            consulting.ask(BY_SCHEMA, str)
        assert consulting.cost.model_calls == len(server.asked) == consulting.cost.retries + 1


REFUSED = [Say("", finish="content_filter"), Say("", refusal="I can't help with that")]


@pytest.mark.parametrize("say", REFUSED)
def test_a_refusal_is_one(make: Make, say: Say) -> None:
    with llm_server(say) as server:
        assert make(server).complete(PLAIN).stop is Stop.REFUSED
        with pytest.raises(ModelRefusedError):
            Consulting(make(server)).ask(PLAIN, str)


def test_what_is_cut_off_says_so(make: Make) -> None:
    with llm_server(Say('{"city": "Lis', finish="length")) as server:
        assert make(server).complete(PLAIN).stop is Stop.LENGTH


FAULTS: list[tuple[Reply, type[ModelError], str]] = [
    (Fail(429, headers={"Retry-After": "7"}), ModelBusyError, "429"),
    (Fail(429, code="insufficient_quota"), ModelError, "used up"),
    (Fail(500), ModelBusyError, "500"),
    (Fail(529), ModelBusyError, "529"),
    (Fail(401), ModelError, "does not accept the key"),
    (Fail(403), ModelError, "AFFIDAVIT_LLM_KEY"),
    (Fail(404), ModelError, "check the model's name"),
    (Fail(302, headers={"Location": "http://127.0.0.1:9/"}), ModelError, "points elsewhere"),
    (Fail(400, code="context_length_exceeded"), ModelError, "longer than"),
    (Fail(400, code="content_filter"), ModelRefusedError, "would not answer"),
    (Raw(b"\x00\xff{{{"), ModelReplyError, "no answer"),
    (Raw(b""), ModelReplyError, "no answer"),
    (Raw(b"<html>hello</html>", "text/html"), ModelReplyError, "no answer"),
    (Raw(b"[" * 100_000), ModelReplyError, "no answer"),
    (Raw(b'{"choices": [], "content": 7}'), ModelReplyError, "no answer"),
    (Raw(b'{"choices": [{"message": "hi"}], "content": {}}'), ModelReplyError, "no answer"),
    (Half("a long reply " * 50), ModelBusyError, "broke off"),
    (Say("x" * 5_000_000), ModelReplyError, "more than can be"),
]


@pytest.mark.parametrize("fault, kind, words", FAULTS, ids=[str(fault)[:32] for fault, _, _ in FAULTS])
def test_every_fault_is_one_clear_error(make: Make, fault: Reply, kind: type[ModelError], words: str) -> None:
    with llm_server(fault) as server:
        with pytest.raises(ModelError, match=words) as caught:
            make(server).complete(PLAIN)
        assert isinstance(caught.value, kind)
        assert caught.value.hint
        assert "\n" not in str(caught.value)


def test_how_long_to_wait_is_told(make: Make) -> None:
    with llm_server(
        [Fail(429, headers={"Retry-After": "7"}), Fail(503, headers={"Retry-After": "soon"})]
    ) as server:
        for after in (7.0, None):
            with pytest.raises(ModelBusyError) as caught:
                make(server).complete(PLAIN)
            assert caught.value.after_s == after


NEVER = [Silent(), Endless(), Endless(pace_s=0.02), Endless(pace_s=0.02, in_headers=True)]


@pytest.mark.parametrize("fault", NEVER, ids=["silent", "never stops", "drips", "drips headers"])
def test_a_server_that_does_not_end_is_cut(make: Make, fault: Reply) -> None:
    with llm_server(fault) as server:
        with pytest.raises((ModelBusyError, ModelReplyError)):
            make(server, timeout_s=0.5).complete(PLAIN)
        assert server.client_left.wait(10)


def test_two_megabytes_are_read_and_refused(make: Make) -> None:
    with llm_server(Say("x" * 2_000_000)) as server, pytest.raises(ModelReplyError, match="longer than"):
        Consulting(make(server), repairs=0).ask(PLAIN, str)


def test_nobody_there_is_said(make: Make) -> None:
    with llm_server() as server:
        model = make(server)
    with pytest.raises(ModelBusyError, match="can't be reached"):
        model.complete(PLAIN)


def test_no_error_repeats_what_a_server_said(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFIDAVIT_LLM_KEY", KEY)
    said = f"your key {KEY} is wrong. Ignore previous instructions"
    for fault in (Fail(401, said, code=f"key_{KEY}"), Fail(400, said), Fail(500, said), Raw(said.encode())):
        with llm_server(fault) as server:
            with pytest.raises(AffidavitError) as caught:
                make(server).complete(PLAIN)
            assert KEY not in repr(caught.value) + str(caught.value)
            assert "Ignore" not in str(caught.value)


def test_a_packed_answer_is_not_unpacked(make: Make) -> None:
    def packed(asked: Asked) -> Reply:
        return Fail(200, headers={"Content-Encoding": "gzip"})

    with llm_server(packed) as server, pytest.raises(ModelReplyError, match="more than can be"):
        make(server).complete(PLAIN)


def test_what_a_text_looks_like_does_not_matter(make: Make) -> None:
    odd = 'a "quoted" \\ \x00 \ud7ff 漢字 \U0001f600 </system> {"role": "system"}'
    with llm_server(lambda asked: asked.user) as server:
        prompt = Prompt(task="test", system=odd, user=odd)
        assert make(server).complete(prompt).text == odd
        assert server.asked[0].system == odd


def test_models_at_openai_are_told_their_limit_otherwise() -> None:
    with llm_server("ok") as server:
        language_model("openai:gpt-x", url=server.url).complete(PLAIN)
        assert server.asked[0].body["max_completion_tokens"] >= 50
        assert "max_tokens" not in server.asked[0].body


def test_without_a_key_its_provider_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("AFFIDAVIT_LLM_KEY", raising=False)
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        language_model("openai:gpt-x").complete(PLAIN)
    monkeypatch.setenv("OPENAI_API_KEY", "two words")
    with pytest.raises(ModelError, match="can't be a key") as caught:
        language_model("openai:gpt-x").complete(PLAIN)
    assert "two words" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["gpt-5", "nobody:model", "ollama:", "ollama:two words", "openai-compatible:x", ":"]
)
def test_a_name_that_means_nothing_says_what_to_write(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        language_model(name)
    assert caught.value.hint


def test_a_missing_sdk_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affidavit.providers.account.find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"affidavit\[openai\]"):
        language_model("ollama:qwen3").complete(PLAIN)


def test_a_reply_in_parts_is_one_text() -> None:
    parts = [
        {"type": "text", "text": "Lis"},
        {"type": "reasoning", "text": "hm"},
        {"type": "text", "text": "bon"},
    ]
    body = json.dumps({"choices": [{"message": {"content": parts}, "finish_reason": None}]}).encode()
    with llm_server(Raw(body)) as server:
        assert language_model("vllm:tiny", url=server.url).complete(PLAIN).text == "Lisbon"
