"""The clients: one with blocking calls, one for asyncio."""
from __future__ import annotations

from typing import Callable, Optional, Union

from .credentials import ApiKey, ClientCredentials, Credential, Token
from .errors import ConfigurationError
from .operations import AsyncOperations, Operations
from .transport import AsyncTransport, Send, Transport, send_once

_TIMEOUT = 30.0
_RETRIES = 3
_LONGEST_WAIT = 60.0


def _transport(
    base_url: str,
    api_key: Optional[str],
    token: Union[str, Callable[[], str], None],
    client_id: Optional[str],
    client_secret: Optional[str],
    scope: Optional[str],
    anonymous: bool,
    timeout: float,
    retries: int,
    longest_wait: float,
    send: Send,
) -> Transport:
    if (client_id is None) != (client_secret is None):
        raise ConfigurationError("Pass client_id and client_secret together")
    if scope is not None and client_id is None:
        raise ConfigurationError("Pass scope with client_id: other credentials have fixed scopes")
    if sum((api_key is not None, token is not None, client_id is not None, anonymous)) != 1:
        # Also for an environment variable that is not set: without a credential, every call would be refused.
        raise ConfigurationError("Pass one credential: api_key, token, client_id with client_secret, or anonymous=True")
    transport = Transport(base_url, None, timeout, retries, longest_wait, send)
    credential: Optional[Credential] = None
    if api_key is not None:
        credential = ApiKey(api_key)
    elif token is not None:
        credential = Token(token)
    elif client_id is not None and client_secret is not None:
        requested = ClientCredentials(
            client_id, client_secret, lambda form: transport.request_token(form, requested.basic), scope=scope
        )
        credential = requested
    transport.credential = credential
    return transport


class Client(Operations):
    """Calls the API. Safe to share between threads.

    Pass `api_key`, `token` (a string, or a function that returns the current token), or `client_id` with
    `client_secret`, and `scope` for fewer scopes than those of the client. `anonymous=True` is for public documents. `timeout` is in seconds and covers one attempt. `retries` is the number of further attempts.
    A `Retry-After` above `longest_wait` seconds raises at once instead of waiting.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: Optional[str] = None,
        token: Union[str, Callable[[], str], None] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        scope: Optional[str] = None,
        anonymous: bool = False,
        timeout: float = _TIMEOUT,
        retries: int = _RETRIES,
        longest_wait: float = _LONGEST_WAIT,
        send: Send = send_once,
    ) -> None:
        super().__init__(
            _transport(
                base_url, api_key, token, client_id, client_secret, scope, anonymous, timeout, retries, longest_wait, send
            )
        )


class AsyncClient(AsyncOperations):
    """Calls the API from asyncio. Takes the arguments of `Client`."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: Optional[str] = None,
        token: Union[str, Callable[[], str], None] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        scope: Optional[str] = None,
        anonymous: bool = False,
        timeout: float = _TIMEOUT,
        retries: int = _RETRIES,
        longest_wait: float = _LONGEST_WAIT,
        send: Send = send_once,
    ) -> None:
        super().__init__(
            AsyncTransport(
                _transport(
                    base_url, api_key, token, client_id, client_secret, scope, anonymous, timeout, retries, longest_wait, send
                )
            )
        )
