"""Sends requests: headers, timeouts, retries, and answers as parsed JSON or typed errors."""
from __future__ import annotations

import asyncio
import http.client
import json
import re
import threading
import time
import urllib.error
import urllib.request
import zlib
from email.message import Message
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional
from urllib.parse import urlencode, urlsplit

from .credentials import Credential
from .errors import ApiError, ConfigurationError, ConnectionFailedError, RateLimitError
from .request import Request
from .retry import is_retryable, retry_after, wait_before

LOOPBACK = ("localhost", "127.0.0.1", "::1")
USER_AGENT = "inference-attribution-python/0.1.0"


class Answer(NamedTuple):
    """`headers` ignores the case of names."""

    status: int
    headers: Message
    body: bytes


class _RefuseRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the credential to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_through_proxies = urllib.request.build_opener(_RefuseRedirects)
# A proxy could read a credential that goes to this machine over http.
_direct = urllib.request.build_opener(_RefuseRedirects, urllib.request.ProxyHandler({}))

Send = Callable[[str, str, Dict[str, str], Optional[bytes], float], Answer]
_PART_BYTES = 65_536
# Of zlib: the header of the data says whether it is gzip.
_ANY_HEADER = zlib.MAX_WBITS | 32


def _read(response: Any, deadline: float) -> bytes:
    """The whole body. The timeout of the socket ends a wait for one part only, and parts can arrive in drips."""
    expected: Optional[int] = response.length
    parts: List[bytes] = []
    size = 0
    while expected is None or size < expected:
        part = response.read1(_PART_BYTES)
        if not part:
            break
        parts.append(part)
        size += len(part)
        if time.monotonic() > deadline:
            raise TimeoutError("The answer did not end in time")
    body = b"".join(parts)
    if expected is not None and size < expected:
        raise http.client.IncompleteRead(body, expected - size)
    # Not asked for, but proxies do it.
    if response.headers.get("Content-Encoding", "").lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    try:
        return zlib.decompressobj(_ANY_HEADER).decompress(body)
    except zlib.error as error:
        raise http.client.HTTPException("The answer is not compressed as it says") from error


def send_once(method: str, url: str, headers: Dict[str, str], body: Optional[bytes], timeout: float) -> Answer:
    """One HTTP request. Raises OSError or http.client.HTTPException when there is no complete answer."""
    deadline = time.monotonic() + timeout
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    opener = _through_proxies if request.type == "https" else _direct
    try:
        with opener.open(request, timeout=timeout) as response:
            return Answer(response.status, response.headers, _read(response, deadline))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, _read(error.fp, deadline))


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _object_in(body: bytes) -> Optional[Dict[str, Any]]:
    """A JSON object, as every answer of the service with a body is. NaN is not JSON, and no figure."""
    try:
        value = json.loads(body, parse_constant=_refuse)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def checked_base_url(text: str) -> str:
    """The base URL without a slash at its end. Raises ConfigurationError if the credential would be readable on the way."""
    try:
        url = urlsplit(text)
        is_confidential = url.scheme == "https" or (url.scheme == "http" and url.hostname in LOOPBACK)
        is_base = bool(url.hostname) and not (url.username or url.query or url.fragment)
    except (AttributeError, TypeError, ValueError):
        is_confidential = is_base = False
    if is_confidential and is_base:
        return text.rstrip("/")
    # Not the password of a user.
    shown = re.sub(r"/.*@", "/…@", str(text))
    raise ConfigurationError(
        f"The base URL must be https, or http to this machine, without a user, query or fragment: {shown}"
    )


class Transport:
    def __init__(
        self,
        base_url: str,
        credential: Optional[Credential],
        timeout: float,
        retries: int,
        longest_wait: float,
        send: Send = send_once,
    ) -> None:
        self.base_url = checked_base_url(base_url)
        self.credential = credential
        self._timeout = timeout
        self._retries = retries
        self._longest_wait = longest_wait
        self._send = send

    def send(self, request: Request, stop: Optional[threading.Event] = None) -> Any:
        """The parsed answer, or None without a body. Raises an AttributionError. `stop` ends the waiting and the retries."""
        headers = {"Accept": "application/json", "User-Agent": USER_AGENT}
        body: Optional[bytes] = None
        if request.body is not None:
            encoded = isinstance(request.body, bytes)
            body = request.body if encoded else json.dumps(request.body, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        if request.idempotency_key is not None:
            headers["Idempotency-Key"] = request.idempotency_key
        credential = None if request.is_public else self.credential
        return self._attempt(
            request.method, request.target(), headers, body, request.timeout, credential, request.retries, stop
        )

    def request_token(self, form: Dict[str, str], basic: str) -> Dict[str, object]:
        """Requests an access token. A repeated request only issues another token."""
        headers = {
            "Accept": "application/json",
            "Authorization": basic,
            "Content-Type": "application/x-www-form-urlencoded",
            "User-Agent": USER_AGENT,
        }
        answer = self._attempt("POST", "/v1/oauth/token", headers, urlencode(form).encode(), None, None)
        return answer if isinstance(answer, dict) else {}

    def _attempt(
        self,
        method: str,
        target: str,
        headers: Dict[str, str],
        body: Optional[bytes],
        timeout: Optional[float],
        credential: Optional[Credential],
        own_retries: Optional[int] = None,
        stop: Optional[threading.Event] = None,
    ) -> Any:
        stop = threading.Event() if stop is None else stop
        retries = self._retries if own_retries is None else own_retries
        attempt = 0
        was_renewed = False
        while True:
            own = {} if credential is None else credential.headers()
            attempt += 1
            try:
                url = self.base_url + target
                answer = self._send(method, url, {**headers, **own}, body, timeout or self._timeout)
            except (OSError, http.client.HTTPException) as error:
                if attempt > retries:
                    raise ConnectionFailedError(f"No answer from {self.base_url}: {error}", attempt) from error
                self._wait(wait_before(attempt, None), stop, attempt)
                continue
            parsed = _object_in(answer.body)
            # Only a change can be answered without a body.
            is_done = answer.status == 204 and method != "GET"
            if is_done or (200 <= answer.status < 300 and parsed is not None):
                return parsed
            if answer.status == 401 and credential is not None and not was_renewed:
                was_renewed = True
                if credential.renew(own):
                    attempt -= 1
                    continue
            problem = parsed or {}
            asked = retry_after(answer.headers)
            is_too_long = asked is not None and asked > self._longest_wait
            if attempt > retries or is_too_long or not is_retryable(answer.status, problem):
                raise _error(answer, problem, asked, attempt)
            self._wait(wait_before(attempt, asked), stop, attempt)

    def _wait(self, seconds: float, stop: threading.Event, attempts: int) -> None:
        if stop.wait(seconds):
            raise ConnectionFailedError("The call was stopped", attempts)


def _error(answer: Answer, problem: Mapping[str, Any], asked: Optional[float], attempts: int) -> ApiError:
    trace_id = problem.get("trace_id") or answer.headers.get("X-Trace-Id")
    if answer.status == 429:
        return RateLimitError(problem, trace_id, attempts, asked)
    return ApiError(answer.status, problem, trace_id, attempts)


class AsyncTransport:
    """Runs the same transport in a thread of the event loop's executor."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def send(self, request: Request) -> Any:
        stop = threading.Event()
        try:
            return await asyncio.to_thread(self.transport.send, request, stop)
        finally:
            # A task that is cancelled leaves its thread behind.
            stop.set()
