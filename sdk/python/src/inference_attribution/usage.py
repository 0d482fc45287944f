"""Reads the usage of a call from the response of a provider, JSON or a stream.

OpenAI's and Anthropic's shapes, Gemini's interactions, Converse of Amazon Bedrock, and Cohere's.

Only token counts, the model, the id and the service tier are taken. Content is never kept.
"""
from __future__ import annotations

import json
import re
import zlib
from typing import Any, Dict, List, Mapping, Optional

# A response without a stream is parsed whole. Above this size its usage is unknown.
_BODY_BYTES_MAXIMUM = 16 * 1024 * 1024
# One line of a stream. A longer one is skipped: lines with usage are short, except at the end of OpenAI's Responses.
_LINE_BYTES_MAXIMUM = 4 * 1024 * 1024


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _word(name: str) -> str:
    """A name without the words that all have: `total_input_tokens`, `inputTokens` and `prompt_tokens` are `input`."""
    words = re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()
    words = re.sub("_(?:tokens?(?:_count)?|requests)(?![a-z])", "", words)
    return re.sub("^total_", "", words).replace("prompt", "input").replace("completion", "output")


def _counts(value: Mapping[str, Any], path: str = "") -> Dict[str, int]:
    """Counts by their path: `input_details.cached`.

    Lists name what each item counts: `input_tokens_by_modality` of Gemini, `cacheDetails` of Amazon Bedrock.
    """
    found: Dict[str, int] = {}
    for name, item in value.items():
        if name == "iterations":
            continue
        if isinstance(item, list):
            item = {str(index): one for index, one in enumerate(item)}
        label = _mapping(item).get("modality") or _mapping(item).get("ttl")
        if isinstance(label, str):
            at = re.sub(r"(?:_by_modality|_details)?\.$", "_details.", path) + label.lower()
            item = item.get("tokens", item.get("inputTokens"))
        else:
            at = path + _word(name)
        if isinstance(item, dict):
            found.update(_counts(item, at + "."))
        elif isinstance(item, int) and not isinstance(item, bool) and item >= 0:
            found[at] = item
    # Cohere bills other counts than those that its model read: https://docs.cohere.com/reference/chat
    billed = "billed_units."
    if path == "" and any(at.startswith(billed) for at in found):
        return {at[len(billed) :]: count for at, count in found.items() if at.startswith(billed)}
    return found


def _charge(usage: Mapping[str, Any]) -> Dict[str, Any]:
    """What was charged, in USD.

    By OpenRouter, unless the caller has a key of the provider (https://openrouter.ai/docs/use-cases/usage-accounting), by
    Perplexity, and by xAI in units of 1e-10 (https://docs.x.ai/developers/cost-tracking).
    """
    ticks, cost = usage.get("cost_in_usd_ticks"), usage.get("cost")
    amount = cost.get("total_cost") if isinstance(cost, dict) else cost
    if isinstance(ticks, int) and ticks > 0:
        usd = re.sub("(.{10})$", r".\1", str(ticks).rjust(11, "0"))
    elif isinstance(amount, (int, float)) and not isinstance(amount, bool) and amount > 0 and usage.get("is_byok") is not True:
        usd = f"{amount:.12f}"
    else:
        return {}
    return {"estimated_cost_usd": usd, "cost_source": "provider"}


# Members of an event, by the paths of what they count.
_MEMBERS = {
    "input_details.cached": "cached_input_tokens",
    "input_details.audio": "audio_input_tokens",
    "input_details.image": "image_input_tokens",
    "input_details.cache_creation": "cache_write_tokens",
    "input_details.cache_write": "cache_write_tokens",
    "output_details.reasoning": "reasoning_tokens",
    "output_details.thinking": "reasoning_tokens",
    "reasoning": "reasoning_tokens",
    "thought": "reasoning_tokens",
    "output_details.audio": "audio_output_tokens",
    "output_details.image": "image_output_tokens",
    "cache_creation.ephemeral_1h_input": "cache_write_1h_tokens",
    "cache_details.1h": "cache_write_1h_tokens",
    "search_units": "rerank_searches",
    "server_tool_use.web_search": "web_searches",
    "server_tool_use.code_execution": "code_executions",
    "input_cache_hit": "cached_input_tokens",
    "cached": "cached_input_tokens",
    "num_cached": "cached_input_tokens",
    "num_search_queries": "web_searches",
}
# Counts that others contain, and what costs nothing.
_CONTAINED = re.compile(
    "^(?:total|input|output|tool_use|cache_(?:read|creation|write)_input)$|text$|prediction$|cache_miss$|5m(?:_input)?$|web_fetch$|cost"
)


def _list(value: Any) -> List[Any]:
    return value if isinstance(value, list) else []


def _with_summaries(usage: Mapping[str, Any]) -> Mapping[str, Any]:
    """Adds the tokens of summaries of the context, which are billed and which the other counts of Claude leave out.

    https://platform.claude.com/docs/en/build-with-claude/compaction
    """
    summaries = [one for one in map(_mapping, _list(usage.get("iterations"))) if one.get("type") == "compaction"]
    if not summaries:
        return usage
    added = dict(usage)
    for name in ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"):
        added[name] = sum(one.get(name) or 0 for one in (usage, *summaries))
    hours = "ephemeral_1h_input_tokens"
    kept = [_mapping(one.get("cache_creation")).get(hours) or 0 for one in (usage, *summaries)]
    added["cache_creation"] = {hours: sum(kept)}
    added["iterations"] = [one for one in _list(usage.get("iterations")) if _mapping(one).get("type") != "compaction"]
    return added


