"""Token counts of an answer in the names of our API, whatever the names of the provider."""
from __future__ import annotations

import re
from math import ceil
from typing import Any, Dict, Mapping, Optional

from .json_values import items, mapping


def _word(name: str) -> str:
    """A name without the words that all have: `total_input_tokens`, `inputTokens` and `prompt_tokens` are `input`."""
    words = re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()
    words = re.sub("_(?:tokens?(?:_count)?|requests)(?![a-z])", "", words)
    return re.sub("completion|candidates", "output", re.sub("^total_", "", words).replace("prompt", "input"))


def _count(path: str, value: Any) -> Optional[int]:
    """None if the value counts nothing. Proxies send counts as text. A part of a second is charged as one."""
    if isinstance(value, str):
        return int(value) if re.fullmatch("[0-9]{1,15}", value) else None
    if isinstance(value, float) and 0 <= value < 1e15 and (value.is_integer() or path.endswith("seconds")):
        return ceil(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1e15 else None


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
        label = mapping(item).get("modality") or mapping(item).get("ttl")
        if isinstance(label, str):
            at = re.sub(r"(?:_by_modality|_details)?\.$", "_details.", path) + label.lower()
            item = item.get("tokens", item.get("inputTokens", item.get("tokenCount")))
        else:
            at = path + _word(name)
        if isinstance(item, dict):
            found.update(_counts(item, at + "."))
        elif (count := _count(at, item)) is not None:
            found[at] = count
    # Cohere bills other counts than those that its model read: https://docs.cohere.com/reference/chat
    billed = "billed_units."
    if path == "" and any(at.startswith(billed) for at in found):
        return {at[len(billed) :]: count for at, count in found.items() if at.startswith(billed)}
    return found


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
    "thoughts": "reasoning_tokens",
    "output_details.audio": "audio_output_tokens",
    "output_details.image": "image_output_tokens",
    "cache_creation.ephemeral_1h_input": "cache_write_1h_tokens",
    "cache_details.1h": "cache_write_1h_tokens",
    "search_units": "rerank_searches",
    "server_tool_use.web_search": "web_searches",
    "server_tool_use.code_execution": "code_executions",
    "input_cache_hit": "cached_input_tokens",
    "cached": "cached_input_tokens",
    "cached_content": "cached_input_tokens",
    "cache_details.audio": "cached_audio_input_tokens",
    "seconds": "audio_seconds",
    "input_audio_seconds": "audio_seconds",
    "num_cached": "cached_input_tokens",
    "num_search_queries": "web_searches",
}
# Counts that others contain, and what costs nothing.
_CONTAINED = re.compile(
    "^(?:total|input|output|tool_use(?:_input)?|cache_(?:read|creation|write)_input)$|text$|prediction$|cache_miss$|5m(?:_input)?$"
    "|web_fetch$|cost|time$"
)


def _with_summaries(usage: Mapping[str, Any]) -> Mapping[str, Any]:
    """Adds the tokens of summaries of the context, which are billed and which the other counts of Claude leave out.

    https://platform.claude.com/docs/en/build-with-claude/compaction
    """
    summaries = [one for one in map(mapping, items(usage.get("iterations"))) if one.get("type") == "compaction"]
    if not summaries:
        return usage
    added = dict(usage)
    for name in ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"):
        added[name] = sum(_count(name, one.get(name)) or 0 for one in (usage, *summaries))
    hours = "ephemeral_1h_input_tokens"
    kept = [_count(hours, mapping(one.get("cache_creation")).get(hours)) or 0 for one in (usage, *summaries)]
    added["cache_creation"] = {hours: sum(kept)}
    added["iterations"] = [one for one in items(usage.get("iterations")) if mapping(one).get("type") != "compaction"]
    return added


def priced_members(usage: Mapping[str, Any]) -> Dict[str, Any]:
    """Parts of the counts that have a price of their own, in the names of our API.

    Other counts can set a price too: they are sent by name, and the service knows the most that they can cost.
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
    unread = [
        f"{path}={count}"
        for path, count in counts.items()
        if count > 0 and path not in _MEMBERS and not _CONTAINED.search(path)
    ]
    # Tokens of another model that was asked have the price of that model. Summaries of the context are not in the counts.
    for kind in ("advisor_message", "compaction"):
        of_kind = [_counts(one) for one in map(mapping, items(usage.get("iterations"))) if one.get("type") == kind]
        if of_kind:
            unread.append(f"{kind}_tokens={sum(sum(one.values()) for one in of_kind)}")
    return {**members, "unread_usage": [one[-64:] for one in unread[:10]]} if unread else members


def token_counts(usage: Mapping[str, Any]) -> Dict[str, Any]:
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
        return {name: members[name] for name in ("unread_usage", "rerank_searches", "audio_seconds") if name in members}
    # Gemini counts what its tools read beside the input.
    read += counts.get("tool_use", 0) + counts.get("tool_use_input", 0)
    # xAI and Gemini count reasoning beside the output. The total tells.
    reasoning = members.get("reasoning_tokens", 0)
    if reasoning > output or counts.get("total") == read + output + reasoning:
        output += reasoning
    # Anthropic and Amazon Bedrock count cached tokens beside the input tokens.
    beside = sum(counts.get(f"cache_{use}_input", 0) for use in ("read", "creation", "write"))
    return {**members, "input_tokens": read + beside, "output_tokens": output}
