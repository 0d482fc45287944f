from __future__ import annotations

import hashlib
import hmac
import json
import unittest
from typing import Any

from inference_attribution import (
    WebhookVerificationError,
    challenge_answer,
    verify_webhook,
    verify_webhook_events,
)

BODY = json.dumps({"id": "evt_1", "type": "webhook.verification", "data": {"challenge": "c"}}).encode()
NOW = 1_800_000_000
SECRET = "whsec_a-0123456789abcdefgh"
NEW_SECRET = "whsec_new-0123456789abcdef"


def sign(secret: str, seconds: int = NOW, body: bytes = BODY) -> str:
    digest = hmac.new(secret.encode(), str(seconds).encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"v1={digest}"


def verify(header: Any, secrets: Any = SECRET, body: bytes = BODY, **options: Any) -> Any:
    return verify_webhook(body, header, secrets, **{"now": lambda: NOW, **options})


class Verification(unittest.TestCase):
    def rejects(self, reason: str, header: Any, **options: Any) -> None:
        with self.assertRaises(WebhookVerificationError) as raised:
            verify(header, **options)
        self.assertEqual(raised.exception.reason, reason)

    def test_returns_the_event_of_a_signed_delivery(self) -> None:
        event = verify(f"t={NOW},{sign(SECRET)}")
        self.assertEqual(event["id"], "evt_1")
        self.assertEqual(challenge_answer(event), '{"challenge": "c"}')
        self.assertIsNone(challenge_answer({"type": "budget.threshold_crossed"}))

    def test_accepts_either_secret_during_a_rotation(self) -> None:
        both = f"t={NOW},{sign(NEW_SECRET)},{sign(SECRET)}"
        verify(both)
        verify(f"t={NOW},{sign(SECRET)}", secrets=[NEW_SECRET, SECRET])

    def test_rejects_what_is_not_signed_by_a_secret(self) -> None:
        self.rejects("no_match", f"t={NOW},{sign(NEW_SECRET)}")
        self.rejects("no_match", f"t={NOW},{sign(SECRET)}", body=BODY + b" ")
        self.rejects("no_match", f"t={NOW + 1},{sign(SECRET)}")

    def test_rejects_an_old_and_a_future_delivery(self) -> None:
        for seconds in (NOW - 301, NOW + 301):
            self.rejects("outside_tolerance", f"t={seconds},{sign(SECRET, seconds)}")
        verify(f"t={NOW - 300},{sign(SECRET, NOW - 300)}")

    def test_rejects_every_delivery_with_an_unsafe_tolerance(self) -> None:
        header = f"t={NOW},{sign(SECRET)}"
        verify(header, tolerance_seconds=0)
        for tolerance in (float("nan"), float("inf"), float("-inf"), -1, None, "300"):
            with self.subTest(tolerance):
                self.rejects("invalid_tolerance", header, tolerance_seconds=tolerance)

    def test_rejects_every_delivery_with_an_unsafe_secret(self) -> None:
        short = "whsec_0123456789"
        unsafe = [None, "", " " * 40, "whsec_", short, SECRET.encode(), [], (), [SECRET, ""], ["", SECRET], [SECRET, None]]
        for secrets in unsafe:
            for forger in ("", " " * 40, "whsec_", short, SECRET):
                with self.subTest(secrets=secrets, forger=forger):
                    self.rejects("invalid_secret", f"t={NOW},{sign(forger)}", secrets=secrets)
            self.rejects("invalid_secret", None, secrets=secrets)

    def test_rejects_a_malformed_header(self) -> None:
        signature = sign(SECRET)
        many = ",".join([signature] * 9)
        headers = [None, "", "t=1", signature, f"t=x,{signature}", f"t={NOW},t={NOW},{signature}", f"t={NOW},{many}"]
        for header in [*headers, f"t={NOW},v1=abc", f"t={NOW},{signature}" + " " * 1_024]:
            with self.subTest(header):
                self.rejects("malformed_header", header)

    def test_returns_the_events_of_either_body(self) -> None:
        one = {"id": "evt_1", "type": "a.b", "data": {}}
        for content, events in ((one, [one]), ({"events": [one]}, [one]), ({"events": [one, one]}, [one, one])):
            with self.subTest(content):
                body = json.dumps(content).encode()
                header = f"t={NOW},{sign(SECRET, body=body)}"
                received = verify_webhook_events(body, header, SECRET, now=lambda: NOW)
                self.assertEqual(received, events)
                self.assertIsNone(challenge_answer(received))
        challenge = verify_webhook_events(BODY, f"t={NOW},{sign(SECRET)}", SECRET, now=lambda: NOW)
        self.assertEqual(challenge_answer(challenge), '{"challenge": "c"}')

    def test_rejects_a_list_where_one_event_is_expected(self) -> None:
        body = json.dumps({"events": [{"id": "evt_1", "type": "a.b", "data": {}}]}).encode()
        self.rejects("malformed_body", f"t={NOW},{sign(SECRET, body=body)}", body=body)

    def test_rejects_a_body_that_is_no_event(self) -> None:
        for body in (b"{", b"[]", b"\xff", b'{"events":[]}', b'{"events":[1]}', b'{"events":{}}'):
            with self.subTest(body):
                self.rejects("malformed_body", f"t={NOW},{sign(SECRET, body=body)}", body=body)