def priced_members(usage: Mapping[str, Any]) -> Dict[str, Any]:
    """Parts of the counts that have a price of their own, in the names of our API.

    Other counts can set a price too: their names are sent, so that the cost is a range.
    """
    counts = _counts(usage)
    members: Dict[str, Any] = {member: counts[path] for path, member in _MEMBERS.items() if path in counts}
    for path, member in (
        ("cache_read_input", "cached_input_tokens"),
        ("cache_creation_input", "cache_write_tokens"),
        ("cache_write_input", "cache_write_tokens"),
    ):
        if path in counts:
            members[member] = counts[path]
    unread = [path for path, count in counts.items() if count > 0 and path not in _MEMBERS and not _CONTAINED.search(path)]
    # Tokens of another model that was asked have the price of that model. Summaries of the context are not in the counts.
    types = [_mapping(one).get("type") for one in _list(usage.get("iterations"))]
    unread += [kind for kind in ("advisor_message", "compaction") if kind in types]
    return {**members, "unread_usage": unread[:10]} if unread else members


def _tokens(usage: Mapping[str, Any]) -> Dict[str, Any]:
    """The counts in the names of our API, where input contains cached tokens and output contains reasoning.

    Counts that are not named so are unknown, and not 0.
    """
    usage = _with_summaries(usage)
    members = priced_members(usage)
    counts = _counts(usage)
    output = counts.get("output", 0)
    read = counts.get("input")
    if read is None and "output" not in counts and "unread_usage" not in members:
        # Voyage and Jina state nothing but the total of an embedding, which generates none.
        read = counts.get("total")
    if read is None:
        return {name: members[name] for name in ("unread_usage", "rerank_searches") if name in members}
    # Gemini counts what its tools read beside the input.
    read += counts.get("tool_use", 0)
    # xAI and Gemini count reasoning beside the output. The total tells.
    reasoning = members.get("reasoning_tokens", 0)
    if reasoning > output or counts.get("total") == read + output + reasoning:
        output += reasoning
    # Anthropic and Amazon Bedrock count cached tokens beside the input tokens.
    beside = sum(counts.get(f"cache_{use}_input", 0) for use in ("read", "creation", "write"))
    return {**members, "input_tokens": read + beside, "output_tokens": output}


# Tools of OpenAI and xAI that have a fee, by the items of an answer. Its usage does not count them.
_TOOLS = {
    "web_search_call": "web_searches",
    "x_search_call": "web_searches",
    "file_search_call": "file_searches",
    "code_interpreter_call": "code_executions",
    # Its tokens are of an image model, which the answer does not name.
    "image_generation_call": "unread_usage",
}


def _tools(output: List[Any]) -> Dict[str, Any]:
    members: Dict[str, Any] = {}
    for item in map(_mapping, output):
        member = _TOOLS.get(str(item.get("type")))
        # Reading a page that a search found has no fee.
        action = _mapping(item.get("action")).get("type", "search")
        if member is None or item.get("status") == "failed" or action != "search":
            continue
        members[member] = [item["type"]] if member == "unread_usage" else members.get(member, 0) + 1
    return members


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
        self._area: Optional[str] = None
        self._used_tools: Dict[str, Any] = {}
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
        members = {**_tokens(self._usage), **_charge(self._usage)}
        unread = [*members.get("unread_usage", []), *self._used_tools.get("unread_usage", [])]
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
        lines: List[bytes] = self._buffer.split(b"\n")
        self._buffer = lines.pop()
        if len(self._buffer) > _LINE_BYTES_MAXIMUM:
            self._buffer = b""
        for line in lines:
            # Most lines hold content: they are not parsed.
            has_usage = b'"usage"' in line or b'"billed_units"' in line
            if line.startswith(b"data:") and (has_usage or b'"model"' in line and self._model is None):
                data = line[5:].strip()
                if data != b"[DONE]":
                    self._take(json.loads(data))

    def _take(self, value: Any) -> None:
        found = _mapping(value)
        # Anthropic's message_start has a `message`, OpenAI's response.completed a `response`, Cohere's message-end a `delta`, and
        # the last event of Gemini's interactions an `interaction`.
        for part in (found, *(_mapping(found.get(name)) for name in ("message", "response", "delta", "interaction"))):
            usage = part.get("usage") or part.get("meta")
            if isinstance(usage, dict):
                self._usage.update({key: count for key, count in usage.items() if count is not None})
                tier = "fast" if usage.get("speed") == "fast" else usage.get("service_tier") or part.get("service_tier")
                if usage.get("inference_geo") in ("us", "eu", "global"):
                    self._area = usage["inference_geo"]
                self._tier = tier if isinstance(tier, str) else self._tier
            if isinstance(part.get("id"), str):
                self.response_id = part["id"]
            if isinstance(part.get("model"), str):
                self._model = part["model"]
            # A stream begins with the model that was asked, and another one can answer.
            for one in map(_mapping, _list(_mapping(usage).get("iterations"))):
                if one.get("type") == "fallback_message" and isinstance(one.get("model"), str):
                    self._model = one["model"]
            if isinstance(part.get("output"), list):
                self._used_tools = _tools(part["output"])
