"""A LiteLLM callback: `litellm.callbacks = [attribution_logger(tracker)]`."""
from __future__ import annotations

import re
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Dict, Mapping, Optional

from .event_id import event_id_of
from .tracker import Tracker
from .json_values import mapping
from .token_counts import priced_members

# Call types of LiteLLM that use a model, without the `a` of its asynchronous functions. It logs whatever it routes: reading,
# listing and deleting stored responses, tools, files and searches too.
_OPERATIONS = {
    "completion": "chat",
    "responses": "chat",
    "anthropic_messages": "chat",
    "generate_content": "generate_content",
    "generate_content_stream": "generate_content",
    "text_completion": "text_completion",
    "embedding": "embeddings",
    **{
        name: name
        for name in (
            "image_generation",
            "image_edit",
            "image_variation",
            "speech",
            "transcription",
            "moderation",
            "rerank",
            "ocr",
            "create_video",
        )
    },
}

# Requests that are passed on as they are, and polls of batches: only some of them use a model, those with token counts.
_SOMETIMES = re.compile("^(?:pass_through_endpoint|a?llm_passthrough_route|a?(?:create|retrieve)_batch)$")
_BATCH = re.compile("batch$")


def is_model_call(payload: Mapping[str, Any]) -> bool:
    """Whether LiteLLM's `standard_logging_object` is of a call that used a model."""
    call_type = _text(payload.get("call_type")) or ""
    if _SOMETIMES.search(call_type):
        return bool(payload.get("prompt_tokens") or payload.get("completion_tokens"))
    return _operation(call_type) is not None


def _operation(call_type: str) -> Optional[str]:
    return _OPERATIONS.get(call_type) or (_OPERATIONS.get(call_type[1:]) if call_type.startswith("a") else None)


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) and value != "" else None


def _person(value: Any) -> Optional[str]:
    """LiteLLM has the user `default_user_id` for keys of nobody."""
    return None if value == "default_user_id" else _text(value)


def _decimal(value: Any) -> Optional[str]:
    """LiteLLM reports the cost as a float. Its shortest decimal form, at most 12 fractional digits."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value < 1e17:
        return None
    text = format(round(Decimal(repr(value)), 12), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _moment(value: Any) -> Optional[str]:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    moment = datetime.fromtimestamp(value, timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event_of(payload: Mapping[str, Any]) -> Dict[str, Any]:
    """The event for LiteLLM's `standard_logging_object`. Messages and responses in it are not read."""
    metadata = mapping(payload.get("metadata"))
    usage = mapping(metadata.get("usage_object"))
    team = _text(metadata.get("user_api_key_team_alias"))
    model = _text(payload.get("model")) or "unknown"
    cost = None if payload.get("response_cost_failure_debug_info") else _decimal(payload.get("response_cost"))
    event: Dict[str, Any] = {
        "event_id": event_id_of(payload.get("id")),
        "ingestion_layer": "gateway",
        "source_system": "litellm",
        "provider": _text(payload.get("custom_llm_provider")) or "unknown",
        "requested_model": _text(payload.get("model_group")) or model,
        "served_model": model,
        "operation": _operation(_text(payload.get("call_type")) or ""),
        "occurred_at": _moment(payload.get("startTime")),
        "input_tokens": payload.get("prompt_tokens"),
        "output_tokens": payload.get("completion_tokens"),
        **priced_members(usage),
        "service_tier": "fast" if usage.get("speed") == "fast" else _tier(payload, usage),
        "estimated_cost_usd": cost,
        "attributed_identity": team,
        # The customer for whom the call was made, or else the person to whom the key belongs.
        "end_user": _text(payload.get("end_user"))
        or _text(metadata.get("user_api_key_end_user_id"))
        or _person(metadata.get("user_api_key_user_id")),
        "attributed_service": team,
        "api_key_name": _text(metadata.get("user_api_key_alias")),
        "batch": True if _BATCH.search(_text(payload.get("call_type")) or "") else None,
        "trace_id": _text(payload.get("trace_id")) if _is_trace_id(payload.get("trace_id")) else None,
    }
    return {name: value for name, value in event.items() if value is not None}


def _tier(payload: Mapping[str, Any], usage: Mapping[str, Any]) -> Optional[str]:
    return _text(usage.get("service_tier")) or _text(mapping(payload.get("model_parameters")).get("service_tier"))


def _is_trace_id(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 32 and all(digit in "0123456789abcdef" for digit in value)


def attribution_logger(tracker: Tracker, event: Optional[Mapping[str, Any]] = None) -> Any:
    """A `CustomLogger` of LiteLLM. `event` has members that every event gets. Raises ImportError without LiteLLM."""
    from litellm.integrations.custom_logger import CustomLogger

    class AttributionLogger(CustomLogger):
        def log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
            payload = mapping(mapping(kwargs).get("standard_logging_object"))
            if payload and is_model_call(payload):
                tracker.record(lambda: {**event_of(payload), **(event or {})})

        async def async_log_success_event(
            self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any
        ) -> None:
            self.log_success_event(kwargs, response_obj, start_time, end_time)

    return AttributionLogger()
