import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import * as z from 'zod';
import { batchGet } from '../../shared/aws/batches/batchGet.store.ts';
import { batchedPut } from '../../shared/aws/batches/batchPut.store.ts';

const Row = z.record(z.string(), z.unknown());
const Rows = z.array(Row);

/** A computed answer: its rows in order, and the members that every page repeats. */
export interface Result {
  readonly rows: readonly object[];
  readonly envelope: object;
}

/** The tenant of a result, and the rights for which it was computed. It is found under both only. */
export interface ResultOwner {
  readonly tenantId: string;
  readonly rights: string;
}

/** The rows of a page, and when it is read (epoch milliseconds). */
interface PageOfResult {
  readonly from: number;
  readonly limit: number;
  readonly now: number;
}

export interface ResultStore {
  /** Stores a result until `expires` (epoch milliseconds) and returns its id. */
  readonly keep: (owner: ResultOwner, result: Result, expires: number) => Promise<string>;
  /** The rows of a page and the number of all rows. Null if there is no such result, or not all of these rows. */
  readonly read: (
    owner: ResultOwner,
    id: string,
    page: PageOfResult,
  ) => Promise<(Result & { readonly size: number }) | null>;
}

/** Rows of one item. The longest rows with incompressible names take half of the 400 KB that an item may have. */
const CHUNK_ROWS = 100;
/** Items that are compressed and written at once: four calls of BatchWriteItem. */
const ITEMS_AT_ONCE = 100;
/** The sort key of the item with the envelope. Those of rows are numbers. */
const HEAD = 'head';

const chunkKey = (chunk: number): string => String(chunk).padStart(6, '0');
const pack = (value: unknown): AttributeValue => ({ B: deflateRawSync(JSON.stringify(value)) });
const unpack = <Shape extends z.ZodType>(shape: Shape, packed: AttributeValue | undefined): z.infer<Shape> =>
  shape.parse(JSON.parse(inflateRawSync(packed?.B ?? new Uint8Array()).toString('utf8')));

/** The results of reports, for as long as their pages are read. `newId` must be unique. */
export const resultStore = (table: string, newId: () => string): ResultStore => {
  const put = batchedPut(table, ({ pk, sk }) => JSON.stringify([pk?.S, sk?.S]));
  const partitionOf = (tenantId: string, id: string): AttributeValue => ({ S: `${tenantId}#${id}` });

  return {
    keep: async ({ tenantId, rights }, { rows, envelope }, expires) => {
      const id = newId();
      const common = { pk: partitionOf(tenantId, id), ttl: { N: String(Math.ceil(expires / 1_000)) } };
      const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK_ROWS) }, (_, chunk) => chunk);
      await put({
        ...common,
        sk: { S: HEAD },
        rights: { S: rights },
        size: { N: String(rows.length) },
        expires: { N: String(expires) },
        result: pack(envelope),
      });
      await pMap(
        chunks,
        (chunk) => {
          const start = chunk * CHUNK_ROWS;
          const result = pack(rows.slice(start, start + CHUNK_ROWS));
          return put({ ...common, sk: { S: chunkKey(chunk) }, result });
        },
        { concurrency: ITEMS_AT_ONCE },
      );
      return id;
    },
    read: async ({ tenantId, rights }, id, { from, limit, now }) => {
      const pk = partitionOf(tenantId, id);
      const first = Math.floor(from / CHUNK_ROWS);
      const last = Math.floor((from + limit - 1) / CHUNK_ROWS);
      const keys = Array.from({ length: last - first + 1 }, (_, index) => chunkKey(first + index));
      const items = await batchGet(
        table,
        [HEAD, ...keys].map((sk) => ({ pk, sk: { S: sk } })),
        { isConsistent: true },
      );
      const byKey = new Map(items.map((item) => [item['sk']?.S, item]));
      const head = byKey.get(HEAD);
      if (head === undefined || head['rights']?.S !== rights || Number(head['expires']?.N) <= now)
        return null;
      const size = Number(head['size']?.N);
      const skipped = from - first * CHUNK_ROWS;
      const rows = keys
        .flatMap((key) => (byKey.has(key) ? unpack(Rows, byKey.get(key)?.['result']) : []))
        .slice(skipped, skipped + limit);
      // An erasure can have deleted some of the items.
      if (rows.length < Math.min(limit, size - from)) return null;
      return { rows, envelope: unpack(Row, head['result']), size };
    },
  };
};
