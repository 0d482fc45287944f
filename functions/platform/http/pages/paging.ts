import type { FieldError } from '../../../../schemas/fieldError.ts';
import { PAGE_SIZE_DEFAULT } from '../../../../schemas/page.ts';
import type { RouteShape } from '../../../../schemas/routes/route.ts';
import type { DerivedKey } from '../../shared/aws/derivedKey.aws.ts';
import type { DocumentRange } from '../../shared/aws/document.store.ts';
import { ulidInId } from '../../shared/ids.ts';
import type { Caller } from '../../tenancy/caller.ts';
import { type Reply, reply } from '../reply.ts';
import { type CursorBinding, readCursor, writeCursor } from './cursor.ts';

interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** The start of a page: after the last item of the previous page, as of the start of the query (epoch milliseconds). */
export interface PageStart {
  readonly after: string | undefined;
  readonly asOf: number;
}

/** The call of a list operation. */
export interface ListCall {
  readonly query: PageQuery & Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly receivedAt: number;
  readonly stores: { readonly cursorKey: DerivedKey };
}

type PageReader<Item> = (start: PageStart, limit: number) => Promise<Page<Item>>;

/** One page of a collection: at most `limit` items. It may be empty although more pages follow. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The position of the next page; null on the last page. */
  readonly resume: string | null;
  /** What the query names and nothing has. Absent where it is not looked for. */
  readonly warnings?: readonly FieldError[];
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

/** A page of the newest items. `read` returns items of a partition in the order of the ULIDs in their ids. */
export const readNewest = async <Item>(
  read: (range: DocumentRange) => Promise<readonly Item[]>,
  { after }: PageStart,
  limit: number,
  idOf: (item: Item) => string,
): Promise<Page<Item>> => {
  const items = await read({ after, descending: true, limit: limit + 1 });
  return toPage(items, limit, (item) => ulidInId(idOf(item)));
};

/**
 * Responds with one page and the cursor of the next. The cursor is bound to all query parameters except cursor and limit,
 * so it cannot be used with other filters or another sort order. Throws INVALID_CURSOR or TENANT_MISMATCH for a cursor
 * that is not valid here.
 */
export const respondWithPage = async <Item>(
  route: RouteShape,
  { query, caller, receivedAt, stores }: ListCall,
  readPage: PageReader<Item>,
): Promise<Reply> => {
  const { cursor, limit = PAGE_SIZE_DEFAULT, ...selection } = query;
  const binding: CursorBinding = {
    tenant: caller.tenant.tag,
    lane: caller.residency,
    connector: caller.connector?.name ?? null,
    operation: route.operation,
    selection: JSON.stringify(Object.entries(selection).sort()),
  };
  const key = await stores.cursorKey();
  const position = cursor === undefined ? null : readCursor(cursor, binding, receivedAt, key);
  const asOf = position?.asOf ?? receivedAt;
  const { items, resume, warnings } = await readPage({ after: position?.after, asOf }, limit);
  const next = resume === null ? null : writeCursor(binding, { after: resume, asOf }, receivedAt, key);
  return reply(200, {
    data: items,
    page: { next_cursor: next, limit, has_more: next !== null },
    ...(warnings !== undefined && { warnings }),
  });
};
