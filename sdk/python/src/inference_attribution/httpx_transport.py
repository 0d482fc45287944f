"""An httpx transport that records the calls of the `openai` and `anthropic` packages.

    from openai import OpenAI
    client = OpenAI(http_client=httpx.Client(transport=TrackedTransport(tracker)))

The response is handed on at once and unchanged. Needs httpx, which those packages bring.
"""
from __future__ import annotations

import json
import logging
import re
import time
from typing import Any, AsyncIterator, Dict, Iterator, Mapping, Optional, Set

import httpx

from .event_id import event_id_of
from .json_values import mapping
from .tracker import Tracker
from .usage import UsageReader

_log = logging.getLogger("inference_attribution")

# Requests above this size (files, images) are not parsed for the model that was asked for.
_REQUEST_BYTES_MAXIMUM = 16 * 1024 * 1024


# Who charges for the calls to a host. Any other host may be a gateway, which does not say whom it asks.
_PROVIDERS = {
    "anthropic": re.compile(r"(^|\.)anthropic\.com\Z"),
    "openai": re.compile(r"(^|\.)openai\.com\Z"),
    "azure": re.compile(r"\.(openai|cognitiveservices|services\.ai)\.azure\.com\Z"),
    "aws": re.compile(r"\Abedrock-runtime.*\.amazonaws\.com\Z"),
    "google": re.compile(r"\Agenerativelanguage\.googleapis\.com\Z"),
    "cohere": re.compile(r"(^|\.)cohere\.(com|ai)\Z"),
    "openrouter": re.compile(r"(^|\.)openrouter\.ai\Z"),
    "perplexity": re.compile(r"(^|\.)perplexity\.ai\Z"),
    "x-ai": re.compile(r"(^|\.)x\.ai\Z"),
}


# Azure, Amazon Bedrock and Gemini take the model from the path, so the body of a request may have none.
_MODEL_IN_PATH = re.compile(r"/(?:deployments/([^/]+)/|model/(.+)/converse|models/([^/]+):\w*[gG]enerateContent)")
_MODEL_IN_FORM = re.compile(rb'name="model"\r\n\r\n(.{1,256}?)\r\n')
# They name a model and call none.
_NO_CALL = re.compile(r"(?:count_?tokens|input_tokens|moderations|jobs|sessions|client_secrets)\Z", re.IGNORECASE)


def _provider(host: str) -> Optional[str]:
    return next((name for name, hosts in _PROVIDERS.items() if hosts.search(host)), None)


def _body(request: httpx.Request) -> Optional[Mapping[str, Any]]:
    """The members of a body that can be of an inference call. A form has a file, such as one to transcribe."""
    kind = request.headers.get("content-type", "")
    if kind.startswith("multipart/form-data"):
        fields = getattr(request.stream, "fields", None)
        if fields is None:
            # It was read to its end. Its form is then its content.
            found = _MODEL_IN_FORM.search(request.content)
            return {"model": found and found.group(1).decode()}
        return {"model": next((one.value for one in fields if getattr(one, "name", None) == "model"), None)}
    if "json" not in kind:
        return None
    try:
        content = request.content
    except httpx.RequestNotRead:
        return None
    return mapping(json.loads(content)) if len(content) <= _REQUEST_BYTES_MAXIMUM else None


def _requested(request: httpx.Request) -> Optional[Dict[str, Any]]:
    """None for a request that is no inference call, such as a list of models."""
    path = request.url.path
    if request.method != "POST" or _NO_CALL.search(path):
        return None
    body = _body(request)
    if body is None:
        return None
    named = _MODEL_IN_PATH.search(path)
    model = body.get("model") or (named and next(filter(None, named.groups())))
    if not isinstance(model, str):
        return None
    # Speech states no counts. It is charged all the same.
    is_speech = path.endswith("/speech") and isinstance(body.get("input"), str)
    return {"requested_model": model, **({"characters": len(body["input"])} if is_speech else {})}


