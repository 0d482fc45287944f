"""What an answer states of its cost besides token counts: what was charged, and tools that have a fee."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping

from .json_values import mapping


def charge(usage: Mapping[str, Any]) -> Dict[str, Any]:
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


# Tools of OpenAI and xAI that have a fee. The usage of an answer does not count them.
_TOOLS = {
    "web_search_call": "web_searches",
    "x_search_call": "web_searches",
    "file_search_call": "file_searches",
    "code_interpreter_call": "code_executions",
    # Its tokens are of an image model, which the answer does not name.
    "image_generation_call": "unread_usage",
}


def tool_fees(output: List[Any]) -> Dict[str, Any]:
    """Uses of tools with a fee, in the names of our API, by the items of an answer."""
    members: Dict[str, Any] = {}
    for item in map(mapping, output):
        member = _TOOLS.get(str(item.get("type")))
        # Reading a page that a search found has no fee.
        action = mapping(item.get("action")).get("type", "search")
        if member is None or item.get("status") == "failed" or action != "search":
            continue
        members[member] = members.get(member, 0) + 1
    images = members.get("unread_usage")
    return {**members, "unread_usage": [f"image_generation_call={images}"]} if images else members
