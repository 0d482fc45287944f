"""Members of a JSON answer, whatever its shape."""
from __future__ import annotations

from typing import Any, List, Mapping


def mapping(value: Any) -> Mapping[str, Any]:
    """The object, or the members of a Pydantic model, empty if the value is none."""
    if isinstance(value, dict):
        return value
    try:
        members = value.model_dump()
    except Exception:
        return {}
    return members if isinstance(members, dict) else {}


def items(value: Any) -> List[Any]:
    """The list, empty if the value is none."""
    return value if isinstance(value, list) else []
