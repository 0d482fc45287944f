"""How a client authenticates: an API key, a token, or the id and secret of an OAuth client."""
from __future__ import annotations

import base64
import re
import threading
import time
from typing import Callable, Dict, Optional, Protocol, Union
from urllib.parse import quote

from .errors import ConfigurationError

_VISIBLE = re.compile(r"[!-~]+\Z")

# Renewed this long before the token expires, so that no request carries a token that expires on its way.
_RENEW_EARLY = 60.0


def checked(name: str, value: object) -> str:
    """The value without the line break of the file that it comes from. An error does not contain it.

    Raises ConfigurationError for one that is missing, empty, as of an environment variable that is not set, or that no
    header can hold.
    """
    text = value.strip() if isinstance(value, str) else ""
    if _VISIBLE.match(text):
        return text
    raise ConfigurationError(f"{name} is empty, or has other characters than visible ASCII")


class Credential(Protocol):
    """Adds headers to requests. `renew` is called once after a 401; it returns whether another attempt may help."""

    def headers(self) -> Dict[str, str]: ...

    def renew(self, used: Dict[str, str]) -> bool: ...


class ApiKey:
    def __init__(self, key: str) -> None:
        self._key = checked("api_key", key)

    def headers(self) -> Dict[str, str]:
        return {"X-API-Key": self._key}

    def renew(self, used: Dict[str, str]) -> bool:
        return False


class Token:
    """A bearer token, or a function that returns the current one."""

    def __init__(self, token: Union[str, Callable[[], str]]) -> None:
        self._token = token if callable(token) else checked("token", token)

    def headers(self) -> Dict[str, str]:
        token = checked("token", self._token()) if callable(self._token) else self._token
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
        parts = (checked("client_id", client_id), checked("client_secret", client_secret))
        pair = ":".join(quote(part, safe="") for part in parts)
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
