import { DAY_MS } from '../../../../schemas/durations.ts';
import type { DocumentRange } from '../../shared/aws/document.store.ts';
import { ulidInId } from '../../shared/ids.ts';
import { timeOfUlid, ulidTime } from '../../shared/ulid.ts';
import { type Page, toPage } from './paging.ts';

/** A page examines at most this many rows for each one requested, so that a rare filter cannot make it read all rows. */
const EXAMINED_FACTOR = 4;
/** Limits the reads of a page over partitions without rows. */
const READS_MAXIMUM = 24;
/** Sorts after every ULID of the same millisecond. */
const LAST = '~';

/** A time range in epoch milliseconds, both ends inclusive. */
export interface InstantRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The end of a list up to `now`. A clock that was ahead may have named rows with later times, and no list must hide what was
 * acknowledged. A month: more than a clock is ahead before anybody notices.
 */
export const endOfList = (now: number): number => now + 31 * DAY_MS;

/** The position before the first row at an instant or, when descending, after the last one. */
export const positionAt = (instant: number, descending: boolean): string =>
  descending ? ulidTime(instant) + LAST : ulidTime(instant);

/** Rows with ids that end in a ULID, and the position of the next read; null at the end of the rows. */
interface Chunk<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface FilteredQuery<Row> extends InstantRange {
  readonly descending: boolean;
  /** The `resume` of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly matches: (row: Row) => boolean;
}

/**
 * A page of the matching rows of a time range, in ULID order. `read` returns the rows after a position. The number of reads
 * is bounded for every filter, so a page may have fewer items than `limit` although more pages follow.
 */
export const readFilteredPage = async <Row extends { readonly id: string }>(
  read: (range: DocumentRange & { readonly after: string }) => Promise<Chunk<Row>>,
  { from, to, descending, after, limit, matches }: FilteredQuery<Row>,
): Promise<Page<Row>> => {
  if (from > to) return { items: [], resume: null };
  // One more than requested shows whether there is another page.
  const wanted = limit + 1;
  const matched: Row[] = [];
  let examined = 0;
  let position = after ?? positionAt(descending ? to : from, descending);
  for (let reads = 0; reads < READS_MAXIMUM && examined < EXAMINED_FACTOR * wanted; reads += 1) {
    const { rows, next } = await read({ after: position, descending, limit: wanted });
    for (const row of rows) {
      const time = timeOfUlid(ulidInId(row.id));
      if (time < from || time > to) return toPage(matched, limit, ({ id }) => ulidInId(id));
      if (matches(row)) matched.push(row);
      if (matched.length === wanted) return toPage(matched, limit, ({ id }) => ulidInId(id));
    }
    if (next === null) return toPage(matched, limit, ({ id }) => ulidInId(id));
    examined += rows.length;
    position = next;
  }
  return { items: matched, resume: position };
};

/** A {@link readFilteredPage} of the rows of one partition. */
export const readPartitionPage = <Row extends { readonly id: string }>(
  list: (range: DocumentRange) => Promise<readonly Row[]>,
  query: FilteredQuery<Row>,
): Promise<Page<Row>> =>
  readFilteredPage(async (range) => {
    const rows = await list(range);
    const last = rows.at(-1);
    return { rows, next: last === undefined || rows.length < range.limit ? null : ulidInId(last.id) };
  }, query);
