"""The event id of a call. The service derives the same one from OpenTelemetry spans and the logs of gateways."""
from __future__ import annotations

import hashlib
import uuid
from typing import Any

# Shorter ids are not unique: small servers number their responses, and start again at each restart.
_RESPONSE_ID_LENGTH = 16


def event_id_of(response_id: Any) -> str:
    """An id from the provider's response id, so that a call seen by several observers makes one record. Else a random id."""
    if not isinstance(response_id, str) or len(response_id) < _RESPONSE_ID_LENGTH or not response_id.isascii():
        return str(uuid.uuid4())
    digest = hashlib.sha256(f"4:otlp8:response{len(response_id)}:{response_id}".encode()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}"
