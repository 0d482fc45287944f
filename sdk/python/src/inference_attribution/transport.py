"""Sends requests: headers, timeouts, retries, and answers as parsed JSON or typed errors."""
from __future__ import annotations

import asyncio
import http.client
import json
import time
import urllib.error
import urllib.request
from email.message import Message
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional
from urllib.parse import urlencode, urlsplit

from .credentials import Credential
from .errors import ApiError, ConnectionFailedError, RateLimitError
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


_opener = urllib.request.build_opener(_RefuseRedirects)

Send = Callable[[str, str, Dict[str, str], Optional[bytes], float], Answer]


def send_once(method: str, url: str, headers: Dict[str, str], body: Optional[bytes], timeout: float) -> Answer:
    """One HTTP request. Raises OSError or http.client.HTTPException when there is no complete answer."""
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        with _opener.open(request, timeout=timeout) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers, error.read())


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def checked_base_url(text: str) -> str:
    """The base URL without a slash at its end. Raises ValueError if the credential would be readable on the way."""
    url = urlsplit(text)
    if url.scheme != "https" and not (url.scheme == "http" and url.hostname in LOOPBACK):
        raise ValueError(f"The base URL must use https: {text}. http is only for this machine.")
    return text.rstrip("/")


class Transport:
    def __init__(
        self,
        base_url: str,
        credential: Optional[Credential],
        timeout: float,
        retries: int,
        longest_wait: float,
        send: Send = send_once,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.base_url = checked_base_url(base_url)
        self.credential = credential
        self._timeout = timeout
        self._retries = retries
        self._longest_wait = longest_wait
        self._send = send
        self._sleep = sleep

    def send(self, request: Request) -> Any:
        """The parsed answer, or None without a body. Raises an AttributionError."""
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
            request.method, request.target(), headers, body, request.timeout, credential, request.retries
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
    ) -> Any:
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
                self._sleep(wait_before(attempt, None))
                continue
            if 200 <= answer.status < 300:
                return _parse(answer.body) if answer.body else None
            if answer.status == 401 and credential is not None and not was_renewed:
                was_renewed = True
                if credential.renew(own):
                    attempt -= 1
                    continue
            parsed = _parse(answer.body)
            problem = parsed if isinstance(parsed, dict) else {}
            asked = retry_after(answer.headers.get("Retry-After"))
            is_too_long = asked is not None and asked > self._longest_wait
            if attempt > retries or is_too_long or not is_retryable(answer.status, problem):
                raise _error(answer, problem, asked, attempt)
            self._sleep(wait_before(attempt, asked))


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
        return await asyncio.to_thread(self.transport.send, request)
