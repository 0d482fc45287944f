from __future__ import annotations

import base64
import threading
import unittest
from typing import Any, Dict, List

from inference_attribution import ApiError, AsyncClient, Client, ConfigurationError
from inference_attribution.credentials import ClientCredentials

from .fault_server import FaultServer, Seen


def expired() -> Any:
    return (401, {}, {"error_code": "EXPIRED", "detail": "expired"})


class Configuration(unittest.TestCase):
    def test_refuses_a_credential_that_is_missing_empty_or_not_visible(self) -> None:
        for value in (None, "", " ", "\n", "two words"):
            for given in (
                {},
                {"api_key": value},
                {"token": value},
                {"client_id": value, "client_secret": "secret"},
                {"client_id": "id", "client_secret": value},
                {"api_key": "key", "scope": "read:reporting"},
            ):
                for kind in (Client, AsyncClient):
                    with self.subTest(given=given, kind=kind), self.assertRaises(ConfigurationError):
                        kind("https://api.example.com", **given)
            with FaultServer() as server, self.assertRaises(ConfigurationError):
                Client(server.url, token=lambda: value).get_tenant()

    def test_takes_a_path_and_each_spelling_of_this_machine(self) -> None:
        for url in ("https://api.example.com/a/", "http://127.0.0.1:3000", "http://[::1]:3000", "http://localhost"):
            self.assertFalse(Client(url, anonymous=True)._transport.base_url.endswith("/"))


class Tokens(unittest.TestCase):
    def test_requests_one_token_for_parallel_calls(self) -> None:
        def answer(seen: Seen) -> Any:
            if seen.path == "/v1/oauth/token":
                return (200, {}, {"access_token": "first", "expires_in": 900})
            return (200, {}, {"auth": seen.headers["authorization"]})

        with FaultServer(answer=answer) as server:
            client = Client(server.url, client_id="id", client_secret="s/cret")
            results: List[Any] = []
            threads = [threading.Thread(target=lambda: results.append(client.get_tenant())) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        tokens = [seen for seen in server.seen if seen.path == "/v1/oauth/token"]
        self.assertEqual(len(tokens), 1)
        self.assertEqual(tokens[0].body, b"grant_type=client_credentials")
        basic = base64.b64decode(tokens[0].headers["authorization"].split()[1])
        self.assertEqual(basic, b"id:s%2Fcret")
        self.assertEqual(results, [{"auth": "Bearer first"}] * 8)

    def test_requests_the_scopes_that_are_asked_for(self) -> None:
        def answer(seen: Seen) -> Any:
            return (200, {}, {"access_token": "first", "expires_in": 900})

        with FaultServer(answer=answer) as server:
            Client(server.url, client_id="id", client_secret="secret", scope="read:reporting").get_tenant()
        self.assertEqual(server.seen[0].body, b"grant_type=client_credentials&scope=read%3Areporting")

    def test_renews_once_after_a_401(self) -> None:
        issued: List[str] = []

        def answer(seen: Seen) -> Any:
            if seen.path == "/v1/oauth/token":
                issued.append(f"token{len(issued) + 1}")
                return (200, {}, {"access_token": issued[-1], "expires_in": 900})
            return (200, {}, {}) if seen.headers["authorization"] == "Bearer token2" else expired()

        with FaultServer(answer=answer) as server:
            Client(server.url, client_id="id", client_secret="secret").get_tenant()
        self.assertEqual(issued, ["token1", "token2"])

        with FaultServer([(200, {}, {"access_token": "x", "expires_in": 9})] * 0, default=expired()) as server:
            with self.assertRaises(ApiError):
                Client(server.url, token=lambda: "same").get_tenant()
        self.assertEqual(len(server.seen), 1)

    def test_takes_the_current_token_of_a_function(self) -> None:
        tokens = iter(["old", "new", "new"])

        def answer(seen: Seen) -> Any:
            return (200, {}, {}) if seen.headers["authorization"] == "Bearer new" else expired()

        with FaultServer(answer=answer) as server:
            Client(server.url, token=lambda: next(tokens)).get_tenant()
        self.assertEqual(len(server.seen), 2)

    def test_renews_before_the_token_expires(self) -> None:
        time = [0.0]
        asked: List[Dict[str, str]] = []

        def request_token(form: Dict[str, str]) -> Dict[str, object]:
            asked.append(form)
            return {"access_token": f"token{len(asked)}", "expires_in": 900}

        credential = ClientCredentials("id", "secret", request_token, now=lambda: time[0])
        first = credential.headers()
        time[0] = 839.0
        self.assertEqual(credential.headers(), first)
        time[0] = 840.0
        self.assertEqual(credential.headers(), {"Authorization": "Bearer token2"})

    def test_refuses_two_credentials(self) -> None:
        for given in ({"api_key": "key", "token": "token"}, {"client_id": "id"}, {"api_key": "key", "anonymous": True}):
            with self.subTest(given=given), self.assertRaises(ConfigurationError):
                Client("http://localhost", **given)  # type: ignore[arg-type]

    def test_sends_no_credential_to_public_routes(self) -> None:
        with FaultServer() as server:
            Client(server.url, api_key="key").get_health()
        self.assertNotIn("x-api-key", server.seen[0].headers)
