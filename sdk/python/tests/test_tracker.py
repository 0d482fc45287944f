from __future__ import annotations

import math
import os
import statistics
import threading
import time
import unittest
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any, Dict, List, Tuple

from inference_attribution import Client, Tracker

from .fault_server import FaultServer, Seen

EVENT: Dict[str, Any] = {"provider": "openai", "requested_model": "gpt-4o"}


def accepted(seen: Seen) -> Any:
    return (202, {}, {"accepted": len(seen.json()["events"]), "rejected": 0, "results": []})


def tracker_of(url: str, **options: Any) -> Tracker:
    client = Client(url, api_key="key", retries=0)
    return Tracker(client, **{"interval": 0.02, **options})


def events_of(server: FaultServer) -> List[Any]:
    return [event for seen in server.seen for event in seen.json()["events"]]


class Recording(unittest.TestCase):
    def test_sends_events_in_batches_with_ids_of_their_own(self) -> None:
        with FaultServer(answer=accepted) as server:
            tracker = tracker_of(server.url, batch_size=4)
            for _ in range(10):
                tracker.record(EVENT)
            tracker.record(lambda: {**EVENT, "input_tokens": 3, "event_id": "own"})
            self.assertTrue(tracker.flush(5))

        events = events_of(server)
        self.assertEqual(len(events), 11)
        self.assertEqual(len({event["event_id"] for event in events}), 11)
        self.assertEqual(events[-1]["event_id"], "own")
        self.assertTrue(all(len(seen.json()["events"]) <= 4 for seen in server.seen))
        self.assertEqual(events[0]["ingestion_layer"], "sdk")
        self.assertTrue(events[0]["ingestion_timestamp"].endswith("Z"))
        self.assertEqual((tracker.stats.recorded, tracker.stats.sent), (11, 11))
        self.assertEqual(repr(tracker.stats), "TrackerStats(recorded=11, sent=11, dropped={})")

    def test_keeps_a_batch_through_429_503_lost_and_foreign_answers(self) -> None:
        login_page = (200, {"Content-Type": "text/html"}, b"<html>")
        script: List[Any] = [(429, {}, {}), (503, {}, {}), "drop", (401, {}, {}), login_page]
        with FaultServer(script, answer=accepted) as server:
            tracker = tracker_of(server.url)
            tracker.record(EVENT)
            self.assertTrue(wait_until(lambda: tracker.stats.sent == 1))

        self.assertEqual(len({event["event_id"] for event in events_of(server)}), 1)
        self.assertEqual((tracker.stats.sent, tracker.stats.dropped), (1, {}))

    def test_sends_events_that_are_recorded_during_a_flush(self) -> None:
        with FaultServer(answer=accepted) as server:
            tracker = tracker_of(server.url, interval=60.0)
            tracker.record(EVENT)
            late = threading.Timer(0.005, lambda: tracker.record(EVENT))
            late.start()
            late.join()
            self.assertTrue(tracker.flush(5))
        self.assertEqual(tracker.stats.sent, 2)

    def test_counts_what_it_drops(self) -> None:
        drops: List[Tuple[int, str]] = []
        with FaultServer(default="drop") as server:
            tracker = tracker_of(server.url, capacity=3, on_drop=lambda *drop: drops.append(drop))
            tracker.record(lambda: {}["missing"])
            tracker.record({"input_tokens": object()})
            for _ in range(5):
                tracker.record(EVENT)
            self.assertFalse(tracker.flush(0.05))
        self.assertEqual(tracker.stats.dropped, {"invalid": 2, "full": 2})
        self.assertEqual(drops, [(1, "invalid"), (1, "invalid"), (1, "full"), (1, "full")])

    def test_drops_what_the_service_refuses_for_good(self) -> None:
        partly = (202, {}, {"accepted": 1, "rejected": 1, "results": []})
        with FaultServer([(422, {}, {}), partly], answer=accepted) as server:
            tracker = tracker_of(server.url)
            tracker.record(EVENT)
            tracker.flush(5)
            tracker.record(EVENT)
            tracker.record(EVENT)
            tracker.flush(5)
        self.assertEqual(tracker.stats.dropped.get("refused"), 2)
        self.assertEqual(tracker.stats.sent, 1)

    def test_keeps_an_event_with_values_that_json_does_not_have(self) -> None:
        with FaultServer(answer=accepted) as server:
            tracker = tracker_of(server.url, interval=60.0)
            tracker.record({**EVENT, "estimated_cost_usd": Decimal("0.25"), "confidence": math.nan})
            self.assertTrue(tracker.flush(5))
        (event,) = events_of(server)
        self.assertEqual((event["estimated_cost_usd"], event["confidence"]), ("0.25", None))

    def test_keeps_counts_of_other_kinds_of_numbers(self) -> None:
        class Count:
            """As NumPy has them."""

            def __int__(self) -> int:
                return 7

        Integral.register(Count)
        with FaultServer(answer=accepted) as server:
            tracker = tracker_of(server.url, interval=60.0)
            tracker.record({**EVENT, "input_tokens": Count(), "output_tokens": Fraction(3, 1)})
            self.assertTrue(tracker.flush(5))
        (event,) = events_of(server)
        self.assertEqual((event["input_tokens"], event["output_tokens"]), (7, 3.0))

    def test_sends_a_refused_batch_in_halves(self) -> None:
        refused = (422, {}, {})
        one = (202, {}, {"accepted": 1, "rejected": 0, "results": []})
        # All four, the first two, the first, the second, the last two.
        with FaultServer([(413, {}, {}), refused, one, refused], answer=accepted) as server:
            tracker = tracker_of(server.url, interval=60.0)
            for _ in range(4):
                tracker.record(EVENT)
            self.assertTrue(tracker.flush(5))
        self.assertEqual((tracker.stats.sent, tracker.stats.dropped), (3, {"refused": 1}))

    def test_survives_a_handler_that_raises(self) -> None:
        def fail(count: int, reason: str) -> None:
            raise RuntimeError

        with FaultServer(answer=accepted) as server:
            tracker = tracker_of(server.url, on_drop=fail)
            tracker.record({"input_tokens": object()})
            tracker.record(EVENT)
            self.assertTrue(tracker.flush(5))

    def test_drops_after_close(self) -> None:
        with FaultServer(answer=accepted) as server:
            tracker = tracker_of(server.url)
            tracker.record(EVENT)
            self.assertTrue(tracker.close(5))
            tracker.record(EVENT)
        self.assertEqual((len(events_of(server)), tracker.stats.dropped), (1, {"full": 1}))

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_works_in_a_child_process_and_sends_each_event_once(self) -> None:
        with FaultServer(answer=accepted) as server:
            tracker = tracker_of(server.url, interval=60.0)
            tracker.record({**EVENT, "event_id": "parent"})
            child = os.fork()
            if child == 0:
                tracker.record({**EVENT, "event_id": "child"})
                os._exit(0 if tracker.flush(10) else 1)
            _, status = os.waitpid(child, 0)
            self.assertTrue(tracker.flush(10))
        self.assertEqual(status, 0)
        self.assertEqual(sorted(event["event_id"] for event in events_of(server)), ["child", "parent"])


class FailOpen(unittest.TestCase):
    """The latency of the caller with a service that hangs, refuses or answers nonsense."""

    def test_does_not_slow_the_caller(self) -> None:
        faults: Dict[str, Any] = {
            "hangs": 5.0,
            "drops": "drop",
            "refuses": (403, {}, {}),
            "nonsense": (200, {"Content-Type": "text/html"}, b"\xff<html>"),
        }
        for name, fault in faults.items():
            with self.subTest(name), FaultServer(default=fault) as server:
                tracker = tracker_of(server.url)
                times: List[float] = []
                for _ in range(2_000):
                    started = time.perf_counter()
                    tracker.record(EVENT)
                    times.append(time.perf_counter() - started)
                started = time.perf_counter()
                tracker.flush(0.05)
                flushed = time.perf_counter() - started
                print(f"{name}: record p50 {statistics.median(times) * 1e6:.0f} us, flush {flushed * 1e3:.0f} ms")
                self.assertLess(statistics.median(times), 0.001)
                self.assertLess(flushed, 1.0)


def wait_until(condition: Any, seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
