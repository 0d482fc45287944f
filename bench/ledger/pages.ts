import * as z from 'zod';
import { measureReads } from '../support/measureReads.ts';
import type { MeasuredService } from '../support/service.ts';
import { latencies, median } from '../support/statistics.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { request } from '../support/traffic.ts';
import { sumOf } from '../support/usage.ts';
import { ledgerLoader, RARE_OWNER, type SampleIds, TRACE } from './ledgerLoader.ts';
import { isByTime, type MeasuredLevel, modelledRows, type PageReads } from './pagesModel.ts';

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

/** Reads of tables and files for the first page at a million records. */
const GOAL_READS = 70;
const GOAL_RECORDS = 1e6;
const MODELLED_RECORDS = 30e6;

/** The first page of one sort and filter. */
interface FirstPage extends PageReads {
  readonly latenciesMs: readonly number[];
  readonly found: number;
}

/** Measures the first page of every sort, without a filter and with each. */
const firstPages = async (
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
        latenciesMs: read.latenciesMs,
        found: Page.parse(JSON.parse(read.text)).data.length,
      });
    }
  }
  return pages;
};

const worstOf = (pages: readonly FirstPage[]): FirstPage =>
  pages.reduce((worst, page) => (page.reads > worst.reads ? page : worst));

/** The pages with the most reads: in order of time, and in the orders that read the index. */
const worstRows = (records: number, pages: readonly FirstPage[]): Row[] =>
  (
    [
      ['time', pages.filter(isByTime)],
      ['cost, confidence', pages.filter((page) => !isByTime(page))],
    ] as const
  ).map(([order, some]) => {
    const { filter, sort, reads, readUnits, latenciesMs, found } = worstOf(some);
    return {
      records,
      order,
      'pages measured': some.length,
      'most reads': reads,
      goal: records <= GOAL_RECORDS ? goal(reads, GOAL_READS) : '',
      filter,
      sort,
      'page records': found,
      'read units': readUnits,
      'median ms': median(latenciesMs),
    };
  });

/** The usual orders, with every filter. */
const usualRows = (records: number, pages: readonly FirstPage[]): Row[] =>
  pages
    .filter(({ sort }) => sort === '-occurred_at' || sort === '-cost_usd')
    .map(({ filter, sort, reads, readUnits, latenciesMs, found }) => ({
      records,
      filter,
      sort,
      'page records': found,
      reads,
      'read units': readUnits,
      ...latencies(latenciesMs),
    }));

/** A page in the middle of the list, in every order. */
const offsetRows = async (service: MeasuredService, records: number, repeats: number): Promise<Row[]> => {
  const offset = Math.min(records / 2, OFFSET_MAXIMUM);
  const rows: Row[] = [];
  for (const sort of SORTS) {
    const url = `${service.runtime.baseUrl}/v1/attribution?sort=${sort}`;
    const cursor = await cursorAfter(url, service.reader.api_keys.read, offset);
    const read = await measureReads(service, `${url}&limit=${PAGE_SIZE}${cursor}`, repeats);
    rows.push({
      records,
      sort,
      offset,
      reads: sumOf(read.used, /GetItem|Query/) / repeats,
      'read units': sumOf(read.used, /GetItem|Query/, 'capacity') / repeats,
      ...latencies(read.latenciesMs),
    });
  }
  return rows;
};

/** Pages of every sort and filter, by ledger size. */
export const benchPages = async (
  service: MeasuredService,
  sizes: readonly number[],
  repeats: number,
): Promise<Table[]> => {
  const loader = await ledgerLoader(service);
  const rows: Row[] = [];
  const usual: Row[] = [];
  const offsets: Row[] = [];
  const levels: MeasuredLevel[] = [];
  let loaded = 0;
  for (const size of sizes) {
    const ids = await loader.load(size - loaded);
    loaded = size;
    const pages = await firstPages(service, ids, repeats);
    rows.push(...worstRows(size, pages));
    usual.push(...usualRows(size, pages));
    offsets.push(...(await offsetRows(service, size, repeats)));
    levels.push({ records: size, pages });
  }
  loader.stop();
  return [
    table(
      'First page of 50 records, every sort and filter: the one with the most reads',
      rows,
      'Reads: calls of Query, GetItem and BatchGetItem, with those of the credential. Sixty days of records.',
    ),
    table(
      `First page of ${PAGE_SIZE} records with each filter, by time and by cost`,
      usual,
      'A page in order of time with few matches stops after 1,000 versions. Pages by cost or confidence read the index of their months.',
    ),
    table('Page in the middle of the list', offsets),
    table(
      `First page of ${PAGE_SIZE} records of a larger ledger, computed from the two largest of those measured`,
      modelledRows(MODELLED_RECORDS, levels),
      'In order of time a page ends after 1,000 versions, so a larger ledger adds nothing while one shard takes all calls of a tenant (up to 500 a second). Each doubling of the shards doubles the queries of a month.',
      'By cost or confidence a page reads the index of its months: its units grow with the records by the median of these pages as measured, and a query reads 1 MB. The records are spread evenly over sixty days. A shorter period reads less by whole months.',
    ),
  ];
};
