"""Errors that a call can raise. All are instances of `AttributionError`."""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional


class AttributionError(Exception):
    """Base class of all errors of this library."""


class ConfigurationError(AttributionError, ValueError):
    """The client cannot work as it is configured, or an argument cannot be sent as it is. Nothing was sent."""


class ConnectionFailedError(AttributionError):
    """No answer after all attempts: no connection, a timeout or a broken response."""

    def __init__(self, message: str, attempts: int) -> None:
        super().__init__(message)
        self.attempts = attempts


class ApiError(AttributionError):
    """The service refused the request, or failed, after all attempts; or something else answered, with a redirect or a page.

    `status` is the HTTP status and `code` the stable `error_code` of the service (None when the answer came from a
    gateway or a proxy). `challenge` is the authentication that the service asks for, as in `WWW-Authenticate`, which a
    gateway may have renamed. Quote `trace_id` when you report the error.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], trace_id: Optional[str], attempts: int) -> None:
        # A gateway answers {"message": "..."} instead of a problem document (RFC 9457).
        detail = problem.get("detail") or problem.get("title") or problem.get("message") or _known_of(status)
        code = problem.get("error_code")
        super().__init__(f"{status} {code or ''}".rstrip() + f": {detail}")
        self.status = status
        self.code: Optional[str] = code if isinstance(code, str) else None
        challenge = problem.get("www_authenticate")
        self.challenge: Optional[str] = challenge if isinstance(challenge, str) else None
        self.problem: Dict[str, Any] = dict(problem)
        self.trace_id = trace_id
        self.attempts = attempts


def _known_of(status: int) -> str:
    if status >= 400:
        return "No details"
    return "Not an answer of the service, but " + ("no JSON object" if status < 300 else "a redirect, which is not followed")


class RateLimitError(ApiError):
    """429 after all attempts. `retry_after` is the number of seconds to wait, if the service said it."""

    def __init__(
        self,
        problem: Mapping[str, Any],
        trace_id: Optional[str],
        attempts: int,
        retry_after: Optional[float],
    ) -> None:
        super().__init__(429, problem, trace_id, attempts)
        self.retry_after = retry_after
