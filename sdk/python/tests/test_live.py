"""Against a running service, whose address and keys are in the environment."""
from __future__ import annotations

import asyncio
import os
import time
import unittest
import uuid

from inference_attribution import ApiError, AsyncClient, Client, Lookup, Tracker

URL = os.environ.get("ATTRIBUTION_URL", "")
EVENT = {
    "provider": "openai",
    "requested_model": "gpt-4o",
    "input_tokens": 1000,
    "output_tokens": 200,
    "attributed_identity": "team-search",
    "attributed_service": "search",
}


@unittest.skipIf(URL == "", "ATTRIBUTION_URL is not set")
class Live(unittest.TestCase):
    def setUp(self) -> None:
        self.admin = Client(URL, api_key=os.environ["ATTRIBUTION_ADMIN_KEY"])
        self.client = Client(
            URL,
            client_id=os.environ["ATTRIBUTION_CLIENT_ID"],
            client_secret=os.environ["ATTRIBUTION_CLIENT_SECRET"],
        )

    def test_tracked_events_become_records_that_a_list_iterates_over(self) -> None:
        service = f"python-{uuid.uuid4().hex[:8]}"
        tracker = Tracker(self.client)
        for _ in range(5):
            tracker.record({**EVENT, "attributed_service": service})
        self.assertTrue(tracker.flush(30))
        self.assertEqual(tracker.stats.dropped, {})

        deadline = time.monotonic() + 60
        records = list(self.client.list_attribution({"service": service, "limit": 2}))
        while len(records) < 5 and time.monotonic() < deadline:
            time.sleep(0.2)
            records = list(self.client.list_attribution({"service": service, "limit": 2}))
        self.assertEqual({record["cost_usd"] for record in records}, {"0.0045"})
        self.assertEqual(len({record["invocation_id"] for record in records}), 5)
        first = self.client.list_attribution({"service": service, "limit": 2}).first()
        self.assertEqual((len(first["data"]), first["page"]["has_more"]), (2, True))
        detail = self.client.get_attribution(records[0]["id"])
        self.assertEqual(detail["service"], service)

    def test_a_repeated_mutation_has_one_effect(self) -> None:
        body = {"name": "Python", "scopes": ["ingest:write"]}
        key = str(uuid.uuid4())
        one = self.admin.create_api_key(body, idempotency_key=key)  # type: ignore[arg-type]
        same = self.admin.create_api_key(body, idempotency_key=key)  # type: ignore[arg-type]
        self.assertEqual(one["id"], same["id"])
        self.admin.revoke_api_key(one["id"])

    def test_a_lookup_names_the_owner_of_a_call(self) -> None:
        found = Lookup(self.admin, timeout=10).find({"attributed_identity": "someone-new"})
        assert found is not None
        self.assertEqual((found["owner"], found["interpretation"]["stage_origin"]), ("someone-new", "stage_a"))

    def test_a_query_is_answered_as_it_was_given_or_refused(self) -> None:
        for query in (
            {"from": "2026-11-25", "to": "2026-11-25"},
            {"provider": ["openai", "anthropic"]},
            {"provider[in]": []},
        ):
            with self.subTest(query), self.assertRaises(ApiError) as raised:
                self.admin.get_usage_report(query).first()  # type: ignore[arg-type]
            self.assertEqual(raised.exception.status, 400)
        report = self.admin.get_usage_report({"provider[in]": ["nobody", "openai"]}).first()  # type: ignore[typeddict-item]
        self.assertIn("totals", report)

    def test_an_error_has_its_code_and_trace(self) -> None:
        with self.assertRaises(ApiError) as raised:
            self.client.get_attribution("no-such-record")
        self.assertEqual((raised.exception.status, raised.exception.code), (404, "NOT_FOUND"))
        self.assertEqual(len(raised.exception.trace_id or ""), 32)

    def test_asyncio_reads_the_same(self) -> None:
        async def run() -> int:
            client = AsyncClient(URL, api_key=os.environ["ATTRIBUTION_ADMIN_KEY"])
            keys = [key async for key in client.list_api_keys()]
            await asyncio.gather(client.get_tenant(), client.get_rate_limit())
            return len(keys)

        self.assertGreaterEqual(asyncio.run(run()), 3)
