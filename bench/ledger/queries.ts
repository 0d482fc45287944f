import * as z from 'zod';
import type { MeasuredService } from '../support/service.ts';
import { latencies, median } from '../support/statistics.ts';
import { type Row, type Table, table } from '../support/table.ts';
import { measure, request } from '../support/traffic.ts';
import { callRows, subtractUsage, sumOf } from '../support/usage.ts';
import { ledgerLoader, RARE_OWNER, type SampleIds, TRACE } from './ledgerLoader.ts';
import { rebuildRollups, reportsAt } from './reports.ts';

const PAGE_SIZE = 50;
const WALK_PAGE_SIZE = 200;
/** Maximum offset of the measured middle page. The benchmark pages through the list to reach it. */
const OFFSET_MAXIMUM = 10_000;

const Page = z.object({
  data: z.array(z.object({ id: z.string() })),
  page: z.object({ next_cursor: z.string().nullable() }),
});

const SORTS = ['-occurred_at', 'occurred_at', '-cost_usd', 'cost_usd', '-confidence', 'confidence'] as const;

/** A filter for every filterable field. The rare owner is the worst case: a page reads the most versions. */
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

/** The cursor parameter after the first `count` records. Empty for 0. Throws when the list is shorter. */
const cursorAfter = async (list: string, key: string, count: number): Promise<string> => {
  let cursor = '';
  for (let walked = 0; walked < count; ) {
    const limit = Math.min(WALK_PAGE_SIZE, count - walked);
    const { text } = await request(`${list}&limit=${limit}${cursor}`, key);
    const { data, page } = Page.parse(JSON.parse(text));
    if (page.next_cursor === null) throw new Error(`the list ends before ${count} records`);
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    walked += data.length;
  }
  return cursor;
};

/** Reads one URL repeatedly and measures AWS calls and latency. */
const measureReads = async (service: MeasuredService, url: string, repeats: number) => {
  const get = () => request(url, service.reader.api_keys.read);
  const { text } = await get();
  const before = service.usage();
  const { results } = await measure(repeats, 1, get);
  return {
    text,
    used: subtractUsage(before, service.usage()),
    latenciesMs: results.map(({ milliseconds }) => milliseconds),
  };
};

type ReadMeasurement = Awaited<ReturnType<typeof measureReads>>;

const countsOf = ({ text, used, latenciesMs }: ReadMeasurement): Row => ({
  'page records': Page.parse(JSON.parse(text)).data.length,
  GetItem: sumOf(used, /GetItem/) / latenciesMs.length,
  Query: sumOf(used, /Query/) / latenciesMs.length,
  'read units': sumOf(used, /GetItem|Query/, 'capacity') / latenciesMs.length,
  ...latencies(latenciesMs),
});

/** Pages at one ledger size: each order at the start and at an offset, and each filter ordered by time and by cost. */
const pagesAt = async (
  service: MeasuredService,
  records: number,
  sampleIds: SampleIds,
  repeats: number,
): Promise<Row[]> => {
  const key = service.reader.api_keys.read;
  const list = `${service.runtime.baseUrl}/v1/attribution`;
  const rows: Row[] = [];
  const add = async (filter: string, sort: string, offset: number): Promise<void> => {
    const url = `${list}?sort=${sort}${filter === '' ? '' : `&${filter}`}`;
    const cursor = await cursorAfter(url, key, offset);
    const read = await measureReads(service, `${url}&limit=${PAGE_SIZE}${cursor}`, repeats);
    rows.push({ records, filter: decodeURIComponent(filter), sort, offset, ...countsOf(read) });
  };
  for (const sort of SORTS) {
    for (const offset of [0, Math.min(records / 2, OFFSET_MAXIMUM)]) await add('', sort, offset);
  }
  for (const [name, value] of filtersOf(sampleIds)) {
    const filter = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    for (const sort of ['-occurred_at', '-cost_usd']) await add(filter, sort, 0);
  }
  return rows;
};

/** The first page of one sort and filter. */
export interface FirstPage {
  readonly filter: string;
  readonly sort: string;
  /** Calls that read tables, per page. */
  readonly reads: number;
  readonly readUnits: number;
  readonly milliseconds: number;
  readonly found: number;
}

/** Measures the first page of every sort, without a filter and with each. */
export const firstPages = async (
  service: MeasuredService,
  sampleIds: SampleIds,
  repeats: number,
): Promise<FirstPage[]> => {
  const pages: FirstPage[] = [];
  const filters = [null, ...filtersOf(sampleIds)];
  for (const sort of SORTS) {
    for (const filter of filters) {
      const query = new URLSearchParams({ sort, limit: String(PAGE_SIZE) });
      if (filter !== null) query.set(...filter);
      const read = await measureReads(service, `${service.runtime.baseUrl}/v1/attribution?${query}`, repeats);
      pages.push({
        filter: filter === null ? '' : filter.join('='),
        sort,
        reads: sumOf(read.used, /GetItem|Query/) / repeats,
        readUnits: sumOf(read.used, /GetItem|Query/, 'capacity') / repeats,
        milliseconds: median(read.latenciesMs),
        found: Page.parse(JSON.parse(read.text)).data.length,
      });
    }
  }
  return pages;
};

/** Measures list pages (every order and filter) and reports at each ledger size, and reads of a single record. */
export const benchQueries = async (
  service: MeasuredService,
  sizes: readonly number[],
  repeats: number,
): Promise<Table[]> => {
  const loader = await ledgerLoader(service);
  const rows: Row[] = [];
  const reports: Row[] = [];
  let loaded = 0;
  for (const size of sizes) {
    const sampleIds = await loader.load(size - loaded);
    loaded = size;
    rows.push(...(await pagesAt(service, size, sampleIds, repeats)));
    await rebuildRollups(service);
    reports.push(...(await reportsAt(service, size, repeats)));
  }
  const costs = await loader.recordCosts();
  loader.stop();
  const { baseUrl } = service.runtime;
  const newest = await request(`${baseUrl}/v1/attribution?limit=1`, service.reader.api_keys.read);
  const id = Page.parse(JSON.parse(newest.text)).data[0]?.id ?? '';
  const detail = await measureReads(service, `${baseUrl}/v1/attribution/${id}`, 3 * repeats);
  return [
    table(
      `List page of ${PAGE_SIZE} records: AWS calls, capacity units and latency`,
      rows,
      'GetItem reads the credential on every request and the tenant every 5 seconds. The invocation_id filter also reads a claim.',
      'A page in order of time with few matches stops after 1,000 versions. Pages by cost or confidence read the index of their months.',
    ),
    costs,
    table(
      'Report: AWS calls, capacity units and latency',
      reports.toSorted((one, other) => (String(one['report']) < String(other['report']) ? -1 : 1)),
      'Sixty days of 33 services. A report reads daily and hourly rollups. Its cost does not depend on the number of records,',
      'once every service has calls on every day.',
    ),
    table('Single record: AWS calls and capacity units', callRows(detail.used, detail.latenciesMs.length)),
    table('Single record: latency', [{ records: loaded, ...latencies(detail.latenciesMs) }]),
  ];
};
