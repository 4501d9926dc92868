"""A model server of the tests: real HTTP on this machine, and it answers what a test wrote, faults included.

    with llm_server("Lisbon") as server:                       # every question is answered so
    with llm_server(["garbage", Say("Lisbon")]) as server:     # one after the other; the last one goes on
    with llm_server(lambda asked: Say(asked.user)) as server:  # whatever a function makes of the request

It speaks OpenAI's `/v1/chat/completions` (also streamed), `/v1/models` and `/v1/embeddings`, and Anthropic's
`/v1/messages`. `server.url` is the base for an OpenAI client, `server.root` that for Anthropic's; `server.asked`
holds the requests in their order. Nothing here waits for time to pass, but for the client to go away.
"""

import base64
import hashlib
import json
import select
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came."""

    path: str
    headers: Mapping[str, str]
    """Names in small letters."""
    body: Mapping[str, Any]

    @property
    def system(self) -> str:
        """What the model is told to do."""
        if "system" in self.body:
            return _words(self.body["system"])
        return "\n".join(_words(one["content"]) for one in self._messages if one["role"] == "system")

    @property
    def user(self) -> str:
        """The last message of the user."""
        return next((_words(one["content"]) for one in reversed(self._messages) if one["role"] == "user"), "")

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON Schema that the reply is held to, in either dialect."""
        told = self.body.get("response_format") or (self.body.get("output_config") or {}).get("format") or {}
        found = told.get("json_schema", told).get("schema")
        return found if isinstance(found, Mapping) else None

    @property
    def _messages(self) -> Sequence[Mapping[str, Any]]:
        return self.body.get("messages") or ()


@dataclass(frozen=True, slots=True)
class Say:
    """A reply. `finish` as OpenAI says it: `stop`, `length`, `content_filter`; Anthropic's words follow from it."""

    text: str
    finish: str = "stop"
    refusal: str | None = None
    usage: bool = True
    """Whether it says how many tokens it took."""


@dataclass(frozen=True, slots=True)
class Fail:
    """An answer with a status that is no success."""

    status: int
    message: str = "it failed"
    headers: Mapping[str, str] = field(default_factory=dict)
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Raw:
    """These bytes as the body of a success, whatever they are."""

    body: bytes
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Half:
    """The first half of the body of this reply; then the connection is closed."""

    text: str


@dataclass(frozen=True, slots=True)
class Silent:
    """No answer, until the client goes away."""


@dataclass(frozen=True, slots=True)
class Endless:
    """A reply without end: `piece` over and over, until the client goes away.

    `pace_s`: how long it waits before each piece whether the client goes. `in_headers`: it never gets to the body.
    """

    piece: str = "and then "
    pace_s: float = 0.0
    in_headers: bool = False


Reply = str | Say | Fail | Raw | Half | Silent | Endless
Script = Reply | Sequence[Reply] | Callable[[Asked], Reply]
Vectors = Sequence[Sequence[float]]
Embed = Callable[[Sequence[str]], Vectors | Reply]


def vector_of(text: str) -> list[float]:
    """A vector that stands for a text: the same one each time, and near those of texts with the same words."""
    row = [0.001] * DIMENSIONS
    for word in text.lower().split():
        row[hashlib.sha256(word.strip(".,?!").encode()).digest()[0] % DIMENSIONS] += 1.0
    return row


