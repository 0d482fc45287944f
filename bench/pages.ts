import * as z from 'zod';
import type { MeasuredService } from './service.ts';
import { latencies } from './statistics.ts';
import { type Row, type Table, table } from './table.ts';
import { BATCH, benchBody, measure, request } from './traffic.ts';
import { callRows, difference, sumOf } from './usage.ts';

const LIMIT = 50;
const STRIDE = 200;
const LOAD_BATCH = 200;

const Page = z.object({
  data: z.array(z.object({ id: z.string() })),
  page: z.object({ next_cursor: z.string().nullable() }),
});

/** Adds records until the reader's ledger holds so many. */
const fill = async ({ runtime, reader }: MeasuredService, have: number, want: number): Promise<void> => {
  const send = () => request(runtime.baseUrl + BATCH, reader.api_keys.ingest, benchBody(LOAD_BATCH));
  await measure((want - have) / LOAD_BATCH, 2, send);
  await runtime.idle();
};

/** The cursor behind the first `count` records of an order; none for the beginning. */
const cursorBehind = async (list: string, key: string, count: number): Promise<string> => {
  let cursor = '';
  for (let walked = 0; walked < count; ) {
    const limit = Math.min(STRIDE, count - walked);
    const { text } = await request(`${list}&limit=${limit}${cursor}`, key);
    const { next_cursor } = Page.parse(JSON.parse(text)).page;
    if (next_cursor === null) throw new Error(`the list ends before ${count} records`);
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    walked += limit;
  }
  return cursor;
};

/** Reads one address again and again, and counts what it takes. */
const readings = async (service: MeasuredService, url: string, repeats: number) => {
  const get = () => request(url, service.reader.api_keys.read);
  await get();
  const before = service.usage();
  const { results } = await measure(repeats, 1, get);
  return {
    used: difference(before, service.usage()),
    each: results.map(({ milliseconds }) => milliseconds),
  };
};

type Readings = Awaited<ReturnType<typeof readings>>;

const countsOf = ({ used, each }: Readings): Row => ({
  GetItem: sumOf(used, /GetItem/) / each.length,
  UpdateItem: sumOf(used, /UpdateItem/) / each.length,
  Query: sumOf(used, /Query/) / each.length,
  'read units': sumOf(used, /GetItem|Query/, 'capacity') / each.length,
  'write units': sumOf(used, /UpdateItem/, 'capacity') / each.length,
  ...latencies(each),
});

const pagesAt = async (service: MeasuredService, records: number, repeats: number): Promise<Row[]> => {
  const key = service.reader.api_keys.read;
  const rows: Row[] = [];
  for (const [order, sort] of [
    ['newest first', '-occurred_at'],
    ['oldest first', 'occurred_at'],
  ] as const) {
    const list = `${service.runtime.baseUrl}/v1/attribution?sort=${sort}`;
    for (const [page, behind] of [
      ['first', 0],
      ['middle', records / 2],
      ['last', records - LIMIT],
    ] as const) {
      const url = `${list}&limit=${LIMIT}${await cursorBehind(list, key, behind)}`;
      rows.push({ records, order, page, ...countsOf(await readings(service, url, repeats)) });
    }
  }
  return rows;
};

/** Reads of a page of the list as the ledger grows to each size, at both ends, in the middle and both ways; and of a record. */
export const benchPages = async (
  service: MeasuredService,
  sizes: readonly number[],
  repeats: number,
): Promise<Table[]> => {
  const rows: Row[] = [];
  let have = 0;
  for (const size of sizes) {
    await fill(service, have, size);
    have = size;
    rows.push(...(await pagesAt(service, size, repeats)));
  }
  const { baseUrl } = service.runtime;
  const newest = await request(`${baseUrl}/v1/attribution?limit=1`, service.reader.api_keys.read);
  const id = Page.parse(JSON.parse(newest.text)).data[0]?.id ?? '';
  const detail = await readings(service, `${baseUrl}/v1/attribution/${id}`, 3 * repeats);
  return [
    table(
      `A page of the list, ${LIMIT} records: AWS calls, capacity units and latency`,
      rows,
      'GetItem reads the credential, every time, and the tenant, every 5 seconds; UpdateItem charges the rate limit.',
    ),
    table('One record: AWS calls and capacity units', callRows(detail.used, detail.each.length)),
    table('One record: latency', [{ records: have, ...latencies(detail.each) }]),
  ];
};