class _Call:
    """One inference call: what is known before the response, and the reader of the response."""

    def __init__(self, tracker: Tracker, known: Mapping[str, Any], response: httpx.Response, started: float) -> None:
        headers = response.headers
        self._tracker = tracker
        self._known = known
        self._started = started
        self._is_error = response.status_code >= 400
        self._reader = UsageReader(headers.get("content-type", ""), headers.get("content-encoding", ""))
        self._is_stream = bool(re.search("event-?stream", headers.get("content-type", "")))
        self._is_done = False
        self.is_complete = False

    def feed(self, data: bytes) -> None:
        self._reader.feed(data)

    def finish(self) -> None:
        if self._is_done:
            return
        self._is_done = True
        usage = self._reader.finish()
        # A failed call without usage cost nothing. A stream that was aborted has a cost that nobody told us.
        if self._is_error and not usage:
            return
        observed: Dict[str, Any] = {"latency_ms": round((time.monotonic() - self._started) * 1_000)}
        if self._is_error:
            observed["status"] = "error"
        elif not self.is_complete or self._is_stream and not usage:
            observed["status"] = "incomplete"
        event_id = event_id_of(self._reader.response_id)
        self._tracker.record(lambda: {"event_id": event_id, **observed, **usage, **self._known})


class _TrackedStream(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, call: _Call) -> None:
        self._stream = stream
        self._call = call

    def __iter__(self) -> Iterator[bytes]:
        for data in self._stream:
            self._call.feed(data)
            yield data
        self._call.is_complete = True

    def close(self) -> None:
        self._call.finish()
        self._stream.close()


class _AsyncTrackedStream(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, call: _Call) -> None:
        self._stream = stream
        self._call = call

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for data in self._stream:
            self._call.feed(data)
            yield data
        self._call.is_complete = True

    async def aclose(self) -> None:
        self._call.finish()
        await self._stream.aclose()


class _Observer:
    def __init__(self, tracker: Tracker, event: Optional[Mapping[str, Any]]) -> None:
        self._tracker = tracker
        self._event = dict(event or {})
        self._unknown: Set[str] = set()

    def _ask(self, host: str) -> str:
        """Without a provider that the service knows, a call has no price. It is said once for each host."""
        if "provider" not in self._event and host not in self._unknown:
            _log.warning(
                "Who charges for calls to %s? Without it they have no cost. Pass event={'provider': ...}.", host
            )
        self._unknown.add(host)
        return host

    def call_of(self, request: httpx.Request, response: httpx.Response, started: float) -> Optional[_Call]:
        """Never raises: a fault of the observer must not reach the caller."""
        try:
            requested = _requested(request)
            if requested is None:
                return None
            host = request.url.host
            provider = _provider(host) or self._ask(host)
            known: Dict[str, Any] = {"provider": provider, **requested, **self._event}
            return _Call(self._tracker, known, response, started)
        except Exception:
            return None


class TrackedTransport(httpx.BaseTransport):
    """`event` has members that every event gets, such as `attributed_service` and `tags`."""

    def __init__(
        self,
        tracker: Tracker,
        transport: Optional[httpx.BaseTransport] = None,
        event: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._observer = _Observer(tracker, event)
        self._transport = transport or httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        started = time.monotonic()
        response = self._transport.handle_request(request)
        call = self._observer.call_of(request, response, started)
        if call is not None and isinstance(response.stream, httpx.SyncByteStream):
            response.stream = _TrackedStream(response.stream, call)
        return response

    def close(self) -> None:
        self._transport.close()


class AsyncTrackedTransport(httpx.AsyncBaseTransport):
    """The same for `httpx.AsyncClient`."""

    def __init__(
        self,
        tracker: Tracker,
        transport: Optional[httpx.AsyncBaseTransport] = None,
        event: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._observer = _Observer(tracker, event)
        self._transport = transport or httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        started = time.monotonic()
        response = await self._transport.handle_async_request(request)
        call = self._observer.call_of(request, response, started)
        if call is not None and isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = _AsyncTrackedStream(response.stream, call)
        return response

    async def aclose(self) -> None:
        await self._transport.aclose()
