"""HTTP for the SDKs, with bounds that hold whatever a server does.

One time limit for a whole call: connecting, headers and body together, so that a server that drips bytes or never stops
is cut. One largest size of an answer, which is never unpacked. No redirects. And only the headers that are needed go
out, with the key set here: an SDK holds none that it could show, and none that it found by itself is sent.
"""

import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import httpcore2
import httpx2

_PIECE: Final = 16_384
_SENT: Final = frozenset(
    {"host", "accept", "content-type", "content-length", "user-agent", "connection", "anthropic-version"}
)


class TooLongError(Exception):
    """The answer is larger than may be, or packed."""


class _Until(threading.local):
    """When the call of this thread ends."""

    at = 0.0

    def left(self, late: type[Exception]) -> float:
        """Seconds that are left. Raises `late` where there are none."""
        seconds = self.at - time.monotonic()
        if seconds <= 0:
            raise late("the time is up")
        return seconds


class _Stream(httpcore2.NetworkStream):
    """A connection on which every step waits for what is left of the call, and no longer."""

    def __init__(self, stream: httpcore2.NetworkStream, until: _Until) -> None:
        self._stream = stream
        self._until = until

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._until.left(httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            left = self._until.left(httpcore2.WriteTimeout)
            self._stream.write(buffer[start : start + _PIECE], left)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> Any:
        left = self._until.left(httpcore2.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left), self._until)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, until: _Until) -> None:
        self._inner = httpcore2.SyncBackend()
        self._until = until

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        left = self._until.left(httpcore2.ConnectTimeout)
        stream = self._inner.connect_tcp(host, port, left, local_address, socket_options)
        return _Stream(stream, self._until)


class _Body(httpx2.SyncByteStream):
    """An answer as it comes in, counted."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream = stream
        self._most = most

    def __iter__(self) -> Iterator[bytes]:
        taken = 0
        try:
            for piece in self._stream:
                taken += len(piece)
                if taken > self._most:
                    raise TooLongError(f"longer than {self._most:,} bytes")
                yield piece
        except httpcore2.TimeoutException as error:
            raise httpx2.ReadTimeout(str(error)) from error

    def close(self) -> None:
        self._stream.close()


class _Transport(httpx2.BaseTransport):
    def __init__(self, url: str, headers: Mapping[str, str], most_bytes: int) -> None:
        self._until = _Until()
        self._headers = dict(headers)
        self._most = most_bytes
        self._pool = _pool(url, _Backend(self._until))

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self._until.at = time.monotonic() + request.extensions["timeout"]["read"]
        sent = {name: value for name, value in request.headers.items() if name in _SENT}
        sent |= {"accept-encoding": "identity"} | self._headers
        asked = httpcore2.Request(
            request.method,
            str(request.url),
            headers=list(sent.items()),
            content=request.stream,
            extensions=request.extensions,
        )
        try:
            got = self._pool.handle_request(asked)
        except httpcore2.TimeoutException as error:
            raise httpx2.ReadTimeout(str(error)) from error
        answer = httpx2.Response(got.status, headers=got.headers, stream=_Body(got.stream, self._most))
        if answer.headers.get("content-encoding", "identity") != "identity":
            answer.close()
            raise TooLongError("packed, which was not asked for")
        return answer

    def close(self) -> None:
        self._pool.close()


def _pool(url: str, backend: httpcore2.NetworkBackend) -> httpcore2.ConnectionPool:
    """Straight to the server, or by the proxy that the environment names for it."""
    place = urlsplit(url)
    proxy = urllib.request.getproxies().get(place.scheme)
    if proxy and not urllib.request.proxy_bypass(place.hostname or "") and not _is_here(place.hostname):
        by = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        auth = (by.username, by.password or "") if by.username else None
        bare = f"{by.scheme}://{by.hostname}:{by.port or (443 if by.scheme == 'https' else 80)}"
        return httpcore2.HTTPProxy(bare, proxy_auth=auth, network_backend=backend)
    return httpcore2.ConnectionPool(network_backend=backend)


def _is_here(host: str | None) -> bool:
    return host in ("localhost", "127.0.0.1", "::1")


def bounded_client(
    url: str, *, headers: Mapping[str, str], timeout_s: float, most_bytes: int
) -> httpx2.Client:
    """A client for one server. `timeout_s` bounds each call as a whole, `most_bytes` each answer."""
    transport = _Transport(url, headers, most_bytes)
    return httpx2.Client(transport=transport, timeout=timeout_s, follow_redirects=False, trust_env=False)
