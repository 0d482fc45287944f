"""Records inference calls without a risk for the traffic of the caller (fail open)."""
from __future__ import annotations

import json
import math
import os
import threading
import time
import uuid
import weakref
from collections import deque
from datetime import date, datetime, timezone
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Union

from .client import Client
from .errors import ApiError, AttributionError
from .request import Request, new_key
from .retry import is_retryable

_CAPACITY = 10_000
_BATCH_SIZE = 500
# The batch route takes 5 MiB. A smaller body arrives sooner over a slow connection.
_BATCH_BYTES = 1_000_000
_INTERVAL = 1.0
_TIMEOUT = 10.0
_LONGEST_PAUSE = 30.0
# The service refuses what a batch has. A part of it may not have that.
_ABOUT_BODY = (400, 413, 422)

EventSource = Union[Mapping[str, Any], Callable[[], Mapping[str, Any]]]
OnDrop = Callable[[int, str], None]


class TrackerStats:
    """Counts of events since the start. `dropped` is by reason: full, invalid, refused."""

    def __init__(self) -> None:
        self.recorded = 0
        self.sent = 0
        self.dropped: Dict[str, int] = {}

    def __repr__(self) -> str:
        return f"TrackerStats(recorded={self.recorded}, sent={self.sent}, dropped={self.dropped})"


