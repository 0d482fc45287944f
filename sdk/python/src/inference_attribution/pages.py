"""Lists that follow cursors. The retries of the client hold for each page."""
from __future__ import annotations

from typing import Any, AsyncIterator, Generic, Iterator, Optional, TypeVar, cast

from .request import Request
from .transport import AsyncTransport, Transport

PageType = TypeVar("PageType")
ItemType = TypeVar("ItemType")


def _next(request: Request, page: Any) -> Optional[Request]:
    cursor = page["page"]["next_cursor"]
    if cursor is None:
        return None
    query = {**(request.query or {}), "cursor": cursor}
    return Request(
        request.method,
        request.path,
        query=query,
        body=request.body,
        idempotency_key=request.idempotency_key,
        is_public=request.is_public,
        timeout=request.timeout,
    )


class Pages(Generic[PageType, ItemType]):
    """Iterates over all items. `first()` reads only the first page, `pages()` iterates over pages."""

    def __init__(self, transport: Transport, request: Request) -> None:
        self._transport = transport
        self._request = request

    def first(self) -> PageType:
        return cast(PageType, self._transport.send(self._request))

    def pages(self) -> Iterator[PageType]:
        request: Optional[Request] = self._request
        while request is not None:
            page = self._transport.send(request)
            yield cast(PageType, page)
            request = _next(request, page)

    def __iter__(self) -> Iterator[ItemType]:
        for page in self.pages():
            yield from cast(Any, page)["data"]


class AsyncPages(Generic[PageType, ItemType]):
    """Iterates over all items with `async for`. `await first()` reads only the first page."""

    def __init__(self, transport: AsyncTransport, request: Request) -> None:
        self._transport = transport
        self._request = request

    async def first(self) -> PageType:
        return cast(PageType, await self._transport.send(self._request))

    async def pages(self) -> AsyncIterator[PageType]:
        request: Optional[Request] = self._request
        while request is not None:
            page = await self._transport.send(request)
            yield cast(PageType, page)
            request = _next(request, page)

    async def __aiter__(self) -> AsyncIterator[ItemType]:
        async for page in self.pages():
            for item in cast(Any, page)["data"]:
                yield item
