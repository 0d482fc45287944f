import { PAGE_SIZE_DEFAULT } from '../../schemas/page.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import type { DerivedKey } from '../shared/aws/derivedKey.store.ts';
import { unavailable } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { type CursorBinding, readCursor, writeCursor } from './cursor.ts';
import { type Reply, reply } from './reply.ts';

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** The start of a page: after the last item of the previous page, as of the start of the query (epoch milliseconds). */
export interface PageStart {
  readonly after: string | undefined;
  readonly asOf: number;
}

export interface PageRequest<Item> {
  readonly route: RouteShape;
  readonly query: PageQuery & Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly receivedAt: number;
  readonly cursorKey: DerivedKey;
  readonly readPage: (start: PageStart, limit: number) => Promise<Page<Item>>;
}

/** One page of a collection: at most `limit` items. It may be empty although more pages follow. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The position of the next page; null on the last page. */
  readonly resume: string | null;
}

/** Makes a page of the first `limit` items. The caller reads `limit + 1` items to learn whether more follow. */
export const toPage = <Item>(
  candidates: readonly Item[],
  limit: number,
  positionOf: (item: Item) => string,
): Page<Item> => {
  const items = candidates.slice(0, limit);
  const last = items.at(-1);
  return { items, resume: candidates.length > limit && last !== undefined ? positionOf(last) : null };
};

/**
 * Responds with one page and the cursor of the next. The cursor is bound to all query parameters except cursor and limit,
 * so it cannot be used with other filters or another sort order. Throws INVALID_CURSOR or TENANT_MISMATCH for a cursor
 * that is not valid here, and SERVICE_UNAVAILABLE if the cursor key cannot be derived.
 */
export const respondWithPage = async <Item>(paging: PageRequest<Item>): Promise<Reply> => {
  const { caller, receivedAt, route } = paging;
  const { cursor, limit = PAGE_SIZE_DEFAULT, ...selection } = paging.query;
  const binding: CursorBinding = {
    tenant: caller.tenant.tag,
    principal: caller.principal,
    operation: route.operation,
    selection: JSON.stringify(Object.entries(selection).sort()),
  };
  const key = await paging.cursorKey().catch((error: unknown) => {
    throw unavailable(error);
  });
  const position = cursor === undefined ? null : readCursor(cursor, binding, receivedAt, key);
  const asOf = position?.asOf ?? receivedAt;
  const { items, resume } = await paging.readPage({ after: position?.after, asOf }, limit);
  const next = resume === null ? null : writeCursor(binding, { after: resume, asOf }, receivedAt, key);
  return reply(200, {
    data: items,
    page: { next_cursor: next, limit, has_more: next !== null },
  });
};
