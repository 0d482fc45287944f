import { ledgerLoader } from '../ledger/ledgerLoader.ts';
import { type FirstPage, firstPages } from '../ledger/queries.ts';
import type { MeasuredService } from '../support/service.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';

/** Reads of tables and files for the first page at a million records. */
const GOAL_READS = 70;
const GOAL_RECORDS = 1e6;
const MODELLED_RECORDS = 30e6;
/** A query returns at most 1 MB. */
const QUERY_BYTES = 2 ** 20;
/** A unit of a strongly consistent read. */
const READ_UNIT_BYTES = 4_096;

const worstOf = (pages: readonly FirstPage[]): FirstPage =>
  pages.reduce((worst, page) => (page.reads > worst.reads ? page : worst));

const isByTime = ({ sort }: FirstPage): boolean => sort.endsWith('occurred_at');

/** The pages with the most reads: in order of time, and in the orders that read the index. */
const worstRows = (records: number, pages: readonly FirstPage[]): Row[] =>
  (
    [
      ['time', pages.filter(isByTime)],
      ['cost, confidence', pages.filter((page) => !isByTime(page))],
    ] as const
  ).map(([order, some]) => {
    const { filter, sort, reads, readUnits, milliseconds, found } = worstOf(some);
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
      'median ms': milliseconds,
    };
  });

/**
 * The page without a filter. It reads the whole index of its months: one query reads 1 MB. The other reads of a page do not
 * depend on the size of the ledger.
 */
const modelledRow = (records: number, pages: readonly FirstPage[]): Row => {
  const page = pages.find(({ filter, sort }) => filter === '' && sort === '-cost_usd');
  if (page === undefined) throw new Error('the page without a filter was not measured');
  const bytes = page.readUnits * READ_UNIT_BYTES;
  const scale = MODELLED_RECORDS / records;
  return {
    records: MODELLED_RECORDS,
    'index, MB': (bytes * scale) / 1e6,
    'reads of a page': Math.round(page.reads + (bytes * (scale - 1)) / QUERY_BYTES),
    'read units': Math.round(page.readUnits * scale),
  };
};

/** First pages of every sort and filter, by ledger size. */
export const benchPages = async (
  service: MeasuredService,
  sizes: readonly number[],
  repeats: number,
): Promise<Table[]> => {
  const loader = await ledgerLoader(service);
  const rows: Row[] = [];
  const modelled: Row[] = [];
  let loaded = 0;
  for (const size of sizes) {
    const ids = await loader.load(size - loaded);
    loaded = size;
    const pages = await firstPages(service, ids, repeats);
    rows.push(...worstRows(size, pages));
    if (size === sizes.at(-1)) modelled.push(modelledRow(size, pages));
  }
  loader.stop();
  return [
    table(
      'First page of 50 records, every sort and filter: the one with the most reads',
      rows,
      'Reads: calls of Query, GetItem and BatchGetItem, with those of the credential. Sixty days of records.',
    ),
    table(
      'First page by cost or confidence of a larger ledger, computed from the bytes of its index',
      modelled,
      'All records in the period of the list. A shorter period reads less by whole months.',
    ),
  ];
};
