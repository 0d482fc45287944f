import pMap from 'p-map';
import type { Rollup, RollupGrain } from '../../../schemas/ledger/rollup.ts';
import { queryPages } from '../../platform/shared/aws/queryPages.store.ts';
import { pauseAfterConflict } from '../../platform/shared/retry/backoff.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { LENGTH, type RollupRange } from './grain.ts';
import { type OpenPeriod, readOpenPeriods } from './openPeriod.store.ts';
import { type CountedRollup, mergeRollups } from './rollup.ts';
import {
  contentIn,
  headKeyIn,
  type Item,
  isHead,
  keyRangeOf,
  numberIn,
  partitionOf,
  partitionStarts,
  partsOf,
  unitIn,
  unpackPart,
} from './rollupItem.ts';

export interface RollupReader {
  /**
   * The rollups of a range in chronological order, strongly consistent. Periods without calls are left out. The sum of an
   * hour or day that is still open is computed from the finer grain.
   */
  readonly read: (tenantId: string, range: RollupRange) => Promise<Rollup[]>;
}

/** A partition is read again when one query returned parts of two revisions of a rollup. */
const MAX_READ_ATTEMPTS = 12;

/** The heads and parts of a range within one partition, strongly consistent. */
export const readItems = async (
  table: string,
  pk: string,
  { from, to }: Interval,
  projection?: string,
): Promise<Item[]> => {
  const items: Item[] = [];
  const keys = keyRangeOf(from, to);
  const query = {
    TableName: table,
    ConsistentRead: true,
    ...(projection !== undefined && { ProjectionExpression: projection }),
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: keys.from }, ':to': { S: keys.to } },
  };
  for await (const page of queryPages(query)) for (const item of page) items.push(item);
  return items;
};

/** The stored units of a partition; null when a sum was replaced while it was read. */
const toRollups = (grain: RollupGrain, items: readonly Item[]): CountedRollup[] | null => {
  const others = Map.groupBy(
    items.filter((item) => !isHead(item)),
    headKeyIn,
  );
  const rollups: CountedRollup[] = [];
  for (const head of items.filter(isHead)) {
    const parts = partsOf(head, others.get(headKeyIn(head)) ?? []);
    if (parts === null) return null;
    const { start } = unitIn(head);
    const asOf = numberIn(head, 'as_of');
    rollups.push({
      start,
      grain,
      asOf,
      content: contentIn(head),
      groups: parts.flatMap(unpackPart),
    });
  }
  return rollups;
};

/** The stored rollups of a range. Those of the shards of a minute are added up. */
const readStored = async (table: string, tenantId: string, range: RollupRange): Promise<CountedRollup[]> => {
  const { grain, from, to } = range;
  const rollups: CountedRollup[] = [];
  for (const start of partitionStarts(grain, from, to)) {
    const pk = partitionOf(tenantId, grain, start);
    const stored = await retryOnConflict(
      async () => toRollups(grain, await readItems(table, pk, { from: start, to })) ?? CONFLICT,
      { maxAttempts: MAX_READ_ATTEMPTS, subject: `reading ${pk}`, pause: pauseAfterConflict },
    );
    for (const units of Map.groupBy(stored, (unit) => unit.start).values()) {
      const [only, ...others] = units;
      if (only !== undefined) rollups.push(others.length === 0 ? only : mergeRollups(only, units));
    }
  }
  return rollups;
};

const FINER = { day: 'hour', hour: 'minute' } as const;

/** Reads open periods from the finer grain, and all others as stored. */
const readWith = async (
  table: string,
  tenantId: string,
  range: RollupRange,
  open: readonly OpenPeriod[],
): Promise<CountedRollup[]> => {
  const { grain, from, to } = range;
  if (grain === 'minute') return readStored(table, tenantId, range);
  const starts = new Set(
    open.flatMap((period) =>
      period.grain === grain && from <= period.start && period.start < to ? [period.start] : [],
    ),
  );
  const [stored, computed] = await Promise.all([
    readStored(table, tenantId, range),
    pMap([...starts], async (start) => {
      const period = { grain: FINER[grain], from: start, to: start + LENGTH[grain] };
      const parts = await readWith(table, tenantId, period, open);
      return parts.length === 0 ? [] : [mergeRollups({ start, grain }, parts)];
    }),
  ]);
  const closed = stored.filter(({ start }) => !starts.has(start));
  return [...closed, ...computed.flat()].sort((one, other) => one.start - other.start);
};

/** A reader whose rollups also count the versions that they were computed from. */
export interface CountedReader {
  readonly read: (tenantId: string, range: RollupRange) => Promise<CountedRollup[]>;
}

export const rollupReader = (table: string): CountedReader => ({
  // The open periods are read first: a period that is closed in between can still be read from its minutes.
  read: async (tenantId, range) =>
    readWith(table, tenantId, range, range.grain === 'minute' ? [] : await readOpenPeriods(table, tenantId)),
});
