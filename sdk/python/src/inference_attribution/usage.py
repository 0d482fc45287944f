"""Reads the usage of a call from the response of a provider: OpenAI's and Anthropic's shapes, JSON or a stream.

Only token counts, the model, the id and the service tier are taken. Content is never kept.
"""
from __future__ import annotations

import json
import zlib
from typing import Any, Dict, List, Mapping, Optional

# A response without a stream is parsed whole. Above this size its usage is unknown.
_BODY_BYTES_MAXIMUM = 16 * 1024 * 1024
# One line of a stream. A longer one is skipped: lines with usage are short, except at the end of OpenAI's Responses.
_LINE_BYTES_MAXIMUM = 4 * 1024 * 1024


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _tokens(usage: Mapping[str, Any]) -> Dict[str, int]:
    """The counts in the names of our API, where input contains cached tokens and output contains reasoning."""
    if "prompt_tokens" in usage:
        read = _count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
        reasoning = _count(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens"))
        counts = {"input_tokens": _count(usage["prompt_tokens"]), "output_tokens": _count(usage.get("completion_tokens"))}
        return {**counts, "cached_input_tokens": read, "reasoning_tokens": reasoning}
    if "cache_read_input_tokens" in usage or "cache_creation_input_tokens" in usage:
        # Anthropic counts cached tokens beside the input tokens.
        read, written = _count(usage.get("cache_read_input_tokens")), _count(usage.get("cache_creation_input_tokens"))
        return {
            "input_tokens": _count(usage.get("input_tokens")) + read + written,
            "cached_input_tokens": read,
            "cache_write_tokens": written,
            "output_tokens": _count(usage.get("output_tokens")),
        }
    read = _count(_mapping(usage.get("input_tokens_details")).get("cached_tokens"))
    reasoning = _count(_mapping(usage.get("output_tokens_details")).get("reasoning_tokens"))
    counts = {"input_tokens": _count(usage.get("input_tokens")), "output_tokens": _count(usage.get("output_tokens"))}
    return {**counts, "cached_input_tokens": read, "reasoning_tokens": reasoning}


class UsageReader:
    """Takes the bytes of one response as they arrive. `response_id` is the id that the provider gave it."""

    def __init__(self, content_type: str, content_encoding: str) -> None:
        self._is_stream = "text/event-stream" in content_type
        self._is_json = "json" in content_type
        encoding = content_encoding.strip().lower()
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32) if encoding in ("gzip", "deflate") else None
        # Other encodings would need a package.
        self._is_readable = encoding in ("", "identity", "gzip", "deflate")
        self._buffer = b""
        self._usage: Dict[str, Any] = {}
        self._model: Optional[str] = None
        self._tier: Optional[str] = None
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
            if self._is_json and self._is_readable and self._buffer:
                self._take(json.loads(self._buffer))
        except Exception:
            pass
        self._stop()
        if not self._usage:
            return {}
        members: Dict[str, Any] = {key: count for key, count in _tokens(self._usage).items()}
        if self._model is not None:
            members["served_model"] = self._model
        if self._tier is not None:
            members["service_tier"] = self._tier
        return members

    def _stop(self) -> None:
        self._is_readable = False
        self._buffer = b""

    def _take_lines(self) -> None:
        lines: List[bytes] = self._buffer.split(b"\n")
        self._buffer = lines.pop()
        if len(self._buffer) > _LINE_BYTES_MAXIMUM:
            self._buffer = b""
        for line in lines:
            # Most lines hold content: they are not parsed.
            if line.startswith(b"data:") and (b'"usage"' in line or b'"model"' in line and self._model is None):
                data = line[5:].strip()
                if data != b"[DONE]":
                    self._take(json.loads(data))

    def _take(self, value: Any) -> None:
        found = _mapping(value)
        # Anthropic's message_start has a `message`, OpenAI's response.completed has a `response`.
        for part in (found, _mapping(found.get("message")), _mapping(found.get("response"))):
            usage = part.get("usage")
            if isinstance(usage, dict):
                self._usage.update({key: count for key, count in usage.items() if count is not None})
                tier = usage.get("service_tier") or part.get("service_tier")
                self._tier = tier if isinstance(tier, str) else self._tier
            if isinstance(part.get("id"), str):
                self.response_id = part["id"]
            if isinstance(part.get("model"), str):
                self._model = part["model"]