class Tracker:
    """Sends events in batches from a background thread.

    `record` never raises and never waits for the network. When the queue is full, the new event is dropped, counted
    and reported to `on_drop`. A batch that gets no answer, 429 or 5xx stays in the queue and is sent again. An event
    keeps its `event_id`, so a repeated batch adds nothing. A batch that is refused for its body is sent in halves, so that
    one event takes no other with it.
    """

    def __init__(
        self,
        client: Client,
        *,
        capacity: int = _CAPACITY,
        batch_size: int = _BATCH_SIZE,
        interval: float = _INTERVAL,
        on_drop: Optional[OnDrop] = None,
        layer: str = "sdk",
    ) -> None:
        self._transport = client._transport
        self._capacity = capacity
        self._batch_size = batch_size
        self._interval = interval
        self._on_drop = on_drop
        self._layer = layer
        self.stats = TrackerStats()
        self._start_empty()
        if hasattr(os, "register_at_fork"):
            reset = weakref.WeakMethod(self._start_empty)
            os.register_at_fork(after_in_child=lambda: (reset() or (lambda: None))())

    def _start_empty(self) -> None:
        """Also after a fork: the thread exists only in the parent, which sends the events that are queued there."""
        self._events: Deque[bytes] = deque()
        self._condition = threading.Condition()
        self._in_flight = 0
        self._is_flushing = False
        self._is_closed = False
        self._thread: Optional[threading.Thread] = None

    def record(self, event: EventSource) -> None:
        """Queues an event of the batch route, or the result of a function that makes it.

        Adds `event_id`, `ingestion_timestamp` and `ingestion_layer` when they are missing.
        """
        try:
            made = event() if callable(event) else event
            complete = {
                "event_id": str(uuid.uuid4()),
                "ingestion_timestamp": _timestamp(),
                "ingestion_layer": self._layer,
                **made,
            }
            encoded = json.dumps(_known(complete), allow_nan=False, separators=(",", ":"), default=_text).encode()
        except Exception:
            self._drop(1, "invalid")
            return
        try:
            with self._condition:
                if self._is_closed or len(self._events) + self._in_flight >= self._capacity:
                    is_full = True
                else:
                    is_full = False
                    self._events.append(encoded)
                    self.stats.recorded += 1
                    if len(self._events) >= self._batch_size:
                        self._condition.notify_all()
                if self._thread is None and not self._is_closed:
                    self._thread = threading.Thread(target=self._run, name="attribution", daemon=True)
                    self._thread.start()
        except Exception:
            # The interpreter may refuse a new thread, for example at exit.
            return
        if is_full:
            self._drop(1, "full")

    def flush(self, seconds: float) -> bool:
        """Sends what is queued. True when everything was sent within the time. On Lambda: `flush(0.05)` in `finally`."""
        deadline = time.monotonic() + seconds
        with self._condition:
            self._is_flushing = True
            self._condition.notify_all()
            while self._events or self._in_flight:
                left = deadline - time.monotonic()
                if left <= 0:
                    self._is_flushing = False
                    return False
                self._condition.wait(left)
            self._is_flushing = False
            return True

    def close(self, seconds: float = 5.0) -> bool:
        """Flushes and stops the thread. Later events are dropped as `full`."""
        is_empty = self.flush(seconds)
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()
        return is_empty

    def _run(self) -> None:
        failures = 0
        while True:
            with self._condition:
                is_urgent = self._is_closed or self._is_flushing or len(self._events) >= self._batch_size
                if failures == 0 and not is_urgent:
                    self._condition.wait(self._interval)
                if self._is_closed and not self._events:
                    return
                batch = self._take()
            if not batch:
                continue
            rest = self._send(batch)
            is_done = not rest
            failures = 0 if is_done else failures + 1
            with self._condition:
                self._in_flight = 0
                if not is_done:
                    self._events.extendleft(reversed(rest))
                    if self._is_closed:
                        return
                self._condition.notify_all()
                if not is_done:
                    self._condition.wait(self._pause(failures))

    def _pause(self, failures: int) -> float:
        return min(self._interval * 2.0 ** min(failures, 10), _LONGEST_PAUSE)

    def _take(self) -> List[bytes]:
        batch: List[bytes] = []
        size = 0
        while self._events and len(batch) < self._batch_size:
            size += len(self._events[0]) + 1
            if batch and size > _BATCH_BYTES:
                break
            batch.append(self._events.popleft())
        self._in_flight = len(batch)
        return batch

    def _send(self, batch: List[bytes]) -> List[bytes]:
        """Sends events, and returns those that are to be sent again."""
        body = b'{"events":[' + b",".join(batch) + b"]}"
        request = Request(
            "POST", "/api/v1/invocations/batch", body=body, idempotency_key=new_key(), timeout=_TIMEOUT
        )
        try:
            answer = self._transport.send(request)
        except ApiError as error:
            # Below 400 something else answered. Above, only the service refuses for good.
            if not 400 <= error.status < 500 or error.status in (401, 403) or is_retryable(error.status, error.problem):
                return batch
            half = len(batch) // 2
            if half > 0 and error.status in _ABOUT_BODY:
                # One event, or how many they are, is why all are refused. A repeated event makes no second record.
                rest = self._send(batch[:half])
                return rest + batch[half:] if rest else self._send(batch[half:])
            self._drop(len(batch), "refused")
            return []
        except AttributionError:
            return batch
        except Exception:
            # A fault of this library must not end the thread.
            self._drop(len(batch), "refused")
            return []
        if not isinstance(answer, dict) or "accepted" not in answer:
            # Not our service: a proxy or a login page answered 200.
            return batch
        rejected = int(answer.get("rejected", 0))
        self.stats.sent += len(batch) - rejected
        if rejected > 0:
            self._drop(rejected, "refused")
        return []

    def _drop(self, count: int, reason: str) -> None:
        self.stats.dropped[reason] = self.stats.dropped.get(reason, 0) + count
        if self._on_drop is not None:
            try:
                self._on_drop(count, reason)
            except Exception:
                pass


def _known(value: Any) -> Any:
    """The value without numbers that JSON cannot hold: NaN and infinities are no amounts."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _known(member) for name, member in value.items()}
    return [_known(item) for item in value] if isinstance(value, (list, tuple)) else value


def _text(value: Any) -> Union[str, int, float]:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (Decimal, uuid.UUID)):
        return str(value)
    # Counts of NumPy are numbers, and none of Python's own.
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real) and math.isfinite(value):
        return float(value)
    raise TypeError


def _timestamp() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
