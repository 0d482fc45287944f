import type { Interval } from '../../../platform/shared/time/interval.ts';
import { ulidTime } from '../../../platform/shared/ulid.ts';
import { versionKeyOf } from '../ledgerKey.ts';
import { type Filter, matchesFilter } from '../query/filter.ts';
import { keyComparator, type SortField, sortPrefixOf } from '../query/sortKey.ts';
import { sortIndexFields } from './sortEntry.ts';
import type { SortIndexBlock } from './sortIndexBlock.ts';

export interface SortIndexQuery {
  readonly field: SortField;
  readonly descending: boolean;
  readonly filters: readonly Filter[];
  readonly residency: string | null;
  readonly period: Interval;
  /** The first key of the result, if it exists; undefined for the start of the list. */
  readonly after: string | undefined;
}

/** More keys than requested are collected before they are sorted and cut. */
const SLACK = 4;

/** The rows of a block that pass the filters. Each filter is evaluated once for each distinct value. */
const rowFilter = (block: SortIndexBlock, { filters, residency, period }: SortIndexQuery) => {
  const checks = filters.flatMap((filter) => {
    const field = sortIndexFields.find((name) => name === filter.field);
    if (field === undefined) return [];
    const { values, indexAt } = block.column(field);
    const passes = values.map((value) => matchesFilter(filter, value));
    return [(row: number): boolean => passes[indexAt(row)] === true];
  });
  if (residency !== null) {
    const { values, indexAt } = block.column('residency');
    const passes = values.map((value) => value === residency);
    checks.push((row) => passes[indexAt(row)] === true);
  }
  const [from, to] = [ulidTime(period.from), ulidTime(period.to)];
  return (row: number): boolean => {
    if (!checks.every((check) => check(row))) return false;
    const ulid = block.ulidAt(row);
    return ulid >= from && ulid < to;
  };
};

/**
 * The sort keys of the first `limit` sort entries that match, in list order. Equal sort entries of several blocks are one: a
 * sort entry is in two blocks while they are merged, and when an event was delivered twice.
 */
export const selectSortKeys = (
  blocks: readonly SortIndexBlock[],
  query: SortIndexQuery,
  limit: number,
): string[] => {
  const compare = keyComparator(query.descending);
  let keys: string[] = [];
  let last: string | undefined;
  const cut = (): void => {
    keys = [...new Set(keys)].sort(compare).slice(0, limit);
    if (keys.length === limit) last = keys.at(-1);
  };
  for (const block of blocks) {
    const isIncluded = rowFilter(block, query);
    const { values, indexAt } = block.column(query.field);
    const prefixes = values.map(sortPrefixOf);
    for (let row = 0; row < block.size; row += 1) {
      if (!isIncluded(row)) continue;
      const key = `${prefixes[indexAt(row)] ?? ''}#${versionKeyOf(block.ulidAt(row), block.versionAt(row))}`;
      if (query.after !== undefined && compare(key, query.after) < 0) continue;
      if (last !== undefined && compare(key, last) >= 0) continue;
      keys.push(key);
      if (keys.length >= SLACK * limit) cut();
    }
  }
  cut();
  return keys;
};
