from __future__ import annotations

import asyncio
import unittest
from typing import Any

from inference_attribution import ApiError, AsyncClient, Client, RateLimitError
from inference_attribution.retry import wait_before

from .fault_server import FaultServer

KEY = {"api_key": "key"}
BUDGET: Any = {"name": "Search", "amount_usd": "10"}


def problem(status: int, code: str, headers: Any = None) -> Any:
    return (status, headers or {}, {"error_code": code, "detail": "why", "trace_id": "a" * 32})


class Errors(unittest.TestCase):
    """What the table of all clients (`tests/behaviour.py`) does not see."""

    def test_sends_a_key_with_a_delete_and_a_put(self) -> None:
        with FaultServer(default=(204, {}, b"")) as server:
            client = Client(server.url, **KEY)
            client.delete_budget("bud_1")
            client.put_coverage_expectations({"expectations": []})  # type: ignore[typeddict-item]

        keys = [seen.headers.get("idempotency-key") for seen in server.seen]
        self.assertEqual([seen.method for seen in server.seen], ["DELETE", "PUT"])
        self.assertTrue(all(keys))
        self.assertEqual(len(set(keys)), 2)

    def test_raises_a_rate_limit_error_with_the_time_to_wait_which_may_be_unknown(self) -> None:
        for text, seconds in (("3600", 3600), ("soon", None)):
            with FaultServer(default=problem(429, "RATE_LIMITED", {"Retry-After": text})) as server:
                with self.assertRaises(RateLimitError) as raised:
                    Client(server.url, **KEY, retries=0).get_tenant()
            self.assertEqual((raised.exception.retry_after, raised.exception.code), (seconds, "RATE_LIMITED"))

    def test_reads_the_challenge_of_a_problem(self) -> None:
        challenge = 'Bearer error="insufficient_user_authentication", max_age=900'
        body = {"error_code": "STEP_UP_REQUIRED", "detail": "why", "www_authenticate": challenge}
        with FaultServer(default=(401, {"x-amzn-remapped-www-authenticate": challenge}, body)) as server:
            with self.assertRaises(ApiError) as raised:
                Client(server.url, **KEY).get_tenant()
        self.assertEqual(raised.exception.challenge, challenge)

    def test_reads_the_error_of_a_gateway(self) -> None:
        with FaultServer(default=(403, {}, {"message": "Forbidden"})) as server:
            with self.assertRaises(ApiError) as raised:
                Client(server.url, **KEY).get_tenant()
        self.assertEqual(str(raised.exception), "403: Forbidden")
        self.assertIsNone(raised.exception.code)

        with FaultServer(default=(404, {"Content-Type": "text/html"}, b"<html>")) as server:
            with self.assertRaises(ApiError) as raised:
                Client(server.url, **KEY).get_tenant()
        self.assertEqual(raised.exception.problem, {})

    def test_behaves_the_same_with_asyncio(self) -> None:
        async def run(url: str) -> Any:
            client = AsyncClient(url, **KEY)
            return await asyncio.gather(*(client.create_budget(BUDGET) for _ in range(3)))

        with FaultServer(["drop", problem(503, "SERVICE_UNAVAILABLE", {"Retry-After": "0"})], (201, {}, {"id": "b"})) as server:
            budgets = asyncio.run(run(server.url))
        self.assertEqual([budget["id"] for budget in budgets], ["b"] * 3)
        self.assertEqual(len({seen.headers["idempotency-key"] for seen in server.seen}), 3)


class Waits(unittest.TestCase):
    def test_grows_to_a_limit_without_a_header(self) -> None:
        longest = [wait_before(attempt, None, lambda: 1.0) for attempt in (1, 2, 3, 4, 9)]
        self.assertEqual(longest, [1.0, 2.0, 4.0, 8.0, 8.0])


if __name__ == "__main__":
    unittest.main()
