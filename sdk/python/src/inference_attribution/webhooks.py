"""Verification of webhook deliveries."""
from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import AttributionError

_TOLERANCE_SECONDS = 300
# A header has two signatures during a rotation. The limits bound the work for forged headers.
_SIGNATURES_MAXIMUM = 8
_HEADER_LENGTH_MAXIMUM = 1_024
# An empty or guessable secret would verify forged deliveries. The service issues 49 characters.
_SECRET_LENGTH_MINIMUM = 24


class WebhookVerificationError(AttributionError):
    """`reason` is malformed_header, outside_tolerance, no_match or malformed_body. Answer with status 400.

    The reasons invalid_secret and invalid_tolerance are faults of the configuration of the receiver: no delivery can be
    verified until it is corrected.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"The webhook delivery was rejected: {reason}")
        self.reason = reason


def _parse_header(header: str) -> Tuple[str, List[str]]:
    """One `t` and at least one `v1`. Other schemes are ignored."""
    if len(header) > _HEADER_LENGTH_MAXIMUM:
        raise WebhookVerificationError("malformed_header")
    parts = [part.strip() for part in header.split(",")]
    times = [part[2:] for part in parts if part.startswith("t=")]
    signatures = [part[3:] for part in parts if part.startswith("v1=")]
    is_valid = (
        len(times) == 1
        and re.fullmatch(r"[0-9]{1,12}", times[0]) is not None
        and 1 <= len(signatures) <= _SIGNATURES_MAXIMUM
        and all(re.fullmatch(r"[0-9a-f]{64}", signature) for signature in signatures)
    )
    if not is_valid:
        raise WebhookVerificationError("malformed_header")
    return times[0], signatures


def _require_safe(secrets: Sequence[Any], tolerance_seconds: Any) -> None:
    """Raises for a configuration that would verify deliveries of anybody, such as an unset environment variable."""
    if not secrets or not all(
        isinstance(secret, str) and len(secret.strip()) >= _SECRET_LENGTH_MINIMUM for secret in secrets
    ):
        raise WebhookVerificationError("invalid_secret")
    is_number = isinstance(tolerance_seconds, (int, float))
    if not is_number or not math.isfinite(tolerance_seconds) or tolerance_seconds < 0:
        raise WebhookVerificationError("invalid_tolerance")


def verify_webhook_events(
    body: Union[bytes, str],
    signature: Optional[str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: Callable[[], float] = time.time,
) -> List[Dict[str, Any]]:
    """The events of a request, sorted by `sequence`: one, or several if the endpoint has a `max_batch_size` above 1.

    Raises WebhookVerificationError. A 2xx response acknowledges all events, and any other response none.
    `body` is the unmodified request body: do not parse and serialize it again. `signature` is the value of the
    `Service-Signature` header. `secrets` is the signing secret, or several during a rotation. Each has at
    least 24 characters. `tolerance_seconds` is finite and not negative.
    """
    candidates: List[Any] = list(secrets) if isinstance(secrets, (list, tuple)) else [secrets]
    _require_safe(candidates, tolerance_seconds)
    seconds, signatures = _parse_header(signature or "")
    signed = seconds.encode() + b"." + (body.encode() if isinstance(body, str) else body)
    matches = False
    for secret in candidates:
        expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        for candidate in signatures:
            # Every pair is compared in constant time, so that timing does not reveal which one matched.
            matches = hmac.compare_digest(expected, candidate) or matches
    if not matches:
        raise WebhookVerificationError("no_match")
    if abs(int(now()) - int(seconds)) > tolerance_seconds:
        raise WebhookVerificationError("outside_tolerance")
    try:
        content = json.loads(body)
    except ValueError:
        raise WebhookVerificationError("malformed_body") from None
    events = content["events"] if _is_batch(content) else [content]
    if not isinstance(events, list) or not events or not all(isinstance(event, dict) for event in events):
        raise WebhookVerificationError("malformed_body")
    return events


def _is_batch(content: Any) -> bool:
    return isinstance(content, dict) and "type" not in content and "events" in content


def verify_webhook(
    body: Union[bytes, str],
    signature: Optional[str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: Callable[[], float] = time.time,
) -> Dict[str, Any]:
    """Like `verify_webhook_events`, for an endpoint that receives one event in a request.

    Rejects a list of events as malformed_body.
    """
    events = verify_webhook_events(body, signature, secrets, tolerance_seconds=tolerance_seconds, now=now)
    if _is_batch(json.loads(body)):
        raise WebhookVerificationError("malformed_body")
    return events[0]


def challenge_answer(received: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]) -> Optional[str]:
    """The JSON body to return with status 200 for a `webhook.verification` event. None for every other event.

    Takes the events of a request too: a challenge is always alone in its request.
    """
    event = received if isinstance(received, Mapping) else received[0]
    challenge = event.get("data", {}).get("challenge") if event.get("type") == "webhook.verification" else None
    return json.dumps({"challenge": challenge}) if isinstance(challenge, str) else None
