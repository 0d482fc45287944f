"""How a client authenticates: an API key, a token, or the id and secret of an OAuth client."""
from __future__ import annotations

import base64
import threading
import time
from typing import Callable, Dict, Optional, Protocol, Union
from urllib.parse import quote

# Renewed this long before the token expires, so that no request carries a token that expires on its way.
_RENEW_EARLY = 60.0


class Credential(Protocol):
    """Adds headers to requests. `renew` is called once after a 401; it returns whether another attempt may help."""

    def headers(self) -> Dict[str, str]: ...

    def renew(self, used: Dict[str, str]) -> bool: ...


class ApiKey:
    def __init__(self, key: str) -> None:
        self._key = key

    def headers(self) -> Dict[str, str]:
        return {"X-API-Key": self._key}

    def renew(self, used: Dict[str, str]) -> bool:
        return False


class Token:
    """A bearer token, or a function that returns the current one."""

    def __init__(self, token: Union[str, Callable[[], str]]) -> None:
        self._token = token

    def headers(self) -> Dict[str, str]:
        token = self._token() if callable(self._token) else self._token
        return {"Authorization": f"Bearer {token}"}

    def renew(self, used: Dict[str, str]) -> bool:
        return callable(self._token) and self.headers() != used


class ClientCredentials:
    """Requests tokens with the id and secret of an OAuth client. Parallel calls share one request for a token."""

    def __init__(
        self,
        client_id: str,
        client_secret: str,
        request_token: Callable[[Dict[str, str]], Dict[str, object]],
        scope: Optional[str] = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        pair = f"{quote(client_id, safe='')}:{quote(client_secret, safe='')}"
        self._basic = "Basic " + base64.b64encode(pair.encode()).decode()
        self._request_token = request_token
        self._scope = scope
        self._now = now
        self._lock = threading.Lock()
        self._header: Optional[str] = None
        self._renew_at = 0.0

    @property
    def basic(self) -> str:
        """The header of the token request (RFC 6749, section 2.3.1)."""
        return self._basic

    def headers(self) -> Dict[str, str]:
        with self._lock:
            if self._header is None or self._now() >= self._renew_at:
                self._header = self._request()
            return {"Authorization": self._header}

    def renew(self, used: Dict[str, str]) -> bool:
        with self._lock:
            # Another thread may have renewed it already.
            if self._header == used.get("Authorization"):
                self._header = None
        return True

    def _request(self) -> str:
        form = {"grant_type": "client_credentials"}
        if self._scope is not None:
            form["scope"] = self._scope
        asked_at = self._now()
        answer = self._request_token(form)
        lifetime = float(str(answer["expires_in"]))
        self._renew_at = asked_at + max(lifetime - _RENEW_EARLY, lifetime / 2)
        return f"Bearer {answer['access_token']}"
