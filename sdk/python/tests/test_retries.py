from __future__ import annotations

import asyncio
import unittest
from typing import Any, List

from inference_attribution import ApiError, AsyncClient, Client, ConnectionFailedError, RateLimitError
from inference_attribution.retry import retry_after, wait_before

from .fault_server import FaultServer

KEY = {"api_key": "key"}
BUDGET: Any = {"name": "Search", "amount_usd": "10"}


def problem(status: int, code: str, headers: Any = None) -> Any:
    return (status, headers or {}, {"error_code": code, "detail": "why", "trace_id": "a" * 32})


class Retries(unittest.TestCase):
    def setUp(self) -> None:
        self.waits: List[float] = []

    def client(self, server: FaultServer, **options: Any) -> Client:
        client = Client(server.url, **{**KEY, **options})
        client._transport._sleep = self.waits.append
        return client

    def test_repeats_a_mutation_with_the_same_key_after_a_lost_answer_and_a_503(self) -> None:
        with FaultServer(["drop", problem(503, "SERVICE_UNAVAILABLE")], (201, {}, {"id": "bud_1"})) as server:
            budget = self.client(server).create_budget(BUDGET)

        self.assertEqual(budget["id"], "bud_1")
        self.assertEqual(len(server.seen), 3)
        self.assertEqual(len({seen.headers["idempotency-key"] for seen in server.seen}), 1)
        self.assertEqual({seen.headers["x-api-key"] for seen in server.seen}, {"key"})

    def test_sends_a_key_with_a_delete_and_a_put(self) -> None:
        with FaultServer(default=(204, {}, b"")) as server:
            client = self.client(server)
            client.delete_budget("bud_1")
            client.put_coverage_expectations({"expectations": []})  # type: ignore[typeddict-item]

        keys = [seen.headers.get("idempotency-key") for seen in server.seen]
        self.assertEqual([seen.method for seen in server.seen], ["DELETE", "PUT"])
        self.assertTrue(all(keys))
        self.assertEqual(len(set(keys)), 2)

    def test_waits_as_long_as_the_service_asks_plus_jitter(self) -> None:
        with FaultServer([problem(429, "RATE_LIMITED", {"Retry-After": "7"})]) as server:
            self.client(server).get_tenant()

        self.assertEqual(len(self.waits), 1)
        self.assertGreaterEqual(self.waits[0], 7)
        self.assertLess(self.waits[0], 9)

    def test_raises_a_rate_limit_error_after_the_last_attempt(self) -> None:
        with FaultServer(default=problem(429, "RATE_LIMITED", {"Retry-After": "2"})) as server:
            with self.assertRaises(RateLimitError) as raised:
                self.client(server, retries=2).get_tenant()

        self.assertEqual(raised.exception.retry_after, 2)
        self.assertEqual(raised.exception.attempts, 3)
        self.assertEqual(raised.exception.code, "RATE_LIMITED")

    def test_raises_at_once_when_the_service_asks_for_a_long_wait(self) -> None:
        with FaultServer(default=problem(429, "RATE_LIMITED", {"Retry-After": "3600"})) as server:
            with self.assertRaises(RateLimitError):
                self.client(server).get_tenant()

        self.assertEqual((len(server.seen), self.waits), (1, []))

    def test_does_not_repeat_what_would_fail_again(self) -> None:
        for status, code in [(400, "INVALID_REQUEST"), (404, "NOT_FOUND"), (422, "X"), (500, "PROXY_ERROR")]:
            with self.subTest(status), FaultServer(default=problem(status, code)) as server:
                with self.assertRaises(ApiError) as raised:
                    self.client(server).get_budget("bud_1")
                self.assertEqual(len(server.seen), 1)
                self.assertEqual((raised.exception.status, raised.exception.code), (status, code))
                self.assertEqual(raised.exception.trace_id, "a" * 32)

    def test_repeats_while_the_first_attempt_is_in_progress(self) -> None:
        with FaultServer([problem(409, "IDEMPOTENCY_IN_PROGRESS")], (201, {}, {"id": "bud_1"})) as server:
            self.client(server).create_budget(BUDGET)
        self.assertEqual(len(server.seen), 2)

        with FaultServer(default=problem(409, "CONFLICT")) as server, self.assertRaises(ApiError):
            self.client(server).create_budget(BUDGET)
        self.assertEqual(len(server.seen), 1)

    def test_repeats_after_a_failure_of_the_service(self) -> None:
        with FaultServer([problem(500, "INTERNAL_ERROR")], (201, {}, {"id": "bud_1"})) as server:
            self.client(server).create_budget(BUDGET)
        self.assertEqual(len(server.seen), 2)

    def test_reads_the_challenge_of_a_problem(self) -> None:
        challenge = 'Bearer error="insufficient_user_authentication", max_age=900'
        body = {"error_code": "STEP_UP_REQUIRED", "detail": "why", "www_authenticate": challenge}
        with FaultServer(default=(401, {"x-amzn-remapped-www-authenticate": challenge}, body)) as server:
            with self.assertRaises(ApiError) as raised:
                self.client(server).get_tenant()
        self.assertEqual(raised.exception.challenge, challenge)

    def test_reads_the_error_of_a_gateway(self) -> None:
        with FaultServer(default=(403, {}, {"message": "Forbidden"})) as server:
            with self.assertRaises(ApiError) as raised:
                self.client(server).get_tenant()
        self.assertEqual(str(raised.exception), "403: Forbidden")
        self.assertIsNone(raised.exception.code)

        with FaultServer(default=(404, {"Content-Type": "text/html"}, b"<html>")) as server:
            with self.assertRaises(ApiError) as raised:
                self.client(server).get_tenant()
        self.assertEqual(raised.exception.problem, {})

    def test_says_so_when_nobody_answers(self) -> None:
        with FaultServer(default="drop") as server:
            with self.assertRaises(ConnectionFailedError) as raised:
                self.client(server, retries=1).get_tenant()
        self.assertEqual(raised.exception.attempts, 2)

    def test_ends_an_attempt_after_its_timeout(self) -> None:
        with FaultServer(default=5.0) as server:
            with self.assertRaises(ConnectionFailedError):
                self.client(server, retries=0).get_tenant(timeout=0.05)

    def test_does_not_follow_a_redirect_with_its_credential(self) -> None:
        with FaultServer() as other, FaultServer(default=(302, {"Location": other.url}, b"")) as server:
            with self.assertRaises(ApiError) as raised:
                self.client(server).get_tenant()
        self.assertEqual((raised.exception.status, other.seen), (302, []))

    def test_behaves_the_same_with_asyncio(self) -> None:
        async def run(url: str) -> Any:
            client = AsyncClient(url, **KEY)
            client._transport.transport._sleep = self.waits.append
            return await asyncio.gather(*(client.create_budget(BUDGET) for _ in range(3)))

        with FaultServer(["drop", problem(503, "SERVICE_UNAVAILABLE")], (201, {}, {"id": "b"})) as server:
            budgets = asyncio.run(run(server.url))
        self.assertEqual([budget["id"] for budget in budgets], ["b"] * 3)
        self.assertEqual(len({seen.headers["idempotency-key"] for seen in server.seen}), 3)


class Waits(unittest.TestCase):
    def test_reads_seconds_and_dates(self) -> None:
        self.assertEqual(retry_after("3"), 3)
        self.assertEqual(retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=lambda: 50.0), 10)
        self.assertEqual(retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=lambda: 90.0), 0)
        self.assertIsNone(retry_after("soon"))
        self.assertIsNone(retry_after(None))

    def test_grows_to_a_limit_without_a_header(self) -> None:
        longest = [wait_before(attempt, None, lambda: 1.0) for attempt in (1, 2, 3, 4, 9)]
        self.assertEqual(longest, [1.0, 2.0, 4.0, 8.0, 8.0])


if __name__ == "__main__":
    unittest.main()
