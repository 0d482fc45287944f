"""When to send a request again, and how long to wait before it."""
from __future__ import annotations

import random
import re
import time
from datetime import timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Mapping, Optional

_STATUSES = frozenset({408, 429, 502, 503, 504})
_CODES = frozenset({"IDEMPOTENCY_IN_PROGRESS", "INTERNAL_ERROR"})
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0
_SECONDS = re.compile(r"[0-9]+\Z")
_HTTP_DATE = re.compile(r"Mon|Tue|Wed|Thu|Fri|Sat|Sun")


def is_retryable(status: int, problem: Mapping[str, Any]) -> bool:
    """A 500 only of the service, which asks for a repetition in its catalogue of errors. One of a proxy may mean anything."""
    return status in _STATUSES or problem.get("error_code") in _CODES


def _time_of(text: Optional[str]) -> Optional[float]:
    """Epoch seconds of an HTTP date. All its forms begin with a day, and the one without a zone means GMT (RFC 9110, 5.6.7)."""
    if text is None or not _HTTP_DATE.match(text):
        return None
    try:
        date = parsedate_to_datetime(text)
        return (date if date.tzinfo else date.replace(tzinfo=timezone.utc)).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def retry_after(headers: Message, now: Callable[[], float] = time.time) -> Optional[float]:
    """The seconds of a `Retry-After` header, which holds seconds or a date (RFC 9110, 10.2.3). None if it says nothing.

    A date is compared with that of the response, because the clock of this machine may differ from that of the service.
    """
    text = ", ".join(headers.get_all("Retry-After") or ()).strip()
    if _SECONDS.match(text):
        return float(text)
    until = _time_of(text)
    if until is None:
        return None
    sent = _time_of(headers.get("Date"))
    return max(0.0, until - (now() if sent is None else sent))


def wait_before(attempt: int, asked: Optional[float], uniform: Callable[[], float] = random.random) -> float:
    """Seconds to wait after failed attempt number `attempt`, the first being 1.

    What the service asked for, plus jitter, so that clients that were refused together do not return together.
    Otherwise exponential backoff with full jitter.
    """
    if asked is not None:
        return asked + uniform() * min(1.0 + asked / 10, _LONGEST_WAIT)
    return uniform() * min(_FIRST_WAIT * 2.0**attempt, _LONGEST_WAIT)
