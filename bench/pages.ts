import * as z from 'zod';
import { ledgerLoader, RARE_OWNER, type SampleIds, TRACE } from './ledgerLoader.ts';
import { rebuildRollups, reportsAt } from './reports.ts';
import type { MeasuredService } from './service.ts';
import { latencies } from './statistics.ts';
import { type Row, type Table, table } from './table.ts';
import { measure, request } from './traffic.ts';
import { callRows, subtractUsage, sumOf } from './usage.ts';

const LIMIT = 50;
const STRIDE = 200;
/** How far into an order the page in its middle lies, at most: it is walked to. */
const BEHIND_MAXIMUM = 10_000;

const Page = z.object({
  data: z.array(z.object({ id: z.string() })),
  page: z.object({ next_cursor: z.string().nullable() }),
});

const SORTS = ['-occurred_at', 'occurred_at', '-cost_usd', 'cost_usd', '-confidence', 'confidence'] as const;

/** A filter on every field that has one, and what makes a page look at the most: a value that hardly occurs. */
const filtersOf = ({ invocation }: SampleIds): readonly (readonly [string, string])[] => [
  ['occurred_at[gte]', new Date(Date.now() - 7 * 24 * 60 * 60 * 1_000).toISOString()],
  ['cost_usd[gte]', '0.004'],
  ['confidence[lt]', '0.5'],
  ['owner', 'team-3'],
  ['owner[contains]', 'm-1'],
  ['owner[exists]', 'false'],
  ['owner', RARE_OWNER],
  ['service', 'service-7'],
  ['provider', 'anthropic'],
  ['served_model', 'gemini-2.5-flash'],
  ['pathway_category', 'gateway_mediated'],
  ['output_state', 'unresolved'],
  ['confidence_band', 'provisional'],
  ['stage_origin', 'stage_a'],
  ['invocation_id', invocation],
  ['trace_id', TRACE],
];

/** The cursor behind the first `count` records of an order; none for the beginning. */
const cursorAfter = async (list: string, key: string, count: number): Promise<string> => {
  let cursor = '';
  for (let walked = 0; walked < count; ) {
    const limit = Math.min(STRIDE, count - walked);
    const { text } = await request(`${list}&limit=${limit}${cursor}`, key);
    const { data, page } = Page.parse(JSON.parse(text));
    if (page.next_cursor === null) throw new Error(`the list ends before ${count} records`);
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    walked += data.length;
  }
  return cursor;
};

/** Reads one address again and again, and counts what it takes. */
const measureReads = async (service: MeasuredService, url: string, repeats: number) => {
  const get = () => request(url, service.reader.api_keys.read);
  const { text } = await get();
  const before = service.usage();
  const { results } = await measure(repeats, 1, get);
  return {
    text,
    used: subtractUsage(before, service.usage()),
    each: results.map(({ milliseconds }) => milliseconds),
  };
};

type ReadMeasurement = Awaited<ReturnType<typeof measureReads>>;

const countsOf = ({ text, used, each }: ReadMeasurement): Row => ({
  found: Page.parse(JSON.parse(text)).data.length,
  GetItem: sumOf(used, /GetItem/) / each.length,
  Query: sumOf(used, /Query/) / each.length,
  'read units': sumOf(used, /GetItem|Query/, 'capacity') / each.length,
  ...latencies(each),
});

/** Pages of a ledger of a size: each order at its beginning and further on, and each filter in order of time and of cost. */
const pagesAt = async (
  service: MeasuredService,
  records: number,
  landmarks: SampleIds,
  repeats: number,
): Promise<Row[]> => {
  const key = service.reader.api_keys.read;
  const list = `${service.runtime.baseUrl}/v1/attribution`;
  const rows: Row[] = [];
  const add = async (filter: string, sort: string, behind: number): Promise<void> => {
    const url = `${list}?sort=${sort}${filter === '' ? '' : `&${filter}`}`;
    const cursor = await cursorAfter(url, key, behind);
    const read = await measureReads(service, `${url}&limit=${LIMIT}${cursor}`, repeats);
    rows.push({ records, filter: decodeURIComponent(filter), sort, behind, ...countsOf(read) });
  };
  for (const sort of SORTS) {
    for (const behind of [0, Math.min(records / 2, BEHIND_MAXIMUM)]) await add('', sort, behind);
  }
  for (const [name, value] of filtersOf(landmarks)) {
    const filter = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    for (const sort of ['-occurred_at', '-cost_usd']) await add(filter, sort, 0);
  }
  return rows;
};

/** Reads of a page of the list as the ledger grows to each size, in every order and by every filter; of reports; and of a record. */
export const benchPages = async (
  service: MeasuredService,
  sizes: readonly number[],
  repeats: number,
): Promise<Table[]> => {
  const loader = await ledgerLoader(service);
  const rows: Row[] = [];
  const reports: Row[] = [];
  let have = 0;
  for (const size of sizes) {
    const landmarks = await loader.load(size - have);
    have = size;
    rows.push(...(await pagesAt(service, size, landmarks, repeats)));
    await rebuildRollups(service);
    reports.push(...(await reportsAt(service, size, repeats)));
  }
  const costs = await loader.indexCosts();
  loader.stop();
  const { baseUrl } = service.runtime;
  const newest = await request(`${baseUrl}/v1/attribution?limit=1`, service.reader.api_keys.read);
  const id = Page.parse(JSON.parse(newest.text)).data[0]?.id ?? '';
  const detail = await measureReads(service, `${baseUrl}/v1/attribution/${id}`, 3 * repeats);
  return [
    table(
      `A page of the list, ${LIMIT} records: AWS calls, capacity units and latency`,
      rows,
      'GetItem reads the credential, every time, and the tenant, every 5 seconds; an invocation also its claim.',
      'Pages in order of cost or confidence read every month and shard; a page that finds little stops after 1,000 versions.',
    ),
    costs,
    table(
      'A report: AWS calls, capacity units and latency',
      reports.toSorted((one, other) => (String(one['report']) < String(other['report']) ? -1 : 1)),
      'Sixty days of 33 services. A report reads the sums of its days and hours: how many records they are of changes',
      'nothing, once a day is busy enough to hold every service.',
    ),
    table('One record: AWS calls and capacity units', callRows(detail.used, detail.each.length)),
    table('One record: latency', [{ records: have, ...latencies(detail.each) }]),
  ];
};
