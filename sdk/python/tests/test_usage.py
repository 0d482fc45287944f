from __future__ import annotations

import json
import pathlib
import unittest
import zlib
from typing import Any, Dict

from inference_attribution.litellm import event_of, is_model_call
from inference_attribution.usage import UsageReader

try:
    import httpx
except ImportError:
    httpx = None  # type: ignore[assignment]

CHAT = {
    "id": "chatcmpl-1",
    "model": "gpt-4o-2024-08-06",
    "service_tier": "default",
    "choices": [{"message": {"content": "a secret answer"}}],
    "usage": {
        "prompt_tokens": 120,
        "completion_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 100},
        "completion_tokens_details": {"reasoning_tokens": 10},
    },
}
CHAT_MEMBERS = {
    "input_tokens": 120,
    "output_tokens": 30,
    "cached_input_tokens": 100,
    "reasoning_tokens": 10,
    "served_model": "gpt-4o-2024-08-06",
    "service_tier": "default",
}


def read(data: bytes, content_type: str = "application/json", encoding: str = "", step: int = 7) -> Dict[str, Any]:
    reader = UsageReader(content_type, encoding)
    for start in range(0, len(data), step):
        reader.feed(data[start : start + step])
    return reader.finish()


def stream(*events: Any) -> bytes:
    return b"".join(b"event: x\ndata: " + json.dumps(event).encode() + b"\n\n" for event in events)


