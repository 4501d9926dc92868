"""The model server of the tests does what a test wrote, over real HTTP."""

import http.client
import json
import urllib.error
import urllib.request

import pytest

from tests.support_llm_server import DIMENSIONS, Endless, Fail, Half, LlmServer, Raw, Say, Silent, llm_server


def _post(server: LlmServer, path: str = "/v1/chat/completions", **body: object) -> bytes:
    told = {"model": "tiny", "messages": [{"role": "user", "content": "Where?"}], **body}
    request = urllib.request.Request(f"{server.root}{path}", json.dumps(told).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.read()


def _text(server: LlmServer) -> str:
    return json.loads(_post(server))["choices"][0]["message"]["content"]


def test_a_script_is_a_text_a_list_or_a_function():
    with llm_server("always") as server:
        assert [_text(server), _text(server)] == ["always", "always"]
        server.use(["first", Say("then on")])
        assert [_text(server), _text(server), _text(server)] == ["first", "then on", "then on"]
        server.use(lambda asked: asked.user.upper())
        assert _text(server) == "WHERE?"
        assert len(server.asked) == 6


def test_faults_are_as_they_were_written():
    with llm_server(Fail(429, headers={"Retry-After": "7"})) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            _post(server)
        assert (caught.value.code, caught.value.headers["Retry-After"]) == (429, "7")
        caught.value.close()
        server.use(Raw(b"\xff{{"))
        assert _post(server) == b"\xff{{"
        server.use(Half("a long reply of which only a part comes"))
        with pytest.raises(http.client.IncompleteRead):
            _post(server)


@pytest.mark.parametrize("reply", [Silent(), Endless(pace_s=0.01, in_headers=True)])
def test_what_never_answers_ends_with_its_client(reply):
    with llm_server(reply) as server:
        connection = http.client.HTTPConnection(server.root.removeprefix("http://"), timeout=10)
        connection.request("POST", "/v1/chat/completions", "{}")
        connection.close()
        assert server.client_left.wait(10)


def test_what_never_stops_ends_with_its_client():
    with llm_server(Endless("x" * 1000)) as server:
        connection = http.client.HTTPConnection(server.root.removeprefix("http://"), timeout=10)
        connection.request("POST", "/v1/chat/completions", "{}")
        assert len(connection.getresponse().read(100_000)) == 100_000
        connection.close()
        assert server.client_left.wait(10)


def test_streams_embeddings_and_the_other_dialect():
    with llm_server("one two three") as server:
        lines = _post(server, stream=True).decode().splitlines()
        assert lines[-2] == "data: [DONE]"
        told = json.loads(_post(server, "/v1/messages"))
        assert (told["content"][0]["text"], told["stop_reason"]) == ("one two three", "end_turn")
        found = json.loads(_post(server, "/v1/embeddings", input=["a", "b"]))["data"]
        assert [len(one["embedding"]) for one in found] == [DIMENSIONS, DIMENSIONS]


def test_it_stops_while_clients_wait():
    with llm_server(Silent()) as server:
        connection = http.client.HTTPConnection(server.root.removeprefix("http://"), timeout=10)
        connection.request("POST", "/v1/chat/completions", "{}")
    with pytest.raises((http.client.HTTPException, OSError)):
        connection.getresponse()
    connection.close()
