"""Reads the usage of a call from the response of a provider, JSON or a stream.

OpenAI's and Anthropic's shapes, Gemini's interactions, Converse of Amazon Bedrock, and Cohere's.

Only token counts, the model, the id and the service tier are taken. Content is never kept.
"""
from __future__ import annotations

import json
import re
import zlib
from typing import Any, Dict, List, Optional

from .fees import charge, tool_fees
from .json_values import items, mapping
from .token_counts import token_counts

# A response without a stream is parsed whole. Above this size its usage is unknown.
_BODY_BYTES_MAXIMUM = 16 * 1024 * 1024
# What has the usage of an answer in the events of a stream.
_PARTS = ("message", "response", "delta", "interaction", "x_groq")
# One line of a stream. A longer one is skipped: lines with usage are short, except at the end of OpenAI's Responses.
_LINE_BYTES_MAXIMUM = 4 * 1024 * 1024


class UsageReader:
    """Takes the bytes of one response as they arrive. `response_id` is the id that the provider gave it."""

    def __init__(self, content_type: str, content_encoding: str) -> None:
        self._is_stream = bool(re.search("event-?stream", content_type))
        self._is_json = "json" in content_type
        encoding = content_encoding.strip().lower()
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32) if encoding in ("gzip", "deflate") else None
        # Other encodings would need a package.
        self._is_readable = encoding in ("", "identity", "gzip", "deflate")
        self._buffer = b""
        self._usage: Dict[str, Any] = {}
        self._model: Optional[str] = None
        self._tier: Optional[str] = None
        self._area: Optional[str] = None
        self._used_tools: Dict[str, Any] = {}
        self._is_open = False
        self.response_id: Optional[str] = None

    def feed(self, data: bytes) -> None:
        """Never raises."""
        try:
            if not self._is_readable or not (self._is_stream or self._is_json):
                return
            self._buffer += data if self._inflate is None else self._inflate.decompress(data)
            if self._is_stream:
                self._take_lines()
            elif len(self._buffer) > _BODY_BYTES_MAXIMUM:
                self._stop()
        except Exception:
            self._stop()

    def finish(self) -> Dict[str, Any]:
        """Members of an event: counts, `served_model`, `service_tier`. Empty when the response named no usage."""
        try:
            if self._is_readable and self._is_stream:
                self._buffer += b"\n"
                self._take_lines()
            elif self._is_json and self._is_readable and self._buffer:
                self._take(json.loads(self._buffer))
        except Exception:
            pass
        self._stop()
        if not self._usage:
            return {}
        members = {**token_counts(self._usage), **charge(self._usage)}
        unread = [*members.get("unread_usage", []), *self._used_tools.get("unread_usage", [])]
        if self._is_open:
            # Claude states what it generated at the end.
            unread.append("output_tokens_after_last_line")
        members.update(self._used_tools)
        if unread:
            members["unread_usage"] = unread[:10]
        if self._model is not None:
            members["served_model"] = self._model
        if self._tier is not None:
            members["service_tier"] = self._tier
        if self._area is not None:
            members["region"] = self._area
        return members

    def _stop(self) -> None:
        self._is_readable = False
        self._buffer = b""

    def _take_lines(self) -> None:
        lines: List[bytes] = re.split(b"[\n\0]", self._buffer)
        self._buffer = lines.pop()
        if len(self._buffer) > _LINE_BYTES_MAXIMUM:
            self._buffer = b""
        for line in lines:
            # Most lines hold content: they are not parsed.
            has_usage = b'"usage' in line or b'"billed_units"' in line
            # A frame of Amazon Bedrock has its JSON between binary headers.
            data = re.search(rb"\{.*\}", line) if has_usage or b'"model"' in line and self._model is None else None
            if data is not None:
                self._take(json.loads(data.group()))

    def _take(self, value: Any) -> None:
        found = mapping(value)
        # Anthropic's message_start has a `message`, OpenAI's response.completed a `response`, Cohere's message-end a `delta`, and
        # the last event of Gemini's interactions an `interaction`.
        for part in (found, *(mapping(found.get(name)) for name in _PARTS)):
            usage = part.get("usage") or part.get("usageMetadata") or part.get("meta")
            if isinstance(usage, dict):
                # Counts grow. Servers that imitate Claude end with an input of 0.
                grown = {
                    key: count
                    for key, count in usage.items()
                    if count is not None and (count != 0 or not self._usage.get(key))
                }
                self._usage.update(grown)
                if grown:
                    self._is_open = self._is_stream and found.get("type") == "message_start"
                tier = "fast" if usage.get("speed") == "fast" else usage.get("service_tier") or part.get("service_tier")
                if usage.get("inference_geo") in ("us", "eu", "global"):
                    self._area = usage["inference_geo"]
                self._tier = tier if isinstance(tier, str) else self._tier
            given = part.get("id") or part.get("responseId")
            if isinstance(given, str) and self.response_id is None:
                self.response_id = given
            answered = part.get("model") or part.get("modelVersion")
            if isinstance(answered, str):
                self._model = answered
            # A stream begins with the model that was asked, and another one can answer.
            for one in map(mapping, items(mapping(usage).get("iterations"))):
                if one.get("type") == "fallback_message" and isinstance(one.get("model"), str):
                    self._model = one["model"]
            if isinstance(part.get("output"), list):
                self._used_tools = tool_fees(part["output"])
