import pMap from 'p-map';
import type { Rollup, RollupGrain, RollupGroup } from '../../schemas/rollup.ts';
import type { LedgerReader } from '../ledger/ledger.store.ts';
import { partitionsOfMonth } from '../ledger/ledgerKey.ts';
import { scanPartition } from '../ledger/query/scanRecords.ts';
import type { Clock } from '../shared/clock.ts';
import { monthOf } from '../shared/month.ts';
import { CONFLICT, retryOnConflict } from '../shared/retryOnConflict.ts';
import { toIso } from '../shared/toIso.ts';
import { timeOfUlid } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { LENGTH, startOf } from './grain.ts';
import { NO_ROLLUP, type RollupWriter } from './rollup.store.ts';
import { groupOf, sumGroups, totalOf } from './rollup.ts';

/** Optimistic lock: each round at least one writer succeeds, so this many concurrent writers of one rollup all finish. */
const MAX_ATTEMPTS = 40;
/** Minute rollups written in parallel. */
const CONCURRENCY = 8;
/** Changed minutes at most this far apart are read with one query, which also reads the minutes between them. */
const GAP_MAXIMUM_MS = 5 * LENGTH.minute;
/** Ledger partitions read in parallel. */
const PARTITION_CONCURRENCY = 8;

/** A range of whole minutes, epoch milliseconds: `from` included, `to` excluded. */
interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

/** The fewest ranges that cover the minutes of an hour, given by their starts, without a long gap within a range. */
const minuteRangesOf = (starts: readonly number[]): MinuteRange[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const start of starts.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && start - last.to <= GAP_MAXIMUM_MS) last.to = start + LENGTH.minute;
    else ranges.push({ from: start, to: start + LENGTH.minute });
  }
  return ranges;
};

/** The time of the call of a version, from its key in the ledger. */
const timeOfVersion = (key: string): number => timeOfUlid(key.slice(0, key.lastIndexOf('#')));

/**
 * Returns a function that recomputes the rollups of changed minutes: the minutes from their records, then the hours and days
 * that contain them. Totals are never incremented, so they stay exact under duplicates, late events, corrections and crashes.
 * A writer reads the revision of the rollup first and its sources second. When the revision has changed at the write, the
 * writer starts over.
 */
export const rollupComputer = (stores: {
  readonly ledger: LedgerReader;
  readonly rollups: RollupWriter;
  readonly clock: Clock;
  /** Learns how many records a minute has. */
  readonly observeMinute?: (tenantId: string, records: number) => Promise<void>;
  /** Backoff after a write conflict. `attempt` starts at 1. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}) => {
  const { ledger, rollups, clock, pause, observeMinute } = stores;

  const putSum = async (
    tenantId: string,
    grain: RollupGrain,
    start: number,
    groupsOf: (asOf: number) => Promise<readonly RollupGroup[]>,
  ): Promise<void> => {
    const putOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const expectedRevision = await rollups.readRevision(tenantId, grain, start);
      const asOf = clock();
      const rollup: Rollup = { start, grain, asOf, groups: await groupsOf(asOf) };
      return (await rollups.put(tenantId, rollup, expectedRevision)) ? undefined : CONFLICT;
    };
    const subject = `the ${grain} rollup of ${toIso(start)}`;
    await retryOnConflict(putOnce, { maxAttempts: MAX_ATTEMPTS, subject, ...(pause && { pause }) });
  };

  /** The groups of each minute of a period that has records, by the start of the minute. */
  const minutesOf = async (
    tenant: Tenant,
    period: MinuteRange,
    asOf: number,
  ): Promise<Map<number, RollupGroup[]>> => {
    const minutes = new Map<number, RollupGroup[]>();
    const month = monthOf(period.from);
    const months = await ledger.months(tenant.tenant_id);
    await pMap(
      months.filter((open) => open.month === month).flatMap((open) => partitionsOfMonth(tenant, open)),
      async (partition) => {
        const request = { tenantId: tenant.tenant_id, partition, period, asOf };
        for await (const { items } of scanPartition(ledger, request)) {
          const byMinute = Map.groupBy(items, ({ key }) => startOf('minute', timeOfVersion(key)));
          for (const [minute, versions] of byMinute) {
            const added = versions.map(({ attribution }) => groupOf(attribution));
            minutes.set(minute, sumGroups([...(minutes.get(minute) ?? []), ...added]));
          }
        }
      },
      { concurrency: PARTITION_CONCURRENCY },
    );
    return minutes;
  };

  const sumOf = (tenantId: string, grain: RollupGrain, from: number, to: number) => async () => {
    const parts = await rollups.read(tenantId, { grain, from, to });
    return sumGroups(parts.flatMap(({ groups }) => groups));
  };

  /**
   * `minutes` are counted since the epoch. Resolves after minute, hour and day rollups are written. Rejects with an Error
   * after too many write conflicts.
   */
  return async (tenant: Tenant, minutes: readonly number[]): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    const starts = [...new Set(minutes)].map((minute) => minute * LENGTH.minute);
    const hours = new Set(starts.map((start) => startOf('hour', start)));
    const days = new Set(starts.map((start) => startOf('day', start)));
    for (const [hour, changed] of Map.groupBy(starts, (start) => startOf('hour', start))) {
      const range = { grain: 'minute', from: hour, to: hour + LENGTH.hour } as const;
      const revisions = await rollups.readRevisions(tenantId, range);
      const asOf = clock();
      const sums = await Promise.all(
        minuteRangesOf(changed).map((minutes) => minutesOf(tenant, minutes, asOf)),
      );
      const groupsAt = new Map(sums.flatMap((found) => [...found]));
      await pMap(
        changed,
        async (start) => {
          const groups = groupsAt.get(start) ?? [];
          await observeMinute?.(tenantId, totalOf(groups).invocations);
          const rollup: Rollup = { start, grain: 'minute', asOf, groups };
          if (await rollups.put(tenantId, rollup, revisions.get(start) ?? NO_ROLLUP)) return;
          // Another writer was faster.
          const period = { from: start, to: start + LENGTH.minute };
          await putSum(
            tenantId,
            'minute',
            start,
            async (at) => (await minutesOf(tenant, period, at)).get(start) ?? [],
          );
        },
        { concurrency: CONCURRENCY },
      );
    }
    for (const hour of hours) {
      await putSum(tenantId, 'hour', hour, sumOf(tenantId, 'minute', hour, hour + LENGTH.hour));
    }
    for (const day of days) {
      await putSum(tenantId, 'day', day, sumOf(tenantId, 'hour', day, day + LENGTH.day));
    }
  };
};
