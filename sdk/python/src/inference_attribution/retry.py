"""When to send a request again, and how long to wait before it."""
from __future__ import annotations

import random
import time
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Mapping, Optional

_STATUSES = frozenset({408, 429, 502, 503, 504})
_CODES = frozenset({"IDEMPOTENCY_IN_PROGRESS", "INTERNAL_ERROR"})
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0


def is_retryable(status: int, problem: Mapping[str, Any]) -> bool:
    """A 500 only of the service, which asks for a repetition in its catalogue of errors. One of a proxy may mean anything."""
    return status in _STATUSES or problem.get("error_code") in _CODES


def retry_after(value: Optional[str], now: Callable[[], float] = time.time) -> Optional[float]:
    """The seconds of a `Retry-After` header, which holds seconds or an HTTP date (RFC 9110, section 10.2.3)."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def wait_before(attempt: int, asked: Optional[float], uniform: Callable[[], float] = random.random) -> float:
    """Seconds to wait after failed attempt number `attempt`, the first being 1.

    What the service asked for, plus jitter, so that clients that were refused together do not return together.
    Otherwise exponential backoff with full jitter.
    """
    if asked is not None:
        return asked + uniform() * min(1.0 + asked / 10, _LONGEST_WAIT)
    return uniform() * min(_FIRST_WAIT * 2.0**attempt, _LONGEST_WAIT)
