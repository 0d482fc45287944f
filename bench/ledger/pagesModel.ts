import { median } from '../support/statistics.ts';
import type { Row } from '../support/table.ts';

/** What the first page of one sort and filter reads. */
export interface PageReads {
  /** `name=value`, or empty. */
  readonly filter: string;
  readonly sort: string;
  /** Calls that read tables, per page. */
  readonly reads: number;
  readonly readUnits: number;
}

/** The first pages of all sorts and filters at one size of the ledger, in the same order at each size. */
export interface MeasuredLevel {
  readonly records: number;
  readonly pages: readonly PageReads[];
}

/** A query returns at most 1 MB. */
const QUERY_BYTES = 2 ** 20;
/** A unit of a strongly consistent read. */
const READ_UNIT_BYTES = 4_096;
/** A page in order of time examines this many versions at most, and then ends with a cursor. */
const EXAMINED_MAXIMUM = 1_000;

export const isByTime = ({ sort }: Pick<PageReads, 'sort'>): boolean => sort.endsWith('occurred_at');

/** Filters that name records directly, so that the index is not read. */
const isOfRecord = ({ filter }: PageReads): boolean => /^(?:invocation_id|trace_id)=/.test(filter);
const isOfPeriod = ({ filter }: PageReads): boolean => filter.startsWith('occurred_at');

/** Read units that a page needs more for each record, between the two largest measured ledgers. */
const growthOf = (levels: readonly MeasuredLevel[], index: number): number => {
  const [before, largest] = levels.slice(-2);
  if (before === undefined || largest === undefined) return 0;
  const added = (largest.pages[index]?.readUnits ?? 0) - (before.pages[index]?.readUnits ?? 0);
  return Math.max(0, added) / (largest.records - before.records);
};

/**
 * The pages of a larger ledger. In order of time a page ends after a number of versions, so it reads what it read of the
 * largest measured ledger. By cost or confidence it reads the index, whatever the filter: units grow by the median of those
 * pages, because single ones also differ by the records that they fetch. Each further megabyte is another query.
 */
const modelledPages = (
  records: number,
  levels: readonly MeasuredLevel[],
  largest: MeasuredLevel,
): PageReads[] => {
  const readsIndex = (page: PageReads) => !isByTime(page) && !isOfRecord(page);
  const growths = largest.pages.flatMap((page, index) =>
    readsIndex(page) && !isOfPeriod(page) ? [growthOf(levels, index)] : [],
  );
  const usual = median(growths);
  return largest.pages.map((page, index) => {
    if (!readsIndex(page)) return page;
    const growth = isOfPeriod(page) ? growthOf(levels, index) : usual;
    const added = growth * (records - largest.records);
    return {
      ...page,
      reads: Math.round(page.reads + (added * READ_UNIT_BYTES) / QUERY_BYTES),
      readUnits: Math.round(page.readUnits + added),
    };
  });
};

/**
 * The first page of a ledger of this many records, in order of time and by cost or confidence: without a filter, and with the
 * filter that reads the most. `levels` are measured, in ascending order. Empty if a measured ledger is too small for a model.
 */
export const modelledRows = (records: number, levels: readonly MeasuredLevel[]): Row[] => {
  const largest = levels.at(-1);
  if (levels.length < 2 || largest === undefined || largest.records <= EXAMINED_MAXIMUM) return [];
  const modelled = modelledPages(records, levels, largest);
  const most = (pages: readonly PageReads[]) =>
    pages.toSorted((one, other) => other.reads - one.reads || other.readUnits - one.readUnits).slice(0, 1);
  return [true, false].flatMap((byTime) => {
    const ordered = modelled.filter((page) => isByTime(page) === byTime);
    return [
      ...most(ordered.filter(({ filter }) => filter === '')),
      ...most(ordered.filter(({ filter }) => filter !== '')),
      // The advice for large ledgers: a list of a week.
      ...(byTime ? [] : most(ordered.filter(({ filter }) => filter.startsWith('occurred_at')))),
    ].map(({ filter, sort, reads, readUnits }) => ({
      records,
      order: byTime ? 'time' : 'cost, confidence',
      filter,
      sort,
      'reads of a page': reads,
      'read units': readUnits,
      'MB read': (readUnits * READ_UNIT_BYTES) / 1e6,
    }));
  });
};
