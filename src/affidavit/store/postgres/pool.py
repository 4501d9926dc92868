"""A pool of connections: made by the thread that needs one, given back, at most so many at once.

There is no thread in it and nothing that goes on trying: where the server is away, whoever asks is told why, at once.
"""

import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus


class PoolEmptyError(Exception):
    """All connections are in use, and none was given back in time."""


class Pool:
    """Connections of one process to one database; what is given back last is used first."""

    def __init__(self, connect: "Callable[[], psycopg.Connection[Any]]", *, most: int) -> None:
        self._connect = connect
        self._free = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._idle: list[psycopg.Connection[Any]] = []
        self._closed = False
        # Whoever lets go of a store without closing it leaves no connection open behind him.
        weakref.finalize(self, _let_go, self._idle, os.getpid())

    def take(self, wait_s: float) -> "psycopg.Connection[Any]":
        """A connection, which may have broken while it lay here. Raises `PoolEmptyError`, and `psycopg.Error`s."""
        if not self._free.acquire(timeout=wait_s):
            raise PoolEmptyError
        try:
            with self._lock:
                if self._idle:
                    return self._idle.pop()
            return self._connect()
        except BaseException:
            self._free.release()
            raise

    def give(self, conn: "psycopg.Connection[Any]") -> None:
        """Give one back. One that broke, or is still inside a transaction, is closed."""
        try:
            if conn.closed or conn.info.transaction_status is not TransactionStatus.IDLE:
                conn.close()
                return
            with self._lock:
                if not self._closed:
                    self._idle.append(conn)
                    return
            conn.close()
        finally:
            self._free.release()

    def drop_idle(self) -> None:
        """Close those that lie here: one of them was found broken, so that all may be."""
        with self._lock:
            idle, self._idle[:] = list(self._idle), []
        for conn in idle:
            conn.close()

    def close(self) -> None:
        """Close those that lie here; the others when they are given back."""
        with self._lock:
            self._closed = True
        self.drop_idle()


def _let_go(idle: "list[psycopg.Connection[Any]]", pid: int) -> None:
    """Close what lies in a pool that is gone; in a forked child they are the parent's."""
    if pid == os.getpid():
        for conn in idle:
            conn.close()
