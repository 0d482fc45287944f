from __future__ import annotations

import asyncio
import threading
import time
import unittest
from typing import Any, List, Optional, cast

from inference_attribution import Client, Lookup
from inference_attribution.types import LookUpAttributionQuery

from .fault_server import FaultServer, Seen, Step

SIGNALS: LookUpAttributionQuery = {"attributed_identity": "ann", "provider": "openai"}
AS_OF = "2026-11-23T04:00:00.000Z"


def owned(owner: str) -> Step:
    return (200, {}, {"owner": owner, "budgets": [], "as_of": AS_OF})


def owner_of(answer: Any) -> Optional[str]:
    return None if answer is None else answer["owner"]


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def lookup_of(url: str, clock: Optional[Clock] = None, **options: Any) -> Lookup:
    client = Client(url, api_key="key", retries=3)
    return Lookup(client, **{"timeout": 5.0, "clock": clock or Clock(), **options})


def settle(lookup: Lookup) -> None:
    """Waits for the open requests."""
    for request in list(lookup._requests.values()):
        request.result(5)


class Cache(unittest.TestCase):
    def test_asks_once_for_the_same_signals_in_any_order(self) -> None:
        with FaultServer([owned("team-search")], default=(500, {}, {})) as server:
            lookup = lookup_of(server.url)
            self.assertEqual(owner_of(lookup.find(SIGNALS)), "team-search")
            self.assertEqual(
                owner_of(lookup.find({"provider": "openai", "attributed_identity": "ann"})), "team-search"
            )

        self.assertEqual(
            [seen.path for seen in server.seen], ["/api/v1/lookup?attributed_identity=ann&provider=openai"]
        )

    def test_asks_once_for_concurrent_calls(self) -> None:
        gate = threading.Event()

        def answer(_: Seen) -> Step:
            gate.wait(5)
            return owned("team-search")

        async def calls(lookup: Lookup) -> List[Any]:
            waiting = [asyncio.ensure_future(lookup.find_async(SIGNALS)) for _ in range(5)]
            await asyncio.sleep(0)
            gate.set()
            return list(await asyncio.gather(*waiting))

        with FaultServer(answer=answer) as server:
            found = asyncio.run(calls(lookup_of(server.url)))

        self.assertEqual([owner_of(item) for item in found], ["team-search"] * 5)
        self.assertEqual(len(server.seen), 1)

    def test_returns_a_stale_answer_at_once_while_a_request_renews_it(self) -> None:
        clock = Clock()
        with FaultServer([owned("team-a"), owned("team-b")]) as server:
            lookup = lookup_of(server.url, clock)
            lookup.find(SIGNALS)
            clock.now += 30
            self.assertEqual(owner_of(lookup.find(SIGNALS)), "team-a")
            settle(lookup)
            self.assertEqual(owner_of(lookup.find(SIGNALS)), "team-b")

    def test_uses_a_stale_answer_while_the_service_is_down_for_at_most_ten_minutes(self) -> None:
        clock = Clock()
        with FaultServer([owned("team-a")], default="drop") as server:
            lookup = lookup_of(server.url, clock)
            lookup.find(SIGNALS)
            clock.now += 599
            self.assertEqual(owner_of(lookup.find(SIGNALS)), "team-a")
            settle(lookup)
            clock.now += 1
            self.assertIsNone(lookup.find(SIGNALS))

    def test_keeps_the_answers_that_were_set_last(self) -> None:
        with FaultServer(default=owned("team-a")) as server:
            lookup = lookup_of(server.url, capacity=2)
            for name in ["a", "b", "c", "a", "c"]:
                lookup.find({"attributed_identity": name})
        self.assertEqual(len(server.seen), 4)


class FailOpen(unittest.TestCase):
    def test_returns_none_after_a_failure_and_asks_again_after_the_pause(self) -> None:
        login_page: Step = (200, {"Content-Type": "text/html"}, b"<html>")
        faults: List[Step] = [(503, {}, {}), (429, {}, {}), (403, {}, {}), "drop", login_page, (200, {}, [])]
        for fault in faults:
            with self.subTest(fault=fault), FaultServer([fault], default=owned("team-a")) as server:
                clock = Clock()
                lookup = lookup_of(server.url, clock)
                self.assertIsNone(lookup.find(SIGNALS))
                self.assertIsNone(lookup.find({"attributed_identity": "bob"}))
                self.assertEqual(len(server.seen), 1)
                clock.now += 1
                self.assertEqual(owner_of(lookup.find(SIGNALS)), "team-a")

    def test_returns_none_for_signals_that_the_service_refuses_and_still_asks_for_others(self) -> None:
        with FaultServer([(400, {}, {})], default=owned("team-a")) as server:
            lookup = lookup_of(server.url)
            self.assertIsNone(lookup.find({"spiffe_id": "none"}))
            self.assertIsNone(lookup.find({"spiffe_id": "none"}))
            self.assertEqual(owner_of(lookup.find(SIGNALS)), "team-a")
        self.assertEqual(len(server.seen), 2)

    def test_returns_none_in_time_while_the_service_hangs_with_at_most_eight_requests(self) -> None:
        gate = threading.Event()

        def answer(_: Seen) -> Step:
            gate.wait(5)
            return owned("team-a")

        async def calls(lookup: Lookup) -> List[Any]:
            names = [f"person {index}" for index in range(100)]
            return list(
                await asyncio.gather(*(lookup.find_async({"attributed_identity": name}) for name in names))
            )

        with FaultServer(answer=answer) as server:
            lookup = lookup_of(server.url, timeout=0.02)
            started = time.monotonic()
            self.assertIsNone(lookup.find(SIGNALS))
            self.assertEqual(asyncio.run(calls(lookup)), [None] * 100)
            # The service hangs for five seconds.
            self.assertLess(time.monotonic() - started, 4)
            self.assertEqual(len(lookup._requests), 8)
            gate.set()
            settle(lookup)
            # The answer of a slow request is there for the next call.
            self.assertEqual(owner_of(lookup.find(SIGNALS)), "team-a")

    def test_never_waits_with_a_timeout_of_0(self) -> None:
        with FaultServer(default=owned("team-a")) as server:
            lookup = lookup_of(server.url, timeout=0)
            self.assertIsNone(lookup.find(SIGNALS))
            settle(lookup)
            self.assertEqual(owner_of(lookup.find(SIGNALS)), "team-a")

    def test_never_raises(self) -> None:
        lookup = lookup_of("http://127.0.0.1:1")
        self.assertIsNone(lookup.find(cast(Any, None)))
        self.assertIsNone(lookup.find(cast(Any, {"tags": object()})))
        self.assertIsNone(asyncio.run(lookup.find_async(cast(Any, None))))
