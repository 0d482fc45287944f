"""Looks up the owner and budgets of a call before it is made, without a risk for the call (fail open)."""
from __future__ import annotations

import asyncio
import json
import os
import threading
import time
import weakref
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple, cast

from .client import Client
from .errors import ApiError
from .request import Request
from .types import AttributionLookup, LookUpAttributionQuery

# A request continues after the caller stopped waiting, so that the next call has its answer.
_REQUEST_TIMEOUT = 5.0
# Bounds the threads while the service hangs.
_REQUESTS_MAXIMUM = 8
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0

Answer = Optional[AttributionLookup]


class _Entry(NamedTuple):
    # None: the service refused these signals.
    answer: Answer
    stored_at: float


class Lookup:
    """`find` returns the owner and budgets of a call, or None: no answer in time, a failure, or refused signals.

    It never raises and never waits longer than `timeout`; with 0 it returns cached answers only. An answer younger than
    `fresh` is used without a request, and one younger than `stale` while a request renews it. After a failure no request
    is sent for a pause of 1 to 30 seconds. At most `capacity` answers are kept. All times are in seconds. Safe to share
    between threads.
    """

    def __init__(
        self,
        client: Client,
        *,
        timeout: float = 0.05,
        fresh: float = 30.0,
        stale: float = 600.0,
        capacity: int = 1_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._transport = client._transport
        self._timeout = timeout
        self._fresh = fresh
        self._stale = stale
        self._capacity = capacity
        self._clock = clock
        self._start_empty()
        if hasattr(os, "register_at_fork"):
            reset = weakref.WeakMethod(self._start_empty)
            os.register_at_fork(after_in_child=lambda: (reset() or (lambda: None))())

    def _start_empty(self) -> None:
        """Also after a fork: the threads of open requests exist only in the parent."""
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._requests: Dict[str, Future[Answer]] = {}
        self._failures = 0
        self._paused_until = 0.0

    def find(self, signals: LookUpAttributionQuery) -> Answer:
        """Looks up a call with these signals."""
        try:
            answer, request = self._start(signals)
            if request is None or self._timeout <= 0:
                return answer
            return request.result(self._timeout)
        except Exception:
            return None

    async def find_async(self, signals: LookUpAttributionQuery) -> Answer:
        """Looks up a call with these signals, without blocking the event loop."""
        try:
            answer, request = self._start(signals)
            if request is None or self._timeout <= 0:
                return answer
            waiting = asyncio.wrap_future(request)
            done, _ = await asyncio.wait({waiting}, timeout=self._timeout)
            if done:
                return waiting.result()
            # The loop may be closed before the request ends. The request itself is running and is not cancelled.
            waiting.cancel()
            return None
        except Exception:
            return None

    def _start(self, signals: LookUpAttributionQuery) -> Tuple[Answer, Optional[Future[Answer]]]:
        """The cached answer, or the request to wait for. Neither if no request may start."""
        key = json.dumps({name: value for name, value in signals.items() if value is not None}, sort_keys=True)
        with self._lock:
            now = self._clock()
            entry = self._entries.get(key)
            if entry is not None and now - entry.stored_at < self._fresh:
                return entry.answer, None
            request = self._requests.get(key)
            if request is None and now >= self._paused_until and len(self._requests) < _REQUESTS_MAXIMUM:
                request = Future()
                # A running future cannot be cancelled by one of several callers that wait for it.
                request.set_running_or_notify_cancel()
                self._requests[key] = request
                thread = threading.Thread(
                    target=self._run, args=(key, dict(signals), request), name="attribution-lookup", daemon=True
                )
                try:
                    thread.start()
                except Exception:
                    # The interpreter may refuse a new thread, for example at exit.
                    del self._requests[key]
                    request = None
            if entry is not None and now - entry.stored_at < self._stale:
                return entry.answer, None
            return None, request

    def _run(self, key: str, signals: Dict[str, Any], request: Future[Answer]) -> None:
        answer: Answer = None
        is_done = False
        try:
            received = self._transport.send(
                Request("GET", "/api/v1/lookup", query=signals, timeout=_REQUEST_TIMEOUT, retries=0)
            )
            # Otherwise not our service: a proxy or a login page answered 200.
            if isinstance(received, dict) and "as_of" in received and "budgets" in received:
                answer = cast(AttributionLookup, received)
                is_done = True
        except ApiError as error:
            # These concern only these signals. Every other failure concerns all of them.
            is_done = error.status in (400, 422)
        except Exception:
            pass
        with self._lock:
            self._requests.pop(key, None)
            if is_done:
                self._store(key, answer)
            else:
                self._pause()
        request.set_result(answer)

    def _store(self, key: str, answer: Answer) -> None:
        if answer is not None:
            self._failures = 0
        self._entries.pop(key, None)
        self._entries[key] = _Entry(answer, self._clock())
        while len(self._entries) > self._capacity:
            self._entries.popitem(last=False)

    def _pause(self) -> None:
        now = self._clock()
        # Requests that were open together are one failure.
        if now < self._paused_until:
            return
        self._paused_until = now + min(_FIRST_PAUSE * 2.0 ** min(self._failures, 10), _LONGEST_PAUSE)
        self._failures += 1