class Usage(unittest.TestCase):
    def test_of_openai_chat_completions(self) -> None:
        body = json.dumps(CHAT).encode()
        self.assertEqual(read(body), CHAT_MEMBERS)
        packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
        self.assertEqual(read(packer.compress(body) + packer.flush(), encoding="gzip"), CHAT_MEMBERS)

    def test_of_an_openai_stream(self) -> None:
        chunk = {"id": "1", "model": "gpt-4o", "choices": [{"delta": {"content": "hi"}}], "usage": None}
        last = {"id": "1", "model": "gpt-4o", "choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
        members = read(stream(chunk, chunk, last) + b"data: [DONE]\n\n", "text/event-stream; charset=utf-8")
        self.assertEqual((members["input_tokens"], members["output_tokens"]), (5, 2))
        self.assertEqual(members["served_model"], "gpt-4o")
        self.assertEqual(read(stream(chunk), "text/event-stream"), {})

    def test_of_openai_responses(self) -> None:
        usage = {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 3}
        done = {"type": "response.completed", "response": {"model": "gpt-5", "usage": usage}}
        members = read(stream({"type": "response.created", "response": {"model": "gpt-5"}}, done), "text/event-stream")
        self.assertEqual(members["input_tokens"], 9)
        self.assertEqual(members["cached_input_tokens"], 4)
        self.assertEqual(members["served_model"], "gpt-5")

    def test_of_anthropic_counts_cached_tokens_as_input(self) -> None:
        usage = {"input_tokens": 18, "cache_creation_input_tokens": 7502, "cache_read_input_tokens": 100}
        start = {"type": "message_start", "message": {"model": "claude-sonnet-4-5", "usage": {**usage, "output_tokens": 1}}}
        members = read(stream(start, {"type": "message_delta", "usage": {"output_tokens": 386}}), "text/event-stream")
        self.assertEqual(members["input_tokens"], 7620)
        self.assertEqual(members["cache_write_tokens"], 7502)
        self.assertEqual(members["cached_input_tokens"], 100)
        self.assertEqual(members["output_tokens"], 386)

    def test_names_each_count_that_sets_a_price_once(self) -> None:
        """A count becomes a member of the event, or its name is sent, so that the cost is no exact one without it."""
        input_details = ("cached_tokens", "audio_tokens", "image_tokens", "cache_write_tokens", "tokens_of_tomorrow")
        fields = [("prompt_tokens_details", name) for name in input_details]
        fields += [("completion_tokens_details", name) for name in ("reasoning_tokens", "audio_tokens", "image_tokens")]
        fields += [("server_tool_use", name) for name in ("web_search_requests", "requests_of_tomorrow")]
        fields += [("cache_creation", "ephemeral_1h_input_tokens"), ("citation_tokens", ""), ("num_search_queries", "")]
        for name, part in fields:
            with self.subTest(f"{name}.{part}"):
                usage = {"prompt_tokens": 10, "completion_tokens": 9, name: {part: 7} if part else 7}
                members = read(json.dumps({"usage": usage}).encode())
                others = set(members) - {"input_tokens", "output_tokens"}
                self.assertEqual(len(others), 1, members)
        contained = {"total_tokens": 19, "prompt_tokens_details": {"text_tokens": 10}, "cost": 0}
        usage = {"prompt_tokens": 10, "completion_tokens": 9, **contained}
        self.assertEqual(read(json.dumps({"usage": usage}).encode()), {"input_tokens": 10, "output_tokens": 9})

    def test_of_a_fast_call_whose_data_stay_in_an_area(self) -> None:
        usage = {"input_tokens": 1, "output_tokens": 1, "speed": "fast", "inference_geo": "us", "service_tier": "standard"}
        members = read(json.dumps({"usage": usage}).encode())
        self.assertEqual((members["service_tier"], members["region"]), ("fast", "us"))

    def test_of_answers_that_sdks_have_recorded(self) -> None:
        recorded = pathlib.Path(__file__).with_name("recorded_answers.json").read_text()
        for answer in json.loads(recorded):
            with self.subTest(answer["name"]):
                members = read(stream(*answer["events"]), "text/event-stream")
                for name, value in answer["expect"].items():
                    self.assertEqual(members.get(name), value, name)
                self.assertFalse(set(answer["absent"]) & set(members), members)

    def test_of_the_frames_of_a_stream_of_amazon_bedrock(self) -> None:
        metadata = {"metrics": {"latencyMs": 3}, "usage": {"inputTokens": 9, "outputTokens": 2, "cacheReadInputTokens": 4}}
        frames = b"".join(
            b"\x00\x00\x00\x99\x00\x00\x00\x52:event-type\x07\x00\x10" + json.dumps(frame).encode() + b"\xde\xad\xbe\xef"
            for frame in ({"delta": {"text": "a {secret} answer"}}, metadata)
        )
        members = read(frames, "application/vnd.amazon.eventstream")
        self.assertEqual((members["input_tokens"], members["cached_input_tokens"]), (13, 4))

    def test_is_empty_for_anything_else(self) -> None:
        for body in (b"", b"{", b"[]", b'{"usage": 3}', b"\xff\xfe", b'{"usage": {}}'):
            with self.subTest(body):
                self.assertEqual(read(body), {})
        self.assertEqual(read(b"x", encoding="br"), {})
        self.assertEqual(read(b"not gzip", encoding="gzip"), {})
        self.assertEqual(read(b"<html>", "text/html"), {})


# As the service derives it from the response id chatcmpl-0123456789.
EVENT_ID = "f43c6fb1-396c-cf21-a695-3eb87e29a5f9"


class LiteLLM(unittest.TestCase):
    def test_maps_the_logging_payload_and_reads_no_content(self) -> None:
        payload = {
            "id": "chatcmpl-0123456789",
            "call_type": "acompletion",
            "custom_llm_provider": "anthropic",
            "model": "claude-sonnet-4-5",
            "model_group": "sonnet",
            "prompt_tokens": 120,
            "completion_tokens": 30,
            "response_cost": 0.00081,
            "startTime": 1_800_000_000.5,
            "messages": [{"content": "a secret prompt"}],
            "metadata": {
                "user_api_key_user_id": "ann",
                "user_api_key_team_alias": "search",
                "usage_object": {"cache_read_input_tokens": 40},
            },
        }
        event = event_of(payload)
        self.assertEqual(event["event_id"], EVENT_ID)
        self.assertNotEqual(event_of({**payload, "id": "1"})["event_id"], event_of({**payload, "id": "1"})["event_id"])
        self.assertNotIn("secret", json.dumps(event))
        expected = {
            "ingestion_layer": "gateway",
            "source_system": "litellm",
            "operation": "chat",
            "provider": "anthropic",
            "requested_model": "sonnet",
            "served_model": "claude-sonnet-4-5",
            "estimated_cost_usd": "0.00081",
            "cached_input_tokens": 40,
            "attributed_identity": "search",
            "end_user": "ann",
            "attributed_service": "search",
            "occurred_at": "2027-01-15T08:00:00.500Z",
        }
        self.assertEqual({name: event.get(name) for name in expected}, expected)
        self.assertEqual(event_of({**payload, "end_user": "customer-1"})["end_user"], "customer-1")
        self.assertNotIn("estimated_cost_usd", event_of({**payload, "response_cost_failure_debug_info": {"e": 1}}))

    def test_records_calls_of_models_only_and_a_batch_when_it_has_usage(self) -> None:
        calls = [
            ("acompletion", 0, True),
            ("call_mcp_tool", 0, False),
            ("acreate_file", 0, False),
            ("aretrieve_batch", 0, False),
            ("aretrieve_batch", 90_000, True),
            ("aget_responses", 90_000, False),
            ("adelete_responses", 0, False),
            ("alist_input_items", 0, False),
            ("avideo_status", 0, False),
            ("a_type_of_tomorrow", 90_000, False),
            ("aimage_generation", 0, True),
            ("arerank", 0, True),
        ]
        for call_type, tokens, expected in calls:
            payload = {"call_type": call_type, "prompt_tokens": tokens, "completion_tokens": 0}
            self.assertEqual(is_model_call(payload), expected, call_type)
        self.assertTrue(event_of({"id": "batch_0123456789", "call_type": "aretrieve_batch"})["batch"])


@unittest.skipIf(httpx is None, "httpx is not installed")
class Httpx(unittest.TestCase):
    def test_records_a_call_and_hands_the_response_on_unchanged(self) -> None:
        from inference_attribution.httpx_transport import TrackedTransport

        recorded: list = []

        class Recorder:
            def record(self, event: Any) -> None:
                recorded.append(event())

        def answer(request: Any) -> Any:
            bodies = {"/v1/models": (200, {"data": []}), "/fails": (500, {"error": "x"})}
            status, body = bodies.get(request.url.path, (200, CHAT))
            # A stream, as a network connection has.
            stream = httpx.ByteStream(json.dumps(body).encode())
            return httpx.Response(status, headers={"content-type": "application/json"}, stream=stream)

        transport = TrackedTransport(Recorder(), httpx.MockTransport(answer), {"attributed_service": "search"})  # type: ignore[arg-type]
        with httpx.Client(transport=transport, base_url="https://api.openai.com") as client:
            reply = client.post("/v1/chat/completions", json={"model": "gpt-4o", "messages": []})
            client.get("/v1/models")
            client.post("/fails", json={"model": "gpt-4o"})

        self.assertEqual(reply.json(), CHAT)
        self.assertEqual(len(recorded), 1)
        members = {**CHAT_MEMBERS, "provider": "openai", "requested_model": "gpt-4o", "attributed_service": "search"}
        self.assertEqual({name: recorded[0].get(name) for name in members}, members)

    def test_takes_the_model_of_a_body_that_names_none_from_the_deployment(self) -> None:
        from inference_attribution.httpx_transport import _requested

        for body, model in [({}, "chat eu"), ({"model": ""}, "chat eu"), ({"model": "gpt-4o"}, "gpt-4o")]:
            url = "https://my-resource.openai.azure.com/openai/deployments/chat%20eu/chat/completions"
            self.assertEqual(_requested(httpx.Request("POST", url, json=body)), {"requested_model": model})
        self.assertIsNone(_requested(httpx.Request("POST", "https://api.openai.com/v1/files", json={})))

    def test_takes_the_model_of_a_form_and_of_a_path_and_counts_the_characters_of_speech(self) -> None:
        from inference_attribution.httpx_transport import _requested

        api, gemini = "https://api.openai.com/v1", "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash"
        form = httpx.Request("POST", f"{api}/audio/transcriptions", files={"file": b"x"}, data={"model": "whisper-1"})
        self.assertEqual(_requested(form), {"requested_model": "whisper-1"})
        form.read()
        self.assertEqual(_requested(form), {"requested_model": "whisper-1"})
        for path in ("generateContent", "streamGenerateContent"):
            asked = _requested(httpx.Request("POST", f"{gemini}:{path}", json={}))
            self.assertEqual(asked, {"requested_model": "gemini-2.5-flash"})
        speech = httpx.Request("POST", f"{api}/audio/speech", json={"model": "tts-1", "input": "hello"})
        self.assertEqual(_requested(speech), {"requested_model": "tts-1", "characters": 5})
        for path in ("messages/count_tokens", "moderations", "fine_tuning/jobs", "realtime/sessions"):
            self.assertIsNone(_requested(httpx.Request("POST", f"{api}/{path}", json={"model": "m"})), path)

    def test_says_which_calls_failed_or_were_not_read_to_their_end(self) -> None:
        from inference_attribution.httpx_transport import TrackedTransport

        recorded: list = []

        class Recorder:
            def record(self, event: Any) -> None:
                recorded.append(event())

        def answer(request: Any) -> Any:
            status = 500 if request.url.path == "/fails" else 200
            body = httpx.ByteStream(stream({"usage": {"prompt_tokens": 5, "completion_tokens": 0}}))
            return httpx.Response(status, headers={"content-type": "text/event-stream"}, stream=body)

        transport = TrackedTransport(Recorder(), httpx.MockTransport(answer))  # type: ignore[arg-type]
        with httpx.Client(transport=transport, base_url="https://api.openai.com") as client:
            client.post("/fails", json={"model": "gpt-4o"})
            with client.stream("POST", "/aborted", json={"model": "gpt-4o"}):
                pass
            client.post("/read", json={"model": "gpt-4o"})
        self.assertEqual([event.get("status") for event in recorded], ["error", "incomplete", None])
