"""A request of the API, before it is sent."""
from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass
from typing import Any, Mapping, Optional
from urllib.parse import quote, urlencode

from .errors import ConfigurationError

_OTHER_PATH = re.compile(r"/\.{0,2}(/|\Z)")


def new_key() -> str:
    """A new idempotency key. One per logical call: every attempt of it has the same key."""
    return str(uuid.uuid4())


def fill(template: str, *values: str) -> str:
    """Fills the parameters of a path in order. A value is one segment: a slash in it is escaped."""
    for value in values:
        start, end = template.index("{"), template.index("}")
        template = template[:start] + quote(value, safe="") + template[end + 1 :]
    return template


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _texts(value: Any) -> list[str]:
    """A list repeats its parameter. The service knows which parameters are lists, and refuses a list for any other.

    A list of one value that would be cut at commas, or read as JSON, is a JSON array. An empty list is sent as an empty
    value, which is refused too: without the filter, the answer would be about everything.
    """
    if not isinstance(value, (list, tuple)):
        return [_text(value)]
    texts = ["" if item is None else _text(item) for item in value] or [""]
    if len(texts) == 1 and ("," in texts[0] or texts[0].startswith("[")):
        return [json.dumps(texts)]
    return texts


@dataclass(frozen=True)
class Request:
    """`timeout` is in seconds and covers one attempt. `body` may be encoded JSON.

    None in `timeout` or `retries`: that of the client.
    """

    method: str
    path: str
    query: Optional[Mapping[str, Any]] = None
    body: Optional[Any] = None
    idempotency_key: Optional[str] = None
    is_public: bool = False
    timeout: Optional[float] = None
    retries: Optional[int] = None

    def target(self) -> str:
        """The path with the query. Members that are None are left out."""
        if _OTHER_PATH.search(self.path):
            # A server drops these segments, so the request would go to another operation.
            raise ConfigurationError(f"An id must not be empty, . or ..: {self.path}")
        given = [(name, value) for name, value in (self.query or {}).items() if value is not None]
        pairs = [(name, text) for name, value in given for text in _texts(value)]
        return self.path + ("?" + urlencode(pairs) if pairs else "")
