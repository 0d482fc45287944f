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

/** Where a page begins: behind the last item of the one before, read as of when its walk began (epoch milliseconds). */
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

/** Part of a collection in its order: at most as many items as were asked for, perhaps none though it goes on. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The place behind which the collection goes on; null at its end. */
  readonly resume: string | null;
}

/** The first `limit` of what was found, where one more was looked for than is shown. */
export const toPage = <Item>(
  found: readonly Item[],
  limit: number,
  placeOf: (item: Item) => string,
): Page<Item> => {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, resume: found.length > limit && last !== undefined ? placeOf(last) : null };
};

/**
 * One page of a collection, with the cursor that leads to the next. Everything in the query but cursor and limit
 * belongs to the walk: a cursor cannot be followed with other filters or another sort.
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