class LlmServer:
    """The running server."""

    def __init__(self, script: Script, embed: Embed | None, models: Sequence[str] | bytes) -> None:
        self.asked: list[Asked] = []
        self.models = models
        self.client_left = threading.Event()
        """Set when a client went away before it had its answer."""
        self._script = script
        self._embed = embed
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._http = _Http(self)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    @property
    def root(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        """The address as OpenAI clients want it."""
        return f"{self.root}/v1"

    def use(self, script: Script) -> None:
        """Answer otherwise from here on."""
        with self._lock:
            self._script = script

    def stop(self) -> None:
        """Cut every connection and end."""
        self._http.shutdown()
        with self._lock:
            for connection in self._open:
                _cut(connection)
        self._http.server_close()
        self._thread.join()

    def answer(self, asked: Asked) -> "Reply | Vectors":
        """What the script says to a request; it is written down."""
        with self._lock:
            self.asked.append(asked)
            if asked.path == "/v1/embeddings":
                texts = asked.body["input"]
                texts = [texts] if isinstance(texts, str) else texts
                return self._embed(texts) if self._embed else [vector_of(text) for text in texts]
            script = self._script
            if callable(script):
                return script(asked)
            if isinstance(script, Sequence) and not isinstance(script, str):
                self._script = script[1:] or script
                return script[0]
            return script

    def keep(self, connection: socket.socket, *, is_open: bool) -> None:
        """Know which connections are open."""
        with self._lock:
            (self._open.add if is_open else self._open.discard)(connection)


@contextmanager
def llm_server(
    script: Script = "ok", *, embed: Embed | None = None, models: Sequence[str] | bytes = ("tiny",)
) -> Iterator[LlmServer]:
    """A server that answers by a script. `embed`: texts to vectors, or to a fault; `models`: their names, or a body."""
    server = LlmServer(script, embed, models)
    try:
        yield server
    finally:
        server.stop()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = True

    def __init__(self, server: LlmServer) -> None:
        self.scripted = server
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is part of the tests, every other fault is not."""
        import sys

        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server.scripted.keep(self.connection, is_open=True)

    def finish(self) -> None:
        self.server.scripted.keep(self.connection, is_open=False)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the base names it
        """Nothing on stderr."""

    def do_GET(self) -> None:
        """The models."""
        if self.path != "/v1/models":
            self._fail(Fail(404, "there is no such page"))
            return
        models = self.server.scripted.models
        if isinstance(models, bytes):
            self._send(models)
            return
        listed = [{"id": name, "object": "model"} for name in models]
        self._send(json.dumps({"object": "list", "data": listed}).encode())

    def do_POST(self) -> None:
        """What is asked of a model."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(path=self.path, headers=headers, body=body)
        if self.path not in ("/v1/chat/completions", "/v1/messages", "/v1/embeddings"):
            self._fail(Fail(404, "there is no such page"))
            return
        self._give(asked, self.server.scripted.answer(asked))

    def _give(self, asked: Asked, reply: "Reply | Vectors") -> None:
        match reply:
            case str():
                self._say(asked, Say(reply))
            case Say():
                self._say(asked, reply)
            case Fail():
                self._fail(reply)
            case Raw():
                self._send(reply.body, content_type=reply.content_type)
            case Half():
                whole = _body(asked, Say(reply.text))
                self._send(whole[: len(whole) // 2], length=len(whole))
                self.close_connection = True
            case Silent():
                self._wait(None)
            case Endless():
                self._go_on(asked, reply)
            case _:
                self._send(_embedded(asked, reply))

    def _say(self, asked: Asked, say: Say) -> None:
        if not asked.body.get("stream"):
            self._send(_body(asked, say))
            return
        self._start_chunks("text/event-stream")
        for event in _events(asked, say):
            self._chunk(event)
        self._chunk("")

    def _fail(self, fail: Fail) -> None:
        told = {"message": fail.message, "type": "error", "code": fail.code}
        body = json.dumps({"type": "error", "error": told}).encode()
        self._send(body, status=fail.status, headers=fail.headers)

    def _send(
        self,
        body: bytes,
        *,
        status: int = 200,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
        length: int | None = None,
    ) -> None:
        self.send_response(status)
        told = {"Content-Type": content_type, "Content-Length": str(length or len(body))}
        for name, value in (told | dict(headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _start_chunks(self, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _go_on(self, asked: Asked, endless: Endless) -> None:
        try:
            if endless.in_headers:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-More: ")
                while self._wait(endless.pace_s):
                    self.wfile.write(b"x")
                return
            streams = bool(asked.body.get("stream"))
            self._start_chunks("text/event-stream" if streams else "application/json")
            if not streams:
                self._chunk('{"choices": [{"message": {"content": "')
            while self._wait(endless.pace_s):
                self._chunk(_event(_delta(asked, endless.piece)) if streams else endless.piece)
        except OSError:
            self._left()

    def _wait(self, seconds: float | None) -> bool:
        """Wait for the client to go away; True if it is still there after so many seconds."""
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if not readable:
            return True
        self._left()
        return False

    def _left(self) -> None:
        self.server.scripted.client_left.set()
        self.close_connection = True


def _cut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or ())


def _tokens(asked: Asked, say: Say) -> tuple[int, int]:
    """Four characters a token, as good as any."""
    return len(asked.system + asked.user) // 4, len(say.text) // 4


def _body(asked: Asked, say: Say) -> bytes:
    return json.dumps(
        _message(asked, say) if asked.path == "/v1/messages" else _completion(asked, say)
    ).encode()


def _completion(asked: Asked, say: Say) -> dict[str, Any]:
    message = {"role": "assistant", "content": say.text, "refusal": say.refusal}
    made: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": asked.body.get("model"),
        "choices": [{"index": 0, "message": message, "finish_reason": say.finish}],
    }
    if say.usage:
        taken, given = _tokens(asked, say)
        made["usage"] = {"prompt_tokens": taken, "completion_tokens": given, "total_tokens": taken + given}
    return made


_ANTHROPIC_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def _message(asked: Asked, say: Say) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.body.get("model"),
        "content": [{"type": "text", "text": say.text}],
        "stop_reason": "refusal" if say.refusal else _ANTHROPIC_STOPS[say.finish],
        "stop_sequence": None,
    }
    if say.usage:
        taken, given = _tokens(asked, say)
        made["usage"] = {"input_tokens": taken, "output_tokens": given}
    return made


def _event(data: Mapping[str, Any] | str, kind: str | None = None) -> str:
    told = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {kind}\n" if kind else "") + f"data: {told}\n\n"


def _delta(asked: Asked, text: str, finish: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": asked.body.get("model"),
        "choices": [{"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}],
    }


def _events(asked: Asked, say: Say) -> Iterator[str]:
    pieces = [say.text[start : start + 8] for start in range(0, len(say.text), 8)]
    if asked.path == "/v1/chat/completions":
        for piece in pieces:
            yield _event(_delta(asked, piece))
        yield _event(_delta(asked, "", say.finish))
        yield _event("[DONE]")
        return
    whole = _message(asked, say)
    start = {**whole, "content": [], "stop_reason": None}
    yield _event({"type": "message_start", "message": start}, "message_start")
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield _event(block, "content_block_start")
    for piece in pieces:
        told = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        yield _event(told, "content_block_delta")
    yield _event({"type": "content_block_stop", "index": 0}, "content_block_stop")
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield _event({"type": "message_delta", "delta": ended, "usage": whole.get("usage", {})}, "message_delta")
    yield _event({"type": "message_stop"}, "message_stop")


def _embedded(asked: Asked, vectors: Vectors) -> bytes:
    packed = asked.body.get("encoding_format") == "base64"

    def told(row: Sequence[float]) -> Any:
        return base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode() if packed else list(row)

    data = [{"object": "embedding", "index": i, "embedding": told(row)} for i, row in enumerate(vectors)]
    return json.dumps({"object": "list", "data": data, "model": asked.body.get("model")}).encode()
